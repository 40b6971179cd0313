//! The rules by squares: the conditions of moves and patterns on occupied squares and on their colours.

use crate::colourings::{Frame, Square};
use crate::label::{LabelKind, Width};
use crate::rules::{Board, Ending, Mode, Move, Outcome, Rules};
use crate::worth::{self, Worth};

/// The condition under which a move is legal or a pattern is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Condition {
    /// Squares that must be free.
    pub(super) free: u64,
    /// Squares that must be occupied.
    pub(super) occupied: u64,
    /// Two-colour squares that must have a certain colour if they are occupied.
    pub(super) care: u64,
    /// The colours of `care`: the second colour where the bit is set.
    pub(super) colours: u64,
}

/// A move by squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Play {
    /// The condition under which the move is legal.
    pub(super) when: Condition,
    /// The squares that it fills. The two-colour squares among them were free before.
    pub(super) takes: u64,
    /// The two-colour squares among `takes`.
    pub(super) places: u64,
    /// The colours of `places`: the second where the bit is set.
    pub(super) colours: u64,
    /// The one-cell squares among `takes` that may have been occupied before.
    pub(super) maybe: u64,
    /// The mode before the move.
    pub(super) mode: Mode,
    /// The mode after it.
    pub(super) next: Mode,
    /// What it is worth.
    pub(super) worth: Worth,
}

/// A pattern that ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    /// The condition under which the pattern is complete.
    pub(super) when: Condition,
    /// The outcome and the points for the player to move.
    pub(super) ending: Ending,
}

/// The rules by squares.
#[derive(Debug)]
pub(crate) struct Plan {
    /// By mode: the moves made in it.
    pub(super) moves: Vec<Vec<Play>>,
    /// By mode: the moves that lead to it.
    pub(super) into: Vec<Vec<Play>>,
    /// By mode: the terminal patterns. The first complete one decides.
    pub(super) ends: Vec<Vec<Pattern>>,
    /// The outcome for a player without a move.
    pub(super) terminal: Outcome,
    /// The rules can draw, so there are planes of losses.
    pub(super) draws: bool,
    /// The width of scores.
    pub(super) scores: Width,
    /// The least code of a score where there is a move.
    pub(super) floor: u16,
    /// Moves gain points, so outcomes are derived from scores.
    pub(super) has_gains: bool,
}

impl Condition {
    /// `true` if the occupied set `set` meets the condition on `squares`; colours are not looked at.
    #[inline]
    pub(super) const fn allows(&self, set: u64, squares: u64) -> bool {
        set & self.free & squares == 0 && !set & self.occupied & squares == 0
    }

    /// The condition that the cells of `empty` are empty and the cells of `full` filled; `None` if no board meets it.
    fn new(squares: &[Square], empty: Board, full: Board) -> Option<Self> {
        let mut condition = Self { free: 0, occupied: 0, care: 0, colours: 0 };
        let has = |board: Board, cell: u8| board.contains(Board::bit(cell.into()));
        for (number, square) in (0..).zip(squares) {
            let bit = 1u64 << number;
            let (empty, full) = match square.second {
                None => ([has(empty, square.first), true], [has(full, square.first), false]),
                Some(second) => {
                    ([has(empty, square.first), has(empty, second)], [has(full, square.first), has(full, second)])
                }
            };
            match (empty, full) {
                (_, [true, true]) => return None,
                ([true, true], [false, false]) => condition.free |= bit,
                ([true, true], _) => return None,
                (_, [true, false]) | ([false, true], [false, false]) => condition.colour(bit, square, false, full[0]),
                (_, [false, true]) | ([true, false], [false, false]) => condition.colour(bit, square, true, full[1]),
                ([false, false], [false, false]) => {}
            }
        }
        Some(condition)
    }

    /// Adds that square `bit` has a certain colour if it is occupied; `must` adds that it is occupied.
    const fn colour(&mut self, bit: u64, square: &Square, second: bool, must: bool) {
        if must {
            self.occupied |= bit;
        }
        if square.second.is_some() {
            self.care |= bit;
            if second {
                self.colours |= bit;
            }
        }
    }
}

