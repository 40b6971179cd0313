//! Published values.
//!
//! Sources: WW is Winning Ways (Berlekamp, Conway and Guy, second edition), ONAG is On Numbers and Games (Conway,
//! second edition), CGT is Combinatorial Game Theory (Siegel, 2013), CGSuite are the tests of CGSuite 2 (GameGridTest,
//! GameStripTest, CanonicalShortGameTest, CanonicalShortGameTestCase).

use std::collections::HashMap;

use tablegen_cgt::{Calculator, Comparison, Dyadic, Value};

/// Equal games: a text, the canonical name, the source.
const EQUAL: [(&str, &str, &str); 39] = [
    ("{-1|1}", "0", "ONAG, chapter 0"),
    ("{0|1}", "1/2", "WW, chapter 1"),
    ("{1/4|1/2}", "3/8", "WW, chapter 2"),
    ("{5/4|2}", "3/2", "WW, chapter 2, simplest number"),
    ("{-7/2|21/4}", "0", "WW, chapter 2, simplest number"),
    ("{3|17}", "4", "WW, chapter 2, simplest number"),
    ("1/2+1/2", "1", "WW, chapter 1"),
    ("*+*", "0", "WW, chapter 2"),
    ("{0,*|0,*}", "*2", "WW, chapter 2"),
    ("*2+*3", "*", "WW, chapter 2, nim sums"),
    ("*5+*3", "*6", "WW, chapter 2, nim sums"),
    ("{0,*,*3|0,*,*3}", "*2", "WW, chapter 4, mex"),
    ("{1|1}", "1*", "WW, chapter 2"),
    ("{0|*}", "^", "WW, chapter 3"),
    ("{0|^*}", "^^", "WW, chapter 3, upstart equality"),
    ("{0|^}", "^^*", "WW, chapter 3"),
    ("{0,*|0}", "^*", "WW, chapter 3"),
    ("{^|v}", "*", "WW, chapter 3"),
    ("{^|^}", "^^*", "CGT"),
    ("{0|^^*}", "^3", "WW, chapter 3"),
    ("{0|^^}", "^3*", "WW, chapter 3"),
    ("*:1", "^*", "CGT, ordinal sums"),
    ("1:1", "2", "WW, chapter 7, Hackenbush strings"),
    ("1:-1", "1/2", "WW, chapter 7, Hackenbush strings"),
    ("1:-1:-1", "1/4", "WW, chapter 7, Hackenbush strings"),
    ("1:1:-1:1", "7/4", "WW, chapter 7, Berlekamp's rule for Hackenbush strings"),
    ("*3:*4", "*7", "CGT, ordinal sums of nimbers"),
    ("{1|-1}+{1|-1}", "0", "WW, chapter 5, switches"),
    ("{3|1}", "2+{1|-1}", "WW, chapter 5, switches"),
    ("{2|0}+{1|-1}", "{2|0||0|-2}+1", "WW, chapter 5, switches"),
    ("{0||0|-2}", "Tiny(2)", "WW, chapter 5"),
    ("-Tiny(3)", "Miny(3)", "WW, chapter 5"),
    ("{0|v*}", "^<2>", "CGT, powers of up"),
    ("{^|*}", "^[2]", "CGT, powers of up"),
    ("^+^<2>", "^[2]", "CGT, powers of up"),
    ("{^[2]|*}", "^[2]+^<3>", "CGT, powers of up"),
    ("{0|*||*|||*||||*}", "^[4]", "CGSuite"),
    ("{3||2|1}+{3||2|1}", "{5||4,{5|4}|3}", "CGSuite"),
    ("{1|*||v}", "{1|*||v}", "computed from its options"),
];

