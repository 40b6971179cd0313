#!/usr/bin/env bash
# Tool: pyffish 0.0.90 (Python), the variant flipello (Othello).
# Behaviour: a pass is written as a disc that moves from a1 to a1. Rank 1 is at the bottom, so the first moves are c5, d6, e3 and f4.
# Expected: a pass is `0000` or `pass`; the first moves are d3, c4, f5 and e6, as transcripts of Othello write them.
# Output: first moves: c5 d6 e3 f4; moves of a player who cannot flip: a1a1
# Who meets it: users who replay transcripts of Othello there, or take the squares of a move from its text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pyffish==0.0.90
"$folder/venv/bin/python" - <<'PYTHON'
import random

import pyffish

start, chance = pyffish.start_fen("flipello"), random.Random(1)
first = sorted(move.removeprefix("P@") for move in pyffish.legal_moves("flipello", start, []))
passes = None
while passes is None:
    line = []
    while legal := pyffish.legal_moves("flipello", start, line):
        if not any(move.startswith("P@") for move in legal):
            passes = legal
            break
        line.append(chance.choice(legal))
print(f"first moves: {' '.join(first)}; moves of a player who cannot flip: {' '.join(passes)}")
assert (first, passes) == (["c5", "d6", "e3", "f4"], ["a1a1"]), "the behaviour has changed"
PYTHON
