#!/usr/bin/env bash
# Tool: pgx 2.6.0 and pettingzoo 1.27.0 (Python), board games for learning.
# Behaviour: in a finished game, pgx lists every action as legal, and PettingZoo lists the free squares for the player who has lost.
# Expected: no legal action, since the game is over.
# Output: pgx: 9 of 9 actions; PettingZoo: 0 actions for the winner, 4 for the loser
# Who meets it: users who walk a game by its legal actions, and who take "no legal action" for the end. Ask `terminated` or `terminations`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pgx==2.6.0 jax==0.10.2 pettingzoo==1.27.0 gymnasium==1.4.0 pygame==2.6.1
"$folder/venv/bin/python" - <<'PYTHON'
import jax
import pgx
from pettingzoo.classic import tictactoe_v3

game = pgx.make("tic_tac_toe")
state = game.init(jax.random.PRNGKey(0))
other = tictactoe_v3.env()
other.reset()
for action in (0, 3, 1, 4, 2):
    state = game.step(state, action)
    other.step(action)
assert state.terminated and all(other.terminations.values())
legal = int(state.legal_action_mask.sum())
winner, loser = (int(other.observe(player)["action_mask"].sum()) for player in ("player_1", "player_2"))
print(f"pgx: {legal} of 9 actions; PettingZoo: {winner} actions for the winner, {loser} for the loser")
assert (legal, winner, loser) == (9, 0, 4), "the behaviour has changed"
PYTHON
