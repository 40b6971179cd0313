"""Rules and games written in Python say everything that rules files say."""

import pickle
import sys

import pytest
import tablegen
from conftest import ROOT

LIBRARY = sorted(path.stem for path in (ROOT / "games").glob("*.toml"))


def again(rules):
    """The same rules, from their properties."""
    start = rules.start if rules.has_opening else rules.start[0]
    return tablegen.Rules(
        cells=rules.cells, moves=rules.moves, name=rules.name, modes=rules.modes, ends=rules.ends, count_ends=rules.count_ends,
        terminal=rules.terminal, terminals=rules.terminals, players=rules.players, start=start,
    )


@pytest.mark.parametrize("name", LIBRARY)
def test_rules_have_all_properties(name):
    rules = tablegen.rules_file(name)
    assert again(rules).hash == rules.hash
    copy = pickle.loads(pickle.dumps(rules))
    assert copy == rules and copy.hash == rules.hash and copy.text() == rules.text()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib reads the rules files")
@pytest.mark.parametrize("name", LIBRARY)
def test_games_write_the_rules_files_of_the_library(name):
    import tomllib

    keys = tomllib.loads((ROOT / "games" / f"{name}.toml").read_text())
    tables = {kind: keys.pop(kind, []) for kind in ("move", "end", "group", "test")}
    game = tablegen.Game(keys.pop("name"), board=keys.pop("board"), **keys)
    for kind, of_kind in tables.items():
        for table in of_kind:
            assert getattr(game, kind)(**table) is game
    assert game.rules().hash == tablegen.rules_file(name).hash
    assert tomllib.loads(game.text) == tomllib.loads((ROOT / "games" / f"{name}.toml").read_text())


def test_a_move_can_clear_cells():
    # A piece walks to the right end of a row, one or two cells at a time.
    steps = [
        tablegen.Move(1 << to, clears=1 << at) for at in range(6) for to in (at - 1, at - 2) if to >= 0
    ]
    rules = tablegen.Rules(cells=6, moves=steps, start=0b100000, grid=(1, 6))
    table = tablegen.solve(rules)
    assert table.probe().outcome == "win" and len(table) == 6
    assert [table[1 << at].outcome for at in range(6)] == ["loss", "win", "win"] * 2
    assert rules.potential is not None
    with pytest.raises(tablegen.InputError):
        tablegen.Rules(cells=2, moves=[tablegen.Move(1, clears=1)])


def test_players_and_outcomes_by_mode():
    # The first player may move twice, and wins if nobody can move in mode "b".
    options = dict(cells=2, modes=["a", "b", "c"], moves=[tablegen.Move(1, mode="a", next="b"), tablegen.Move(2, mode="b", next="c")])
    rules = tablegen.Rules(**options, players=["first", "first", "second"], terminals=["loss", "win", "loss"])
    assert rules.players == ("first", "first", "second") and rules.terminals == ("loss", "win", "loss")
    assert tablegen.solve(rules, labels="outcome").probe().outcome == "win"
    for wrong in ({"players": ["first"]}, {"players": ["left"] * 3}, {"terminals": ["win"]}, {"terminals": ["won"] * 3}):
        with pytest.raises(tablegen.InputError):
            tablegen.Rules(**options, **wrong)


def test_a_player_without_a_move_passes():
    # x fills the left cell. Then o fills the right one. If x cannot, x passes, and the fuller side wins.
    moves = [
        tablegen.Move(0b10, mode="x", next="o"),
        tablegen.Move(0b01, full=0b10, mode="o", next="x"),
        tablegen.Move(0, mode="x", next="end", otherwise=True),
    ]
    terminals = ["loss", "loss", tablegen.Most(own=0b01, other=0b10)]
    rules = tablegen.Rules(cells=2, modes=["x", "o", "end"], moves=moves, terminals=terminals)
    assert rules.terminals == tuple(terminals) and [move.otherwise for move in rules.moves] == [False, False, True]
    assert again(rules).hash == rules.hash
    assert [reply.mode for reply in rules.replies()] == ["o"] and [reply.mode for reply in rules.replies(("x", 0b11))] == ["end"]
    assert tablegen.solve(rules).probe().outcome == "draw" and tablegen.solve(rules).probe(("x", 0b10)).outcome == "win"
    with pytest.raises(tablegen.InputError):
        tablegen.Rules(cells=2, modes=["x", "o", "end"], moves=moves, terminals=["loss", "loss", "most"])


