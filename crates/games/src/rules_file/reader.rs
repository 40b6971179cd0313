//! The state for reading moves, ends and starts.

use std::collections::{BTreeSet, HashMap};

use super::FilePlace;
use super::expression::Values;
use super::groups::Groups;
use super::placement::Budget;
use super::points::Points;
use super::sound::Spared;
use super::source::Mistakes;
use super::squares::{Setup, Squares};
use super::turns::Turns;
use crate::rules::{Count, CountEnd, Line, Mode, Move, Outcome, Take, Terminal};

/// The largest number of moves in a rules file. Naming all moves of a position takes quadratic time.
pub(super) const MOST_MOVES: usize = 1 << 15;
/// The largest number of ends in a rules file.
pub(super) const MOST_ENDS: usize = 1 << 17;

/// The state for reading moves, ends and the start.
pub(super) struct RulesReader<'a> {
    pub(super) squares: &'a Squares,
    /// The parameters with their values, and the names that `each` gives the table in work.
    pub(super) values: Values,
    pub(super) turns: Turns,
    pub(super) modes: Vec<String>,
    /// The side to move in each mode, if the file assigns modes to sides.
    pub(super) owners: Vec<u16>,
    /// For every move: its mode, the mode it leads to, and whether the same player moves again.
    pub(super) steps: BTreeSet<(Mode, Mode, bool)>,
    pub(super) groups: Groups,
    pub(super) terminal: Outcome,
    /// The outcome of a player without a move, in the modes in which it is not `terminal`.
    pub(super) terminals: HashMap<Mode, Terminal>,
    /// The two ends of the line of each move that is a push.
    pub(super) pushes: HashMap<Move, [usize; 2]>,
    /// The lists of lines that moves name by number.
    pub(super) lines: Vec<Vec<Line>>,
    /// For each `[[move]]` that fills lines between points: its place, and the points on which lines rest.
    pub(super) grounds: Vec<(FilePlace, Option<Vec<bool>>)>,
    pub(super) spared: Spared,
    /// The names of the sides; empty texts if the file has none.
    pub(super) sides: [String; 2],
    /// The conditions on numbers of pieces, which moves name by number.
    pub(super) counts: Vec<Count>,
    /// What moves take if they complete a group, by number, and the number of each.
    pub(super) takes: Vec<Take>,
    pub(super) take_numbers: HashMap<Take, u16>,
    /// The numbers of pieces that end the game.
    pub(super) count_ends: Vec<CountEnd>,
    /// What the file says about points.
    pub(super) points: Points<'a>,
    /// The heaps from which moves take squares.
    pub(super) heaps: Vec<Vec<usize>>,
    pub(super) budget: Budget,
    pub(super) mistakes: &'a Mistakes<'a>,
}

impl RulesReader<'_> {
    /// The board, and the parameters of the table in work.
    pub(super) fn setup(&self) -> Setup<'_> {
        Setup { squares: self.squares, values: &self.values }
    }
}
