#!/usr/bin/env python3
"""Reads Parquet and Arrow files that `tablegen export` writes, and compares them with its CSV.

usage: read_columns.py PROGRAM

PROGRAM is the binary `tablegen`, compiled with the feature `columns`. The script needs pyarrow. It ends with status 1 at the first
difference.
"""

import collections
import csv
import io
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import pyarrow.ipc
import pyarrow.parquet

# Every kind of table, and conditions for each.
KINDS = {
    "dense": "tactics --labels outcome,remoteness",
    "dense, up to symmetry": "tactics --symmetry always",
    "dense, reachability bits": "dominoes --n 4 --solver dense --labels outcome,remoteness,nimber,misere-nimber",
    "two-colour": "tictactoe --solver two-colour --labels outcome,remoteness",
    "sparse, up to symmetry": "dominoes --n 5 --solver sparse --symmetry always --labels outcome,remoteness,nimber",
    "cyclic": "three-mens-morris --labels outcome,remoteness",
    "scores": "dots-and-boxes --set rows=1 --labels outcome,score",
    "wide boards": "mnk --rows 1 --cols 33 --k 1 --labels outcome",
}
CONDITIONS = [None, "outcome=loss and filled<6", "outcome!=win or not filled<=4"]
# An export of a large table must not take more memory than this, in MiB.
MOST_MEMORY = 400


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        run = lambda *arguments: subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True, text=True)
        for name, build in KINDS.items():
            run("build", *build.split(), "-o", "it.tb", "--force")
            labels = [label for label in build.split()[-1].split(",") if "--labels" in build] or ["outcome"]
            for condition in CONDITIONS:
                compare(run, pathlib.Path(folder), labels, condition)
            print(f"{name}: equal")
        memory(program, folder)


def compare(run, folder, labels, condition):
    where = ["--where", condition] if condition else []
    lines = {}
    for label in labels:
        text = run("export", "it.tb", "--label", label, "--format", "csv", *where).stdout
        lines[label] = [list(line.values()) for line in csv.DictReader(io.StringIO(text))]
    for kind in ("parquet", "arrow"):
        run("export", "it.tb", "--format", kind, "-o", "it." + kind, *where)
        if kind == "parquet":
            table = pyarrow.parquet.read_table(folder / "it.parquet")
        else:
            table = pyarrow.ipc.open_file(folder / "it.arrow").read_all()
        table.validate(full=True)
        rows = table.to_pylist()
        for label, expected in lines.items():
            found = []
            for row in rows:
                value = row[label.replace("-", "_")]
                value = "repetition" if value is None else str(value)
                found.append([row["mode"] or "-", str(row["board"]), row["position"] or "", value])
            assert found == expected, (kind, label, condition)
        assert all(row["reachable"] is not False for row in rows), kind
        if condition is None:
            sizes = collections.Counter((row["class_mode"], row["class_board"]) for row in rows)
            assert all(sizes[row["class_mode"], row["class_board"]] == row["class_size"] for row in rows), kind


def memory(program, folder):
    """Files of a table with 2^24 positions, of which few may be in memory."""
    subprocess.run([program, "build", "tactics", "--rows", "4", "--cols", "6", "-o", "big.tb"], cwd=folder, check=True, capture_output=True)
    for kind in ("parquet", "arrow"):
        limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY << 20, MOST_MEMORY << 20))
        command = [program, "export", "big.tb", "--format", kind, "-o", "big." + kind]
        environment = {**os.environ, "RAYON_NUM_THREADS": "2"}
        subprocess.run(command, cwd=folder, check=True, preexec_fn=limit, env=environment)
        size = os.path.getsize(os.path.join(folder, "big." + kind)) >> 20
        print(f"{kind}: {size} MiB in less than {MOST_MEMORY} MiB of memory")


main()
