#!/usr/bin/env python3
"""Injects faults into tables and builds, and checks that no fault leads to a wrong answer or a lost table.

usage: run.py [--long] [--seed N] PROGRAM

PROGRAM is the binary `tablegen`. The short form, which the gate runs, injects few faults of each kind; `--long` injects
all that docs/contributors/tests.md lists. The script needs a C compiler (`cc`) for failing_calls.c. It prints one line per check,
and ends with status 1 at the first fault that does harm.
"""

import argparse
import csv
import errno
import io
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent

# Every kind of table: the arguments of a build that takes a fraction of a second.
KINDS = {
    "dense": "tactics --rows 3 --cols 4 --labels outcome,remoteness",
    "dense, compressed": "tactics --labels outcome,remoteness --compress on",
    "dense, up to symmetry": "tactics --rows 4 --cols 4 --symmetry always",
    "dense, reachability bits": "dominoes --n 4 --solver dense --labels outcome,remoteness,nimber",
    "two-colour": "tictactoe --solver two-colour --symmetry none --labels outcome,remoteness",
    "two-colour, up to symmetry": "tictactoe --solver two-colour --symmetry always",
    "sparse": "dominoes --n 4 --solver sparse --symmetry none --labels outcome,remoteness,nimber",
    "sparse, up to symmetry": "dominoes --n 5 --solver sparse --symmetry always",
    "cyclic": "three-mens-morris",
    "values": "domineering --set rows=3 --set cols=3 --labels value",
}

# Builds of every kind that take long enough to be killed. Builds by slices leave checkpoints.
SLOW = {
    "in memory": "tactics --rows 5 --cols 5 --labels outcome,remoteness",
    "by slices": "tactics --rows 5 --cols 5 --labels outcome,remoteness --memory 60MiB",
    "two-colour": "mnk --rows 3 --cols 4 --k 4 --labels outcome,remoteness --solver two-colour --symmetry none",
    "two-colour, by slices": "mnk --rows 4 --cols 4 --k 4 --solver two-colour --memory 26MiB --compress on",
    "sparse": "mnk --rows 3 --cols 4 --k 4 --labels outcome,remoteness --solver sparse",
    "cyclic": "achi",
    "values": "domineering --set rows=4 --set cols=4 --labels value",
}


class Harm(Exception):
    """A fault that led to a wrong answer, a lost table, or an unexpected end."""


class Lab:
    """A folder for tables, and the program under test."""

    def __init__(self, program, folder, draw):
        self.program, self.folder, self.draw = program, folder, draw
        # The gate's own settings must not reach the program.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("TABLEGEN_")}

    def path(self, name):
        return str(self.folder / name)

    def run(self, *arguments, stdin=None, **environment):
        """Runs the program. Returns its status, standard output and standard error."""
        done = subprocess.run(
            [self.program, "--tables", self.path("tables"), *arguments],
            input=stdin, capture_output=True, text=True, timeout=600, cwd=self.folder, env=self.environment | environment,
        )
        return done.returncode, done.stdout, done.stderr

    def expect(self, *arguments, stdin=None):
        """Runs the program, which must succeed. Returns its standard output."""
        status, out, error = self.run(*arguments, stdin=stdin)
        if status != 0:
            raise Harm(f"{' '.join(arguments)} ends with {status}: {error}")
        return out

    def build(self, arguments, name):
        self.expect("build", *arguments.split(), "--force", "-o", name)
        return (self.folder / name).read_bytes()

    def write(self, name, data):
        (self.folder / name).write_bytes(data)

    def refused(self, statuses, run, what):
        """The run must end with one line of error and one of `statuses`."""
        status, _, error = run
        if status not in statuses or error.count("error:") != 1 or "panicked" in error:
            raise Harm(f"{what}: expected one error and a status of {sorted(statuses)}, found {status}: {error}")


