#!/usr/bin/env bash
# Tool: csv-parse 7.0.3 (npm), a reader of CSV, with the option `cast: true`.
# Behaviour: a text of hexadecimal digits after `0x` becomes the number 0. Decimal numbers above 2^53 are rounded.
# Guess: hexadecimal texts become rounded numbers, or stay texts, as in d3-dsv 3.0.2 and PapaParse 5.7.1.
# Output: csv-parse: 0 0; d3-dsv: 10 9223372036854778000; PapaParse: 0x000000000000000a 0x8000000000000401
# Who meets it: users who write board numbers with `--keys hex`, so that no reader rounds them. Leave `cast` out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund csv-parse@7.0.3 d3-dsv@3.0.2 papaparse@5.7.1 >/dev/null
cat >read.mjs <<'JS'
import { parse } from "csv-parse/sync";
import { autoType, csvParse } from "d3-dsv";
import Papa from "papaparse";

const text = "board\n0x000000000000000a\n0x8000000000000401";
const boards = (rows) => rows.map((row) => row.board).join(" ");
const seen = [
  boards(parse(text, { columns: true, cast: true })),
  boards(csvParse(text, autoType)),
  boards(Papa.parse(text, { header: true, dynamicTyping: true }).data),
];
console.log(`csv-parse: ${seen[0]}; d3-dsv: ${seen[1]}; PapaParse: ${seen[2]}`);
const expected = ["0 0", "10 9223372036854778000", "0x000000000000000a 0x8000000000000401"];
if (String(seen) !== String(expected)) throw new Error("the behaviour has changed");
JS
node read.mjs
