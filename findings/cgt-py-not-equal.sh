#!/usr/bin/env bash
# Tool: cgt-py 0.11.0 (Python), the comparison of canonical forms.
# Behaviour: if two values are confused (neither is at least the other), both `a == b` and `a != b` are False.
# Guess: `!=` is the negation of `==`, as for other Python objects.
# Output: {1|-1} and 0: == False, != False; 1 and 0: == False, != True
# Who meets it: a script that compares values in our tables with those of cgt-py by `!=` overlooks each wrong hot value.
#   `not (a == b)` is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet cgt-py==0.11.0 anywidget==0.9.18
"$folder/venv/bin/python" - <<'PYTHON'
from cgt_py import CanonicalForm

zero = CanonicalForm("0")
for name, expected in (("{1|-1}", (False, False)), ("1", (False, True))):
    value = CanonicalForm(name)
    seen = (value == zero, value != zero)
    print(f"{name} and 0: == {seen[0]}, != {seen[1]}")
    assert seen == expected, f"the behaviour has changed: {seen}"
PYTHON
