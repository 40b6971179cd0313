//! Labels by board number, from tables that cover every board.

use rayon::prelude::*;

use super::numbers::{NO_NUMBER, NO_OUTCOME, NotHeld, check_held, numbers, of_outcome};
use tablegen_index::compressed::Bytes;
use tablegen_index::contents::{Contents, Dense, LabelFault};
use tablegen_index::plane::BoardOrder;
use tablegen_labels::LabelKind;
use tablegen_rules::{Board, Mode, Position};

/// Boards per piece where each board is looked up by itself.
const PIECE: u64 = 1 << 16;

/// The labels of a table that covers every board.
#[derive(Clone, Copy, Debug)]
pub enum Boards<'a> {
    /// A dense table.
    Dense(Dense<'a>),
    /// A dense table that stores slices up to symmetry.
    Folded(Dense<'a>),
}

impl<'a> Boards<'a> {
    /// The labels in `contents`, if they cover every board.
    #[must_use]
    pub const fn of(contents: Contents<'a>) -> Option<Self> {
        match contents {
            Contents::Dense(dense) if dense.fold().is_none() => Some(Self::Dense(dense)),
            Contents::Dense(folded) => Some(Self::Folded(folded)),
            Contents::Sparse(_) | Contents::Coloured(_) => None,
        }
    }

    /// The number of modes.
    #[must_use]
    pub const fn modes(&self) -> u32 {
        match self {
            Self::Dense(dense) => dense.planes().shape().modes(),
            Self::Folded(folded) => folded.planes().shape().modes(),
        }
    }

    /// The number of boards: 2^cells.
    #[must_use]
    pub const fn boards(&self) -> u64 {
        match self {
            Self::Dense(dense) => 1 << dense.planes().shape().cells(),
            Self::Folded(folded) => 1 << folded.planes().shape().cells(),
        }
    }
}

/// Reads a label of every board, by board number, in array form: outcomes as 1 (win), 0 (draw) and -1 (loss) in two's
/// complement, remoteness in plies, or nimbers.
pub struct ByBoard<'a> {
    boards: Boards<'a>,
    form: Form<'a>,
}

enum Form<'a> {
    Planes(InPlanes<'a>),
    Folded(InFolded<'a>),
}

impl<'a> ByBoard<'a> {
    /// A reader of label `label` of `boards`. Checksums are not checked.
    ///
    /// # Errors
    /// If the table lacks the label.
    pub fn new(boards: Boards<'a>, label: LabelKind) -> Result<Self, NotHeld> {
        let form = match boards {
            Boards::Dense(dense) => {
                check_held(dense.bytes(), label)?;
                let codes = dense.bytes().of(label).unwrap_or(Bytes::Plain(&[]));
                let order = BoardOrder::new(dense.layout());
                Form::Planes(InPlanes { dense, label, codes, numbers: numbers(label), order })
            }
            Boards::Folded(folded) => {
                check_held(folded.bytes(), label)?;
                Form::Folded(InFolded { folded, label, codes: folded.bytes().of(label), numbers: numbers(label) })
            }
        };
        Ok(Self { boards, form })
    }

    /// The boards whose labels it reads.
    #[must_use]
    pub const fn boards(&self) -> Boards<'a> {
        self.boards
    }

    /// The number of boards that are read at a time, which divides the number of all boards.
    #[must_use]
    pub const fn piece(&self) -> usize {
        match &self.form {
            Form::Planes(planes) => planes.order.boards(),
            Form::Folded(folded) => folded.piece(),
        }
    }

    /// Writes the labels of `mode`, from board `first` on, to `labels`, on all cores of the current rayon pool. `first`
    /// and the length of `labels` must be multiples of the [piece](Self::piece).
    ///
    /// # Errors
    /// If a label is invalid, which means that the bytes are damaged.
    ///
    /// # Panics
    /// If the mode or a board does not exist, or `labels` is not a whole number of pieces.
    pub fn read(&self, mode: Mode, first: u64, labels: &mut [u8]) -> Result<(), LabelFault> {
        let size = self.piece();
        let pieces = labels.par_chunks_mut(size).enumerate();
        pieces.try_for_each(|(number, labels)| {
            let first = first + (number * size) as u64;
            match &self.form {
                Form::Planes(planes) => planes.read_piece(mode, first, labels),
                Form::Folded(folded) => folded.read_piece(mode, first, labels),
            }
        })
    }
}

/// Labels in bit planes. They are read in an order that touches each cache line only once.
struct InPlanes<'a> {
    dense: Dense<'a>,
    label: LabelKind,
    /// The one-byte codes of the label; empty for outcomes.
    codes: Bytes<'a>,
    numbers: [u8; 256],
    order: BoardOrder<'a>,
}

