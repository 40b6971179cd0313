"""Arrays of boards and labels: their checks and shapes."""

from __future__ import annotations

import operator
from typing import Any, Tuple

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import InputError, ResourceError


def within(number: int, least: int, most: int) -> int:
    number = operator.index(number)
    if not least <= number <= most:
        raise InputError(f"missing: expected a number from {least} to {most}, found {number}")
    return number


def empty_rows(rows: int, cells: int) -> npt.NDArray[np.uint8]:
    """An array with a byte for each board. Raises ``ResourceError`` if the memory is too small."""
    room, needed = _native.memory(), rows << cells
    if room is not None and needed > room:
        raise ResourceError(f"not enough memory: the array takes {needed:,} bytes, {room:,} are available")
    return np.empty((rows, 1 << cells), np.uint8)


def shaped(rows: npt.NDArray[Any], cells: int, axes: str, by_mode: bool) -> npt.NDArray[Any]:
    """The rows with the requested axes."""
    if axes == "cells":
        rows = rows.reshape((len(rows),) + (2,) * cells)
    return rows if by_mode else rows[0]


def board_numbers(boards: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """The board numbers in the format that the library reads."""
    array = np.asarray(boards)
    if array.dtype.kind == "i":
        if array.size and int(array.min()) < 0:
            raise InputError(f"expected board numbers, found {int(array.min())}")
    elif array.dtype.kind != "u" and array.size:
        raise TypeError(f"expected an array of board numbers, such as uint64, found {array.dtype}")
    return np.require(array, np.uint64, ["C_CONTIGUOUS", "ALIGNED"])


def mode_numbers(modes: npt.ArrayLike, shape: Tuple[int, ...]) -> npt.NDArray[np.uint16]:
    """The mode numbers of boards with this shape."""
    array = np.asarray(modes)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"expected a mode name, a number or an array of numbers, found {array.dtype}")
    if array.shape != shape:
        raise InputError(f"expected modes in the shape of the boards, {shape}, found {array.shape}")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 1 << 16:
        raise InputError("expected mode numbers from 0 to 65535, found others")
    return np.require(array, np.uint16, ["C_CONTIGUOUS", "ALIGNED"]).reshape(-1)
