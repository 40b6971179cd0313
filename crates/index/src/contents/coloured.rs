//! The contents of a two-colour table: the labels and the reachability bits of every colouring. A table up to symmetry reads like a table
//! of all colourings.

use super::{ByteLabels, LabelFault};
use crate::colourings::{Frame, Place, WORD};
use crate::compressed::{BlockFault, Bytes};
use crate::label::LabelKind;
use crate::rules::{Outcome, Position};

/// The labels and the reachability bits of every colouring of a two-colour game.
#[derive(Clone, Copy)]
pub struct Coloured<'a> {
    frame: &'a Frame,
    draws: bool,
    outcomes: Bytes<'a>,
    reached: Bytes<'a>,
    bytes: ByteLabels<'a>,
}

impl<'a> Coloured<'a> {
    /// The planes in the order of `frame`, of the sizes that it and `draws` give.
    pub fn new(
        frame: &'a Frame,
        draws: bool,
        outcomes: impl Into<Bytes<'a>>,
        reached: impl Into<Bytes<'a>>,
        bytes: ByteLabels<'a>,
    ) -> Self {
        Self { frame, draws, outcomes: outcomes.into(), reached: reached.into(), bytes }
    }

    /// The same with the labels of bytes that are in `more` as well.
    pub fn with(self, more: ByteLabels<'a>) -> Self {
        Self { bytes: self.bytes.or(more), ..self }
    }

    /// The addresses of the labels.
    #[must_use]
    pub const fn frame(&self) -> &'a Frame {
        self.frame
    }

    /// The labels of one byte or two, in the order of the frame.
    #[must_use]
    pub const fn bytes(&self) -> ByteLabels<'a> {
        self.bytes
    }

    /// Returns whether there are planes of losses.
    #[must_use]
    pub const fn draws(&self) -> bool {
        self.draws
    }

    /// The number of planes in the section of a label, or of the reachability bits, and the bytes of each.
    pub fn planes(&self, label: Option<LabelKind>) -> (u64, u64) {
        let (slots, words) = (u64::from(self.frame.slots()), self.frame.words());
        match label {
            Some(LabelKind::Outcome) => (slots * (1 + u64::from(self.draws)), words * 8),
            Some(kind) => (slots, words * 8 * u64::from(self.bytes.width(kind).bits())),
            None => (slots, words * 8),
        }
    }

    /// The outcomes.
    pub const fn outcomes(&self) -> Bytes<'a> {
        self.outcomes
    }

    /// The reachability bits.
    pub const fn reached(&self) -> Bytes<'a> {
        self.reached
    }

    /// Bytes of the outcomes, without their padding.
    pub fn outcome_bytes(&self) -> u64 {
        self.frame.all_words().unwrap_or(0) * 8 * (1 + u64::from(self.draws))
    }

    /// The number of positions with labels, whether play reaches them or not, and however many of them are stored.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.frame.count().unwrap_or(u64::MAX)
    }

    /// The position of rank `rank` in the frame of all positions ([`Frame::unrank`]).
    pub(crate) fn unrank(&self, rank: u64) -> Option<Position> {
        let every = self.frame.every();
        every.unrank(rank).and_then(|place| every.position(place))
    }

    /// The index of the label of `position` in the labels of one byte or two; `None` if it has no place.
    pub fn index(&self, position: Position) -> Option<usize> {
        self.frame.place(position).map(|place| self.frame.bit(place) as usize)
    }

    /// Returns whether play reaches `position`.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    pub fn is_reached(&self, position: Position) -> Result<bool, BlockFault> {
        self.frame.place(position).map_or(Ok(false), |place| self.reached.bit(self.frame.bit(place)))
    }

    /// The bits of the win and of the loss at `place`; without planes of losses, a loss is no win.
    pub fn marks(&self, place: Place) -> (u64, u64) {
        let bit = self.frame.bit(place);
        let plane = self.frame.words() * WORD;
        if !self.draws {
            return (bit, bit);
        }
        // The label may be stored in another slot: a symmetry that maps one slice to another may exchange modes.
        let slot = if self.frame.fold().is_some() { bit / plane } else { u64::from(place.slot) };
        let win = slot * plane + bit;
        (win, win + plane)
    }

    /// The outcome of `position` for the player to move; `None` if it has no place.
    ///
    /// # Errors
    /// If it is marked both a win and a loss, or cannot be unpacked: the bytes are damaged.
    #[inline]
    pub fn outcome(&self, position: Position) -> Result<Option<Outcome>, LabelFault> {
        self.frame.place(position).map(|place| self.outcome_at(place, position)).transpose()
    }

    /// The outcome of `position`, which has this place.
    #[inline]
    pub(super) fn outcome_at(&self, place: Place, position: Position) -> Result<Outcome, LabelFault> {
        let (win, loss) = self.marks(place);
        match (self.outcomes.bit(win)?, self.draws && self.outcomes.bit(loss)?) {
            (true, false) => Ok(Outcome::Win),
            (false, false) if self.draws => Ok(Outcome::Draw),
            (false, _) => Ok(Outcome::Loss),
            (true, true) => Err(LabelFault::NoOutcome { position }),
        }
    }

    /// The offsets of the bytes of the outcomes from which that of `position` is read.
    pub fn touched(&self, position: Position) -> impl Iterator<Item = usize> + use<> {
        let marks = self.frame.place(position).map(|place| self.marks(place));
        let bits = marks.into_iter().flat_map(|(win, loss)| [win, loss]);
        bits.map(|bit| (bit / 8) as usize)
    }

    /// Every position that play reaches with its outcome, in the order of ranks. An item is an error if its bytes are
    /// damaged.
    pub fn positions(self) -> impl Iterator<Item = Result<(Position, Outcome), LabelFault>> + 'a {
        (0..self.count()).filter_map(move |rank| {
            let position = self.unrank(rank)?;
            match self.is_reached(position) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(fault) => return Some(Err(fault.into())),
            }
            let outcome = self.outcome(position);
            Some(outcome.and_then(|outcome| outcome.ok_or(LabelFault::NoOutcome { position })).map(|o| (position, o)))
        })
    }
}

impl std::fmt::Debug for Coloured<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Coloured").field("squares", self.frame.squares()).finish_non_exhaustive()
    }
}
