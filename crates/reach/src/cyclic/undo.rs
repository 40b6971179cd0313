//! Reverse moves: the masks of a move also give the predecessors of a position.

use crate::reachable::{BoardWord, KeyWord};
use crate::rules::{Board, Mode, Rules};
use crate::sparse::moves::{ALL, Test, Tests};

/// The moves of some rules, by the mode that they lead to.
pub(crate) struct ReverseMoves<K: KeyWord> {
    modes: Vec<OfMode<K>>,
}

/// The moves that lead to a mode.
struct OfMode<K: KeyWord> {
    tests: Tests<K::Board>,
    moves: Vec<ReverseMove<K>>,
}

/// A move, seen from the position after it.
struct ReverseMove<K: KeyWord> {
    /// The cells that the move leaves unchanged.
    keep: K::Board,
    /// The cells that the move empties, and the mode before it, as bits of a key.
    add: K,
    /// The cells that the move fills whether they are empty or not.
    open: K::Board,
    /// True if the same player moves again after the move.
    is_again: bool,
}

impl<K: KeyWord> ReverseMoves<K> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let mut room = ALL;
        let of_mode = |mode: usize| {
            let (mut tests, mut moves) = (Vec::new(), Vec::new());
            for m in rules.moves().iter().filter(|m| m.next == Mode(mode as u16)) {
                let full = m.fills | m.full & !m.clears;
                let empty = m.clears | m.empty & !m.fills;
                tests.push(Test::new(empty, full));
                let open = m.fills & !m.empty & !m.full;
                moves.push(ReverseMove {
                    keep: !K::Board::of(m.fills & m.empty | open),
                    add: K::of(m.clears.number() | u128::from(m.mode.0) << rules.cells()),
                    open: K::Board::of(open),
                    is_again: !rules.hands_over(m),
                });
            }
            OfMode { tests: Tests::new(tests, rules.cells(), &mut room), moves }
        };
        Self { modes: (0..rules.modes().len()).map(of_mode).collect() }
    }

    /// Calls `before` for each predecessor of the position with `board` in mode number `mode`: with its key, and with whether the
    /// same player moves again after the move. Terminal patterns of the predecessor are not tested.
    #[inline(always)]
    pub(crate) fn each(&self, mode: usize, board: K::Board, mut before: impl FnMut(K, bool)) {
        let of_mode = &self.modes[mode];
        for word in 0..of_mode.tests.words() {
            for bit in Board::from_word(of_mode.tests.passed(word, board)).bits() {
                let ReverseMove { keep, add, open, is_again } = of_mode.moves[64 * word + bit as usize];
                let key = K::of_cells(board & keep) | add;
                let mut part = open;
                loop {
                    before(key | K::of_cells(part), is_again);
                    if part == K::Board::default() {
                        break;
                    }
                    part = part.next_subset(open);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reachable::Codes;
    use crate::rules::Position;
    use crate::sparse::random::random_moving;

    /// Each move undone leads back, and each move that leads to a position is found.
    #[test]
    fn undone_moves_equal_the_moves_that_lead_here() {
        let mut draw = fastrand::Rng::with_seed(3);
        for _ in 0..60 {
            let cells = draw.u32(2..=9);
            let rules = random_moving(&mut draw, cells, 40, 0, false);
            let (undo, codes) = (ReverseMoves::<u64>::new(&rules), Codes::of(&rules));
            let all = (0..2)
                .flat_map(|mode| (0..1 << cells).map(move |board| Position::new(Mode(mode), Board::from_word(board))));
            let all: Vec<Position> = all.collect();
            let key = |position: Position| codes.key::<u64>(codes.code(position) as u64);
            let mut plain: Vec<(u64, u64)> = Vec::new();
            let mut found: Vec<(u64, u64)> = Vec::new();
            for &position in &all {
                plain.extend(rules.moves_from(position).map(|m| (key(position), key(m.play(position)))));
                undo.each(usize::from(position.mode.0), position.board.low_word(), |before, _| {
                    found.push((before, key(position)))
                });
                let undone = rules.moves().iter().flat_map(|m| m.undo(position).map(move |before| (m, before)));
                for (m, before) in undone {
                    assert!(m.is_legal(before) && m.play(before) == position);
                }
            }
            let by_rules = |position: Position| rules.moves().iter().map(|m| m.undo(position).count()).sum::<usize>();
            assert_eq!(all.iter().map(|&position| by_rules(position)).sum::<usize>(), plain.len());
            plain.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, plain);
        }
    }
}
