//! The choice of the solver.
//!
//! The choice depends only on the game and on the request: not on free memory, threads or time. So equal commands give
//! equal tables on every machine.
//!
//! If neither the game nor the caller decides, the solver with less work is chosen ([`SweepCosts`]). The dense solver labels
//! all boards. The two-colour solver labels every colouring of a game of two colours. The sparse solver labels the
//! reachable positions. These are counted, for a fraction of the time that a sweep takes. If there are more, their
//! number is estimated from a sample ([`sampled_up_to`]).

use crate::answer::on_demand::SOLVED_ON_DEMAND;
use crate::plan::cost::{SweepCosts, swept_on_demand};
use crate::plan::memory_budget::room_left;
use crate::plan::regions::{RegionPlan, region_group};
use crate::roots::{reaches_every_board, roots};
use crate::{Engine, EngineError, UseSymmetry};
use tablegen_games::{Coverage, Game};
use tablegen_index::colourings::Frame;
use tablegen_index::symmetry::Group;
use tablegen_rules::{Mode, Rules};
use tablegen_solvers::{Marked, Method, Options, SolveError, Solver, Watch, count_reachable, mark, sampled_up_to};

/// The number of moves and terminal patterns per position up to which a limit on positions is used as it is. For wider
/// games the limit is lowered, so that it bounds the work too.
const ORDINARY_WIDTH: u64 = 256;

/// The least bytes that a solver of reachable positions holds for each.
const LEAST_HELD_BYTES: u64 = 4;

/// Positions that are counted in a few milliseconds.
pub(crate) const FEW: u64 = 1 << 16;
/// A sample of positions is wrong by less than this factor.
pub(crate) const SAMPLE_ERROR: u64 = 1 << 4;

/// A solver, and the reason for choosing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The solver.
    pub method: Method,
    /// The reason, in a few words.
    pub reason: String,
    /// The numbers that decided, if any did.
    pub figures: Option<Figures>,
}

/// The number of positions of a game, of its reachable positions, and the cost of each solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figures {
    /// All positions: every board in every mode.
    pub all: u128,
    /// The number of colourings, in a game of two colours.
    pub colourings: Option<u128>,
    /// The number of reachable positions.
    pub reached: Reachable,
    /// The solvers that can solve the game, with the least work first.
    pub costs: Vec<SolverCost>,
}

/// The expected cost of solving a game's outcomes with a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverCost {
    /// The solver.
    pub method: Method,
    /// The work, in a unit that is the same for all solvers of a machine.
    pub work: u128,
    /// Bytes of labels, in memory or on disk; `None` if they exceed a `u64`. A sparse build holds them in memory, with the positions.
    pub bytes: Option<u64>,
}

impl Figures {
    /// The solvers other than `method`, each with its work as a multiple of the work of `method`.
    pub fn instead(&self, method: Method) -> impl Iterator<Item = (&SolverCost, f64)> {
        let own = self.costs.iter().find(|cost| cost.method == method).map_or(1, |cost| cost.work);
        let others = self.costs.iter().filter(move |cost| cost.method != method);
        others.map(move |cost| (cost, cost.work as f64 / own.max(1) as f64))
    }
}

/// The number of reachable positions, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reachable {
    /// The positions were counted.
    Exactly(u64),
    /// Counting stopped early, and a sample was taken.
    About {
        /// The estimate from the sample, no less than the lower bound; the largest number if it is more than that.
        about: u64,
        /// The lower bound.
        at_least: u64,
    },
    /// Counting stopped early: a lower bound.
    AtLeast(u64),
    /// The positions cannot be counted, because they have no codes.
    Unknown,
}

impl Reachable {
    /// A number greater than `counted`, with the estimate `about`, if given. A lower estimate is raised to the lower
    /// bound.
    #[must_use]
    pub fn more_than(counted: u64, about: Option<u64>) -> Self {
        let at_least = counted.saturating_add(1);
        about.map_or(Self::AtLeast(at_least), |about| Self::About { about: about.max(at_least), at_least })
    }

    /// The exact number.
    #[must_use]
    pub const fn positions(self) -> Option<u64> {
        if let Self::Exactly(positions) = self { Some(positions) } else { None }
    }

