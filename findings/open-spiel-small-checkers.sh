#!/usr/bin/env bash
# Tool: open-spiel 2.0.2 (Python), the game checkers.
# Behaviour: on boards of 4 by 4 and 6 by 6 squares the first state is a finished draw.
# Expected: two rows of men on 6 by 6 squares with free rows between, as rows and columns are parameters; or an error for sizes without a start.
# Output: 4x4: finished, returns [0.0, 0.0]; 6x6: finished, returns [0.0, 0.0]; 8x8: not finished
# Who meets it: users who look for a small board to solve: it is reported as a draw of one state.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import pyspiel

seen = []
for size in (4, 6, 8):
    state = pyspiel.load_game(f"checkers(rows={size},columns={size})").new_initial_state()
    seen.append(f"{size}x{size}: finished, returns {state.returns()}" if state.is_terminal() else f"{size}x{size}: not finished")
print("; ".join(seen))
assert seen == ["4x4: finished, returns [0.0, 0.0]", "6x6: finished, returns [0.0, 0.0]", "8x8: not finished"], "the behaviour has changed"
PYTHON
