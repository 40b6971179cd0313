#!/usr/bin/env bash
# Tool: pyarrow 26.0.1 (Python), its reader of CSV.
# Behaviour: by default, a column of `0x…` with 16 digits is read as `int64`, so numbers from 2^63 up become negative without a word;
#   the same numbers in decimal become floating-point numbers, and are rounded.
# Guess: hexadecimal texts stay texts, and numbers that need 64 bits become `uint64`.
# Output: hex: int64 [-9223372036246470656, 21206401024]; decimal: double
# Who meets it: users who read board numbers of 64 cells from CSV without naming the type `pyarrow.uint64()`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pyarrow==26.0.1
"$folder/venv/bin/python" - <<'PYTHON'
import io

import pyarrow
import pyarrow.csv

boards = [9223372037463080960, 21206401024]
read = lambda lines, **types: pyarrow.csv.read_csv(
    io.BytesIO("\n".join(["board", *lines, ""]).encode()), convert_options=pyarrow.csv.ConvertOptions(column_types=types)
)["board"]
hexadecimal, decimal = [f"0x{board:016x}" for board in boards], [str(board) for board in boards]
seen = (str(read(hexadecimal).type), read(hexadecimal).to_pylist(), str(read(decimal).type))
print(f"hex: {seen[0]} {seen[1]}; decimal: {seen[2]}")
assert seen == ("int64", [-9223372036246470656, 21206401024], "double"), f"the behaviour has changed: {seen}"
for lines in (hexadecimal, decimal):
    assert read(lines, board=pyarrow.uint64()).to_pylist() == boards
PYTHON
