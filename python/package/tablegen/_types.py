"""Types of what comes and goes."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypedDict, Union

#: A mode: its name, or its number.
Mode = Union[str, int]
#: A position: a text in the notation of the game, a board number, or a pair of a mode and a board number.
PositionLike = Union[str, int, Tuple[Optional[Mode], int]]
#: A path.
Path = Union[str, "os.PathLike[str]"]
#: The value of a parameter: a number, a truth value, a text; for a list of words or a graph, a file or its lines.
Parameter = Union[int, bool, str, "os.PathLike[str]", Sequence[str]]
#: Whether to show progress, or a function of the phase, what is done of it, and its total.
Progress = Union[bool, Callable[[str, int, Optional[int]], object]]
#: Parameters by name.
Parameters = Mapping[str, Parameter]


class Position(NamedTuple):
    """A position: the name of its mode, ``None`` in a game that has only one, and its board number."""

    mode: Optional[str]
    board: int


class Choice(NamedTuple):
    """A move and its value, for the player who makes it.

    ``remoteness`` counts from before the move; ``nimber`` is that of the position after it. ``mode`` and ``board`` are those
    after it, where the rules have that position. ``repetition`` says that it leads to a draw by repetition.
    """

    move: str
    position: str
    outcome: str
    remoteness: Optional[int]
    nimber: Optional[int]
    mode: Optional[str]
    board: Optional[int]
    repetition: bool


class Counts(TypedDict):
    """How many positions have each outcome."""

    win: int
    draw: int
    loss: int


class ByMode(Counts):
    """Outcomes in a mode."""

    mode: str


class ByFilled(Counts):
    """Outcomes with a number of filled cells."""

    filled: int


class ByPlies(Counts):
    """Outcomes with a number of plies to the end."""

    plies: int


class ByNimber(TypedDict):
    """How many positions have a nimber."""

    nimber: int
    count: int


class Stats(TypedDict):
    """What ``tablegen stats --json`` prints."""

    game: str
    positions: int
    counts: Counts
    counts_of: str
    by_mode: Optional[List[ByMode]]
    by_filled: List[ByFilled]
    remoteness: Optional[List[ByPlies]]
    nimber: Optional[List[ByNimber]]


class Check(TypedDict, total=False):
    """A check of a table."""

    level: str
    ok: bool
    checked: int
    seconds: float
    labels: List[str]
    unknown: int
    sample: Dict[str, int]
    finding: str


class Verification(TypedDict):
    """What ``tablegen verify --json`` prints."""

    game: str
    source: str
    ok: bool
    checks: List[Check]


#: What ``tablegen info --json`` prints; docs/reference/json.md has its keys.
Info = Dict[str, Any]
#: What ``tablegen list --json`` prints of a game or a table.
Listed = Dict[str, Any]
