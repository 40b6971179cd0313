//! How the labels of one kind lie in their bytes, and counts of them.

use rayon::prelude::*;

use crate::compressed::{BlockFault, Bytes};
use crate::label::{Label, LabelKind, Width, add_each};
use crate::rules::{Outcome, Rules};
use tablegen_labels::with_byte_label;

/// Bytes that one task counts.
const PIECE: usize = 1 << 20;

/// The form of the labels of one kind, which is not the outcome: one byte each, or two.
#[derive(Clone, Copy, Debug)]
pub struct LabelForm {
    kind: LabelKind,
    width: Width,
    places: usize,
}

impl LabelForm {
    /// Labels of `kind` and `width`, with `places` [places](Label::place) in their counts.
    pub(super) const fn new(kind: LabelKind, width: Width, places: usize) -> Self {
        Self { kind, width, places }
    }

    /// The labels of `kind` of a dense or a two-colour table of `rules`.
    #[must_use]
    pub fn of_rules(kind: LabelKind, rules: &Rules) -> Self {
        Self::new(kind, kind.width(rules), kind.places(rules))
    }

    /// Bytes of a label.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.width.bits() as usize / 8
    }

    /// A count for each place.
    #[must_use]
    pub fn no_counts(self) -> Vec<u64> {
        vec![0; self.places]
    }

    /// The [place](Label::place) of the label that `number` stands for, of a position with `outcome`. `None` if the number stands for no
    /// label.
    pub(super) fn place(self, number: u16, outcome: Outcome) -> Option<usize> {
        match self.width {
            Width::Sixteen => {
                with_byte_label!(self.kind, L => Some(L::of_word(outcome, number)?.place(Width::Sixteen)))
            }
            // Codes of no label are counted as well, so that they are found.
            _ => Some(number.into()),
        }
    }

    /// The place of the label whose two bytes are `word`. Only remoteness of 16 bits would need the outcome.
    fn place_of_word(self, word: [u8; 2]) -> Option<usize> {
        self.place(u16::from_le_bytes(word), Outcome::Loss)
    }

    /// Counts all `labels`, which tell the outcome.
    fn count(self, labels: &[u8], counts: &mut [u64]) {
        if self.width == Width::Sixteen {
            let places = labels.as_chunks().0.iter().filter_map(|&word| self.place_of_word(word));
            places.for_each(|place| add(counts, place, 1));
        } else {
            count_bytes(labels, counts);
        }
    }

    /// Adds `weight` to the counts of those `labels` whose bits are set in `marks`, a word for each 64 labels. The labels tell the outcome.
    pub fn count_marked(self, labels: &[u8], marks: impl IntoIterator<Item = u64>, weight: u64, counts: &mut [u64]) {
        if self.width == Width::Sixteen {
            each_marked(labels.as_chunks().0, marks, |&word| {
                if let Some(place) = self.place_of_word(word) {
                    add(counts, place, weight);
                }
            });
        } else {
            each_marked(labels, marks, |&code| counts[usize::from(code)] += weight);
        }
    }

    /// How many of the labels in `bytes`, which tell the outcome, have each place, less `padding` zeros.
    ///
    /// # Errors
    /// If a compressed block cannot be decompressed.
    pub fn counts(self, bytes: Bytes<'_>, padding: u64) -> Result<Vec<u64>, BlockFault> {
        let of_piece = |piece: Bytes<'_>| {
            let mut counts = self.no_counts();
            self.count(&piece.all()?, &mut counts);
            Ok(counts)
        };
        let all = bytes.par_pieces(PIECE).map(of_piece);
        let mut counts = all.try_reduce(|| self.no_counts(), |a, b| Ok(add_each(a, b)))?;
        // With two bytes, 0 is no label and has no place.
        if padding > 0 && self.width != Width::Sixteen {
            counts[0] = counts[0].saturating_sub(padding);
        }
        Ok(counts)
    }
}

/// Adds the number of each byte to `counts`. Neighbours are often equal, and adding to a count that was just changed waits for it, so
/// they are counted apart.
fn count_bytes(bytes: &[u8], counts: &mut [u64]) {
    const APART: usize = 8;
    /// So many that no count overflows.
    const MOST: usize = u32::MAX as usize;
    for part in bytes.chunks(MOST) {
        let mut apart = [[0u32; 256]; APART];
        let (groups, rest) = part.as_chunks::<APART>();
        for group in groups {
            for (counts, &byte) in apart.iter_mut().zip(group) {
                counts[usize::from(byte)] += 1;
            }
        }
        rest.iter().for_each(|&byte| apart[0][usize::from(byte)] += 1);
        for counted in &apart {
            counts.iter_mut().zip(counted).for_each(|(count, &more)| *count += u64::from(more));
        }
    }
}

/// Adds to the count of a place. Damaged labels may have places that no label of the game has.
fn add(counts: &mut [u64], place: usize, weight: u64) {
    if let Some(count) = counts.get_mut(place) {
        *count += weight;
    }
}

/// Calls `each` with the labels whose bits are set in `marks`.
#[inline]
fn each_marked<T>(labels: &[T], marks: impl IntoIterator<Item = u64>, mut each: impl FnMut(&T)) {
    for (labels, mut marks) in labels.chunks(u64::BITS as usize).zip(marks) {
        while marks != 0 {
            each(&labels[marks.trailing_zeros() as usize]);
            marks &= marks - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_in_groups_and_after_them() {
        for length in [0, 7, 8, 1003] {
            let bytes: Vec<u8> = (0..length).map(|n| (n * n / 5) as u8).collect();
            let mut counts = vec![1; 256];
            count_bytes(&bytes, &mut counts);
            let plain = (0..=u8::MAX).map(|byte| 1 + bytes.iter().filter(|&&found| found == byte).count() as u64);
            assert!(plain.eq(counts), "{length} bytes");
        }
    }
}
