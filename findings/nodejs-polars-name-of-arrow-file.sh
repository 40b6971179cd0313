#!/usr/bin/env bash
# Tool: nodejs-polars 0.26.1 (JavaScript).
# Behaviour: `readIPC` fails on a file whose name ends in `.arrow`; a copy named `.ipc` is read, and so are its bytes.
# Guess: the name of a file does not matter, or `.arrow`, the usual ending, is known.
# Output: x.arrow: invalid seek to a negative or overflowing position; x.ipc: 3 rows; bytes: 3 rows
# Who meets it: users who read an Arrow file by its usual name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund nodejs-polars@0.26.1 nodejs-polars-linux-x64-gnu@0.26.1 >/dev/null
cat >read.js <<'JS'
const fs = require("fs"), pl = require("nodejs-polars");
pl.DataFrame({ plies: [3, 4, 5] }).writeIPC("x.ipc");
fs.copyFileSync("x.ipc", "x.arrow");
let failed = "read";
try { pl.readIPC("x.arrow"); } catch (error) { failed = error.message; }
const rows = [pl.readIPC("x.ipc").height, pl.readIPC(fs.readFileSync("x.arrow")).height];
console.log(`x.arrow: ${failed}; x.ipc: ${rows[0]} rows; bytes: ${rows[1]} rows`);
if (!failed.includes("invalid seek") || String(rows) !== "3,3") throw new Error("the behaviour has changed");
JS
node read.js
