"""Positions with their labels: one by one, and as columns for other programs."""

from __future__ import annotations

from collections import namedtuple
from itertools import chain, repeat
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar

from . import _native

_Kind = TypeVar("_Kind", bound=Tuple[Any, ...])


class Row(NamedTuple):
    """A position with its labels.

    ``mode`` is ``None`` in a game with one mode. ``position`` is the text that :meth:`Table.probe` reads; it is ``None`` for a board that
    is not a position of the game. ``reachable`` is ``None`` if the table does not record it. A label that the table does not hold is
    ``None``, and so is the remoteness of a draw by repetition. Outcomes are those of players of whom neither has a lead.

    >>> import tablegen
    >>> row = tablegen.open("tactics")["XXXX/XXXX/XXXX/XX.."]
    >>> row.board, row.outcome, row.remoteness, row.nimber
    (65532, 'win', 2, None)
    """

    mode: Optional[str]
    board: int
    position: Optional[str]
    reachable: Optional[bool]
    outcome: str
    remoteness: Optional[int] = None
    nimber: Optional[int] = None
    misere_nimber: Optional[int] = None
    score: Optional[int] = None


class Columns:
    """The rows of a table as columns, for programs that read Apache Arrow: pyarrow, pandas, polars, DuckDB and others.

    They call ``__arrow_c_stream__`` and take the columns in batches, without copying them. Each call reads the table again, so the rows
    need not fit into memory.

    >>> import tablegen
    >>> columns = tablegen.open("tactics").to_arrow("outcome = loss and remoteness < 4")
    >>> columns
    <tablegen.Columns mode, board, position, reachable, outcome, remoteness, class_mode, class_board, class_size>
    >>> columns.names[1:3]
    ('board', 'position')
    >>> columns.__arrow_c_stream__()
    <capsule object "arrow_array_stream" at 0x...>
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.ArrowColumns) -> None:
        self._native = native

    @property
    def names(self) -> Tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._native.names)

    def __arrow_c_schema__(self) -> object:
        return self._native.schema()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        # A producer may ignore the request; the consumer then converts.
        return self._native.stream()

    def __repr__(self) -> str:
        return f"<tablegen.Columns {', '.join(self.names)}>"


def row_type(names: Sequence[str]) -> Type[Tuple[Any, ...]]:
    """The type of rows with these columns."""
    return namedtuple("Row", names, module=__name__)


def rows_of(names: Sequence[str], columns: Sequence[List[Any]], kind: Type[_Kind]) -> Iterator[_Kind]:
    """The rows of type ``kind`` with these columns."""
    found = dict(zip(names, columns))
    for key in ("board", "class_board"):
        # Board numbers of more than 64 bits come as texts.
        if found.get(key) and isinstance(found[key][0], str):
            found[key] = list(map(int, found[key]))
    fields: Tuple[str, ...] = getattr(kind, "_fields")
    values: List[Iterable[Any]] = [found[field] if field in found else repeat(None) for field in fields]
    return map(tuple.__new__, repeat(kind), zip(*values))


def rows(batches: _native.RowBatches, kind: Type[_Kind]) -> Iterator[_Kind]:
    """The rows in all batches."""
    names = batches.names
    all_columns = iter(batches.next, None)
    return chain.from_iterable(rows_of(names, columns, kind) for columns in all_columns)
