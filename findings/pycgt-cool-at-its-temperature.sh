#!/usr/bin/env bash
# Tool: pycgt 0.2.0 and cgt-py 0.11.0 (Python), cooling.
# Behaviour: pycgt cools {3|1} by its own temperature, 1, to the number 2; cgt-py to 2*.
# Guess: 2* from both. By Conway's definition the game is {3-1|1+1} = {2|2} there, and freezes to 2 only beyond its temperature.
# Output: pycgt: 2; cgt-py: CanonicalForm('2*')
# Who meets it: users who compare cooled values of two programs, or who cool Go-like games by 1 ("chilling"): every star is lost.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pycgt==0.2.0 cgt-py==0.11.0 anywidget==0.9.18
"$folder/venv/bin/python" - <<'PYTHON'
import cgt_py
import pycgt

cooled = cgt_py.CanonicalForm("{3|1}").cool(cgt_py.DyadicRationalNumber(1))
seen = (str(pycgt.cool(pycgt.switch(3, 1), 1)), str(cooled))
print(f"pycgt: {seen[0]}; cgt-py: {seen[1]}")
assert seen == ("2", "CanonicalForm('2*')"), f"the behaviour has changed: {seen}"
PYTHON
