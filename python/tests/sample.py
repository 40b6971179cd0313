"""A user's program, checked by mypy in strict mode and run: every call with its type."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import tablegen


def symmetric(outcomes: npt.NDArray[np.int8]) -> bool:
    board = outcomes.reshape(4, 4)
    return bool((board == board.T).all())


def main() -> int:
    kayles: tablegen.Rules = tablegen.rules_file("kayles", pins=4)
    own = tablegen.Rules(
        cells=4,
        moves=[1, 2, tablegen.Move(0b1100, full=1)],
        ends=[tablegen.End(0b1111, "draw")],
        terminal="win",
        start=(0, 0),
    )
    moves: list[tablegen.Move] = own.moves
    texts: tuple[str, ...] = tuple(kayles.text(0b1, notation=name) for name in kayles.notations)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kayles.tb"
        with tablegen.build(kayles, labels=("outcome", "nimber"), path=path, progress=False) as table:
            answer: tablegen.Answer = table.probe("X...")
            nimber: int | None = answer.nimber
            written: dict[str, str] = answer.notations
            best: list[str] = [choice.move for choice in answer.best]
            outcomes: npt.NDArray[np.int8] = table.outcomes(np.arange(16, dtype=np.uint64))
            nimbers: npt.NDArray[np.uint8] = table.nimbers(range(16), mode=0)
            lost: list[int] = [position.board for position in table.p_positions()]
            plies: list[str] = [ply.move for ply in table.line()]
            stats, report = table.stats(), table.verify(("bytes", "labels"))
            wins: int = stats["counts"]["win"]
    try:
        tablegen.open("no such game")
    except tablegen.InputError as error:
        print(error)
    solved = tablegen.solve(own, labels="outcome")
    first = answer.moves[0]
    print(nimber, best, lost, len(plies), wins, report["ok"], first.outcome, len(moves), symmetric(outcomes), solved.name, texts, written)
    return int(nimbers.sum()) + int((outcomes == -1).sum())


if __name__ == "__main__":
    print(main())