/// Comparisons: `<`, `>`, `=` or `|` for confused.
const COMPARED: [(&str, char, &str, &str); 24] = [
    ("^", '>', "0", "WW, chapter 3"),
    ("^", '|', "*", "WW, chapter 3"),
    ("^*", '|', "0", "WW, chapter 3"),
    ("^^", '>', "*", "WW, chapter 3"),
    ("^", '>', "*2", "WW, chapter 3"),
    ("^+*2", '>', "0", "WW, chapter 3"),
    ("^", '<', "1/1024", "WW, chapter 3: up is infinitesimal"),
    ("1000*^", '<', "1/1024", "WW, chapter 3: up is infinitesimal"),
    ("*", '|', "0", "WW, chapter 2"),
    ("*", '<', "1/1024", "WW, chapter 2"),
    ("{1|-1}", '|', "0", "WW, chapter 5"),
    ("{1|-1}", '|', "1", "WW, chapter 5"),
    ("{1|-1}", '<', "2", "WW, chapter 5"),
    ("{1|0}", '|', "0", "WW, chapter 5"),
    ("{2|1}", '>', "1/2", "WW, chapter 5"),
    ("Tiny(2)", '>', "0", "WW, chapter 5"),
    ("Tiny(2)", '<', "^", "WW, chapter 5"),
    ("100*Tiny(2)", '<', "^", "WW, chapter 5: tiny is infinitesimal with respect to up"),
    ("100*Tiny(3)", '<', "Tiny(2)", "WW, chapter 5"),
    ("Tiny(2)", '<', "Tiny(1)", "WW, chapter 5"),
    ("^<2>", '>', "0", "CGT, powers of up"),
    ("100*^<2>", '<', "^", "CGT, powers of up"),
    ("100*^<3>", '<', "^<2>", "CGT, powers of up"),
    ("100*Tiny(1)", '<', "^<3>", "CGT, powers of up"),
];

/// Properties: a game, its Left stop, Right stop, mean, temperature and birthday.
const MEASURED: [(&str, [&str; 4], u32, &str); 20] = [
    ("0", ["0", "0", "0", "-1"], 0, "CGSuite"),
    ("5", ["5", "5", "5", "-1"], 5, "CGSuite"),
    ("-1/2", ["-1/2", "-1/2", "-1/2", "-1/2"], 2, "CGSuite"),
    ("25/16", ["25/16", "25/16", "25/16", "-1/16"], 6, "CGSuite"),
    ("*8", ["0", "0", "0", "0"], 8, "CGSuite"),
    ("^", ["0", "0", "0", "0"], 2, "CGSuite"),
    ("v*", ["0", "0", "0", "0"], 2, "CGSuite"),
    ("6+^*", ["6", "6", "6", "0"], 8, "CGSuite"),
    ("^*6", ["0", "0", "0", "0"], 8, "CGSuite"),
    ("73/16+v9*8", ["73/16", "73/16", "73/16", "0"], 27, "CGSuite"),
    ("{0|*||*|||*||||*}", ["0", "0", "0", "0"], 5, "CGSuite"),
    ("{0||0|v*}", ["0", "0", "0", "0"], 4, "CGSuite"),
    ("{3||2|1}", ["3", "2", "9/4", "3/4"], 4, "CGSuite"),
    ("{1|-1}", ["1", "-1", "0", "1"], 2, "WW, chapter 6"),
    ("{2|-1}", ["2", "-1", "1/2", "3/2"], 3, "WW, chapter 6"),
    ("{4|0}", ["4", "0", "2", "2"], 5, "WW, chapter 6"),
    ("Tiny(2)", ["0", "0", "0", "0"], 4, "WW, chapter 6"),
    ("{10|2||0}", ["2", "0", "2", "2"], 12, "by the walls: 2 and t meet at 2"),
    ("{2|-1/2}", ["2", "-1/2", "3/4", "5/4"], 3, "2x3 Domineering, WW, chapter 5"),
    ("{5|1||-1|-5}", ["1", "-1", "0", "3"], 7, "by the walls: 3-t and t-3 meet at 3"),
];

/// Walls: the corners of the Left wall and of the Right wall, as temperature and value.
const WALLS: [(&str, &str, &str); 9] = [
    ("0", "(-1, 0)", "(-1, 0)"),
    ("1/2", "(-1, 1) (-1/2, 1/2)", "(-1, 0) (-1/2, 1/2)"),
    ("*", "(-1, 1) (0, 0)", "(-1, -1) (0, 0)"),
    ("^", "(-1, 1) (0, 0)", "(-1, 0)"),
    ("{1|-1}", "(-1, 2) (1, 0)", "(-1, -2) (1, 0)"),
    ("{4|0}", "(-1, 5) (2, 2)", "(-1, -1) (2, 2)"),
    ("{3||2|1}", "(-1, 4) (3/4, 9/4)", "(-1, 2) (1/2, 2) (3/4, 9/4)"),
    ("{10|2||0}", "(-1, 2)", "(-1, -1) (2, 2)"),
    ("{5|1||-1|-5}", "(-1, 1) (2, 1) (3, 0)", "(-1, -1) (2, -1) (3, 0)"),
];

