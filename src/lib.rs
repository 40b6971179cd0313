//! Solves small two-player games completely and stores the answers in tables.
//!
//! tablegen solves two-player games without chance or hidden information. It enumerates the positions of a game and
//! labels each one a win, a draw or a loss by parallel retrograde induction, from the positions where the game is over
//! back to the start. It writes the labels to a table, which answers any position in O(1).
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
//! # Ok(()) }
//! ```
//!
//! # Concepts
//!
//! - A *board* is a set of filled cells, and has at most 128 cells. A *mode* is the control state besides the board, such as
//!   the side to move. A *position* is a board and a mode.
//! - [`Rules`](rules::Rules) are data. A move names the cells that must be empty, the cells that must be filled, and the
//!   cells that it fills or empties. Terminal patterns end the game, and so does a player without a move; the rules say
//!   with which outcome. The solvers know nothing else about a game.
//! - A *label* is a value stored for a position: its *outcome* for the player to move, its *remoteness* (the number of plies
//!   to the end under perfect play), or its *nimber* (Grundy value).
//! - A *solver* computes the labels of a game ([`Method`](solve::Method)). A *dense* table labels every board. A
//!   *two-colour* table labels every colouring of every set of occupied squares. A *sparse* table labels only the
//!   reachable positions; the *cyclic* solver does the same for games in which positions may repeat.
//! - Positions that a symmetry maps to each other form a *symmetry class* and have equal labels. A table can store one
//!   *representative* per class.
//! - A large dense or two-colour game is solved by *slices*, which are kept on disk or by several *ranks* (processes).
//!
//! # Modules
//!
//! Most programs need the [`prelude`] or the [`engine`]:
//!
//! - [`engine`]: games and tables by name, builds step by step, answers with best moves.
//! - [`game`]: the games, rules files, and the notation of positions.
//! - [`rules`]: a game as data, and play by its rules one position at a time.
//! - [`solve`]: the solvers. [`search`]: the value of one position without a table.
//! - [`table`]: the table file, its writer and its reader. [`shipped`]: the tables that are embedded in the library.
//! - [`verify`]: three independent checks of a table.
//! - `cluster`: several processes that solve one game together, with the feature `ranks`.
//!
//! The other modules define labels and their storage:
//!
//! - [`label`]: the labels of a position, computed from the labels of its successors.
//! - [`symmetry`]: groups of symmetries, and the representatives of symmetry classes.
//! - [`contents`]: the labels of a solution or a table: dense ([`plane`]), two-colour ([`colourings`]) or sparse.
//! - [`compressed`]: compressed blocks of labels.
//! - [`atomic_file`]: files that are written completely or not at all.
//!
//! These modules re-export the public items of the crates in `crates/`. Other items of these crates may change.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `cli` (default) | the program `tablegen`; enables all features but `columns`, `ranks` and `mpi` |
//! | `compress` | reading and writing compressed tables |
//! | `json` | `engine::json`: answers and facts as JSON |
//! | `dirs` | `TableDirs::standard`: the standard folders of a user's tables |
//! | `picture` | `engine::picture`: plots of the statistics of a table |
//! | `serve` | `server`: HTTP and a page; enables `json` |
//! | `columns` | `engine::column_files`: export as Parquet and Arrow files |
//! | `ranks` | `cluster`: builds by several processes, which exchange messages through a `Transport` of yours |
//! | `mpi` | `cluster::mpi`: builds on several machines; enables `ranks`; needs Open MPI or MPICH, and libclang |

#[doc(inline)]
pub use tablegen_engine as engine;
#[cfg(feature = "serve")]
#[doc(inline)]
pub use tablegen_server as server;

