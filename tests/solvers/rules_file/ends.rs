//! The owner of the pattern of an `[[end]]`: each combination of `side` or `mode` with `of`, for each way to give the
//! pattern.

use super::read;
use tablegen::game::Game;
use tablegen::rules::{Board, Mode, Outcome, Position};

const SIDES: [&str; 2] = ["x", "o"];
/// Two squares for x, then two for o.
const CELLS: u32 = 4;
/// Patterns that need both squares in the colour that `of` selects, then patterns that name a fixed colour.
const PATTERNS: [&str; 4] = ["shape = 'XX'", "line = 2", "connects = ['left', 'right']", "full = ['a1', 'b1']"];
const FIXED: [&str; 2] = ["full = 'OO'", "full = ['O:a1', 'O:b1']"];

/// Both squares of `board` have the colour `side`, whatever else is on them.
fn has_both(board: Board, side: usize) -> bool {
    board.contains([0b1100, 0b0011].map(Board::from_word)[side])
}

/// The positions, as (mode, board), that an end with these keys ends.
fn ended(turns: &str, keys: &str) -> Vec<(u16, u64)> {
    let text = format!(
        "name = 'g'\nsides = ['x', 'o']\n{turns}\nboard = {{ row = 2, colours = 'XO' }}\n[[end]]\n{keys}\noutcome = 'draw'"
    );
    let game = read(&text, "").unwrap_or_else(|e| panic!("{text}: {e}"));
    let modes = game.rules().modes().len() as u16;
    let all = (0..modes).flat_map(|mode| (0..1 << CELLS).map(move |board| (mode, board)));
    all.filter(|&(mode, board)| {
        game.rules().ended(Position::new(Mode(mode), Board::from_word(board))) == Some(Outcome::Draw)
    })
    .collect()
}

/// The owner is the player to move with `of = "mover"`, and otherwise the opponent. `side` is the owner.
#[test]
fn side_is_the_owner_of_the_pattern() {
    for of in ["", "of = 'completer'", "of = 'mover'"] {
        let owner = |mover: usize| if of.contains("mover") { mover } else { 1 - mover };
        for side in [None, Some(0), Some(1)] {
            let counts = |mover: usize| side.is_none_or(|side: usize| side == owner(mover));
            let keys = |pattern: &str| {
                let side = side.map_or(String::new(), |side| format!("side = '{}'", SIDES[side]));
                format!("{pattern}\n{of}\n{side}")
            };
            let expected = |is_full: &dyn Fn(usize, Board) -> bool| -> Vec<(u16, u64)> {
                let all = (0..2).flat_map(|mode| (0..1 << CELLS).map(move |board| (mode, board)));
                all.filter(|&(mode, board)| counts(mode.into()) && is_full(mode.into(), Board::from_word(board)))
                    .collect()
            };
            for pattern in PATTERNS {
                let of_owner = expected(&|mover, board| has_both(board, owner(mover)));
                assert_eq!(ended("", &keys(pattern)), of_owner, "{}", keys(pattern));
            }
            for pattern in FIXED {
                let of_o = expected(&|_, board| has_both(board, 1));
                assert_eq!(ended("", &keys(pattern)), of_o, "{}", keys(pattern));
            }
        }
    }
}

/// With modes, `mode` is the mode of the player to move, and `of` selects the colour.
#[test]
fn a_mode_is_that_of_the_player_to_move() {
    let turns = "modes = { o1 = 'o', x1 = 'x', x2 = 'x' }";
    for (of, is_movers) in [("", false), ("of = 'completer'", false), ("of = 'mover'", true)] {
        for (mode, name, mover) in [(0, "o1", 1), (1, "x1", 0), (2, "x2", 0)] {
            let owner = if is_movers { mover } else { 1 - mover };
            for pattern in PATTERNS.into_iter().chain(FIXED) {
                let of_o = if FIXED.contains(&pattern) { 1 } else { owner };
                let expected: Vec<(u16, u64)> = (0..1 << CELLS)
                    .filter(|&board| has_both(Board::from_word(board), of_o))
                    .map(|board| (mode, board))
                    .collect();
                let keys = format!("{pattern}\nmode = '{name}'\n{of}");
                assert_eq!(ended(turns, &keys), expected, "{keys}");
            }
        }
    }
}

/// `of` selects a colour, so it needs a pattern and a board with two colours.
#[test]
fn of_needs_a_pattern_in_two_colours() {
    let refused = |board: &str, end: &str| {
        read(&format!("name = 'g'\nsides = ['x', 'o']\nboard = {board}\n[[end]]\n{end}"), "").unwrap_err()
    };
    let one = refused("{ row = 2 }", "line = 2\nof = 'mover'");
    assert_eq!(one, "line 6, column 6: expected a [board] with `colours` for `of`, found none");
    let stuck = refused("{ row = 2, colours = 'XO' }", "stuck = true\noutcome = 'win'\nof = 'mover'");
    assert_eq!(stuck, "line 7, column 1: expected only keys that fit the other keys of [[end]], found `of`");
}
