//! Labels of the positions that play can reach.

use super::{ByteLabels, LabelFault};
use crate::compressed::Bytes;
use crate::label::Width;
use crate::reachable::{Column, Level, LevelSize, Levels, Misplaced};
use crate::rules::{Outcome, Position};
use crate::symmetry::Group;

/// The positions that play can reach from the roots, level by level of filled cells, and their outcomes.
#[derive(Clone, Copy)]
pub struct Sparse<'a> {
    levels: &'a Levels,
    roots: &'a [Position],
    group: &'a Group,
    keys: Bytes<'a>,
    width: Width,
    outcomes: Bytes<'a>,
    bytes: ByteLabels<'a>,
}

impl<'a> Sparse<'a> {
    /// The keys and the outcomes of all `levels`; their lengths must fit the levels.
    pub fn new(
        levels: &'a Levels,
        roots: &'a [Position],
        keys: Bytes<'a>,
        width: Width,
        outcomes: Bytes<'a>,
        bytes: ByteLabels<'a>,
    ) -> Self {
        Self { levels, roots, group: Group::trivial(), keys, width, outcomes, bytes }
    }

    /// The same up to symmetry: one position of each orbit under `group` is stored.
    pub const fn up_to(self, group: &'a Group) -> Self {
        Self { group, ..self }
    }

    /// The symmetries up to which positions are stored.
    #[must_use]
    pub const fn group(&self) -> &'a Group {
        self.group
    }

    /// The position that is stored for `position`, if any is.
    #[inline]
    pub fn stored(&self, position: Position) -> Position {
        self.group.representative(position)
    }

    /// The same with the labels of bytes that are in `more` as well.
    pub(crate) fn with(self, more: ByteLabels<'a>) -> Self {
        Self { bytes: self.bytes.or(more), ..self }
    }

    /// The labels of one byte or two, by rank.
    #[must_use]
    pub const fn bytes(&self) -> ByteLabels<'a> {
        self.bytes
    }

    /// How many positions there are with each number of filled cells, the fewest first.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = LevelSize> + use<'a> {
        self.levels.sizes()
    }

    /// Bytes of the keys.
    #[must_use]
    pub const fn key_bytes(&self) -> u64 {
        self.keys.len() as u64
    }

    /// The keys of the positions, level by level.
    pub const fn keys(&self) -> Bytes<'a> {
        self.keys
    }

    /// The positions of each level, and where their keys begin.
    pub const fn levels(&self) -> &'a Levels {
        self.levels
    }

    /// The positions from which play was followed, sorted and without duplicates.
    #[must_use]
    pub const fn roots(&self) -> &'a [Position] {
        self.roots
    }

    /// The outcomes of all levels.
    pub const fn outcomes(&self) -> Bytes<'a> {
        self.outcomes
    }

    /// The number of positions stored; up to symmetry, of orbits.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.levels.count()
    }

    /// Level `number`, counted from the one with the fewest filled cells, and the outcomes of its positions.
    #[inline]
    pub fn level(&self, number: usize) -> Option<(Level<'a, Bytes<'a>>, Column<'a>)> {
        let level = self.levels.level(number, self.keys)?;
        Some((level, self.levels.column(number, self.width, self.outcomes)?))
    }

    /// The rank of the representative of `position` among all stored positions, and its outcome; `None` if it is
    /// not stored.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    pub fn find(&self, position: Position) -> Result<Option<(u64, Outcome)>, LabelFault> {
        let position = self.stored(position);
        let Some(number) = self.levels.of(position) else { return Ok(None) };
        let Some((level, outcomes)) = self.level(number) else { return Ok(None) };
        let Some(index) = level.find(position)? else { return Ok(None) };
        let outcome = outcomes.outcome(index)?.ok_or(LabelFault::NoOutcome { position })?;
        Ok(self.levels.rank_of(number, index).map(|rank| (rank, outcome)))
    }

    /// The outcome of `position` for the player to move; `None` if it is not stored.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    #[inline]
    pub fn outcome(&self, position: Position) -> Result<Option<Outcome>, LabelFault> {
        self.outcome_of_stored(self.stored(position))
    }

    /// Like [`outcome`](Self::outcome), for a `position` that is its own representative.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome).
    #[inline]
    pub fn outcome_of_stored(&self, position: Position) -> Result<Option<Outcome>, LabelFault> {
        let Some(number) = self.levels.of(position) else { return Ok(None) };
        let Some((level, outcomes)) = self.level(number) else { return Ok(None) };
        let Some(index) = level.find(position)? else { return Ok(None) };
        outcomes.outcome(index)?.map(Some).ok_or(LabelFault::NoOutcome { position })
    }

    /// The position of rank `rank`: by filled cells, then in the order of their keys.
    ///
    /// # Errors
    /// If the keys there are damaged, or the rank is out of range.
    pub fn unrank(&self, rank: u64) -> Result<Position, LabelFault> {
        let found = self.levels.unrank(rank).and_then(|(number, index)| Some((self.level(number)?.0, index)));
        let (level, index) = found.ok_or(Misplaced { filled: 0, index: rank })?;
        Ok(level.position(index)?)
    }

    /// Every stored position with its outcome, level by level. An item is an error if its bytes
    /// are damaged.
    pub fn positions(self) -> impl Iterator<Item = Result<(Position, Outcome), LabelFault>> + 'a {
        (0..).map_while(move |number| self.level(number)).flat_map(|(level, outcomes)| {
            level.positions(0, level.size().count).map(move |found| {
                let (index, position) = found?;
                let outcome = outcomes.outcome(index)?;
                outcome.map(|outcome| (position, outcome)).ok_or(LabelFault::NoOutcome { position })
            })
        })
    }
}

impl std::fmt::Debug for Sparse<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sparse").field("positions", &self.levels.count()).finish_non_exhaustive()
    }
}
