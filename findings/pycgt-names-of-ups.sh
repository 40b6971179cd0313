#!/usr/bin/env bash
# Tool: pycgt 0.2.0 (Python), names of values.
# Behaviour: two ups and a star, three ups, and three ups and a star are printed as Tiny(*), Tiny(v), Tiny(v*).
# Guess: ^^*, ^^^ and ^^^*, since two ups are ^^.
# Output: two and a star: Tiny(*); three: Tiny(v); three and a star: Tiny(v*)
# Who meets it: users who compare names of values. The names are not wrong, since {0||0|*} is the first sum, but no other program prints
#   them. Compare values, not names.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pycgt==0.2.0
"$folder/venv/bin/python" - <<'PYTHON'
import pycgt

two = pycgt.UP + pycgt.UP
seen = tuple(map(pycgt.render, (two + pycgt.STAR, two + pycgt.UP, two + pycgt.UP + pycgt.STAR)))
print(f"two and a star: {seen[0]}; three: {seen[1]}; three and a star: {seen[2]}")
assert seen == ("Tiny(*)", "Tiny(v)", "Tiny(v*)"), f"the behaviour has changed: {seen}"
PYTHON
