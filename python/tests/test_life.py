"""Tables in threads, processes and pickles; work that is watched and stopped."""

import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import tablegen
from conftest import ROOT


def test_a_closed_table_says_so(here):
    with tablegen.open("tactics") as table:
        answer = table.probe("XX../XX../..../....")
        losses = table.p_positions()
        next(losses)
    assert table.closed and repr(table) == "<tablegen.Table, closed>"
    uses = [
        table.probe, table.line, table.stats, table.info, table.verify, table.array, lambda: table.outcomes([1]),
        lambda: table.name, lambda: table.rules, lambda: table.labels, lambda: table.counts, lambda: table.path,
        lambda: list(table), lambda: pickle.dumps(table), lambda: table.source,
    ]
    for use in uses:
        with pytest.raises(tablegen.InputError, match="closed"):
            use()
    table.close()
    # Objects taken from a table stay usable after it is closed.
    assert answer.moves[0].move == "c3" and "WIN in 10" in repr(answer) and next(losses).board == 19
    assert "<svg" in answer._repr_html_()


def test_pickles(here):
    built = tablegen.build("kayles", pins=8, path="kayles.tb")
    again = pickle.loads(pickle.dumps(built))
    assert (again.path, again.counts) == (str(here / "kayles.tb"), built.counts)
    mapped = pickle.loads(pickle.dumps(tablegen.open("kayles.tb", mmap=True, limit=7)))
    assert mapped._reopen == (7, True)
    inside = pickle.loads(pickle.dumps(tablegen.open("tactics")))
    assert inside.name == "tactics-4x4-run4-misere" and inside.path is None
    with pytest.raises(pickle.PicklingError, match="no file"):
        pickle.dumps(tablegen.solve("kayles"))
    (here / "kayles.tb").unlink()
    with pytest.raises(tablegen.TableError):
        pickle.loads(pickle.dumps(built))
    for rules in (built.rules, tablegen.Rules(cells=4, moves=[1, 2, 4, 8], grid=(2, 2)), tablegen.rules("tictactoe")):
        assert pickle.loads(pickle.dumps(rules)) == rules
        assert pickle.loads(pickle.dumps(rules)).draw() == rules.draw()


def test_threads():
    table = tablegen.open("tactics")
    boards = np.arange(1 << 16, dtype=np.uint64)
    expected, wrong = table.array(), []

    def work(seed):
        draw = np.random.default_rng(seed)
        for _ in range(20):
            some = draw.permutation(boards)[:5000]
            if not (table.outcomes(some) == expected[some]).all():
                wrong.append(seed)
            board = int(draw.integers(1 << 16))
            if {"win": 1, "loss": -1}[table.probe(board).outcome] != expected[board]:
                wrong.append(board)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def in_child(table, boards):
    return table.outcomes(boards).sum(), tablegen.solve("kayles", pins=6).probe().nimber


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method):
    """A forked process has no threads of its parent's pool."""
    table, boards = tablegen.open("tactics"), np.arange(1 << 16, dtype=np.uint64)
    expected = in_child(table, boards)
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = [pool.apply_async(in_child, (table, boards)) for _ in range(4)]
        assert all(one.get(timeout=60) == expected for one in found)


LONG = """
import os, sys, tablegen
print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("stopped", os.listdir("."), flush=True)
"""


