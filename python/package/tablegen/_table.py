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

Label = Literal["outcome", "remoteness", "nimber", "misere-nimber", "value"]
Level = Literal["bytes", "labels", "oracle"]
#: The mode of all boards, or an array with the mode number of each board; ``None`` means the mode that a board implies.
Modes = Optional[Union[Mode, "npt.NDArray[np.integer[Any]]", Sequence[int]]]

_LEVELS: Tuple[Level, ...] = ("bytes", "labels", "oracle")


class Table:
    """A solved game, open for probing. :func:`tablegen.open`, :func:`tablegen.build` and :func:`tablegen.solve` return tables.

    Several threads may use a table at once. A table is a context manager: the end of a ``with`` block closes it, and its arrays
    and answers stay valid. Iterating over a table yields its P-positions. A pickled table stores only its path; unpickling
    opens the file again.

    >>> import tablegen
    >>> with tablegen.open("tactics") as table:
    ...     table.probe("XX../XX../..../....").outcome
    'win'
    """

    __slots__ = ("_native", "_reopen", "__weakref__")

    def __init__(self, native: _native.Table, reopen: Tuple[int, bool]) -> None:
        self._native = native
        #: The limit of searches, and a flag that files are mapped.
        self._reopen = reopen

    # Properties.

    @property
    def name(self) -> str:
        """The name of the rules."""
        return self._native.name

    @property
    def rules(self) -> Rules:
        """The rules, which the table contains."""
        return Rules._of(self._native.rules)

    @property
    def path(self) -> Optional[str]:
        """The file; ``None`` if the table is in memory or embedded in the package."""
        path = self._native.path
        return None if path is None else os.fspath(path)

    @property
    def source(self) -> str:
        """``"table"``, or ``"solved"`` if the game was solved in memory for this object."""
        return self._native.origin

    @property
    def labels(self) -> Tuple[str, ...]:
        """The labels that the table stores for each position."""
        return tuple(self._native.labels)

    @property
    def counts(self) -> Counts:
        """The number of positions with each outcome, for the player to move.

        >>> import tablegen
        >>> tablegen.open("tictactoe").counts
        {'win': 2836, 'draw': 1068, 'loss': 1574}
        """
        win, draw, loss = self._native.counts
        return {"win": win, "draw": draw, "loss": loss}

    def info(self) -> Info:
        """The facts that ``tablegen info --json`` prints."""
        found: Info = json.loads(self._native.info())
        return found

    # Positions.

    def probe(self, position: Optional[PositionLike] = None) -> Answer:
        """The value of a position and of each of its moves; ``None`` is the start.

        A position is a text in the notation of the game, a board number, or a pair of a mode and a board number. If
        the position is not in the table because it is not reachable, a search answers.

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
        """Yields the P-positions, which are lost for the player to move.

        A dense table yields them by mode and then by board number; other tables, in their own order.

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

        The look-up uses all cores, and other Python threads can run. An array of ``uint64`` is read without conversion. The
        result has the shape of ``boards``.

        :param mode: the mode of all boards, by name or number, or an array with the mode number of each board [default: the
            only mode, or the mode of the side to move].
        :param missing: the value for positions that are not in the table because they are not reachable [default: such a
            position raises :class:`InputError`]. Nothing is searched.

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
        """The plies to the end for many boards; otherwise like :meth:`outcomes`."""
        return self._look_up("remoteness", boards, mode, None if missing is None else _within(missing, 0, 255))

    def nimbers(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[np.uint8]:
        """The Grundy values of many boards; otherwise like :meth:`outcomes`."""
        return self._look_up("nimber", boards, mode, None if missing is None else _within(missing, 0, 255))

    def misere_nimbers(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[np.uint8]:
        """The Grundy values in misère play of many boards; otherwise like :meth:`outcomes`."""
        return self._look_up("misere-nimber", boards, mode, None if missing is None else _within(missing, 0, 255))

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
        """The label of every board, as an array that is indexed by board number. If the game has several modes and ``mode`` is
        ``None``, the array has a row for each mode. Outcomes are ``int8`` (1 win, 0 draw, -1 loss), remoteness and nimbers
        ``uint8``.

        Unreachable positions have labels as well. :meth:`stats` counts only reachable positions, where :meth:`reachable` is
        true.

        With ``axes="cells"`` the array has one axis of length 2 for each cell, in reading order: index 0 means free, 1 means
        filled. (NumPy 1 allows at most 32 axes, NumPy 2 allows 64.)

        The array is read-only. Nimbers with ``axes="cells"`` are a view of the table. Nimbers with ``axes="boards"`` are a view
        if the file stores them in the order of board numbers, which is rare. All other arrays are copies, and so are arrays
        of compressed labels. :meth:`is_view` tells whether an array is a view.

        >>> import tablegen
        >>> outcome = tablegen.open("tactics").array()
        >>> outcome.shape, outcome.dtype, int((outcome == -1).sum())
        ((65536,), dtype('int8'), 8568)
        >>> corner = tablegen.open("tactics").array("remoteness", axes="cells")[1, ..., 1]
        >>> corner.shape == (2,) * 14
        True
        """
        if axes not in ("boards", "cells"):
            raise InputError(f"axes: expected boards or cells, found {axes!r}")
        cells = self._native.rules.cells
        layout, modes = self._native.layout()
        row = None if mode is None else self._mode(mode)
        if label in ("nimber", "misere-nimber"):
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
        """The reachable positions, as an array of booleans: true if some line of play from a start leads to the position. The
        array has the same shape as :meth:`array` with the same ``mode`` and ``axes``. It is a read-only copy.

        :raises InputError: if the table is not dense, or has no reachability bits.

        >>> import tablegen
        >>> cram = tablegen.solve("cram", rows=4, cols=5, solver="dense", labels="nimber")
        >>> nimbers, reachable = cram.array("nimber"), cram.reachable()
        >>> int(nimbers.max()), int(nimbers[reachable].max()), len(cram.stats()["nimber"]) - 1
        (8, 7, 7)
        """
        if axes not in ("boards", "cells"):
            raise InputError(f"axes: expected boards or cells, found {axes!r}")
        row = None if mode is None else self._mode(mode)
        cells, modes = self._native.shape()
        out = _empty(modes if row is None else 1, cells)
        self._native.reachable(0 if row is None else row, out)
        found = out.view(np.bool_)
        found.flags.writeable = False
        return _shaped(found, cells, axes, row is None and modes > 1)

    @staticmethod
    def is_view(array: npt.NDArray[Any]) -> bool:
        """True if ``array`` shares the memory of a table instead of a copy."""
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
        raise InputError(f"expected one of the modes {', '.join(modes)}, found {mode!r}")

    # The whole table.

    def stats(self, *, progress: Progress = True) -> Stats:
        """The statistics that ``tablegen stats --json`` prints: outcomes by filled cells, and counts by remoteness and nimber.

        ``counts_of`` names the counted positions: ``"reachable"``, or ``"every board"`` for a dense table without
        reachability bits. :meth:`array` contains every board in both cases.
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
        """Checks the table, and returns the report that ``tablegen verify --json`` prints.

        :param level: ``"bytes"`` compares bytes with their checksums; ``"labels"`` compares labels with those of the successors;
            ``"oracle"`` compares a sample of labels with an independent search. Or several of these [default: all three].
        :param sample: the number of labels to check, drawn at random with ``seed``.
        :param all: compare every label with the independent search, even in a large table.
        :raises CheckError: if a check fails.

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
        """Closes the table. Its arrays and answers stay valid; any other use raises :class:`InputError`."""
        self._native.close()

    @property
    def closed(self) -> bool:
        """True if the table is closed."""
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
                "cannot pickle a table that has no file; tablegen.build writes one"
            )
        return _embedded_again, (self.name, *self._reopen)


def _open_again(path: str, limit: int, mmap: bool) -> Table:
    """Opens a table from a pickle."""
    return Table(_native.open_file(path, limit, mmap), (limit, mmap))


def _embedded_again(name: str, limit: int, mmap: bool) -> Table:
    """Opens a table that is embedded in the package, from a pickle."""
    # An empty folder name, so that no folder is searched.
    found = _native.open_named(name, "", limit, mmap)
    if found is None:
        raise InputError(f"{name} is not embedded in this version of tablegen")
    return Table(found, (limit, mmap))


def _within(number: int, least: int, most: int) -> int:
    number = operator.index(number)
    if not least <= number <= most:
        raise InputError(f"missing: expected a number from {least} to {most}, found {number}")
    return number


def _empty(rows: int, cells: int) -> npt.NDArray[np.uint8]:
    """An array with a byte for each board. Raises ``ResourceError`` if the memory is too small."""
    room, needed = _native.memory(), rows << cells
    if room is not None and needed > room:
        raise ResourceError(f"not enough memory: the array takes {needed:,} bytes, {room:,} are available")
    return np.empty((rows, 1 << cells), np.uint8)


def _shaped(rows: npt.NDArray[Any], cells: int, axes: str, by_mode: bool) -> npt.NDArray[Any]:
    """The rows with the requested axes."""
    if axes == "cells":
        rows = rows.reshape((len(rows),) + (2,) * cells)
    return rows if by_mode else rows[0]


def _boards(boards: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """The board numbers in the format that the library reads."""
    array = np.asarray(boards)
    if array.dtype.kind == "i":
        if array.size and int(array.min()) < 0:
            raise InputError(f"expected board numbers, found {int(array.min())}")
    elif array.dtype.kind != "u" and array.size:
        raise TypeError(f"expected an array of board numbers, such as uint64, found {array.dtype}")
    return np.require(array, np.uint64, ["C_CONTIGUOUS", "ALIGNED"])


def _modes(modes: npt.ArrayLike, shape: Tuple[int, ...]) -> npt.NDArray[np.uint16]:
    """The mode numbers of boards with this shape."""
    array = np.asarray(modes)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"expected a mode name, a number or an array of numbers, found {array.dtype}")
    if array.shape != shape:
        raise InputError(f"expected modes in the shape of the boards, {shape}, found {array.shape}")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 1 << 16:
        raise InputError("expected mode numbers from 0 to 65535, found others")
    return np.require(array, np.uint16, ["C_CONTIGUOUS", "ALIGNED"]).reshape(-1)
