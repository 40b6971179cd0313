"""Rows: iteration, conditions, look-ups by position, columns for other programs, masked arrays."""

import csv
import io

import numpy as np
import pytest
import tablegen

GAMES = [
    ("cram", {"rows": 3, "cols": 3}, "dense"),
    ("cram", {"rows": 3, "cols": 3}, "sparse"),
    ("tictactoe", {}, "two-colour"),
    ("dominoes", {"n": 4}, "dense"),
]


def solved(name, parameters, solver):
    return tablegen.solve(name, solver=solver, **parameters)


@pytest.mark.parametrize("name, parameters, solver", GAMES)
def test_rows_equal_look_ups(name, parameters, solver):
    table = solved(name, parameters, solver)
    rows = list(table.rows())
    assert len(rows) == len(table) == sum(table.counts.values()) and table
    assert len({(row.mode, row.board) for row in rows}) == len(rows)
    for row in rows[::7]:
        assert table[row.mode, row.board] == row and (row.mode, row.board) in table
        if row.position:
            assert table[row.position] == row and row.position in table
            answer = table.probe(row.position)
            assert (answer.outcome, answer.remoteness, answer.nimber) == (row.outcome, row.remoteness, row.nimber)
    losses = {(row.mode, row.board) for row in rows if row.outcome == "loss" and row.position}
    assert {tuple(position) for position in table.p_positions()} == losses
    assert list(table) == [(row.mode, row.board) for row in rows]


@pytest.mark.parametrize("name, parameters, solver", GAMES)
def test_a_condition_is_a_filter(name, parameters, solver):
    table = solved(name, parameters, solver)
    all_rows = list(table.rows())
    cases = {
        "outcome=loss and filled<6": lambda row: row.outcome == "loss" and bin(row.board).count("1") < 6,
        "remoteness>3 or not filled>=2": lambda row: row.remoteness > 3 or bin(row.board).count("1") < 2,
    }
    for condition, keeps in cases.items():
        assert list(table.rows(condition)) == [row for row in all_rows if keeps(row)]
    assert all(row.reachable for row in table.rows("reachable"))
    assert all(row.reachable is False for row in table.rows("not reachable"))


def test_rows_equal_the_export_of_the_binary(binary):
    table = tablegen.open("tictactoe")
    for where in ("filled<=4", "outcome=draw and remoteness=2"):
        status, out, error = binary.run("export", "tictactoe", "--label", "remoteness", "--format", "csv", "--where", where)
        assert status == 0, error
        lines = list(csv.DictReader(io.StringIO(out)))
        found = [(row.mode, str(row.board), row.position, str(row.remoteness)) for row in table.rows(where)]
        assert found == [tuple(line.values()) for line in lines]


def test_wrong_conditions_and_positions():
    table = tablegen.open("tictactoe")
    for wrong, message in {
        "outcom=loss": "did you mean outcome",
        "nimber=0": "expected a table with nimber",
        "filled<": "column 8: expected a number, found the end",
    }.items():
        for ask in (table.rows, table.to_arrow):
            with pytest.raises(tablegen.InputError, match=message):
                ask(wrong)
    # A domino fills two cells.
    for cram in (solved("cram", {"rows": 3, "cols": 3}, solver) for solver in ("dense", "sparse")):
        assert "XX./.../..." in cram and "X../.../..." not in cram
        with pytest.raises(KeyError, match="not a reachable position"):
            cram["X../.../..."]
    with pytest.raises(tablegen.InputError):
        table["X.O"]
    with pytest.raises(TypeError):
        1.5 in table
    rows = table.rows()
    next(rows)
    table.close()
    # What has begun stays valid, like arrays and answers.
    assert sum(1 for _ in rows) == 5477
    with pytest.raises(tablegen.InputError, match="closed"):
        table.rows()


def test_rows_are_read_when_they_are_needed():
    table = tablegen.solve("cram", rows=4, cols=5, solver="dense", labels="outcome")
    first = next(table.rows())
    assert (first.board, first.position, first.remoteness) == (0, "...../...../...../.....", None)


