//! Placements: what a move requires and changes at one place of the board; and the work that finding them may take.

use super::error::Read;
use super::source::Item;
use super::squares::Squares;
use super::stamp::Sign;
use crate::rules::Board;

/// A pattern or another form of move at one place of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Placement {
    /// Cells that must be empty.
    pub(super) empty: Board,
    /// Cells that must be filled.
    pub(super) full: Board,
    /// Cells that the move fills.
    pub(super) fills: Board,
    /// Cells that the move empties.
    pub(super) clears: Board,
    /// The first square where a piece arrives, the first that a piece leaves, and the first where a piece of the mover
    /// (in one colour: any piece) stays.
    pub(super) squares: [Option<usize>; 3],
    /// The two ends of a push; `squares` is then unused.
    pub(super) ends: Option<[usize; 2]>,
    /// The number of the list of lines that the move may turn over.
    pub(super) lines: Option<u16>,
}

/// The placements that replace `placements`: for each of them, those that `cases` gives.
pub(super) fn split(
    placements: Vec<Placement>,
    cases: impl FnMut(Placement) -> Read<Vec<Placement>>,
) -> Read<Vec<Placement>> {
    Ok(placements.into_iter().map(cases).collect::<Read<Vec<_>>>()?.concat())
}

/// The board, and the colour of one player's pieces.
#[derive(Clone, Copy)]
pub(super) struct Pieces<'a> {
    pub(super) squares: &'a Squares,
    pub(super) colour: u32,
}

/// The remaining work units. They bound the time that a file can take.
pub(super) struct Budget(u32);

impl Budget {
    pub(super) const fn new() -> Self {
        Self(1 << 23)
    }

    /// Returns whether no work is left.
    pub(super) const fn is_spent(&self) -> bool {
        self.0 == 0
    }

    /// Spends `steps` units; the error names `item` if fewer units are left.
    pub(super) fn spend(&mut self, item: Item<'_>, steps: usize) -> Read<()> {
        let left = u32::try_from(steps).ok().and_then(|steps| self.0.checked_sub(steps));
        self.0 = left.unwrap_or(0);
        match left {
            Some(_) => Ok(()),
            None => Err(item.found("shapes that can be placed in reasonable time", "too many or too large")),
        }
    }
}

impl Placement {
    /// The placement if the cells of `filled` must also be filled and the cells of `empty` empty; `None` if no board meets all
    /// conditions.
    pub(super) fn with(self, [filled, empty]: [Board; 2]) -> Option<Self> {
        let placement = Self { full: self.full | filled, empty: self.empty | empty, ..self };
        placement.is_possible().then_some(placement)
    }

    /// Returns whether some board meets the conditions.
    pub(super) fn is_possible(&self) -> bool {
        self.empty.is_disjoint(self.full)
    }

    /// The conditions on squares other than those that the pattern fills: the cells that are filled, and the cells that are empty.
    pub(super) fn around(&self, squares: &Squares) -> [Board; 2] {
        let own: Board =
            squares.touched(self.fills).into_iter().filter_map(|square| squares.cells_of(square)).collect();
        [self.full & !own, self.empty & !own]
    }

    /// The neighbours of the squares `arrives`, without the squares that the move fills or empties.
    pub(super) fn neighbours(&self, squares: &Squares, arrives: &[usize]) -> Vec<usize> {
        let changes = self.fills | self.clears;
        let mut around: Vec<usize> = arrives.iter().flat_map(|&square| squares.neighbours(square)).collect();
        around.sort_unstable();
        around.dedup();
        around.retain(|&square| squares.cells_of(square).is_none_or(|cells| cells.is_disjoint(changes)));
        around
    }

    /// Adds the requirements and changes that `sign` means for `square` in a move of the player who has `pieces`; `None` if
    /// the board lacks that square.
    pub(super) fn add(&mut self, pieces: Pieces<'_>, square: usize, sign: Sign) -> Option<()> {
        let Pieces { squares, colour: mover } = pieces;
        let any = squares.cells_of(square)?;
        // A single colour belongs to both players.
        let mine = squares.cell(square, if squares.colours() == 2 { mover } else { 0 })?;
        let yours = squares.cell(square, if squares.colours() == 2 { 1 - mover } else { 0 })?;
        if squares.has_blocks {
            self.be_alone(pieces, square, sign);
        }
        match sign {
            Sign::Fill => {
                self.empty |= any;
                self.fills |= mine;
            }
            Sign::Spread => self.fills |= mine,
            Sign::Free | Sign::NotFilled => self.empty |= any,
            Sign::Filled | Sign::Mine => self.full |= mine,
            Sign::Yours => self.full |= yours,
            Sign::NotMine => self.empty |= mine,
            Sign::NotYours => self.empty |= yours,
            Sign::Blocked => self.full |= any,
            Sign::Block => {
                self.empty |= any;
                self.fills |= any;
            }
            Sign::Leave => {
                self.full |= mine;
                self.clears |= mine;
            }
            Sign::Take => {
                self.full |= yours;
                self.clears |= yours;
            }
            Sign::Capture => {
                self.full |= yours;
                self.clears |= yours;
                self.empty |= mine;
                self.fills |= mine;
            }
            Sign::NoSquare | Sign::Stop => return None,
        }
        let kind = match sign {
            Sign::Fill | Sign::Capture | Sign::Block => Some(0),
            Sign::Leave => Some(1),
            Sign::Mine | Sign::Filled => Some(2),
            _ => None,
        };
        if let Some(kind) = kind {
            self.squares[kind].get_or_insert(square);
        }
        Some(())
    }

    /// Requires the piece that `sign` means to be alone on `square`: a square filled in both colours is nobody's.
    pub(super) fn be_alone(&mut self, Pieces { squares, colour }: Pieces<'_>, square: usize, sign: Sign) {
        let other = match sign {
            _ if squares.colours() == 1 => None,
            Sign::Mine | Sign::Leave => Some(1 - colour),
            Sign::Yours | Sign::Take => Some(colour),
            _ => None,
        };
        self.empty |= other.and_then(|colour| squares.cell(square, colour)).unwrap_or_default();
    }
}
