//! The reachable positions of a game, as bytes: the same in memory, in a file and for the solver.
//!
//! If there are too many boards to label, only the reachable positions are stored. [`Codes`] turns a position into a
//! number and back. [`Levels`] has the number of positions with each number of filled cells, and the offset of each
//! level. A [`Level`] finds positions exactly: for a position that is not stored, the lookup says so.
//!
//! A level's positions are sorted by their codes. A code is a *mixed* key: mixing is a permutation of all keys under
//! which any set of positions looks random. So the top bits of codes are spread evenly. They choose a bucket of 4 to 7
//! positions through a directory, and only the bits below them are stored. A probe needs two loads from distant memory,
//! whatever the size of the table:
//!
//! ```text
//! code of a position      [ bucket      | rest               ]
//! directory of the level  [ … first[bucket], first[bucket + 1] … ]      u32 each
//! rests of the level      [ … rest rest rest rest rest … ]               sorted within the bucket
//! outcomes of the level   [ … 1 or 2 bits each, in the same order … ]
//! ```
//!
//! Measured on 16.0 million positions with 60-bit keys, this takes 6.8 bytes per position. An open-addressed array of
//! whole keys would take 9 bytes (90 % full) to 16 bytes (half full). Since levels are sorted, equal sets also have
//! equal bytes.
//! `docs/reference/format.md` describes the bytes.

mod append;
mod codes;
mod column;
mod keys;
mod level;
mod levels;
mod words;

pub use append::{append_keys, write_keys};
pub use codes::Codes;
pub use column::{Column, CountFault, column_bytes, write_number};
pub use keys::{KeyBytes, KeyFault};
pub use level::Level;
pub use level::Misplaced;
pub use levels::LevelSize;
pub use levels::{Levels, MOST_IN_LEVEL, key_bytes};
pub use words::{BoardWord, KeyWord, WideKey};