def test_masked_arrays():
    table = tablegen.solve("cram", rows=3, cols=3, solver="dense")
    for axes in ("boards", "cells"):
        found = table.array("nimber", axes=axes, masked=True)
        reachable = table.reachable(axes=axes)
        assert isinstance(found, np.ma.MaskedArray) and (found.mask == ~reachable).all()
        assert found.max() == table.array("nimber", axes=axes)[reachable].max() and found.count() == len(table)
    with pytest.raises(tablegen.InputError, match="expected a dense table"):
        tablegen.open("tictactoe").array(masked=True)


@pytest.mark.parametrize("name, parameters, solver", GAMES)
def test_columns_equal_rows(name, parameters, solver):
    pyarrow = pytest.importorskip("pyarrow")
    table = solved(name, parameters, solver)
    columns = table.to_arrow()
    found = pyarrow.table(columns)
    found.validate(full=True)
    assert found.schema == pyarrow.schema(columns) and found.schema.names == list(columns.names)
    rows = list(table.rows())
    for name in tablegen.Row._fields:
        values = [getattr(row, name) for row in rows]
        assert found[name].to_pylist() == values if name in found.schema.names else set(values) == {None}
    # Each class of `n` positions has `n` rows, which share their representative and their labels.
    classes = {}
    for row in found.to_pylist():
        classes.setdefault((row["class_mode"], row["class_board"]), []).append(row)
    for (mode, board), members in classes.items():
        assert {row["class_size"] for row in members} == {len(members)}
        assert len({(row["outcome"], row["remoteness"]) for row in members}) == 1
        assert any((row["mode"], row["board"]) == (mode, board) for row in members)


def test_a_stream_can_be_left_and_read_again():
    pyarrow = pytest.importorskip("pyarrow")
    table = tablegen.solve("tactics", rows=4, cols=5, labels="outcome")
    columns = table.to_arrow()
    columns.__arrow_c_stream__()
    columns.__arrow_c_schema__()
    reader = pyarrow.RecordBatchReader.from_stream(columns)
    batch = reader.read_next_batch()
    del reader
    table.close()
    assert batch.num_rows >= 1 << 16 and batch["board"][5].as_py() == 5
    with pytest.raises(tablegen.InputError):
        table.to_arrow()


@pytest.mark.parametrize("module, least", [("pandas", "3"), ("polars", "1.3"), ("duckdb", "1.4")])
def test_other_programs_take_the_columns(module, least):
    program = pytest.importorskip(module, least)
    table = tablegen.open("tictactoe")
    columns = table.to_arrow("outcome = draw")
    if module == "pandas":
        draws = len(program.DataFrame.from_arrow(columns))
    elif module == "polars":
        draws = program.DataFrame(columns).height
    else:
        draws = program.sql("select count(*) from columns").fetchall()[0][0]
    assert draws == table.counts["draw"]


def test_columns_are_chosen_by_name():
    table = tablegen.open("tictactoe")
    names = ["position", "pieces_first", "pieces_second", "moves", "best_move"]
    rows = list(table.rows("filled >= 6", columns=names))
    assert rows[0]._fields == tuple(names) and len(rows) == sum(1 for _ in table.rows("filled >= 6"))
    for row in rows[::17]:
        answer = table.probe(row.position)
        assert row.pieces_first == row.position.count("X") and row.pieces_second == row.position.count("O")
        assert row.moves == len(answer.moves)
        assert row.best_move == (answer.moves[0].move if answer.moves else None)
    pyarrow = pytest.importorskip("pyarrow")
    found = pyarrow.table(table.to_arrow("filled >= 6", columns=names))
    assert [tuple(row.values()) for row in found.to_pylist()] == rows
    for ask in (table.rows, table.to_arrow):
        with pytest.raises(tablegen.InputError, match="columns: expected one of mode"):
            ask(columns=["colour"])
        with pytest.raises(tablegen.InputError, match="expected a table with value"):
            ask(columns=["value"])


def test_values_of_boards_are_columns():
    table = tablegen.solve("domineering", rows=2, cols=3)
    names = ["position", "value", "mean_numerator", "mean_denominator", "temperature_numerator", "temperature_denominator"]
    for row in table.rows(columns=names):
        value = table.probe(row.position).value
        assert str(value) == row.value
        assert (value.mean.numerator, value.mean.denominator) == row[2:4]
        assert (value.temperature.numerator, value.temperature.denominator) == row[4:6]
