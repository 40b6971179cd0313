//! Names and the parser.

use proptest::prelude::*;
use tablegen_cgt::reference::Tree;
use tablegen_cgt::{Calculator, Error, Limits, Value};

/// Names that CGSuite prints, from its own tests (GameTest.scala, CanonicalShortGameTestCase.scala,
/// CanonicalStopperTestCase.scala).
const PRINTED: [&str; 44] = [
    "0",
    "5",
    "-1/2",
    "25/16",
    "*8",
    "^",
    "v*",
    "6^*",
    "^*6",
    "73/16v9*8",
    "{0|^<2>}",
    "*86",
    "^30*2",
    "{^6|^^}",
    "{0||0,*|0,{0,*|0,*2}}",
    "{3||2*|1*}",
    "{11/4||2|3/2}",
    "{5/2|2*}",
    "{19/8|17/8}",
    "9/4*",
    "{7/2|||5/2|3/2||+-1/2}",
    "{3/8|1/8}",
    "{4|||3|1||0|-2}",
    "{3*||2|1}",
    "^6",
    "v4",
    "{^^*|v*}",
    "{^^*||0|v4}",
    "{^^*||0|v6}",
    "{1||+-(1*)|-1,{-1|-3}}",
    "^[3]",
    "{0||0,v*|0,{0,v*|0,*}}",
    "^<3>",
    "{0||0|-2,{0|-2,{0|-2}}}",
    "{0||0,{0|-2,{0|-2}}|-2,{0,{0|-2,{0|-2}}|-2,{0|-2}}}",
    "{^|*,^[2]||*,^[2]}",
    "{Tiny(2)||0|-2|||0|-2}",
    "{Tiny(2)|{0|-2},{Tiny(2)||0|-2}||{0|-2},{Tiny(2)||0|-2}}",
    "{1,{1,+-1|-1}|-1}",
    "+-{^^*,{^4|0}}",
    "{^^*||0|v3}",
    "+-{*,^}",
    "1Tiny(2)",
    "+-1/2",
];

/// Expressions and the names of their values.
const EXPRESSIONS: [(&str, &str); 52] = [
    ("{|}", "0"),
    ("{0|}", "1"),
    ("{ | 3 }", "0"),
    ("{0|1}", "1/2"),
    ("{0|0}", "*"),
    ("{0,*|0,*}", "*2"),
    ("{0|*}", "^"),
    ("{0,*|0}", "^*"),
    ("{0|^}", "^^*"),
    ("{0|^*}", "^^"),
    ("^^^", "^3"),
    ("^+^+v", "^"),
    ("{0|*||*|||*||||*}", "^[4]"),
    ("{0|v*}", "^<2>"),
    ("{^[2]*|0}", "v<3>"),
    ("-^<3>", "v<3>"),
    ("1/2+^<2>+*2", "1/2^<2>*2"),
    ("{0||0|-2}", "Tiny(2)"),
    ("{{2|0}|0}", "Miny(2)"),
    ("-Tiny(1/2)", "Miny(1/2)"),
    ("1+Tiny(2)", "1Tiny(2)"),
    ("{0|||0||0|-2}", "Tiny({2|0})"),
    ("{1||1|{-1|-2}}", "1Tiny({3|2})"),
    ("{1|-1}", "+-1"),
    ("{2||1|-1|||-2}", "{2|+-1||-2}"),
    ("+-*", "0"),
    ("+-{2|1}", "+-{2|1}"),
    ("+-{*,^}", "+-{*,^}"),
    ("+-(1*)", "+-(1*)"),
    ("2*3", "2*3"),
    ("2*(3)", "6"),
    ("2 * 3", "6"),
    ("2**", "0"),
    ("2**2", "0"),
    ("3*^", "^3"),
    ("-2*^", "vv"),
    ("2*{1|-1}", "0"),
    ("3*+-1", "+-1"),
    ("-1^", "-1^"),
    ("-(1^)", "-1v"),
    ("3-1^", "2v"),
    ("- 1^", "-1v"),
    ("-(^+*2)", "v*2"),
    ("*:1", "^*"),
    ("*:-1", "v*"),
    ("1:-1:1", "3/4"),
    ("*2:1", "{0,*|0,*}:1"),
    ("0:*2 + *:0", "*3"),
    ("2*1:1", "2^*"),
    ("((1)) - (-(2))", "3"),
    ("\u{b1}1 + \u{2191} - \u{2193}*", "{1^^*|-1^^*}"),
    ("4 + -3/4", "13/4"),
];

