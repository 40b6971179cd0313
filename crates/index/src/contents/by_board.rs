//! Labels by board number, from tables that cover every board.

use rayon::prelude::*;

use super::{Dense, LabelFault, Numbers};
use crate::compressed::{BlockFault, Bytes, Reader};
use crate::label::{LabelKind, Width};
use crate::plane::BoardOrder;
use crate::rules::{Board, Mode, Outcome, Position};

/// Reads a label of every board, as [`Numbers`].
pub struct ByBoard<'a> {
    dense: Dense<'a>,
    /// The label; `None` for whether play reaches each board, as 1 or 0.
    read: Option<Numbers>,
    order: BoardOrder<'a>,
}

/// A number of an array of labels: `u8`, or `u16` if labels have 16 bits.
pub trait LabelNumber: Copy + Default + Eq + Send + Sync {
    /// The number of its bits.
    const BITS: u32;

    /// The number; `None` if it does not fit.
    fn of(number: u16) -> Option<Self>;

    /// The lowest bits of the number.
    fn low(number: u16) -> Self;
}

impl LabelNumber for u8 {
    const BITS: u32 = Self::BITS;

    fn of(number: u16) -> Option<Self> {
        number.try_into().ok()
    }

    #[inline]
    fn low(number: u16) -> Self {
        number as Self
    }
}

impl LabelNumber for u16 {
    const BITS: u32 = Self::BITS;

    fn of(number: u16) -> Option<Self> {
        Some(number)
    }

    #[inline]
    fn low(number: u16) -> Self {
        number
    }
}

/// Bits and bytes of a plane.
trait Plane {
    fn bit(&self, number: u64) -> u8;
    fn byte(&self, at: usize) -> u8;
}

impl Plane for &[u8] {
    #[inline]
    fn bit(&self, number: u64) -> u8 {
        self[(number >> 3) as usize] >> (number & 7) & 1
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self[at]
    }
}

impl Plane for Reader<'_> {
    #[inline]
    fn bit(&self, number: u64) -> u8 {
        Reader::bit(self, number)
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        Reader::byte(self, at)
    }
}

/// Takes labels from a function of the index of a board in the layout of all boards.
trait Take {
    fn take(self, label: impl Fn(u64) -> u16);
}

