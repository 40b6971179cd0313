//! Solves small two-player games completely and ships the answer as data.
//!
//! tablegen enumerates every position of a bit-encoded game, labels each a win, a draw or a loss by retrograde
//! induction in parallel, writes a memory-mapped table and answers any position in O(1).
//!
//! ```
//! use tablegen::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("tactics.tb");
//! let game = Tactics::new(4, 4, 4, Play::Misere)?;
//! let (rules, descriptor) = (game.rules(), game.descriptor());
//! let solution = solve::dense(rules, &solve::Options::default())?;
//! Draft { rules, descriptor: &descriptor, layout: solution.layout(), planes: solution.planes() }.save(&path)?;
//!
//! let table = Table::open(&path)?;
//! let probe = table.probe(game.read("XX../XX../..../....")?.node)?;
//! assert_eq!(probe.value.outcome, Outcome::Win);
//! let best = game.write_move(probe.node, probe.moves[0].to);
//! assert_eq!(best, "c3");
//! # Ok(()) }
//! ```
//!
//! - [`rules`]: a game as data, and playing by it one position at a time.
//! - [`plane`]: outcomes as bit planes.
//! - [`solve`]: the solvers.
//! - [`table`]: the file, its writer, its reader and its verifiers.
//! - [`oracle`]: tables held against plain search.
//! - [`game`]: the games there are, and how people write their positions.
//! - [`shipped`]: the tables that are part of the library.
//!
//! Modules depend one way: `oracle` on `solve` and `table`, `game` on `solve`; all of these on `plane`, [`reached`] (the
//! positions that play reaches, as bytes) and `rules`, and `rules` on nothing.

#[cfg(target_endian = "big")]
compile_error!("tables are little-endian and mapped as they are: a big-endian machine would read them wrongly");

pub mod atomic_file;
pub mod contents;
pub mod engine;
pub mod game;
pub mod label;
pub mod plane;
pub mod reachable;
pub mod rules;
pub mod shipped;
pub mod solve;
pub mod table;
pub mod verify;

/// What most programs need.
pub mod prelude {
    pub use crate::game::{Game, Play, Tactics};
    pub use crate::label::{Choice, Probe, Value};
    pub use crate::rules::{Board, Descriptor, End, Mode, Move, Node, Outcome, Position, Rules, RulesSpec, Start};
    pub use crate::solve::{Method, Options, Solution, solve};
    pub use crate::table::Table;
}
