//! The labels of a level, found by codes that are known to be in it.
//!
//! A look-up in the keys of a level reads its directory, its rests and its labels: three to four lines of the cache, all
//! far away in a large level. But the successors of a position that was found have been found too. To tell them apart from
//! the few positions with nearly the same code takes some bits of the code, not all. So a level that has its labels is
//! written once more, as a list of *entries*: a tag of 14 bits of the code, and the label. The place of an entry follows
//! from the code, so that the list is 2.9 bytes for each position, and a look-up reads one line:
//!
//! ```text
//! home of a code      its share of the range of codes, as a share of the slots
//! slot of a position  its home, or the first free slot after it; the codes rise with the slots
//! slots               [ tag label | tag label |     | tag label | ... ]
//! ```
//!
//! A look-up goes from the home of the code to the first slot with its tag. Where that is another position's, the label
//! there is replaced by a mark when the list is made, and whoever meets the mark looks into the keys. Measured: one
//! position in a thousand.

use rayon::prelude::*;

use crate::label::Width;
use crate::reachable::{Codes, Column, Level, Word};

/// Positions of a part of the list: a core makes it in its second cache.
const PART: u64 = 1 << 15;
/// Slots for each 32 positions.
const SLOTS: u64 = 46;
/// Slots that a part is given beyond those that are homes: its last positions may be displaced.
const TAIL: u64 = 64;
/// Positions whose codes are read at once.
const AT_ONCE: usize = 256;

/// The labels of one level.
pub(super) struct Tags {
    codes: Codes,
    form: Form,
    /// A word of as many entries as fit into it, each of them 1.
    ones: u64,
    /// The top bits of a code that choose the part.
    part_bits: u32,
    parts: Vec<Part>,
}

/// The labels of the positions whose codes have the same top bits.
struct Part {
    slots: u64,
    /// The entries of all slots, and zeros for a whole word after the last one. An empty slot has the mark.
    bytes: Vec<u8>,
}

/// How an entry is stored.
#[derive(Clone, Copy)]
struct Form {
    /// Bits of an entry, and of the label in it.
    entry: u32,
    label: u32,
}

/// Where the look-up of a code begins, and what it looks for.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    part: usize,
    /// Offset of the home in the part.
    at: usize,
    tag: u64,
}

/// A label cannot be told from the tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ambiguous;

impl Form {
    const fn of(width: Width) -> Self {
        match width {
            Width::One | Width::Two => Self { entry: 16, label: 2 },
            Width::Eight => Self { entry: 32, label: 8 },
        }
    }

    const fn bytes(self) -> usize {
        self.entry as usize / 8
    }

    /// The bits of a tag.
    const fn tag(self) -> u32 {
        self.entry - self.label
    }

    /// The label that no position has.
    const fn mark(self) -> u64 {
        (1 << self.label) - 1
    }
}

/// The number of slots for `count` positions of a part.
const fn slots(count: u64) -> u64 {
    count * SLOTS / 32 + 1
}

/// Bytes for the labels of `count` positions.
pub(super) fn tag_bytes(width: Width, count: u64) -> u64 {
    (slots(count) + (count / PART + 1) * 2 * TAIL) * Form::of(width).bytes() as u64
}

impl Tags {
    /// The labels of all positions of `level`, made on all cores of the current rayon pool.
    pub(super) fn new<W: Word>(codes: &Codes, level: &Level<'_>, labels: &Column<'_>, width: Width) -> Self {
        let part_bits = (level.size().count / PART).checked_ilog2().unwrap_or(0).min(level.bucket_bits());
        let form = Form::of(width);
        let part = |number| Part::new::<W>(codes, part_bits, number, level, labels, form);
        let ones = u64::MAX / ((1 << form.entry) - 1);
        Self { codes: *codes, form, ones, part_bits, parts: (0..1 << part_bits).into_par_iter().map(part).collect() }
    }

