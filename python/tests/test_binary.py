"""The binary and the package, object for object."""

import random

import pytest
import tablegen
from conftest import ROOT

HARD = ROOT / "tests" / "data" / "shiritori"
WORDS = "tea\nant\ntat\neel\nlea\nalee\nenact\ntoe\n"

#: Games, their parameters, and positions that are no moves away from the start.
CASES = [
    ("tactics", {}, ["XX../XX../..../....", "65535", "0xcc00", "0b1100_1100_0000_0000"]),
    ("tactics", {"rows": 3, "cols": 4, "play": "normal"}, []),
    ("tictactoe", {}, ["X.O/.X./..O", "XXX/OO./...", "o:0x2000", "XO./.../..."]),
    ("dominoes", {"n": 5}, ["0-1 1-3", "{0-1,1-3} 3", "{} 2"]),
    ("mnk", {"rows": 2, "cols": 3, "k": 3}, ["XO./..."]),
    ("kayles", {"pins": 9}, ["XX......."]),
    ("domineering", {"rows": 3, "cols": 4}, ["right:0"]),
    ("connect-four", {"rows": 3, "cols": 3, "line": 3}, []),
    ("sim", {}, []),
    ("nim", {}, []),
    ("dots-and-boxes", {"rows": 1}, ["#.#.#/X#.#X/#X#X# x-2", "#X#X#/X#X#X/#X#.# +1"]),
    # The start of this game is a draw by repetition.
    ("dodgem", {"size": 4}, []),
    ("kalah", {"houses": 2, "seeds": 2}, ["0,3:1/2,2:0 second", "4,0:1/0,0:3"]),
    ("trail", {"graph": "a b\nb c\nc a\nc d\nd e\n"}, ["a-b b-c", "{a-b} b"]),
    ("shiritori", {"words": WORDS}, ["tea", "{tea} a", "{tea,alee} e"]),
]


def options(name, parameters, folder):
    bundled = tablegen.games()
    is_file = any(game["name"] == name and "rules_file" in game for game in bundled)
    for key, value in parameters.items():
        if is_file:
            yield from ("--set", f"{key}={value}")
        elif isinstance(value, str) and "\n" in value:
            path = folder / f"{key}.txt"
            path.write_text(value)
            yield from (f"--{key}", path)
        else:
            yield from (f"--{key}", value)


def facts(answer):
    """An answer without its source: ``open`` solves a small game at once, and the binary first searches for a moment. The table of
    a solved game also knows of more positions that play does not reach them."""
    kept = dict(answer)
    kept.pop("reachable", None)
    if kept["source"] in ("solved", "search"):
        del kept["source"]
    return kept


@pytest.mark.parametrize("name, parameters, texts", CASES)
def test_probe_and_line(name, parameters, texts, binary, here):
    tables = here if name in ("tictactoe", "dominoes", "tactics") else ROOT / "tables"
    given = list(options(name, parameters, here))
    table = tablegen.open(name, tables=tables, **parameters)
    # The test asks about positions along random games, which come from earlier answers.
    draw, positions = random.Random(name), list(texts)
    for _ in range(12):
        answer = table.probe()
        while answer.moves:
            choice = draw.choice(answer.moves)
            positions.append(choice.position)
            answer = table.probe(choice.position)
    found = binary.json("probe", name, *given, "--batch", "--tables", tables, input="\n".join(positions) + "\n")
    assert len(found) == len(positions)
    for text, expected in zip(positions, found):
        assert expected.pop("input") == text
        if "error" in expected:
            with pytest.raises(tablegen.InputError):
                table.probe(text)
        else:
            answer = table.probe(text)
            assert facts(answer.to_dict()) == facts(expected), text
            same(answer, answer.to_dict())
    assert facts(table.probe().to_dict()) == facts(binary.json("probe", name, *given, "--tables", tables)[0])
    for text in [None, *positions[:3]]:
        asked = [] if text is None else [text]
        try:
            line = table.line(text)
        except tablegen.InputError:
            continue
        assert facts(line.to_dict()) == facts(binary.json("line", name, *asked, *given, "--tables", tables)[0])


def same(answer, expected):
    """The properties of an answer, and its JSON object."""
    keys = ["game", "position", "outcome", "over", "remoteness", "nimber", "source", "mode", "board"]
    assert [getattr(answer, key) for key in keys] == [expected[key] for key in keys]
    assert answer.outcome_class == expected.get("outcome_class")
    assert (answer.score, answer.lead) == (expected.get("score"), expected.get("lead", 0))
    keys = ["move", "position", "outcome", "remoteness", "nimber"]
    assert [[getattr(m, key) for key in keys] for m in answer.moves] == [[m[key] for key in keys] for m in expected["moves"]]
    points = [(m.score, m.gain) for m in answer.moves]
    assert points == [(m.get("score"), m.get("gain", 0)) for m in expected["moves"]]
    # Only draws by repetition have this key.
    found = [answer.repetition, *(m.repetition for m in answer.moves)]
    assert found == [of.get("repetition", False) for of in (expected, *expected["moves"])]
    assert ("by repetition" in repr(answer)) == answer.repetition