def test_numbers_of_pieces_and_takes():
    # Squares of x are cells 0 to 2. Filling cell 2 closes the line of all three and takes a piece of cells 3 to 6, first the one
    # outside of the guard. Without a piece the player to move has lost.
    take = tablegen.Take(lines=(0b111,), cells=0b1111000, guards=(0b111000,))
    pair = tablegen.Count(0b11, 2)
    moves = [tablegen.Move(0b100, when=pair, takes=take), tablegen.Move(0b1, when=tablegen.Count(0b1111011, 1, 2))]
    ends = [tablegen.CountEnd(tablegen.Count(0b1111011, 0, 0)), tablegen.CountEnd(tablegen.Count(0b1), "draw")]
    rules = tablegen.Rules(cells=7, moves=moves, count_ends=ends[:1], start=0b1111011)
    boards = lambda board: [reply.board for reply in rules.replies(board)]
    assert boards(0b1111011) == [0b0111111] and boards(0b0101011) == [0b0100111, 0b0001111]
    assert boards(0b11) == [0b111] and boards(0b10) == [0b11] and boards(0b1111001) == boards(0) == []
    assert rules.moves == [tablegen.Move(0b100, 0b100, mode=0, next=0, when=tablegen.Count(0b11, 2, 2), takes=take),
                           tablegen.Move(1, 1, mode=0, next=0, when=tablegen.Count(0b1111011, 1, 2))]
    assert rules.count_ends == [tablegen.CountEnd(tablegen.Count(0b1111011, 0, 0))]
    for twin in (again(rules), tablegen.Rules(cells=7, moves=rules.moves, count_ends=rules.count_ends, start=0b1111011)):
        assert twin.hash == rules.hash and twin == rules
    assert tablegen.Rules(cells=7, moves=moves, count_ends=ends).hash != rules.hash
    for wrong in (dict(when=tablegen.Count(0b11, 3)), dict(when=tablegen.Count(0)), dict(takes=tablegen.Take((), 0b1000))):
        with pytest.raises(tablegen.InputError):
            tablegen.Rules(cells=7, moves=[tablegen.Move(0b100, **wrong)])


@pytest.mark.parametrize(
    "name, parameters, position, named",
    [
        ("connect-four", {"rows": 4, "cols": 4}, "1224", ("columns",)),
        ("reversi", {"rows": 4, "cols": 4}, "b1", ("transcript", "obf")),
        ("mnk", {"rows": 2, "cols": 3}, "X.O/.X.", ("flat",)),
        ("kalah", {}, None, ("pits",)),
        ("cram", {"rows": 2, "cols": 3}, "XX./...", ()),
    ],
)
def test_positions_have_texts_in_the_notations_of_the_game(name, parameters, position, named):
    table = tablegen.open(name, **parameters)
    rules = table.rules
    assert rules.notations[: len(named)] == named and "moves" in rules.notations[len(named) :]
    for notation in rules.notations:
        try:
            text = rules.text(position, notation=notation)
        except tablegen.InputError as error:
            assert f"cannot write the position as {notation}" in str(error) and notation not in named
            continue
        assert rules.text(text) == rules.text(position)
    answer = table.probe(position)
    assert answer.notations == answer.to_dict().get("notations", {})
    # The moves of Reversi empty cells, so an answer has no line of play.
    written = [notation for notation in named if notation != "transcript"]
    assert answer.notations == {notation: rules.text(position, notation=notation) for notation in written}


def test_notations_that_a_game_does_not_have():
    rules = tablegen.rules_file("cram")
    with pytest.raises(tablegen.InputError, match="notation: expected one of moves, columns, .*found \"chess\""):
        rules.text(notation="chess")
    with pytest.raises(tablegen.InputError, match="as columns: expected one of the notations of the game, moves, mcgs, found columns"):
        rules.text(notation="columns")
    with pytest.raises(TypeError):
        rules.text(0, "moves")


def test_wrong_games_are_refused():
    game = tablegen.Game("bad", board={"row": 3}).move(shap="X")
    with pytest.raises(tablegen.InputError, match="line 5"):
        game.rules()
    with pytest.raises(TypeError, match="found float"):
        tablegen.Game("bad", board={"row": 1.5}).text
    odd = tablegen.Game("bad", board={"row": 3}, summary='"\\\x7f\n\té')
    assert '"\\"\\\\\\u007f\\n\\té"' in odd.text
