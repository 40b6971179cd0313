#!/usr/bin/env python3
"""Changes the solvers, tables and checks in many small ways, and finds the changes that no test notices.

usage: run.py [--package NAME]... [--count N] [--seed N] [--tests NAME]... [--longest SECONDS] [--budget SECONDS] [--jobs N]
              [--tree FOLDER] [--report FILE] [--again FILE]

A *mutant* is one small change: an operator, a condition, or a whole function that returns a constant. cargo-mutants lists all mutants
and can test one at a time, by compiling it. Here that takes minutes each, so `source.py` compiles a seeded sample at once, each
mutant behind a switch. Every test runs once without mutants, which tells the mutants that it reaches. Then each mutant is
active in turn: the tests that reach it run, the quickest first, until one fails or takes ten times as long. A mutant
survives if all of them pass, or if they have used up the budget.

Needs cargo-mutants, and the Python packages tree-sitter and tree-sitter-rust. `FOLDER` is a copy of the repository, which is changed.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import source

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ["tablegen-" + crate for crate in ("rules", "labels", "work", "index", "search", "simd", "solve", "sweep", "reach", "solvers", "tables")]
# Packages alone would be compiled without this feature.
FEATURES = ["--features", "tablegen-index/compress"]
# A mutant may ask for any memory, and write any file.
LIMITS = [f"--data={16 << 30}", f"--fsize={2 << 30}"]
# The switch is constant, which needs an intrinsic.
ENVIRONMENT = os.environ | {"RUSTC_BOOTSTRAP": "tablegen_mutant", "CARGO_TERM_COLOR": "never"}


def selected(packages):
    """The options of cargo that select packages."""
    return [word for package in packages for word in ("-p", package)]


def sample(packages, count, seed):
    """A seeded sample of the mutants of the packages, by number, and how many there are."""
    listed = subprocess.run(["cargo", "mutants", "--list", "--json", *selected(packages)], cwd=ROOT, check=True, capture_output=True)
    mutants = sorted(json.loads(listed.stdout), key=lambda mutant: mutant["name"])
    drawn = random.Random(seed).sample(mutants, min(count, len(mutants)))
    return dict(enumerate(drawn)), len(mutants)


def cargo(tree, *arguments):
    """Runs cargo in the tree. Returns whether it succeeded, and its messages."""
    done = subprocess.run(["cargo", *arguments, "--offline", "--message-format", "json"], cwd=tree, env=ENVIRONMENT, capture_output=True, text=True)
    return done.returncode == 0, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")], done.stderr


def culprits(tree, messages):
    """The mutants that errors of the compiler point at."""
    found = set()
    for message in messages:
        if message.get("message", {}).get("level") != "error":
            continue
        for span in message["message"]["spans"]:
            # In a macro, the place that calls it.
            while span["expansion"]:
                span = span["expansion"]["span"]
            path = pathlib.Path(span["file_name"])
            if path.is_absolute() or not (tree / path).exists():
                continue
            lines = (tree / path).read_text().split("\n")[span["line_start"] - 1 :]
            before = re.findall(r"mutant\((\d+)\)", lines[0][: span["column_start"]])
            found.update(int(number) for number in before[-1:])
            # A `match` that lacks a case: its arms that a mutant takes away.
            if (message["message"]["code"] or {}).get("code") == "E0004":
                indent = re.match(" *", lines[0])[0]
                arms = itertools.takewhile(lambda line: not line.startswith(indent + "}"), lines)
                found.update(int(number) for line in arms for number in re.findall(r"if !::tablegen_mutant::mutant\((\d+)\)", line))
    return found


def compile_all(tree, packages, mutants, tests):
    """Compiles all mutants of the packages that the compiler accepts, with the tests of the packages `tests`, or all tests if it is empty.
    Returns the other mutants, with the reason, and the test programs."""
    left_out = {}
    # The tests take longer to compile, so only what `check` accepts is compiled with them.
    check = ["check", *selected(packages), *FEATURES]
    test = ["test", "--no-run", *(selected(tests) + FEATURES if tests else ["--workspace"])]
    while True:
        source.write(ROOT, tree, mutants, left_out)
        succeeded, messages, errors = cargo(tree, *check)
        if succeeded:
            succeeded, messages, errors = cargo(tree, *test)
        if succeeded:
            break
        refused = culprits(tree, messages) - left_out.keys()
        if not refused:
            rendered = "".join(message["message"]["rendered"] for message in messages if message.get("message", {}).get("level") == "error")
            sys.exit(f"the mutants do not compile:\n{rendered or errors[-4000:]}")
        print(f"{len(refused)} mutants do not compile", flush=True)
        left_out.update(dict.fromkeys(refused, "does not compile"))
    programs = [
        (message["executable"], pathlib.Path(message["manifest_path"]).parent)
        for message in messages if message.get("executable") and message["profile"]["test"]
    ]
    return left_out, programs


def passes(test, limit, told):
    """Whether the test passes within `limit` seconds of processor time, with `told` as the name of the open file that tells what is
    asked. It may wait ten times as long, because other programs may use the processors."""
    program, folder, name = test
    with tempfile.TemporaryDirectory() as scratch:
        told.touch()
        # Bash opens the file for the test, and for all programs that the test starts.
        opened = ["bash", "-c", f'exec {source.FD}<"$0" "$@"', told]
        limited = ["prlimit", f"--cpu={math.ceil(limit)}", *LIMITS, program, "--exact", name]
        process = subprocess.Popen(
            [*opened, *limited], cwd=folder, env=ENVIRONMENT | {"TMPDIR": scratch},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0,
        )
        try:
            return process.wait(10 * limit) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            # Also what the test started.
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()


def trace(test, longest):
    """Runs a test without mutants. Returns its seconds and the mutants that it reaches, or `None` if it does not pass in time."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        if not passes(test, longest, pathlib.Path(folder, "trace")):
            return None
        return time.monotonic() - begin, {int(name) for name in os.listdir(folder) if name.isdigit()}


