#!/usr/bin/env bash
# Tool: open-spiel 2.0.2 (Python), the game breakthrough.
# Behaviour: the text of a state does not say which player moves, and some texts stand for both players' turns.
# Expected: states with equal texts are equal, as in the other board games there, since `get_all_states` merges states by text.
# Output: 4 rows of 3: 9682 texts; both players' turn: 1007; of these with opposite winners: 718
# Who meets it: users who store results by the text of a state. Add `current_player()` to the key.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import pyspiel

found = {}


def wins(state, player):
    """Whether the player to move wins."""
    key = (str(state), player)
    if key not in found:
        if state.is_terminal():
            found[key] = state.returns()[player] > 0
        else:
            found[key] = any([not wins(state.child(move), 1 - player) for move in state.legal_actions()])
    return found[key]


wins(pyspiel.load_game("breakthrough(rows=4,columns=3)").new_initial_state(), 0)
texts = {text for text, _ in found}
both = [text for text in texts if (text, 0) in found and (text, 1) in found]
# If the player to move wins for both players, the winner is another one each time.
opposite = sum(found[text, 0] == found[text, 1] for text in both)
print(f"4 rows of 3: {len(texts)} texts; both players' turn: {len(both)}; of these with opposite winners: {opposite}")
assert (len(texts), len(both), opposite) == (9682, 1007, 718), "the behaviour has changed"
PYTHON
