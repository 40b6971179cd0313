//! The sweep of labels of one byte or two, from the fullest block down.

use std::marker::PhantomData;
use std::ops::Range;

use super::block::BlockKernel;
use super::plan::{BlockPlan, LINES};
use crate::algebra::{Algebra, VectorOf};
use crate::dense::allowed::Far;
use crate::dense::block::BLOCKS;
use crate::dense::planes::SharedPlanes;
use crate::simd::{Line, Unit, Vector, Work};
use crate::worth::Stuck;

/// The planes of a label with codes `C`, shared by all threads.
pub(super) struct Sweep<'a, C> {
    pub(super) modes: &'a [BlockPlan<C>],
    /// What a player without a move has.
    pub(super) stuck: Stuck,
    pub(super) planes: SharedPlanes<'a, Line<C>>,
    /// The planes of outcomes, if they are written with the codes: of wins, and with draws of losses, of each mode.
    pub(super) outcomes: Option<SharedPlanes<'a, u64>>,
    /// `true` if there are planes of losses.
    pub(super) draws: bool,
}

/// Tiles to label with `A`, as work for a vector unit.
pub(super) struct LabelTiles<'a, A: Algebra> {
    sweep: &'a Sweep<'a, A::Code>,
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
    pub(super) unsafe fn new(sweep: &'a Sweep<'a, A::Code>, tiles: Range<u64>) -> Self {
        Self { sweep, tiles, label: PhantomData }
    }
}

impl<A: Algebra> Work for LabelTiles<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        let tiles = self.tiles;
        let last = tiles.end * BLOCKS as u64 - 1;
        let mut far: Vec<Far> = vec![Far::default(); self.sweep.modes.len()];
        let mut narrow = vec![[A::none(unit); LINES]; self.sweep.modes.len()];
        let mut wide = vec![[A::Wide::none(unit); LINES]; self.sweep.modes.len()];
        let mut widest = vec![[A::Widest::none(unit); LINES]; self.sweep.modes.len()];
        // In plain Rust the widest algebra is hardly slower, so it is the only one.
        let held = VectorOf::<U, A>::HELD;
        let smallest = if held == 0 { 2 } else { 0 };
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
                        1 if A::HAS_SIZES && held > 0 => {
                            BlockKernel::<U, A::Wide>::new(self.sweep, unit).block(block, &far, &mut wide)
                        }
                        2 if A::HAS_SIZES => {
                            BlockKernel::<U, A::Widest>::new(self.sweep, unit).block(block, &far, &mut widest)
                        }
                        _ if A::HAS_SIZES && held == 0 => unreachable!("no smaller size is begun with"),
                        _ => BlockKernel::<U, A>::new(self.sweep, unit).block(block, &far, &mut narrow),
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
                unsafe { BlockKernel::<U, A>::new(self.sweep, unit) }.outcomes(block, outcomes, signs);
            }
        }
    }
}
