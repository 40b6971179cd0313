#!/usr/bin/env bash
# Tool: bitbully 0.0.79 (Python), a solver of Connect Four.
# Behaviour: in a game that the first player has just won, the score is that of a win in one move for the other player, who is
#   next in turn, and all columns are still listed as legal moves.
# Guess: the score is negative, since the player who is next in turn has lost; no move is legal.
# Output: winner: 1; score for player 2: 18; legal moves: [0, 1, 2, 3, 4, 5, 6]
# Who meets it: users who compare every position of a table with this solver. Leave out the positions for which
#   `is_game_over()` holds.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet bitbully==0.0.79 bitbully-databases==0.0.2
"$folder/venv/bin/python" - <<'PYTHON'
from bitbully import BitBully, Board

board = Board([0, 1, 0, 1, 0, 1, 0])
seen = (board.winner(), board.current_player(), BitBully(opening_book=None).mtdf(board), board.legal_moves())
print(f"winner: {seen[0]}; score for player {seen[1]}: {seen[2]}; legal moves: {seen[3]}")
assert seen == (1, 2, 18, [0, 1, 2, 3, 4, 5, 6]), f"the behaviour has changed: {seen}"
PYTHON
