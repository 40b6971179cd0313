#!/usr/bin/env bash
# Tool: apache-arrow 21.2.0 (JavaScript), a reader of Arrow files.
# Behaviour: `toArray()` of a column of numbers turns missing values into 0; the iterator and `get` give `null`.
# Guess: `toArray()` gives `null`, or throws if values are missing.
# Output: toArray: 3,0,5; iterator: [3,null,5]
# Who meets it: users who read the remoteness of draws by repetition, which have none, and count them as finished games.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund apache-arrow@21.2.0 >/dev/null
cat >read.mjs <<'JS'
import { vectorFromArray, Uint8, tableToIPC, tableFromIPC, Table } from "apache-arrow";
const table = tableFromIPC(tableToIPC(new Table({ plies: vectorFromArray([3, null, 5], new Uint8()) })));
const column = table.getChild("plies");
const seen = [String(column.toArray()), JSON.stringify([...column])];
console.log(`toArray: ${seen[0]}; iterator: ${seen[1]}`);
if (seen[0] !== "3,0,5" || seen[1] !== "[3,null,5]") throw new Error("the behaviour has changed");
JS
node read.mjs
