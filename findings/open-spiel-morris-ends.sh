#!/usr/bin/env bash
# Tool: open-spiel 2.0.2 (Python), the game nine_mens_morris.
# Behaviour: every game ends as a draw after 200 turns counted from the first man placed, although men were just taken; positions do not
#   count, and a capture does not begin the count anew.
# Guess: a draw by repetition, or after a number of moves without a capture.
# Output: of 2000 games by chance, drawn at turn 200: 611; with a capture in the last 10 turns: 122; drawn otherwise: 0
# Who meets it: users who compare outcomes near the end of long games, or train on such games: a position that is won on the board
#   counts as a draw there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import random

import pyspiel

game, chance = pyspiel.load_game("nine_mens_morris"), random.Random(1)


def fact(state, name):
    return str(state).split(name + ": ")[1].split("\n")[0]


drawn, recent, otherwise = 0, 0, 0
for _ in range(2000):
    state, men = game.new_initial_state(), []
    while not state.is_terminal():
        men.append((int(fact(state, "Turn number")), fact(state, "Num men")))
        state.apply_action(chance.choice(state.legal_actions()))
    if state.returns()[0] == 0:
        turn = int(fact(state, "Turn number"))
        if turn < 200:
            otherwise += 1
            continue
        drawn += 1
        before = [count for number, count in men if number >= turn - 10]
        recent += before[0] != fact(state, "Num men")
print(f"drawn at turn 200: {drawn}; with a capture in the last 10 turns: {recent}; drawn otherwise: {otherwise}")
assert (drawn, recent, otherwise) == (611, 122, 0), "the behaviour has changed"
PYTHON
