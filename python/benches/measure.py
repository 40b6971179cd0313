"""Compares the package with a loop in Python and with the binary: the figures of docs/contributors/performance.md.

    python python/benches/measure.py target/release/tablegen

Each ratio compares figures of one run. The two programs of a pair run in turn, and the median of each counts.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import tablegen

GAME = {"rows": 5, "cols": 5}
BOARDS, PAIRS, ONE_BY_ONE = 10_000_000, 11, 20_000


def seconds(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tb")
        options = [f"--{key}={value}" for key, value in GAME.items()]
        command = [binary, "build", "tactics", *options, "-o", path]

        def build():
            tablegen.build("tactics", path=path, progress=False, **GAME).close()

        def run():
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        for work in (build, run):
            work()
        pairs = [(seconds(build), seconds(run)) for _ in range(PAIRS)]
        ours, theirs = (statistics.median(side) for side in zip(*pairs))
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"build 5x5: {ours * 1e3:.1f} ms in Python, {theirs * 1e3:.1f} ms the binary, ratio {ratio:.2f}")

        table = tablegen.open(path)
        boards = np.random.default_rng(1).integers(0, 1 << 25, BOARDS, dtype=np.uint64)
        few = [int(board) for board in boards[:ONE_BY_ONE]]
        expected = table.outcomes(boards)

        def loop():
            return [table.probe(board).outcome for board in few]

        pairs = [(seconds(lambda: table.outcomes(boards)) / BOARDS, seconds(loop) / ONE_BY_ONE) for _ in range(PAIRS)]
        bulk, one = (statistics.median(side) for side in zip(*pairs))
        ratio = statistics.median(b / a for a, b in pairs)
        names = {"win": 1, "loss": -1}
        assert [names[outcome] for outcome in loop()] == expected[:ONE_BY_ONE].tolist()
        print(f"outcomes of {BOARDS:,} boards: {1 / bulk / 1e6:.0f} M/s; probe: {1 / one:,.0f}/s; ratio {ratio:,.0f}")
        array = min(seconds(table.array) for _ in range(PAIRS))
        print(f"array of 2^25 outcomes: {array * 1e3:.0f} ms, {(1 << 25) / array / 1e6:.0f} M/s")
        take = min(seconds(lambda: table.array()[boards]) for _ in range(3))
        print(f"the same boards from an array: {take * 1e3:.0f} ms, the array included")


if __name__ == "__main__":
    main(sys.argv[1])