@pytest.mark.parametrize(
    "call",
    [
        'tablegen.build("tactics", rows=5, cols=6, labels=("outcome", "remoteness"), path="x.tb", threads=1)',
        'tablegen.solve("mnk", rows=4, cols=5, k=4, solver="sparse")',
        'tablegen.solve("tactics", rows=4, cols=6).verify("oracle", all=True)',
    ],
)
def test_ctrl_c_stops_work_and_leaves_nothing(call, here):
    run = subprocess.Popen([sys.executable, "-c", LONG.format(call=call)], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "begun\n"
    time.sleep(0.4)
    run.send_signal(signal.SIGINT)
    sent = time.monotonic()
    out, _ = run.communicate(timeout=60)
    assert out == "stopped []\n" and run.returncode == 0
    assert time.monotonic() - sent < 20


def test_progress_is_told_and_may_stop():
    told = []
    tablegen.solve("tactics", rows=4, cols=6, labels="remoteness", progress=lambda *news: told.append(news), threads=1)
    phases = {phase for phase, _, _ in told}
    assert phases <= {"memory", "sweeping", "counting", "remoteness", "finding", "labelling"}
    assert all(total is None or 0 <= done <= total for _, done, total in told)

    class Enough(Exception):
        pass

    def stop(*_):
        raise Enough

    with pytest.raises(Enough):
        tablegen.solve("mnk", rows=4, cols=4, k=4, solver="sparse", progress=stop)


def test_bars_are_drawn_by_tqdm_if_it_is_there(monkeypatch, capsys):
    from tablegen import _progress

    pytest.importorskip("tqdm")
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    with _progress.shown(True, "game") as report:
        report("sweeping", 5, 10)
        report("sweeping", 10, 10)
        report("writing", 1, None)
    assert "game: sweeping" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with _progress.shown(True, "game") as report:
        report("sweeping", 5, 10)
    assert capsys.readouterr().err == ""
    with _progress.shown(False, "game") as report:
        assert report is None


def test_a_damaged_table_is_built_again_with_a_warning(here):
    table = tablegen.build("kayles", labels="nimber", path="k.tb")
    content = bytearray((here / "k.tb").read_bytes())
    content[-5000] ^= 1
    (here / "k.tb").write_bytes(content)
    with pytest.warns(UserWarning, match="none of its labels were reused"):
        again = tablegen.build("kayles", labels="remoteness", path="k.tb")
    assert again.labels == ("outcome", "remoteness", "nimber") and again.verify()["ok"]
    assert table.counts == again.counts


def test_a_check_that_fails_is_an_exception(here):
    content = bytearray((ROOT / "tables" / "tactics-4x4-run4-misere.tb").read_bytes())
    content[9000] ^= 4
    (here / "d.tb").write_bytes(content)
    with tablegen.open("d.tb") as table:
        with pytest.raises(tablegen.CheckError, match="build it again") as raised:
            table.verify()
        assert raised.value.report["ok"] is False and "checksum" in raised.value.report["checks"][0]["finding"]
        for use in (table.array, table.stats, lambda: list(table), lambda: table.outcomes(range(1 << 16))):
            with pytest.raises(tablegen.TableError, match="build it again"):
                use()


def test_where_tables_are_looked_for(here, monkeypatch):
    folder = here / "mine"
    folder.mkdir()
    table = tablegen.build("kayles", pins=5, tables=folder)
    assert table.path == str(folder / "kayles-5-normal.tb")
    assert tablegen.open("kayles", pins=5, tables=folder).source == "table"
    assert tablegen.open("kayles-5-normal", tables=folder).source == "table"
    assert tablegen.open("kayles", pins=5).source == "solved"
    monkeypatch.setenv("TABLEGEN_TABLES", str(folder))
    assert tablegen.open("kayles", parameters={"pins": 5}).source == "table"
    (here / "file").write_text("")
    with pytest.raises(tablegen.InputError, match="folder of tables"):
        tablegen.open("kayles", tables=here / "file")
    with pytest.raises(tablegen.InputError, match="leave it out"):
        tablegen.open(folder / "kayles-5-normal.tb", pins=5)


def test_rules_files_and_lists_by_path_and_by_text(here):
    text = 'name = "own-{n}"\nparameters = { n = 6 }\nboard = { row = "n" }\nmove = [{ shape = "XX" }]\n'
    (here / "own.toml").write_text(text)
    rules = tablegen.rules_file(text, n=7)
    assert rules == tablegen.rules_file(here / "own.toml", n=7) == tablegen.rules_file("own.toml", n=7)
    assert rules.name == "own-7" and tablegen.rules("own.toml", n=7) == rules
    assert tablegen.build(rules).path == str(here / "own-7.tb")
    assert tablegen.open("own.toml", n=7).source == "table" and tablegen.open(rules).source == "table"
    (here / "words.txt").write_text("tea\nant\n")
    lists = [here / "words.txt", "words.txt", "tea\nant\n", ["tea", "ant"], ("tea", "ant")]
    assert len({tablegen.rules("shiritori", words=words) for words in lists}) == 1
    with pytest.raises(tablegen.InputError, match="built-in"):
        tablegen.rules_file("tactics")
    with pytest.raises(tablegen.InputError, match="own.toml: line 1"):
        (here / "own.toml").write_text("name = 7\n")
        tablegen.rules_file(here / "own.toml")
    for bad in ({"n": 1.5}, {"n": None}, {"n": [1]}):
        with pytest.raises(TypeError):
            tablegen.rules_file(text, **bad)
