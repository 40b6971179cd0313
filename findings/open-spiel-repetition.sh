#!/usr/bin/env bash
# Tool: open-spiel 2.0.2 (Python), the games lines_of_action and go.
# Behaviour: Lines of Action ends as a draw when a position occurs for the second time. Go ends as a draw when a board repeats, although
#   half a point of komi leaves no equal scores.
# Expected: a third occurrence for the draw in Lines of Action; in Go, the repeating move is illegal.
# Output: Lines of Action: a draw after 4 moves; Go on 2x2 with komi 0.5: draws in 33 of 500 games by chance
# Who meets it: users who compare outcomes, or train on such games: a draw there may be a win on the board.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import random

import pyspiel

state = pyspiel.load_game("lines_of_action").new_initial_state()
for move in ("b1-b3", "a2-c2", "b3-b1", "c2-a2"):
    assert not state.is_terminal()
    state.apply_action(state.string_to_action(move))
assert state.is_terminal() and state.returns() == [0, 0], "the behaviour has changed"
go, chance, draws = pyspiel.load_game("go(board_size=2,komi=0.5)"), random.Random(1), 0
for _ in range(500):
    game = go.new_initial_state()
    while not game.is_terminal():
        game.apply_action(chance.choice(game.legal_actions()))
    draws += game.returns() == [0, 0]
print(f"Lines of Action: a draw after 4 moves; Go on 2x2 with komi 0.5: draws in {draws} of 500 games by chance")
assert draws == 33, "the behaviour has changed"
PYTHON
