#!/usr/bin/env bash
# Tool: boardgame2 0.26.0 (Python), the game of Reversi.
# Behaviour: the four discs of the start are mirrored, and an illegal move resigns: each of the usual first moves d3, c4, f5 and e6 loses
#   at once.
# Expected: the usual start, or an error for an illegal move.
# Output: d3: -1; c4: -1; f5: -1; e6: -1; e3: 0
# Who meets it: users who play a line from another program. Mirror its columns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet boardgame2==0.26.0 gym==0.26.2 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy
from boardgame2 import ReversiEnv

game, seen = ReversiEnv(), {}
for move in ("d3", "c4", "f5", "e6", "e3"):
    game.reset()
    seen[move] = int(game.step(numpy.array([int(move[1]) - 1, "abcdefgh".index(move[0])]))[1])
print("; ".join(f"{move}: {reward}" for move, reward in seen.items()))
assert list(seen.values()) == [-1, -1, -1, -1, 0], f"the behaviour has changed: {seen}"
PYTHON
