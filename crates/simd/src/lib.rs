//! Vectors of positions, and the one place where code is compiled for an instruction set.
//!
//! A *token* is the proof that the processor has an instruction set: only asking the processor makes one. Vectors are made
//! from a token and carry it, so their methods are safe. A sweep is a [`Work`], written once over [`Unit`];
//! [`VectorUnit`] runs it on the best vectors of the machine.
//!
//! - `tokens`: the proofs, and the functions compiled for each instruction set.
//! - `bits`: 512 positions, a bit each. `boards`, `colourings`: the effects of moves on them.
//! - `vector`: 64 positions, a code each, which is a byte or two. `bytes`: what else codes of one byte need.
//! - `x86`: the vectors of x86-64. The plain Rust ones stand beside their traits: every vector equals them bit for bit.

mod bits;
mod boards;
mod bytes;
mod colourings;
mod kernel;
mod lane;
mod line;
#[cfg(target_arch = "x86_64")]
mod tokens;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use tablegen_index::regions::{Gather, Portable};

pub use bits::{Bits, WideBits};
pub use boards::{Block, Boards, Shift};
pub use bytes::Bytes;
pub use colourings::{Colourings, insert_bit, remove_bit};
pub use kernel::VectorUnit;
pub use kernel::{Kernel, KernelError};
pub use lane::Lane;
pub use line::{LANES, LINE, LaneMove, Line, lanes};
#[cfg(target_arch = "x86_64")]
pub use tokens::{HasAvx2, HasAvx512, HasAvx512Bytes};
pub use vector::{Plain, Vector};

/// A vector unit: a token, and the vectors that its instructions work on.
pub trait Unit: Gather + Send + Sync {
    /// 512 boards, a bit each.
    type Boards: Boards;
    /// 512 colourings, a bit each.
    type Colourings: Colourings;
    /// 64 positions, a byte each.
    type Bytes: Bytes;

    /// The token for [`Boards`](Self::Boards).
    fn boards(self) -> <Self::Boards as Bits>::Token;

    /// The token for [`Colourings`](Self::Colourings).
    fn colourings(self) -> <Self::Colourings as Bits>::Token;

    /// The token for [`Bytes`](Self::Bytes).
    fn bytes(self) -> <Self::Bytes as Vector>::Token;

    /// Does `work` in a function of its own, which is compiled for the same instructions: so recursive work calls itself.
    fn again<W: Work>(self, work: W) -> W::Output;

    /// Prefetches `at` into the core's first cache.
    #[inline(always)]
    fn prefetch<T>(self, at: &T) {
        let _ = at;
    }
}

/// Work that is compiled for each vector unit.
pub trait Work {
    /// The result.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, and so is all that handles vectors inside: only then is it
    /// compiled for the instructions of `unit`. A closure is not, and would call each of its instructions.
    fn run<U: Unit>(self, unit: U) -> Self::Output;
}

impl Unit for Portable {
    type Boards = WideBits;
    type Colourings = WideBits;
    type Bytes = Plain<u8>;

    #[inline(always)]
    fn boards(self) {}

    #[inline(always)]
    fn colourings(self) {}

    #[inline(always)]
    fn bytes(self) {}

    #[inline(never)]
    fn again<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }
}
