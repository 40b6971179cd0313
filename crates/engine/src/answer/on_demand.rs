//! Games that are solved when a position is asked, and not built before.

use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use crate::answer::in_memory::InMemory;
use crate::answer::source::Held;
use crate::build::values::WantedValues;
use crate::plan::choice::{FEW, Reachable, Small, bounded, has_no_codes, independent};
use crate::plan::cost::{of_less_work, swept_on_demand};
use crate::plan::options::SolverRun;
use crate::plan::regions::{RegionPlan, region_group};
use crate::plan::sweep::SweepPlan;
use crate::{
    Engine, EngineError, ErrorKind, Estimate, EstimatedPositions, Origin, SearchLimit, SearchOptions, Source, Stop,
    UseSymmetry, default_labels,
};
use tablegen_games::Game;
use tablegen_labels::{LabelKind, LabelSet};
use tablegen_rules::Rules;
use tablegen_solvers::{Method, Watch, check_method};
use tablegen_tables::table::Table;

/// Maximum number of positions of a game that is solved on the spot if it has no table. It is lowered if positions have
/// hundreds of moves.
pub const SOLVED_ON_DEMAND: u64 = 1 << 24;

/// The number of questions after which the positions of a game are counted for the first time; later after twice as many, and up to twice as
/// many positions. A batch of questions to a small game is answered sooner if it is solved.
const MANY: u64 = 8;
/// Maximum number of positions to count then, and the longest time for that.
const MOST_COUNTED: u64 = 1 << 20;
const COUNTING_TIME: Duration = Duration::from_secs(1);

impl Engine {
    /// The source of answers for `game`: its table; else the tables of its parts, with a search before positions of these; else a table
    /// solved on the spot, if the game is small ([`SOLVED_ON_DEMAND`]); else a search of each position. If it takes long to find out
    /// whether the game is small, the source [decides it later](Source::is_decided).
    ///
    /// # Errors
    /// If a table of the game cannot be used, or solving fails. A table of other rules of that name is ignored ([`Source::outdated`]).
    pub fn source(&self, game: Box<dyn Game>, options: impl Into<SearchOptions>) -> Result<Source, EngineError> {
        self.source_watched(game, options, None)
    }

    /// Like [`source`](Self::source), with a function that is called with the progress and may stop a solve.
    ///
    /// # Errors
    /// As [`source`](Self::source), and if the work is stopped.
    pub fn source_watched(
        &self,
        game: Box<dyn Game>,
        options: impl Into<SearchOptions>,
        progress: Option<Watch<'_>>,
    ) -> Result<Source, EngineError> {
        self.source_as(game.into(), options.into(), progress).map(|source| source.with_search(self.search))
    }

    fn source_as(
        &self,
        game: Arc<dyn Game>,
        options: SearchOptions,
        progress: Option<Watch<'_>>,
    ) -> Result<Source, EngineError> {
        let outdated = match self.find(game.as_ref()) {
            Ok(Some(table)) => return Source::new(game, table, Origin::Table, options),
            Ok(None) => None,
            Err(EngineError::OldRules { path, .. }) => Some(path),
            Err(error) => return Err(error),
        };
        let parts = self.tables_of_parts(game.as_ref())?;
        if !parts.is_empty() {
            return Ok(Source::searching(game, options).with_parts(parts).with_outdated(outdated));
        }
        let source = match self.small_without_counting(game.as_ref())? {
            Small::As(method) => match self.solved_on_demand(game.as_ref(), method, progress)? {
                Some(table) => Source::solved(game, table, options)?,
                None => Source::searching(game, options),
            },
            Small::No => Source::searching(game, options),
            Small::Perhaps => Source::undecided(game, self.clone(), options),
        };
        Ok(source.with_outdated(outdated))
    }

    /// The table of a game solved on the spot with `method`; `None` if it has too many positions, or memory does not suffice.
    fn solved_on_demand(
        &self,
        game: &dyn Game,
        method: Method,
        progress: Option<Watch<'_>>,
    ) -> Result<Option<Table>, EngineError> {
        let (run, most) = (self.run_in_memory(game, game.usual_labels()), Some(most_on_demand(game.rules())));
        match self.table_if_small(SolverRun { method, most, progress, ..run }, WantedValues::IfSmall) {
            Err(error @ EngineError::Threads { .. }) => Err(error),
            Err(error) if error.kind() == ErrorKind::Resources => Ok(None),
            table => table,
        }
    }

