//! The reachable positions of a game, as bytes: the same in memory, in a file and for the solver.
//!
//! If there are too many boards to label, only the reachable positions are stored. [`Codes`] turns a position into a
//! number and back. [`Levels`] gives the number of positions for each number of filled cells, and where each level
//! lies. A [`Level`] finds a position exactly: if a position is not stored, the lookup says so.
//!
//! A level's positions are sorted by their codes. A code is a *mixed* key (a permutation of all keys under which any
//! set of positions looks random), so its top bits spread evenly. They choose a bucket of 4 to 7 positions through a
//! directory, and only the bits below them are stored. A probe takes two distant loads, whatever the size of the
//! table:
//!
//! ```text
//! code of a position      [ bucket      | rest               ]
//! directory of the level  [ … first[bucket], first[bucket + 1] … ]      u32 each
//! rests of the level      [ … rest rest rest rest rest … ]               sorted within the bucket
//! outcomes of the level   [ … 1 or 2 bits each, in the same order … ]
//! ```
//!
//! Measured on 16.0 million positions with 60-bit keys: 6.8 bytes per position. An open-addressed array of whole keys
//! would take 9 (nine tenths full) to 16 (half full). Since the levels are sorted, equal sets also have equal bytes.
//! `docs/format.md` describes the bytes.

mod append;
mod codes;
mod column;
mod keys;
mod level;
mod levels;

pub use append::{append_keys, write_keys};
pub use codes::{Codes, KeyWord};
pub use column::{Column, CountFault, column_bytes};
pub use keys::{KeyBytes, KeyFault};
pub use level::Level;
pub use level::Misplaced;
pub use levels::LevelSize;
pub use levels::{Levels, MOST_IN_LEVEL, key_bytes};
