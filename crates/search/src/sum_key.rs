//! Boards that are equal sums of parts.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::parts::{Part, after, all_parts, come_apart, divided, is_legal};
use crate::rules::{Board, Move, Rules};
use crate::{partisan, sums};

/// The moves in a part of the player of mode 0, and of mode 1: the sum that each leaves of it.
pub type PartMoves = [Vec<Vec<u128>>; 2];

/// The sums that the boards of a game are, as the sorted numbers of their parts. Parts with equal numbers are equal as games, wherever they
/// lie. Different parts have different numbers, as far as 128 bits can tell.
pub struct SumKeys {
    moves: Vec<Move>,
    parts: FxHashMap<u128, Part>,
    known: FxHashMap<u128, Rc<PartMoves>>,
}

impl SumKeys {
    /// The sums of `rules`; `None` unless a player without a move loses and positions often come apart.
    #[must_use]
    pub fn of(rules: &Rules) -> Option<Self> {
        let start = rules.start_positions().into_iter().next()?;
        let impartial = || sums::kind::moves(rules).filter(|moves| come_apart(moves, start, sums::kind::LEAST));
        let moves = impartial().or_else(|| partisan::kind::moves(rules))?.to_vec();
        Some(Self { moves, parts: FxHashMap::default(), known: FxHashMap::default() })
    }

    /// The numbers of the parts of `board`.
    pub fn of_board(&mut self, board: Board) -> Vec<u128> {
        let parts = all_parts(&self.moves, board);
        self.numbers(parts)
    }

    /// The moves in the part with this number, which an earlier call has given. In an impartial game, all are of mode 0.
    pub fn moves(&mut self, number: u128) -> Rc<PartMoves> {
        if let Some(known) = self.known.get(&number) {
            return Rc::clone(known);
        }
        let part = self.parts[&number].clone();
        let mut moves = PartMoves::default();
        for &number in &part.moves {
            let m = self.moves[number as usize];
            if is_legal(&m, part.board) {
                let left = divided(&self.moves, &part.moves, after(&m, part.board));
                moves[usize::from(m.mode.0)].push(self.numbers(left));
            }
        }
        for of_mode in &mut moves {
            of_mode.sort_unstable();
            of_mode.dedup();
        }
        let moves = Rc::new(moves);
        self.known.insert(number, Rc::clone(&moves));
        moves
    }

    /// The numbers of `parts`, which are kept.
    fn numbers(&mut self, parts: Vec<Part>) -> Vec<u128> {
        let mut numbers: Vec<u128> = parts.iter().map(|part| part.key).collect();
        numbers.sort_unstable();
        parts.into_iter().for_each(|part| _ = self.parts.entry(part.key).or_insert(part));
        numbers
    }
}
