#!/usr/bin/env bash
# Tool: kaggle-environments 1.33.2 (Python), the game connectx.
# Behaviour: if a player names a column that does not exist, the player has the reward None, and the other has 0, as in a draw.
# Guess: the other player has won, and has the reward 1.
# Output: [(0, 'DONE'), (None, 'INVALID')]
# Who meets it: users who let a player with a perfect table meet others, and count rewards: a win by an invalid move counts as a draw.
#   Ask for the status as well.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
# Without the other environments, which need large libraries.
"$folder/venv/bin/pip" install --quiet --no-deps kaggle-environments==1.33.2
"$folder/venv/bin/pip" install --quiet jsonschema==4.26.0 flask==3.1.3 requests==2.34.2
"$folder/venv/bin/python" - <<'PYTHON' | tail -n 1
from kaggle_environments import make

game = make("connectx", configuration={"rows": 4, "columns": 4, "inarow": 4})
game.run([lambda seen, rules: 0, lambda seen, rules: 9])
seen = [(state.reward, state.status) for state in game.state]
print(seen)
assert seen == [(0, "DONE"), (None, "INVALID")], f"the behaviour has changed: {seen}"
PYTHON
