//! The vectors of x86-64: AVX-512, one register a vector, and AVX2, two.
//!
//! `instructions` holds all that is unsafe here.

/// Methods that are one instruction, on the one register of a vector or on both.
macro_rules! operations {
    (one register: $($method:ident = $instruction:ident;)*) => {
        $(
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0, self.0.$instruction(self.1, other.1))
            }
        )*
    };
    (two registers: $($method:ident = $instruction:ident;)*) => {
        $(
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0, self.0.$instruction(self.1, other.1), self.0.$instruction(self.2, other.2))
            }
        )*
    };
}

mod avx2_bytes;
mod avx512_bytes;
mod bits;
mod boards;
mod colourings;
mod instructions;

use super::tokens::{HasAvx2, HasAvx512, HasAvx512Bytes};
use super::{Bits, Gather, LANES, LINE, Line, Unit, Vector, WideBits, Work, insert_bit};
use avx2_bytes::Avx2Bytes;
use avx512_bytes::Avx512Bytes;
use bits::{Avx2, Avx512};

/// A vector unit, by the vectors and by the methods of the token that give the tokens of the vectors.
macro_rules! unit {
    ($token:ident: $boards:ty = $of_boards:ident, $colourings:ty = $of_colourings:ident, $bytes:ty = $of_bytes:ident) => {
        impl Unit for $token {
            type Boards = $boards;
            type Colourings = $colourings;
            type Bytes = $bytes;

            #[inline(always)]
            fn boards(self) -> <$boards as Bits>::Token {
                self.$of_boards()
            }

            #[inline(always)]
            fn colourings(self) -> <$colourings as Bits>::Token {
                self.$of_colourings()
            }

            #[inline(always)]
            fn bytes(self) -> <$bytes as Vector>::Token {
                self.$of_bytes()
            }

            #[inline(always)]
            fn again<W: Work>(self, work: W) -> W::Output {
                self.run(work)
            }

            #[inline(always)]
            fn prefetch<T>(self, at: &T) {
                instructions::prefetch(at);
            }
        }

        impl Gather for $token {
            #[inline(always)]
            fn extract(self, word: u64, mask: u64) -> u64 {
                self.avx2()._pext_u64(word, mask)
            }

            #[inline(always)]
            fn deposit(self, word: u64, mask: u64) -> u64 {
                self.avx2()._pdep_u64(word, mask)
            }
        }
    };
}

// Colourings by plain Rust, compiled for AVX2, are as fast as by its instructions.
unit!(HasAvx2: Avx2 = avx2, WideBits = plain, Avx2Bytes = avx2);
unit!(HasAvx512: Avx512 = avx512, Avx512 = avx512, Avx2Bytes = avx2);
unit!(HasAvx512Bytes: Avx512 = avx512, Avx512 = avx512, Avx512Bytes = clone);

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

/// For each place and each bit, the numbers with this bit there, in ascending order: lanes of two lines.
static HALVES: [[Line; 2]; LINE as usize] = {
    let mut table = [[Line([0; LANES]); 2]; LINE as usize];
    let mut place = 0;
    while place < LINE {
        let mut lane = 0;
        while lane < LANES {
            table[place as usize][0].0[lane] = insert_bit(lane, place, false) as u8;
            table[place as usize][1].0[lane] = insert_bit(lane, place, true) as u8;
            lane += 1;
        }
        place += 1;
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
