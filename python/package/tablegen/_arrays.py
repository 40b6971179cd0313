"""Arrays of boards and labels: their checks and shapes."""

from __future__ import annotations

import operator
import warnings
from typing import Any, List, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import InputError, ResourceError

#: The most axes of an array that other packages show and slice fast.
_MOST_AXES = 12


def within(number: int, least: int, most: int) -> int:
    number = operator.index(number)
    if not least <= number <= most:
        raise InputError(f"missing: expected a number from {least} to {most}, found {number}")
    return number


def empty_rows(rows: int, cells: int, dtype: npt.DTypeLike = np.uint8) -> npt.NDArray[Any]:
    """An array with a number for each board. Raises ``ResourceError`` if the memory is too small."""
    room, needed = _native.memory(), (rows << cells) * np.dtype(dtype).itemsize
    if room is not None and needed > room:
        raise ResourceError(f"not enough memory: the array takes {needed:,} bytes, {room:,} are available")
    return np.empty((rows, 1 << cells), dtype)


def check_axes(axes: str, cells: int) -> None:
    """Refuses unknown axes. Warns the caller of the calling method of many axes."""
    if axes not in ("boards", "cells"):
        raise InputError(f"axes: expected boards or cells, found {axes!r}")
    if axes == "cells" and cells > _MOST_AXES:
        reason = f"axes=\"cells\" makes an array with {cells} axes, and other packages may be slow above {_MOST_AXES}"
        warnings.warn(f"{reason}; axes=\"boards\" has one axis for all boards", stacklevel=3)


def shaped(rows: npt.NDArray[Any], cells: int, axes: str, by_mode: bool) -> npt.NDArray[Any]:
    """The rows with the requested axes."""
    if axes == "cells":
        rows = rows.reshape((len(rows),) + (2,) * cells)
    return rows if by_mode else rows[0]


def board_list(
    boards: npt.ArrayLike, cells: int
) -> Tuple[Union[npt.NDArray[np.uint64], List[str]], Tuple[int, ...]]:
    """The boards in a form that the library reads, board numbers or texts, and their shape."""
    if isinstance(boards, (list, tuple)) and set(map(type, boards)) == {str}:
        # An array of texts would have to be turned back into texts.
        return list(boards), (len(boards),)
    array = np.asarray(boards)
    # NumPy makes floats of a list of integers on both sides of 2^63.
    if array.dtype.kind == "f" and array.size and not hasattr(boards, "dtype"):
        array = np.asarray(boards, dtype=object)
    kind = array.dtype.kind
    if kind == "i":
        if array.size and int(array.min()) < 0:
            raise InputError(f"expected board numbers, found {int(array.min())}")
    elif kind in "OUT" and array.size:
        return _objects(array.reshape(-1).tolist(), cells), array.shape
    elif kind != "u" and array.size:
        raise TypeError(f"expected an array of board numbers, such as uint64, or of texts, found {array.dtype}")
    if cells > 64 and array.size:
        return _objects(array.reshape(-1).tolist(), cells), array.shape
    return np.require(array, np.uint64, ["C_CONTIGUOUS", "ALIGNED"]).reshape(-1), array.shape


def _objects(items: List[Any], cells: int) -> Union[npt.NDArray[np.uint64], List[str]]:
    """Integers or texts: numbers of 64 bits if all are integers on boards of at most 64 cells, otherwise texts."""
    kinds = set(map(type, items))
    if kinds == {str}:
        return items
    for kind in kinds:
        if kind is bool or not (kind is str or hasattr(kind, "__index__")):
            raise TypeError(f"expected an array of board numbers, such as uint64, or of texts, found {kind.__name__}")
    integers = [operator.index(item) for item in items if not isinstance(item, str)]
    negative = next((item for item in integers if item < 0), None)
    if negative is not None:
        raise InputError(f"expected board numbers, found {negative}")
    if cells <= 64 and str not in kinds and max(integers) < 1 << 64:
        return np.array(integers, np.uint64)
    return [item if isinstance(item, str) else hex(operator.index(item)) for item in items]


def mode_numbers(modes: npt.ArrayLike, shape: Tuple[int, ...], names: Sequence[str]) -> npt.NDArray[np.uint16]:
    """The mode numbers of boards with this shape, from numbers or names. An exported column has no names if there is only one mode."""
    array = np.asarray(modes)
    if array.dtype.kind in "OUT" and array.size:
        numbers = {name: number for number, name in enumerate(names)}
        absent = 0 if len(names) == 1 else None
        items = array.reshape(-1).tolist()
        found = [numbers.get(item, item) if isinstance(item, str) else absent if item is None or item != item else item for item in items]
        unknown = next((item for item, number in zip(items, found) if number is None or isinstance(number, str)), None)
        if unknown is not None or None in found:
            raise InputError(f"expected one of the modes {', '.join(names)}, found {unknown!r}")
        array = np.array(found).reshape(array.shape)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"expected a mode name, a number or an array of them, found {array.dtype}")
    if array.shape != shape:
        raise InputError(f"expected modes in the shape of the boards, {shape}, found {array.shape}")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 1 << 16:
        raise InputError("expected mode numbers from 0 to 65535, found others")
    return np.require(array, np.uint16, ["C_CONTIGUOUS", "ALIGNED"]).reshape(-1)
