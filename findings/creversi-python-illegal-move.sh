#!/usr/bin/env bash
# Tool: creversi-python 0.1.0 (Python), a library of Reversi.
# Behaviour: `Board.move` plays an illegal move without a word: it puts a disc on a square that turns nothing, and on a square that
#   holds a disc of the other player, which it replaces. The turn passes.
# Guess: an exception, or a result that says that the move was refused.
# Output: a1: None, 5 discs, X at a1; d4: None, 4 discs, X at d4 in place of O
# Who meets it: users who replay transcripts. A transcript without its passes leads to a wrong board instead of an error: ask
#   `is_legal` before each move.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet creversi-python==0.1.0
"$folder/venv/bin/python" - <<'PYTHON'
from creversi import Board, move_from_str

for name, before, discs, note in (("a1", "-", 5, "X at a1"), ("d4", "O", 4, "X at d4 in place of O")):
    board, square = Board(), move_from_str(name)
    assert board.to_line()[square] == before and not board.is_legal(square)
    result, line = board.move(square), board.to_line()
    print(f"{name}: {result}, {64 - line.count('-')} discs, {note}")
    assert (result, line[square], 64 - line.count("-"), board.turn) == (None, "X", discs, False), "the behaviour has changed"
PYTHON