class Answers:
    """Outcomes of positions of a sound table, for comparison with a damaged copy."""

    def __init__(self, lab, table, count):
        rows = list(csv.DictReader(io.StringIO(lab.expect("export", table, "--label", "outcome", "--format", "csv"))))
        # The text of a position says everything; a game may leave its mode out.
        self.rows = lab.draw.sample(rows, min(count, len(rows)))
        self.positions = "".join(row["position"] + "\n" for row in self.rows)

    def compare(self, out, what):
        """Each line of `out` must be the outcome of its position, or an error."""
        for row, line in zip(self.rows, out.splitlines()):
            if line != row["outcome"] and not line.startswith("error"):
                raise Harm(f"{what}: {row['position']} is answered {line}, but it is {row['outcome']}")

    def check(self, lab, table, what):
        """Probes `table`: each answer must be right, or an error. Returns whether there was an error."""
        status, out, error = lab.run("probe", table, "--batch", "--brief", stdin=self.positions)
        if status not in (0, 2, 3) or "panicked" in error:
            raise Harm(f"{what}: a probe ends with {status}: {error}")
        self.compare(out, what)
        if status == 0 and len(out.splitlines()) != len(self.rows):
            raise Harm(f"{what}: a probe answers {len(out.splitlines())} of {len(self.rows)} positions")
        return status != 0


