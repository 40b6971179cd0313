"""Solves small two-player games completely, and answers any position from a verified table.

>>> import tablegen
>>> table = tablegen.solve("kayles", pins=7)
>>> table.probe("XX.....").nimber
4
>>> [choice.move for choice in table.probe().best]
['b1-c1', 'e1-f1', 'd1']

The engine is that of the command line: see docs/how-to/python.md, and docs/tour.md for what tables, labels and positions are.
"""

from __future__ import annotations

import json
import os
import warnings
from typing import Iterable, List, Optional, Union

from . import _native
from ._answer import Answer, Line, Ply
from ._errors import CheckError, Error, InputError, ResourceError, TableError
from ._progress import shown
from ._rules import End, Move, Rules, rules_file, rules_of
from ._table import Label, Table
from ._types import Choice, Listed, Parameter, Parameters, Path, Position, Progress

__all__ = [
    "Answer", "CheckError", "Choice", "End", "Error", "InputError", "Line", "Move", "Ply", "Position", "ResourceError",
    "Rules", "Table", "TableError", "build", "games", "open", "rules", "rules_file", "solve", "tables",
]



def __dir__() -> List[str]:
    """The public names: what the package imports for itself is not among them."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])


#: Positions that a search looks at, where a table does not hold the position.
_LIMIT = 1_000_000

#: The name of a game, a path, or rules.
Subject = Union[str, "os.PathLike[str]", Rules]


def open(
    subject: Subject,
    /,
    *,
    tables: Optional[Path] = None,
    mmap: bool = False,
    limit: int = _LIMIT,
    progress: Progress = True,
    parameters: Optional[Parameters] = None,
    **more: Parameter,
) -> Table:
    """The table of a game, or the table in a file.

    :param subject: a table's path; or a game by its name or as :class:`Rules`, or the path of a rules file, whose table is
        looked for; or the name under which a table is listed. A small game that has no table is solved now, in memory.
    :param tables: the only folder to look in; otherwise ``$TABLEGEN_TABLES``, or ``./tables`` and the user's data folder.
        Tables inside the package come last.
    :param mmap: map the file instead of reading it: a table of any size opens at once. It must not be changed in place or cut
        short while it is open, which would end the process; to replace it by renaming, as ``build`` does, is safe.
    :param limit: positions that a search looks at, where the table does not hold a position.
    :param parameters: parameters of the game, which may also be given as keywords.
    :raises TableError: if there is no table, or it cannot be used.

    >>> import tablegen
    >>> tablegen.open("tactics")
    <tablegen.Table tactics-4x4-run4-misere: 65,536 positions, outcome, remoteness, ...>
    >>> tablegen.open("cram", rows=3, cols=3).source
    'solved'
    """
    given = {**(parameters or {}), **more}
    limit = _natural("limit", limit)
    folder = _tables(tables)
    if not isinstance(subject, Rules):
        if not isinstance(subject, (str, os.PathLike)):
            raise TypeError(f"the name of a game, a path or Rules are expected, found {type(subject).__name__}")
        name = os.fsdecode(subject)
        kind, message = _native.what(name)
        if kind == "table":
            _none_for_table(given, name)
            return Table(_native.open_file(name, limit, mmap), (limit, mmap))
        if kind == "unknown":
            found = _native.open_named(name, folder, limit, mmap)
            if found is None:
                raise InputError(f"{message}; tablegen.games() lists the games, tablegen.tables() the tables")
            _none_for_table(given, name)
            return Table(found, (limit, mmap))
    of_game = rules_of(subject, given)
    with shown(progress, of_game.name) as report:
        return Table(_native.find(of_game._native, folder, limit, mmap, report), (limit, mmap))


def build(
    subject: Subject,
    /,
    *,
    labels: Union[Label, Iterable[Label]] = ("outcome",),
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
    limit: int = _LIMIT,
    parameters: Optional[Parameters] = None,
    **more: Parameter,
) -> Table:
    """Solves a game, writes its table, and opens it. Ctrl-C stops it, and leaves no file.

    :param subject: a game by its name or as :class:`Rules`, or the path of a rules file.
    :param labels: the labels to store; the outcome is always among them. A table that is there keeps its labels.
    :param path: the file to write; otherwise it is named after the rules, in the first folder of tables.
    :param progress: whether to show progress, by tqdm if it is installed, or a function of the phase, what is done of it and
        its total, which may be ``None``.
    :param solver: ``"dense"``, ``"two-colour"``, ``"sparse"`` or ``"cyclic"``; otherwise the one with the least work.
    :param symmetry: ``"auto"``, or ``"none"``: the sparse solver then makes no use of the game's symmetries.
    :param compress: ``"on"`` or ``"off"``: whether labels are packed; ``"auto"`` packs tables of a GiB or more that are not sparse.
    :param threads: the number of threads; otherwise one for each core.
    :param memory: the most bytes of memory to use; otherwise three quarters of what is available.
    :param force: replace whatever file is there, and keep nothing of it.
    :param tables, mmap, limit, parameters: as in :func:`open`.

    >>> import os, tablegen, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.tb")
    ...     with tablegen.build("tactics", rows=3, cols=3, labels=("outcome", "remoteness"), path=path) as table:
    ...         table.probe().outcome, table.probe().remoteness, table.labels
    ('win', 6, ('outcome', 'remoteness'))
    """
    rules = rules_of(subject, {**(parameters or {}), **more})
    output = None if path is None else os.fsdecode(path)
    limit = _natural("limit", limit)
    with shown(progress, rules.name) as report:
        table, damage = _native.build(
            rules._native, _labels(labels), output, _tables(tables), solver, symmetry, compress, threads, memory, force,
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
    limit: int = _LIMIT,
    parameters: Optional[Parameters] = None,
    **more: Parameter,
) -> Table:
    """Solves a game in memory. No table is looked for, and none is written.

    :param labels: the labels to solve; otherwise all that the game has.
    :param subject, progress, solver, symmetry, threads, memory, limit, parameters: as in :func:`build`.

    >>> import tablegen
    >>> nim = tablegen.solve(tablegen.Rules(cells=3, moves=[1, 2, 4]))
    >>> [nim.probe(board).nimber for board in range(8)]
    [1, 0, 0, 1, 0, 1, 1, 0]
    """
    rules = rules_of(subject, {**(parameters or {}), **more})
    names = None if labels is None else _labels(labels)
    limit = _natural("limit", limit)
    with shown(progress, rules.name) as report:
        table = _native.solve(rules._native, names, solver, symmetry, threads, memory, limit, report)
    return Table(table, (limit, False))


def rules(subject: Subject, /, *, parameters: Optional[Parameters] = None, **more: Parameter) -> Rules:
    """The rules of a game: by its name, or of a rules file.

    >>> import tablegen
    >>> tablegen.rules("tactics", rows=3, cols=3)
    <tablegen.Rules tactics-3x3-run3-misere: 9 cells, 27 moves>
    """
    return rules_of(subject, {**(parameters or {}), **more})


def games() -> List[Listed]:
    """The games that have a name, as ``tablegen list --json`` has them: built in, then those of rules files.

    >>> import tablegen
    >>> [game["name"] for game in tablegen.games()][:3]
    ['tactics', 'dominoes', 'shiritori']
    """
    found: List[Listed] = json.loads(_native.games())
    return found


def tables(tables: Optional[Path] = None) -> List[Listed]:
    """The tables that are found, as ``tablegen list --json`` has them, in the folders that :func:`open` looks in."""
    found: List[Listed] = json.loads(_native.tables(_tables(tables)))
    return found


def _tables(tables: Optional[Path]) -> Optional[str]:
    """The only folder of tables, if one is named."""
    return (os.fsdecode(tables) if tables is not None else os.environ.get("TABLEGEN_TABLES")) or None


def _labels(labels: Union[Label, Iterable[Label]]) -> List[str]:
    return labels.split(",") if isinstance(labels, str) else list(labels)


def _natural(name: str, number: int) -> int:
    if not 0 <= number < 1 << 64:
        raise InputError(f"{name}: a number from 0 is expected, found {number}")
    return number


def _none_for_table(given: Parameters, name: str) -> None:
    for parameter in given:
        raise InputError(f"{parameter}= is for a game, and {name} is a table, which has its parameters inside; leave it out")
