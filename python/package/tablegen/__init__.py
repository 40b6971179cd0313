"""Solves small two-player games completely and answers any position from a verified table.

>>> import tablegen
>>> table = tablegen.solve("kayles", pins=7)
>>> table.probe("XX.....").nimber
4
>>> [choice.move for choice in table.probe().best]
['b1-c1', 'e1-f1', 'd1']

The package and the program `tablegen` share one engine. A *position* is a board (a set of filled cells) and a mode, such as the side
to move. A *table* stores *labels* for positions: the outcome, the remoteness (plies to the end under perfect play), the nimber, and the
score in games that count points.
"""

from __future__ import annotations

import json
import os
import warnings
from typing import Iterable, List, Optional, Union

from . import _native
from ._answer import Answer, Line, Ply
from ._errors import CheckError, Error, InputError, ResourceError, TableError
from ._game import Game
from ._progress import shown
from ._rows import Columns, Row
from ._rules import Count, CountEnd, End, Most, Move, MoveLine, Potential, Rules, Take, rules_file, rules_of
from ._table import Label, Table
from ._types import Choice, Listed, Parameter, Parameters, Path, Position, Progress
from ._value import Thermograph, Turn, Value

#: The version of the package.
__version__: str = _native.__version__

__all__ = [
    "Answer", "CheckError", "Choice", "Columns", "Count", "CountEnd", "End", "Error", "Game", "InputError", "Line", "Most", "Move",
    "MoveLine", "Ply", "Position", "Potential", "ResourceError", "Row", "Rules", "Table", "TableError", "Take", "Thermograph", "Turn",
    "Value", "build", "games", "open", "rules", "rules_file", "solve", "tables",
]


