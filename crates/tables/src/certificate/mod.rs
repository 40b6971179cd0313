//! Certificates: the strategy of a player, written so that a reader who trusts nobody can check it.
//!
//! A certificate proves the outcome or the score of one position. It names a *hero*, one of the two players, and what the hero
//! reaches: a win, at least a draw, or a score. It lists positions, its *members*, so that:
//!
//! - the hero can move to a member from every position to which the other player can move from a member,
//! - where the game is over, the hero has won, or has not lost.
//!
//! So the hero always finds a move. If play cannot repeat, the hero therefore reaches what the certificate says. If it can, each
//! member of a winning strategy has a *rank*, and play goes down in rank. A draw is proved by two strategies, one for each
//! player. Each member of a strategy by score has a *bound*, the points that the hero still gets from there at least. `docs/reference/certificates.md` describes the text.
//!
//! - `movers`: the rules that a certificate states.
//! - `strategy`: the choice of members for an outcome.
//! - `scores`: the choice of members and their bounds for a score.
//! - `replies`: what is known about positions in which the hero is to move.
//! - `moves`, `classes`: moves, moves undone, and symmetry classes.
//! - `text`: the text.

mod classes;
mod movers;
mod moves;
mod replies;
mod scores;
mod strategy;
mod text;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use crate::label::{LabelKind, Undefined};
use crate::parallel;
use crate::plies::{NoPlies, Plies};
use crate::rules::{Node, Outcome, Position, Symmetry};
use crate::table::{Table, TableError};
use classes::Classes;
use movers::Movers;
use moves::Moves;
use scores::ByScore;
pub use strategy::Choice;
use strategy::{Builder, Known, Limits, Members, Ranks};

/// What the hero of a strategy reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A win.
    Win,
    /// A draw or a win.
    Draw,
    /// At least so many points more than the other player gets.
    Score(i32),
}

impl Aim {
    /// `win`, `draw` or `score`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Score(_) => "score",
        }
    }
}

/// Bounds on a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounds {
    /// The score is at least this number.
    AtLeast(i32),
    /// The score is at most this number.
    AtMost(i32),
    /// The score is at least the first number, and at most the second.
    Between(i32, i32),
}

impl Bounds {
    /// The number that the score is not below.
    #[must_use]
    pub const fn least(self) -> Option<i32> {
        match self {
            Self::AtLeast(least) | Self::Between(least, _) => Some(least),
            Self::AtMost(_) => None,
        }
    }

    /// The number that the score is not above.
    #[must_use]
    pub const fn most(self) -> Option<i32> {
        match self {
            Self::AtMost(most) | Self::Between(_, most) => Some(most),
            Self::AtLeast(_) => None,
        }
    }

    /// Returns whether the bounds hold for `score`.
    #[must_use]
    pub fn hold(self, score: i32) -> bool {
        self.least().is_none_or(|least| least <= score) && self.most().is_none_or(|most| score <= most)
    }
}

impl fmt::Display for Bounds {
    /// `+2`, `at least +2`, `at most -1` or `from -1 to +2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = |points: i32| if points == 0 { "0".to_owned() } else { format!("{points:+}") };
        match *self {
            Self::AtLeast(least) => write!(f, "at least {}", signed(least)),
            Self::AtMost(most) => write!(f, "at most {}", signed(most)),
            Self::Between(least, most) if least == most => f.write_str(&signed(least)),
            Self::Between(least, most) => write!(f, "from {} to {}", signed(least), signed(most)),
        }
    }
}

/// What a certificate proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The outcome for the player to move.
    Outcome(Outcome),
    /// Bounds on the net points that the player to move still gets.
    Score(Bounds),
}

/// A strategy: its hero, and the positions that it needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// True if the hero is the player to move at the root.
    pub is_movers: bool,
    /// What the hero reaches.
    pub aim: Aim,
    /// The members in order, one for each symmetry class. Each has its bound if the aim is a score, and otherwise its rank; all ranks are
    /// 0 if play cannot repeat.
    pub members: Vec<(Position, i32)>,
}

impl Strategy {
    /// `mover` or `other`: the player to move at the root, or the other player.
    #[must_use]
    pub const fn hero(&self) -> &'static str {
        if self.is_movers { "mover" } else { "other" }
    }
}