/// Consecutive boards from a first one on.
struct InOrder<'o, 'a, N>(&'o BoardOrder<'a>, Board, &'o mut [N]);

impl<N: LabelNumber> Take for InOrder<'_, '_, N> {
    fn take(self, label: impl Fn(u64) -> u16) {
        self.0.fill(self.1, self.2, |index| N::low(label(index)));
    }
}

/// Each of some boards.
struct Each<'o, 'a, N>(Dense<'a>, &'o [u64], &'o mut [N]);

impl<N: LabelNumber> Take for Each<'_, '_, N> {
    fn take(self, label: impl Fn(u64) -> u16) {
        for (&board, out) in self.1.iter().zip(self.2) {
            *out = N::low(label(self.0.layout().index(Board::from_word(board))));
        }
    }
}

/// Indices of boards, each with the place of its label in the list.
struct Placed<'o, N>(&'o [(u16, u64, u32)], &'o mut [N]);

impl<N: LabelNumber> Take for Placed<'_, N> {
    fn take(self, label: impl Fn(u64) -> u16) {
        for &(_, index, at) in self.0 {
            self.1[at as usize] = N::low(label(index));
        }
    }
}

impl<'a> ByBoard<'a> {
    /// A reader of label `kind` of `dense`; `None` if it is not there. Checksums are not checked.
    #[must_use]
    pub fn new(dense: Dense<'a>, kind: LabelKind) -> Option<Self> {
        let read = Some(Numbers::of_labels(kind, dense.bytes()));
        dense.bytes().labels().contains(kind).then(|| Self { dense, read, order: BoardOrder::new(dense.layout()) })
    }

    /// A reader of whether play reaches each board, as 1 or 0; `None` without reachability bits.
    #[must_use]
    pub fn of_reach(dense: Dense<'a>) -> Option<Self> {
        dense.reach().map(|_| Self { dense, read: None, order: BoardOrder::new(dense.layout()) })
    }

    /// The number of bits of a label in an array.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.read.as_ref().map_or(u8::BITS, |numbers| numbers.width().bits().max(u8::BITS))
    }

    /// The table whose labels it reads.
    #[must_use]
    pub const fn dense(&self) -> Dense<'a> {
        self.dense
    }

    /// The number of boards that are read at a time, which divides the number of all boards.
    #[must_use]
    pub const fn piece(&self) -> usize {
        self.order.boards()
    }

    /// Writes the labels of `mode`, from board `first` on, to `labels`, on all cores of the current rayon pool. `first`
    /// and the length of `labels` must be multiples of the [piece](Self::piece).
    ///
    /// # Errors
    /// If a label is invalid, which means that the bytes are damaged.
    ///
    /// # Panics
    /// If the mode or a board does not exist, `labels` is not a whole number of pieces, or a number has fewer than [`bits`](Self::bits).
    pub fn read<N: LabelNumber>(&self, mode: Mode, first: u64, labels: &mut [N]) -> Result<(), LabelFault> {
        assert!(N::BITS >= self.bits(), "labels of {} bits", self.bits());
        let size = self.piece();
        labels.par_chunks_mut(size).enumerate().try_for_each(|(number, labels)| {
            let first = first + (number * size) as u64;
            self.with(mode, InOrder(&self.order, Board::from_word(first), labels))?;
            let Some(numbers) = &self.read else { return Ok(()) };
            match labels.iter().position(|&label| label == N::low(numbers.invalid())) {
                None => Ok(()),
                Some(at) => Err(self.fault(Position::new(mode, Board::from_word(first + at as u64)), numbers)),
            }
        })
    }

    /// Writes the labels of `boards`, each in the mode that `mode` returns for its place in the list, to `out`. Stops at the first
    /// board that has no mode or no valid label, and returns the number of boards before it. Returns 0 for boards that are as fast to
    /// look up by themselves: in several modes of a table that is not compressed, and in compressed tables up to symmetry.
    ///
    /// # Panics
    /// If there are fewer places than boards, or a number has fewer than [`bits`](Self::bits).
    pub fn look_up<N: LabelNumber>(
        &self,
        mode: impl Fn(usize) -> Option<Mode>,
        boards: &[u64],
        out: &mut [N],
    ) -> usize {
        assert!(N::BITS >= self.bits(), "labels of {} bits", self.bits());
        let (modes, full) = (self.dense.planes().shape().modes(), Board::full(self.dense.layout().cells()).low_word());
        let mode = |at: usize| mode(at).filter(|mode| u32::from(mode.0) < modes);
        let first = if boards.is_empty() { None } else { mode(0) };
        let is_of_one = first.is_some() && (1..boards.len()).all(|at| mode(at) == first);
        let done = match first {
            Some(first) if is_of_one && !self.is_compressed() => {
                let done = boards.iter().position(|&board| board > full).unwrap_or(boards.len());
                self.with(first, Each(self.dense, &boards[..done], &mut out[..done])).map(|()| done)
            }
            Some(_) if self.is_compressed() && self.dense.fold().is_none() => {
                // In the order in which the table stores the labels, so that each block is decompressed once.
                let index = |board| self.dense.layout().index(Board::from_word(board));
                let place = |(at, &board): (usize, &u64)| {
                    Some((mode(at).filter(|_| board <= full)?.0, index(board), at as u32))
                };
                let mut places: Vec<(u16, u64, u32)> = boards.iter().enumerate().map_while(place).collect();
                places.sort_unstable();
                let mut of_modes = places.chunk_by(|a, b| a.0 == b.0);
                let done = of_modes.try_for_each(|places| self.with(Mode(places[0].0), Placed(places, &mut *out)));
                done.map(|()| places.len())
            }
            _ => return 0,
        };
        // Whatever cannot be read is found where it is looked up by itself.
        let done = done.unwrap_or(0);
        let Some(numbers) = &self.read else { return done };
        out[..done].iter().position(|&label| label == N::low(numbers.invalid())).unwrap_or(done)
    }

    /// True if the labels are compressed.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.bytes().plain().is_none()
    }

    /// The bytes that are read.
    fn bytes(&self) -> Bytes<'a> {
        match &self.read {
            None => self.dense.reach().map_or(Bytes::Plain(&[]), |reach| reach.marks().bytes()),
            Some(numbers) => self.dense.bytes().of(numbers.kind()).unwrap_or(self.dense.planes().bytes()),
        }
    }

    /// Passes the labels of `mode` to `take`.
    fn with(&self, mode: Mode, take: impl Take) -> Result<(), BlockFault> {
        let (shape, bytes) = (self.dense.planes().shape(), self.bytes());
        let modes = shape.modes() as usize;
        // The labels of a mode, and the losses among them: the second half of its outcomes, if there are draws.
        let of_mode = bytes.len() / modes;
        let is_outcome = matches!(&self.read, Some(numbers) if numbers.kind() == LabelKind::Outcome);
        let has_losses = is_outcome && shape.draws();
        let losses = |bytes: Bytes<'a>| has_losses.then(|| bytes.part(of_mode / 2..bytes.len()));
        match self.dense.fold() {
            None => {
                let bytes = bytes.part(usize::from(mode.0) * of_mode..(usize::from(mode.0) + 1) * of_mode);
                self.planes(bytes, losses(bytes), |index| index, take)
            }
            Some(fold) => {
                // Places of a mode: a bit each for outcomes and reachable boards.
                let bits = if is_outcome || self.read.is_none() { 1 } else { self.bits() };
                let places = of_mode as u64 * 8 / u64::from(bits);
                let place = |index| {
                    let (mode, index) = fold.place_of(mode, index);
                    u64::from(mode.0) * places + index
                };
                self.planes(bytes, losses(bytes), place, take)
            }
        }
    }

    /// Passes the labels in `bytes`, where `place` gives the place of an index, to `take`. The losses, if there are any, are in
    /// bytes of their own.
    fn planes(
        &self,
        bytes: Bytes<'a>,
        losses: Option<Bytes<'a>>,
        place: impl Fn(u64) -> u64,
        take: impl Take,
    ) -> Result<(), BlockFault> {
        match (bytes.plain(), losses.map(|losses| losses.plain())) {
            (Some(bytes), None) => self.labels(&bytes, None, place, take),
            (Some(bytes), Some(Some(losses))) => self.labels(&bytes, Some(&losses), place, take),
            _ => {
                let (bytes, losses) = (bytes.reader(), losses.map(|losses| losses.reader()));
                self.labels(&bytes, losses.as_ref(), place, take);
                bytes.fault()?;
                losses.map_or(Ok(()), |losses| losses.fault())?;
            }
        }
        Ok(())
    }

    fn labels<P: Plane>(&self, plane: &P, losses: Option<&P>, place: impl Fn(u64) -> u64, take: impl Take) {
        match (&self.read, losses) {
            (None, _) => take.take(|index| plane.bit(place(index)).into()),
            (Some(numbers), _) if numbers.width() == Width::Sixteen => take.take(|index| {
                let at = 2 * place(index) as usize;
                numbers.of_word(u16::from_le_bytes([plane.byte(at), plane.byte(at + 1)]), Outcome::Loss)
            }),
            (Some(numbers), _) if numbers.kind() != LabelKind::Outcome => {
                take.take(|index| numbers.of_code(plane.byte(place(index) as usize)).into());
            }
            (_, None) => take.take(|index| Numbers::of_win(plane.bit(place(index))).into()),
            (_, Some(losses)) => take.take(|index| {
                let place = place(index);
                Numbers::of_bits(plane.bit(place), losses.bit(place)).into()
            }),
        }
    }

    /// The fault in the label of `position`.
    fn fault(&self, position: Position, numbers: &Numbers) -> LabelFault {
        let label = numbers.kind();
        match self.dense.outcome(position) {
            Err(conflict) if label == LabelKind::Outcome => conflict.into(),
            _ => {
                let number = self.dense.bytes().number(label, self.dense.index(position));
                let number = number.ok().flatten().unwrap_or_default();
                LabelFault::NoLabel { position, label, number }
            }
        }
    }
}

impl std::fmt::Debug for ByBoard<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ByBoard").field("read", &self.read).finish_non_exhaustive()
    }
}
