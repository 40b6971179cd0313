#!/usr/bin/env bash
# Tool: easyAI 2.0.12 (Python), the game of Nim.
# Behaviour: with `max_removals_per_turn=3` a player may take at most 2.
# Expected: at most 3, as the name and the documentation say.
# Output: max_removals_per_turn=3, one heap of 5: moves 1,1 1,2
# Who meets it: users who compare it with subtraction games: the outcomes are those of the limit below.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet easyAI==2.0.12 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
from easyAI.games.Nim import Nim

moves = Nim(max_removals_per_turn=3, piles=(5,)).possible_moves()
print(f"max_removals_per_turn=3, one heap of 5: moves {' '.join(moves)}")
assert moves == ["1,1", "1,2"], f"the behaviour has changed: {moves}"
PYTHON
