//! Code that tests share, as far as this program uses it.

#[path = "../common/forge_labels.rs"]
pub(crate) mod forge;
#[path = "../common/forge.rs"]
mod forge_fields;
#[path = "../common/games.rs"]
pub(crate) mod games;
#[path = "../common/library.rs"]
pub(crate) mod library;
#[path = "../common/points.rs"]
pub(crate) mod points;
#[path = "../common/python.rs"]
pub(crate) mod python;
#[path = "../common/small_random.rs"]
pub(crate) mod random;
#[path = "../common/by_regions.rs"]
pub(crate) mod regions;
#[path = "../common/script.rs"]
pub(crate) mod script;
#[path = "../common/small_games.rs"]
mod small_games;
#[path = "../common/solve.rs"]
mod solve;
#[path = "../common/any_squares.rs"]
pub(crate) mod squares;
#[path = "../common/tables.rs"]
mod tables;

pub(crate) use solve::*;
pub(crate) use tables::*;
