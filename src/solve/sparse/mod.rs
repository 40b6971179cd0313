//! Only what can be reached: for games whose boards are too many to label, and whose play visits few of them.
//!
//! Two passes over the positions, level by level of filled cells:
//! 1. *flood* forward from the roots: the positions of a level are known once every level below it was expanded, since
//!    a move only fills cells;
//! 2. *label* backward: every successor of a position lies in a higher level, and has its label already.
//!
//! Both use every core of the current rayon pool, and neither lets the number of threads be seen: a level is a set,
//! and it is kept sorted.

mod flood;
mod label;
mod pending;

use crate::plane::Counts;
use crate::reachable::{Codes, Level, Levels, MOST_IN_LEVEL};
use crate::rules::{Move, Outcome, Position, Rules, RulesError};

/// How to solve.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Positions to flood from; where there are none, those the rules start from ([`Rules::start_positions`]).
    pub roots: &'a [Position],
    /// Most bytes of memory to hold at a time; where it is `None`, what the system gives.
    pub memory: Option<u64>,
    /// Most positions to find; where it is `None`, all there are.
    pub most: Option<u64>,
    /// Told how far the work is, level by level.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// So many positions were found, all of those with `filled` filled cells among them.
    Found {
        /// Filled cells of the level done last.
        filled: u32,
        /// Positions found.
        positions: u64,
    },
    /// So many of the positions found were labelled.
    Labelled {
        /// Positions labelled.
        positions: u64,
        /// Positions found.
        of: u64,
    },
}

/// Why a game was not solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SparseError {
    /// The rules are not sound.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A root that is no position of the rules.
    #[error("mode {} and board {:#x} are no position of {name} to begin from", position.mode.0, position.board)]
    Root {
        /// The rules' name.
        name: String,
        /// The root.
        position: Position,
    },
    /// The positions outgrew the memory they may take.
    #[error(
        "{memory} bytes of memory are not enough: {needed} were needed when the {positions} positions with up to \
         {filled} of {cells} filled cells had been found; allow more memory, or choose a smaller game"
    )]
    Memory {
        /// The limit.
        memory: u64,
        /// Bytes that the next step would have held.
        needed: u64,
        /// Positions found by then: all with so many filled cells or fewer.
        positions: u64,
        /// Filled cells of the level that was being expanded.
        filled: u32,
        /// Cells of the board.
        cells: u32,
    },
    /// More positions than were asked for.
    #[error(
        "play can reach more than {most} positions: with up to {filled} of {cells} filled cells there are more already"
    )]
    Most {
        /// The limit.
        most: u64,
        /// Filled cells of the level that passed it.
        filled: u32,
        /// Cells of the board.
        cells: u32,
    },
    /// A level too large to be counted.
    #[error(
        "{positions} positions with {filled} filled cells: {MOST_IN_LEVEL} of one number of filled cells is the most that a table holds"
    )]
    Level {
        /// Filled cells of the level.
        filled: u32,
        /// Positions in it.
        positions: u64,
    },
}

/// How many positions can be reached, and what solving them takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// How many there are of each number of filled cells.
    pub levels: Levels,
    /// Where they were flooded from: sorted, each once.
    pub roots: Vec<Position>,
    /// Bytes of memory that are held at the peak.
    pub peak_bytes: u64,
}

/// Every position that can be reached from the roots, and its outcome.
#[derive(Clone, PartialEq, Eq)]
pub struct Solution {
    levels: Levels,
    roots: Vec<Position>,
    /// Keys and outcomes, level by level.
    keys: Vec<Vec<u8>>,
    outcomes: Vec<Vec<u8>>,
    counts: Vec<Counts>,
}

fn sorted(positions: &[Position]) -> Vec<Position> {
    let mut positions = positions.to_vec();
    positions.sort_unstable();
    positions.dedup();
    positions
}

/// Solves `rules` as far as they can be reached, on all cores of the current rayon pool.
///
/// Equal rules and roots give equal solutions, byte for byte, whatever the number of threads.
///
/// # Errors
/// Where the rules or a root are not sound, the memory allowed does not suffice, or a level is too large to count. The
/// memory is given back then; nothing is left behind.
pub fn sparse(rules: &Rules, options: &Options<'_>) -> Result<Solution, SparseError> {
    let (roots, by_mode, flooded) = find(rules, options)?;
    let (outcomes, counts) = label::label(rules, &by_mode, &flooded, options);
    let flood::Flooded { levels, keys, .. } = flooded;
    Ok(Solution { levels, roots, keys, outcomes, counts })
}