/// Mistakes: the text, the column, and what was expected and found.
const MISTAKES: [(&str, &str); 24] = [
    ("", "column 1: expected a game, found the end"),
    ("{1", "column 3: expected an operator, `,`, `|` or `}`, found the end"),
    ("{1}", "column 3: expected `|`, found `}`"),
    ("{1,|0}", "column 4: expected a game, found `|`"),
    ("{1|0,}", "column 6: expected a game, found `}`"),
    ("{1+|0}", "column 4: expected a game, found `|`"),
    ("{1||0||2}", "column 6: expected more or fewer bars than in the same group, found `|`"),
    ("1/3", "column 3: expected a power of 2, found `3`"),
    ("1/", "column 3: expected a number, found the end"),
    ("x", "column 1: expected a game, found `x`"),
    ("1 x", "column 3: expected an operator or the end, found `x`"),
    ("Big(1)", "column 1: expected a game, found `B`"),
    ("Tiny 2", "column 6: expected `(`, found `2`"),
    ("Tiny(2", "column 7: expected an operator or `)`, found the end"),
    ("(1|2)", "column 3: expected an operator or `)`, found `|`"),
    ("1)", "column 2: expected an operator or the end, found `)`"),
    ("1+-1", "column 2: expected an operator; write `+ -G` or `+ +-G`, found `+`"),
    ("+-1*", "column 4: expected an operator or the end, found `*`"),
    ("*:-^", "column 3: expected a game, found `-`"),
    ("1/2*{1|0}", "column 5: expected an operator or the end, found `{`"),
    ("^<0>", "column 3: expected a power from 1 to 2^32, found `0`"),
    ("^<2]", "column 4: expected `>`, found `]`"),
    ("99999999999999999999", "column 1: expected a number below 2^63, found `9`"),
    ("*4294967296", "column 12: expected a nimber below 2^32, found the end"),
];

