//! Recognises games in which each side completes sets of squares of its own.
//!
//! Two players put pieces of their own colour in turn, one on any free square. Each side has its own sets of squares, and the first to fill
//! one of them wins. A full board without such a set is a draw. Hex is of this kind: the sets of a side are the paths between its edges.

use std::collections::BTreeSet;

use crate::rules::{Board, End, Mode, Move, Outcome, Position, Rules};

/// Maximum number of squares: a set of them is a word.
const MOST_SQUARES: usize = 64;

/// Rules of this kind, by squares.
pub(super) struct Kind {
    /// The cells of each square: those that the players of modes 0 and 1 fill.
    cells: Vec<[Board; 2]>,
    /// For the player of each mode, the sets of squares that win.
    pub(super) sets: [Vec<u64>; 2],
}

impl Kind {
    /// The rules as this kind; `None` if they are of another kind.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let spec = rules.spec();
        let in_turn = spec.players.first().is_none_or(|first| spec.players.last() != Some(first));
        let is_drawn = (0..2).all(|mode| rules.terminal_in(Mode(mode)).fixed() == Some(Outcome::Draw));
        if spec.modes.len() != 2 || !in_turn || !is_drawn || !spec.count_ends.is_empty() {
            return None;
        }
        let cells = squares(rules)?;
        let sets = [sets(rules, &cells, 0)?, sets(rules, &cells, 1)?];
        sets.iter().all(|sets| !sets.is_empty()).then_some(Self { cells, sets })
    }

    /// The number of squares.
    pub(super) const fn squares(&self) -> u32 {
        self.cells.len() as u32
    }

    /// The position after the player to move at `position` has put a piece on `square`, which is a set.
    pub(super) fn after(&self, position: Position, square: u64) -> Position {
        let cells = self.cells[square.trailing_zeros() as usize];
        let mode = usize::from(position.mode.0);
        Position::new(Mode(1 - position.mode.0), position.board | cells[mode])
    }

    /// The squares of the player to move and of the other player on `board` in `mode`; `None` if a square has both colours.
    pub(super) fn pieces(&self, mode: Mode, board: Board) -> Option<[u64; 2]> {
        let of = |side: usize| squares_of(&self.cells, side, board);
        let (own, other) = (of(usize::from(mode.0)), of(1 - usize::from(mode.0)));
        (own & other == 0).then_some([own, other])
    }
}

/// The squares of which `board` fills the cell of `side`.
fn squares_of(cells: &[[Board; 2]], side: usize, board: Board) -> u64 {
    let filled = cells.iter().enumerate().filter(|(_, cells)| board.contains(cells[side]));
    filled.fold(0, |all, (square, _)| all | 1 << square)
}

/// The cells of the squares; `None` if the moves are not those of this kind.
fn squares(rules: &Rules) -> Option<Vec<[Board; 2]>> {
    let mut found = [0, 1].map(|_| BTreeSet::new());
    for m in rules.moves() {
        let Move { mode, empty, full, fills, clears, next, otherwise, lines, when, takes, gain, again } = *m;
        let is_plain = !otherwise && !again && gain == 0 && lines.is_none() && when.is_none() && takes.is_none();
        let puts_one = fills.count() == 1 && empty.count() == 2 && empty.contains(fills) && (full | clears).is_empty();
        if !is_plain || !puts_one || mode == next {
            return None;
        }
        let other = empty & !fills;
        found[usize::from(mode.0)].insert(if mode.0 == 0 { [fills, other] } else { [other, fills] });
    }
    let [first, second] = found;
    let all = first.iter().flatten().fold(Board::EMPTY, |all, &cell| all | cell);
    let is_sound = first == second && (1..=MOST_SQUARES).contains(&first.len());
    // No cell belongs to two squares.
    (is_sound && all.count() as usize == 2 * first.len()).then(|| first.into_iter().collect())
}

/// The sets of squares that win for the player of mode `side`; `None` if the game also ends in another way.
fn sets(rules: &Rules, cells: &[[Board; 2]], side: usize) -> Option<Vec<u64>> {
    let set = |end: &End| {
        let squares = squares_of(cells, side, end.pattern);
        // A pattern may need the cells of the other colour empty, which they are.
        let partners = cells.iter().filter(|cells| end.pattern.contains(cells[side]));
        let partners = partners.fold(Board::EMPTY, |all, cells| all | cells[1 - side]);
        let is_whole = squares.count_ones() == end.pattern.count() && squares != 0 && partners.contains(end.empty);
        (is_whole && end.outcome.fixed() == Some(Outcome::Loss)).then_some(squares)
    };
    rules.ends_of(Mode(1 - side as u16)).iter().map(set).collect()
}
