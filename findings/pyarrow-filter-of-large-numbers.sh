#!/usr/bin/env bash
# Tool: pyarrow 26.0.1 and pandas 3.1.1 (Python), filters of Parquet files.
# Behaviour: a filter of a column without a sign refuses a Python integer of 2^63 or more, although the column can hold it. A scalar
#   with the type `uint64` is accepted.
# Guess: the integer takes the type of the column.
# Output: OverflowError, OverflowError; with a type: 1 row
# Who meets it: users who look for a board number of 64 cells in an exported file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pyarrow==26.0.1 pandas==3.1.1
cd "$folder"
venv/bin/python - <<'PYTHON'
import pandas
import pyarrow
import pyarrow.parquet

BOARD = 2**63 + 1
table = pyarrow.table({"board": pyarrow.array([5, BOARD], pyarrow.uint64())})
pyarrow.parquet.write_table(table, "boards.parquet")


def rows(read, board):
    try:
        return len(read("boards.parquet", filters=[("board", "==", board)]))
    except OverflowError:
        return "OverflowError"


readers = (pyarrow.parquet.read_table, pandas.read_parquet)
plain = [rows(read, BOARD) for read in readers]
typed = [rows(read, pyarrow.scalar(BOARD, pyarrow.uint64())) for read in readers]
print(f"{plain[0]}, {plain[1]}; with a type: {typed[0]} row")
assert (plain, typed) == (["OverflowError"] * 2, [1, 1]), "the behaviour has changed"
PYTHON
