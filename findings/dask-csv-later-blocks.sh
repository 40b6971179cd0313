#!/usr/bin/env bash
# Tool: dask 2026.8.0 (Python), with pandas 3.1.1.
# Behaviour: the type of a column of CSV follows from the first block. If that is `int64`, a number of 2^63 or more in a later block
#   becomes negative, without an error.
# Expected: dask raises its error about types that differ between blocks.
# Output: -9223372036854775807
# Who meets it: users who read a large export in blocks without `dtype={"board": "uint64"}`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "dask[dataframe]==2026.8.0" pandas==3.1.1 pyarrow==26.0.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'PYTHON'
import dask.dataframe

LARGE = 2**63 + 1
with open("boards.csv", "w") as file:
    file.write("\n".join(["board", *map(str, range(200_000)), str(LARGE), ""]))
read = lambda **options: dask.dataframe.read_csv("boards.csv", blocksize=400_000, **options)["board"].compute().iloc[-1]
print(read())
assert read() == LARGE - 2**64, "the behaviour has changed"
assert read(dtype={"board": "uint64"}) == LARGE
PYTHON
