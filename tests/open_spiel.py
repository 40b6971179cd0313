"""Compares the outcome of every position of five games with OpenSpiel 2.0.2: open_spiel.py TABLEGEN

OpenSpiel only says which moves there are and what finished games return. Positions that different lines of play reach are merged by
their text and the player to move, and solved here by the definition of an outcome.
"""

import subprocess
import sys

import pyspiel


def rows(text):
    """The rows of a board printed with coordinates, from the top."""
    return [line[1:] for line in text.split()[:-1]]


def swap(text, pairs):
    return text.translate(str.maketrans(*pairs))


# For each game: its name in OpenSpiel, the arguments of tablegen, the names of the two players' modes, and the translation of a text.
GAMES = [
    ("tic_tac_toe", ["tictactoe"], None, lambda text: swap(text.replace("\n", "/"), ("xo", "XO"))),
    (
        "connect_four(rows=4,columns=4,x_in_row=4)",
        ["connect-four", "--set", "rows=4", "--set", "cols=4"],
        ("x", "o"),
        lambda text: swap("/".join(text.split()), ("xo", "XO")),
    ),
    # Black begins at the top there, White at the bottom here.
    (
        "breakthrough(rows=4,columns=3)",
        ["breakthrough", "--set", "rows=4", "--set", "cols=3"],
        ("white", "black"),
        lambda text: swap("/".join(reversed(rows(text))), ("bw", "WB")),
    ),
    # The piece in the top left corner belongs to the player who begins, and is called o there.
    (
        "clobber(rows=3,columns=4)",
        ["clobber", "--set", "rows=3", "--set", "cols=4"],
        ("x", "o"),
        lambda text: swap("/".join(rows(text)), ("ox", "XO")),
    ),
    (
        "hex(board_size=3)",
        ["hex", "--set", "rows=3", "--set", "cols=3"],
        ("red", "blue"),
        lambda text: swap("/".join("".join(line.split()) for line in text.split("\n")), ("xo", "RB")),
    ),
]


def solve(name):
    """The result for the player to move, 1, 0 or -1, of each position: (text, player) -> result. The player of a finished game is
    the one who did not make the last move."""
    found = {}

    def visit(state, player):
        key = (str(state), player)
        if key not in found:
            if state.is_terminal():
                found[key] = int(state.returns()[player])
            else:
                assert state.current_player() == player
                found[key] = max(-visit(state.child(move), 1 - player) for move in state.legal_actions())
        return found[key]

    visit(pyspiel.load_game(name).new_initial_state(), 0)
    return found


def main(program):
    for name, arguments, modes, translated in GAMES:
        found = solve(name)
        positions = [translated(text) + (f" {modes[player]}" if modes else "") for text, player in found]
        assert len(set(positions)) == len(positions), f"{name}: two positions have one translation"
        command = [program, "probe", *arguments, "--batch", "--brief"]
        told = subprocess.run(command, input="\n".join(positions), capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
        expected = [("draw", "win", "loss")[result] for result in found.values()]
        assert len(told) == len(expected), f"{name}: {len(told)} answers to {len(expected)} positions"
        for position, ours, theirs in zip(positions, told, expected):
            assert ours == theirs, f"{name}: {position}: {ours}, and {theirs} in OpenSpiel"
        print(f"{name}: {len(found)} positions")
    # The page says so.
    try:
        pyspiel.load_game("clobber(rows=1,columns=4)").new_initial_state().legal_actions()
    except pyspiel.SpielError:
        return
    sys.exit("OpenSpiel has Clobber on one row, so docs/reference/other-programs.md is wrong")


if __name__ == "__main__":
    main(sys.argv[1])
