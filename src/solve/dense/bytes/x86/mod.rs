//! 64 bytes on the vector units of x86-64, and the tables that both use.

mod avx2;
mod avx512;

use std::arch::x86_64::{__m128i, _mm_loadu_si128};

use super::line::LANES;

pub(super) use avx2::Avx2;
pub(super) use avx512::{Avx512, HasByteAvx512};

/// For each of two planes, the bit of each of sixteen values.
pub(super) static ONE_HOT: [[u8; 16]; 2] =
    [[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]];

/// For each of four cells, the bytes of sixteen lanes that lie one cell up.
pub(super) static UP: [[u8; 16]; 4] = {
    let mut table = [[0; 16]; 4];
    let mut cell = 0;
    while cell < 4 {
        let mut lane = 0;
        while lane < 16 {
            table[cell][lane] = (lane | 1 << cell) as u8;
            lane += 1;
        }
        cell += 1;
    }
    table
};

#[inline(always)]
pub(super) fn sixteen(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: sixteen bytes, wherever they begin; every x86-64 has the instruction.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// The lanes that do not have `cell` filled.
pub(super) const fn without(cell: u32) -> u64 {
    let mut lanes = 0u64;
    let mut lane = 0;
    while lane < LANES {
        if lane >> cell & 1 == 0 {
            lanes |= 1 << lane;
        }
        lane += 1;
    }
    lanes
}
