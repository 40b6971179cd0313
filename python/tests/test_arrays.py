"""Arrays: all boards by number, many boards, views of the file."""

import gc
import subprocess
import sys

import numpy as np
import pytest
import tablegen

GAMES = [
    ("cram", {"rows": 3, "cols": 4}),
    ("mnk", {"rows": 2, "cols": 3, "k": 3}),
    ("dominoes", {"n": 4}),
    ("dots-and-boxes", {"rows": 1}),
]


@pytest.mark.parametrize("name, parameters", GAMES)
def test_by_board_number(name, parameters):
    table = tablegen.solve(name, solver="dense", **parameters)
    rules, boards = table.rules, np.arange(1 << table.rules.cells, dtype=np.uint64)
    by_label = {"outcome": table.outcomes, "remoteness": table.remoteness, "nimber": table.nimbers, "score": table.scores}
    for label in table.labels:
        found = table.array(label)
        assert found.dtype == (np.int8 if label in ("outcome", "score") else np.uint8) and not found.flags.writeable
        rows = found if len(rules.modes) > 1 else found[None]
        assert rows.shape == (len(rules.modes), len(boards))
        for mode, row in enumerate(rows):
            assert (row == by_label[label](boards, mode=mode)).all()
            assert (row == table.array(label, mode=rules.modes[mode])).all()
            assert (row == table.array(label, mode=mode)).all()
            cube = table.array(label, mode=mode, axes="cells")
            assert cube.shape == (2,) * rules.cells and (cube.reshape(-1) == row).all() and not cube.flags.writeable
        cubes = table.array(label, axes="cells")
        assert cubes.shape == rows.shape[:1] * (len(rules.modes) > 1) + (2,) * rules.cells
        assert (cubes.reshape(found.shape) == found).all()


@pytest.mark.parametrize("name, parameters", [*GAMES, ("kayles", {"pins": 6})])
def test_reachable_positions_equal_a_sparse_table(name, parameters):
    table, sparse = (tablegen.solve(name, solver=solver, **parameters) for solver in ("dense", "sparse"))
    boards, modes = np.arange(1 << table.rules.cells, dtype=np.uint64), table.rules.modes
    found = table.reachable()
    assert found.dtype == np.bool_ and not found.flags.writeable and found.shape == table.array().shape
    rows = found if len(modes) > 1 else found[None]
    for mode, row in enumerate(rows):
        assert (row == (sparse.outcomes(boards, mode=mode, missing=9) != 9)).all()
        assert (row == table.reachable(mode=modes[mode])).all()
    assert (table.reachable(axes="cells").reshape(found.shape) == found).all()
    assert table.reachable(axes="cells").shape == table.array(axes="cells").shape
    stats = table.stats()
    assert stats["positions"] == found.sum() and stats["counts"]["loss"] == (table.array()[found] == -1).sum()
    with pytest.raises(tablegen.InputError, match="found a sparse or two-colour table"):
        sparse.reachable()
    with pytest.raises(tablegen.InputError, match="modes"):
        table.reachable(mode="nobody")
    with pytest.raises(tablegen.InputError, match="axes"):
        table.reachable(axes="squares")


def test_many_axes_are_warned_of(recwarn):
    few, many = (tablegen.solve("cram", rows=rows, cols=4, solver="dense", labels="outcome") for rows in (3, 4))
    few.array(axes="cells"), many.array(), many.reachable(axes="boards")
    assert not recwarn.list
    for call in (lambda: many.array(axes="cells"), lambda: many.array(axes="cells", masked=True), lambda: many.reachable(axes="cells")):
        with pytest.warns(UserWarning, match='axes="cells" makes an array with 16 axes.*above 12') as found:
            assert call().shape == (2,) * 16
        # One warning, at the line that asks for the array.
        assert [warning.filename for warning in found] == [__file__]


def test_the_array_equals_the_export_of_the_binary(binary, here):
    assert binary.run("build", "cram", "--labels", "outcome,remoteness,nimber", "-o", here / "c.tb")[0] == 0
    table = tablegen.open(here / "c.tb")
    for label in table.labels:
        status, _, error = binary.run("export", here / "c.tb", "--label", label, "--format", "npy", "-o", here / "a.npy")
        assert status == 0, error
        assert (np.load(here / "a.npy")[0] == table.array(label)).all()


