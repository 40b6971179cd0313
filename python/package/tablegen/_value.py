"""Values of combinatorial games."""

from __future__ import annotations

from fractions import Fraction
from typing import List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _native

_Pair = Tuple[int, int]


class Thermograph(NamedTuple):
    """What each player keeps of a game if every move costs a tax, the temperature.

    Each wall lists its corners from temperature -1 up, as pairs of a temperature and a value. Above the last corner both walls are the
    mast, which stands at the mean.
    """

    left: Tuple[Tuple[Fraction, Fraction], ...]
    right: Tuple[Tuple[Fraction, Fraction], ...]


class Value:
    """The value of a short game in normal play: its canonical form.

    Values are written as CGSuite writes them. They add up, and compare as games do: two values are confused if neither is at most the
    other.

    >>> from tablegen import Value
    >>> hot = Value("{2|-1}")
    >>> hot + Value("1/2"), hot - hot, 2 * Value("^")
    (Value('{5/2|-1/2}'), Value('0'), Value('^^'))
    >>> hot.mean, hot.temperature
    (Fraction(1, 2), Fraction(3, 2))
    >>> Value("*") < 1, Value("*") == 0, Value("*").confused(0)
    (True, False, True)

    One calculator keeps every value that the process has met, so memory grows with use.
    """

    __slots__ = ("_number",)

    def __init__(self, value: Union[str, int, Fraction, "Value"] = 0) -> None:
        """
        :param value: a text such as ``"{2|-1}"``, or a number.
        :raises InputError: if the text does not name a game.
        """
        self._number: int = value._number if isinstance(value, Value) else _native.value_parse(str(value))

    @property
    def left(self) -> Tuple["Value", ...]:
        """The Left options of the canonical form."""
        return tuple(map(_of, _native.value_options(self._number)[0]))

    @property
    def right(self) -> Tuple["Value", ...]:
        """The Right options of the canonical form."""
        return tuple(map(_of, _native.value_options(self._number)[1]))

    @property
    def birthday(self) -> int:
        """The number of moves in the longest play of the canonical form."""
        return _native.value_birthday(self._number)

    @property
    def mean(self) -> Fraction:
        """The value of a large multiple, divided by the factor."""
        return Fraction(*_native.value_thermograph(self._number)[0])

    @property
    def temperature(self) -> Fraction:
        """The urgency of a move: what it gains beyond the mean. An integer has -1, and x/2^k in lowest terms -1/2^k."""
        return Fraction(*_native.value_thermograph(self._number)[1])

    @property
    def stops(self) -> Tuple[Fraction, Fraction]:
        """The numbers at which play ends, if Left moves first and if Right does."""
        left, right = _native.value_stops(self._number)
        return Fraction(*left), Fraction(*right)

    @property
    def thermograph(self) -> Thermograph:
        """The thermograph.

        >>> from tablegen import Value
        >>> Value("{3|1}").thermograph.left
        ((Fraction(3, 1), Fraction(-1, 1)), (Fraction(2, 1), Fraction(1, 1)))
        """
        _, _, left, right = _native.value_thermograph(self._number)
        return Thermograph(_corners(left), _corners(right))

    def confused(self, other: Union["Value", int, Fraction]) -> bool:
        """True if neither value is at most the other: the player who moves first wins the difference."""
        return _native.value_compare(self._number, Value(other)._number) is None

    def __add__(self, other: Union["Value", int, Fraction]) -> "Value":
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return _of(_native.value_sum(self._number, Value(other)._number))

    __radd__ = __add__

    def __neg__(self) -> "Value":
        return _of(_native.value_negative(self._number))

    def __sub__(self, other: Union["Value", int, Fraction]) -> "Value":
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return self + -Value(other)

    def __rsub__(self, other: Union[int, Fraction]) -> "Value":
        return Value(other) - self

    def __mul__(self, count: int) -> "Value":
        if not isinstance(count, int):
            return NotImplemented
        return _of(_native.value_multiple(count, self._number))

    __rmul__ = __mul__

    def _compared(self, other: Union["Value", int, Fraction]) -> Optional[int]:
        return _native.value_compare(self._number, Value(other)._number)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Value, int, Fraction)):
            return NotImplemented
        return self._number == Value(other)._number

    def __hash__(self) -> int:
        return hash(self._number)

    def __le__(self, other: Union["Value", int, Fraction]) -> bool:
        return self._compared(other) in (-1, 0)

    def __lt__(self, other: Union["Value", int, Fraction]) -> bool:
        return self._compared(other) == -1

    def __ge__(self, other: Union["Value", int, Fraction]) -> bool:
        return self._compared(other) in (0, 1)

    def __gt__(self, other: Union["Value", int, Fraction]) -> bool:
        return self._compared(other) == 1

    def __str__(self) -> str:
        return _native.value_name(self._number)

    def __repr__(self) -> str:
        return f"Value({str(self)!r})"


class Turn(NamedTuple):
    """A turn of one player on a board whose table has values."""

    move: str
    value: Value
    #: True if no other turn is at least as good in every sum of games.
    best: bool


def _of(number: int) -> Value:
    """The value with a number of the calculator."""
    value = Value.__new__(Value)
    value._number = number
    return value


def _turns(fields: Sequence[Tuple[str, int, bool]]) -> List[Turn]:
    return [Turn(move, _of(number), best) for move, number, best in fields]


def _corners(wall: Sequence[Tuple[_Pair, _Pair]]) -> Tuple[Tuple[Fraction, Fraction], ...]:
    return tuple((Fraction(*temperature), Fraction(*value)) for temperature, value in wall)
