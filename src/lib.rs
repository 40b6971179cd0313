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
//! - [`search`]: the value of one position without a table.
//! - [`table`]: the file, its writer and its reader.
//! - [`cluster`]: several processes that solve one game together.
//! - [`verify`]: three checks of a table that share as little code as possible.
//! - [`contents`]: the labels of a solution or a table: dense ([`plane`]), sparse, or two-colour ([`colourings`]).
//! - [`shipped`]: the tables that are part of the library.
//!
//! The modules re-export what users may rely on from four crates: `tablegen-core` (rules, labels, symmetries and
//! indexes), `tablegen-solve`, `tablegen-games` and `tablegen-tables`. Other items of these crates may change.
//!
//! Features: `mpi` adds `cluster::mpi`, `json` adds `engine::json`, `dirs` adds the standard folders of a user's
//! tables, and `serve` adds `server`. `cli` adds the binary and enables all of them.

pub mod engine;
#[cfg(feature = "serve")]
pub mod server;

/// Files that appear whole or not at all.
pub mod atomic_file {
    pub use tablegen_core::atomic_file::{folder_of, is_storage_full, remove_abandoned, write_atomically};
}
/// Several processes that solve one game together.
pub mod cluster {
    #[cfg(feature = "mpi")]
    pub use tablegen_tables::cluster::mpi;
    pub use tablegen_tables::cluster::{
        Cluster, ClusterConfig, ClusterError, ThreadRank, TrafficTotals, Transport, thread_ranks,
    };
}
/// The colourings of the occupied sets of a game of two colours, and where each lies.
pub mod colourings {
    pub use tablegen_core::colourings::{Frame, Place, Square, SquareFold, Squares, Unpaired};
}
/// The labels of a solution or a table: dense, two-colour or sparse.
pub mod contents {
    pub use tablegen_core::contents::{
        ByteLabels, Coloured, Contents, Dense, FilledCounts, Folded, LabelFault, LevelSize, Misplaced, Reach, Sparse,
        Tally,
    };
}
/// Which positions a solution or a table covers: their index, their symmetries and the starts of play.
pub mod domain {
    pub use tablegen_core::domain::{Domain, Method};
}
#[doc(inline)]
pub use tablegen_games as game;
/// The labels of a position, as an algebra over its successors.
pub mod label {
    pub use tablegen_core::label::{
        Choice, Counts, Label, LabelKind, LabelSet, Nimber, Probe, Remoteness, Undefined, UnknownLabel, Value, Width,
        probe, step, try_step,
    };
}
/// Compressed blocks of labels.
pub mod compressed {
    pub use tablegen_core::compressed::{BlockFault, Compression, DEFAULT_BLOCK, DEFAULT_LEVEL, is_available};
}
/// Bit planes: the labels of every board.
pub mod plane {
    pub use tablegen_core::plane::{Bits, Conflict, Layout, LayoutError, PlaneFault, Planes, Shape};
}
/// A game as data, and play by these rules one position at a time.
pub mod rules {
    pub use tablegen_core::rules::{
        Board, Descriptor, End, MAX_CELLS, MAX_MODES, MAX_MOVES, MAX_NAME, MOST_LEVELS, Mode, Move, NoSymmetry, Node,
        Outcome, Player, Position, Potential, Rules, RulesError, RulesSpec, Start, SweepObstacle, Symmetry,
        SymmetryCheck,
    };
}
/// Exact search with memory: the value of one position under any rules, without a table.
pub mod search {
    pub use tablegen_core::search::{Guide, Known, LimitReached, Search};
}
/// The tables that are part of the library.
pub mod shipped {
    pub use tablegen_tables::shipped::{LABELS, MOST_EMBEDDED, Shipped, TABLES, embedded};
}
/// The solvers: one function, one set of options and one kind of solution for all of them.
pub mod solve {
    pub use tablegen_solve::{
        Alone, Communicator, Kernel, KernelError, LevelStore, MemoryProbe, Method, NotColoured, Options, Phase,
        Progress, ReachableCount, SavedLevel, Solution, SolveError, UpTo, Watch, coloured, count_reachable,
        is_distributable, layout, sampled_count, scalar, scalar_coloured, scalar_marked, solve, solve_distributed,
    };
}
/// Groups of symmetries, and the position that represents its symmetry class.
pub mod symmetry {
    pub use tablegen_core::symmetry::{Element, Fold, Group, LISTED, MOST_FOLDED, Representative, find};
}
/// The table file: its writer and its reader.
pub mod table {
    pub use tablegen_tables::table::{
        Extended, MAGIC, SaveTable, Storage, Table, TableError, TableFault, VERSION, file_bytes, release_locks,
        rules_hash,
    };
}
/// Three checks of a table that share as little as they can.
pub mod verify {
    pub use tablegen_tables::verify::{
        Finding, Layer, ORACLE_LIMIT, Options, OracleReport, Scope, bytes, label_bytes, labels, oracle, scope,
    };
}

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
    pub use tablegen_core::label::{Choice, LabelKind, LabelSet, Probe, Undefined, Value};
    pub use tablegen_core::rules::{
        Board, Descriptor, End, Mode, Move, Node, Outcome, Player, Position, Rules, RulesError, RulesSpec, Start,
    };
    pub use tablegen_games::{Coverage, Game, NotationError, OffTable, OutcomeClass, Play, Reading, Scene, Tactics};
    pub use tablegen_solve::{Method, Options, Solution, solve};
    pub use tablegen_tables::table::{SaveTable, Table};

    pub use crate::engine::OpenTable;
}
