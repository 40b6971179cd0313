"""Runs the examples of the documentation: docstrings, the pages about Python, the notebooks. Checks types."""

import doctest
import importlib
import json
import re
import subprocess
import sys

import numpy as np
import pytest
import tablegen
from conftest import ROOT

OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = ["tablegen", "tablegen._answer", "tablegen._game", "tablegen._rows", "tablegen._rules", "tablegen._table"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name, here):
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert tried > 3 and not failed


def test_all_public_names_are_documented():
    for name in tablegen.__all__:
        item = getattr(tablegen, name)
        assert item.__doc__, name
        for part, value in vars(item).items() if isinstance(item, type) else ():
            if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{part}"


def test_only_public_names_are_listed():
    assert [name for name in dir(tablegen) if not name.startswith("__")] == sorted(tablegen.__all__)


def test_the_pages(here):
    pages = [(ROOT / "docs" / "how-to" / name).read_text() for name in ["python.md", "python-arrays.md"]]
    blocks = re.findall(r"^```pycon\n(.*?)^```$", "".join(pages), re.DOTALL | re.MULTILINE)
    assert len(blocks) > 8
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names = {"__name__": "__main__"}
    for number, block in enumerate(blocks):
        test = parser.get_doctest(block, names, f"docs/how-to/python*.md, block {number}", None, 0)
        runner.run(test, clear_globs=False)
        names.update(test.globs)
    assert runner.summarize().failed == 0


NOTEBOOKS = sorted(path.name for path in (ROOT / "python" / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_notebooks(name, here):
    import nbclient
    import nbformat

    path = ROOT / "python" / "examples" / name
    notebook = nbformat.read(path, as_version=4)
    shown = [cell.get("outputs", []) for cell in notebook.cells]
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": here}}).execute()
    found = [cell.get("outputs", []) for cell in notebook.cells]

    def text(outputs):
        """The printed and displayed text, without the bytes of pictures. A kernel may send what one cell prints in several parts."""
        return "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)

    assert [text(outputs) for outputs in shown] == [text(outputs) for outputs in found]
    has_picture = any("image/png" in output.get("data", {}) for outputs in found for output in outputs)
    assert has_picture == ("plt.show()" in path.read_text())
    json.dumps(notebook)


def test_the_page_lists_the_notebooks():
    page = (ROOT / "docs" / "how-to" / "python.md").read_text()
    assert sorted(re.findall(r"^\| `(\w+\.ipynb)` \|", page, re.MULTILINE)) == NOTEBOOKS


#: What mypy knows of NumPy is kept between runs.
MYPY = [sys.executable, "-m", "mypy", f"--cache-dir={ROOT / 'target' / 'mypy'}"]


def test_mypy_is_content():
    run = subprocess.run(
        MYPY, cwd=ROOT / "python", capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_mypy_finds_wrong_calls(here):
    (here / "wrong.py").write_text(
        "import tablegen\n"
        "table = tablegen.open(3)\n"
        "table.probe(1.5)\n"
        "tablegen.build('cram', labels='plies')\n"
        "tablegen.Rules(cells='4', moves=[])\n"
        "x: int = table.probe().outcome\n"
    )
    run = subprocess.run(
        [*MYPY, "--strict", "wrong.py"], capture_output=True, text=True, check=False
    )
    assert [f"wrong.py:{line}: error" in run.stdout for line in range(2, 7)] == [True] * 5, run.stdout


def test_the_sample_runs(here):
    run = subprocess.run([sys.executable, ROOT / "python" / "tests" / "sample.py"], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1].isdigit() and "tablegen.games() lists" in run.stdout


@pytest.mark.parametrize("name", [game["name"] for game in tablegen.games()])
def test_every_game_is_drawn_for_notebooks(name):
    texts = {"graph": "a b\nb c\nc a\nc d\n", "words": ["tea", "ant", "tat", "tar"]}
    needs = {"trail": "graph", "shiritori": "words"}.get(name)
    small = {"dominoes": {"n": 3}, **dict.fromkeys(("nine-mens-morris", "lasker-morris", "morabaraba"), {"men": 3})}
    table = tablegen.open(name, parameters={needs: texts[needs]} if needs else small.get(name, {}))
    draw = np.random.default_rng(3)
    answer = table.probe()
    while True:
        html = answer._repr_html_()
        assert html.count("<svg") == html.count("</svg>") == (0 if name == "shiritori" else 1)
        assert answer.position in repr(answer) and answer.outcome.upper() in repr(answer)
        if not answer.moves:
            break
        answer = table.probe(answer.moves[int(draw.integers(len(answer.moves)))].position)
    assert "the game is over" in html


def test_the_name_of_a_game_cannot_break_the_page():
    rules = tablegen.rules_file('name = "x"\nboard = { row = 2 }\nmove = [{ shape = "X" }]\n')
    assert "<b>x</b>" in tablegen.solve(rules).probe()._repr_html_()
    words = tablegen.solve("shiritori", words=["<b>", "b<i>", "a&b"])
    html = words.probe()._repr_html_()
    assert "<b>,"  not in html and "<code><b>" not in html


def test_the_version_is_that_of_the_program():
    cargo = (ROOT / "Cargo.toml").read_text()
    assert f'version = "{tablegen.__version__}"' in cargo.partition("[workspace.package]")[2]