/// Games, and what Left and Right gain by their moves.
const INCENTIVES: [(&str, &str, &str); 4] =
    [("1", "-1", ""), ("*", "*", "*"), ("{1|-1}", "{2|0}", "{2|0}"), ("^", "v", "^*")];

/// Atomic weights.
const WEIGHTS: [(&str, &str, &str); 15] = [
    ("0", "0", "WW, chapter 8"),
    ("*7", "0", "WW, chapter 8"),
    ("^", "1", "WW, chapter 8"),
    ("^5*3", "5", "WW, chapter 8"),
    ("v*", "-1", "WW, chapter 8"),
    ("^<2>", "0", "CGT, chapter II.7"),
    ("{^^|vv}", "{0|0}", "WW, chapter 8, from the options"),
    ("{^4|v4}", "{2|-2}", "WW, chapter 8, from the options"),
    ("{^^*|v*}", "1/2", "CGSuite: 1/2 times up by Norton's product"),
    ("{^^*||0|v3}", "1/4", "CGSuite: 1/4 times up by Norton's product"),
    ("Tiny(3/2)", "0", "CGSuite's tests"),
    ("Tiny({3|1})", "0", "CGSuite's tests"),
    ("Miny({5||3|1})", "0", "CGSuite's tests"),
    ("{1|^^||^}", "2", "CGSuite's tests"),
    ("{^3|vv}", "{1|0}", "CGSuite's tests"),
];

/// Games without an atomic weight, by CGSuite's tests.
const WITHOUT_WEIGHT: [&str; 5] = ["{1|^3||^}", "{3||2*|1*}", "5", "9/8*", "6^*"];

/// Boards: a game, a position, its value.
const BOARDS: [(Game, &str, &str, &str); 22] = [
    (Game::Domineering, "..", "-1", "WW, chapter 5"),
    (Game::Domineering, ".|.", "1", "WW, chapter 5"),
    (Game::Domineering, "..|.#", "*", "WW, chapter 5"),
    (Game::Domineering, ".#|..|.#", "*", "from its options"),
    (Game::Domineering, ".#|.#|..", "1/2", "WW, chapter 5"),
    (Game::Domineering, "..|..", "+-1", "WW, chapter 5"),
    (Game::Domineering, "...|...", "{2|-1/2}", "WW, chapter 5"),
    (Game::Domineering, "..|..|..", "{1/2|-2}", "WW, chapter 5"),
    (Game::Domineering, "...|...|...", "+-1", "WW, chapter 5"),
    (Game::Domineering, "....|....", "Miny(2)", "Berlekamp, Blockbusting and Domineering, 1988"),
    (Game::Domineering, "....|....|....|....", "+-{0,{{2|0},2Tiny(2)|{2|0},Miny(2)}}", "CGSuite"),
    (Game::Clobber, "xo", "*", "Albert, Grossman, Nowakowski and Wolfe, An introduction to Clobber, 2005"),
    (Game::Clobber, "xxo", "^", "the same"),
    (Game::Clobber, "xxxo", "^^*", "the same"),
    (Game::Clobber, "xoxo", "+-{*,^}", "CGSuite, as pycgt quotes it"),
    (Game::Clobber, "xox|ox.", "{^^*|*,v}", "CGSuite"),
    (Game::Kings, "xox|ox.", "{^^*|*,v[2]}", "CGSuite"),
    (Game::Diagonal, "xoxo|oox.|xxx.", "{0,v*|vv}", "CGSuite"),
    (Game::ToadsAndFrogs, "t.f", "*", "WW, chapter 1"),
    (Game::ToadsAndFrogs, "tt.ff", "*", "Erickson, New Toads and Frogs results, 1996"),
    (
        Game::ToadsAndFrogs,
        "ttttt..fffff",
        "+-{{2|*},{5/2||2|{0||||{0||v<2>|-1},{0||||0||Miny(1/32)|-2|||-1/2*}|||v<2>|-1/2||-1*}|||0}}",
        "CGSuite",
    ),
    (Game::Amazons, "x...|o...", "+-{3,{4|0,{1|0,*}},{4|{0,{1/2|0}|v},+-1,+-{1,{2|0}}}}", "CGSuite"),
];