    /// Where the label of the position with `code` is.
    #[inline(always)]
    pub(super) fn place<W: Word>(&self, code: W) -> Place {
        let code = code.topmost(self.codes.bits());
        let part = (code >> 1 >> (63 - self.part_bits)) as usize;
        let slots = self.parts.get(part).map_or(1, |part| part.slots);
        let (home, tag) = home(code << self.part_bits, slots, self.form);
        Place { part, at: home as usize * self.form.bytes(), tag }
    }

    /// A byte at `place`. To read it brings the label into the cache.
    #[inline(always)]
    pub(super) fn touch(&self, place: Place) -> u8 {
        self.parts.get(place.part).and_then(|part| part.bytes.get(place.at)).copied().unwrap_or(0)
    }

    /// The number of the label at `place`, which is that of a position of the level.
    #[inline(always)]
    pub(super) fn number(&self, place: Place) -> Result<u8, Ambiguous> {
        let form = self.form;
        let (low, high) = (self.ones << form.label, self.ones << (form.entry - 1));
        let (wanted, tags) = (self.ones * (place.tag << form.label), !(low - self.ones));
        let bytes = self.parts.get(place.part).map_or(&[][..], |part| &part.bytes);
        let mut at = place.at;
        while let Some(word) = bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()) {
            let word = u64::from_le_bytes(word);
            // The lowest entry with this tag: its tag becomes zero, and the lowest place that is zero borrows first.
            let other = (word ^ wanted) & tags;
            let met = other.wrapping_sub(low) & !other & high;
            if met != 0 {
                let entry = word >> (met.trailing_zeros() + 1 - form.entry);
                let label = entry & form.mark();
                return if label == form.mark() { Err(Ambiguous) } else { Ok(label as u8) };
            }
            at += 8;
        }
        Err(Ambiguous)
    }

    /// The number of bytes it holds.
    #[cfg(test)]
    fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes.len() as u64).sum()
    }
}

/// The home and the tag of a code among `slots` slots for all 64-bit numbers.
#[inline(always)]
const fn home(code: u64, slots: u64, form: Form) -> (u64, u64) {
    let place = code as u128 * slots as u128;
    ((place >> 64) as u64, place as u64 >> (64 - form.tag()))
}

