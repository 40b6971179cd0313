"""Values of games: the calculator, and the values of boards in tables."""

from fractions import Fraction

import pytest
import tablegen
from tablegen import Value


def test_the_calculator_is_a_partially_ordered_group():
    games = [Value(text) for text in ("0", "1/2", "-3", "*", "*2", "^", "{2|-1}", "{3||2|1}", "+-1", "Tiny(2)")]
    for a in games:
        assert a - a == 0 and -(-a) == a and Value(str(a)) == a and 2 * a == a + a
        for b in games:
            assert a + b == b + a and (a <= b) == (-b <= -a)
            assert a.confused(b) == (not a <= b and not b <= a)
            assert (a + b).mean == a.mean + b.mean
            assert (a < b) == (a <= b and a != b) == (b > a)
    assert Value(Fraction(3, 4)) + 1 == Value("7/4") and 1 - Value("*") == Value("1*")
    assert Value("{2|-1}").left == (Value(2),) and Value("{2|-1}").stops == (2, -1)
    assert hash(Value("{1|1}")) == hash(Value("1*")) and len({Value("{1|1}"), Value("1*")}) == 1
    with pytest.raises(tablegen.InputError):
        Value("{1|")
    with pytest.raises(TypeError):
        Value("*") * Value("*")


def test_boards_have_the_values_of_their_turns(here):
    table = tablegen.build("clobber", rows=2, cols=3, labels="value", path=here / "clobber.tb")
    assert table.labels == ("outcome", "value") and table.verify()
    answer = table.probe()
    left, right = answer.turns
    rebuilt = Value("{" + ",".join(str(t.value) for t in left) + "|" + ",".join(str(t.value) for t in right) + "}")
    assert answer.value == rebuilt
    for turn in left:
        assert turn.best == (not any(turn.value < other.value for other in left))
    assert str(answer.value) == answer.to_dict()["game_value"]["value"]
    assert table.info()["values"]["boards"] == table.stats()["values"]["boards"]


def test_small_games_have_values_unasked_and_others_none():
    assert tablegen.solve("domineering").probe().value == Value("+-{0,{{2|0},2Tiny(2)|{2|0},Miny(2)}}")
    assert tablegen.solve("kayles").probe().value is None
    assert tablegen.solve("kayles", labels="value").probe().value == Value("*4")
    with pytest.raises(tablegen.InputError, match="they need normal play"):
        tablegen.solve("tactics", labels="value")
