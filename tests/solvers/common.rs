//! Code that tests share, as far as this program uses it.

#[path = "../common/any_squares.rs"]
mod any_squares;
#[path = "../common/attacks.rs"]
pub(crate) mod attacks;
#[path = "../common/forge.rs"]
pub(crate) mod forge;
#[path = "../common/games.rs"]
pub(crate) mod games;
#[path = "../common/library.rs"]
pub(crate) mod library;
#[path = "../common/lists.rs"]
pub(crate) mod lists;
#[path = "../common/oracle.rs"]
pub(crate) mod oracle;
#[path = "../common/python.rs"]
pub(crate) mod python;
#[path = "../common/large_random.rs"]
pub(crate) mod random;
#[path = "../common/script.rs"]
pub(crate) mod script;
#[path = "../common/small_games.rs"]
mod small_games;
#[path = "../common/small_random.rs"]
mod small_random;
#[path = "../common/solve.rs"]
mod solve;
#[path = "../common/symmetric_squares.rs"]
pub(crate) mod squares;
#[path = "../common/symmetry.rs"]
pub(crate) mod symmetry;
#[path = "../common/tables.rs"]
mod tables;
#[path = "../common/twins.rs"]
mod twins;

pub(crate) use solve::*;
pub(crate) use tables::*;
pub(crate) use twins::*;
