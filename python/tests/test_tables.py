"""Shipped tables, held against tests/read_table.py, which reads them by the description of the format alone."""

import pickle
import random

import numpy as np
import pytest
import tablegen
from conftest import ROOT

SHIPPED = sorted(path.name for path in (ROOT / "tables").glob("*.tb"))
#: The other shipped tables are up to symmetry: the reader in plain Python is too slow for their symmetry classes.
KNOWN = ["dominoes-5-normal.tb", "tactics-4x4-run4-misere.tb", "tictactoe.tb"]
NUMBER = {"win": 1, "draw": 0, "loss": -1}
#: Positions of a large table that are drawn.
DRAWN = 100_000


@pytest.mark.parametrize("name", KNOWN)
def test_every_label_of_a_shipped_table(name, read_table):
    assert name in SHIPPED
    own = read_table.Table(str(ROOT / "tables" / name))
    modes, boards = range(len(own.modes)), 1 << own.cells
    with tablegen.open(ROOT / "tables" / name) as table:
        assert table.rules.cells == own.cells and table.rules.modes == tuple(own.modes)
        if sum(map(sum, own.counts)) <= 1 << 18:
            positions = sorted(own.labels.positions())
        else:
            draw = random.Random(name)
            positions = [(draw.choice(modes), draw.randrange(boards)) for _ in range(DRAWN)]
        outcomes, plies = zip(*(line.split(",")[:2] for line in (own.line(*at) for at in positions)))
        asked = np.array([board for _, board in positions], dtype=np.uint64)
        each = np.array([mode for mode, _ in positions])
        assert table.labels == ("outcome", "remoteness")
        assert table.outcomes(asked, mode=each).tolist() == [NUMBER[outcome] for outcome in outcomes]
        assert table.remoteness(asked, mode=each).tolist() == [int(number) for number in plies]
        # Compare one mode at a time, and single boards.
        for mode in modes:
            of_mode = each == mode
            assert (table.outcomes(asked[of_mode], mode=own.modes[mode]) == table.outcomes(asked, mode=each)[of_mode]).all()
        for at in random.Random(1).sample(range(len(positions)), 200):
            mode, board = positions[at]
            try:
                answer = table.probe((mode, board))
            except tablegen.InputError:
                continue  # A board that is no position of the game.
            assert (answer.outcome, answer.remoteness) == (outcomes[at], int(plies[at]))
        counts = [sum(of_outcome) for of_outcome in zip(*own.counts)]
        assert list(table.counts.values()) == counts


@pytest.mark.parametrize("name", ["tactics-4x4-run4-misere.tb", "tictactoe.tb", "dominoes-5-normal.tb"])
def test_p_positions(name, read_table):
    own = read_table.Table(str(ROOT / "tables" / name))
    lost = {at for at in own.labels.positions() if own.line(*at).startswith("loss")}
    table = tablegen.open(ROOT / "tables" / name)
    modes = list(table.rules.modes)
    found = [(0 if mode is None else modes.index(mode), board) for mode, board in table.p_positions()]
    # If a dense table has reachability bits, only reachable positions are counted.
    assert len(found) == len(set(found)) == table.counts["loss"] and set(found) <= lost
    if name.startswith("tactics"):
        assert found == sorted(found)


def test_positions_outside_a_sparse_table():
    table = tablegen.open("tictactoe")
    boards = [0, 0b11]
    with pytest.raises(tablegen.InputError, match="cannot look up board 1 of the list: .*missing="):
        table.outcomes(boards, mode="x")
    assert table.outcomes(boards, mode="x", missing=7).tolist() == [0, 7]
    assert table.outcomes(boards, mode="x", missing=-128).tolist() == [0, -128]
    assert table.remoteness(boards, mode="x", missing=255).tolist() == [9, 255]
    # The board implies the side to move: with one X, O moves.
    assert table.outcomes([0, 0x2000]).tolist() == [0, 0]
    with pytest.raises(tablegen.InputError, match="found a sparse or two-colour table"):
        table.array()


def test_a_game_of_which_only_a_part_has_a_table(tmp_path):
    with tablegen.build("three-mens-morris", part="moving", tables=tmp_path):
        table = tablegen.open("three-mens-morris", tables=tmp_path)
    whole = tablegen.solve("three-mens-morris")
    assert (table.source, table.path, whole.source) == ("search", None, "solved")
    assert repr(table) == "<tablegen.Table three-mens-morris-normal: no table, positions are searched>"
    for position in [".../XXO/.OX x", ".../.X./... o-2-3", None]:
        assert table.probe(position).outcome == whole.probe(position).outcome
    with pytest.raises(tablegen.TableError, match="no table of three-mens-morris"):
        len(table)
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(table)