/// The proof of the outcome or of the score of a position.
#[derive(Clone, Debug)]
pub struct Certificate<'t> {
    movers: Movers<'t>,
    /// The position.
    pub root: Node,
    /// What is proved.
    pub claim: Claim,
    /// One strategy for a win or a loss, two for a draw, and one for each bound of a score.
    pub strategies: Vec<Strategy>,
    /// The symmetries that make members of one class alike. They change no player.
    symmetries: Vec<Symmetry>,
    /// True if members have a number in the text.
    has_numbers: bool,
}

/// The reason why there is no certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The table is damaged, or lacks a position.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table says that the hero has a good move, and that none is good.
    #[error("the labels of the table contradict each other; 'tablegen verify' shows where")]
    Contradiction,
    /// The rules are those of points.
    #[error("moves gain points, so the outcome of a position does not follow from those after its moves")]
    Gains,
    /// Positions have no scores.
    #[error("no score: {0}")]
    Undefined(Undefined),
    /// The table lacks the scores.
    #[error("expected a table with scores, found one without")]
    NoScores,
    /// The score is another.
    #[error("expected a score {bounds}, found {score}", score = Bounds::Between(*score, *score))]
    Bounds {
        /// The bounds that it was to have.
        bounds: Bounds,
        /// The score in the table.
        score: i32,
    },
    /// Each mode would have to become two, one for each player, and these are too many modes or moves.
    #[error("a player may move again in any mode, and with a mode for each player the rules are too large")]
    MovesAgain,
    /// The search for a strategy would look at more positions than it may.
    #[error("finding a strategy means looking at more than {limit} position{}", if *limit == 1 { "" } else { "s" })]
    Limit {
        /// The limit.
        limit: u64,
    },
    /// The caller stopped the work.
    #[error("stopped")]
    Cancelled,
}

/// Called with the number of positions looked at since the last call, from any thread; stops the work by returning `Break`.
pub type Watch<'a> = &'a (dyn Fn(u64) -> ControlFlow<()> + Sync);

impl<'t> Certificate<'t> {
    /// The proof of the outcome of `root`. Each strategy is the smallest that one of `choices` gives. The first of them looks at no
    /// more than `limit` positions. The others are left out where they would look at many times as many positions as the first.
    /// `watch` is told the number of positions looked at from time to time, and may stop the work.
    ///
    /// # Errors
    /// If moves gain points, the table cannot be read, the limit is reached, or the work is stopped.
    pub fn of(
        table: &'t Table,
        root: Node,
        choices: &[Choice],
        limit: u64,
        watch: Watch<'_>,
    ) -> Result<Self, CertificateError> {
        if table.rules().has_gains() {
            return Err(CertificateError::Gains);
        }
        let movers = Movers::of(table.rules())?;
        let rules = movers.rules();
        let outcome = table.probe(root)?.value.outcome;
        let (moves, classes) = (Moves::new(rules), Classes::of(rules));
        let heroes: &[bool] = match outcome {
            Outcome::Win => &[true],
            Outcome::Loss => &[false],
            Outcome::Draw => &[true, false],
        };
        let wins = outcome != Outcome::Draw;
        let has_ranks = rules.potential().is_none() && wins;
        let plies = if has_ranks { Plies::of_table(table, &|| watch(0))? } else { None };
        let ranks = if has_ranks { Ranks::Plies(plies.as_ref()) } else { Ranks::None };
        let known = Known { table, movers: &movers, moves: &moves, classes: &classes, ranks, watch };
        let strategy = |&is_movers: &bool| {
            let members = least(known, root, is_movers, wins, choices, limit)?;
            let aim = if wins { Aim::Win } else { Aim::Draw };
            Ok::<_, CertificateError>(Strategy { is_movers, aim, members })
        };
        let strategies = parallel::try_map(heroes, strategy)?;
        let (claim, symmetries) = (Claim::Outcome(outcome), classes.symmetries);
        Ok(Self { root, claim, strategies, symmetries, has_numbers: has_ranks, movers })
    }

