//! Moves that turn over lines: what they do is found from the board each time.

use super::number::Number;
use super::word::Word;
use crate::rules::{Mode, Move, Rules};

/// A move that turns over lines.
pub(super) struct Turning<W> {
    base: Masks<W>,
    /// The condition on the board before the move.
    when: Option<Number<W>>,
    lines: Box<[Masks<W>]>,
    pub(super) next: usize,
    /// True if the other player moves next.
    pub(super) hands_over: bool,
    /// The points that the move gains.
    pub(super) gain: i16,
    /// The number of the move: moves of all kinds have different numbers.
    pub(super) number: usize,
}

/// The conditions and the changes of a move, or of a line.
struct Masks<W> {
    empty: W,
    full: W,
    fills: W,
    clears: W,
}

impl<W: Word> Masks<W> {
    fn fits(&self, board: W) -> bool {
        (board & self.empty).is_empty() && board.contains(self.full)
    }
}

impl<W: Word> Turning<W> {
    /// The moves of `mode` that turn over lines, numbered from `first` on.
    pub(super) fn all(rules: &Rules, mode: usize, first: usize) -> Vec<Self> {
        let of = W::of_board;
        let turning = rules.moves_of(Mode(mode as u16)).iter().filter_map(|m| Some((m, m.lines?)));
        let compiled = turning.zip(first..).map(|((m, list), number)| {
            let Move { empty, full, fills, clears, next, .. } = *m;
            let lines = rules.spec().lines[usize::from(list)].iter();
            Self {
                base: Masks { empty: of(empty), full: of(full), fills: of(fills), clears: of(clears) },
                when: Number::of(rules, m),
                lines: lines
                    .map(|line| Masks {
                        empty: of(line.empty),
                        full: of(line.full),
                        fills: of(line.fills),
                        clears: of(line.clears),
                    })
                    .collect(),
                next: next.0.into(),
                hands_over: rules.hands_over(m),
                gain: m.gain,
                number,
            }
        });
        compiled.collect()
    }

    /// Returns whether the move is legal.
    pub(super) fn is_legal(&self, board: W) -> bool {
        self.may_fit(board) && self.lines.iter().any(|line| line.fits(board))
    }

    /// Returns whether the move is legal if a line takes effect.
    fn may_fit(&self, board: W) -> bool {
        self.base.fits(board) && self.when.is_none_or(|number| number.fits(board))
    }

    /// The board after the move; `None` if it is not legal.
    pub(super) fn play(&self, board: W) -> Option<W> {
        if !self.may_fit(board) {
            return None;
        }
        let mut lines = self.lines.iter().filter(|line| line.fits(board)).peekable();
        lines.peek()?;
        let alone = (board | self.base.fills) & !self.base.clears;
        Some(lines.fold(alone, |after, line| (after | line.fills) & !line.clears))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::random::motley;
    use super::*;

    #[test]
    fn moves_are_legal_if_they_can_be_played() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut counts = [0, 0];
        for rules in (0..100).map(|_| motley(&mut rng).build().unwrap()) {
            for m in (0..rules.modes().len()).flat_map(|mode| Turning::<u64>::all(&rules, mode, 0)) {
                for board in 0..1 << rules.cells() {
                    assert_eq!(m.is_legal(board), m.play(board).is_some());
                    counts[usize::from(m.is_legal(board))] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}