    /// The table that `run` solves; `None` if the game has too many positions, or they cannot be stored.
    fn table_if_small(&self, run: SolverRun<'_>, values: WantedValues) -> Result<Option<Table>, EngineError> {
        self.start_threads()?;
        if check_method(run.game.rules(), run.method).is_err_and(|error| has_no_codes(&error)) {
            return Ok(None);
        }
        // All labels of the game that fit, so that moves can be ordered with the quickest win first. A sweep has them
        // only if they fit into memory.
        let mut labels = run.labels;
        if let Some(sweep) = SweepPlan::of(run.game, run.method, None, labels)?
            && sweep.check_memory(self.memory).is_err()
        {
            labels = LabelSet::OUTCOME.needed_by(run.game.rules());
            if self.memory.is_some() {
                sweep.check_memory_with(labels, self.memory)?;
            }
        }
        let run = SolverRun { labels, ..run };
        InMemory { run, symmetry: UseSymmetry::Auto, values, drops_plies: true }.table()
    }

    /// The outcomes of a game whose positions are solved one by one, if it has at most `most` of them; otherwise `None`.
    ///
    /// # Errors
    /// If solving fails, or `progress` stops it.
    pub(crate) fn outcomes_of_small(
        &self,
        game: &dyn Game,
        most: u64,
        progress: Watch<'_>,
    ) -> Result<Option<Table>, EngineError> {
        let run = self.run_in_memory(game, game.usual_labels());
        self.table_if_small(SolverRun { most: Some(most), progress: Some(progress), ..run }, WantedValues::None)
    }
}

impl Estimate {
    /// Returns whether [`Engine::source`] solves `game`, which this estimate is about, on the spot.
    #[must_use]
    pub fn is_solved_on_demand(&self, game: &dyn Game) -> bool {
        match &self.positions {
            EstimatedPositions::Found { reachable, .. } => {
                reachable.positions().is_some_and(|count| count <= most_on_demand(game.rules()))
            }
            EstimatedPositions::Numbered { numbers, .. } => *numbers <= SOLVED_ON_DEMAND,
            EstimatedPositions::Swept { .. } => {
                game.rules().positions() <= SOLVED_ON_DEMAND.into() || swept_on_demand(game).is_some()
            }
        }
    }
}

/// Maximum number of reachable positions to solve on the spot.
fn most_on_demand(rules: &Rules) -> u64 {
    bounded(rules, SOLVED_ON_DEMAND)
}

