//! The sweep of labels of one byte, from the fullest block down.

use std::marker::PhantomData;
use std::ops::Range;

use super::algebra::Algebra;
use super::block::{BlockKernel, Far};
use super::plan::LINES;
use super::planes::SharedPlanes;
use crate::dense::block::BLOCKS;
use crate::simd::{Bytes, Unit, Work};

/// Tiles to label with `A`, as work for a vector unit.
pub(super) struct LabelTiles<'a, A> {
    planes: &'a SharedPlanes<'a>,
    tiles: Range<u64>,
    label: PhantomData<A>,
}

impl<'a, A: Algebra> LabelTiles<'a, A> {
    /// Labels `tiles` of `planes`, last first. The plans were made for the label `A`.
    ///
    /// # Safety
    /// As long as this exists, every tile that a move leads to from one of these is among them, or is finished. No
    /// other thread reads or writes these tiles.
    pub(super) unsafe fn new(planes: &'a SharedPlanes<'a>, tiles: Range<u64>) -> Self {
        Self { planes, tiles, label: PhantomData }
    }

    #[inline(always)]
    fn run_with<V: Bytes>(self, token: V::Token) {
        let tiles = self.tiles;
        let last = tiles.end * BLOCKS as u64 - 1;
        let mut far: Vec<Far> = self.planes.modes.iter().map(|plan| Far::new(plan, last)).collect();
        let mut narrow = vec![[A::none::<V>(token); LINES]; self.planes.modes.len()];
        let mut wide = vec![[A::Wide::none::<V>(token); LINES]; self.planes.modes.len()];
        let mut widest = vec![[A::Widest::none::<V>(token); LINES]; self.planes.modes.len()];
        // In plain Rust the widest algebra is hardly slower, so it is the only one.
        let smallest = if V::HELD == 0 { 2 } else { 0 };
        let mut size = smallest;
        for block in (tiles.start * BLOCKS as u64..=last).rev() {
            for (plan, far) in self.planes.modes.iter().zip(&mut far) {
                far.renew(plan, block);
            }
            // A block begins with the algebra of the block after it, and repeats with a larger one if it was too small.
            loop {
                // SAFETY: the caller of `new` promised it, and the blocks after this one are finished.
                let needed = unsafe {
                    match size {
                        1 if A::HAS_SIZES && V::HELD > 0 => {
                            BlockKernel::<V, A::Wide>::new(self.planes, token).block(block, &far, &mut wide)
                        }
                        2 if A::HAS_SIZES => {
                            BlockKernel::<V, A::Widest>::new(self.planes, token).block(block, &far, &mut widest)
                        }
                        _ if A::HAS_SIZES && V::HELD == 0 => unreachable!("no smaller size is begun with"),
                        _ => BlockKernel::<V, A>::new(self.planes, token).block(block, &far, &mut narrow),
                    }
                };
                let is_right = needed <= size;
                size = needed.max(smallest);
                if is_right {
                    break;
                }
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