def flips(lab, count):
    """Flips single bits of each kind of table. `verify` must notice each, and no probe may give a wrong answer."""
    for kind, arguments in KINDS.items():
        sound = lab.build(arguments, "sound.tb")
        answers, errors = Answers(lab, "sound.tb", 20), 0
        if lab.run("verify", "sound.tb", "--level", "bytes")[0] != 0 or answers.check(lab, "sound.tb", kind):
            raise Harm(f"{kind}: the sound table does not pass")
        # Where the header or the checksums of a table are small, chance would rarely meet them.
        regions = [range(4096 * 8), range(len(sound) * 8)]
        for turn in range(count):
            bit = lab.draw.choice(regions[turn % 2])
            damaged = bytearray(sound)
            damaged[bit // 8] ^= 1 << bit % 8
            lab.write("damaged.tb", damaged)
            what = f"{kind}, bit {bit} flipped"
            lab.refused({1, 3}, lab.run("verify", "damaged.tb", "--level", "bytes"), what)
            errors += answers.check(lab, "damaged.tb", what)
        print(f"flips: {kind}: {count} of {count} bits noticed by verify, {errors} by a probe of 20 positions, no wrong answer", flush=True)


def cuts(lab, count):
    """Cuts each kind of table, and makes it longer, at every class of length: near each end, page and power of two."""
    for kind, arguments in KINDS.items():
        sound = lab.build(arguments, "sound.tb")
        answers, size = Answers(lab, "sound.tb", 20), len(sound)
        edges = {0, 8, 16, 88, size, size + 4096, size + (1 << 20), *range(0, size, 4096), *(1 << bit for bit in range(24))}
        lengths = {length + more for length in edges for more in (-1, 0, 1) if length + more >= 0 and length + more != size}
        chosen = sorted(lengths) if count is None else lab.draw.sample(sorted(lengths), count)
        for length in chosen:
            lab.write("damaged.tb", sound[:length] + bytes(max(length - size, 0)))
            what = f"{kind}, {length} bytes instead of {size}"
            lab.refused({1, 3}, lab.run("verify", "damaged.tb", "--level", "bytes"), what)
            if not answers.check(lab, "damaged.tb", what):
                raise Harm(f"{what}: a probe succeeds")
        print(f"cuts: {kind}: {len(chosen)} lengths refused", flush=True)


def kills(lab, count):
    """Kills builds of every kind at random moments. An older table stays whole, and the next build has the same bytes."""
    for kind, arguments in SLOW.items():
        begun = time.monotonic()
        sound = lab.build(arguments, "sound.tb")
        seconds, older, early = time.monotonic() - begun, lab.build("tactics", "older.tb"), 0
        for turn in range(count):
            replaces = turn % 2 == 0
            if replaces:
                lab.write("it.tb", older)
            command = [lab.program, "build", *arguments.split(), "--force", "-o", "it.tb"]
            child = subprocess.Popen(command, cwd=lab.folder, env=lab.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(lab.draw.uniform(0, seconds))
            child.kill()
            child.wait()
            table = lab.folder / "it.tb"
            found = table.read_bytes() if table.exists() else None
            if found != sound:
                early += 1
                if found != (older if replaces else None):
                    raise Harm(f"kills: {kind}: the older table is lost, or a table is not whole")
            if lab.build(arguments, "it.tb") != sound:
                raise Harm(f"kills: {kind}: the next build has other bytes")
            table.unlink()
            left = sorted(name for name in os.listdir(lab.folder) if name not in ("sound.tb", "older.tb", "damaged.tb", "tables"))
            if left:
                raise Harm(f"kills: {kind}: the next build leaves {left}")
        print(f"kills: {kind}: {count} builds killed, {early} of them before the end; tables whole, equal bytes afterwards", flush=True)


def failures(lab, count):
    """Lets each write and each read of builds and probes fail in turn, at most `count` of a kind."""
    library = lab.path("failing_calls.so")
    compiled = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, str(HERE / "failing_calls.c"), "-ldl"])
    if compiled.returncode != 0:
        raise Harm("failing_calls.c does not compile")

    def run(kind, at, number, *arguments, stdin=None):
        preload = {
            "LD_PRELOAD": library, "FAULT_FOLDER": str(lab.folder.resolve()), "FAULT_KIND": kind, "FAULT_AT": str(at),
            "FAULT_ERRNO": str(number),
        }
        if at == 0:
            preload["FAULT_COUNT"] = lab.path("count")
        return lab.run(*arguments, stdin=stdin, **preload)

    older = lab.build("tactics --rows 2 --cols 2", "older.tb")
    for kind, arguments in KINDS.items():
        sound = lab.build(arguments, "sound.tb")
        answers = Answers(lab, "sound.tb", 20)
        build = ["build", *arguments.split(), "--force", "-o", "it.tb"]
        probe = ["probe", "sound.tb", "--batch", "--brief"]
        tried = harmless = 0
        for calls, number in [("write", errno.ENOSPC), ("write", errno.EIO), ("read", errno.EIO)]:
            lab.write("it.tb", older)
            run(calls, 0, 0, *build)
            total = int((lab.folder / "count").read_text())
            moments = range(1, total + 1)
            for at in moments if count is None or total <= count else sorted(lab.draw.sample(moments, count)):
                lab.write("it.tb", older)
                what = f"{kind}: {calls} {at} of {total} of a build fails with {errno.errorcode[number]}"
                done = run(calls, at, number, *build)
                found = (lab.folder / "it.tb").read_bytes()
                tried += 1
                if done[0] == 0 and found == sound:
                    harmless += 1
                    continue
                # An error after the table has its name says so; the table is whole.
                # A place that cannot be written to is bad input (2), as its name was given.
                lab.refused({2, 3, 4}, done, what)
                if found not in (older, sound):
                    raise Harm(f"{what}: the table is neither the older nor the new one")
                if lab.build(arguments, "it.tb") != sound:
                    raise Harm(f"{what}: the next build has other bytes")
        run("read", 0, 0, *probe, stdin=answers.positions)
        total = int((lab.folder / "count").read_text())
        for at in range(1, total + 1):
            status, out, error = run("read", at, errno.EIO, *probe, stdin=answers.positions)
            tried += 1
            if status not in (0, 2, 3, 4) or "panicked" in error:
                raise Harm(f"{kind}: a probe whose read {at} fails ends with {status}: {error}")
            answers.compare(out, f"{kind}: a probe whose read {at} fails")
        print(f"failures: {kind}: {tried} calls failed, {harmless} of them without consequence; no table lost", flush=True)
    (lab.folder / "it.tb").unlink(missing_ok=True)


