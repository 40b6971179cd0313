"""Fixtures that tests share: the source folder, the binary and its answers."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def pytest_configure(config):
    # Search only the folders that the tests name, not a folder from the environment.
    os.environ.pop("TABLEGEN_TABLES", None)


class Binary:
    """The command line, for comparison."""

    def __init__(self, path):
        self.path = path

    def run(self, *arguments, input=None):
        run = subprocess.run(
            [self.path, *map(str, arguments)], input=input, capture_output=True, text=True, check=False, cwd=ROOT
        )
        return run.returncode, run.stdout, run.stderr

    def json(self, *arguments, input=None):
        status, out, error = self.run(*arguments, "--json", input=input)
        assert status == 0, error
        return [json.loads(line) for line in out.splitlines()]


@pytest.fixture(scope="session")
def binary():
    named = os.environ.get("TABLEGEN_BIN")
    if named:
        assert Path(named).is_file(), f"$TABLEGEN_BIN: {named} is not there"
        return Binary(named)
    for profile in ("debug", "release"):
        path = ROOT / "target" / profile / "tablegen"
        if path.is_file():
            return Binary(path)
    pytest.skip("no binary to compare with: run 'cargo build'")


@pytest.fixture(scope="session")
def read_table():
    """tests/read_table.py, with a faster hash if there is one: it takes seconds for each MiB by itself."""
    spec = importlib.util.spec_from_file_location("read_table", ROOT / "tests" / "read_table.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["read_table"] = module
    spec.loader.exec_module(module)
    try:
        from blake3 import blake3
    except ImportError:
        return module
    own = module.blake3
    for length in (0, 1, 63, 64, 65, 1024, 1025, 5000):
        data = bytes(i * 7 & 255 for i in range(length))
        assert own(data) == blake3(data).digest()
    module.blake3 = lambda data: blake3(data).digest()
    return module


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, in which tables are looked for and written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLEGEN_TABLES", str(tmp_path))
    return tmp_path