/// Files that are written completely or not at all.
pub mod atomic_file {
    pub use tablegen_work::atomic_file::{folder_of, is_storage_full, remove_abandoned, write_atomically};
}
/// Several processes that solve one game together.
#[cfg(feature = "ranks")]
pub mod cluster {
    #[cfg(feature = "mpi")]
    pub use tablegen_ranks::mpi;
    pub use tablegen_ranks::{
        Cluster, ClusterConfig, ClusterError, ThreadRank, TrafficTotals, Transport, thread_ranks,
    };
}
/// The index of a two-colour table: the colourings of the occupied sets.
pub mod colourings {
    pub use tablegen_index::colourings::{Frame, Place, Square, SquareFold, Squares, Unpaired};
}
/// The labels of a solution or a table: dense, two-colour or sparse.
pub mod contents {
    pub use tablegen_index::contents::{
        ByteLabels, Coloured, Contents, Dense, FilledCounts, LabelFault, LevelSize, Misplaced, Reach, Sparse, Tally,
    };
}
/// Which positions a solution or a table covers: their index, their symmetries and the starts of play.
pub mod domain {
    pub use tablegen_index::domain::{Domain, Method};
}
#[doc(inline)]
pub use tablegen_games as game;
/// The labels of a position, computed from the labels of its successors.
pub mod label {
    pub use tablegen_labels::{
        About, ByLabel, Choice, Counts, Label, LabelKind, LabelSet, MisereNimber, Nimber, Probe, Remoteness, Score,
        Undefined, UnknownLabel, Value, Width, probe, step, try_step,
    };
}
/// Compressed blocks of labels.
pub mod compressed {
    pub use tablegen_index::compressed::{BlockFault, Compression, DEFAULT_BLOCK, DEFAULT_LEVEL, is_available};
}
/// Bit planes: the labels of every board.
pub mod plane {
    pub use tablegen_index::plane::{Bits, Conflict, Layout, LayoutError, PlaneFault, Planes, Shape};
}
/// A game as data, and play by its rules one position at a time.
pub mod rules {
    pub use tablegen_rules::{
        Board, Count, CountEnd, Descriptor, End, Ending, Line, MAX_CELLS, MAX_COUNTS, MAX_MODES, MAX_MOVES, MAX_NAME,
        MOST_LEVELS, MOST_POINTS, Mode, Move, NoSides, NoSymmetry, Node, Outcome, Player, Position, Potential, Rules,
        RulesError, RulesSpec, Sides, Start, Step, SweepObstacle, Symmetry, SymmetryCheck, Take, Terminal,
    };
}
/// Exact search with memory: the value of one position under any rules, without a table.
pub mod search {
    pub use tablegen_search::{AlphaBeta, Guess, Guide, Known, KnownValues, LimitReached, Search, Strength, Wanted};
}
/// The tables that are embedded in the library.
pub mod shipped {
    pub use tablegen_tables::shipped::{LABELS, MOST_EMBEDDED, Shipped, TABLES, embedded};
}
/// The solvers: one function, one set of options and one kind of solution for all of them.
pub mod solve {
    #[cfg(feature = "ranks")]
    pub use tablegen_solvers::{Communicator, solve_distributed};
    pub use tablegen_solvers::{
        Kernel, KernelError, LevelStore, MemoryProbe, Method, NotColoured, Options, Phase, Progress, ReachableCount,
        SavedLevel, Solution, SolveError, Solver, UpTo, Watch, check_method, coloured, count_reachable,
        is_distributable, layout, sampled_count, scalar, scalar_coloured, scalar_marked, solve, solve_with_checkpoints,
    };
}
/// Groups of symmetries, and the representatives of symmetry classes.
pub mod symmetry {
    pub use tablegen_index::symmetry::{Element, Fold, Group, LISTED, MOST_FOLDED, Representative, find};
}
/// The table file: its writer and its reader.
pub mod table {
    pub use tablegen_tables::table::{
        Extended, MAGIC, NewTable, SaveTable, Storage, Table, TableError, TableFault, VERSION, file_bytes,
        release_locks, rules_hash,
    };
}
/// Values of boards: for each board a number in a dictionary of canonical forms; and the calculator for values.
pub mod values {
    pub use tablegen_cgt::{
        Calculator, Comparison, Dyadic, Error, Genus, Limits, MisereForm, MisereForms, MisereQuotient, Point, Stops,
        Store, Thermograph, Value, Wall,
    };
    pub use tablegen_index::values::{BoardIndex, Dictionary, Entry, Values};
}
/// Certificates: strategies that anybody can check.
pub mod certificate {
    pub use tablegen_tables::certificate::{Aim, Bounds, Certificate, CertificateError, Choice, Claim, Strategy};
}
/// Three checks of a table that share as little code as possible.
pub mod verify {
    pub use tablegen_tables::verify::{
        Finding, Layer, ORACLE_LIMIT, ORACLE_POSITIONS, Options, OracleReport, Scope, bytes, label_bytes, labels,
        oracle, oracle_limit, scope, values,
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
    pub use tablegen_games::{Coverage, Game, NotationError, OffTable, OutcomeClass, Play, Reading, Scene, Tactics};
    pub use tablegen_labels::{Choice, LabelKind, LabelSet, Probe, Undefined, Value};
    pub use tablegen_rules::{
        Board, Descriptor, End, Mode, Move, Node, Outcome, Player, Position, Rules, RulesError, RulesSpec, Start,
    };
    pub use tablegen_solvers::{Method, Options, Solution, solve};
    pub use tablegen_tables::table::{SaveTable, Table};

    pub use tablegen_engine::OpenTable;
}
