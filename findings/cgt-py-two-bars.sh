#!/usr/bin/env bash
# Tool: cgt-py 0.11.0 (Python), the reader of values.
# Behaviour: the usual short form with two bars, `{2||1|-1}`, and `+-1` are refused; braces inside braces are read.
# Guess: the reader takes the short form, because the field's papers and CGSuite print it.
# Output: {2||1|-1}: SyntaxError; +-1: SyntaxError; {2|{1|-1}}: CanonicalForm('{2|{1|-1}}')
# Who meets it: users who paste a value that `tablegen value` or CGSuite prints. Write braces in place of the second bar.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet cgt-py==0.11.0 anywidget==0.9.18
"$folder/venv/bin/python" - <<'PYTHON'
from cgt_py import CanonicalForm


def read(text):
    try:
        return repr(CanonicalForm(text))
    except SyntaxError:
        return "SyntaxError"


for text, expected in (("{2||1|-1}", "SyntaxError"), ("+-1", "SyntaxError"), ("{2|{1|-1}}", "CanonicalForm('{2|{1|-1}}')")):
    seen = read(text)
    print(f"{text}: {seen}")
    assert seen == expected, f"the behaviour has changed: {seen}"
PYTHON