    /// A lower bound; 0 if nothing is known.
    #[must_use]
    pub const fn at_least(self) -> u64 {
        match self {
            Self::Exactly(at_least) | Self::About { at_least, .. } | Self::AtLeast(at_least) => at_least,
            Self::Unknown => 0,
        }
    }

    /// The estimate from a sample.
    #[must_use]
    pub const fn about(self) -> Option<u64> {
        if let Self::About { about, .. } = self { Some(about) } else { None }
    }

    /// The exact number, else the estimate.
    pub(crate) fn known(self) -> Option<u64> {
        self.positions().or(self.about())
    }

    /// The bytes that a solver holds at least, by the estimate, if it finds one position of each orbit of `group`; `None` without an estimate.
    pub(crate) fn held_bytes(self, group: &Group) -> Option<u64> {
        Some((self.about()? / group.order()).saturating_mul(LEAST_HELD_BYTES))
    }

    /// The best known value: the exact number, else the estimate, else the lower bound.
    pub(crate) fn likely(self) -> u64 {
        self.known().unwrap_or(self.at_least())
    }
}

/// Whether a game is small enough to be solved while the user waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Small {
    /// It is, with this solver.
    As(Method),
    /// It is not.
    No,
    /// It is if few of its positions are reachable.
    Perhaps,
}

/// A choice, and the frame and the reachability bits that were made on the way to it.
pub(crate) struct Chosen {
    pub(crate) choice: Choice,
    /// The frame of a two-colour game, if it was made.
    pub(crate) frame: Option<Frame>,
    /// The reachability bits, if they were computed and the chosen solver can use them.
    pub(crate) marked: Option<Marked>,
}

/// What a solver found; `None` if there are more positions than its limit.
pub(crate) fn within_limit<T>(found: Result<T, SolveError>) -> Result<Option<T>, SolveError> {
    match found {
        Err(SolveError::MaxPositions { .. }) => Ok(None),
        found => found.map(Some),
    }
}

/// True if the positions of a game cannot be counted or stored one by one: they have no codes, moves turn over lines, or numbers of pieces
/// matter.
pub(crate) const fn has_no_codes(error: &SolveError) -> bool {
    matches!(
        error,
        SolveError::TooWide { .. }
            | SolveError::Lines { .. }
            | SolveError::Counts { .. }
            | SolveError::CountsAndGains { .. }
    )
}

impl Engine {
    /// The solver for `game`: the one `asked` for, else the one that the game needs, else the one with less work. For
    /// the latter, positions are counted for about a second at most. `progress` is called with the progress of counting
    /// and may stop it.
    ///
    /// # Errors
    /// If counting fails for lack of memory or threads, or the work is stopped.
    pub fn choose(
        &self,
        game: &dyn Game,
        asked: Option<Method>,
        progress: Option<Watch<'_>>,
    ) -> Result<Choice, EngineError> {
        Ok(self.choose_knowing(game, asked, None, progress)?.choice)
    }

    /// Like [`choose`](Self::choose). `reached` is the number of reachable positions if a table records
    /// it, so that they need not be counted.
    pub(crate) fn choose_knowing(
        &self,
        game: &dyn Game,
        asked: Option<Method>,
        reached: Option<u64>,
        progress: Option<Watch<'_>>,
    ) -> Result<Chosen, EngineError> {
        if let (Some(method), Some(part)) = (asked.filter(|method| !has_every_board(*method)), game.part()) {
            return Err(EngineError::PartSolver { part: part.name.into(), solver: method.name() });
        }
        if asked.is_none() && game.part().is_none() && may_repeat(game.rules()) {
            let choice = self.choose_for_repeating(game, progress)?;
            return Ok(Chosen { choice, frame: None, marked: None });
        }
        if let Some(choice) = independent(game, asked) {
            return Ok(Chosen { choice, frame: None, marked: None });
        }
        let rules = game.rules();
        let costs = SweepCosts::of(game);
        if let (None, Some(frame)) = (reached, costs.marked_at_once()) {
            self.start_threads()?;
            let options = Options { progress, ..Options::of(Solver::Coloured { kernel: self.kernel }) };
            let marked = mark(rules, frame.clone(), &options)?;
            let choice = costs.choice(Reachable::Exactly(marked.count()));
            let marked = (choice.method == Method::Coloured).then_some(marked);
            return Ok(Chosen { choice, frame: costs.frame(), marked });
        }
        let most = bounded(rules, costs.worth_counting());
        let reached = match reached {
            Some(reached) if reached <= most || costs.marked_at_once().is_some() => Reachable::Exactly(reached),
            // A number recorded in a table must not change the choice, so pretend that counting stopped.
            Some(_) => self.sampled(game, most, u64::MAX, progress)?,
            None => self.reachable(game, most, u64::MAX, progress)?,
        };
        Ok(Chosen { choice: costs.choice(reached), frame: costs.frame(), marked: None })
    }

