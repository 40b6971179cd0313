//! The entry point to tablegen: choose a solver, find or make a table, answer a position.
//!
//! The command line, a server and bindings for other languages all turn each request into one call of an [`Engine`]
//! and show the result, so no decision is made in two places.
//!
//! ```
//! # mod tablegen { pub mod engine { pub use tablegen_engine::*; } pub use tablegen_games as game; }
//! use tablegen::engine::{Asked, Engine, TableDirs, game};
//! use tablegen::game::Parameters;
//!
//! // No folder is looked in: the table comes from inside the library.
//! let engine = Engine::new(TableDirs::none());
//! let source = engine.source(game("tactics", &Parameters::new())?, 1_000_000)?;
//! let answer = source.answer(&source.read("XX../XX../..../....")?)?;
//! assert_eq!(answer.outcome_name(), "win");
//! assert_eq!(answer.answer.moves[0].text, "c3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`game()`] and [`Meaning`]: the game or table that a name refers to.
//! - [`TableDirs`], [`OpenTable`]: the folders with tables, and a table together with its game.
//! - [`Choice`], [`Shortage`]: the choice of the solver, and the check that memory and disk space suffice for it.
//! - [`BuildPlan`], [`Solved`], [`Built`], [`How`]: a build, step by step, and how it went.
//! - [`Source`], [`Answered`]: positions and their values; [`BestLine`]: best play from there; [`Match`]: a game in
//!   progress.
//! - [`View`]: a position on the board, as it is drawn.
//! - [`TableFacts`], [`LabelFacts`]: the contents of a table, and the frequency of each label.
//! - `json`: all of this as JSON (with the feature `json`).
//! - [`Stats`]: counts over all positions of a table; `picture` draws them (with the feature `picture`).
//! - [`export`]: labels for other programs. [`ColumnReader`]: all labels as columns; `arrow` makes record batches of them
//!   (with the feature `arrow`), and `column_files` writes files (with the feature `columns`).

mod advice;
mod answer;
#[cfg(feature = "arrow")]
pub mod arrow;
mod build;
mod bulk;
#[cfg(feature = "columns")]
pub mod column_files;
mod columns;
mod data_set;
mod error;
pub mod export;
mod facts;
mod first;
#[cfg(feature = "json")]
pub mod json;
mod label_facts;
mod labels;
mod line;
mod losses;
mod names;
mod numbers;
mod opponent;
mod outcomes;
#[cfg(feature = "picture")]
pub mod picture;
mod plan;
mod play;
mod plies;
mod points;
mod preview;
mod reachability;
mod roots;
mod rows;
mod rules_text;
mod scene;
mod search_options;
mod statements;
mod stats;
mod text_file;
mod threads;
mod value;

use tablegen_solvers::Kernel;

