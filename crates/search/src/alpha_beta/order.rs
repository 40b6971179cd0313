//! The order in which a search tries moves.

use super::compiled::Compiled;
use super::descent::Child;
use super::ending::sign_of;
use super::shape::Shape;
use super::word::Word;
use crate::rules::Terminal;

/// What the search remembers to order moves.
#[derive(Clone)]
pub(super) struct Order {
    /// For each move, how often it closed a window.
    history: Vec<u32>,
    /// For each move, the number of patterns that contain the cells that it fills.
    weights: Vec<i32>,
}

/// In place of a score that is [computed](Order::score) when it is needed.
pub(super) const LATER: i32 = i32::MIN;
/// The largest part of the history of a move in its score.
const MOST_HISTORY: u32 = 1 << 8;
/// Maximum number of shapes of two modes whose legal moves are counted after each move.
const MOST_COUNTED: usize = 64;

impl Order {
    pub(super) fn new<W: Word>(rules: &Compiled<W>, cells: u32) -> Self {
        let mut weights = vec![0; rules.moves];
        for mode in &rules.modes {
            let of_cells = mode.goals.weights(cells);
            for shape in &mode.shapes {
                for anchor in shape.anchors.bits() {
                    let fills = (shape.fills << anchor).bits();
                    weights[shape.number(anchor)] = fills.map(|cell| of_cells[cell as usize] as i32).sum();
                }
            }
        }
        Self { history: vec![0; rules.moves], weights }
    }

    /// Notes that the move with this `number` closed a window.
    #[inline(always)]
    pub(super) fn reward(&mut self, number: usize, left: usize) {
        if left > 0 {
            self.history[number] = (self.history[number] + 1).min(1 << 20);
        }
    }

    /// The score of a move that turns over lines, after which `theirs` such moves are legal.
    pub(super) fn after_turning(&self, theirs: usize, number: usize) -> i32 {
        self.history[number].min(MOST_HISTORY) as i32 - 256 * theirs as i32
    }

    /// The score of a move that may take a piece. Those that take one go first.
    pub(super) fn after_taking(&self, takes: bool, number: usize) -> i32 {
        self.history[number].min(MOST_HISTORY) as i32 + if takes { 2 * MOST_HISTORY as i32 } else { 0 }
    }

    /// The score of the move in `mode` to `child`: the search tries the highest first.
    #[inline(always)]
    pub(super) fn score<W: Word>(&self, rules: &Compiled<W>, mode: usize, child: &Child<W>) -> i32 {
        let &Child { board, goals, gain, number, mode: to, .. } = child;
        let of = &rules.modes[mode];
        if of.goal.is_some() {
            // The goals of the player who moved.
            return goals[1].count() as i32 * 64 + self.weights[number] * 4;
        }
        let history = self.history[number].min(MOST_HISTORY) as i32;
        let next = &rules.modes[to];
        if of.gains {
            // Counting what the move leaves to the other player takes longer than it saves.
            return i32::from(gain) * MOST_HISTORY as i32 + history;
        }
        if of.shapes.len() + next.shapes.len() > MOST_COUNTED {
            return history;
        }
        let theirs = mobility(&next.shapes, board);
        let own = if next.next == Some(mode) && to != mode { mobility(&of.shapes, board) } else { 0 };
        let without_move = match next.terminal {
            Terminal::Always(outcome) => sign_of(outcome),
            Terminal::Most { .. } | Terminal::Points(_) => 0,
        };
        let difference = (own - theirs) * -without_move;
        difference * 256 + history
    }
}

/// The number of legal moves of these shapes.
#[inline(always)]
fn mobility<W: Word>(shapes: &[Shape<W>], board: W) -> i32 {
    shapes.iter().fold(0, |count, shape| count + shape.legal(board).count()) as i32
}