    /// Counts the reachable positions of `game` up to `most`; if there are more, estimates their number. An estimate that is more than
    /// `enough` may be too small.
    fn reachable(
        &self,
        game: &dyn Game,
        most: u64,
        enough: u64,
        progress: Option<Watch<'_>>,
    ) -> Result<Reachable, EngineError> {
        match self.counted(game, most, progress)? {
            Some(reached) => Ok(reached),
            None => self.sampled(game, most, enough, progress),
        }
    }

    /// The number of reachable positions of `game`, if it can be counted; `None` if it is more than `most`.
    fn counted(
        &self,
        game: &dyn Game,
        most: u64,
        progress: Option<Watch<'_>>,
    ) -> Result<Option<Reachable>, EngineError> {
        self.start_threads()?;
        let roots = game.roots();
        let (max_positions, room) = (Some(most), room_left(None));
        let options = Options { roots: &roots, max_positions, room: Some(&room), progress, ..Options::default() };
        match within_limit(count_reachable(game.rules(), &options)) {
            Ok(count) => Ok(count.map(|count| Reachable::Exactly(count.positions))),
            Err(error) if has_no_codes(&error) => Ok(Some(Reachable::Unknown)),
            Err(error) => Err(error.into()),
        }
    }

    /// Estimates the number of reachable positions of `game`, which is more than `counted`. An estimate that is more than `enough` may be
    /// too small.
    fn sampled(
        &self,
        game: &dyn Game,
        counted: u64,
        enough: u64,
        progress: Option<Watch<'_>>,
    ) -> Result<Reachable, EngineError> {
        Ok(Reachable::more_than(counted, sampled_up_to(game.rules(), &roots(game), enough, progress)?))
    }

    /// Whether `game` is small, as far as its rules tell it at once.
    pub(crate) fn small_without_counting(&self, game: &dyn Game) -> Result<Small, EngineError> {
        let rules = game.rules();
        let is_small = rules.positions() <= SOLVED_ON_DEMAND.into();
        let is_part = game.part().is_some() && rules.sweep_obstacle().is_some();
        let no = |is_small: bool, method| if is_small { Small::As(method) } else { Small::No };
        if rules.counts_pieces() || may_repeat(rules) || is_part {
            let plan = RegionPlan::new(game, &region_group(game, UseSymmetry::Auto)?);
            let is_small = plan.is_ok_and(|plan| plan.regions().numbers() <= SOLVED_ON_DEMAND);
            if is_small || rules.counts_pieces() || is_part {
                return Ok(no(is_small, Method::Regions));
            }
        }
        Ok(match game.coverage() {
            Some(Coverage::Every) => no(is_small, Method::Dense),
            Some(Coverage::Reachable) if is_small => Small::As(Method::of_reachable(rules)),
            Some(Coverage::Reachable) => Small::Perhaps,
            None => match swept_on_demand(game) {
                Some(method) => Small::As(method),
                None if reaches_every_board(rules) => Small::No,
                None => Small::Perhaps,
            },
        })
    }

    /// The solver that labels `game` while the user waits; `None` if the game is not small. Its rules do not tell that at once.
    pub(crate) fn choose_on_demand(
        &self,
        game: &dyn Game,
        progress: Option<Watch<'_>>,
    ) -> Result<Option<Method>, EngineError> {
        // Perhaps only few positions are reachable.
        let is_too_large = game.coverage().is_none() && self.is_surely_too_large(game, progress)?;
        Ok((!is_too_large).then(|| Method::of_reachable(game.rules())))
    }