@pytest.mark.parametrize("name, parameters", [(name, parameters) for name, parameters, _ in CASES if name != "tactics"])
def test_positions_by_number(name, parameters):
    table = tablegen.open(name, tables=ROOT / "tables", **parameters)
    for choice in table.probe().moves:
        if choice.board is None:
            continue
        by_number = table.probe((choice.mode, choice.board))
        assert by_number.position == choice.position or name == "shiritori"
        assert table.rules.position((choice.mode, choice.board)) == (choice.mode, choice.board)


def test_info_stats_list_and_verify(binary, here):
    tables = ROOT / "tables"
    for name in ("tactics-4x4-run4-misere", "tictactoe", "dominoes-5-normal"):
        path = tables / f"{name}.tb"
        table = tablegen.open(path)
        assert table.info() == binary.json("info", path)[0]
        assert table.stats() == binary.json("stats", path)[0]
        expected, found = binary.json("verify", path)[0], table.verify()
        assert [{**check, "seconds": 0} for check in found["checks"]] == [
            {**check, "seconds": 0} for check in expected["checks"]
        ]
        assert found["ok"] and found["source"] == expected["source"]
        few = table.verify(["labels", "oracle"], sample=50, seed=3)
        assert [check["sample"] for check in few["checks"]] == [{"count": 50, "seed": 3}] * 2
    listed = binary.json("list", "--tables", tables)[0]
    assert tablegen.tables(tables) == listed["tables"]
    families = listed.get("games", []) + listed.get("rules_files", [])
    assert tablegen.games() == families


@pytest.mark.parametrize("labels", [("outcome",), ("outcome", "remoteness"), ("nimber",)])
@pytest.mark.parametrize("name, parameters", [("cram", {"rows": 3, "cols": 4}), ("kayles", {"pins": 13})])
def test_a_build_writes_the_same_file(name, parameters, labels, binary, here):
    given = list(options(name, parameters, here))
    status, _, error = binary.run("build", name, *given, "--labels", ",".join(labels), "-o", here / "binary.tb")
    assert status == 0, error
    table = tablegen.build(name, labels=labels, path=here / "package.tb", **parameters)
    assert (here / "binary.tb").read_bytes() == (here / "package.tb").read_bytes()
    assert set(table.labels) == {"outcome", *labels} and table.path == str(here / "package.tb")


def test_exceptions_match_the_exit_status_of_the_binary(binary, here):
    bad = here / "bad.tb"
    bad.write_bytes((ROOT / "tables" / "tictactoe.tb").read_bytes()[:-1])
    (here / "text.tb").write_text("not a table")
    (here / "words.toml").write_text("name = 3\n")
    statuses = {2: tablegen.InputError, 3: tablegen.TableError, 4: tablegen.ResourceError}
    cases = [
        (["probe", "chess"], lambda: tablegen.open("chess")),
        (["probe", "tactics", "XX"], lambda: tablegen.open("tactics").probe("XX")),
        (["probe", "tactics", "--rows", "99"], lambda: tablegen.open("tactics", rows=99)),
        (["info", "tactics", "--rows", "5", "--cols", "8"], lambda: len(tablegen.open("tactics", rows=5, cols=8))),
        (["probe", bad], lambda: tablegen.open(bad)),
        (["probe", here / "none.tb"], lambda: tablegen.open(here / "none.tb")),
        (["probe", here / "text.tb"], lambda: tablegen.open(here / "text.tb")),
        (["probe", here], lambda: tablegen.open(here)),
        (["probe", here / "words.toml"], lambda: tablegen.open(here / "words.toml")),
        (
            ["build", "dominoes", "--n", "8", "--solver", "dense", "--memory", "2GiB"],
            lambda: tablegen.build("dominoes", n=8, solver="dense", memory=2 << 30),
        ),
        (["build", "tactics", "--labels", "nimber"], lambda: tablegen.build("tactics", labels="nimber")),
        (["build", "tactics", "-o", here], lambda: tablegen.build("tactics", path=here)),
        (["build", "tactics", "-o", here / "words.toml"], lambda: tablegen.build("tactics", path=here / "words.toml")),
        (["build", "tactics", "-o", here / "no" / "x.tb"], lambda: tablegen.build("tactics", path=here / "no" / "x.tb")),
    ]
    for arguments, call in cases:
        status, _, error = binary.run(*arguments, "--tables", here)
        assert error.startswith("error: "), arguments
        with pytest.raises(tablegen.Error) as raised:
            call()
        assert type(raised.value) is statuses[status], (arguments, raised.value)
        assert "\n" not in str(raised.value)