/// A game on a grid of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Game {
    /// Left places upright dominoes on `.`, Right dominoes across.
    Domineering,
    /// A stone takes a stone of the opponent beside it. Left has `x`, Right `o`.
    Clobber,
    /// Clobber in all eight directions.
    Kings,
    /// Clobber in the diagonal directions.
    Diagonal,
    /// Toads `t` of Left go right, frogs `f` of Right go left, by a step or a jump over one opponent.
    ToadsAndFrogs,
    /// Queens `x` of Left and `o` of Right move, then shoot at a square.
    Amazons,
}

type Grid = Vec<Vec<u8>>;

const STRAIGHT: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

fn at(grid: &Grid, (row, column): (isize, isize)) -> Option<u8> {
    let row = grid.get(usize::try_from(row).ok()?)?;
    row.get(usize::try_from(column).ok()?).copied()
}

fn with(grid: &Grid, changes: &[((isize, isize), u8)]) -> Grid {
    let mut changed = grid.clone();
    for &((row, column), to) in changes {
        changed[row as usize][column as usize] = to;
    }
    changed
}

/// The empty places that a queen at `from` reaches.
fn rays(grid: &Grid, from: (isize, isize)) -> Vec<(isize, isize)> {
    let mut reached = Vec::new();
    for (down, right) in STRAIGHT.into_iter().chain(DIAGONAL) {
        let mut place = (from.0 + down, from.1 + right);
        while at(grid, place) == Some(b'.') {
            reached.push(place);
            place = (place.0 + down, place.1 + right);
        }
    }
    reached
}

fn moves(game: Game, grid: &Grid, left: bool) -> Vec<Grid> {
    let places = (0..grid.len() as isize).flat_map(|row| (0..grid[row as usize].len() as isize).map(move |c| (row, c)));
    let mut all = Vec::new();
    for place in places {
        let stepped = |(down, right): (isize, isize), steps| (place.0 + down * steps, place.1 + right * steps);
        let here = at(grid, place);
        match game {
            Game::Domineering => {
                let other = stepped(if left { (1, 0) } else { (0, 1) }, 1);
                if here == Some(b'.') && at(grid, other) == Some(b'.') {
                    all.push(with(grid, &[(place, b'#'), (other, b'#')]));
                }
            }
            Game::Clobber | Game::Kings | Game::Diagonal => {
                let (own, other) = if left { (b'x', b'o') } else { (b'o', b'x') };
                let straight = STRAIGHT.into_iter().filter(|_| game != Game::Diagonal);
                for direction in straight.chain(DIAGONAL.into_iter().filter(|_| game != Game::Clobber)) {
                    let target = stepped(direction, 1);
                    if here == Some(own) && at(grid, target) == Some(other) {
                        all.push(with(grid, &[(place, b'.'), (target, own)]));
                    }
                }
            }
            Game::ToadsAndFrogs => {
                let (own, other, direction) = if left { (b't', b'f', (0, 1)) } else { (b'f', b't', (0, -1)) };
                let (near, far) = (stepped(direction, 1), stepped(direction, 2));
                let target = match at(grid, near) {
                    Some(b'.') => Some(near),
                    Some(it) if it == other && at(grid, far) == Some(b'.') => Some(far),
                    _ => None,
                };
                if let Some(target) = target.filter(|_| here == Some(own)) {
                    all.push(with(grid, &[(place, b'.'), (target, own)]));
                }
            }
            Game::Amazons => {
                let own = if left { b'x' } else { b'o' };
                if here == Some(own) {
                    for target in rays(grid, place) {
                        let moved = with(grid, &[(place, b'.'), (target, own)]);
                        all.extend(rays(&moved, target).into_iter().map(|shot| with(&moved, &[(shot, b'#')])));
                    }
                }
            }
        }
    }
    all
}