pub use advice::Advice;
use answer::assembly::{look_up_or_search, searched_by};
pub use answer::assembly::{looked_up, searched};
pub use answer::looking::Stop;
pub use answer::on_demand::{Remedy, SOLVED_ON_DEMAND};
pub use answer::question::Asked;
pub use answer::reply::{Answered, Brief, UNKNOWN};
pub use answer::source::{Origin, Source, Teller};
pub use answer::telling::{SearchProgress, SearchTeller};
pub use build::levels::LevelFacts;
pub use build::ranks::TeamError;
pub use build::slices::SliceFacts;
pub use build::steps::{BuildPlan, Built, Solved};
pub use build::values::{VALUE, no_values};
pub use build::work::{How, RankFacts};
pub use bulk::{BulkError, LabelNumber, Modes};
pub use columns::{
    COLUMN_BATCH, Column, ColumnField, ColumnKind, ColumnName, ColumnReader, ColumnValues, Columns, ColumnsError, Keys,
    UnknownColumn,
};
pub use data_set::SquareFields;
pub use error::{EngineError, ErrorKind, UnfinishedError};
pub use facts::{CompressionFacts, PartFacts, RegionFacts, RulesFacts, TableCheck, TableFacts, reachable};
pub use label_facts::{Example, LabelFacts, Longest, NumberFacts, RemotenessFacts};
pub use labels::{check_wanted, default_labels};
pub use line::{BestLine, LineEnd, Ply};
pub use losses::LossCursor;
pub use names::dirs::{ListedTable, TableDirs, UnfinishedTable};
pub use names::meaning::{Meaning, game, meaning, rules_file, unknown_game};
pub use names::open::{Access, OpenTable};
pub use names::part::part_of;
pub use names::target::{check_no_table, check_place, nearest_folder, prepare_folder, resolve};
pub use numbers::NumberCounts;
pub use opponent::{Opponent, Reply, Skill};
pub use plan::choice::{Choice, Figures, Reachable, SolverCost};
pub use plan::compress::Compress;
pub use plan::disk::DiskNeed;
pub use plan::estimate::{COUNTED, Estimate, EstimatedPositions, NumberBytes};
pub use plan::fits::Fits;
pub use plan::machine::{available_memory, free_space, peak_bytes};
pub use plan::memory_budget::{Limit, Resource, Shortage, check_room};
pub use plan::options::{BuildOptions, EstimateOptions, SolveOptions};
pub use plan::regions::check_solver;
pub use plan::sweep::shortage;
pub use plan::symmetry::{SymmetryFacts, UseSymmetry};
pub use play::{Match, PlayError, Seat};
pub use points::margin;
pub use preview::Preview;
pub use reachability::{ReachabilityError, reachability};
pub use rows::{Condition, ConditionError, Row, RowOptions, RowReader, Rows, RowsError};
pub use rules_text::rules_in_words;
pub use scene::{View, ViewMove};
pub use search_options::{LimitError, SearchLimit, SearchOptions, SearchSetup};
pub use statements::{STATEMENT_LIMIT, Untrue, untrue};
pub use stats::{ReadWatch, RegionStats, Stats};
pub use tablegen_search::{Wanted, WantedError};
pub use text_file::{MOST_PARAMETER_BYTES, TextError, text_file, text_of};
pub use threads::MAX_THREADS;
pub use value::{
    BoardValue, MisereFacts, SideMoves, SumFacts, SumMove, ValueError, ValueFacts, ValueStats, ValuedExample,
    ValuedTurn, read_value, value_csv,
};

/// The setup for making answers: the folders of tables, how they are read, and the kernel for sweeps.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    dirs: TableDirs,
    access: Access,
    kernel: Option<Kernel>,
    threads: Option<usize>,
    memory: Option<u64>,
    search: SearchSetup,
    /// The ranks that build together, if there are several.
    team: Option<build::ranks::Team>,
}

impl Engine {
    /// An engine that looks for tables in `dirs` and reads them into memory.
    #[must_use]
    pub const fn new(dirs: TableDirs) -> Self {
        let search = SearchSetup::DEFAULT;
        Self { dirs, access: Access::READ, kernel: None, threads: None, memory: None, search, team: None }
    }

    /// The same engine, reading tables in the way that `access` specifies.
    #[must_use]
    pub const fn with_access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// The same engine, sweeping with `kernel`, or with the fastest kernel of this machine if that is `None`.
    #[must_use]
    pub const fn with_kernel(mut self, kernel: Option<Kernel>) -> Self {
        self.kernel = kernel;
        self
    }

    /// The same engine, sharing work among `threads` threads, or one per core if that is `None`.
    #[must_use]
    pub const fn with_threads(mut self, threads: Option<usize>) -> Self {
        self.threads = threads;
        self
    }

    /// The same engine, with a limit on the memory of the process, in bytes, while it solves a game on the spot. With
    /// `None`, the limit is the default limit of a build.
    #[must_use]
    pub const fn with_memory(mut self, memory: Option<u64>) -> Self {
        self.memory = memory;
        self
    }

    /// The same engine, whose sources search positions with `search`.
    #[must_use]
    pub const fn with_search(mut self, search: SearchSetup) -> Self {
        self.search = search;
        self
    }

    /// What searches of its sources use.
    #[must_use]
    pub const fn search_setup(&self) -> SearchSetup {
        self.search
    }

    /// The folders where it searches for tables.
    #[must_use]
    pub const fn dirs(&self) -> &TableDirs {
        &self.dirs
    }
}
