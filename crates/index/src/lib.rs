//! Which positions are labelled, where each label lies, and how labels are read.
//!
//! - [`domain`]: which positions a solution or a table covers, in one of the indexes.
//! - [`plane`], [`colourings`], [`reachable`]: dense, two-colour and sparse indexes of positions.
//! - [`regions`]: the index by mode and numbers of pieces.
//! - [`symmetry`]: groups of symmetries, and the position that represents its class.
//! - [`contents`]: the labels of a domain.
//! - [`values`]: the canonical forms of boards, by number.
//! - [`compressed`]: compressed blocks of labels.
//!
//! `tablegen` re-exports what users may rely on. Other items serve its crates and may change.

#[cfg(target_endian = "big")]
compile_error!("tables are little-endian and mapped as they are: a big-endian machine would read them wrongly");

pub mod colourings;
pub mod compressed;
pub mod contents;
pub mod domain;
pub mod plane;
pub mod reachable;
pub mod regions;
pub mod symmetry;
pub mod values;

use tablegen_labels as label;
use tablegen_rules as rules;
use tablegen_work::parallel;
