"""Small games, held against a minimax in plain Python."""

import random

import numpy as np
import pytest
import tablegen
from minimax import solver

NUMBER = {"win": 1, "draw": 0, "loss": -1}


def hold(table):
    """Every label of every position that the table holds."""
    rules = table.rules
    value, boards, found = solver(rules), np.arange(1 << rules.cells, dtype=np.uint64), 0
    for mode in range(len(rules.modes)):
        expected = [value(mode, int(board)) for board in boards]
        held = table.outcomes(boards, mode=mode, missing=9)
        is_held = held != 9
        found += int(is_held.sum())
        outcomes = np.array([NUMBER[outcome] for outcome, _, _ in expected])
        assert (held == outcomes)[is_held].all()
        if "remoteness" in table.labels:
            plies = np.array([plies for _, plies, _ in expected])
            assert (table.remoteness(boards, mode=mode, missing=255) == plies)[is_held].all()
        if "nimber" in table.labels:
            nimbers = np.array([nimber for _, _, nimber in expected])
            assert (table.nimbers(boards, mode=mode, missing=255) == nimbers)[is_held].all()
    assert found >= sum(table.counts.values()) > 0
    return value


@pytest.mark.parametrize(
    "name, parameters",
    [
        ("tactics", {"rows": 3, "cols": 3}),
        ("tactics", {"rows": 2, "cols": 4, "play": "normal"}),
        ("kayles", {"pins": 10}),
        ("cram", {"rows": 3, "cols": 3}),
        ("chomp", {"rows": 3, "cols": 3}),
        ("domineering", {"rows": 3, "cols": 3}),
        ("mnk", {"rows": 2, "cols": 3, "k": 2}),
        ("dominoes", {"n": 3}),
        ("snort", {"rows": 2, "cols": 2}),
        ("nim", {"a": 2, "b": 3, "c": 2}),
        ("hex", {"rows": 2, "cols": 3}),
        ("trail", {"graph": "a b\nb c\nc a\nc d\n"}),
    ],
)
@pytest.mark.parametrize("method", [None, "dense", "sparse"])
def test_games(name, parameters, method):
    table = tablegen.solve(name, solver=method, **parameters)
    value = hold(table)
    if table.rules.has_opening:
        return
    mode, board = table.rules.start[0]
    answer = table.probe()
    assert (answer.outcome, answer.remoteness) == value(mode, board)[:2]
    assert {(choice.mode, choice.board) for choice in answer.moves} == set(table.rules.replies())


def random_rules(draw, has_empty=False):
    cells, modes = draw.randint(1, 8), draw.randint(1, 3)
    full = (1 << cells) - 1
    moves = []
    for _ in range(draw.randint(0, 14)):
        fills = draw.randint(1, full)
        empty = fills if draw.random() < 0.6 else fills & draw.randint(0, full) or fills
        filled = draw.randint(0, full) & ~empty if draw.random() < 0.3 else 0
        moves.append(tablegen.Move(fills, empty, filled, draw.randrange(modes), draw.randrange(modes)))
    ends = []
    for _ in range(draw.choice([0, 0, 1, 3])):
        pattern, outcome = draw.randint(1, full), draw.choice(["win", "draw", "loss"])
        # Sweeps cannot solve rules with ends that need empty cells.
        empty = draw.randint(0, full) & ~pattern if has_empty else 0
        ends.append(tablegen.End(pattern, outcome, draw.randrange(modes), empty))
    return tablegen.Rules(
        cells=cells,
        moves=moves,
        ends=ends,
        modes=[f"m{mode}" for mode in range(modes)],
        terminal=draw.choice(["loss", "loss", "win", "draw"]),
        start=(draw.randrange(modes), draw.randint(0, full) & draw.randint(0, full)),
    )


def test_random_rules():
    draw = random.Random(19)
    for _ in range(60):
        rules = random_rules(draw)
        hold(tablegen.solve(rules, solver=draw.choice([None, "dense", "sparse"]), progress=False))
        hold(tablegen.solve(random_rules(draw, has_empty=True), progress=False))


def test_rules_have_the_given_properties():
    draw = random.Random(4)
    for _ in range(50):
        rules = random_rules(draw, has_empty=draw.random() < 0.5)
        again = tablegen.Rules(
            cells=rules.cells, moves=rules.moves, ends=rules.ends, modes=rules.modes, terminal=rules.terminal,
            start=rules.start[0], name=rules.name,
        )
        assert again == rules and hash(again) == hash(rules) and again.hash == rules.hash
    assert tablegen.Rules(cells=2, moves=[1]) != tablegen.Rules(cells=2, moves=[2])
    assert tablegen.Rules(cells=2, moves=[1]).name.startswith("rules-")


def test_modes_by_name_and_openings():
    moves = [tablegen.Move(1, mode="left", next="right"), tablegen.Move(2, mode="right", next="left")]
    rules = tablegen.Rules(cells=2, moves=moves, modes=("left", "right"), start=[("left", 0), ("right", 1)])
    assert rules.has_opening and rules.start == [(0, 0), (1, 1)]
    table = tablegen.solve(rules)
    assert [choice.board for choice in table.probe().moves] == [0, 1] or len(table.probe().moves) == 2
    assert table.probe(("left", 0)).outcome == "loss"
    hold(table)
    with pytest.raises(tablegen.InputError, match="left, right, found 'up'"):
        tablegen.Rules(cells=2, moves=[tablegen.Move(1, mode="up")], modes=("left", "right"))