/// Counts the positions of `rules` that can be reached, without solving them.
///
/// # Errors
/// As [`sparse`].
pub fn census(rules: &Rules, options: &Options<'_>) -> Result<Census, SparseError> {
    let (roots, _, flooded) = find(rules, options)?;
    Ok(Census { levels: flooded.levels, roots, peak_bytes: flooded.peak })
}

/// The roots, and what can be reached from them.
fn find(rules: &Rules, options: &Options<'_>) -> Result<(Vec<Position>, ByMode, flood::Flooded), SparseError> {
    let roots = if options.roots.is_empty() { rules.start_positions() } else { sorted(options.roots) };
    if let Some(&position) = roots.iter().find(|&&root| !rules.has(root)) {
        return Err(SparseError::Root { name: rules.name().into(), position });
    }
    let by_mode = ByMode::new(rules);
    // The narrowest word that holds a code: pending positions are most of the memory.
    let flooded = match Codes::of(rules).bits() {
        ..=32 => flood::flood::<u32>(rules, &by_mode, &roots, options),
        33..=64 => flood::flood::<u64>(rules, &by_mode, &roots, options),
        _ => flood::flood::<u128>(rules, &by_mode, &roots, options),
    }?;
    Ok((roots, by_mode, flooded))
}

impl Solution {
    /// How many positions there are of each number of filled cells.
    #[must_use]
    pub const fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The positions it was flooded from, sorted.
    #[must_use]
    pub fn roots(&self) -> &[Position] {
        &self.roots
    }

    /// Outcomes counted, mode by mode.
    #[must_use]
    pub fn counts_by_mode(&self) -> &[Counts] {
        &self.counts
    }

    /// Outcomes counted.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts.iter().copied().sum()
    }

    /// The keys of all levels, level by level, as a table stores them.
    #[must_use]
    pub fn keys(&self) -> &[Vec<u8>] {
        &self.keys
    }

    /// The outcomes of all levels, level by level, as a table stores them.
    #[must_use]
    pub fn outcomes(&self) -> &[Vec<u8>] {
        &self.outcomes
    }

    fn level(&self, number: usize) -> Level<'_> {
        self.levels.standalone(number, &self.keys[number], &self.outcomes[number])
    }

    /// The outcome of `position` for the player to move; `None` where it cannot be reached.
    #[must_use]
    pub fn outcome(&self, position: Position) -> Option<Outcome> {
        if position.mode.0 as u32 >= self.levels.codes().modes() {
            return None;
        }
        let level = self.level(self.levels.of_filled(position.board.count())?);
        level.outcome(level.find(position).unwrap_or_else(|_| unreachable!("keys just written"))?)
    }

    /// Every position and its outcome, the fewest filled cells first.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Outcome)> + '_ {
        (0..self.keys.len()).map(|number| self.level(number)).flat_map(|level| {
            level.positions(0, level.size().count).filter_map(move |found| {
                let (index, position) = found.ok()?;
                level.outcome(index).map(|outcome| (position, outcome))
            })
        })
    }
}

impl std::fmt::Debug for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solution").field("positions", &self.levels.count()).finish_non_exhaustive()
    }
}

/// Moves and ends by the mode they belong to: a mode of many has few of them.
struct ByMode {
    moves: Vec<Vec<Move>>,
    ends: Vec<Vec<(u64, Outcome)>>,
}

impl ByMode {
    fn new(rules: &Rules) -> Self {
        let mut moves = vec![Vec::new(); rules.modes().len()];
        let mut ends = vec![Vec::new(); rules.modes().len()];
        rules.moves().iter().for_each(|m| moves[usize::from(m.mode.0)].push(*m));
        rules.ends().iter().for_each(|end| ends[usize::from(end.mode.0)].push((end.pattern.0, end.outcome)));
        Self { moves, ends }
    }

    fn ended(&self, position: Position) -> Option<Outcome> {
        let ends = &self.ends[usize::from(position.mode.0)];
        ends.iter().find(|(pattern, _)| position.board.0 & pattern == *pattern).map(|&(_, outcome)| outcome)
    }

    /// The positions that the moves from `position` leave, in the game's order, where no pattern has ended it.
    fn replies(&self, position: Position) -> impl Iterator<Item = Position> + '_ {
        let moves = self.moves[usize::from(position.mode.0)].iter();
        moves.filter(move |m| m.is_legal(position)).map(move |m| m.play(position))
    }

    /// Most moves of one mode.
    fn widest(&self) -> usize {
        self.moves.iter().map(Vec::len).max().unwrap_or(0)
    }
}