impl Plan {
    /// The plan for `rules` in `frame`.
    pub(crate) fn new(rules: &Rules, frame: &Frame) -> Self {
        let modes = rules.modes().len();
        let mut plan = Self {
            moves: vec![Vec::new(); modes],
            into: vec![Vec::new(); modes],
            ends: vec![Vec::new(); modes],
            terminal: rules.terminal(),
            draws: rules.can_draw(),
            scores: LabelKind::Score.width(rules),
            floor: worth::floor(rules),
            has_gains: rules.has_gains(),
        };
        for m in rules.moves() {
            if let Some(play) = play(rules, frame, m) {
                plan.into[usize::from(m.next.0)].push(play.clone());
                plan.moves[usize::from(m.mode.0)].push(play);
            }
        }
        for end in rules.ends() {
            if let Some(when) = Condition::new(frame.squares().list(), Board::EMPTY, end.pattern) {
                plan.ends[usize::from(end.mode.0)].push(Pattern { when, ending: end.outcome.at(Board::EMPTY) });
            }
        }
        plan
    }

    /// The most two-colour squares that a move fills.
    pub(super) fn max_pieces(&self) -> u32 {
        self.moves.iter().flatten().map(|play| play.places.count_ones()).max().unwrap_or(0)
    }

    /// The planes of outcomes of a slot: wins, and losses if the rules can draw.
    pub(super) const fn outcome_planes(&self) -> usize {
        1 + self.draws as usize
    }

    /// The width of a label of `kind`, which is not the outcome.
    pub(super) fn width(&self, kind: LabelKind) -> Width {
        if kind == LabelKind::Score { self.scores } else { Width::Eight }
    }

    /// `true` if there are terminal patterns.
    pub(super) fn has_ends(&self) -> bool {
        self.ends.iter().any(|ends| !ends.is_empty())
    }
}

/// The move `m` by squares; `None` if it can never be made.
fn play(rules: &Rules, frame: &Frame, m: &Move) -> Option<Play> {
    let squares = frame.squares().list();
    let when = Condition::new(squares, m.empty, m.full)?;
    let fills = m.fills & !m.full;
    let (mut takes, mut colours) = (0, 0);
    for (number, square) in (0..).zip(squares) {
        let has = |cell: u8| fills.contains(Board::bit(cell.into()));
        if has(square.first) || square.second.is_some_and(has) {
            takes |= 1u64 << number;
            colours |= u64::from(!has(square.first)) << number;
        }
    }
    let places = takes & frame.pairs();
    let (maybe, worth) = (takes & !when.free, Worth::of(rules, m));
    Some(Play { when, takes, places, colours, maybe, mode: m.mode, next: m.next, worth })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every condition on two two-colour squares and a square of one cell, against its definition on every board.
    #[test]
    fn conditions_equal_masks_on_every_board() {
        let pair = |first, second| Square { first, second: Some(second) };
        let squares = [pair(0, 3), pair(1, 4), Square { first: 2, second: None }];
        let state = |board: u64| {
            let first = board & 0b111;
            let second = board >> 3 & 0b11;
            (first & second == 0).then_some((first | second, second))
        };
        for empty in 0..1u64 << 5 {
            for full in (0..1u64 << 5).filter(|full| full & empty == 0) {
                let condition = Condition::new(&squares, Board::from_word(empty), Board::from_word(full));
                for board in 0..1u64 << 5 {
                    let Some((set, second)) = state(board) else { continue };
                    let expected = board & empty == 0 && board & full == full;
                    let holds =
                        condition.is_some_and(|c| c.allows(set, u64::MAX) && set & c.care & (second ^ c.colours) == 0);
                    assert_eq!(holds, expected, "{empty:#b} {full:#b} {board:#b}");
                }
            }
        }
    }
}
