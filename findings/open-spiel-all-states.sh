#!/usr/bin/env bash
# Tool: open-spiel 2.0.2 (Python), the function get_all_states.
# Behaviour: it counts lines of play. Positions are merged only with `to_string=str`, and then only if their texts are equal.
# Expected: one entry for each position, as the name says.
# Output: Tic-Tac-Toe up to 4 marks: 5050 entries; with to_string=str: 1210
# Who meets it: users who compare numbers of positions: 5,478 positions of Tic-Tac-Toe become 549,946 entries.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import pyspiel
from open_spiel.python.algorithms.get_all_states import get_all_states

game = pyspiel.load_game("tic_tac_toe")
arguments = {"depth_limit": 4, "include_terminals": True, "include_chance_states": False}
seen = (len(get_all_states(game, **arguments)), len(get_all_states(game, to_string=str, **arguments)))
print(f"Tic-Tac-Toe up to 4 marks: {seen[0]} entries; with to_string=str: {seen[1]}")
assert seen == (5050, 1210), f"the behaviour has changed: {seen}"
PYTHON