def replacements(lab, count):
    """Replaces a table `count` times while 8 processes and 64 threads of requests to a server probe it."""
    for name, labels in [("one.tb", "outcome"), ("two.tb", "outcome,remoteness")]:
        lab.build(f"tactics --rows 4 --cols 5 --labels {labels}", name)
    versions = [(lab.folder / name).read_bytes() for name in ("one.tb", "two.tb")]
    answers = Answers(lab, "one.tb", 50)
    folder = lab.folder / "tables"
    folder.mkdir(exist_ok=True)
    table = folder / "tactics-4x5-run4-misere.tb"
    table.write_bytes(versions[0])
    served = subprocess.Popen(
        [lab.program, "--tables", str(folder), "serve", "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=lab.environment,
    )
    address = next(word for word in served.stdout.readline().split() if word.startswith("http://")).rstrip("/")
    ended, harm, asked = threading.Event(), [], [0, 0]

    def ask_server(seed):
        draw = random.Random(seed)
        while not ended.is_set():
            row = draw.choice(answers.rows)
            query = urllib.parse.urlencode({"game": "tactics", "rows": 4, "cols": 5, "position": row["position"]})
            try:
                with urllib.request.urlopen(f"{address}/api/v1/probe?{query}", timeout=60) as answer:
                    text = answer.read().decode()
            except urllib.error.HTTPError as error:
                # The server may say that a table changed just now, but may not answer wrongly.
                text = None if error.code == 503 else harm.append(f"status {error.code}: {error.read().decode()}")
            if text is not None and f'"outcome":"{row["outcome"]}"' not in text.split('"moves"')[0]:
                harm.append(f"the server answers {row['position']} with {text[:200]}")
            asked[0] += 1

    def ask_processes():
        while not ended.is_set():
            try:
                if answers.check(lab, str(table), "a table that is replaced"):
                    harm.append("a process finds a damaged table")
            except Harm as found:
                harm.append(str(found))
            asked[1] += 1

    threads = [threading.Thread(target=ask_server, args=(seed,)) for seed in range(64)]
    threads += [threading.Thread(target=ask_processes) for _ in range(8)]
    for thread in threads:
        thread.start()
    try:
        for turn in range(count):
            fresh = folder / "fresh"
            fresh.write_bytes(versions[turn % 2])
            os.replace(fresh, table)
            time.sleep(0.05)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        served.terminate()
        served.wait()
    if harm:
        raise Harm(f"replacements: {harm[0]}")
    print(f"replacements: {count} while 64 threads asked a server {asked[0]} times and 8 processes made {asked[1]} runs of 50 probes", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("program", help="the binary of tablegen")
    arguments.add_argument("--long", action="store_true", help="inject all faults instead of a few of each kind")
    arguments.add_argument("--seed", type=int, default=1, help="seed of the random choices [default: 1]")
    arguments.add_argument("--only", help="run one check: flips, cuts, kills, failures or replacements")
    chosen = arguments.parse_args()
    # Counts: bits of each kind of table, lengths, kills of each kind of build, failing calls, replacements.
    counts = {"flips": 10_000, "cuts": None, "kills": 200, "failures": None, "replacements": 100}
    if not chosen.long:
        counts = {"flips": 12, "cuts": 6, "kills": 2, "failures": 3, "replacements": 10}
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(str(pathlib.Path(chosen.program).resolve()), pathlib.Path(folder), random.Random(chosen.seed))
        try:
            for check in (flips, cuts, kills, failures, replacements):
                if chosen.only in (None, check.__name__):
                    check(lab, counts[check.__name__])
        except Harm as harm:
            sys.exit(f"a fault does harm: {harm}")


if __name__ == "__main__":
    main()