    /// True if a sample finds far more reachable positions than can be solved on the spot. Finding these first would take
    /// a second or two in vain.
    fn is_surely_too_large(&self, game: &dyn Game, progress: Option<Watch<'_>>) -> Result<bool, EngineError> {
        let most = SOLVED_ON_DEMAND * SAMPLE_ERROR;
        Ok(self.reachable(game, bounded(game.rules(), FEW), most, progress)?.likely() > most)
    }

    /// True if at most `most` positions of `game` are reachable.
    pub(crate) fn has_at_most(
        &self,
        game: &dyn Game,
        most: u64,
        progress: Option<Watch<'_>>,
    ) -> Result<bool, EngineError> {
        let counted = self.counted(game, most, progress)?;
        Ok(counted.is_some_and(|reached| reached.positions().is_some()))
    }

    /// The number of reachable positions of `game`: counted if there are few, otherwise estimated in a fraction of a second.
    pub(crate) fn roughly_reachable(
        &self,
        game: &dyn Game,
        progress: Option<Watch<'_>>,
    ) -> Result<Reachable, EngineError> {
        self.reachable(game, bounded(game.rules(), FEW), u64::MAX, progress)
    }
}

/// The choice, if it does not depend on the number of reachable positions.
pub(crate) fn independent(game: &dyn Game, asked: Option<Method>) -> Option<Choice> {
    let chosen = |method, reason: &str| Some(Choice { method, reason: reason.into(), figures: None });
    match (asked, game.coverage()) {
        (Some(method), _) => chosen(method, "requested"),
        (None, _) if game.rules().counts_pieces() => {
            chosen(Method::Regions, "moves or ends depend on numbers of pieces")
        }
        (None, Some(Coverage::Every)) if game.rules().sweep_obstacle().is_some() => {
            chosen(Method::Regions, "a table of a part covers every board of its regions")
        }
        (None, _) if let Some(obstacle) = game.rules().sweep_obstacle() => {
            let method = Method::of_reachable(game.rules());
            if method == Method::Cyclic {
                chosen(method, "positions may repeat")
            } else {
                chosen(method, &obstacle.to_string())
            }
        }
        (None, Some(Coverage::Every)) => {
            chosen(Method::Dense, "tables of this game cover every board, reachable or not")
        }
        (None, Some(Coverage::Reachable)) => chosen(Method::Sparse, "few boards are reachable"),
        (None, None) if reaches_every_board(game.rules()) => chosen(Method::Dense, "every board is reachable"),
        (None, None) => None,
    }
}

/// True if `method` labels boards whether the starts lead there or not. A part of a game needs that.
const fn has_every_board(method: Method) -> bool {
    matches!(method, Method::Dense | Method::Regions)
}

/// True if positions of `rules` may repeat, and numbers of pieces do not matter.
fn may_repeat(rules: &Rules) -> bool {
    !rules.counts_pieces() && rules.sweep_obstacle().is_some() && Method::of_reachable(rules) == Method::Cyclic
}

/// The method for reachable positions that is not `method`.
pub(crate) const fn other_of_reachable(method: Method) -> Method {
    if matches!(method, Method::Sparse) { Method::Cyclic } else { Method::Sparse }
}

/// `positions` as a limit of a flood, lowered for rules with many moves or terminal patterns.
pub(crate) fn bounded(rules: &Rules, positions: u64) -> u64 {
    let width = width(rules) as u64;
    if width <= ORDINARY_WIDTH { positions } else { (positions / width * ORDINARY_WIDTH).max(1) }
}

/// The largest number of moves and terminal patterns to compare with one position.
pub(crate) fn width(rules: &Rules) -> usize {
    let modes = (0..rules.modes().len()).map(|mode| Mode(mode as u16));
    modes.map(|mode| rules.moves_of(mode).len() + rules.ends_of(mode).len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_rules::{Board, Move, RulesSpec};

    #[test]
    fn a_limit_of_positions_bounds_the_work() {
        let rules = |moves: usize| {
            let moves = vec![Move::fill(Board::bit(0)); moves];
            RulesSpec { moves, ..RulesSpec::new("three", 3) }.build().unwrap()
        };
        assert_eq!(bounded(&rules(256), 1 << 24), 1 << 24);
        assert!(bounded(&rules(16_384), 1 << 24) <= 1 << 18);
    }
}
