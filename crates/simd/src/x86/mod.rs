//! The vectors of x86-64: AVX-512, one register a vector, and AVX2, two.
//!
//! `instructions` holds all that is unsafe here.

mod avx2_bytes;
mod avx512_bytes;
mod bits;
mod boards;
mod colourings;
mod instructions;

use super::tokens::{HasAvx2, HasAvx512, HasAvx512Bytes};
use super::{LANES, Unit};
use avx2_bytes::Avx2Bytes;
use avx512_bytes::Avx512Bytes;
use bits::{Avx2, Avx512};

impl Unit for HasAvx2 {
    type Bits = Avx2;
    type Bytes = Avx2Bytes;

    #[inline(always)]
    fn bits(self) -> Self {
        self
    }

    #[inline(always)]
    fn bytes(self) -> Self {
        self
    }

    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        self._pext_u64(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        self._pdep_u64(word, mask)
    }

    #[inline(always)]
    fn prefetch<T>(self, at: &T) {
        instructions::prefetch(at);
    }
}

impl Unit for HasAvx512 {
    type Bits = Avx512;
    type Bytes = Avx2Bytes;

    #[inline(always)]
    fn bits(self) -> Self {
        self
    }

    #[inline(always)]
    fn bytes(self) -> HasAvx2 {
        self.avx2()
    }

    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        self.avx2().extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        self.avx2().deposit(word, mask)
    }

    #[inline(always)]
    fn prefetch<T>(self, at: &T) {
        instructions::prefetch(at);
    }
}

impl Unit for HasAvx512Bytes {
    type Bits = Avx512;
    type Bytes = Avx512Bytes;

    #[inline(always)]
    fn bits(self) -> HasAvx512 {
        self.avx512()
    }

    #[inline(always)]
    fn bytes(self) -> Self {
        self
    }

    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        self.avx512().extract(word, mask)
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        self.avx512().deposit(word, mask)
    }

    #[inline(always)]
    fn prefetch<T>(self, at: &T) {
        instructions::prefetch(at);
    }
}

/// For each of two planes, the bit of each of sixteen values.
static ONE_HOT: [[u8; 16]; 2] =
    [[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]];

/// For each of four cells, the bytes of sixteen lanes that lie one cell up.
static UP: [[u8; 16]; 4] = {
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

/// The lanes that do not have `cell` filled.
const fn without(cell: u32) -> u64 {
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
