//! The contents of a solved game, in memory or in a table: a label of every (mode, board), of the reachable positions, or
//! of every colouring.
//!
//! The solvers produce it, a table stores it, and every reader matches on it, so that no case can be forgotten.

mod by_board;
mod by_fill_count;
mod bytes;
mod coloured;
mod dense;
mod first;
mod form;
mod numbers;
mod orbits;
mod regions;
mod scan;
mod sparse;
mod tally;
#[cfg(test)]
mod tests;

use crate::compressed::{BlockFault, Bytes};
use crate::domain::Domain;
use crate::label::{Label, LabelKind, LabelSet, Value, Width};
use crate::plane::{Conflict, PlaneFault, Shape};
use crate::reachable::KeyFault;
use crate::regions::Place;
use crate::rules::{Outcome, Position};
use tablegen_labels::with_byte_label;

pub use crate::reachable::{LevelSize, Misplaced};
pub use by_board::{ByBoard, LabelNumber};
pub use by_fill_count::FilledCounts;
pub use bytes::{ByteLabels, LabelBytes};
pub use coloured::Coloured;
pub use dense::{Dense, Reach, codes_among};
pub use form::LabelForm;

pub use numbers::Numbers;
pub use orbits::spread;
pub use regions::{RegionCounts, RegionLabels};
pub use scan::{Piece, ScanCursor, Wanted};
pub use sparse::Sparse;
pub use tally::Tally;

/// The bytes of the labels of a domain, borrowed from wherever they are.
#[derive(Clone, Copy)]
pub struct Sections<'a> {
    /// The keys of a sparse domain; empty for any other.
    pub keys: Bytes<'a>,
    /// The outcomes.
    pub outcomes: Bytes<'a>,
    /// The reachability bits. Without them no position can be asked whether it is reachable.
    pub reached: Option<Bytes<'a>>,
    /// The labels of one byte or two.
    pub others: ByteLabels<'a>,
}

