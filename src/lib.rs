//! Solves small two-player games completely and stores the answers in tables.
//!
//! tablegen enumerates every position of a game given as bits, and labels each one a win, a draw or a loss by parallel
//! retrograde induction. It writes the labels to a table, which answers any position in O(1).
//!
//! ```
//! use tablegen::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("tactics.tb");
//! let game = Tactics::new(4, 4, 4, Play::Misere)?;
//! let solution = solve(game.rules(), &Options::default())?;
//! solution.save(&game.descriptor(), &path)?;
//!
//! let table = Table::open(&path)?;
//! let probe = table.probe(game.read("XX../XX../..../....")?.node)?;
//! assert_eq!(probe.value.outcome, Outcome::Win);
//! let best = game.write_move(probe.node, probe.moves[0].to);
//! assert_eq!(best, "c3");
//! # Ok(()) }
//! ```
//!
//! - [`engine`]: the entry point: games and tables by name, builds step by step, answers.
//! - [`game`]: the games, and the notation for their positions.
//! - [`rules`]: a game as data, and play by these rules one position at a time.
//! - [`symmetry`]: groups of symmetries, and representatives of symmetry classes.
//! - [`label`]: the labels of a position, as an algebra over its successors.
//! - [`solve`]: the solvers.
//! - [`table`]: the file, its writer and its reader.
//! - [`cluster`]: several processes that solve one game together.
//! - [`verify`]: three checks of a table that share as little code as possible.
//! - [`contents`]: the labels of a solution or a table: dense ([`plane`]), sparse, or two-colour ([`coloured`]).
//! - [`shipped`]: the tables that are part of the library.
//!
//! Dependencies between modules go one way:
//!
//! - `engine` depends on `game`, `cluster` and `verify`;
//! - `game`, `cluster` and `verify` depend on `table`, `table` on `solve`, and `solve` on `contents`;
//! - `contents` depends on `plane`, `reachable`, `coloured` and `symmetry`, these depend on `label`, and `label` on
//!   `rules`;
//! - `rules` depends on nothing.
//!
//! `game` also uses a search from `solve`, but no solver knows `game`.
//!
//! Features: `mpi` adds `cluster::mpi`, `json` adds `engine::json`, `dirs` adds the standard folders of a user's
//! tables, and `serve` adds `server`. `cli` adds the binary and enables all of them.

#[cfg(target_endian = "big")]
compile_error!("tables are little-endian and mapped as they are: a big-endian machine would read them wrongly");

pub mod atomic_file;
pub mod cluster;
pub mod coloured;
pub mod contents;
pub mod engine;
pub mod game;
pub mod label;
pub mod packed;
pub mod plane;
mod reachable;
pub mod rules;
#[cfg(feature = "serve")]
pub mod server;
pub mod shipped;
pub mod solve;
pub mod symmetry;
pub mod table;
pub mod verify;

/// The items that most programs need, with every type that the methods of [`Game`](prelude::Game) mention.
///
/// ```
/// use tablegen::prelude::*;
///
/// /// The node that `text` names, in the notation of the game.
/// fn node(game: &dyn Game, text: &str) -> Result<Node, NotationError> {
///     let reading: Reading = game.read(text)?;
///     Ok(reading.node)
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("tactics.tb");
/// let game = Tactics::new(3, 3, 3, Play::Normal)?;
/// solve(game.rules(), &Options::default())?.save(&game.descriptor(), &path)?;
///
/// let OpenTable { game, table } = OpenTable::new(Table::open(&path)?);
/// let probe = table.probe(node(game.as_ref(), "XX./.../...")?)?;
/// assert_eq!((game.write(probe.node).as_str(), probe.value.outcome), ("XX./.../...", Outcome::Win));
/// assert!(node(game.as_ref(), "XX").is_err());
/// # Ok(()) }
/// ```
pub mod prelude {
    pub use crate::engine::OpenTable;
    pub use crate::game::{Coverage, Game, NotationError, OffTable, OutcomeClass, Play, Reading, Scene, Tactics};
    pub use crate::label::{Choice, LabelKind, LabelSet, Probe, Undefined, Value};
    pub use crate::rules::{
        Board, Descriptor, End, Mode, Move, Node, Outcome, Player, Position, Rules, RulesError, RulesSpec, Start,
    };
    pub use crate::solve::{Method, Options, Solution, solve};
    pub use crate::table::Table;
}
