//! The sweep of labels of one byte, from the fullest block down.

use std::marker::PhantomData;
use std::ops::Range;

use super::block::BlockKernel;
use super::plan::{BlockPlan, LINES};
use crate::algebra::Algebra;
use crate::dense::allowed::Far;
use crate::dense::block::BLOCKS;
use crate::dense::planes::SharedPlanes;
use crate::simd::{Bytes, Line, Unit, Work};
use crate::worth::Stuck;

/// The planes of a label of one byte, shared by all threads.
pub(super) struct Sweep<'a> {
    pub(super) modes: &'a [BlockPlan],
    /// What a player without a move has.
    pub(super) stuck: Stuck,
    pub(super) planes: SharedPlanes<'a, Line>,
    /// The planes of outcomes, if they are written with the codes: of wins, and with draws of losses, of each mode.
    pub(super) outcomes: Option<SharedPlanes<'a, u64>>,
    /// `true` if there are planes of losses.
    pub(super) draws: bool,
}

/// Tiles to label with `A`, as work for a vector unit.
pub(super) struct LabelTiles<'a, A> {
    sweep: &'a Sweep<'a>,
    tiles: Range<u64>,
    label: PhantomData<A>,
}

impl<'a, A: Algebra> LabelTiles<'a, A> {
    /// Labels `tiles` of `sweep`, last first. The plans were made for the label `A`.
    ///
    /// # Safety
    /// As long as this exists:
    /// - Bytes: `tiles` are tiles of `sweep`.
    /// - Threads: every tile that a move leads to from one of these is among them, or is finished. No other thread reads or
    ///   writes these tiles.
    pub(super) unsafe fn new(sweep: &'a Sweep<'a>, tiles: Range<u64>) -> Self {
        Self { sweep, tiles, label: PhantomData }
    }

    #[inline(always)]
    fn run_with<V: Bytes>(self, token: V::Token) {
        let tiles = self.tiles;
        let last = tiles.end * BLOCKS as u64 - 1;
        let mut far: Vec<Far> = vec![Far::default(); self.sweep.modes.len()];
        let mut narrow = vec![[A::none::<V>(token); LINES]; self.sweep.modes.len()];
        let mut wide = vec![[A::Wide::none::<V>(token); LINES]; self.sweep.modes.len()];
        let mut widest = vec![[A::Widest::none::<V>(token); LINES]; self.sweep.modes.len()];
        // In plain Rust the widest algebra is hardly slower, so it is the only one.
        let smallest = if V::HELD == 0 { 2 } else { 0 };
        let mut size = smallest;
        for block in (tiles.start * BLOCKS as u64..=last).rev() {
            for (plan, far) in self.sweep.modes.iter().zip(&mut far) {
                far.renew(plan.lists(), block);
            }
            // A block begins with the algebra of the block after it, and repeats with a larger one if it was too small.
            loop {
                // SAFETY: `block` is of `tiles`, the blocks after it are finished, and the caller of `new` promised the rest.
                let needed = unsafe {
                    match size {
                        1 if A::HAS_SIZES && V::HELD > 0 => {
                            BlockKernel::<V, A::Wide>::new(self.sweep, token).block(block, &far, &mut wide)
                        }
                        2 if A::HAS_SIZES => {
                            BlockKernel::<V, A::Widest>::new(self.sweep, token).block(block, &far, &mut widest)
                        }
                        _ if A::HAS_SIZES && V::HELD == 0 => unreachable!("no smaller size is begun with"),
                        _ => BlockKernel::<V, A>::new(self.sweep, token).block(block, &far, &mut narrow),
                    }
                };
                let is_right = needed <= size;
                size = needed.max(smallest);
                if is_right {
                    break;
                }
            }
            if let (Some(outcomes), Some(signs)) = (&self.sweep.outcomes, A::SIGNS) {
                // SAFETY: as above.
                unsafe { BlockKernel::<V, A>::new(self.sweep, token) }.outcomes(block, outcomes, signs);
            }
        }
    }
}

impl<A: Algebra> Work for LabelTiles<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        self.run_with::<U::Bytes>(unit.bytes());
    }
}
