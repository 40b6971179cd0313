//! The positions of a game that can be reached, as bytes: the same in memory, in a file and for the solver.
//!
//! If the board space is too large to label, only what can be reached is stored. [`Codes`] turns a position into a
//! number and back; [`Levels`] says how many positions of each number of filled cells there are and where each lies;
//! a [`Level`] finds a position among them, exactly: a position that is not stored is known not to be.
//!
//! A level's positions are sorted by their codes. A code is a *mixed* key (a permutation of all keys under which any
//! set of positions looks random), so its top bits spread evenly: they choose a bucket of 4 to 7 positions through a
//! directory, and only the bits below them are stored. A probe is two loads far apart, whatever the size of the table:
//!
//! ```text
//! code of a position      [ bucket      | rest               ]
//! directory of the level  [ … first[bucket], first[bucket + 1] … ]      u32 each
//! rests of the level      [ … rest rest rest rest rest … ]               sorted within the bucket
//! outcomes of the level   [ … 1 or 2 bits each, in the same order … ]
//! ```
//!
//! Measured on 16.0 million positions with 60-bit keys: 6.8 bytes a position. An open-addressed array of whole keys would
//! take 9 (nine tenths full) to 16 (half full). And since the levels are sorted, equal sets have equal bytes without any
//! further care. `docs/format.md` describes the bytes.

mod codes;
mod column;
mod level;
mod levels;

pub(crate) use codes::Codes;
pub(crate) use column::{Column, column_bytes};
pub use level::Misplaced;
pub(crate) use level::{Level, write_keys};
pub use levels::LevelSize;
pub(crate) use levels::{Levels, MOST_IN_LEVEL, key_bytes};
