//! Values in the memory layout of Apache Arrow.

use rayon::prelude::*;

use super::TASK;

/// The type of the values in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// One bit each.
    Bits,
    /// One byte each.
    U8,
    /// One byte with a sign each.
    I8,
    /// Two bytes each.
    U16,
    /// Two bytes with a sign each.
    I16,
    /// Eight bytes each.
    U64,
    /// Eight bytes with a sign each.
    I64,
    /// Texts in UTF-8.
    Text,
}

/// The values of a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ColumnValues {
    /// Bits, the first one least significant.
    Bits(Vec<u8>),
    /// Bytes.
    U8(Vec<u8>),
    /// Bytes with a sign.
    I8(Vec<i8>),
    /// Pairs of bytes.
    U16(Vec<u16>),
    /// Pairs of bytes with a sign.
    I16(Vec<i16>),
    /// Words.
    U64(Vec<u64>),
    /// Words with a sign.
    I64(Vec<i64>),
    /// Texts, one after the other.
    Text {
        /// The offset of each text, and then the number of all bytes.
        offsets: Vec<i32>,
        /// The bytes of all texts.
        bytes: Vec<u8>,
    },
}

/// A column of some rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The values. A missing value is 0 or empty.
    pub values: ColumnValues,
    /// A bit for each value, 0 if it is missing; and the number of missing values. `None` if no value is missing.
    pub valid: Option<(Vec<u8>, usize)>,
}

impl Column {
    /// True if there is a value at `row`.
    #[must_use]
    pub fn has(&self, row: usize) -> bool {
        self.valid.as_ref().is_none_or(|(bits, _)| bits[row / 8] >> (row % 8) & 1 == 1)
    }
}

/// A column of bits, some of which may be missing.
pub(super) fn flags(values: impl Iterator<Item = Option<bool>> + Clone) -> Column {
    let set = ColumnValues::Bits(bits(values.clone().map(|value| value == Some(true))));
    Column { values: set, valid: validity(values.map(|value| value.is_some())) }
}

/// A column of words.
pub(super) fn words(values: impl Iterator<Item = u64>) -> Column {
    Column { values: ColumnValues::U64(values.collect()), valid: None }
}

/// A column of numbers of `kind`, in which they fit.
pub(super) fn numbers(kind: ColumnKind, numbers: impl Iterator<Item = Option<i64>> + Clone) -> Column {
    let all = numbers.clone().map(|number| number.unwrap_or(0));
    let values = match kind {
        ColumnKind::U16 => ColumnValues::U16(all.map(|number| number as u16).collect()),
        ColumnKind::I16 => ColumnValues::I16(all.map(|number| number as i16).collect()),
        ColumnKind::I8 => ColumnValues::I8(all.map(|number| number as i8).collect()),
        ColumnKind::I64 => ColumnValues::I64(all.collect()),
        _ => ColumnValues::U8(all.map(|number| number as u8).collect()),
    };
    Column { values, valid: validity(numbers.map(|number| number.is_some())) }
}

/// Appends `text`, if there is one, to the texts of a column. Returns whether there is one.
pub(super) fn add(text: Option<&str>, bytes: &mut Vec<u8>) -> bool {
    bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
    text.is_some()
}

/// A column of texts. `write` [adds](add) the text of an item to the column, and returns whether it has one.
pub(super) fn texts<T: Sync>(items: &[T], write: impl Fn(&T, &mut Vec<u8>) -> bool + Sync) -> Column {
    let part = |items: &[T]| {
        let (mut bytes, mut found) = (Vec::new(), Vec::with_capacity(items.len()));
        for item in items {
            let is_text = write(item, &mut bytes);
            found.push((bytes.len(), is_text));
        }
        (bytes, found)
    };
    let parts: Vec<_> = items.par_chunks(TASK).map(part).collect();
    let (mut offsets, mut bytes) = (vec![0], Vec::with_capacity(parts.iter().map(|(bytes, _)| bytes.len()).sum()));
    for (of_part, found) in &parts {
        offsets.extend(found.iter().map(|(end, _)| (bytes.len() + end) as i32));
        bytes.extend_from_slice(of_part);
    }
    let valid = validity(parts.iter().flat_map(|(_, found)| found).map(|&(_, is_text)| is_text));
    Column { values: ColumnValues::Text { offsets, bytes }, valid }
}

/// The bits of `values`, and how many are 0; `None` if there are none.
fn validity(values: impl Iterator<Item = bool> + Clone) -> Option<(Vec<u8>, usize)> {
    let missing = values.clone().filter(|is_valid| !is_valid).count();
    (missing > 0).then(|| (bits(values), missing))
}

fn bits(values: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut bits = Vec::new();
    for (at, value) in values.enumerate() {
        if at % 8 == 0 {
            bits.push(0);
        }
        bits[at / 8] |= u8::from(value) << (at % 8);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_laid_out_as_arrow_says() {
        assert_eq!(bits([true, false, true, true, false, false, false, false, true].into_iter()), [0b1101, 1]);
        assert_eq!(validity([true, true].into_iter()), None);
        let column = texts(&[Some("ab"), None, Some("c")], |text, out| add(*text, out));
        let values = ColumnValues::Text { offsets: vec![0, 2, 2, 3], bytes: b"abc".to_vec() };
        assert_eq!(column, Column { values, valid: Some((vec![0b101], 1)) });
        assert_eq!([0, 1, 2].map(|row| column.has(row)), [true, false, true]);
    }
}
