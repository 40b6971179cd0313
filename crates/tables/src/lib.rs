//! Tables on disk, the checks of a table, the tables that are shipped, and ranks that build one together.
//!
//! - [`table`]: the file, its writer and its reader.
//! - [`verify`]: three checks of a table that share as little as they can.
//! - [`certificate`]: strategies that anybody can check.
//! - [`plies`]: the plies of a table that lacks them because best play is long.
//! - [`cluster`]: several processes that solve one game together.
//! - [`shipped`]: the tables that are part of the library.
//!
//! `tablegen` re-exports what users may rely on. Other items serve its crates and may change.

use tablegen_core::{
    atomic_file, colourings, compressed, contents, domain, label, plane, reachable, rules, search, symmetry, values,
};
use tablegen_solve as solve;

pub mod certificate;
pub mod cluster;
pub mod plies;
pub mod shipped;
pub mod table;
pub mod verify;
