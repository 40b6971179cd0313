#!/usr/bin/env bash
# Tool: chdb 4.4.0 (Python), ClickHouse 26.9.2 as a library.
# Behaviour: the type of a column of CSV follows from the first 25,000 rows. A later number of 2^63 or more is read as a negative number,
#   without an error. If such a number is among the first rows, the column is `UInt64`, and all numbers are exact.
# Expected: an error that names the row, or `UInt64`.
# Output: late: -9223372036854775807; early: 9223372036854775809
# Who meets it: users who read board numbers without naming the type `UInt64`, if small numbers come first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet chdb==4.4.0
cd "$folder"
"$folder/venv/bin/python" - <<'PYTHON'
import chdb

LARGE = 2**63 + 1


def asked(what, lines, more=""):
    with open("boards.csv", "w") as file:
        file.write("\n".join(["board", *map(str, lines), ""]))
    return chdb.query(f"select {what}(board) from file('boards.csv'{more})", "TSV").data().strip()


small = list(range(30000))
late, early = asked("min", [*small, LARGE]), asked("max", [LARGE, *small])
print(f"late: {late}; early: {early}")
assert (late, early) == (str(LARGE - 2**64), str(LARGE)), "the behaviour has changed"
assert asked("max", [*small, LARGE], ", CSVWithNames, 'board UInt64'") == str(LARGE)
PYTHON
