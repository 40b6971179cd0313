"""Types of arguments and results."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypedDict, Union

#: A mode: its name, or its number.
Mode = Union[str, int]
#: A position: a text in the notation of the game, a board number, or a pair of a mode and a board number.
PositionLike = Union[str, int, Tuple[Optional[Mode], int]]
#: A path.
Path = Union[str, "os.PathLike[str]"]
#: The value of a parameter: a number, a boolean or a text; for a word list or a graph, a file or its lines.
Parameter = Union[int, bool, str, "os.PathLike[str]", Sequence[str]]
#: A flag to show progress, or a function of the phase, the amount done, and the total.
Progress = Union[bool, Callable[[str, int, Optional[int]], object]]
#: Parameters by name.
Parameters = Mapping[str, Parameter]


class Position(NamedTuple):
    """A position: the name of its mode (``None`` if the game has only one mode) and its board number."""

    mode: Optional[str]
    board: int


class Choice(NamedTuple):
    """A move and its value, for the player who makes it.

    ``remoteness`` counts from the position before the move; ``nimber``, ``misere_nimber``, ``mode`` and ``board`` belong to the position
    after it (``mode`` and ``board`` only if the rules have that position). ``repetition`` is true if the move leads to a draw by
    repetition. ``gain`` are the points that the move gains, and ``score`` are these points and those that come after it.
    """

    move: str
    position: str
    outcome: str
    remoteness: Optional[int]
    nimber: Optional[int]
    mode: Optional[str]
    board: Optional[int]
    repetition: bool
    misere_nimber: Optional[int] = None
    score: Optional[int] = None
    gain: int = 0


class Counts(TypedDict):
    """The number of positions with each outcome."""

    win: int
    draw: int
    loss: int


class ByMode(Counts):
    """The outcomes in one mode."""

    mode: str


class ByFilled(Counts):
    """The outcomes for one number of filled cells."""

    filled: int


class ByPlies(Counts):
    """The outcomes for one number of plies to the end."""

    plies: int


class ByNimber(TypedDict):
    """The number of positions with one nimber."""

    nimber: int
    count: int


class ByMisereNimber(TypedDict):
    """The number of positions with one misère nimber."""

    misere_nimber: int
    count: int


class ByScore(TypedDict):
    """The number of positions with one score."""

    score: int
    count: int


class OtherStats(TypedDict, total=False):
    """The keys that few tables have."""

    misere_nimber: List[ByMisereNimber]
    score: List[ByScore]


class Stats(OtherStats):
    """The object that ``tablegen stats --json`` prints."""

    game: str
    positions: int
    counts: Counts
    counts_of: str
    by_mode: Optional[List[ByMode]]
    by_filled: List[ByFilled]
    remoteness: Optional[List[ByPlies]]
    nimber: Optional[List[ByNimber]]


class Check(TypedDict, total=False):
    """The result of one check of a table."""

    level: str
    ok: bool
    checked: int
    seconds: float
    labels: List[str]
    unknown: int
    sample: Dict[str, int]
    finding: str


class Verification(TypedDict):
    """The object that ``tablegen verify --json`` prints."""

    game: str
    source: str
    ok: bool
    checks: List[Check]


#: The object that ``tablegen info --json`` prints; docs/reference/json.md lists its keys.
Info = Dict[str, Any]
#: The object that ``tablegen list --json`` prints for a game or a table.
Listed = Dict[str, Any]


def signed(score: int) -> str:
    """A score as it is printed: ``+7``, ``0`` or ``-3``."""
    return f"{score:+}" if score else "0"
