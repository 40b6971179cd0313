#!/usr/bin/env bash
# Tool: bitbully 0.0.79 (Python), a solver of Connect Four.
# Behaviour: a score that is found with `max_depth` has the same form as an exact score, and may have the other sign.
# Guess: a search that the limit stops returns 0, as positions that are not decided do in solvers of this kind; a score other than 0 is
#   exact.
# Output: max_depth 2: -2; max_depth 3: 4; without a limit: 4
# Who meets it: users who limit the depth to be faster, and take the sign of the score for the outcome.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet bitbully==0.0.79 bitbully-databases==0.0.2
"$folder/venv/bin/python" - <<'PYTHON'
from bitbully import BitBully, Board

board = Board([5, 1, 6, 1, 6, 1, 1, 5, 0, 1, 3, 3, 3, 5, 1, 5, 2, 3, 2, 4, 5, 2, 0, 5, 0, 0])
solver = BitBully(opening_book=None)
seen = (solver.negamax(board, max_depth=2), solver.negamax(board, max_depth=3), solver.negamax(board))
print(f"max_depth 2: {seen[0]}; max_depth 3: {seen[1]}; without a limit: {seen[2]}")
assert seen == (-2, 4, 4), f"the behaviour has changed: {seen}"
PYTHON
