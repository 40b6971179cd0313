"""Follows the advice of errors, which must work."""

import pytest
import tablegen

LONG = {"toads": 2, "gap": 20, "frogs": 2}


def advised(call, advice):
    """Makes a call that fails; the error ends with the advice."""
    with pytest.raises(tablegen.Error) as raised:
        call()
    assert str(raised.value).endswith(advice), raised.value


def test_arrays():
    sparse = tablegen.solve("cram", rows=3, cols=3, solver="sparse")
    dense = ', or build it with solver="dense"'
    for call in (sparse.array, sparse.reachable, lambda: sparse.array("nimber", axes="cells")):
        advised(call, "look up boards with outcomes, remoteness or nimbers" + dense)
    for look_up in (sparse.outcomes, sparse.remoteness, sparse.nimbers):
        assert look_up([0]).shape == (1,)
    assert tablegen.solve("cram", rows=3, cols=3, solver="dense").array().shape == (1 << 9,)
    # The moves of this game empty cells, so no solver labels every board.
    advised(tablegen.solve("amazons").array, "look up boards with outcomes, remoteness or nimbers")


def test_labels(here):
    few = tablegen.build("cram", rows=3, cols=3, solver="dense", path=here / "cram.tb")
    adds = "tablegen.build(…, labels=…) adds labels to a table"
    advised(lambda: few.nimbers([0]), adds)
    more = tablegen.build("cram", rows=3, cols=3, labels=("outcome", "nimber"), path=here / "cram.tb")
    assert more.nimbers([0]).shape == (1,)
    advised(lambda: tablegen.solve("domineering", labels=("remoteness", "nimber")), "its labels are outcome, remoteness")
    assert tablegen.solve("domineering", labels=("outcome", "remoteness")).labels == ("outcome", "remoteness")


def test_play_that_is_longer_than_remoteness_can_encode():
    advised(lambda: tablegen.solve("toads-and-frogs", **LONG, labels="remoteness"), 'labels="outcome"')
    assert tablegen.solve("toads-and-frogs", **LONG, labels="outcome").labels == ("outcome",)
    # Without named labels, all labels that fit are solved.
    for table in (tablegen.solve("toads-and-frogs", **LONG), tablegen.open("toads-and-frogs", **LONG)):
        assert table.labels == ("outcome", "value") and table.probe().outcome == "loss"


def test_solvers_and_places(here):
    advised(lambda: tablegen.solve("clobber", solver="dense"), 'solver="sparse" solves it')
    assert tablegen.solve("clobber", solver="sparse").probe().outcome
    tablegen.build("kayles", path=here / "a.tb")
    advised(lambda: tablegen.build("nim", path=here / "a.tb"), "give another path=, or replace it with force=True")
    assert tablegen.build("nim", path=here / "b.tb").name == tablegen.build("nim", path=here / "a.tb", force=True).name
    advised(lambda: tablegen.open("kayles", pins=5).probe("?"), "tablegen.games() shows how positions are written")
    advised(lambda: tablegen.open("chess"), "tablegen.games() lists the games, tablegen.tables() the tables")
