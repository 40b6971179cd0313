//! A game as data, what is computed for its positions, and which positions are where.
//!
//! - [`rules`]: a game as data, and play by these rules one position at a time.
//! - [`label`]: what is computed for a position, as an algebra over its successors.
//! - [`symmetry`]: groups of symmetries, and the position that represents its class.
//! - [`plane`], [`colourings`], [`reachable`]: dense, two-colour and sparse indexes of positions.
//! - [`domain`]: which positions a solution or a table covers, in one of these indexes.
//! - [`contents`]: the labels of a domain.
//! - [`values`]: the canonical forms of boards, by number.
//! - [`compressed`]: compressed blocks of labels.
//! - [`search`]: the value of one position, without a table.
//! - [`parallel`]: work that threads share.
//!
//! `tablegen` re-exports what users may rely on. Other items serve its crates and may change.

#[cfg(target_endian = "big")]
compile_error!("tables are little-endian and mapped as they are: a big-endian machine would read them wrongly");

pub mod atomic_file;
pub mod characters;
pub mod colourings;
pub mod compressed;
pub mod contents;
pub mod domain;
pub mod label;
pub mod parallel;
pub mod plane;
pub mod progress;
pub mod reachable;
pub mod rules;
pub mod search;
pub mod symmetry;
pub mod values;