fn board_value(calculator: &mut Calculator, game: Game, grid: &Grid, known: &mut HashMap<Grid, Value>) -> Value {
    if let Some(&value) = known.get(grid) {
        return value;
    }
    let [lefts, rights] = [true, false].map(|left| {
        let options = moves(game, grid, left);
        options.iter().map(|option| board_value(calculator, game, option, known)).collect::<Vec<_>>()
    });
    let value = calculator.simplified(&lefts, &rights).expect("small boards fit");
    known.insert(grid.clone(), value);
    value
}

fn parse(calculator: &mut Calculator, text: &str) -> Value {
    calculator.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn equal_games() {
    let mut it = Calculator::default();
    for (text, expected, source) in EQUAL {
        let (value, expected) = (parse(&mut it, text), parse(&mut it, expected));
        assert_eq!(it.name(value), it.name(expected), "{text} ({source})");
    }
}

#[test]
fn comparisons() {
    let mut it = Calculator::default();
    for (g, sign, h, source) in COMPARED {
        let (first, second) = (parse(&mut it, g), parse(&mut it, h));
        let expected = match sign {
            '<' => Comparison::Less,
            '>' => Comparison::Greater,
            '=' => Comparison::Equal,
            _ => Comparison::Confused,
        };
        assert_eq!(it.compare(first, second), Ok(expected), "{g} {sign} {h} ({source})");
    }
}

#[test]
fn stops_means_temperatures_and_birthdays() {
    let mut it = Calculator::default();
    for (text, expected, birthday, source) in MEASURED {
        let value = parse(&mut it, text);
        let stops = it.stops(value);
        let graph = it.thermograph(value).expect("it fits");
        let found = [stops.left, stops.right, graph.mean, graph.temperature].map(|number| number.to_string());
        assert_eq!((found, it.store().birthday(value)), (expected.map(String::from), birthday), "{text} ({source})");
    }
}

#[test]
fn thermographs() {
    let mut it = Calculator::default();
    for (text, left, right) in WALLS {
        let value = parse(&mut it, text);
        let graph = it.thermograph(value).expect("it fits");
        let [found_left, found_right] = [&graph.left, &graph.right].map(|wall| {
            let corners = wall.points().iter().map(|point| format!("({}, {})", point.temperature, point.value));
            corners.collect::<Vec<_>>().join(" ")
        });
        assert_eq!((found_left.as_str(), found_right.as_str()), (left, right), "{text}");
        let high = Dyadic::from(100);
        assert_eq!((graph.left.at(high), graph.right.at(high)), (Ok(graph.mean), Ok(graph.mean)), "{text}");
    }
}

#[test]
fn incentives() {
    let mut it = Calculator::default();
    for (text, left, right) in INCENTIVES {
        let value = parse(&mut it, text);
        let gains = [it.left_incentives(value).expect("it fits"), it.right_incentives(value).expect("it fits")];
        let names = gains.map(|list| list.into_iter().map(|gain| it.name(gain).expect("it fits")).collect::<Vec<_>>());
        assert_eq!(names.map(|names| names.join(" ")), [left, right], "{text}");
    }
}

#[test]
fn atomic_weights() {
    let mut it = Calculator::default();
    for (text, expected, source) in WEIGHTS {
        let (value, expected) = (parse(&mut it, text), parse(&mut it, expected));
        let weight = it.atomic_weight(value).expect("it fits").expect(text);
        assert_eq!(it.name(weight), it.name(expected), "{text} ({source})");
    }
    for text in WITHOUT_WEIGHT {
        let value = parse(&mut it, text);
        assert_eq!(it.atomic_weight(value), Ok(None), "{text}");
    }
}

#[test]
fn reduced_forms() {
    let mut it = Calculator::default();
    for (text, expected) in [("^*", "0"), ("2Tiny(2)", "2"), ("{1*|-1^}", "+-1"), ("{3||2*|1*}", "{3||2|1}")] {
        let (value, expected) = (parse(&mut it, text), parse(&mut it, expected));
        let reduced = it.reduced(value).expect("it fits");
        assert_eq!(it.name(reduced), it.name(expected), "{text}");
    }
}

#[test]
fn boards() {
    let mut it = Calculator::default();
    for (game, position, expected, source) in BOARDS {
        let grid: Grid = position.split('|').map(|row| row.bytes().collect()).collect();
        let value = board_value(&mut it, game, &grid, &mut HashMap::new());
        assert_eq!(it.name(value).as_deref(), Ok(expected), "{game:?} {position} ({source})");
    }
}