impl Source {
    /// Decides whether the game is small, and solves it if so. Questions do this when they need it.
    ///
    /// # Errors
    /// If solving fails, or `progress` stops the work.
    pub fn decide(&self, progress: Option<Watch<'_>>) -> Result<(), EngineError> {
        let Some(engine) = self.deciding() else { return Ok(()) };
        let _one_at_a_time = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_decided() {
            return Ok(());
        }
        let teller = self.tell();
        let tell = |now| {
            let told =
                [progress, teller.as_deref().map(|tell| tell as Watch<'_>)].map(|tell| tell.map(|tell| tell(now)));
            if told.contains(&Some(ControlFlow::Break(()))) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let progress: Option<Watch<'_>> = Some(&tell);
        let method = engine.choose_on_demand(self.game(), progress)?;
        let table = match method {
            Some(method) => engine.solved_on_demand(self.game(), method, progress)?,
            None => None,
        };
        let held = table.map(|table| Held::checked(self.shared_game(), table, Origin::Solved)).transpose()?;
        self.keep(held);
        Ok(())
    }

    /// True if a solved game tells more than the outcomes that a search has found: nimbers, or, in a game of few positions, at little cost.
    pub(super) fn is_worth_solving(&self, watch: Stop<'_>) -> Result<bool, EngineError> {
        if self.game().usual_labels().contains(LabelKind::Nimber) {
            return Ok(true);
        }
        self.has_at_most(bounded(self.game().rules(), FEW), watch)
    }

    /// Counts a question. True if there were many, and the game has so few positions that solving it takes less than more searches.
    pub(super) fn is_asked_often(&self, watch: Stop<'_>) -> Result<bool, EngineError> {
        let asked = self.count_question();
        if asked < MANY || !asked.is_power_of_two() {
            return Ok(false);
        }
        let count = |watch: Stop<'_>| self.has_at_most((FEW / MANY * asked).min(MOST_COUNTED), watch);
        let counted = in_time(COUNTING_TIME, watch, count)?;
        if counted.is_none() {
            self.note_more_than(MOST_COUNTED);
        }
        Ok(counted.unwrap_or(false))
    }

    /// True if the game is known to have at most `most` reachable positions. If it has more, they are not counted again.
    fn has_at_most(&self, most: u64, watch: Stop<'_>) -> Result<bool, EngineError> {
        let Some(engine) = self.deciding().filter(|_| self.more_than() < most) else { return Ok(false) };
        let has = engine.has_at_most(self.game(), most, Some(&|_| watch()))?;
        if !has {
            self.note_more_than(most);
        }
        Ok(has)
    }

    /// Decides whether the game is solved. If `limit` is a time, solving may take half of it. If that does not suffice, nothing is decided,
    /// and it is not tried again in the same time.
    pub(super) fn decide_within(&self, limit: SearchLimit, watch: Stop<'_>) -> Result<(), EngineError> {
        let SearchLimit::Time(time) = limit else { return self.decide(Some(&|_| watch())) };
        let half = time / 2;
        if self.deciding().is_none() || !self.is_worth_trying(half) {
            return Ok(());
        }
        in_time(half, watch, |watch| self.decide(Some(&|_| watch()))).map(Option::unwrap_or_default)
    }

    /// Decides whether the game is solved, in at most `time`. If that does not suffice, the game is searched from then on.
    ///
    /// # Errors
    /// As [`decide`](Self::decide).
    pub fn decide_in(&self, time: Duration) -> Result<(), EngineError> {
        self.decide_within(SearchLimit::Time(time * 2), &|| ControlFlow::Continue(()))?;
        self.keep(None);
        Ok(())
    }

    /// What would decide an answer that this source leaves unknown.
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        let (game, is_found) = (self.game(), self.table().is_some());
        let repeats = game.rules().potential().is_none();
        if is_found || game.off_table().is_some() {
            return Remedy { limit: true, build: false };
        }
        let build = match self.build_method() {
            Method::Dense | Method::Coloured | Method::Regions => true,
            Method::Cyclic => true,
            // Nothing is known about their number, unless no other solver could have them.
            Method::Sparse => {
                let rules = game.rules();
                rules.sweep_obstacle().is_some()
                    && !check_method(rules, Method::Sparse).is_err_and(|error| has_no_codes(&error))
            }
        };
        Remedy { limit: !repeats || self.has_parts(), build }
    }

    /// The solver that a build would probably use.
    fn build_method(&self) -> Method {
        let game = self.game();
        // It was not solved on the spot, so there are more reachable positions than that limit.
        let more = || Reachable::more_than(most_on_demand(game.rules()), None);
        independent(game, None).unwrap_or_else(|| of_less_work(game, more())).method
    }

    /// The most bytes that a table of the game takes, with the labels of a build by default; `None` if they are known only when positions are
    /// counted. A build stores less if it compresses the labels, or one position per symmetry class.
    #[must_use]
    pub fn most_build_bytes(&self) -> Option<u64> {
        let game = self.game();
        match self.build_method() {
            method @ (Method::Dense | Method::Coloured) => {
                SweepPlan::of(game, method, None, default_labels(game)).ok()??.file_bytes
            }
            Method::Regions => RegionPlan::new(game, &region_group(game, UseSymmetry::Auto).ok()?).ok()?.file_bytes(),
            Method::Sparse | Method::Cyclic => None,
        }
    }
}

/// What `work` finds in at most `time`; `None` if that does not suffice. It calls the function that it gets from time to time.
fn in_time<T>(
    time: Duration,
    watch: Stop<'_>,
    work: impl FnOnce(Stop<'_>) -> Result<T, EngineError>,
) -> Result<Option<T>, EngineError> {
    let until = Instant::now().checked_add(time);
    let is_over = || until.is_some_and(|until| Instant::now() >= until);
    match work(&|| if is_over() { ControlFlow::Break(()) } else { watch() }) {
        Err(error) if error.kind() == ErrorKind::Cancelled && is_over() && watch().is_continue() => Ok(None),
        done => done.map(Some),
    }
}

/// What would decide an unknown outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remedy {
    /// A higher limit may help.
    pub limit: bool,
    /// A table of the game would help, which a build may be able to make.
    pub build: bool,
}
