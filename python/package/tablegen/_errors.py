"""The exceptions of the package: one for each exit status of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._types import Verification


class Error(Exception):
    """The base of all errors. The message says what was expected, what was found, and what to try."""


class InputError(Error, ValueError):
    """An invalid request: an unknown game, an invalid position, bad rules (exit status 2)."""


class TableError(Error):
    """A table that cannot be used: missing, damaged, in another format version, or for other rules (exit status 3)."""


class ResourceError(Error, MemoryError):
    """Not enough memory or disk (exit status 4)."""


class CheckError(Error):
    """A check of a table failed (exit status 1). ``report`` is the result of :meth:`Table.verify`."""

    def __init__(self, message: str, report: Optional[Verification] = None) -> None:
        super().__init__(message)
        self.report = report
