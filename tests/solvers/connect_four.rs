//! Connect Four: published numbers, and a search written for this game alone.

use std::collections::{HashMap, HashSet};

use tablegen::game::{Game, LIBRARY, Parameters, read_position};
use tablegen::rules::{Outcome, Position};
use tablegen::search::AlphaBeta;
use tablegen::solve::{Method, Options, solve};

fn game(rows: u32, cols: u32) -> impl Game {
    let found = LIBRARY.iter().find(|game| game.name == "connect-four").expect("a game of the library");
    found.read(&Parameters::new().with("rows", rows).with("cols", cols)).expect("a size of the game")
}

/// The numbers of positions after each ply on 7 columns and 6 rows (OEIS A212693; J. Tromp, John's Connect Four Playground).
#[test]
fn positions_by_ply() {
    let game = game(6, 7);
    let rules = game.rules();
    let mut level: HashSet<Position> = rules.start_positions().into_iter().collect();
    for expected in [1, 7, 49, 238, 1120, 4263, 16_422] {
        assert_eq!(level.len(), expected);
        level = level.iter().flat_map(|&position| rules.moves_from(position).map(move |m| m.play(position))).collect();
    }
}

/// Reachable positions and the outcome of the start. J. Tromp, John's Connect Four Playground, has both for many boards.
#[test]
#[ignore = "a minute"]
fn small_boards() {
    let expected = [
        (6, 4, 15_835_683, Outcome::Draw),
        (4, 6, 94_910_577, Outcome::Loss),
        (5, 5, 69_763_700, Outcome::Draw),
        (4, 7, 2_265_792_710, Outcome::Draw),
    ];
    for (rows, cols, positions, outcome) in expected {
        let options = Options::of(Method::Coloured);
        let solution = solve(game(rows, cols).rules(), &options).expect("a small game");
        assert_eq!(solution.counts().total(), positions, "{rows}x{cols}");
        assert_eq!(solution.outcome(Position::default()), Some(outcome), "{rows}x{cols}");
    }
}

const ROWS: u32 = 6;
const COLS: u32 = 7;

/// A position for the search below: the discs of the player to move, and all discs. Bit 7 * column + row, from the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Discs {
    mine: u64,
    all: u64,
}

impl Discs {
    fn has_line(discs: u64) -> bool {
        [1, 6, 7, 8].iter().any(|step| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// The position after a disc in `column`, for the other player; `None` if the column is full.
    fn drop(self, column: u32) -> Option<Self> {
        let after = self.all | (self.all + (1 << (7 * column)));
        let is_full = self.all >> (7 * column + ROWS - 1) & 1 == 1;
        (!is_full).then_some(Self { mine: self.all & !self.mine, all: after })
    }

    /// The discs of the player who has just moved.
    fn theirs(self) -> u64 {
        self.all & !self.mine
    }

    /// The value for the player to move: 1, 0 or -1. `best` has the values found so far.
    fn value(self, best: &mut HashMap<Self, i8>) -> i8 {
        if Self::has_line(self.theirs()) {
            return -1;
        }
        if let Some(&known) = best.get(&self) {
            return known;
        }
        let next: Vec<Self> = [3, 2, 4, 1, 5, 0, 6].into_iter().filter_map(|column| self.drop(column)).collect();
        let is_won = next.iter().any(|next| Self::has_line(next.theirs()));
        let mut value = if next.is_empty() { 0 } else { -1 };
        for next in next {
            if is_won || value == 1 {
                value = 1;
                break;
            }
            value = value.max(-next.value(best));
        }
        best.insert(self, value);
        value
    }

    /// The position in the notation of the library, from the top row; `x` has discs in even turns.
    fn text(self) -> String {
        let x = if self.all.count_ones().is_multiple_of(2) { self.mine } else { self.theirs() };
        let letter = |bit: u32| match (self.all >> bit & 1, x >> bit & 1) {
            (0, _) => '.',
            (_, 1) => 'X',
            _ => 'O',
        };
        let row = |row: u32| (0..COLS).map(|column| letter(7 * column + row)).collect::<String>();
        (0..ROWS).rev().map(row).collect::<Vec<_>>().join("/")
    }
}

/// The strong search agrees with the one above on `count` random positions after `plies` plies, without a line.
fn assert_searches_agree(plies: u32, count: u32) {
    let game = game(ROWS, COLS);
    let mut search = AlphaBeta::new(game.rules(), 1 << 26).expect("no position repeats");
    let mut random = fastrand::Rng::with_seed(plies.into());
    let mut found = 0;
    while found < count {
        let mut discs = Some(Discs { mine: 0, all: 0 });
        for _ in 0..plies {
            discs =
                discs.and_then(|discs| discs.drop(random.u32(..COLS))).filter(|next| !Discs::has_line(next.theirs()));
        }
        let Some(discs) = discs else { continue };
        let node = read_position(&game, &discs.text()).expect("a position").node;
        let value = discs.value(&mut HashMap::new());
        let outcome = search.outcome(node).expect("no limit");
        assert_eq!(outcome, [Outcome::Loss, Outcome::Draw, Outcome::Win][(value + 1) as usize], "{}", discs.text());
        found += 1;
    }
}

#[test]
fn two_searches_agree() {
    assert_searches_agree(30, 60);
    assert_searches_agree(26, 5);
}

#[test]
#[ignore = "two minutes"]
fn two_searches_agree_on_a_thousand_positions() {
    assert_searches_agree(20, 1000);
}
