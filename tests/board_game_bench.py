"""Compares the outcome of every position of Othello on 4x4 squares with boardgamebench 0.1.2: board_game_bench.py TABLEGEN

There, a game on a full board is over at once, and any other game after two passes. A second pass leads to a position that tablegen does
not have: the game was over after the first one.
"""

import subprocess
import sys

from boardgamebench.games.othello import Othello


def followed(start):
    """The states after each state that is reachable from `start`."""
    after, left = {}, [start]
    while left:
        state = left.pop()
        if state not in after:
            after[state] = [] if state.is_terminal() else [state.apply_move(move) for move in state.legal_moves()]
            left += after[state]
    return after


def solve(start, after):
    """The result for the player to move, 1, 0 or -1, of each state."""
    found = {}

    def visit(state):
        if state not in found:
            results = [-visit(later) for later in after[state]]
            found[state] = max(results) if results else state.winner() * state.current_player
        return found[state]

    visit(start)
    return found


def written(state):
    rows = "/".join("".join(".BW"[disc] for disc in row) for row in state.board)
    return rows + (" black" if state.current_player == 1 else " white") + ("-again" if state.passes else "")


def main(program):
    start = Othello(4).initial_state()
    after = followed(start)
    found = solve(start, after)
    shared = [state for state in found if state.passes < 2]
    command = [program, "probe", "reversi", "--batch", "--brief"]
    told = subprocess.run(command, input="\n".join(map(written, shared)), capture_output=True, text=True, check=True).stdout.split()
    assert len(told) == len(shared), f"{len(told)} answers to {len(shared)} positions"
    for state, ours in zip(shared, told):
        theirs = ("draw", "win", "loss")[found[state]]
        assert ours == theirs, f"{written(state)}: {ours}, and {theirs} in boardgamebench"
    counts = [sum(state.passes == passes for state in found) for passes in range(3)]
    print(f"{counts[0]}, {counts[1]} and {counts[2]} states after 0, 1 and 2 passes; {len(told)} outcomes")


if __name__ == "__main__":
    main(sys.argv[1])