def test_views_are_marked_and_outlive_their_table(here):
    with tablegen.build("cram", labels=("outcome", "remoteness", "nimber"), path=here / "c.tb", rows=4, cols=4) as table:
        cube = table.array("nimber", axes="cells")
        copy = table.array("nimber")
        assert table.is_view(cube) and cube.nbytes == 1 << 16
        assert not any(table.is_view(table.array(label)) for label in ("outcome", "remoteness"))
        assert not table.is_view(table.array("remoteness", axes="cells"))
        assert not table.is_view(copy) and not table.is_view(copy.copy())
        # A corner of the board, without a copy: cells a1 filled, d4 free.
        assert table.is_view(cube[1, ..., 0])
    expected = copy.copy()
    del table
    gc.collect()
    (here / "c.tb").unlink()
    assert (cube.reshape(-1) == expected).all()
    for array in (cube, copy):
        with pytest.raises(ValueError):
            array[...] = 1
    with pytest.raises(ValueError):
        cube.flags.writeable = True
    mapped = tablegen.build("cram", labels="nimber", path=here / "d.tb", mmap=True).array("nimber", axes="cells")
    assert (mapped.reshape(-1) == expected).all()


def test_reading_order_is_a_view():
    # In this game the solver keeps the order of the boards.
    found = [tablegen.solve("kayles", pins=pins, labels=("nimber",), solver="dense") for pins in range(2, 10)]
    views = [table for table in found if table.is_view(table.array("nimber"))]
    for table in found:
        boards = np.arange(1 << table.rules.cells, dtype=np.uint64)
        assert (table.array("nimber") == table.nimbers(boards)).all()
        assert not table.is_view(table.array("nimber", mode=0)) or table in views


def test_valid_boards():
    table = tablegen.open("tactics")
    expected = table.array()[:64]
    boards = np.arange(64)
    for kind in (np.uint64, np.int64, np.uint8, np.int32, ">u8", ">i4", np.uint16):
        assert (table.outcomes(boards.astype(kind)) == expected).all()
    assert (table.outcomes(list(range(64))) == expected).all()
    assert table.outcomes(boards.reshape(4, 4, 4)).shape == (4, 4, 4)
    assert (table.outcomes(boards.reshape(8, 8).T) == expected.reshape(8, 8).T).all()
    assert (table.outcomes(boards[::-2].astype(np.uint64)) == expected[::-2]).all()
    assert table.outcomes([]).shape == (0,) and table.outcomes(np.uint64(3)).shape == ()
    assert int(table.outcomes(3)) == expected[3]
    odd = np.frombuffer(b"\0" + boards.astype(np.uint64).tobytes(), dtype=np.uint64, offset=0, count=1)
    assert odd.shape == (1,)
    unaligned = np.frombuffer(bytearray(b"\0" + boards.astype(np.uint64).tobytes()), np.uint8)[1:].view(np.uint64)
    assert (table.outcomes(unaligned) == expected).all()


@pytest.mark.parametrize(
    "boards, kind",
    [
        ([1.5], TypeError),
        (["a"], tablegen.InputError),
        ([True], TypeError),
        ([None], TypeError),
        ([-1], tablegen.InputError),
        ([1 << 16], tablegen.InputError),
        ([1 << 70], tablegen.InputError),
        (np.array([1 << 63], dtype=np.uint64), tablegen.InputError),
    ],
)
def test_invalid_boards(boards, kind):
    with pytest.raises(kind):
        tablegen.open("tactics").outcomes(boards)


def test_modes_of_many_boards():
    table = tablegen.open("dominoes", n=5)
    boards = np.arange(100)
    by_mode = [table.outcomes(boards, mode=mode) for mode in range(5)]
    each = boards % 5
    assert (table.outcomes(boards, mode=each) == np.choose(each, by_mode)).all()
    assert (table.outcomes(boards, mode=each.tolist()) == np.choose(each, by_mode)).all()
    assert (table.outcomes(boards, mode=np.int64(3)) == by_mode[3]).all()
    assert (table.outcomes(boards, mode="3") == by_mode[3]).all()
    for bad in (each[:50], [7] * 100, [-1] * 100, 5, -1, "x", each.reshape(10, 10)):
        with pytest.raises(tablegen.InputError):
            table.outcomes(boards, mode=bad)
    for bad in ([0.5] * 100, 1.5, True, object()):
        with pytest.raises((TypeError, tablegen.InputError)):
            table.outcomes(boards, mode=bad)