def __dir__() -> List[str]:
    """The public names, without the modules that the package imports for its own use."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])


#: The maximum number of positions that a search expands for a position outside the table.
_LIMIT = 1_000_000

#: The name of a game, a path, or rules.
Subject = Union[str, "os.PathLike[str]", Rules]


def open(
    subject: Subject,
    /,
    *,
    tables: Optional[Path] = None,
    mmap: bool = False,
    limit: Union[int, str] = _LIMIT,
    progress: Progress = True,
    parameters: Optional[Parameters] = None,
    **more: Parameter,
) -> Table:
    """Opens the table of a game, or the table in a file.

    :param subject: the path of a table, the name of a listed table, or a game: its name, its :class:`Rules`, or the path of a
        rules file. For a game, ``open`` looks for its table, else for the tables of its parts (:attr:`Table.source`). A small game without any
        is solved in memory. For a larger game, a search answers :meth:`Table.probe` and :meth:`Table.line`.
    :param tables: the folder to search [default: ``$TABLEGEN_TABLES``, else ``./tables`` and the user's data folder]. Tables
        embedded in the package are searched last.
    :param mmap: map the file instead of reading it, so that a table of any size opens at once. Do not change or truncate the file
        while it is open: that can end the process. Replacing it by renaming, as ``build`` does, is safe.
    :param limit: the maximum number of positions that a search expands for a position outside the table, or a time such as ``"5s"``.
    :param parameters: parameters of the game; keywords work as well.
    :raises TableError: if a table is damaged, or cannot be used.

    >>> import tablegen
    >>> tablegen.open("tactics")
    <tablegen.Table tactics-4x4-run4-misere: 65,536 positions, outcome, remoteness, ...>
    >>> tablegen.open("cram", rows=3, cols=3).source
    'solved'
    >>> tablegen.open("connect-four", rows=6, cols=7).source
    'search'
    """
    given = {**(parameters or {}), **more}
    limit = _limit(limit)
    folder = _tables(tables)
    if not isinstance(subject, Rules):
        if not isinstance(subject, (str, os.PathLike)):
            raise TypeError(f"expected the name of a game, a path or Rules, found {type(subject).__name__}")
        name = os.fsdecode(subject)
        kind, message = _native.what(name)
        if kind == "table":
            _none_for_table(given, name)
            return Table(_native.open_file(name, limit, mmap), (limit, mmap))
        if kind == "unknown":
            found = _native.open_named(name, folder, limit, mmap)
            if found is not None:
                _none_for_table(given, name)
                return Table(found, (limit, mmap))
            if message is not None:
                raise InputError(f"{message}; tablegen.games() lists the games, tablegen.tables() the tables")
    of_game = rules_of(subject, given)
    with shown(progress, of_game.name) as report:
        return Table(_native.find(of_game._native, folder, limit, mmap, report), (limit, mmap))


def build(
    subject: Subject,
    /,
    *,
    labels: Union[Label, Iterable[Label], None] = None,
    part: Optional[str] = None,
    path: Optional[Path] = None,
    progress: Progress = True,
    solver: Optional[str] = None,
    symmetry: str = "auto",
    compress: str = "auto",
    threads: Optional[int] = None,
    memory: Optional[int] = None,
    force: bool = False,
    tables: Optional[Path] = None,
    mmap: bool = False,
    limit: Union[int, str] = _LIMIT,
    parameters: Optional[Parameters] = None,
    **more: Parameter,
) -> Table:
    """Solves a game, writes its table and opens it. Ctrl-C stops the build and leaves no file.

    :param subject: a game by its name or as :class:`Rules`, or the path of a rules file.
    :param labels: the labels to store, besides the outcome [default: the outcome alone, and the score where points decide]. An existing
        table keeps its labels.
    :param part: build this part of the game alone. Its modes have this name in the rules file.
    :param path: the file to write [default: a file named after the rules, in the first folder of tables].
    :param progress: ``True`` shows progress with tqdm, if it is installed. A function is called with the phase, the amount done and
        the total, which may be ``None``.
    :param solver: ``"dense"``, ``"two-colour"``, ``"sparse"``, ``"cyclic"`` or ``"regions"`` [default: the one with the least
        expected cost].
    :param symmetry: ``"auto"`` stores one position per symmetry class where that saves time or space; ``"none"`` stores every
        position.
    :param compress: ``"on"`` or ``"off"``; ``"auto"`` compresses dense and two-colour tables of 1 GiB or more.
    :param threads: the number of threads [default: one per core].
    :param memory: the most bytes of memory to use [default: three quarters of the available memory].
    :param force: replace an existing file without reusing its labels.
    :param tables, mmap, limit, parameters: as in :func:`open`.

    >>> import os, tablegen, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.tb")
    ...     with tablegen.build("tactics", rows=3, cols=3, labels=("outcome", "remoteness"), path=path) as table:
    ...         table.probe().outcome, table.probe().remoteness, table.labels
    ('win', 6, ('outcome', 'remoteness'))
    """
    rules = rules_of(subject, {**(parameters or {}), **more})
    names = None if labels is None else _labels(labels)
    if part is not None:
        rules = rules.part(part)
    output = None if path is None else os.fsdecode(path)
    limit = _limit(limit)
    with shown(progress, rules.name) as report:
        table, damage = _native.build(
            rules._native, names, output, _tables(tables), solver, symmetry, compress, threads, memory, force,
            limit, mmap, report,
        )
    if damage is not None:
        warnings.warn(damage, stacklevel=2)
    return Table(table, (limit, mmap))


def solve(
    subject: Subject,
    /,
    *,
    labels: Union[Label, Iterable[Label], None] = None,
    progress: Progress = True,
    solver: Optional[str] = None,
    symmetry: str = "auto",
    threads: Optional[int] = None,
    memory: Optional[int] = None,
    limit: Union[int, str] = _LIMIT,
    parameters: Optional[Parameters] = None,
    **more: Parameter,
) -> Table:
    """Solves a game in memory, without reading or writing tables.

    :param labels: the labels to solve [default: all labels that the game has].
    :raises ResourceError: if the positions do not fit into memory. That is found before the work starts where possible;
        :func:`open` searches positions of such games.
    :param subject, progress, solver, symmetry, threads, memory, limit, parameters: as in :func:`build`.

    >>> import tablegen
    >>> nim = tablegen.solve(tablegen.Rules(cells=3, moves=[1, 2, 4]))
    >>> [nim.probe(board).nimber for board in range(8)]
    [1, 0, 0, 1, 0, 1, 1, 0]
    """
    rules = rules_of(subject, {**(parameters or {}), **more})
    names = None if labels is None else _labels(labels)
    limit = _limit(limit)
    with shown(progress, rules.name) as report:
        table = _native.solve(rules._native, names, solver, symmetry, threads, memory, limit, report)
    return Table(table, (limit, False))


def rules(subject: Subject, /, *, parameters: Optional[Parameters] = None, **more: Parameter) -> Rules:
    """The rules of a game, given by its name or by a rules file.

    >>> import tablegen
    >>> tablegen.rules("tactics", rows=3, cols=3)
    <tablegen.Rules tactics-3x3-run3-misere: 9 cells, 27 moves>
    """
    return rules_of(subject, {**(parameters or {}), **more})


def games() -> List[Listed]:
    """The games with a name, in the format of ``tablegen list --json``: built-in games, then games of rules files.

    >>> import tablegen
    >>> [game["name"] for game in tablegen.games()][:3]
    ['tactics', 'dominoes', 'shiritori']
    """
    found: List[Listed] = json.loads(_native.games())
    return found


def tables(tables: Optional[Path] = None) -> List[Listed]:
    """The tables in the folders that :func:`open` searches, in the format of ``tablegen list --json``."""
    found: List[Listed] = json.loads(_native.tables(_tables(tables)))
    return found


def _tables(tables: Optional[Path]) -> Optional[str]:
    """The only folder of tables to search, if one is named."""
    return (os.fsdecode(tables) if tables is not None else os.environ.get("TABLEGEN_TABLES")) or None


def _labels(labels: Union[Label, Iterable[Label]]) -> List[str]:
    return labels.split(",") if isinstance(labels, str) else list(labels)


def _limit(limit: Union[int, str]) -> Union[int, str]:
    if not isinstance(limit, str) and not 0 <= limit < 1 << 64:
        raise InputError(f"limit: expected a number from 0, or a time such as '5s', found {limit}")
    return limit


def _none_for_table(given: Parameters, name: str) -> None:
    for parameter in given:
        raise InputError(f"{parameter}= is a parameter of a game, and {name} is a table, which contains its parameters; leave it out")