fn name(calculator: &mut Calculator, text: &str) -> String {
    let value = calculator.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    calculator.name(value).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn names_that_cgsuite_prints() {
    let mut calculator = Calculator::default();
    for printed in PRINTED {
        assert_eq!(name(&mut calculator, printed), printed);
    }
}

#[test]
fn expressions() {
    let mut calculator = Calculator::default();
    for (text, expected) in EXPRESSIONS {
        if expected.contains(':') {
            assert_eq!(calculator.parse(text), calculator.parse(expected), "{text}");
        } else {
            assert_eq!(name(&mut calculator, text), expected, "{text}");
        }
    }
}

#[test]
fn mistakes_name_their_place() {
    let mut calculator = Calculator::default();
    for (text, expected) in MISTAKES {
        let error = calculator.parse(text).expect_err(text).to_string();
        assert_eq!(error, format!("cannot read the game at {expected}"), "{text}");
    }
}

#[test]
fn everything_stops_at_its_limit() {
    let calculator = |values, steps, characters| Calculator::new(Limits { values, steps, characters });
    let mut few_values = calculator(100, u64::MAX, 100);
    assert_eq!(few_values.parse("101"), Err(Error::Values { limit: 100 }));
    assert_eq!(few_values.parse("*101"), Err(Error::Values { limit: 100 }));
    let mut few_steps = calculator(1 << 20, 10_000, 100);
    assert_eq!(few_steps.parse("^9999999999"), Err(Error::Steps { limit: 10_000 }));
    assert_eq!(few_steps.parse("*9999"), Err(Error::Steps { limit: 10_000 }));
    assert_eq!(few_steps.parse("1000000000*(^:*2:1)"), Err(Error::Steps { limit: 10_000 }));
    assert_eq!(few_steps.parse("70000"), Err(Error::Birthday));
    assert_eq!(few_steps.parse("9223372036854775807"), Err(Error::Birthday));
    assert!(matches!(few_steps.parse("4611686018427387904*(3)"), Err(Error::Number(_))));
    // The next operation has its steps again.
    assert_eq!(name(&mut few_steps, "^+^"), "^^");
    let mut short_names = calculator(1 << 20, u64::MAX, 5);
    let value = short_names.parse("{4||2|1}").expect("it fits");
    assert_eq!(short_names.name(value), Err(Error::Characters { limit: 5 }));
}

#[test]
fn deep_games_do_not_overflow_the_stack() {
    let small_stack = std::thread::Builder::new().stack_size(64 << 10);
    let handle = small_stack.spawn(|| {
        let mut calculator = Calculator::default();
        // Games of 10,000 moves that are no short names: each player can always win two moves later.
        let mut game = calculator.parse("{2|-3}").expect("it fits");
        for depth in 0..2000 {
            let number = calculator.integer(5 + depth).expect("it fits");
            let minus = calculator.integer(-6 - depth).expect("it fits");
            let lefts = if depth % 2 == 0 { [number, game] } else { [game, game] };
            let rights = if depth % 2 == 0 { [minus, minus] } else { [minus, game] };
            game = calculator.simplified(&lefts, &rights).expect("it fits");
        }
        assert!(calculator.store().birthday(game) > 2000, "{}", calculator.store().birthday(game));
        let negative = calculator.negative(game).expect("it fits");
        assert_eq!(calculator.negative(negative), Ok(game));
        calculator.compare(game, negative).expect("it fits");
        calculator.thermograph(game).expect("it fits");
        let name = calculator.name(game).expect("it fits");
        assert_eq!(calculator.parse(&name), Ok(game));
        let nested = "(".repeat(100_000) + "1" + &")".repeat(100_000);
        assert_eq!(calculator.parse(&nested), calculator.integer(1));
        let braces = "{".repeat(20_000) + "0" + &"|}".repeat(20_000);
        assert_eq!(calculator.parse(&braces), calculator.integer(20_000));
        let bars: String = (1..400).rev().map(|bars| format!("1{}", "|".repeat(bars))).collect();
        calculator.parse(&format!("{{{bars}0}}")).expect("it fits");
    });
    handle.expect("a thread").join().expect("no overflow");
}

fn tree() -> impl Strategy<Value = Tree> {
    Just(Tree::default()).prop_recursive(5, 40, 4, |inner| {
        (prop::collection::vec(inner.clone(), 0..4), prop::collection::vec(inner, 0..4))
            .prop_map(|(lefts, rights)| Tree { lefts, rights })
    })
}

fn value(calculator: &mut Calculator, tree: &Tree) -> Value {
    let mut all = |list: &[Tree]| list.iter().map(|tree| value(calculator, tree)).collect::<Vec<_>>();
    let (lefts, rights) = (all(&tree.lefts), all(&tree.rights));
    calculator.simplified(&lefts, &rights).expect("small games fit")
}

/// The tree in braces.
fn written(tree: &Tree) -> String {
    let all = |list: &[Tree]| list.iter().map(written).collect::<Vec<_>>().join(",");
    format!("{{{}|{}}}", all(&tree.lefts), all(&tree.rights))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn names_are_read_back(g in tree(), h in tree()) {
        let mut calculator = Calculator::default();
        let (g_value, h_value) = (value(&mut calculator, &g), value(&mut calculator, &h));
        prop_assert_eq!(calculator.parse(&written(&g)), Ok(g_value));
        let sum = calculator.sum(g_value, h_value).expect("it fits");
        for value in [g_value, h_value, sum] {
            let name = calculator.name(value).expect("it fits");
            prop_assert_eq!(calculator.parse(&name), Ok(value), "{}", name);
            // A calculator that met other games first writes the same name.
            let mut other = Calculator::default();
            other.parse("{3|^*2||-1}").expect("it fits");
            let there = other.import(calculator.store(), value).expect("it fits");
            prop_assert_eq!(other.name(there), Ok(name));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-+*^v{}|(),:<>/ 0-3TinyM]{0,20}") {
        let mut calculator = Calculator::new(Limits { values: 10_000, steps: 100_000, characters: 1000 });
        if let Ok(value) = calculator.parse(&text)
            && let Ok(name) = calculator.name(value)
        {
            prop_assert_eq!(calculator.parse(&name), Ok(value), "{}", text);
        }
    }
}

#[test]
fn signs_of_other_programs_are_read() {
    let mut calculator = Calculator::default();
    for (text, name) in [
        ("\u{bd}", "1/2"),
        ("\u{be} - \u{bc}", "1/2"),
        ("0.5", "1/2"),
        ("-1.75", "-7/4"),
        ("2.0", "2"),
        ("\u{21d1}", "^^"),
        ("\u{21d3}\u{2217}", "vv*"),
        ("\u{2217}2", "*2"),
        ("-1^", "-1^"),
        ("^ - 1", "-1^"),
    ] {
        let value = calculator.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(calculator.name(value).unwrap(), name, "{text}");
    }
    let refusal = |text: &str| Calculator::default().parse(text).unwrap_err().to_string();
    assert!(refusal("^-1").contains("expected `v` or `-1^`"), "{}", refusal("^-1"));
    assert!(refusal("0.3").contains("a decimal that is a fraction"), "{}", refusal("0.3"));
}