/// The labels of a domain, borrowed from wherever they are.
#[derive(Clone, Copy, Debug)]
pub enum Contents<'a> {
    /// Labels of every board in every mode, possibly stored up to symmetry.
    Dense(Dense<'a>),
    /// Labels of only those positions that play can reach.
    Sparse(Sparse<'a>),
    /// Labels of every colouring of every set of squares.
    Coloured(Coloured<'a>),
    /// Labels of every board with the numbers of pieces that play may reach.
    Regions(RegionLabels<'a>),
}

/// Bytes that no solver writes: they are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelFault {
    /// Both a win and a loss.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// A block that cannot be read.
    #[error(transparent)]
    Block(#[from] BlockFault),
    /// Keys of positions that make no sense.
    #[error(transparent)]
    Misplaced(#[from] Misplaced),
    /// A byte that does not represent a label.
    #[error("mode {} and board {:#x}: the byte {number} is no {label}", position.mode.0, position.board)]
    NoLabel {
        /// The position.
        position: Position,
        /// The label.
        label: LabelKind,
        /// The byte, or the two bytes.
        number: u16,
    },
    /// A number that is not in the dictionary of values.
    #[error("the board with rank {rank}: its value is not in the dictionary")]
    NoValue {
        /// The rank of the board.
        rank: u64,
    },
    /// Bits that do not represent an outcome.
    #[error("mode {} and board {:#x}: the bits are not an outcome", position.mode.0, position.board)]
    NoOutcome {
        /// The position.
        position: Position,
    },
}

impl From<PlaneFault> for LabelFault {
    fn from(fault: PlaneFault) -> Self {
        match fault {
            PlaneFault::Conflict(conflict) => conflict.into(),
            PlaneFault::Block(block) => block.into(),
        }
    }
}

impl From<KeyFault> for LabelFault {
    fn from(fault: KeyFault) -> Self {
        match fault {
            KeyFault::Misplaced(misplaced) => misplaced.into(),
            KeyFault::Block(block) => block.into(),
        }
    }
}

impl<'a> Contents<'a> {
    /// The labels in `sections`, which have the sizes of `domain`. `shape` is the shape of the outcomes of all boards.
    #[must_use]
    pub fn new(domain: &'a Domain, shape: Shape, sections: Sections<'a>) -> Self {
        let Sections { keys, outcomes, reached, others } = sections;
        match domain {
            Domain::Regions { regions, starts, group, longest } => {
                Self::Regions(RegionLabels::new(regions, starts, group, *longest, outcomes, others))
            }
            Domain::Dense { layout, fold, starts } => {
                Self::Dense(Dense::new(layout, fold.as_ref(), starts, shape, outcomes, reached, others))
            }
            Domain::Coloured(frame) => {
                let reached = reached.unwrap_or(Bytes::Plain(&[]));
                Self::Coloured(Coloured::new(frame, shape.draws(), outcomes, reached, others))
            }
            Domain::Sparse { levels, starts, group } => {
                let sparse = Sparse::new(levels, starts, keys, shape.width(), outcomes, others);
                Self::Sparse(sparse.up_to(group))
            }
        }
    }

    /// The same with the labels of bytes that are in `more` as well.
    pub fn with(self, more: ByteLabels<'a>) -> Self {
        match self {
            Self::Dense(dense) => Self::Dense(dense.with(more)),
            Self::Sparse(sparse) => Self::Sparse(sparse.with(more)),
            Self::Coloured(coloured) => Self::Coloured(coloured.with(more)),
            Self::Regions(regions) => Self::Regions(regions.with(more)),
        }
    }
}

impl<'a> Contents<'a> {
    /// The labels of every board, if there are any.
    #[must_use]
    pub const fn every_board(&self) -> Option<Dense<'a>> {
        match self {
            Self::Dense(dense) => Some(*dense),
            Self::Sparse(_) | Self::Coloured(_) | Self::Regions(_) => None,
        }
    }

    /// The labels of reachable positions, if there are no others.
    #[must_use]
    pub const fn only_reachable(&self) -> Option<Sparse<'a>> {
        match self {
            Self::Sparse(sparse) => Some(*sparse),
            Self::Dense(_) | Self::Coloured(_) | Self::Regions(_) => None,
        }
    }
}

impl Contents<'_> {
    /// The number of positions with labels; up to symmetry, the number of representatives.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Dense(dense) => dense.count(),
            Self::Sparse(sparse) => sparse.count(),
            Self::Coloured(coloured) => coloured.count(),
            Self::Regions(regions) => regions.count(),
        }
    }

    /// The position of rank `rank`, from 0 up to but not including [`count`](Self::count), in an order in which moves
    /// lead to larger ranks unless positions may repeat.
    ///
    /// # Errors
    /// If the keys there are damaged, or the rank is out of range.
    pub fn unrank(&self, rank: u64) -> Result<Position, LabelFault> {
        match self {
            Self::Dense(dense) => Ok(dense.unrank(rank)),
            Self::Sparse(sparse) => sparse.unrank(rank),
            Self::Regions(regions) => regions.position(rank),
            Self::Coloured(coloured) => {
                coloured.unrank(rank).ok_or_else(|| Misplaced { filled: 0, index: rank }.into())
            }
        }
    }

    /// The labels of each position.
    #[must_use]
    pub fn labels(&self) -> LabelSet {
        self.bytes().labels()
    }

    /// The sections of a table of these labels, in file order: the keys, the outcomes, the reachability bits, and each
    /// label of one byte or two, as far as there are any.
    #[must_use]
    pub fn sections(&self) -> Vec<Bytes<'_>> {
        let (keys, outcomes, reached) = match self {
            Self::Dense(dense) => (None, dense.planes().bytes(), dense.reach().map(|reach| reach.marks().bytes())),
            Self::Coloured(coloured) => (None, coloured.outcomes(), Some(coloured.reached())),
            Self::Sparse(sparse) => (Some(sparse.keys()), sparse.outcomes(), None),
            Self::Regions(regions) => (None, regions.outcomes(), None),
        };
        let others = LabelKind::ALL.into_iter().filter_map(|kind| self.bytes().of(kind));
        keys.into_iter().chain([outcomes]).chain(reached).chain(others).collect()
    }

    /// The bytes of the labels of one byte or two.
    #[must_use]
    pub const fn bytes(&self) -> ByteLabels<'_> {
        match self {
            Self::Dense(dense) => dense.bytes(),
            Self::Sparse(sparse) => sparse.bytes(),
            Self::Coloured(coloured) => coloured.bytes(),
            Self::Regions(regions) => regions.bytes(),
        }
    }

    /// Returns whether `position`, which has a label, counts: play reaches it, or it is not known which positions play reaches.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    pub fn is_counted(&self, position: Position) -> Result<bool, BlockFault> {
        match self {
            Self::Dense(dense) => dense.is_counted(position),
            Self::Sparse(_) | Self::Regions(_) => Ok(true),
            Self::Coloured(coloured) => coloured.is_reached(position),
        }
    }

    /// The number of positions with each label of `kind`, which is not the outcome, among the positions that [count](Self::is_counted),
    /// by the [place](Label::place) of the label: its code, if labels have one byte.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    pub fn codes(&self, kind: LabelKind) -> Result<Vec<u64>, BlockFault> {
        let bytes = self.bytes().of(kind).unwrap_or(Bytes::Plain(&[]));
        match self {
            Self::Dense(dense) => dense.codes(kind),
            Self::Sparse(sparse) => {
                if sparse.group().is_trivial() {
                    return sparse.bytes().form(kind).counts(bytes, 0);
                }
                match sparse.weighted().map(|weighted| weighted.codes) {
                    Err(LabelFault::Block(fault)) => Err(fault),
                    // Keys that make no sense are found where they are checked.
                    codes => Ok(codes
                        .ok()
                        .and_then(|codes| codes.of(kind).cloned())
                        .unwrap_or_else(|| vec![0; sparse.bytes().places(kind)])),
                }
            }
            Self::Coloured(coloured) => coloured.codes(kind),
            Self::Regions(regions) => match regions.codes(kind) {
                Err(LabelFault::Block(fault)) => Err(fault),
                // Bits that are no outcome are found where they are checked.
                codes => Ok(codes.unwrap_or_else(|_| vec![0; regions.bytes().places(kind)])),
            },
        }
    }

    /// The index of the label of `position` in the labels of one byte or two; `None` if it is not stored. By regions, positions where a number of
    /// pieces ends the game have labels that are not stored.
    pub fn index(&self, position: Position) -> Result<Option<usize>, LabelFault> {
        Ok(match self {
            Self::Dense(dense) => Some(dense.index(position)),
            Self::Sparse(sparse) => sparse.find(position)?.map(|(rank, _)| rank as usize),
            Self::Coloured(coloured) => coloured.index(position),
            Self::Regions(regions) => match regions.regions().find(position) {
                Some(Place::At(number)) => Some(number as usize),
                Some(Place::Ended(_)) | None => None,
            },
        })
    }

    /// The offsets of the bytes of the outcomes from which that of `position` is read. In a sparse table, they depend on the keys, and
    /// there are none here.
    #[inline]
    pub fn touched(&self, position: Position) -> impl Iterator<Item = usize> + use<> {
        let (dense, coloured, region) = match self {
            Self::Dense(dense) => (Some(dense.touched(position)), None, None),
            Self::Coloured(coloured) => (None, Some(coloured.touched(position)), None),
            Self::Sparse(_) => (None, None, None),
            Self::Regions(regions) => match regions.regions().find(position) {
                Some(Place::At(number)) => (None, None, Some((number / 4) as usize)),
                _ => (None, None, None),
            },
        };
        dense.into_iter().flatten().chain(coloured.into_iter().flatten()).chain(region)
    }

    /// All labels of `position`, a position of the rules; `None` if it is not stored, and so not reachable.
    ///
    /// # Errors
    /// If the bytes they are read from are damaged.
    pub fn value(&self, position: Position) -> Result<Option<Value>, LabelFault> {
        let (at, outcome) = match self {
            Self::Dense(dense) => (dense.index(position), dense.outcome(position)?),
            Self::Sparse(sparse) => match sparse.find(position)? {
                Some((rank, outcome)) => (rank as usize, outcome),
                None => return Ok(None),
            },
            Self::Coloured(coloured) => match (coloured.index(position), coloured.outcome(position)?) {
                (Some(at), Some(outcome)) => (at, outcome),
                _ => return Ok(None),
            },
            Self::Regions(regions) => match regions.find(position)? {
                Some((Place::At(number), outcome)) => (number as usize, outcome),
                Some((Place::Ended(outcome), _)) => return Ok(Some(self.ended(outcome))),
                None => return Ok(None),
            },
        };
        self.value_at(at, outcome, position).map(Some)
    }

    /// All labels of `position`, whose outcome is `outcome`, and whose other labels are at `at`.
    ///
    /// # Errors
    /// If the bytes they are read from are damaged.
    pub fn value_at(&self, at: usize, outcome: Outcome, position: Position) -> Result<Value, LabelFault> {
        let (bytes, mut value) = (self.bytes(), Value::from(outcome));
        for kind in LabelKind::OTHERS {
            with_byte_label!(kind, L => if let Some(label) = read::<L>(bytes, at, outcome, position)? {
                value.set(label);
            });
        }
        Ok(value)
    }

    /// The labels of a position where a number of pieces ends the game with `outcome`. By regions, they are not stored.
    #[must_use]
    pub fn ended(&self, outcome: Outcome) -> Value {
        let mut value = Value::from(outcome);
        for kind in self.labels().others() {
            with_byte_label!(kind, L => value.set(L::ended(outcome.into())));
        }
        value
    }

    /// The label `L` of `position`, a position of the rules; `None` if there is no such label, or the position is not stored.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    pub fn label<L: Label>(&self, position: Position) -> Result<Option<L>, LabelFault> {
        let (at, outcome) = match self {
            Self::Regions(regions) => match regions.find(position)? {
                Some((Place::At(number), outcome)) => (number as usize, outcome),
                Some((Place::Ended(outcome), _)) => {
                    return Ok(self.labels().contains(L::KIND).then(|| L::ended(outcome.into())));
                }
                None => return Ok(None),
            },
            // These labels tell the outcome.
            _ => match self.index(position)? {
                Some(at) => (at, Outcome::Loss),
                None => return Ok(None),
            },
        };
        read(self.bytes(), at, outcome, position)
    }

    /// The outcome of `position`, a position of the rules, for the player to move; `None` if it is not stored, and so
    /// not reachable.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    pub fn outcome(&self, position: Position) -> Result<Option<Outcome>, LabelFault> {
        match self {
            Self::Dense(dense) => Ok(Some(dense.outcome(position)?)),
            Self::Sparse(sparse) => sparse.outcome(position),
            Self::Regions(regions) => Ok(regions.find(position)?.map(|(_, outcome)| outcome)),
            Self::Coloured(coloured) => coloured.outcome(position),
        }
    }
}

/// The label `L` at index `at`, which is that of `position`; `None` if there is no such label. Remoteness of 16 bits needs `outcome`.
pub fn read<L: Label>(
    bytes: ByteLabels<'_>,
    at: usize,
    outcome: Outcome,
    position: Position,
) -> Result<Option<L>, LabelFault> {
    let Some(number) = bytes.number(L::KIND, at)? else { return Ok(None) };
    let label = match bytes.width(L::KIND) {
        Width::Sixteen => L::of_word(outcome, number),
        // A code has eight bits.
        width => L::decode(number as u8, width),
    };
    label.map(Some).ok_or(LabelFault::NoLabel { position, label: L::KIND, number })
}
