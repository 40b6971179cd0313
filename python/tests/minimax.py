"""The value of every position of small rules, from the masks of their moves and by the definition: slow and plain."""

from functools import lru_cache

import tablegen

BEST = {"win": 2, "draw": 1, "loss": 0}
FLIP = {"win": "loss", "draw": "draw", "loss": "win"}


def solver(rules: tablegen.Rules):
    """A function of a mode and a board: outcome, remoteness and nimber (meaningful only where a game has it)."""
    moves, ends, terminal = rules.moves, rules.ends, rules.terminal

    @lru_cache(maxsize=None)
    def value(mode, board):
        for end in ends:
            if end.mode == mode and board & end.pattern == end.pattern and not board & end.empty:
                return end.outcome, 0, 0
        after = [
            value(m.next, board | m.fills)
            for m in moves
            if m.mode == mode and not board & m.empty and board & m.full == m.full
        ]
        if not after:
            return terminal, 0, 0
        outcome = max((FLIP[found[0]] for found in after), key=BEST.get)
        plies = [found[1] for found in after if FLIP[found[0]] == outcome]
        nimbers = {found[2] for found in after}
        nimber = next(n for n in range(len(nimbers) + 1) if n not in nimbers)
        return outcome, 1 + (min(plies) if outcome == "win" else max(plies)), nimber

    return value
