#!/usr/bin/env bash
# Tool: open-spiel 2.0.2 and textarena 0.7.4 (Python), the games nim and Nim-v0.
# Behaviour: the player who takes the last object loses in OpenSpiel and wins in TextArena; neither has a parameter for it.
# Expected: normal play in both, as in the theory of the game.
# Output: OpenSpiel, heaps 1 and 1: [1.0, -1.0]; TextArena: Whoever takes the last object(s) wins!
# Who meets it: users who compare players or tables of both: the outcome of two equal heaps of one is opposite.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/pip" install --quiet textarena==0.7.4
"$folder/venv/bin/python" - <<'PYTHON'
import pyspiel
import textarena

state = pyspiel.load_game("nim", {"pile_sizes": "1;1"}).new_initial_state()
while not state.is_terminal():
    state.apply_action(state.legal_actions()[0])
game = textarena.make("Nim-v0")
game.reset(num_players=2, seed=1)
rule = next(line[2:] for line in str(game.get_observation()[1]).split("\n") if "last object" in line)
print(f"OpenSpiel, heaps 1 and 1: {state.returns()}; TextArena: {rule}")
assert (state.returns(), rule) == ([1.0, -1.0], "Whoever takes the last object(s) wins!"), "the behaviour has changed"
PYTHON
