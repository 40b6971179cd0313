//! The boards that have values, and the rank of each.

use crate::compressed::Bytes;
use crate::contents::LabelFault;
use crate::reachable::{Codes, LevelSize, Levels, MOST_IN_LEVEL, Misplaced};
use crate::rules::{Board, Mode, Position, Potential, Rules, RulesSpec};

/// The boards that have values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardIndex {
    /// Every board; the rank is the number of the board.
    Every {
        /// Cells of the board, at most [`MOST_CELLS`](Self::MOST_CELLS).
        cells: u32,
    },
    /// The boards that play can reach if either player may move at any time. They are sorted by the codes of positions of a game with
    /// one mode, all on one level.
    Listed(Box<Levels>),
}

impl BoardIndex {
    /// The most cells of an index of every board.
    pub const MOST_CELLS: u32 = 40;

    /// Every board of `cells` cells; `None` if there are too many.
    #[must_use]
    pub fn every(cells: u32) -> Option<Self> {
        (cells <= Self::MOST_CELLS).then_some(Self::Every { cells })
    }

    /// A list of `count` boards of `cells` cells; `None` if there are none or too many, or boards are too large for codes.
    #[must_use]
    pub fn listed(cells: u32, count: u64) -> Option<Self> {
        if !(1..=MOST_IN_LEVEL).contains(&count) {
            return None;
        }
        let rules = one_mode(cells);
        let levels = Levels::new(&rules, &Potential::flat(&rules), &[LevelSize { filled: 0, count }])?;
        Some(Self::Listed(Box::new(levels)))
    }

    /// The codes by which listed boards of `cells` cells are sorted; `None` if boards are too large for codes.
    #[must_use]
    pub fn codes(cells: u32) -> Option<Codes> {
        Some(Codes::new(cells, 1)).filter(|codes| codes.bits() <= Codes::MOST_BITS)
    }

    /// The number of boards.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Every { cells } => 1 << cells,
            Self::Listed(levels) => levels.count(),
        }
    }

    /// Bytes of the keys of listed boards.
    #[must_use]
    pub fn key_bytes(&self) -> Option<u64> {
        match self {
            Self::Every { .. } => None,
            Self::Listed(levels) => Some(levels.key_bytes()),
        }
    }

    /// The rank of `board`; `None` if it has no value.
    ///
    /// # Errors
    /// If `keys` are damaged.
    pub fn rank(&self, keys: Bytes<'_>, board: Board) -> Result<Option<u64>, LabelFault> {
        match self {
            Self::Every { cells } => Ok(Board::full(*cells).contains(board).then(|| board.low_word())),
            Self::Listed(levels) => {
                let level = levels.level(0, keys).ok_or(DAMAGED)?;
                Ok(level.find(Position::of(board))?)
            }
        }
    }

    /// The boards with the ranks from `first` up to `end`.
    ///
    /// # Errors
    /// If `keys` are damaged.
    pub fn boards(
        &self,
        keys: Bytes<'_>,
        first: u64,
        end: u64,
        mut each: impl FnMut(u64, Board),
    ) -> Result<(), LabelFault> {
        match self {
            Self::Every { .. } => (first..end.min(self.count())).for_each(|rank| each(rank, Board::from_word(rank))),
            Self::Listed(levels) => {
                for found in levels.level(0, keys).ok_or(DAMAGED)?.positions(first, end) {
                    let (rank, position) = found?;
                    each(rank, position.board);
                }
            }
        }
        Ok(())
    }

    /// The ranges in the keys that a look-up of `board` reads: the directory, then the bucket.
    ///
    /// # Errors
    /// If `keys` are damaged.
    pub fn touched(&self, keys: Bytes<'_>, board: Board) -> Result<[std::ops::Range<usize>; 2], LabelFault> {
        match self {
            Self::Every { .. } => Ok([0..0, 0..0]),
            Self::Listed(levels) => {
                let level = levels.level(0, keys).ok_or(DAMAGED)?;
                let position = Position::new(Mode(0), board);
                Ok([level.directory_bytes(position), level.bucket_bytes(position)?])
            }
        }
    }
}

const DAMAGED: LabelFault = LabelFault::Misplaced(Misplaced { filled: 0, index: 0 });

/// Rules of one mode, for codes and levels.
fn one_mode(cells: u32) -> Rules {
    RulesSpec::new("boards", cells).build().unwrap_or_else(|_| unreachable!("rules without moves are sound"))
}
