//! Tables on disk, the checks of a table, and the tables that are shipped.
//!
//! - [`table`]: the file, its writer and its reader.
//! - [`verify`]: three checks of a table that share as little as they can.
//! - [`certificate`]: strategies that anybody can check.
//! - [`plies`]: the plies of a table that lacks them because best play is long.
//! - [`shipped`]: the tables that are part of the library.
//!
//! `tablegen` re-exports what users may rely on. Other items serve its crates and may change.

use tablegen_index::{colourings, compressed, contents, domain, plane, reachable, regions, symmetry, values};
use tablegen_labels as label;
use tablegen_reach as reach;
use tablegen_rules as rules;
use tablegen_search as search;
use tablegen_solvers as solve;
use tablegen_work::{atomic_file, parallel};

pub mod certificate;
pub mod plies;
pub mod shipped;
pub mod table;
pub mod verify;
