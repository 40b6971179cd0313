#!/usr/bin/env bash
# Tool: pgx 2.6.0 and pettingzoo 1.27.0 (Python), Go.
# Behaviour: with a komi of 0, equal scores are a win for White.
# Expected: a draw, with the reward 0 for both.
# Output: pgx: black -1, white 1; PettingZoo: black -1, white 1
# Who meets it: users who count draws on small boards: there are none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pgx==2.6.0 jax==0.10.2 pettingzoo==1.27.0 gymnasium==1.4.0 pygame==2.6.1
"$folder/venv/bin/python" - <<'PYTHON'
import jax
from pettingzoo.classic import go_v5
from pgx.go import Go

game = Go(size=3, komi=0.0)
state = game.init(jax.random.PRNGKey(0))
black = int(state.current_player)
for _ in range(2):
    state = game.step(state, 9)
other = go_v5.env(board_size=3, komi=0.0)
other.reset()
for _ in range(2):
    other.step(9)
seen = [int(state.rewards[black]), int(state.rewards[1 - black]), other.rewards["black_0"], other.rewards["white_0"]]
print("pgx: black {}, white {}; PettingZoo: black {}, white {}".format(*seen))
assert seen == [-1, 1, -1, 1], "the behaviour has changed"
PYTHON
