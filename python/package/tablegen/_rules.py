"""Rules of a game by name, of a rules file, or written in Python."""

from __future__ import annotations

import os
from itertools import starmap
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

from . import _native as native
from ._errors import InputError
from ._types import Mode, Parameter, Parameters, Position, PositionLike

Item = TypeVar("Item")


class MoveLine(NamedTuple):
    """A line that a move may turn over. It takes effect if every cell of ``empty`` is empty and every cell of ``full`` and of
    ``clears`` is filled; then ``fills`` are filled and ``clears`` emptied as well."""

    fills: int
    clears: int
    full: int = 0
    empty: int = 0


class Count(NamedTuple):
    """A condition on a number of pieces: from ``least`` to ``most`` of the ``cells`` are filled. Without ``most``, all may be."""

    cells: int
    least: int = 0
    most: Optional[int] = None


class Take(NamedTuple):
    """What a move takes if it fills a line. If the move fills the last cell of one of the ``lines``, it also empties one of the filled
    ``cells``: one that is in no filled guard or, if each is in a filled guard, any of them. Each choice is a move."""

    lines: Sequence[int]
    cells: int
    guards: Sequence[int] = ()


class Move(NamedTuple):
    """A move. It is legal in ``mode`` if every cell of ``empty`` is empty and every cell of ``full`` and of ``clears`` is filled. It
    fills ``fills`` and empties ``clears``, and play continues in mode ``next``.

    Cells are bits of a board number. Without ``empty``, all cells of ``fills`` must be empty. Without ``next``, the mode
    does not change. A move that neither fills nor empties cells is a pass: ``Move(0, mode="x", next="o")``. With
    ``otherwise``, the move is legal only if no move without it is.

    With ``lines``, the move is legal only if one of them takes effect, and all that do take effect at once, as in Reversi. Such games
    have no table; a search answers.

    With ``when``, the move is legal only if the board before it fits this condition. With ``takes``, it also takes a piece if it fills a
    line, as in the games of mills.

    The player who makes the move gains ``gain`` points, or loses them if they are negative. With ``again``, the same player moves again;
    in rules with ``players``, the modes say who moves. Rules with gains need points at every end: a draw, a number of points, or
    :class:`Most`.
    """

    fills: int
    empty: Optional[int] = None
    full: int = 0
    mode: Mode = 0
    next: Optional[Mode] = None
    clears: int = 0
    otherwise: bool = False
    lines: Sequence[MoveLine] = ()
    when: Optional[Count] = None
    takes: Optional[Take] = None
    gain: int = 0
    again: bool = False


class Most(NamedTuple):
    """The outcome of counting, where the game is over: the player with more filled cells wins. ``own`` are the cells of the player to
    move, ``other`` those of the other player. Equal counts are a draw. In scores, each cell is a point."""

    own: int
    other: int


#: What an end is worth to the player to move: ``"win"``, ``"draw"`` or ``"loss"``, a number of points, or what is counted.
Worth = Union[str, int, Most]


class Potential(NamedTuple):
    """Weights of the cells, in reading order, and of the modes. Each move raises the sum of the weights of filled cells and of the
    mode, so no position repeats."""

    cells: List[int]
    modes: List[int]


class End(NamedTuple):
    """A terminal pattern: in ``mode``, the game is over on a board that contains ``pattern`` and no cell of ``empty``, with
    ``outcome`` for the player to move: ``"win"``, ``"draw"`` or ``"loss"``, a number of points that the player gets, or a
    :class:`Most`."""

    pattern: int
    outcome: Worth = "loss"
    mode: Mode = 0
    empty: int = 0


class CountEnd(NamedTuple):
    """A number of pieces that ends the game: in ``mode``, the game is over on a board that fits ``pieces``, with ``outcome`` for the
    player to move."""

    pieces: Count
    outcome: str = "loss"
    mode: Mode = 0


