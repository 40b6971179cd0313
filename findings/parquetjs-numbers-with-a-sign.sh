#!/usr/bin/env bash
# Tool: @dsnp/parquetjs 1.8.8 (npm), a reader of Parquet.
# Behaviour: numbers of 2^63 or more in a column without a sign (`UINT_64`) are read as negative numbers.
# Guess: BigInts without a sign.
# Output: 5 -1
# Who meets it: users who read board numbers of 64 cells in JavaScript. `BigInt.asUintN(64, board)` gives the number; hyparquet 1.33.0 and
#   parquet-wasm 0.8.0 read it as it is.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pyarrow==26.0.1
cd "$folder"
npm install --silent --no-audit --no-fund @dsnp/parquetjs@1.8.8 hyparquet@1.33.0 >/dev/null
venv/bin/python - <<'PYTHON'
import pyarrow
import pyarrow.parquet

boards = pyarrow.array([5, 2**64 - 1], pyarrow.uint64())
pyarrow.parquet.write_table(pyarrow.table({"board": boards}), "boards.parquet", use_dictionary=False)
PYTHON
cat >read.mjs <<'JS'
import fs from "fs";
import parquetjs from "@dsnp/parquetjs";
import { parquetReadObjects } from "hyparquet";

const cursor = (await parquetjs.ParquetReader.openFile("boards.parquet")).getCursor();
const seen = [await cursor.next(), await cursor.next()].map((row) => String(row.board));
console.log(...seen);
const bytes = fs.readFileSync("boards.parquet");
const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const other = (await parquetReadObjects({ file })).map((row) => String(row.board));
if (String(seen) !== "5,-1" || String(other) !== "5,18446744073709551615") throw new Error(`the behaviour has changed: ${seen} ${other}`);
JS
node read.mjs