impl Part {
    fn new<W: Word>(
        codes: &Codes,
        part_bits: u32,
        number: usize,
        level: &Level<'_>,
        labels: &Column<'_>,
        form: Form,
    ) -> Self {
        let range = level.range(part_bits, number);
        let slots = slots(range.end - range.start);
        let size = form.bytes();
        let mut bytes = Vec::with_capacity((slots + TAIL) as usize * size + 8);
        bytes.resize(slots as usize * size, 0);
        // An empty slot: no look-up meets it, unless it reads on to the end of a word after a slot with its tag.
        let empty = form.mark().to_le_bytes();
        bytes.chunks_exact_mut(size).for_each(|slot| slot.copy_from_slice(&empty[..size]));
        let (mut cursor, mut read, mut index) = (level.cursor(range.start), Vec::<W>::new(), range.start);
        let mut free = 0;
        loop {
            level.read(&mut cursor, range.end, AT_ONCE, &mut read);
            if read.is_empty() {
                break;
            }
            for &code in &read {
                let (home, tag) = home(code.topmost(codes.bits()) << part_bits, slots, form);
                let slot = free.max(home as usize);
                free = slot + 1;
                if bytes.len() < free * size {
                    bytes.resize(free * size, 0);
                }
                let same = |slot: usize| {
                    let mut entry = [0; 8];
                    entry[..size].copy_from_slice(&bytes[slot * size..(slot + 1) * size]);
                    u64::from_le_bytes(entry) >> form.label == tag
                };
                // A look-up would end before the slot: whoever comes to that slot must look into the keys.
                if let Some(other) = (home as usize..slot).find(|&slot| same(slot)) {
                    bytes[other * size] |= form.mark() as u8;
                }
                let label = labels.number(index).unwrap_or_default();
                let entry = (tag << form.label | u64::from(label)).to_le_bytes();
                bytes[slot * size..free * size].copy_from_slice(&entry[..size]);
                index += 1;
            }
        }
        bytes.extend([0; 8]);
        Self { slots, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reachable::{Levels, append_keys};
    use crate::rules::{Rules, RulesSpec};
    use proptest::prelude::*;

    /// Looks every code of a level up; the share of those that the tags could not tell.
    fn ambiguous<W: Word>(rules: &Rules, codes: &[W], width: Width, draw: &mut fastrand::Rng) -> f64 {
        let all = Codes::of(rules);
        let most = if width == Width::Eight { 250 } else { width.bits() as u8 };
        let numbers: Vec<u8> = codes.iter().map(|_| draw.u8(..=most)).collect();
        let mut column = vec![0; (codes.len() * width.bits() as usize).div_ceil(8)];
        for (index, number) in numbers.iter().enumerate() {
            let bit = index * width.bits() as usize;
            column[bit / 8] |= number << (bit % 8);
        }
        let mut keys = Vec::new();
        append_keys(&mut keys, &all, &[codes.to_vec()]).unwrap();
        let size = crate::reachable::LevelSize { filled: 1, count: codes.len() as u64 };
        let levels = Levels::new(rules, &[size]).unwrap();
        let labels = levels.standalone_column(0, width, &column);
        let tags = Tags::new::<W>(&all, &levels.level(0, &keys).unwrap(), &labels, width);
        assert!(tags.bytes() <= tag_bytes(width, size.count));
        let mut strange = 0;
        for (&code, &number) in codes.iter().zip(&numbers) {
            let place = tags.place(code);
            tags.touch(place);
            match tags.number(place) {
                Ok(found) => assert_eq!(found, number),
                Err(Ambiguous) => strange += 1,
            }
        }
        f64::from(strange) / codes.len() as f64
    }

    fn random<W: Word>(bits: u32, count: usize, draw: &mut fastrand::Rng) -> Vec<W> {
        let mut codes: Vec<W> = (0..count).map(|_| W::of(draw.u128(..1 << bits))).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    proptest! {
        #[test]
        fn a_label_is_that_of_its_code(seed: u64, cells in 1u32..=64, modes in 1usize..4, size in 0u32..15, width in 0usize..3) {
            let mut draw = fastrand::Rng::with_seed(seed);
            let modes = (0..modes).map(|mode| mode.to_string()).collect();
            let rules = RulesSpec { modes, ..RulesSpec::new("r", cells) }.build().unwrap();
            let (bits, width) = (Codes::of(&rules).bits(), [Width::One, Width::Two, Width::Eight][width]);
            match bits {
                ..=32 => ambiguous(&rules, &random::<u32>(bits, 1 << size, &mut draw), width, &mut draw),
                33..=64 => ambiguous(&rules, &random::<u64>(bits, 1 << size, &mut draw), width, &mut draw),
                _ => ambiguous(&rules, &random::<u128>(bits, 1 << size, &mut draw), width, &mut draw),
            };
        }
    }

    #[test]
    fn few_labels_are_ambiguous() {
        let mut draw = fastrand::Rng::with_seed(5);
        let rules = RulesSpec::new("r", 50).build().unwrap();
        let codes = random::<u64>(50, 300_000, &mut draw);
        let share = ambiguous(&rules, &codes, Width::Two, &mut draw);
        assert!(share > 0.0 && share < 0.002, "{share}");
        assert!(ambiguous(&rules, &codes, Width::Eight, &mut draw) < 1e-5);
        // Codes side by side: the worst that there are.
        let near: Vec<u64> = (0..5000).collect();
        ambiguous(&rules, &near, Width::One, &mut draw);
    }
}
