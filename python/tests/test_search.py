"""Games without a table are searched."""

import pickle

import pytest
import tablegen

LATE = "......./......./......./OO...../OOX..../OXXX..O x"


def test_a_large_game_is_searched():
    table = tablegen.open("connect-four", rows=6, cols=7)
    assert table.source == "search" and table.path is None and "no table" in repr(table)
    answer = table.probe(LATE)
    assert answer.source == "search" and answer.outcome == "win" and answer.moves[0].outcome == "win"
    assert table.line(LATE).end["over"]
    for needs_table in (lambda: table.counts, lambda: len(table), table.info, lambda: table.labels):
        with pytest.raises(tablegen.TableError, match="tablegen.build"):
            needs_table()
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(table)


def test_a_search_finds_plies_if_they_are_asked_for():
    text = "X...../X...../...XX./....../...... right"
    table = tablegen.open("domineering", rows=5, cols=6)
    with_plies = table.probe(text, labels="remoteness")
    assert with_plies.outcome == table.probe(text).outcome and with_plies.remoteness == len(table.line(text, labels="remoteness"))
    with pytest.raises(tablegen.InputError, match="labels"):
        table.probe(text, labels="nimber")


def test_limits_are_positions_or_times():
    for limit in (100, "20ms"):
        assert tablegen.open("connect-four", rows=6, cols=7, limit=limit).probe().outcome == "unknown"
    for limit in ("5d", "", -1):
        with pytest.raises(tablegen.InputError, match="limit"):
            tablegen.open("tactics", limit=limit)


def test_a_hopeless_solve_is_refused():
    with pytest.raises(tablegen.ResourceError, match="not enough memory"):
        tablegen.solve("connect-four", rows=6, cols=7)
