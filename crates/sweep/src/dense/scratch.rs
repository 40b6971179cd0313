//! A thread's working memory.

use super::allowed::Far;
use super::block::BLOCKS;
use super::labels::{Fixed, LabelMoves, Labels, TileMoves};
use crate::simd::Boards;

/// A thread's working memory.
pub(super) struct Scratch<V> {
    /// The working memory of each mode.
    pub(super) modes: Vec<ModeScratch<V>>,
    /// The labels of the current block, by mode.
    pub(super) labels: Vec<Labels<V>>,
}

/// A thread's working memory for one mode.
#[derive(Clone)]
pub(super) struct ModeScratch<V> {
    /// The operations that the far upper cells of the current tile allow.
    pub(super) far: Far,
    /// The moves gathered for the tile's blocks.
    pub(super) moves: TileMoves<V>,
    /// Moves decide every label of this tile: there are no terminal patterns, and a player without a move loses or does
    /// not occur.
    pub(super) moves_decide: bool,
    /// The positions of the current block that moves do not decide.
    pub(super) fixed: Fixed<V>,
}

impl<V: Boards> Scratch<V> {
    /// Memory for a game of `modes` modes.
    pub(super) fn new(modes: usize, token: V::Token) -> Self {
        let mode = ModeScratch {
            far: Far::default(),
            moves: [LabelMoves::none(token); BLOCKS],
            moves_decide: true,
            fixed: Fixed::none(token),
        };
        Self { modes: vec![mode; modes], labels: vec![Labels::none(token); modes] }
    }
}
