"""Tables: answers, arrays, statistics, checks."""

from __future__ import annotations

import json
import operator
import os
import pickle
from types import TracebackType
from typing import Any, Iterable, Iterator, Literal, Optional, Sequence, Tuple, Type, Union, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._answer import Answer, Line
from ._arrays import board_list, check_axes, empty_rows, mode_numbers, shaped, within
from ._errors import CheckError, InputError
from ._progress import shown
from ._rows import Columns, Row, row_type, rows, rows_of
from ._rules import Rules
from ._types import Counts, Info, Mode, Position, PositionLike, Progress, Stats, Verification

Label = Literal["outcome", "remoteness", "nimber", "misere-nimber", "score", "value"]
Level = Literal["bytes", "labels", "oracle"]
#: The mode of all boards, or an array with the mode of each board; ``None`` means the mode that a board implies.
Modes = Optional[Union[Mode, "npt.ArrayLike"]]

_LEVELS: Tuple[Level, ...] = ("bytes", "labels", "oracle")


class Table:
    """A solved game, open for probing. :func:`tablegen.open`, :func:`tablegen.build` and :func:`tablegen.solve` return tables.

    Several threads may use a table at once. A table is a context manager: the end of a ``with`` block closes it, and its arrays
    and answers stay valid. A pickled table stores only its path; unpickling opens the file again.

    ``len(table)`` is the number of reachable positions, or of all boards if the table does not record which are reachable.
    ``position in table`` tells whether a position is one of them, and ``table[position]`` is its :class:`Row`. Iterating over a
    table yields each :class:`Position`; :meth:`rows` yields them with their labels.

    >>> import tablegen
    >>> with tablegen.open("tactics") as table:
    ...     table.probe("XX../XX../..../....").outcome
    'win'
    """

    __slots__ = ("_native", "_reopen", "__weakref__")

    def __init__(self, native: _native.Table, reopen: Tuple[Union[int, str], bool]) -> None:
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
    def part(self) -> Optional[Tuple[str, str]]:
        """The name of the part and that of the rules of the whole game, if this is a table of a part; ``None`` otherwise."""
        return self._native.part

    @property
    def path(self) -> Optional[str]:
        """The file; ``None`` if the table is in memory or embedded in the package, or only parts have tables."""
        path = self._native.path
        return None if path is None else os.fspath(path)

    @property
    def source(self) -> str:
        """``"table"``; ``"solved"`` if the game was solved in memory for this object; ``"search"`` if it has no table, or only tables of its
        parts. Then :meth:`probe` and :meth:`line` search, until they reach these, and everything else raises :class:`TableError`."""
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

    def probe(self, position: Optional[PositionLike] = None, *, labels: Optional[str] = None) -> Answer:
        """The value of a position and of each of its moves; ``None`` is the start.

        A position is a text in the notation of the game, a board number, or a pair of a mode and a board number. If
        the position is not in the table because it is not reachable, or there is no table, a search answers.

        :param labels: ``"remoteness"`` or ``"score"``: a search finds this label as well.

        >>> import tablegen
        >>> table = tablegen.open("tictactoe")
        >>> table.probe("X.O/.X./..O").outcome
        'draw'
        >>> table.probe(("o", 0x2000)) == table.probe(".../.X./...")
        True
        """
        return Answer(self._native.probe(position, labels))

    def line(self, position: Optional[PositionLike] = None, *, labels: Optional[str] = None) -> Line:
        """Best play by both players, from a position to the end. ``labels`` is that of :meth:`probe`."""
        return Line(json.loads(self._native.line(position, labels)))

    def p_positions(self) -> Iterator[Position]:
        """Yields the P-positions, which are lost for the player to move.

        A dense table yields them by mode and then by board number; other tables, in their own order.

        >>> import tablegen
        >>> from itertools import islice
        >>> [position.board for position in islice(tablegen.open("tactics").p_positions(), 5)]
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
        return (Position(row.mode, row.board) for row in self.rows())

    @overload
    def rows(self, where: Optional[str] = None) -> Iterator[Row]: ...

    @overload
    def rows(self, where: Optional[str] = None, *, columns: Sequence[str]) -> Iterator[Any]: ...

    def rows(self, where: Optional[str] = None, *, columns: Optional[Sequence[str]] = None) -> Iterator[Any]:
        """Yields the positions with their labels, in the order of ``tablegen export --format csv``.

        :param where: a condition as for ``export --where`` [default: all reachable positions].
        :param columns: the names of columns, as for ``export --columns``; the rows are named tuples of these
            [default: the fields of :class:`Row`].

        >>> import tablegen
        >>> table = tablegen.open("tictactoe")
        >>> next(table.rows("outcome = loss and filled < 4")).position
        '..X/.../X.O'
        >>> next(table.rows("filled = 2", columns=["position", "pieces_first", "moves", "best_move"]))
        Row(position='.../.O./..X', pieces_first=1, moves=7, best_move='a1')
        """
        # The condition is read here, not when the first row is requested.
        batches = self._native.rows(where, None if columns is None else list(columns))
        return rows(batches, Row if columns is None else row_type(batches.names))

    def to_arrow(self, where: Optional[str] = None, *, columns: Optional[Sequence[str]] = None) -> Columns:
        """The positions with all labels and their symmetry classes, as columns for pyarrow, pandas, polars or DuckDB.

        :param where: a condition as for ``export --where`` [default: all reachable positions].
        :param columns: the names of columns, as for ``export --columns``.

        >>> import tablegen
        >>> tablegen.open("tictactoe").to_arrow("filled = 2").names[:3]
        ('mode', 'board', 'position')
        """
        return Columns(self._native.arrow(where, None if columns is None else list(columns)))

    def __len__(self) -> int:
        counts = self.counts
        return counts["win"] + counts["draw"] + counts["loss"]

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, position: PositionLike) -> Row:
        found = self._native.row(position)
        if found is None:
            raise KeyError(f"{position!r} is not a reachable position of {self.name}; Table.probe searches from it")
        return next(rows_of(*found, Row))

    def __contains__(self, position: PositionLike) -> bool:
        return self._native.row(position) is not None

    # Many boards at once.

    def outcomes(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[np.int8]:
        """The outcomes of many boards, for the player to move: 1 win, 0 draw, -1 loss.

        The look-up uses all cores, and other Python threads can run. An array of ``uint64`` is read without conversion. The
        result has the shape of ``boards``.

        :param boards: board numbers, or texts of positions as :meth:`probe` reads them.
        :param mode: the mode of all boards, by name or number, or an array with the name or the number of the mode of each
            board [default: the only mode, or the mode of the side to move]. Then texts are board numbers.
        :param missing: the value for positions that are not in the table because they are not reachable [default: such a
            position raises :class:`InputError`]. Nothing is searched.

        >>> import numpy as np, tablegen
        >>> tablegen.open("tactics").outcomes(np.array([0, 1, 2, 19], dtype=np.uint64))
        array([-1,  1,  1, -1], dtype=int8)
        >>> tablegen.open("tictactoe").outcomes([".../.X./...", "X.O/.X./..O"])
        array([0, 0], dtype=int8)
        """
        if missing is not None:
            missing = within(missing, -128, 127) & 0xFF
        return self._look_up("outcome", boards, mode, missing).view(np.int8)

    def remoteness(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[Any]:
        """The plies to the end for many boards; otherwise like :meth:`outcomes`. The array is ``uint8``, and a draw by repetition has
        254. In a table by regions whose longest game has more than 63 plies, the array is ``uint16``, and a draw by repetition has
        65534."""
        bits = self._native.label_bits("remoteness")
        missing = None if missing is None else within(missing, 0, (1 << bits) - 1)
        return self._look_up("remoteness", boards, mode, missing, bits)

    def nimbers(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[np.uint8]:
        """The Grundy values of many boards; otherwise like :meth:`outcomes`."""
        return self._look_up("nimber", boards, mode, None if missing is None else within(missing, 0, 255))

    def misere_nimbers(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[np.uint8]:
        """The Grundy values in misère play of many boards; otherwise like :meth:`outcomes`."""
        return self._look_up("misere-nimber", boards, mode, None if missing is None else within(missing, 0, 255))

    def scores(
        self, boards: npt.ArrayLike, *, mode: Modes = None, missing: Optional[int] = None
    ) -> npt.NDArray[Any]:
        """The scores of many boards: the net points still to come for the player to move; otherwise like :meth:`outcomes`. The array is
        ``int8``. No score is -128, so this number is a good value for ``missing``. If scores of the game may be greater than 126, the array
        is ``int16``, and no score is -32768.

        >>> import tablegen
        >>> table = tablegen.solve("dots-and-boxes", rows=1, cols=1)
        >>> table.scores([0b0000, 0b0111, 0b1111])
        array([-1,  1,  0], dtype=int8)
        """
        bits = self._native.label_bits("score")
        if missing is not None:
            missing = within(missing, -(1 << bits - 1), (1 << bits - 1) - 1) & (1 << bits) - 1
        return self._look_up("score", boards, mode, missing, bits).view(np.int16 if bits == 16 else np.int8)

    def _look_up(
        self, label: str, boards: npt.ArrayLike, mode: Modes, missing: Optional[int], bits: int = 8
    ) -> npt.NDArray[Any]:
        given, shape = board_list(boards, self._native.rules.cells)
        modes: object = mode
        if isinstance(mode, np.ndarray) and not mode.ndim:
            modes = mode.item()
        elif mode is not None and not isinstance(mode, str) and (isinstance(mode, np.ndarray) or not hasattr(mode, "__index__")):
            modes = mode_numbers(mode, shape, self._native.rules.modes)
        size = len(given)
        if bits == 16:
            words = np.empty(size, np.uint16)
            self._native.look_up_words(label, modes, given, words, missing)
            return words.reshape(shape)
        out = np.empty(size, np.uint8)
        self._native.look_up(label, modes, given, out, missing)
        return out.reshape(shape)

    def array(
        self,
        label: Label = "outcome",
        *,
        mode: Optional[Mode] = None,
        axes: Literal["boards", "cells"] = "boards",
        masked: bool = False,
    ) -> npt.NDArray[Any]:
        """The label of every board, as an array that is indexed by board number. If the game has several modes and ``mode`` is
        ``None``, the array has a row for each mode. Outcomes are ``int8`` (1 win, 0 draw, -1 loss), remoteness and nimbers
        ``uint8``, and scores ``int8``, or ``int16`` if scores of the game may be greater than 126.

        Unreachable positions have labels as well. :meth:`stats` counts only reachable positions, where :meth:`reachable` is
        true. With ``masked=True``, the array is a masked array (``numpy.ma``) in which unreachable positions are masked.

        With ``axes="cells"`` the array has one axis of length 2 for each cell, in reading order: index 0 means free, 1 means
        filled. (NumPy 1 allows at most 32 axes, NumPy 2 allows 64.) Above 12 axes, there is a warning, because other packages may be
        slow: ``xarray`` takes a minute to show an array with 20.

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
        check_axes(axes, self._native.rules.cells)
        found = self._array(label, mode, axes)
        return np.ma.MaskedArray(found, ~self._reachable(mode, axes)) if masked else found

    def _array(self, label: str, mode: Optional[Mode], axes: str) -> npt.NDArray[Any]:
        cells = self._native.rules.cells
        layout, modes = self._native.layout()
        row = None if mode is None else self._mode(mode)
        if label in ("nimber", "misere-nimber"):
            if list(layout) == list(range(cells)):
                plane = self._native.plane(label)[:, : 1 << cells]
                plane = plane if row is None else plane[row : row + 1]
                return shaped(plane, cells, axes, row is None and modes > 1)
            if axes == "cells":
                plane = self._native.plane(label)[:, : 1 << cells]
                plane = plane if row is None else plane[row : row + 1]
                # Axis i of the file is bit cells-1-i of an index; axis i of the result is bit cells-1-i of a board.
                order = [cells - layout[cells - 1 - axis] for axis in range(cells)]
                cube = plane.reshape((len(plane),) + (2,) * cells).transpose([0, *order])
                return cube if row is None and modes > 1 else cube[0]
        count, first = (modes, 0) if row is None else (1, row)
        found: npt.NDArray[Any]
        if self._native.label_bits(label) == 16:
            words = empty_rows(count, cells, np.uint16)
            self._native.fill_words(label, first, words)
            found = words.view(np.int16)
        else:
            out = empty_rows(count, cells)
            self._native.fill(label, first, out)
            found = out.view(np.int8) if label in ("outcome", "score") else out
        found.flags.writeable = False
        return shaped(found, cells, axes, row is None and modes > 1)

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
        check_axes(axes, self._native.rules.cells)
        return self._reachable(mode, axes)

    def _reachable(self, mode: Optional[Mode], axes: str) -> npt.NDArray[np.bool_]:
        row = None if mode is None else self._mode(mode)
        cells, modes = self._native.shape()
        out = empty_rows(modes if row is None else 1, cells)
        self._native.reachable(0 if row is None else row, out)
        found = out.view(np.bool_)
        found.flags.writeable = False
        return shaped(found, cells, axes, row is None and modes > 1)

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
        """The statistics that ``tablegen stats --json`` prints: outcomes by filled cells, and counts by remoteness, nimber and score.

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
        if self.source == "search":
            return f"<tablegen.Table {self.name}: no table, positions are searched>"
        where = self.path or ("in memory" if self.source == "solved" else "embedded")
        return f"<tablegen.Table {self.name}: {len(self):,} positions, {', '.join(self.labels)}, {where}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        if self.source == "search":
            raise pickle.PicklingError("cannot pickle a game that is searched; open it again")
        if self.path is not None:
            return _open_again, (os.path.abspath(self.path), *self._reopen)
        if self.source != "table":
            raise pickle.PicklingError("cannot pickle a table that has no file; tablegen.build writes one")
        return _embedded_again, (self.name, *self._reopen)


def _open_again(path: str, limit: Union[int, str], mmap: bool) -> Table:
    """Opens a table from a pickle."""
    return Table(_native.open_file(path, limit, mmap), (limit, mmap))


def _embedded_again(name: str, limit: Union[int, str], mmap: bool) -> Table:
    """Opens a table that is embedded in the package, from a pickle."""
    # An empty folder name, so that no folder is searched.
    found = _native.open_named(name, "", limit, mmap)
    if found is None:
        raise InputError(f"{name} is not embedded in this version of tablegen")
    return Table(found, (limit, mmap))