class Rules:
    """The rules of a two-player game in which every move fills or empties cells of a board.

    :param cells: cells of the board, 1 to 128; the first in reading order is the most significant bit of a board number.
    :param moves: :class:`Move` values, or numbers: a number fills these cells, which must be empty.
    :param name: the name of the rules and of their table [default: derived from their hash]. Rules with the same name must be
        equal.
    :param modes: the names of the modes, such as the side to move, if there are several.
    :param ends: the terminal patterns, as :class:`End` values.
    :param count_ends: numbers of pieces that end the game, as :class:`CountEnd` values; the first that fits decides, before any pattern.
    :param terminal: the outcome for a player who cannot move: ``"loss"`` (normal play), ``"win"`` (misère) or ``"draw"``.
    :param terminals: the same for each mode, if the modes differ; a :class:`Most` counts cells, and a number is points that the player
        gets [default: ``terminal`` in every mode].
    :param players: the player to move in each mode, ``"first"`` or ``"second"`` [default: the players move in turn].
    :param start: the start position: a board, or a pair of a mode and a board. In a list of several, the first player chooses one
        as the first move, and then the other player moves.
    :param grid: rows and columns, if the cells are the squares of a grid; positions are then written as rows.

    Take one piece, or two adjacent pieces, from a row of three. The player who cannot move loses:

    >>> rules = Rules(cells=3, moves=[0b100, 0b010, 0b001, 0b110, 0b011], grid=(1, 3))
    >>> rules.replies("X..")
    [Position(mode=None, board=6), Position(mode=None, board=5), Position(mode=None, board=7)]
    >>> print(rules.draw(0b101))
      a b c
    1 X . X
    """

    __slots__ = ("_native",)
    _native: native.Rules

    def __init__(
        self,
        *,
        cells: int,
        moves: Iterable[Union[Move, int]],
        name: Optional[str] = None,
        modes: Sequence[str] = ("-",),
        ends: Iterable[End] = (),
        count_ends: Iterable[CountEnd] = (),
        terminal: str = "loss",
        terminals: Sequence[Worth] = (),
        players: Sequence[str] = (),
        start: Union[int, Tuple[Mode, int], List[Union[int, Tuple[Mode, int]]]] = 0,
        grid: Optional[Tuple[int, int]] = None,
    ) -> None:
        names = _items(modes)

        def number(mode: Mode) -> int:
            if not isinstance(mode, str):
                return mode
            if mode not in names:
                raise InputError(f"expected one of the modes {', '.join(names)}, found {mode!r}")
            return names.index(mode)

        # Moves with the same condition or take share it.
        conditions: Dict[Tuple[int, int, int], int] = {}
        takes: Dict[Tuple[Tuple[int, ...], int, Tuple[int, ...]], int] = {}

        def count(given: Count) -> Tuple[int, int, int]:
            c = Count(*given)
            return c.cells, c.least, bin(c.cells).count("1") if c.most is None else c.most

        def when(given: Optional[Count]) -> Optional[int]:
            return None if given is None else conditions.setdefault(count(given), len(conditions))

        def take(given: Optional[Take]) -> Optional[int]:
            if given is None:
                return None
            t = Take(*given)
            return takes.setdefault((tuple(t.lines), t.cells, tuple(t.guards)), len(takes))

        def move(given: Union[Move, int]) -> native._Move:
            m = given if isinstance(given, tuple) else Move(given)
            m = Move(*m)
            empty = m.fills if m.empty is None else m.empty
            mode = number(m.mode)
            next = mode if m.next is None else number(m.next)
            lines = [(line.empty, line.full | line.clears, line.fills, line.clears) for line in starmap(MoveLine, m.lines)]
            masks = empty, m.full | m.clears, m.fills, m.clears
            return mode, *masks, next, m.otherwise, lines, when(m.when), take(m.takes), m.gain, m.again

        def at(given: Union[int, Tuple[Mode, int]]) -> Tuple[int, int]:
            if not isinstance(given, tuple):
                return 0, given
            mode, board = given
            return number(mode), board

        def end(given: End) -> Tuple[int, int, Worth, int]:
            e = End(*given)
            return number(e.mode), e.pattern, e.outcome, e.empty

        def count_end(given: CountEnd) -> Tuple[int, Tuple[int, int, int], str]:
            e = CountEnd(*given)
            return number(e.mode), count(e.pieces), e.outcome

        starts = (True, [at(one) for one in start]) if isinstance(start, list) else (False, [at(start)])
        listed = [move(m) for m in moves]
        counts = (list(conditions), [(list(t[0]), t[1], list(t[2])) for t in takes], [count_end(e) for e in count_ends])
        self._native = native.Rules.own(
            name, cells, names, listed, [end(e) for e in ends], terminal,
            (_items(terminals), _items(players)), starts, grid, counts,
        )

    @classmethod
    def _of(cls, own: native.Rules) -> Rules:
        rules = cls.__new__(cls)
        rules._native = own
        return rules

    @property
    def name(self) -> str:
        """The name of the rules, and of the file of their table."""
        return self._native.name

    def part(self, name: str) -> Rules:
        """The part of the game that its rules file calls ``name``: the rules of some modes, which play does not leave.

        >>> import tablegen
        >>> tablegen.rules_file("six-mens-morris").part("moving").name
        'six-mens-morris-2-3.moving'
        """
        return Rules._of(self._native.part(name))

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self._native.cells

    @property
    def modes(self) -> Tuple[str, ...]:
        """The names of the modes, at least one."""
        return tuple(self._native.modes)

    @property
    def moves(self) -> List[Move]:
        """The moves, in the order of the game; modes are numbers."""

        def line(empty: int, full: int, fills: int, clears: int) -> MoveLine:
            return MoveLine(fills, clears, full, empty)

        conditions, takes, _ = self._native.counts
        counts = [Count(*one) for one in conditions]
        taking = [Take(tuple(lines), cells, tuple(guards)) for lines, cells, guards in takes]
        return [
            Move(
                fills, empty, full, mode, next, clears, last, tuple(starmap(line, lines)),
                None if when is None else counts[when], None if take is None else taking[take], gain, again,
            )
            for mode, empty, full, fills, clears, next, last, lines, when, take, gain, again in self._native.moves
        ]

    @property
    def ends(self) -> List[End]:
        """The terminal patterns. If several match, the first decides."""
        return [End(pattern, _worth(outcome), mode, empty) for mode, pattern, outcome, empty in self._native.ends]

    @property
    def count_ends(self) -> List[CountEnd]:
        """The numbers of pieces that end the game. If several fit, the first decides, before any pattern."""
        return [CountEnd(Count(*count), outcome, mode) for mode, count, outcome in self._native.counts[2]]

    @property
    def terminal(self) -> str:
        """The outcome for a player who cannot move, unless :attr:`terminals` has one for each mode."""
        return self._native.terminal

    @property
    def terminals(self) -> Tuple[Worth, ...]:
        """The outcome for a player who cannot move, for each mode; empty if it is the same in every mode."""
        return tuple(map(_worth, self._native.by_mode[0]))

    @property
    def players(self) -> Tuple[str, ...]:
        """The player to move in each mode, ``"first"`` or ``"second"``; empty if the players move in turn."""
        return tuple(self._native.by_mode[1])

    @property
    def potential(self) -> Optional[Potential]:
        """A sum of weights that each move raises; ``None`` if there is none, so that positions may repeat.

        >>> Rules(cells=2, moves=[0b10, 0b01]).potential
        Potential(cells=[1, 1], modes=[0])
        >>> step = [Move(0b10, clears=0b01), Move(0b01, clears=0b10)]
        >>> Rules(cells=2, moves=step, start=0b01).potential is None
        True
        """
        found = self._native.potential
        return None if found is None else Potential(*found)

    @property
    def start(self) -> List[Tuple[int, int]]:
        """The start position, or the positions from which the first player chooses, as pairs of a mode and a board."""
        return self._native.start[1]

    @property
    def has_opening(self) -> bool:
        """True if the first player chooses the start position."""
        return self._native.start[0]

    @property
    def labels(self) -> Tuple[str, ...]:
        """The labels that the game has."""
        return tuple(self._native.labels)

    @property
    def family(self) -> str:
        """The family of the game, such as ``tactics``, ``rules-file`` or ``grid``; empty if it has none."""
        return self._native.descriptor[0]

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the game called :attr:`family`."""
        return dict(self._native.descriptor[1])

    @property
    def hash(self) -> str:
        """The BLAKE3 hash of the rules in hexadecimal, which their tables store."""
        return self._native.hash

    def replies(self, position: Optional[PositionLike] = None) -> List[Position]:
        """The positions after each move, in the order of the game; empty if the game is over."""
        return [Position(*reply) for reply in self._native.replies(position)]

    def position(self, position: Optional[PositionLike] = None) -> Position:
        """The mode and the board of a position; ``None`` is the start.

        >>> Rules(cells=4, moves=[1, 2, 4, 8], grid=(2, 2)).position("X./.X")
        Position(mode=None, board=9)
        """
        return Position(*self._native.position(position))

    @property
    def notations(self) -> Tuple[str, ...]:
        """The names of the notations in which positions are read and written, beside the game's own one: those that the game names, then
        those of every game.

        >>> rules_file("connect-four").notations
        ('columns', 'moves', 'mcgs')
        """
        return tuple(self._native.notations)

    def text(self, position: Optional[PositionLike] = None, *, notation: Optional[str] = None) -> str:
        """The text of a position.

        :param notation: one of :attr:`notations`, as for ``probe --notation`` [default: the game's own one, in which equal positions have
            equal texts].
        :raises InputError: if the notation cannot write the position, or no line of play to it is found quickly.

        >>> Rules(cells=4, moves=[1, 2, 4, 8], grid=(2, 2)).text(0b1001)
        'X./.X'
        >>> rules = rules_file("connect-four")
        >>> rules.text("44", notation="moves"), rules.text("d d", notation="columns")
        ('d4 d3', '44')
        """
        return self._native.text(position, notation)

    def draw(self, position: Optional[PositionLike] = None) -> str:
        """A position drawn in lines of text."""
        return self._native.draw(position)

    def __repr__(self) -> str:
        modes = f", {len(self.modes)} modes" if len(self.modes) > 1 else ""
        return f"<tablegen.Rules {self.name}: {self.cells} cells{modes}, {len(self._native.moves)} moves>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._native == other._native

    def __hash__(self) -> int:
        return hash(self._native)

    def __reduce__(self) -> Tuple[Any, ...]:
        n = self._native
        return _again, (n.name, n.cells, n.modes, n.moves, n.ends, n.terminal, n.by_mode, n.start, n.descriptor, n.counts)


def _worth(native: Union[str, int, Tuple[int, int]]) -> Worth:
    """What an end is worth."""
    return Most(*native) if isinstance(native, tuple) else native


def _items(given: Sequence[Item]) -> List[Item]:
    if isinstance(given, str):
        raise TypeError("expected a sequence, found a text")
    return list(given)


def _again(
    name: str, cells: int, modes: Any, moves: Any, ends: Any, terminal: str, by_mode: Any, start: Any, descriptor: Any, counts: Any
) -> Rules:
    """Rules from a pickle."""
    return Rules._of(native.Rules.own(name, cells, modes, moves, ends, terminal, by_mode, start, None, counts, descriptor))


def _given(parameters: Parameters, files: Sequence[str] = ()) -> Iterator[Tuple[str, str]]:
    """The parameters as texts, which the library expects."""
    for name, value in parameters.items():
        if not isinstance(name, str):
            raise TypeError(f"the name of a parameter is a text, found {type(name).__name__}")
        yield name, _text(name, value, name in files)


def _text(name: str, value: Parameter, is_file: bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A text with line ends is the content of a file.
        return native.text_file(value, False) if is_file and "\n" not in value else value
    if isinstance(value, os.PathLike):
        return native.text_file(os.fspath(value), False)
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if isinstance(value, (list, tuple)) and all(isinstance(line, str) for line in value):
        return "".join(f"{line}\n" for line in value)
    raise TypeError(f"{name}: expected a number, a text or a list of texts, found {type(value).__name__}")


def rules_of(subject: object, parameters: Parameters) -> Rules:
    """The rules that ``subject`` names: a game, a rules file, or rules."""
    if isinstance(subject, Rules):
        if parameters:
            raise InputError("parameters belong to a game given by name, and Rules contain theirs; leave them out")
        return subject
    if not isinstance(subject, (str, os.PathLike)):
        raise TypeError(f"expected the name of a game, a path or Rules, found {type(subject).__name__}")
    name = os.fsdecode(subject)
    kind, message = native.what(name)
    if kind == "family":
        return Rules._of(native.Rules.named(name, list(_given(parameters, native.files_of(name)))))
    if kind == "bundled" or (kind == "unknown" and message is None):
        return Rules._of(native.Rules.named(name, list(_given(parameters))))
    if kind == "rules_file":
        return Rules._of(native.Rules.file(native.text_file(name, True), name, list(_given(parameters))))
    raise InputError(f"{message or f'expected a game, {name} is a table'}; tablegen.games() lists them")


def rules_file(text_or_path: Union[str, "os.PathLike[str]"], **parameters: Parameter) -> Rules:
    """The rules of a rules file, given as its text or its path, with values for its parameters.

    A text of several lines is the content of the file. One line is a path, or the name of a rules file of the library.

    >>> cram = rules_file('''
    ... name = "my-cram-{rows}x{cols}"
    ... parameters = { rows = 4, cols = 4 }
    ... board = { rows = "rows", cols = "cols" }
    ... move = [{ shape = "XX", turns = true }]
    ... ''', cols=3)
    >>> cram
    <tablegen.Rules my-cram-4x3: 12 cells, 17 moves>
    >>> rules_file("kayles", pins=5).labels
    ('outcome', 'remoteness', 'nimber', 'misere-nimber')
    """
    if isinstance(text_or_path, str) and "\n" in text_or_path:
        return Rules._of(native.Rules.file(text_or_path, None, list(_given(parameters))))
    name = os.fsdecode(text_or_path)
    kind, _ = native.what(name)
    if kind == "bundled":
        return Rules._of(native.Rules.named(name, list(_given(parameters))))
    if kind == "family":
        raise InputError(f"expected a rules file, {name} is a built-in game; call tablegen.build with its name")
    return Rules._of(native.Rules.file(native.text_file(name, True), name, list(_given(parameters))))
