//! Labels as numbers in an array: outcomes are 1 (win), 0 (draw) and -1 (loss, as a byte in two's complement), for the player
//! to move; remoteness is in plies.

use super::{ByteLabels, Contents, LabelFault};
use crate::label::{Label, LabelKind, Nimber, Remoteness, Value, Width};
use crate::rules::{Outcome, Position};

const WIN: u8 = 1;
const DRAW: u8 = 0;
const LOSS: u8 = -1i8 as u8;
/// A number that no outcome has.
const NO_OUTCOME: u8 = 2;
/// A number that no other label has.
const NO_NUMBER: u8 = u8::MAX;
/// The remoteness of a draw by repetition.
const NO_END: u8 = u8::MAX - 1;

/// The numbers of a label.
#[derive(Clone, Debug)]
pub struct Numbers {
    kind: LabelKind,
    of_codes: [u8; 256],
}

impl Numbers {
    /// The numbers of `kind`.
    #[must_use]
    pub fn new(kind: LabelKind) -> Self {
        let of_code = |code| match kind {
            LabelKind::Outcome => Some(code),
            LabelKind::Remoteness => {
                Remoteness::decode(code, Width::Eight).map(|label| label.end().map_or(NO_END, |plies| plies as u8))
            }
            LabelKind::Nimber | LabelKind::MisereNimber => Nimber::decode(code, Width::Eight).map(|nimber| nimber.0),
        };
        Self { kind, of_codes: std::array::from_fn(|code| of_code(code as u8).unwrap_or(NO_NUMBER)) }
    }

    /// The label.
    #[must_use]
    pub const fn kind(&self) -> LabelKind {
        self.kind
    }

    /// The number that no label has: it stands for bytes that are damaged.
    #[must_use]
    pub const fn invalid(&self) -> u8 {
        if matches!(self.kind, LabelKind::Outcome) { NO_OUTCOME } else { NO_NUMBER }
    }

    /// The number of `outcome`.
    #[must_use]
    pub const fn of_outcome(outcome: Outcome) -> u8 {
        match outcome {
            Outcome::Win => WIN,
            Outcome::Draw => DRAW,
            Outcome::Loss => LOSS,
        }
    }

    /// The number of a code of one byte.
    #[inline]
    pub(super) const fn of_code(&self, code: u8) -> u8 {
        self.of_codes[code as usize]
    }

    /// The number of the bits of a win and a loss.
    #[inline]
    pub(super) const fn of_bits(win: u8, loss: u8) -> u8 {
        match (win, loss) {
            (1, 1) => NO_OUTCOME,
            (win, loss) => win.wrapping_sub(loss),
        }
    }

    /// The number of the bit of a win, in a game without draws.
    #[inline]
    pub(super) const fn of_win(win: u8) -> u8 {
        (2 * win).wrapping_sub(1)
    }

    /// The number of the label in `value`, if it is there.
    #[must_use]
    pub fn of_value(&self, value: &Value) -> Option<u8> {
        let number = match self.kind {
            LabelKind::Outcome => return Some(Self::of_outcome(value.outcome)),
            LabelKind::Remoteness if value.repetition => return Some(NO_END),
            LabelKind::Remoteness => value.remoteness,
            LabelKind::Nimber => value.nimber,
            LabelKind::MisereNimber => value.misere_nimber,
        };
        number.and_then(|number| u8::try_from(number).ok())
    }

    /// Sets the label of `value` to `number`.
    pub(super) fn put(&self, value: &mut Value, number: u8) {
        match (self.kind, number) {
            (LabelKind::Outcome, WIN) => value.outcome = Outcome::Win,
            (LabelKind::Outcome, DRAW) => value.outcome = Outcome::Draw,
            (LabelKind::Outcome, _) => value.outcome = Outcome::Loss,
            (LabelKind::Remoteness, NO_END) => value.repetition = true,
            (LabelKind::Remoteness, number) => value.remoteness = Some(number.into()),
            (LabelKind::Nimber, number) => value.nimber = Some(number.into()),
            (LabelKind::MisereNimber, number) => value.misere_nimber = Some(number.into()),
        }
    }

    /// The number of the label, one of one byte, of `position`, which is stored at `index` in `bytes`.
    pub(super) fn at(&self, bytes: ByteLabels<'_>, index: usize, position: Position) -> Result<u8, LabelFault> {
        let code = bytes.of(self.kind).map(|codes| codes.get(index)).transpose()?.flatten();
        match code.map_or(NO_NUMBER, |code| self.of_code(code)) {
            NO_NUMBER => Err(LabelFault::NoLabel { position, label: self.kind, number: code.unwrap_or(NO_NUMBER) }),
            number => Ok(number),
        }
    }

    /// The number of the label of `position`, a position of the rules; `None` if it is not stored.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    pub fn of(&self, contents: &Contents<'_>, position: Position) -> Result<Option<u8>, LabelFault> {
        if self.kind == LabelKind::Outcome {
            return Ok(contents.outcome(position)?.map(Self::of_outcome));
        }
        let index = contents.index(position)?;
        index.map(|index| self.at(contents.bytes(), index, position)).transpose()
    }
}
