#!/usr/bin/env bash
# Tool: open-spiel 2.0.2 (Python), the game mnk.
# Behaviour: in `mnk(m=3,n=4,k=3)` m is the number of columns and n the number of rows: the board is printed as 4 rows of 3.
# Guess: m rows of n squares, the order of a matrix.
# Output: 4 rows of 3 squares
# Who meets it: users who compare m,n,k-games on boards that are not square. The games are the same up to a transposition of the board,
#   so outcomes agree, but positions and moves do not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import pyspiel

rows = str(pyspiel.load_game("mnk(m=3,n=4,k=3)").new_initial_state()).split()
print(f"{len(rows)} rows of {len(rows[0])} squares")
assert rows == ["..."] * 4, f"the behaviour has changed: {rows}"
PYTHON