    /// The proof of bounds on the score of `root`; without `bounds`, of the score itself. Each strategy looks at no more than `limit`
    /// positions. `watch` is told the number of positions looked at from time to time, and may stop the work.
    ///
    /// # Errors
    /// If positions have no scores, the bounds do not hold, the table cannot be read or lacks scores, the limit is reached, or the work is
    /// stopped.
    pub fn of_score(
        table: &'t Table,
        root: Node,
        bounds: Option<Bounds>,
        limit: u64,
        watch: Watch<'_>,
    ) -> Result<Self, CertificateError> {
        if let Some(reason) = LabelKind::Score.undefined_by(table.rules()) {
            return Err(CertificateError::Undefined(reason));
        }
        let movers = Movers::of(table.rules())?;
        let rules = movers.rules();
        let potential = rules.potential().ok_or(CertificateError::Undefined(Undefined::Repeats))?;
        let score = table.probe(root)?.value.score().ok_or(CertificateError::NoScores)?;
        let bounds = bounds.unwrap_or(Bounds::Between(score, score));
        if !bounds.hold(score) {
            return Err(CertificateError::Bounds { bounds, score });
        }
        let (moves, classes) = (Moves::new(rules), Classes::of(rules));
        let known = Known { table, movers: &movers, moves: &moves, classes: &classes, ranks: Ranks::None, watch };
        let of_mover = bounds.least().map(|least| (true, least));
        let of_other = bounds.most().map(|most| (false, -most));
        let strategy = |(is_movers, bound): (bool, i32)| {
            let members = ByScore::new(known, potential, limit).members(root, is_movers, bound)?;
            Ok::<_, CertificateError>(Strategy { is_movers, aim: Aim::Score(bound), members })
        };
        let strategies = parallel::try_map(of_mover.into_iter().chain(of_other), strategy)?;
        let (claim, symmetries) = (Claim::Score(bounds), classes.symmetries);
        Ok(Self { root, claim, strategies, symmetries, has_numbers: true, movers })
    }

    /// The number of symmetries, the identity included.
    #[must_use]
    pub fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    /// The number of positions in all strategies.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.strategies.iter().map(|strategy| strategy.members.len()).sum()
    }
}

impl From<NoPlies> for CertificateError {
    fn from(reason: NoPlies) -> Self {
        match reason {
            NoPlies::Stopped => Self::Cancelled,
            NoPlies::Table(error) => Self::Table(error),
            NoPlies::Contradiction => Self::Contradiction,
        }
    }
}

/// Another choice may look at this many times the positions that the first choice needed, or at [`FEW`].
const OTHERS: u64 = 16;
const FEW: u64 = 1 << 24;

/// The members of the smallest strategy that one of `choices` gives. Of two equally small ones, the strategy of [`Choice::First`].
fn least(
    known: Known<'_>,
    root: Node,
    is_movers: bool,
    wins: bool,
    choices: &[Choice],
    limit: u64,
) -> Result<Members, CertificateError> {
    // How many members each choice may need at most.
    let (first_most, fewest_most) = (AtomicUsize::new(usize::MAX), AtomicUsize::new(usize::MAX));
    let build = |choice: Choice, looks: u64, members: &AtomicUsize| match choices.contains(&choice) {
        true => Builder::new(known, wins, choice, Limits { looks, members }).members(root, is_movers),
        false => Ok(None),
    };
    let is_alone = !choices.contains(&Choice::First);
    // The strategy by the fewest replies is usually smaller, and then the other need not be found whole.
    let fewest = || {
        let fewest = build(Choice::Fewest, if is_alone { limit } else { limit.min(FEW) }, &fewest_most)?;
        fewest.iter().for_each(|found| first_most.store(found.members.len(), Relaxed));
        Ok(fewest)
    };
    let first = || {
        let first = build(Choice::First, limit, &first_most)?;
        first.iter().for_each(|found| fewest_most.store(found.members.len().saturating_sub(1), Relaxed));
        Ok(first)
    };
    let (mut fewest, first) = rayon::join(fewest, first);
    if let (Err(CertificateError::Limit { .. }), Ok(Some(first))) = (&fewest, &first) {
        let looks = limit.min(first.looks.saturating_mul(OTHERS));
        fewest = if looks > FEW { build(Choice::Fewest, looks, &fewest_most) } else { Ok(None) };
    }
    // One strategy is enough, so it does not depend on the order of the threads whether an error matters.
    let found = match (first, fewest) {
        (Ok(Some(first)), Ok(Some(fewest))) => {
            if fewest.members.len() < first.members.len() {
                fewest
            } else {
                first
            }
        }
        (Ok(Some(found)), _) | (_, Ok(Some(found))) => found,
        (Err(error), _) | (_, Err(error)) => return Err(error),
        (Ok(None), Ok(None)) => return Ok(Members::new()),
    };
    Ok(found.members)
}
