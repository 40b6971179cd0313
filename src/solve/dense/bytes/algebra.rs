//! The labels of one byte, 64 positions at a time: what [`Label`](crate::label::Label) says of one.
//!
//! Loops over arrays of one length, which the compiler turns into the instructions of whatever vector unit the function
//! around them is compiled for.

use super::plan::{ILLEGAL, LANES, Line};
use crate::label::{NO_SUCCESSOR, code_after, ended_code};
use crate::rules::Outcome;

/// A label whose code is a byte.
pub(super) trait Lanes: Send + Sync {
    /// What the successors absorbed so far tell of 64 positions.
    type Partial: Copy;

    /// Before any successor.
    fn none() -> Self::Partial;

    /// Absorbs a successor of each lane; `mask` is [`ILLEGAL`] in the lanes that have no such move.
    fn absorb(partial: &mut Self::Partial, successors: &[u8; LANES], mask: &Line);

    /// The codes; `terminal` is that of a player without a move.
    fn finish(partial: &Self::Partial, terminal: u8) -> Line;

    /// The code of an outcome that is there already.
    fn ended(outcome: Outcome) -> u8;
}

/// Outcome and plies to the end, by the least code of the successors.
pub(super) struct RemotenessLanes;

impl Lanes for RemotenessLanes {
    type Partial = Line;

    #[inline(always)]
    fn none() -> Line {
        Line([NO_SUCCESSOR; LANES])
    }

    #[inline(always)]
    fn absorb(least: &mut Line, successors: &[u8; LANES], mask: &Line) {
        for lane in 0..LANES {
            least.0[lane] = least.0[lane].min(successors[lane] | mask.0[lane]);
        }
    }

    #[inline(always)]
    fn finish(least: &Line, terminal: u8) -> Line {
        let mut codes = Line([0; LANES]);
        for lane in 0..LANES {
            codes.0[lane] = code_after(least.0[lane], terminal);
        }
        codes
    }

    fn ended(outcome: Outcome) -> u8 {
        ended_code(outcome)
    }
}

/// Grundy values, by the set of those of the successors: a word of one bit each.
pub(super) struct NimberLanes;

impl Lanes for NimberLanes {
    type Partial = [u64; LANES];

    #[inline(always)]
    fn none() -> [u64; LANES] {
        [0; LANES]
    }

    #[inline(always)]
    fn absorb(taken: &mut [u64; LANES], successors: &[u8; LANES], mask: &Line) {
        for lane in 0..LANES {
            let legal = u64::from(!mask.0[lane] & 1);
            taken[lane] |= legal << (successors[lane] & 63);
        }
    }

    #[inline(always)]
    fn finish(taken: &[u64; LANES], _: u8) -> Line {
        let mut codes = Line([0; LANES]);
        for lane in 0..LANES {
            codes.0[lane] = taken[lane].trailing_ones() as u8;
        }
        codes
    }

    fn ended(_: Outcome) -> u8 {
        0
    }
}

const _: () = assert!(ILLEGAL == NO_SUCCESSOR, "what an illegal lane adds is no successor");