/// Labels up to symmetry, looked up one by one.
struct InFolded<'a> {
    folded: Dense<'a>,
    label: LabelKind,
    /// The one-byte codes of the label; `None` for outcomes.
    codes: Option<Bytes<'a>>,
    numbers: [u8; 256],
}

impl InFolded<'_> {
    const fn piece(&self) -> usize {
        let boards = Boards::Folded(self.folded).boards();
        if boards < PIECE { boards as usize } else { PIECE as usize }
    }

    fn read_piece(&self, mode: Mode, first: u64, labels: &mut [u8]) -> Result<(), LabelFault> {
        for (board, out) in (first..).map(Board::from_word).zip(labels) {
            let position = Position::new(mode, board);
            *out = match self.codes {
                None => of_outcome(self.folded.outcome(position)?),
                Some(codes) => {
                    let number = codes.get(self.folded.index(position))?.unwrap_or(u8::MAX);
                    match self.numbers[usize::from(number)] {
                        NO_NUMBER => return Err(LabelFault::NoLabel { position, label: self.label, number }),
                        number => number,
                    }
                }
            };
        }
        Ok(())
    }
}

impl InPlanes<'_> {
    fn read_piece(&self, mode: Mode, first: u64, labels: &mut [u8]) -> Result<(), LabelFault> {
        let (planes, at) = (self.dense.planes(), Board::from_word(first));
        let none = if self.label != LabelKind::Outcome {
            let end = self.dense.index_at(Mode(mode.0 + 1), 0);
            let codes = self.codes.part(self.dense.index_at(mode, 0)..end);
            match codes.plain() {
                Some(codes) => self.order.fill(at, labels, |index| self.numbers[usize::from(codes[index as usize])]),
                None => {
                    let codes = codes.reader();
                    self.order.fill(at, labels, |index| self.numbers[usize::from(codes.byte(index as usize))]);
                    codes.fault()?;
                }
            }
            NO_NUMBER
        } else {
            let wins = planes.plane(mode, false);
            let losses = if planes.shape().draws() { Some(planes.plane(mode, true)) } else { None };
            match (wins.plain(), losses.map(|losses| losses.plain())) {
                (Some(wins), None) => self.outcomes(at, labels, |index| bit(wins, index)),
                (Some(wins), Some(Some(losses))) => {
                    self.drawn(at, labels, |index| bit(wins, index), |index| bit(losses, index));
                }
                _ => {
                    let (wins, losses) = (wins.reader(), losses.map(|losses| losses.reader()));
                    match &losses {
                        None => self.outcomes(at, labels, |index| wins.bit(index)),
                        Some(losses) => self.drawn(at, labels, |index| wins.bit(index), |index| losses.bit(index)),
                    }
                    wins.fault()?;
                    losses.map_or(Ok(()), |losses| losses.fault())?;
                }
            }
            NO_OUTCOME
        };
        let fault = labels.iter().position(|&label| label == none);
        fault.map_or(Ok(()), |board| Err(self.fault(Position::new(mode, Board::from_word(first + board as u64)))))
    }

    /// Writes the outcomes of the boards from `at` on, in a game without draws: `win` returns 1 for a win.
    fn outcomes(&self, at: Board, labels: &mut [u8], win: impl Fn(u64) -> u8) {
        self.order.fill(at, labels, |index| (2 * win(index)).wrapping_sub(1));
    }

    /// Writes the outcomes of the boards from `at` on, in a game with draws: `win` and `loss` return 1 for a win and a
    /// loss.
    fn drawn(&self, at: Board, labels: &mut [u8], win: impl Fn(u64) -> u8, loss: impl Fn(u64) -> u8) {
        self.order.fill(at, labels, |index| match (win(index), loss(index)) {
            (1, 1) => NO_OUTCOME,
            (win, loss) => win.wrapping_sub(loss),
        });
    }

    /// The fault in the label of `position`.
    fn fault(&self, position: Position) -> LabelFault {
        let number = self.codes.get(self.dense.index(position)).ok().flatten().unwrap_or_default();
        match self.dense.outcome(position) {
            Err(conflict) if self.label == LabelKind::Outcome => conflict.into(),
            _ => LabelFault::NoLabel { position, label: self.label, number },
        }
    }
}

/// Bit `index` of a bit plane.
#[inline]
fn bit(plane: &[u8], index: u64) -> u8 {
    plane[(index >> 3) as usize] >> (index & 7) & 1
}
