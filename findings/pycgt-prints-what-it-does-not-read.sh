#!/usr/bin/env bash
# Tool: pycgt 0.2.0 (Python), names of values.
# Behaviour: `render` gives names that `parse` refuses: ^*, ^^, 1^, 1*, Tiny(2). Of these, `parse` knows no form but the options in braces.
# Guess: `parse(render(value)) == value` for every value.
# Output: ^*: ValueError; ^^: ValueError; 1^: ValueError; 1*: ValueError; Tiny(2): ValueError; +-2: read; {0|*3}: read
# Who meets it: users who keep values as text and read them again. Write options in braces, or keep the objects.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pycgt==0.2.0
"$folder/venv/bin/python" - <<'PYTHON'
import pycgt

one = pycgt.integer(1)
values = {
    "^*": pycgt.UP + pycgt.STAR,
    "^^": pycgt.UP + pycgt.UP,
    "1^": one + pycgt.UP,
    "1*": one + pycgt.STAR,
    "Tiny(2)": pycgt.tiny(pycgt.integer(2)),
    "+-2": pycgt.plus_minus(2),
    "{0|*3}": pycgt.UP + pycgt.nimber(2),
}
read = []
for name, value in values.items():
    assert pycgt.render(value) == name, f"the behaviour has changed: {pycgt.render(value)}"
    try:
        assert pycgt.parse(name) == value
        read.append(name)
        print(f"{name}: read")
    except ValueError:
        print(f"{name}: ValueError")
assert read == ["+-2", "{0|*3}"], f"the behaviour has changed: {read}"
PYTHON
