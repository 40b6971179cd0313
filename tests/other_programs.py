"""Runs the Python functions of docs/reference/other-programs.md on texts that the programs returned, and asks tablegen about the
positions: other_programs.py PAGE TABLEGEN

Also counts the positions of Reversi on 4x4 squares by the rules of Jocly and of tablegen, and asks for the moves that the page names.
"""

import json
import re
import subprocess
import sys

# Othello after f5, as creversi writes it, and after d3, as pgx observes it for White.
AFTER_F5 = "-" * 27 + "OX" + "-" * 6 + "XXX" + "-" * 26
AFTER_D3 = [[[0, 0]] * 8 for _ in range(8)]
AFTER_D3[2] = [[0, 0]] * 3 + [[0, 1]] + [[0, 0]] * 4
AFTER_D3[3] = [[0, 0]] * 3 + [[0, 1], [0, 1]] + [[0, 0]] * 3
AFTER_D3[4] = [[0, 0]] * 3 + [[0, 1], [1, 0]] + [[0, 0]] * 3
OTHELLO = """Black (x) to play:
  a b c d e f g h  
1 - - - - - - - - 1
2 - - - - - - - - 2
3 - - - - - - - - 3
4 - - - o x - - - 4
5 - - - x o - - - 5
6 - - - - - - - - 6
7 - - - - - - - - 7
8 - - - - - - - - 8
  a b c d e f g h  """
FEN = "8/8/8/3pP3/3PP3/4P3/8/8[" + "P" * 59 + "p" * 60 + "] b - - 0 1"
ROW = "......../"
EASY = [[0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 2, 0, 0, 0]] + [[0] * 7] * 4
BITBULLY = [[0] * 6, [0] * 6, [1] + [0] * 5, [1, 2] + [0] * 4, [0] * 6, [0] * 6, [0] * 6]
FOUR = "......./" * 4 + "...O.../..XX... o"
# PettingZoo: Connect Four after columns 3, 3 and 2, and Tic-Tac-Toe after squares 0, 5 and 7, as the second player observes them.
PETTING_FOUR = [[[0, 0]] * 7 for _ in range(6)]
PETTING_FOUR[4][3], PETTING_FOUR[5][2:4] = [1, 0], [[0, 1], [0, 1]]
PETTING_THREE = [[[0, 1], [0, 0], [0, 0]], [[0, 0], [0, 0], [1, 0]], [[0, 0], [0, 1], [0, 0]]]
JOCLY = {"board": {str(square): {5: -1, 6: 1, 9: 1, 10: -1}.get(square, 0) for square in range(16)}, "passes": 0, "mWho": 1}
REVERSI = ["reversi", "--set", "rows=8", "--set", "cols=8"]
CONNECT = ["connect-four", "--set", "rows=6", "--set", "cols=7"]

# For each function: what the program returned, the position, and the game with its options.
RECORDED = [
    ("open_spiel_tic_tac_toe", ["x..\n.o.\n..x"], "X../.O./..X", ["tictactoe"]),
    ("open_spiel_connect_four", ["....\n....\nx...\nxo..\n", 1], "..../..../X.../XO.. o", ["connect-four"]),
    ("open_spiel_breakthrough", ["4.bb\n3b..\n2.w.\n1w.w\n abc\n", 0], "B.B/.B./W../.WW white", ["breakthrough"]),
    ("open_spiel_clobber", ["3.oox\n2xoxo\n1oxox\n abcd\n", 1], ".XXO/OXOX/XOXO o", ["clobber"]),
    ("open_spiel_hex", ["x . o \n x o . \n  . . . ", 0], "R.B/RB./... red", ["hex"]),
    ("open_spiel_othello", [OTHELLO], ROW * 3 + "...WB.../...BW.../" + ROW * 2 + "........ black", REVERSI),
    ("pons", ["443"], FOUR, CONNECT),
    ("bitbully", [BITBULLY], FOUR, CONNECT),
    ("easyai_connect_four", [EASY, 2], FOUR, CONNECT),
    ("pyffish_othello", [FEN], ROW * 3 + "...WB.../...BB.../....B.../" + ROW + "........ white", REVERSI),
    ("creversi", [AFTER_F5, False], ROW * 3 + "...WB.../...BBB../" + ROW * 2 + "........ white", REVERSI),
    ("planes", [AFTER_D3, ".WB", " white"], ROW * 2 + "...B..../...BB.../...BW.../" + ROW * 2 + "........ white", REVERSI),
    ("planes", [PETTING_FOUR, ".OX", " o"], FOUR, CONNECT),
    ("planes", [list(zip(*PETTING_THREE)), ".OX"], "X../..X/.O.", ["tictactoe"]),
    ("jocly_reversi_4x4", [JOCLY], "..../.WB./.BW./.... black", ["reversi"]),
    ("clobber_by_bars", ["xoxo|oxox|xoxo", "x"], "XOXO/OXOX/XOXO x", ["clobber"]),
    ("clobber_by_bars", ["XO|OX", "o"], "XO/OX o", ["clobber", "--set", "rows=2", "--set", "cols=2"]),
]


