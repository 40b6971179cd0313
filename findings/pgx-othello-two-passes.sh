#!/usr/bin/env bash
# Tool: pgx 2.6.0 (Python), the game othello.
# Behaviour: if no player can move, the game goes on until both have passed. It ends at once if the board is full, or if one colour is gone.
# Expected: the game ends when no player can move.
# Output: no move left: False; after one pass: False; after two: True; no white disc: True
# Who meets it: users who compare numbers of positions, or lengths of games, with Reversi of other programs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pgx==2.6.0 jax==0.10.2
"$folder/venv/bin/python" - <<'PYTHON'
import jax
import pgx

PASS = 64
# White passes before the last move, and then no player can move.
STUCK = [26, 20, 13, 34, 43, 25, 16, 6, 29, 41, 11, 30, 31, 52, 61, PASS, 48]
# The shortest game in which a colour is wiped out: e6 f4 e3 f6 g5 d6 e7 f5 c5.
GONE = [44, 29, 20, 45, 38, 43, 52, 37, 34]
game = pgx.make("othello")
step = jax.jit(game.step)


def ended(actions):
    state = game.init(jax.random.PRNGKey(0))
    for action in actions:
        assert state.legal_action_mask[action] and not state.terminated
        state = step(state, action)
    return bool(state.terminated)


seen = [ended(STUCK), ended([*STUCK, PASS]), ended([*STUCK, PASS, PASS]), ended(GONE)]
print("no move left: {}; after one pass: {}; after two: {}; no white disc: {}".format(*seen))
assert seen == [False, False, True, True], "the behaviour has changed"
PYTHON
