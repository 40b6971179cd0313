"""Tables: answers, arrays, statistics, checks."""

from __future__ import annotations

import json
import operator
import os
import pickle
from types import TracebackType
from typing import Any, Iterable, Iterator, Literal, Optional, Sequence, Tuple, Type, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._answer import Answer, Line
from ._errors import CheckError, InputError, ResourceError
from ._progress import shown
from ._rules import Rules
from ._types import Counts, Info, Mode, Position, PositionLike, Progress, Stats, Verification

Label = Literal["outcome", "remoteness", "nimber"]
Level = Literal["bytes", "labels", "oracle"]
#: The mode of all boards, or an array with the number of the mode of each; ``None`` is the one that a board implies.
Modes = Optional[Union[Mode, "npt.NDArray[np.integer[Any]]", Sequence[int]]]

_LEVELS: Tuple[Level, ...] = ("bytes", "labels", "oracle")


class Table:
    """A solved game, open for probing: :func:`tablegen.open`, :func:`tablegen.build` and :func:`tablegen.solve` give one.

    It may be used by several threads at once. It is a context manager, closed at the end of a ``with`` block; arrays and
    answers that were taken from it stay valid. Iterating it gives its P-positions. Pickled, it is its path: whoever unpickles
    it opens the file again.

    >>> import tablegen
    >>> with tablegen.open("tactics") as table:
    ...     table.probe("XX../XX../..../....").outcome
    'win'
    """

    __slots__ = ("_native", "_reopen", "__weakref__")

    def __init__(self, native: _native.Table, reopen: Tuple[int, bool]) -> None:
        self._native = native
        #: The limit of searches, and whether files are mapped.
        self._reopen = reopen

    # Properties.

    @property
    def name(self) -> str:
        """The name of the rules."""
        return self._native.name

    @property
    def rules(self) -> Rules:
        """The rules, which the table carries."""
        return Rules._of(self._native.rules)

    @property
    def path(self) -> Optional[str]:
        """The file; ``None`` if the table is in memory, or inside the package."""
        path = self._native.path
        return None if path is None else os.fspath(path)

    @property
    def source(self) -> str:
        """``"table"``, or ``"solved"`` if it was solved for this object alone, and no file holds it."""
        return self._native.origin

    @property
    def labels(self) -> Tuple[str, ...]:
        """The labels that it holds for each position."""
        return tuple(self._native.labels)

    @property
    def counts(self) -> Counts:
        """How many of its positions have each outcome, for the player to move.

        >>> import tablegen
        >>> tablegen.open("tictactoe").counts
        {'win': 2836, 'draw': 1068, 'loss': 1574}
        """
        win, draw, loss = self._native.counts
        return {"win": win, "draw": draw, "loss": loss}

    def info(self) -> Info:
        """What ``tablegen info --json`` prints: what the table says of itself."""
        found: Info = json.loads(self._native.info())
        return found

    # Positions.

    def probe(self, position: Optional[PositionLike] = None) -> Answer:
        """The value of a position and of each of its moves; ``None`` is the start.

        A position is a text in the notation of the game, a board number, or a pair of a mode and a board number. What the
        table does not hold, because play does not lead there, is searched.

        >>> import tablegen
        >>> table = tablegen.open("tictactoe")
        >>> table.probe("X.O/.X./..O").outcome
        'draw'
        >>> table.probe(("o", 0x2000)) == table.probe(".../.X./...")
        True
        """
        return Answer(self._native.probe(position))

    def line(self, position: Optional[PositionLike] = None) -> Line:
        """Best play by both players, from a position to the end."""
        return Line(json.loads(self._native.line(position)))

    def p_positions(self) -> Iterator[Position]:
        """The P-positions: those that the player to move loses, so that the previous player has won.

        A table of every board gives them mode by mode and by board number, another as it stores them.

        >>> import tablegen
        >>> from itertools import islice
        >>> [position.board for position in islice(tablegen.open("tactics"), 5)]
        [0, 19, 25, 28, 41]
        """
        losses, modes = self._native.losses(), self._native.rules.modes
        names = [None] if len(modes) == 1 else list(modes)
        while True:
            found = losses.next()
            if found is None:
                return
            for mode, board in zip(*(part.tolist() for part in found)):
                yield Position(names[mode], board)

    def __iter__(self) -> Iterator[Position]:
        return self.p_positions()

    # Many boards at once.

    def outcomes(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[np.int8]:
        """The outcomes of many boards, for the player to move: 1 win, 0 draw, -1 loss.

        All cores share the work, and other Python threads run meanwhile. An array of ``uint64`` is read as it is; other
        whole numbers are converted. The result has the shape of ``boards``.

        :param mode: the mode of all boards, by name or number, or an array with the number of the mode of each. Without it,
            each board implies its mode: the only one, or that of the side to move.
        :param missing: what a position gets that the table does not hold, because play does not lead there. Without it,
            such a position is an :class:`InputError`. Nothing is searched.

        >>> import numpy as np, tablegen
        >>> tablegen.open("tactics").outcomes(np.array([0, 1, 2, 19], dtype=np.uint64))
        array([-1,  1,  1, -1], dtype=int8)
        """
        if missing is not None:
            missing = _within(missing, -128, 127) & 0xFF
        return self._look_up("outcome", boards, mode, missing).view(np.int8)

    def remoteness(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[np.uint8]:
        """The plies to the end of many boards; otherwise as :meth:`outcomes`."""
        return self._look_up("remoteness", boards, mode, None if missing is None else _within(missing, 0, 255))

    def nimbers(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[np.uint8]:
        """The Grundy values of many boards; otherwise as :meth:`outcomes`."""
        return self._look_up("nimber", boards, mode, None if missing is None else _within(missing, 0, 255))

    def _look_up(self, label: str, boards: npt.ArrayLike, mode: Modes, missing: Optional[int]) -> npt.NDArray[np.uint8]:
        numbers = _boards(boards)
        modes: object = mode
        if mode is not None and not isinstance(mode, str) and not hasattr(mode, "__index__"):
            modes = _modes(mode, numbers.shape)
        elif isinstance(mode, np.ndarray):
            modes = _modes(mode, numbers.shape) if mode.ndim else int(mode)
        out = np.empty(numbers.size, np.uint8)
        self._native.look_up(label, modes, numbers.reshape(-1), out, missing)
        return out.reshape(numbers.shape)

    def array(
        self, label: Label = "outcome", *, mode: Optional[Mode] = None, axes: Literal["boards", "cells"] = "boards"
    ) -> npt.NDArray[Any]:
        """A label of every board, by board number: an element for each board, and a row for each mode if there are several
        and ``mode`` names none. Outcomes are ``int8`` (1 win, 0 draw, -1 loss), remoteness and nimbers ``uint8``.

        Every position has a label, whether it is reachable or not. :meth:`stats` counts reachable positions only; those are
        where :meth:`reachable` is true.

        With ``axes="cells"`` there is an axis of length 2 for each cell instead, in reading order: index 0 is free, 1 is
        filled. (NumPy 1 has 32 axes at most, NumPy 2 has 64.)

        The array is read-only. It is a view of the table, without a copy, where the file has the label so: nimbers, which
        are a byte each, with ``axes="cells"``; and with ``axes="boards"`` where the file has them in the order of board
        numbers, which the solver seldom chooses. Everything else is a copy: an outcome is a bit or two in the file, and
        remoteness is stored together with its outcome. :meth:`is_view` tells which an array is.

        >>> import tablegen
        >>> outcome = tablegen.open("tactics").array()
        >>> outcome.shape, outcome.dtype, int((outcome == -1).sum())
        ((65536,), dtype('int8'), 8568)
        >>> corner = tablegen.open("tactics").array("remoteness", axes="cells")[1, ..., 1]
        >>> corner.shape == (2,) * 14
        True
        """
        if axes not in ("boards", "cells"):
            raise InputError(f"axes: boards or cells is expected, found {axes!r}")
        cells = self._native.rules.cells
        layout, modes = self._native.layout()
        row = None if mode is None else self._mode(mode)
        if label == "nimber":
            if list(layout) == list(range(cells)):
                plane = self._native.plane(label)[:, : 1 << cells]
                found: npt.NDArray[Any] = plane if row is None else plane[row : row + 1]
                return _shaped(found, cells, axes, row is None and modes > 1)
            if axes == "cells":
                plane = self._native.plane(label)[:, : 1 << cells]
                plane = plane if row is None else plane[row : row + 1]
                # Axis i of the file is bit cells-1-i of an index; axis i of the result is bit cells-1-i of a board.
                order = [cells - layout[cells - 1 - axis] for axis in range(cells)]
                cube = plane.reshape((len(plane),) + (2,) * cells).transpose([0, *order])
                return cube if row is None and modes > 1 else cube[0]
        out = _empty(modes if row is None else 1, cells)
        self._native.fill(label, 0 if row is None else row, out)
        found = out.view(np.int8) if label == "outcome" else out
        found.flags.writeable = False
        return _shaped(found, cells, axes, row is None and modes > 1)

    def reachable(
        self, *, mode: Optional[Mode] = None, axes: Literal["boards", "cells"] = "boards"
    ) -> npt.NDArray[np.bool_]:
        """Which positions are reachable: some line of play from a start leads there. The array has the shape that
        :meth:`array` gives with the same ``mode`` and ``axes``, so that it selects among labels. It is a read-only copy.

        :raises InputError: if the table does not have every position, as for :meth:`array`, or does not mark reachable ones.

        >>> import tablegen
        >>> cram = tablegen.solve("cram", rows=4, cols=5, solver="dense", labels="nimber")
        >>> nimbers, reachable = cram.array("nimber"), cram.reachable()
        >>> int(nimbers.max()), int(nimbers[reachable].max()), len(cram.stats()["nimber"]) - 1
        (8, 7, 7)
        """
        if axes not in ("boards", "cells"):
            raise InputError(f"axes: boards or cells is expected, found {axes!r}")
        row = None if mode is None else self._mode(mode)
        cells, modes = self._native.shape()
        out = _empty(modes if row is None else 1, cells)
        self._native.reachable(0 if row is None else row, out)
        found = out.view(np.bool_)
        found.flags.writeable = False
        return _shaped(found, cells, axes, row is None and modes > 1)

    @staticmethod
    def is_view(array: npt.NDArray[Any]) -> bool:
        """Whether ``array`` shares the memory of a table, so that nothing was copied for it."""
        base: object = array
        while isinstance(base, np.ndarray):
            base = base.base
        return isinstance(base, _native.Buffer)

    def _mode(self, mode: Mode) -> int:
        modes = self._native.rules.modes
        if isinstance(mode, str):
            if mode in modes:
                return modes.index(mode)
        elif 0 <= operator.index(mode) < len(modes):
            return operator.index(mode)
        raise InputError(f"one of the modes {', '.join(modes)} is expected, found {mode!r}")

    # The whole table.

    def stats(self, *, progress: Progress = True) -> Stats:
        """What ``tablegen stats --json`` prints: outcomes by filled cells, how often each remoteness and nimber occurs.

        ``counts_of`` says which positions are counted: ``"reachable"``, those for which :meth:`reachable` is true, or ``"every
        board"`` in a table that does not mark them. :meth:`array` has a label of every board in either case.
        """
        with shown(progress, self.name) as report:
            found: Stats = json.loads(self._native.stats(report))
        return found

    def verify(
        self,
        level: Union[Level, Iterable[Level], None] = None,
        *,
        sample: Optional[int] = None,
        seed: int = 0,
        all: bool = False,
        progress: Progress = True,
    ) -> Verification:
        """Checks the table, and returns what ``tablegen verify --json`` prints.

        :param level: what to check: ``"bytes"`` against their checksums, ``"labels"`` against those of their successors,
            a sample of them against a plain search (``"oracle"``); or several of these. Without it, all three.
        :param sample: check only so many labels, drawn with ``seed``.
        :param all: have the oracle check every label, even of a large table.
        :raises CheckError: if something is wrong.

        >>> import tablegen
        >>> tablegen.open("tictactoe").verify()["ok"]
        True
        """
        levels: Tuple[str, ...] = _LEVELS if level is None else (level,) if isinstance(level, str) else tuple(level)
        with shown(progress, self.name) as report:
            text, finding = self._native.verify(list(levels), sample, seed, all, report)
        found: Verification = json.loads(text)
        if finding is not None:
            raise CheckError(finding, found)
        return found

    # Closing and pickling.

    def close(self) -> None:
        """Closes the table. Arrays and answers that were taken from it stay valid; any other use is an
        :class:`InputError`."""
        self._native.close()

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._native.closed

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<tablegen.Table, closed>"
        counts = self.counts
        total = counts["win"] + counts["draw"] + counts["loss"]
        where = self.path or ("in memory" if self.source == "solved" else "embedded")
        return f"<tablegen.Table {self.name}: {total:,} positions, {', '.join(self.labels)}, {where}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        if self.path is not None:
            return _open_again, (os.path.abspath(self.path), *self._reopen)
        if self.source == "solved":
            raise pickle.PicklingError(
                "a table is pickled by its path, and this one has no file; tablegen.build writes one"
            )
        return _embedded_again, (self.name, *self._reopen)


def _open_again(path: str, limit: int, mmap: bool) -> Table:
    """A table from a pickle."""
    return Table(_native.open_file(path, limit, mmap), (limit, mmap))


def _embedded_again(name: str, limit: int, mmap: bool) -> Table:
    """A table inside the package from a pickle."""
    # An empty folder name, so that no folder is searched.
    found = _native.open_named(name, "", limit, mmap)
    if found is None:
        raise InputError(f"{name} is not inside this version of tablegen")
    return Table(found, (limit, mmap))


def _within(number: int, least: int, most: int) -> int:
    number = operator.index(number)
    if not least <= number <= most:
        raise InputError(f"missing: a number from {least} to {most} is expected, found {number}")
    return number


def _empty(rows: int, cells: int) -> npt.NDArray[np.uint8]:
    """An array of a byte for each board, if there is memory for it."""
    room, needed = _native.memory(), rows << cells
    if room is not None and needed > room:
        raise ResourceError(f"not enough memory: the array takes {needed:,} bytes, {room:,} are available")
    return np.empty((rows, 1 << cells), np.uint8)


def _shaped(rows: npt.NDArray[Any], cells: int, axes: str, by_mode: bool) -> npt.NDArray[Any]:
    """Rows of boards as they are asked for."""
    if axes == "cells":
        rows = rows.reshape((len(rows),) + (2,) * cells)
    return rows if by_mode else rows[0]


def _boards(boards: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Board numbers as the library reads them."""
    array = np.asarray(boards)
    if array.dtype.kind == "i":
        if array.size and int(array.min()) < 0:
            raise InputError(f"board numbers are expected, found {int(array.min())}")
    elif array.dtype.kind != "u" and array.size:
        raise TypeError(f"an array of board numbers, such as uint64, is expected, found {array.dtype}")
    return np.require(array, np.uint64, ["C_CONTIGUOUS", "ALIGNED"])


def _modes(modes: npt.ArrayLike, shape: Tuple[int, ...]) -> npt.NDArray[np.uint16]:
    """The modes of boards of this shape."""
    array = np.asarray(modes)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"modes are a name, a number or an array of numbers, found {array.dtype}")
    if array.shape != shape:
        raise InputError(f"as many modes as boards are expected, in the shape {shape}, found {array.shape}")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 1 << 16:
        raise InputError("modes from 0 are expected, found others")
    return np.require(array, np.uint16, ["C_CONTIGUOUS", "ALIGNED"]).reshape(-1)
