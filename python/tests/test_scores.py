"""Games that count points: rules, builds, look-ups and answers, held against the definition of the score."""

import pickle
import random
from functools import lru_cache

import numpy as np
import pytest
import tablegen
from test_binary import options
from test_games import again

NO_SCORE = -128


def points(worth, board):
    """The points of an end; an outcome is a draw."""
    if isinstance(worth, tablegen.Most):
        return bin(board & worth.own).count("1") - bin(board & worth.other).count("1")
    return worth if isinstance(worth, int) else {"draw": 0}[worth]


def scorer(rules):
    """A function of a mode and a board: the score by its definition."""
    moves, ends = rules.moves, rules.ends
    terminals = rules.terminals or (rules.terminal,) * len(rules.modes)

    @lru_cache(maxsize=None)
    def score(mode, board):
        for end in ends:
            if end.mode == mode and board & end.pattern == end.pattern and not board & end.empty:
                return points(end.outcome, board)
        legal = [m for m in moves if m.mode == mode and not board & m.empty and board & m.full == m.full]
        if not legal:
            return points(terminals[mode], board)
        keeps = lambda m: rules.players[mode] == rules.players[m.next] if rules.players else m.again
        after = [(m.gain, keeps(m), score(m.next, board & ~m.clears | m.fills)) for m in legal]
        return max(gain + (rest if stays else -rest) for gain, stays, rest in after)

    return score


def random_rules(draw, times=1):
    """Rules with gains, moves again and ends of every kind. Points are multiples of ``times``."""
    cells, modes = draw.randint(2, 7), draw.randint(1, 2)
    full, has_players = (1 << cells) - 1, modes == 2 and draw.random() < 0.5
    moves = []
    for _ in range(draw.randint(1, 10)):
        fills = 1 << draw.randrange(cells)
        filled = draw.randint(0, full) & ~fills if draw.random() < 0.4 else 0
        mode, next = draw.randrange(modes), draw.randrange(modes)
        stays = not has_players and draw.random() < 0.3
        moves.append(tablegen.Move(fills, fills, filled, mode, next, gain=times * draw.randint(-2, 3), again=stays))

    def worth():
        counted = tablegen.Most(draw.randint(0, full), draw.randint(0, full))
        return draw.choice(["draw", times * draw.randint(-5, 5), counted])

    ends = [tablegen.End(draw.randint(1, full), worth(), draw.randrange(modes)) for _ in range(draw.choice([0, 1, 2]))]
    return tablegen.Rules(
        cells=cells, moves=moves, ends=ends, modes=[f"m{mode}" for mode in range(modes)], terminal="draw",
        terminals=draw.choice([[], [worth() for _ in range(modes)]]), players=["first", "second"] * has_players,
    )


def test_random_rules_have_the_scores_of_the_definition():
    draw, dense = random.Random(67), 0
    for _ in range(60):
        rules = random_rules(draw)
        for copy in (again(rules), pickle.loads(pickle.dumps(rules))):
            assert copy == rules and copy.hash == rules.hash and (copy.moves, copy.ends) == (rules.moves, rules.ends)
        if "score" not in rules.labels:
            continue
        table, score = tablegen.solve(rules, solver=draw.choice([None, "sparse"])), scorer(rules)
        boards = np.arange(1 << rules.cells, dtype=np.uint64)
        for mode in range(len(rules.modes)):
            expected = np.array([score(mode, int(board)) for board in boards])
            found = table.scores(boards, mode=mode, missing=NO_SCORE)
            is_held = found != NO_SCORE
            assert found.dtype == np.int8 and (found == expected)[is_held].all()
            outcomes = table.outcomes(boards, mode=mode, missing=9)
            assert (outcomes == np.sign(expected))[is_held].all() and ((outcomes != 9) == is_held).all()
        mode, board = rules.start[0]
        assert table[mode, board].score == table.probe().score == score(mode, board)
        if table.info()["solver"] == "dense":
            dense += 1
            rows = table.array("score").reshape(len(rules.modes), -1)
            assert rows.dtype == np.int8
            assert (rows == [[score(mode, int(board)) for board in boards] for mode in range(len(rows))]).all()
    assert dense > 5


