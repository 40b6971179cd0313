"""20,000 calls with whatever comes: an answer or an exception of its kind, never a crash, never a wrong answer."""

import random

import numpy as np
import tablegen
from conftest import ROOT

CALLS = 20_000
#: What a wrong call may raise.
EXPECTED = (tablegen.Error, KeyError, TypeError, ValueError, OverflowError)


def junk(draw):
    """A value of any kind."""
    number = draw.choice([0, 1, 2, 3, 7, 15, 255, 65535, 65536, 1 << 31, 1 << 63, 1 << 64, 1 << 80, -1, -(1 << 70)])
    return draw.choice(
        [
            lambda: number, lambda: number ^ draw.getrandbits(20), lambda: float(number), lambda: None, lambda: "",
            lambda: draw.choice(["start", "XX../XX../..../....", "x:3", "0x", "0b1", "{0-1} 1", "win", "-", "\0", "é", "🂓"]),
            lambda: "".join(draw.choice("X.O/ {},-:x01ab\n\0é") for _ in range(draw.randrange(24))),
            lambda: (draw.choice([None, "x", "o", 0, 1, 9, -1, "1", 1.5]), number),
            lambda: (), lambda: (1, 2, 3), lambda: [number], lambda: {"a": 1}, lambda: b"bytes", lambda: object(),
            lambda: np.uint64(draw.getrandbits(16)), lambda: np.int8(-3), lambda: np.arange(draw.randrange(6)),
            lambda: np.array([number % (1 << 63)] * 3), lambda: np.zeros((2, 3)), lambda: np.array("x"),
            lambda: np.array([1, "x"], dtype=object), lambda: np.arange(8, dtype=np.uint64)[::-3],
            lambda: True, lambda: ..., lambda: lambda *a: None, lambda: "x" * 5000, lambda: float("nan"),
        ]
    )()


def damaged(draw, name, folder):
    """A shipped table with some bytes changed, or cut short, or longer."""
    content = bytearray((ROOT / "tables" / name).read_bytes())
    for _ in range(draw.choice([0, 1, 1, 2, 30])):
        at = draw.randrange(len(content)) if draw.random() < 0.5 else draw.randrange(min(5000, len(content)))
        content[at] ^= 1 << draw.randrange(8)
    if draw.random() < 0.2:
        content = content[: draw.randrange(len(content))]
    path = folder / f"{draw.randrange(4)}.tb"
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    return path


def test_twenty_thousand_calls(here):
    draw = random.Random(1919)
    names = ["tactics-4x4-run4-misere.tb", "tictactoe.tb", "dominoes-5-normal.tb"]
    sound = {name: tablegen.open(ROOT / "tables" / name) for name in names}
    truth = {name: table.outcomes(np.arange(512), mode=0, missing=9) for name, table in sound.items()}
    small = ["tactics", "kayles", "cram", "mnk", "nim"]

    def one(table, name):
        """A call of one of the functions, with junk in some of its places."""
        a, b, c = junk(draw), junk(draw), junk(draw)
        calls = [
            lambda: table.probe(a), lambda: table.probe(a).to_dict(), lambda: repr(table.probe(a)),
            lambda: table.probe(a)._repr_html_(), lambda: table.line(a), lambda: table.rules.text(a),
            lambda: table.rules.draw(a), lambda: table.rules.replies(a), lambda: table.rules.position(a),
            lambda: table.outcomes(a), lambda: table.outcomes(a, mode=b), lambda: table.outcomes(a, mode=b, missing=c),
            lambda: table.remoteness(a, mode=b), lambda: table.nimbers(a, missing=3),
            lambda: table.array(a), lambda: table.array("remoteness", mode=a), lambda: table.array("outcome", axes=a),
            lambda: table.verify(a, progress=False), lambda: table.verify("bytes", sample=a, seed=b, progress=False),
            lambda: table.verify("labels", sample=20, seed=3, progress=False),
            lambda: next(table.rows(a), None), lambda: table.to_arrow(a).__arrow_c_stream__(), lambda: table[a], lambda: a in table,
            lambda: table[a, b], lambda: next(table.rows(f"filled {draw.choice('<=>!(')} {a}"), None),
            lambda: table.probe((a, b)), lambda: next(iter(table)), lambda: table.info(), lambda: table.counts,
            lambda: tablegen.Rules(cells=a, moves=[b]), lambda: tablegen.Rules(cells=4, moves=[1, b], start=c),
            lambda: tablegen.Rules(cells=4, moves=[tablegen.Move(1, a, b, c)]), lambda: tablegen.Rules(cells=3, moves=a),
            lambda: tablegen.Rules(cells=3, moves=[1], ends=[tablegen.End(a, b, c)]),
            lambda: tablegen.Rules(cells=4, moves=[tablegen.Move(a, clears=b)], players=c),
            lambda: tablegen.Game("x", board={"row": a}).move(shape=b).rules(),
            lambda: tablegen.Rules(cells=3, moves=[1], modes=a, terminal=b, name=c),
            lambda: tablegen.Rules(cells=4, moves=[1], grid=a), lambda: tablegen.Rules(cells=4, moves=[1], grid=(a, b)),
            lambda: tablegen.rules(draw.choice(small), **{draw.choice(["rows", "cols", "play", "pins", "k"]): a}),
            lambda: tablegen.rules(a), lambda: tablegen.rules_file(a), lambda: tablegen.open(a, tables=here),
            lambda: tablegen.open("kayles", pins=3, limit=a), lambda: tablegen.open("kayles", tables=a, pins=2),
            lambda: tablegen.solve("kayles", pins=3, labels=a), lambda: tablegen.solve("kayles", pins=3, solver=a),
            lambda: tablegen.solve("kayles", pins=3, symmetry=a, solver="sparse"),
            lambda: tablegen.solve("kayles", pins=3, memory=a, threads=draw.choice([None, 0, 1, 2, b])),
            lambda: tablegen.build("kayles", pins=3, path=here / "out.tb", labels=a),
            lambda: tablegen.build(b, path=here / "out.tb", force=a),
        ]
        # Queries about many boards and about one board must both give a right answer, or raise an exception.
        if draw.random() < 0.05:
            found = table.outcomes(np.arange(512), mode=0, missing=9)
            assert (found == truth[name]).all(), name
            board = draw.randrange(512)
            if truth[name][board] != 9:
                assert {"win": 1, "draw": 0, "loss": -1}[table.probe((0, board)).outcome] == truth[name][board], name
        if draw.random() < 0.01:
            table.close()
        return draw.choice(calls)()

    raised, table, name = 0, sound[names[0]], names[0]
    for number in range(CALLS):
        if number % 40 == 0:
            name = draw.choice(names)
            try:
                table = tablegen.open(damaged(draw, name, here) if draw.random() < 0.7 else ROOT / "tables" / name)
            except EXPECTED:
                raised += 1
                table = tablegen.open(ROOT / "tables" / name)
        try:
            one(table, name)
        except EXPECTED as error:
            assert not (type(error) is tablegen.Error), error
            raised += 1
    assert CALLS // 5 < raised < CALLS
