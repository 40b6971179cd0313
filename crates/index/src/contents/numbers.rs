//! Labels as numbers in an array: outcomes are 1 (win), 0 (draw) and -1 (loss, as a byte in two's complement), for the player
//! to move; remoteness is in plies; scores are in two's complement, too.

use super::{ByteLabels, Contents, LabelFault};
use crate::label::{Label, LabelKind, Value, Width};
use crate::rules::{Outcome, Position};
use tablegen_labels::with_byte_label;

const WIN: u8 = 1;
const DRAW: u8 = 0;
const LOSS: u8 = -1i8 as u8;
/// A number that no outcome has.
const NO_OUTCOME: u8 = 2;
/// A number that no other label has.
const NO_NUMBER: u8 = u8::MAX;
/// A number that no label with a sign has.
const NO_SIGNED: u8 = i8::MIN as u8;
/// The remoteness of a draw by repetition.
const NO_END: u8 = u8::MAX - 1;
/// The same three for labels of 16 bits.
const NO_WORD: u16 = u16::MAX;
const NO_SIGNED_WORD: u16 = i16::MIN as u16;
const NO_END_IN_WORD: u16 = u16::MAX - 1;

/// The numbers of a label.
#[derive(Clone, Debug)]
pub struct Numbers {
    kind: LabelKind,
    width: Width,
    of_codes: [u8; 256],
}

impl Numbers {
    /// The numbers of `kind` in `contents`.
    #[must_use]
    pub fn of_contents(kind: LabelKind, contents: &Contents<'_>) -> Self {
        Self::of_labels(kind, contents.bytes())
    }

    /// The numbers of `kind` in `labels`.
    pub(super) fn of_labels(kind: LabelKind, labels: ByteLabels<'_>) -> Self {
        Self { width: labels.width(kind), ..Self::new(kind) }
    }

    /// The numbers of `kind`, whose labels have at most one byte.
    #[must_use]
    pub fn new(kind: LabelKind) -> Self {
        let of_codes = match kind {
            LabelKind::Outcome => std::array::from_fn(|code| code as u8),
            kind => with_byte_label!(kind, L => std::array::from_fn(|code| match L::decode(code as u8, Width::Eight) {
                Some(label) => label.number().map_or(NO_END, |number| number as u8),
                None => Self::none(kind),
            })),
        };
        Self { kind, width: Width::Eight, of_codes }
    }

    /// The label.
    #[must_use]
    pub const fn kind(&self) -> LabelKind {
        self.kind
    }

    /// The number that no label has: it stands for bytes that are damaged.
    #[must_use]
    pub const fn invalid(&self) -> u16 {
        match self.width {
            Width::Sixteen if self.kind.about().is_signed => NO_SIGNED_WORD,
            Width::Sixteen => NO_WORD,
            _ => Self::none(self.kind) as u16,
        }
    }

    const fn none(kind: LabelKind) -> u8 {
        match kind {
            LabelKind::Outcome => NO_OUTCOME,
            kind if kind.about().is_signed => NO_SIGNED,
            _ => NO_NUMBER,
        }
    }

    /// The number of bits of a number.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
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

    /// The number of a word of two bytes, of a position with `outcome`. Only remoteness needs the outcome.
    pub(super) fn of_word(&self, word: u16, outcome: Outcome) -> u16 {
        with_byte_label!(self.kind, L => match L::of_word(outcome, word) {
            Some(label) => label.number().map_or(NO_END_IN_WORD, |number| number as u16),
            None => self.invalid(),
        })
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

    /// The remoteness of a draw by repetition.
    const fn no_end(&self) -> u16 {
        if matches!(self.width, Width::Sixteen) { NO_END_IN_WORD } else { NO_END as u16 }
    }

    /// The number of the label in `value`, if it is there.
    #[must_use]
    pub fn of_value(&self, value: &Value) -> Option<u16> {
        if self.kind == LabelKind::Outcome {
            return Some(Self::of_outcome(value.outcome).into());
        }
        let number = value.number(self.kind);
        if self.kind.about().is_signed {
            return number.and_then(|number| match self.width {
                Width::Sixteen => i16::try_from(number).ok().map(i16::cast_unsigned),
                _ => i8::try_from(number).ok().map(|number| number.cast_unsigned().into()),
            });
        }
        let endless = (self.kind.about().counts_plies && value.repetition).then_some(self.no_end().into());
        endless.or(number).and_then(|number| u16::try_from(number).ok())
    }

    /// Sets the label of `value` to `number`.
    pub(super) fn put(&self, value: &mut Value, number: u16) {
        match (self.kind, number) {
            (LabelKind::Outcome, number) if number == WIN.into() => value.outcome = Outcome::Win,
            (LabelKind::Outcome, number) if number == DRAW.into() => value.outcome = Outcome::Draw,
            (LabelKind::Outcome, _) => value.outcome = Outcome::Loss,
            (kind, number) if kind.about().counts_plies && number == self.no_end() => value.repetition = true,
            (kind, number) if kind.about().is_signed => {
                let number = match self.width {
                    Width::Sixteen => number.cast_signed().into(),
                    _ => (number as u8).cast_signed().into(),
                };
                value.numbers.set(kind, Some(number));
            }
            (kind, number) => value.numbers.set(kind, Some(number.into())),
        }
    }

    /// The number of the label, which is not the outcome, of `position`, which is stored at `index` in `bytes` and has `outcome`. Only
    /// remoteness of 16 bits needs the outcome.
    pub(super) fn at(
        &self,
        bytes: ByteLabels<'_>,
        index: usize,
        outcome: Outcome,
        position: Position,
    ) -> Result<u16, LabelFault> {
        let code = bytes.number(self.kind, index)?;
        let number = code.map(|code| match self.width {
            Width::Sixteen => self.of_word(code, outcome),
            // A code has eight bits.
            _ => self.of_code(code as u8).into(),
        });
        number.filter(|&number| number != self.invalid()).ok_or(LabelFault::NoLabel {
            position,
            label: self.kind,
            number: code.unwrap_or(NO_WORD),
        })
    }

    /// The number of the label of `position`, a position of the rules; `None` if it is not stored.
    ///
    /// # Errors
    /// If the bytes it is read from are damaged.
    pub fn of(&self, contents: &Contents<'_>, position: Position) -> Result<Option<u16>, LabelFault> {
        if self.kind == LabelKind::Outcome {
            return Ok(contents.outcome(position)?.map(|outcome| Self::of_outcome(outcome).into()));
        }
        if let Contents::Regions(_) = contents {
            return Ok(contents.value(position)?.and_then(|value| self.of_value(&value)));
        }
        let index = contents.index(position)?;
        index.map(|index| self.at(contents.bytes(), index, Outcome::Loss, position)).transpose()
    }
}
