//! Code that tests share, as far as this program uses it.

#[path = "../common/attacks.rs"]
pub(crate) mod attacks;
#[path = "../common/forge.rs"]
pub(crate) mod forge;
#[path = "../common/small_games.rs"]
pub(crate) mod games;
#[path = "../common/lists.rs"]
pub(crate) mod lists;
#[path = "../common/script.rs"]
pub(crate) mod script;
#[path = "../common/solve.rs"]
mod solve;

pub(crate) use solve::*;
