"""The value of a position and of its moves, and lines of best play."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from . import _html, _native
from ._types import Choice, signed
from ._value import Turn, Value, _of, _turns

#: The maximum number of moves that a text lists.
_NAMED = 12


class Answer:
    """The value of a position under perfect play, and the value of each of its moves.

    >>> import tablegen
    >>> answer = tablegen.open("tactics").probe("XX../XX../..../....")
    >>> answer.outcome, answer.remoteness
    ('win', 10)
    >>> [choice.move for choice in answer.best]
    ['c3', 'd4']
    >>> print(answer)
    tactics-4x4-run4-misere  XX../XX../..../....
    <BLANKLINE>
      a b c d
    1 X X . .
    2 X X . .
    3 . . . .
    4 . . . .
    <BLANKLINE>
    WIN in 10 plies
    winning, 2 of 40 moves: c3, d4
    """

    __slots__ = ("_native", "_moves")

    def __init__(self, native: _native.Answer) -> None:
        self._native = native
        self._moves: Optional[Tuple[Choice, ...]] = None

    @property
    def game(self) -> str:
        """The name of the rules."""
        return self._native.game

    @property
    def position(self) -> str:
        """The canonical text of the position."""
        return self._native.position

    @property
    def notations(self) -> Dict[str, str]:
        """The texts of the position in the notations that the game names, as ``notations`` of ``probe --json``. A line of play is there only
        if every move fills cells. :meth:`Rules.text` writes any one notation.

        >>> import tablegen
        >>> tablegen.solve("connect-four", rows=3, cols=4).probe("4432").notations
        {'columns': '3244'}
        """
        return dict(self._native.notations)

    @property
    def board(self) -> Optional[int]:
        """The board number of the position; ``None`` if the rules do not have the position."""
        return self._native.board

    @property
    def mode(self) -> Optional[str]:
        """The name of the mode; ``None`` if the game has only one mode."""
        return self._native.mode

    @property
    def outcome(self) -> str:
        """``"win"``, ``"draw"`` or ``"loss"`` for the player to move; ``"unknown"`` if a search reached its limit."""
        return self._native.outcome

    @property
    def over(self) -> bool:
        """True if the game is over in this position."""
        return self._native.over

    @property
    def remoteness(self) -> Optional[int]:
        """Plies to the end if the winner hurries and the loser delays; ``None`` if the table lacks this label."""
        return self._native.remoteness

    @property
    def nimber(self) -> Optional[int]:
        """The Grundy value; ``None`` if the table lacks this label."""
        return self._native.nimber

    @property
    def misere_nimber(self) -> Optional[int]:
        """The Grundy value in misère play; ``None`` if the table lacks this label."""
        return self._native.misere_nimber

    @property
    def score(self) -> Optional[int]:
        """The net points still to come for the player to move; ``None`` if the table lacks this label.

        >>> import tablegen
        >>> answer = tablegen.solve("dots-and-boxes", rows=1, cols=1).probe("#.#/X#X/#X# +1")
        >>> answer.score, answer.lead, answer.outcome, [(choice.gain, choice.score) for choice in answer.moves]
        (1, 1, 'win', [(1, 1)])
        """
        return self._native.score

    @property
    def lead(self) -> int:
        """The points that the player to move already has more than the other player. The text of the position gives them. The outcome
        counts them, and the score does not."""
        return self._native.lead

    @property
    def repetition(self) -> bool:
        """True for a draw by repetition: play goes on forever, because a player who deviates loses."""
        return self._native.repetition

    @property
    def source(self) -> str:
        """The source of the value: ``"table"``, ``"solved"`` (in memory) or ``"search"``."""
        return self._native.source

    @property
    def outcome_class(self) -> Optional[str]:
        """The outcome class N, P, L or R, in a game with two sides that either side may begin."""
        return self._native.outcome_class

    @property
    def remedy(self) -> Tuple[str, ...]:
        """What would decide an unknown outcome: ``"limit"``, a search with a higher limit; ``"build"``, a table. Empty if the outcome is
        known."""
        return tuple(self._native.remedy)

    @property
    def moves(self) -> Tuple[Choice, ...]:
        """The moves, best first."""
        if self._moves is None:
            self._moves = tuple(map(Choice._make, self._native.moves))
        return self._moves

    @property
    def best(self) -> Tuple[Choice, ...]:
        """The moves that preserve the outcome."""
        return tuple(choice for choice in self.moves if choice.outcome == self.outcome != "unknown")

    @property
    def value(self) -> Optional[Value]:
        """The value of the board as a combinatorial game; ``None`` if the table lacks it.

        >>> import tablegen
        >>> answer = tablegen.solve("domineering", rows=2, cols=3).probe()
        >>> answer.value, answer.value.temperature
        (Value('{2|-1/2}'), Fraction(5, 4))
        """
        number = self._native.game_value
        return None if number is None else _of(number)

    @property
    def turns(self) -> Optional[Tuple[List[Turn], List[Turn]]]:
        """The turns of Left and of Right, best first, with the values that they leave; ``None`` if the table lacks them."""
        turns = self._native.turns
        return None if turns is None else (_turns(turns[0]), _turns(turns[1]))

    def to_dict(self) -> Dict[str, Any]:
        """The object that ``tablegen probe --json`` prints."""
        found: Dict[str, Any] = json.loads(self._native.json())
        return found

    def draw(self) -> str:
        """The position drawn in lines of text."""
        return self._native.drawing()

    def __repr__(self) -> str:
        drawing = self.draw()
        board = [] if drawing == self.position else [drawing]
        return "\n\n".join([f"{self.game}  {self.position}", *board, "\n".join(self._words())])

    def _words(self) -> List[str]:
        lines = [self._value()]
        if self.outcome_class is not None:
            lines.append(f"outcome class {self.outcome_class}")
        if self.outcome == "unknown":
            helps = {"limit": "a search with a higher limit", "build": "a table (tablegen.build)"}
            lines.append("would decide it: " + " or ".join(helps[name] for name in self.remedy))
        elif self.source == "search":
            lines.append("found by search")
        if self.moves and self.outcome == "loss":
            lines.append("every move loses: " + _listed([m.move for m in self.moves]))
        elif self.moves and self.outcome != "unknown":
            kind = {"win": "winning", "draw": "drawing"}[self.outcome]
            best = [m.move for m in self.best]
            lines.append(f"{kind}, {len(best)} of {len(self.moves)} moves: " + _listed(best))
        return lines

    def _repr_html_(self) -> str:
        return _html.answer(json.loads(self._native.view()), self.draw(), self.game, self._value(), self.moves)

    def _value(self) -> str:
        """The outcome and the other labels, in one line."""
        words = self.outcome.upper()
        if self.over:
            words += ": the game is over"
        elif self.repetition:
            words += " by repetition"
        elif self.remoteness is not None:
            words += f" in {self.remoteness} {'ply' if self.remoteness == 1 else 'plies'}"
        if self.nimber is not None:
            words += f", nimber {self.nimber}"
        if self.misere_nimber is not None:
            words += f", misère nimber {self.misere_nimber}"
        return words if self.score is None else f"{words}, score {signed(self.score)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]


def _listed(names: Sequence[str]) -> str:
    more = [] if len(names) <= _NAMED else [f"and {len(names) - _NAMED} more"]
    return ", ".join([*names[:_NAMED], *more])


class Ply(NamedTuple):
    """A move of a line of best play, and its value for the player who makes it.

    ``repetition`` is true if the move preserves a draw by repetition; ``again``, if the same player moves again. ``gain`` are the points
    that the move gains, and ``score`` are these points and those that come after it. ``notation`` is the move in the first notation of the
    game that names moves, if there is one.
    """

    ply: int
    player: str
    move: str
    position: str
    outcome: str
    remoteness: Optional[int]
    nimber: Optional[int]
    repetition: bool = False
    again: bool = False
    misere_nimber: Optional[int] = None
    score: Optional[int] = None
    gain: int = 0
    notation: Optional[str] = None


class Line(Sequence[Ply]):
    """Best play by both players, from a position to the end: a sequence of plies.

    >>> import tablegen
    >>> line = tablegen.open("tactics").line("XXXX/XXXX/XX../....")
    >>> [ply.move for ply in line], line.winner
    (['c3-c4', 'd3', 'a4-b4', 'd4'], 'first')
    """

    __slots__ = ("_found", "_plies")

    def __init__(self, found: Dict[str, Any]) -> None:
        self._found = found
        self._plies = [Ply(**ply) for ply in found["line"]]

    @property
    def position(self) -> str:
        """The text of the position at which the line begins."""
        return str(self._found["position"])

    @property
    def outcome(self) -> str:
        """The outcome of that position, for the player to move."""
        return str(self._found["outcome"])

    @property
    def winner(self) -> Optional[str]:
        """The name of the winner; ``None`` for a draw, or if a search did not reach the end."""
        winner: Optional[str] = self._found["end"]["winner"]
        return winner

    @property
    def end(self) -> Dict[str, Any]:
        """The last position, in the format of ``tablegen line --json``."""
        end: Dict[str, Any] = self._found["end"]
        return end

    def to_dict(self) -> Dict[str, Any]:
        """The object that ``tablegen line --json`` prints."""
        return self._found

    def __len__(self) -> int:
        return len(self._plies)

    def __getitem__(self, index: Any) -> Any:
        return self._plies[index]

    def __iter__(self) -> Iterator[Ply]:
        return iter(self._plies)

    def __repr__(self) -> str:
        rows = [f"{ply.ply:>3}  {ply.player}  {ply.move}  {ply.position}" for ply in self]
        end = f"{self.winner} wins" if self.winner else "a draw" if self.end["over"] else "the search ends here"
        return "\n".join([f"{self._found['game']}  {self.position}  {self.outcome.upper()}", *rows, end])
