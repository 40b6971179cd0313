//! A thread's working memory.

use super::block::BLOCKS;
use super::labels::{Fixed, Labels, Moves, TileMoves};
use super::plan::Far;
use crate::solve::simd::Boards;

/// What a thread keeps from one step to the next.
pub(super) struct Scratch<V> {
    /// For each mode.
    pub(super) modes: Vec<ModeScratch<V>>,
    /// The labels of the current block, by mode.
    pub(super) labels: Vec<Labels<V>>,
}

/// What a thread keeps of one mode.
#[derive(Clone)]
pub(super) struct ModeScratch<V> {
    /// The operations that the far upper cells of the current tile allow.
    pub(super) far: Far,
    /// What is gathered of the tile's blocks.
    pub(super) moves: TileMoves<V>,
    /// Whether in this tile labels are what moves make of them: nothing ends, and nobody is without a move or being
    /// without one is a loss anyway.
    pub(super) moves_decide: bool,
    /// The positions of the current block that moves do not decide.
    pub(super) fixed: Fixed<V>,
}

impl<V: Boards> Scratch<V> {
    /// Memory for a game of so many modes.
    pub(super) fn new(modes: usize, token: V::Token) -> Self {
        let mode = ModeScratch {
            far: Far::default(),
            moves: [Moves::none(token); BLOCKS],
            moves_decide: true,
            fixed: Fixed::none(token),
        };
        Self { modes: vec![mode; modes], labels: vec![Labels::none(token); modes] }
    }
}