def asked(program, game, *more):
    command = [program, "probe", *game, "--json", "--limit", "1000", *more]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def translations(page, program):
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    for block in blocks:
        exec(block, names)
        for function in block.split("\ndef "):
            assert len(function.strip().split("\n")) <= 6, f"more than five lines: {function}"
    for name, arguments, position, game in RECORDED:
        found = names[name](*arguments)
        assert found == position, f"{name}: {found!r}, not {position!r}"
        assert asked(program, game, position)["position"] == position, name
    functions = set(re.findall(r"^def (\w+)", "\n".join(blocks), re.M))
    assert functions == {name for name, *_ in RECORDED}, "a function of the page has no recorded text"


def turned(board, square, side):
    """The squares that a disc on `square` turns over."""
    found = []
    for down, right in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]:
        line, row, column = [], square // 4 + down, square % 4 + right
        while 0 <= row < 4 and 0 <= column < 4 and board[row * 4 + column] == -side:
            line.append(row * 4 + column)
            row, column = row + down, column + right
        if 0 <= row < 4 and 0 <= column < 4 and board[row * 4 + column] == side:
            found += line
    return found


def reversi(passes, ends=()):
    """The numbers of positions after 0, 1 and 2 passes, if `passes` in a row end the game. So does a board without one of the contents in
    `ends`: 0 is a free square, 1 and -1 are discs."""
    start = tuple({5: -1, 6: 1, 9: 1, 10: -1}.get(square, 0) for square in range(16))
    seen, left = {(start, 1, 0)}, [(start, 1, 0)]
    while left:
        board, side, passed = left.pop()
        if not set(ends) <= set(board):
            continue
        after = []
        for square in range(16):
            if not board[square] and (line := turned(board, square, side)):
                changed = list(board)
                for place in [square, *line]:
                    changed[place] = side
                after.append((tuple(changed), -side, 0))
        if not after and passed < passes:
            after = [(board, -side, passed + 1)]
        left += set(after) - seen
        seen.update(after)
    return [sum(key[2] == passed for key in seen) for passed in range(3)]


def rules(page, program):
    counted = {"tablegen": reversi(1), "Jocly": reversi(2, {-1, 0, 1}), "boardgamebench": reversi(2, {0})}
    for rules_of, numbers in counted.items():
        cells = [f"{number:,}" if number else "" for number in [*numbers, sum(numbers)]]
        row = f"| {rules_of} | {' | '.join(cells)} |".replace("|  |", "| |")
        assert row in page, row
    command = [program, "estimate", "reversi", "--json"]
    assert json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["positions"] == 70249
    assert asked(program, ["reversi"], "BBBB/BBBB/BBBB/BBW. white")["moves"][0]["move"] == "pass"
    pop_out = ["pop-out", "--set", "rows=6", "--set", "cols=7", "--set", "line=4"]
    position = "......./......./......./...X.../XXXO.../OOOX..O x"
    best = asked(program, pop_out, position)["moves"][0]
    assert (best["move"], best["outcome"]) == ("d4+d6>d5+d6", "win"), best
    assert position in page and best["move"] in page


def main(page, program):
    text = open(page, encoding="utf-8").read()
    translations(text, program)
    rules(text, program)
    print("ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
