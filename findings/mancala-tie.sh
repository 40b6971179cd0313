#!/usr/bin/env bash
# Tool: mancala 0.3.0 (Python), Kalah with six houses of four seeds.
# Behaviour: if both players end with 24 seeds, player 0 has won.
# Expected: a draw, with the reward 0 for both.
# Output: seeds 24 to 24: reward 1 for player 0, -1 for player 1
# Who meets it: users who compare outcomes of Kalah or train on them: there are no draws.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-deps mancala==0.3.0 gym==0.26.2 gym-notices==0.1.0 cloudpickle==3.1.3 numpy==1.26.4 tqdm==4.67.1
"$folder/venv/bin/python" - <<'PYTHON'
from mancala.mancala import MancalaState

state = MancalaState()
# fmt: off
for action in [0, 10, 5, 11, 2, 9, 5, None, 4, 9, 5, None, 0, 11, 2, 8, 3, 7, 4, 12, 5, 11, 1, 10, 4, None, 5, 11, None, 9, 1, 11, 3, None, 2,
               None, 4, None, 5, 7, 3, 12, 3, 10, 4, None, 5, None, 1, 11, None, 9]:
    assert not state.is_terminal()
    assert action is None and state.must_skip or action in state.legal_actions(state.turn)
    state.proceed_action(action)
assert state.is_terminal()
seeds = sum(map(int, state.board[:7])), sum(map(int, state.board[7:]))
rewards = state.rewards_float(0), state.rewards_float(1)
print(f"seeds {seeds[0]} to {seeds[1]}: reward {rewards[0]} for player 0, {rewards[1]} for player 1")
assert (seeds, rewards) == ((24, 24), (1, -1)), "the behaviour has changed"
PYTHON