def fate(number, tests, budget):
    """What becomes of a mutant: the name of the test that notices it, or `None`, and the seconds spent."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seconds, test in tests:
            if not passes(test, 10 * seconds + 5, pathlib.Path(folder, f"mutant-{number}")):
                return test[2], time.monotonic() - begin
            if time.monotonic() - begin > budget:
                break
    return None, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--package", action="append", help="a package whose mutants are listed [default: all from rules to tables]")
    parser.add_argument("--count", type=int, default=600, help="how many mutants [default: 600]")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample [default: 1]")
    parser.add_argument("--tests", action="append", default=[], metavar="PACKAGE", help="a package whose tests run [default: all]")
    parser.add_argument("--longest", type=float, default=30, help="leave out tests that take more seconds without mutants [default: 30]")
    parser.add_argument("--jobs", type=int, default=2, help="tests at a time [default: 2]")
    parser.add_argument("--budget", type=float, default=60, help="seconds of tests for each mutant [default: 60]")
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT / "target/mutants", help="the copy [default: target/mutants]")
    parser.add_argument("--again", type=pathlib.Path, help="test only the mutants that survive in this report")
    parser.add_argument("--report", type=pathlib.Path, help="write the fate of each mutant to this file, as JSON lines")
    arguments = parser.parse_args()

    tree, packages = arguments.tree, arguments.package or PACKAGES
    if not tree.exists():
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns("target", ".git"))
    mutants, total = sample(packages, arguments.count, arguments.seed)
    chosen = {mutant["name"] for mutant in mutants.values()}
    if arguments.again:
        chosen = {entry["mutant"] for entry in map(json.loads, arguments.again.open()) if entry["noticed by"] is None}
    left_out, programs = compile_all(tree, packages, mutants, arguments.tests)
    print(f"{len(mutants)} of {total} mutants drawn")
    for reason, count in collections.Counter(left_out.values()).items():
        print(f"{count} left out: {reason}")

    tests = []
    for program, folder in programs:
        listed = subprocess.run([program, "--list", "--format", "terse"], cwd=folder, check=True, capture_output=True, text=True).stdout
        ignored = subprocess.run([program, "--list", "--format", "terse", "--ignored"], cwd=folder, capture_output=True, text=True).stdout
        names = set(listed.splitlines()) - set(ignored.splitlines())
        tests += [(program, folder, line.removesuffix(": test")) for line in sorted(names) if line.endswith(": test")]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        traces = list(pool.map(lambda test: trace(test, arguments.longest), tests))
        reaching = collections.defaultdict(list)
        for test, traced in zip(tests, traces):
            for number in traced[1] if traced else ():
                reaching[number].append((traced[0], test))
        failed = [test[2] for test, traced in zip(tests, traces) if traced is None]
        print(f"{len(tests) - len(failed)} tests pass within {arguments.longest:g} seconds; without {', '.join(failed) or 'exception'}", flush=True)

        report = open(arguments.report or os.devnull, "w")
        survivors, active = [], [number for number in mutants if number not in left_out and mutants[number]["name"] in chosen]
        fates = pool.map(lambda number: fate(number, sorted(reaching[number], key=lambda pair: pair[0]), arguments.budget), active)
        for number, (test, seconds) in zip(active, fates):
            name = mutants[number]["name"]
            entry = {"mutant": name, "reached by": len(reaching[number]), "noticed by": test, "seconds": round(seconds, 1)}
            print(json.dumps(entry), file=report, flush=True)
            if test is None:
                survivors.append(name)
                print(f"survives {len(reaching[number])} tests: {name}", flush=True)
    print(f"{len(active) - len(survivors)} of {len(active)} mutants are noticed")


if __name__ == "__main__":
    main()
