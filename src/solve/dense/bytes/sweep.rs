//! The sweep of labels of one byte: blocks from the fullest down, with the best vector unit.

use std::ops::Range;

use super::algebra::Algebra;
use super::block::{BlockKernel, Far};
use super::plan::LINES;
use super::planes::SharedPlanes;
use super::vector::{Bytes, Portable};
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, HasByteAvx512};
use crate::solve::dense::block::BLOCKS;
use crate::solve::dense::kernel::Ready;
#[cfg(target_arch = "x86_64")]
use crate::solve::dense::tokens::HasAvx2;

/// A sweep over planes, with the vector unit for it.
pub(super) struct ByteSweep<'a> {
    planes: SharedPlanes<'a>,
    unit: Unit,
}

/// The vector unit that sweeps, with the proof that the processor has it.
#[derive(Clone, Copy)]
enum Unit {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(HasAvx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(HasByteAvx512),
}

impl Unit {
    /// That of `kernel`. The first processors with AVX-512 do not permute bytes: they sweep with AVX2.
    fn of(kernel: Ready) -> Self {
        match kernel {
            Ready::Portable => Self::Portable,
            #[cfg(target_arch = "x86_64")]
            Ready::Avx2(token) => Self::Avx2(token),
            #[cfg(target_arch = "x86_64")]
            Ready::Avx512(_) => match (HasByteAvx512::detect(), HasAvx2::detect()) {
                (Some(token), _) => Self::Avx512(token),
                (None, Some(token)) => Self::Avx2(token),
                (None, None) => Self::Portable,
            },
        }
    }
}

impl<'a> ByteSweep<'a> {
    /// A sweep over `planes` with the vector unit of `kernel`.
    pub(super) fn new(planes: SharedPlanes<'a>, kernel: Ready) -> Self {
        Self { planes, unit: Unit::of(kernel) }
    }

    /// Labels `tiles`, last first, with the label `A`, which the plans were made for.
    ///
    /// # Safety
    /// The tiles that moves lead to from these are finished or among them; no other thread reads or writes these.
    pub(super) unsafe fn run<A: Algebra>(&self, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on; the tokens prove that the processor has the instructions.
        unsafe {
            match self.unit {
                Unit::Portable => self.tiles::<Portable, A>((), tiles),
                #[cfg(target_arch = "x86_64")]
                Unit::Avx2(token) => self.tiles_avx2::<A>(token, tiles),
                #[cfg(target_arch = "x86_64")]
                Unit::Avx512(token) => self.tiles_avx512::<A>(token, tiles),
            }
        }
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn tiles_avx2<A: Algebra>(&self, token: HasAvx2, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on.
        unsafe { self.tiles::<Avx2, A>(token, tiles) }
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn tiles_avx512<A: Algebra>(&self, token: HasByteAvx512, tiles: Range<u64>) {
        // SAFETY: the caller's promise is passed on.
        unsafe { self.tiles::<Avx512, A>(token, tiles) }
    }

    /// # Safety
    /// As [`run`](Self::run).
    #[inline(always)]
    unsafe fn tiles<V: Bytes, A: Algebra>(&self, token: V::Token, tiles: Range<u64>) {
        let last = tiles.end * BLOCKS as u64 - 1;
        let mut far: Vec<Far> = self.planes.modes.iter().map(|plan| Far::new(plan, last)).collect();
        let mut narrow = vec![[A::none::<V>(token); LINES]; self.planes.modes.len()];
        let mut wide = vec![[A::Wide::none::<V>(token); LINES]; self.planes.modes.len()];
        let mut widest = vec![[A::Widest::none::<V>(token); LINES]; self.planes.modes.len()];
        // In plain Rust the larger ones are hardly slower: one is enough.
        let smallest = if V::HELD == 0 { 2 } else { 0 };
        let mut size = smallest;
        for block in (tiles.start * BLOCKS as u64..=last).rev() {
            for (plan, far) in self.planes.modes.iter().zip(&mut far) {
                far.renew(plan, block);
            }
            // A block takes the algebra of the block after it, and a larger one if that turns out too small.
            loop {
                // SAFETY: the caller's promise, and the blocks after this one are finished.
                let needed = unsafe {
                    match size {
                        1 if A::HAS_SIZES && V::HELD > 0 => {
                            BlockKernel::<V, A::Wide>::new(&self.planes, token).block(block, &far, &mut wide)
                        }
                        2 if A::HAS_SIZES => {
                            BlockKernel::<V, A::Widest>::new(&self.planes, token).block(block, &far, &mut widest)
                        }
                        _ if A::HAS_SIZES && V::HELD == 0 => unreachable!("no smaller size is begun with"),
                        _ => BlockKernel::<V, A>::new(&self.planes, token).block(block, &far, &mut narrow),
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