def test_scores_of_many_points_are_int16():
    draw, wide, dense = random.Random(68), 0, 0
    for _ in range(30):
        rules = random_rules(draw, draw.randint(50, 200))
        if "score" not in rules.labels:
            continue
        table, score = tablegen.solve(rules, labels="score"), scorer(rules)
        boards = np.arange(1 << rules.cells, dtype=np.uint64)
        least = {np.dtype(np.int8): -128, np.dtype(np.int16): -32768}[table.scores(boards[:0]).dtype]
        for mode in range(len(rules.modes)):
            expected = np.array([score(mode, int(board)) for board in boards])
            found = table.scores(boards, mode=mode, missing=least)
            assert (found == expected)[found != least].all()
            if table.info()["solver"] == "dense" and least == -32768:
                dense += 1
                array = table.array("score", mode=mode)
                assert array.dtype == np.int16 and (array == expected).all()
        columns = table.rows(columns=["score"])
        assert max(abs(row.score) for row in columns) <= (126 if least == -128 else 32766)
        wide += least == -32768
        with pytest.raises(tablegen.InputError):
            table.scores(boards, missing=least - 1)
    assert wide > 20 and dense > 5


def test_wrong_points_are_refused():
    for wrong in (
        dict(moves=[tablegen.Move(1, gain=1025)], terminal="draw"),
        dict(moves=[tablegen.Move(1, gain=1 << 20)], terminal="draw"),
        dict(moves=[tablegen.Move(1, gain=1)], terminal="loss"),
        dict(moves=[tablegen.Move(1, again=True)], players=["first"]),
        dict(moves=[1], ends=[tablegen.End(1, "won")]),
        dict(moves=[1], ends=[tablegen.End(1, 1025)]),
        dict(moves=[1], ends=[tablegen.End(1, tablegen.Most(4, 1))]),
    ):
        with pytest.raises(tablegen.InputError):
            tablegen.Rules(cells=2, **wrong)


@pytest.mark.parametrize("name, parameters", [("dots-and-boxes", {"rows": 1}), ("score-lines", {"line": 2}), ("kayles", {})])
def test_a_build_has_the_labels_of_the_command(name, parameters, binary, here):
    status, _, error = binary.run("build", name, *options(name, parameters, here), "-o", here / "binary.tb")
    assert status == 0, error
    table = tablegen.build(name, path=here / "package.tb", **parameters)
    assert (here / "binary.tb").read_bytes() == (here / "package.tb").read_bytes()
    assert table.labels == (("outcome",) if name == "kayles" else ("outcome", "score"))
    # Outcomes do not follow from each other where moves gain points.
    assert tablegen.solve(name, labels="outcome", **parameters).labels == table.labels


def test_rows_columns_and_statistics_count_scores(binary, here):
    pyarrow = pytest.importorskip("pyarrow")
    table = tablegen.build("dots-and-boxes", rows=1, path=here / "boxes.tb")
    rows, columns = list(table.rows()), pyarrow.table(table.to_arrow())
    assert columns["score"].type == pyarrow.int8()
    assert columns["score"].to_pylist() == [row.score for row in rows]
    assert [row.score for row in rows] == table.scores([row.board for row in rows]).tolist()
    few = [row for row in rows if row.score <= -1]
    assert few and list(table.rows("score <= -1")) == few
    histogram = {row["score"]: row["count"] for row in table.stats()["score"]}
    scores = [row.score for row in rows]
    assert histogram == {score: scores.count(score) for score in range(min(scores), max(scores) + 1)}
    assert table.stats() == binary.json("stats", here / "boxes.tb")[0]
    assert table.info() == binary.json("info", here / "boxes.tb")[0]


def test_answers_count_leads(binary):
    table = tablegen.solve("dots-and-boxes", rows=1)
    # One line is left. It closes a box.
    text = "#X#X#/X#X#X/#X#.#"
    for lead, outcome in ((0, "win"), (-1, "draw"), (-2, "loss")):
        answer = table.probe(f"{text} {lead:+}" if lead else text)
        assert (answer.lead, answer.score, answer.outcome) == (lead, 1, outcome)
        (choice,) = answer.moves
        assert (choice.gain, choice.score, choice.outcome) == (1, 1, outcome)
        assert f"score +1" in repr(answer) and "<th>score</th>" in answer._repr_html_() and "+1" in answer._repr_html_()
        assert table.probe(choice.position).lead == lead + 1
    line = table.line(f"{text} -2")
    assert [(ply.gain, ply.score, ply.again) for ply in line] == [(1, 1, True)] and line.winner == "o"
    # A stored position has no lead.
    assert table[text].score == 1
    for ask in (lambda: table[f"{text} -2"], lambda: f"{text} -2" in table):
        with pytest.raises(tablegen.InputError, match="Table.probe counts it"):
            ask()
