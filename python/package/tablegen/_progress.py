"""Progress of long work, by tqdm where it is installed."""

from __future__ import annotations

import time
import warnings
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

from ._types import Progress

#: Seconds of work without a progress bar.
PATIENCE = 0.5


@contextmanager
def shown(progress: Progress, name: str) -> Iterator[Optional[Callable[[str, int, Optional[int]], object]]]:
    """Yields a function that shows progress of work on ``name``, or ``None`` if progress is off."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    bars = _Bars(name)
    try:
        yield bars
    finally:
        bars.close()


class _Bars:
    """One bar for each phase. tqdm is imported only when the first bar appears."""

    def __init__(self, name: str) -> None:
        self._name, self._begun = name, time.monotonic()
        self._bar: Optional[Any] = None
        self._shown: Optional[tuple[str, Optional[int]]] = None

    def __call__(self, phase: str, done: int, total: Optional[int]) -> None:
        if time.monotonic() - self._begun < PATIENCE:
            return
        if self._shown != (phase, total):
            self.close()
            self._shown = (phase, total)
            self._bar = _bar(f"{self._name}: {phase}", total)
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _bar(title: str, total: Optional[int]) -> Any:
    """A bar of tqdm, if it is installed."""
    try:
        with warnings.catch_warnings():
            # A notebook without widgets falls back to a text bar, and tqdm's warning about it is not needed.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm

            return tqdm(desc=title, total=total, leave=False, unit_scale=True)
    except ImportError:
        return None