def test_millions_of_boards_and_other_threads():
    """The lock is released: another thread counts on."""
    program = """
import threading, time, numpy as np, tablegen
table = tablegen.solve("tactics", rows=4, cols=5, labels="outcome")
boards = np.random.default_rng(1).integers(0, 1 << 20, 1 << 23, dtype=np.uint64)
counted, stop = [0], threading.Event()
def count():
    while not stop.is_set():
        counted[0] += 1
        time.sleep(0)
thread = threading.Thread(target=count); thread.start()
for _ in range(3):
    before = counted[0]
    found = table.outcomes(boards)
    assert counted[0] > before
stop.set(); thread.join()
assert (found == table.array()[boards]).all()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_packed_table_is_read_alike(here):
    options = dict(rows=3, cols=4, labels=("outcome", "remoteness", "nimber"), solver="dense")
    plain = tablegen.build("cram", path=here / "plain.tb", compress="off", **options)
    packed = tablegen.build("cram", path=here / "packed.tb", compress="on", **options)
    assert (here / "packed.tb").stat().st_size < (here / "plain.tb").stat().st_size
    boards = np.arange(1 << 12, dtype=np.uint64)
    for label in plain.labels:
        for axes in ("boards", "cells"):
            found = packed.array(label, axes=axes)
            assert (found == plain.array(label, axes=axes)).all() and not found.flags.writeable
            assert not packed.is_view(found)
    for name in ("outcomes", "remoteness", "nimbers"):
        assert (getattr(packed, name)(boards) == getattr(plain, name)(boards)).all()
    with pytest.raises(tablegen.InputError, match="auto, on, small or off"):
        tablegen.build("cram", path=here / "x.tb", compress="yes", **options)


class Nullable:
    """An array of objects, such as NumPy makes of a series with a missing-value type."""

    def __init__(self, items):
        self.items = items

    def __array__(self, dtype=None, copy=None):
        return np.array(self.items, dtype=object)


def test_boards_are_read_in_every_form():
    wide = tablegen.solve("mnk", rows=1, cols=32, k=1, labels="outcome")
    boards = [1 << 63, 0]
    assert wide.outcomes(boards, missing=9).tolist() == wide.outcomes(np.array(boards, np.uint64), missing=9).tolist()
    table = tablegen.open("tictactoe")
    rows = list(table.rows("filled = 5"))
    expected = [{"win": 1, "draw": 0, "loss": -1}[row.outcome] for row in rows]
    numbers, texts, modes = ([getattr(row, name) for row in rows] for name in ("board", "position", "mode"))
    for given in (numbers, texts, np.array(texts), np.array(texts, object), Nullable(numbers), [str(n) for n in numbers], [hex(n) for n in numbers]):
        assert table.outcomes(given).tolist() == expected
    for mode in (modes, np.array(modes), np.array(modes, object), [table.rules.modes.index(name) for name in modes]):
        assert table.outcomes(numbers, mode=mode).tolist() == expected
        assert table.outcomes([str(n) for n in numbers], mode=mode).tolist() == expected
    assert table.outcomes([texts[:2], texts[2:4]]).shape == (2, 2)
    with pytest.raises(tablegen.InputError, match="expected one of the modes x, o"):
        table.outcomes(numbers, mode=["z"] * len(numbers))
    with pytest.raises(tablegen.InputError, match="cannot look up board 1 of the list"):
        table.outcomes([".../.../...", "X.O"])
    for wrong in ([None, 1], [1.5], ["a", 1.5]):
        with pytest.raises((TypeError, tablegen.InputError)):
            table.outcomes(wrong)


def test_wide_boards_are_read_in_every_form():
    table = tablegen.solve("mnk", rows=1, cols=33, k=1, labels="outcome")
    rows = list(table.rows())
    expected = [{"win": 1, "draw": 0, "loss": -1}[row.outcome] for row in rows]
    boards = [row.board for row in rows]
    for given in (boards, [str(board) for board in boards], [row.position for row in rows]):
        assert table.outcomes(given).tolist() == expected
    assert table.outcomes(boards, mode=[row.mode for row in rows]).tolist() == expected
