//! The first position with a given label.
//!
//! The layout of a dense table scatters neighbouring boards, so the first board can be anywhere. Labels are read in chunks, the
//! chunk that may have the smallest board first. A chunk is skipped if an earlier position is known, or if it does not contain the
//! code, a byte or a word of two; finding that out is as fast as reading memory.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Contents, LabelFault};
use crate::compressed::{BlockFault, Bytes};
use crate::label::{Label, LabelKind, Width};
use crate::rules::{Board, Mode, Outcome, Position};
use crate::symmetry::Group;
use tablegen_labels::with_byte_label;

/// Labels of a chunk, as a power of two: a chunk stays in the second-level cache while it is searched.
const CHUNK: u32 = 16;
/// Most chunks, as a power of two: their list takes little memory.
const CHUNKS: u32 = 20;

/// The smallest keys with a code: one key for positions of the game, one for other boards.
struct Smallest<C> {
    code: C,
    proper: AtomicU64,
    other: AtomicU64,
}

impl<C> Smallest<C> {
    const fn new(code: C) -> Self {
        Self { code, proper: AtomicU64::new(u64::MAX), other: AtomicU64::new(u64::MAX) }
    }

    /// True if a position with `key` would be smaller than the smallest found so far.
    fn is_open(&self, key: u64) -> bool {
        key < self.proper.load(Ordering::Relaxed)
    }

    fn take(&self, key: u64, is_proper: bool) {
        let smallest = if is_proper { &self.proper } else { &self.other };
        smallest.fetch_min(key, Ordering::Relaxed);
    }

    fn key(self) -> Option<u64> {
        let found = [self.proper.into_inner(), self.other.into_inner()];
        found.into_iter().find(|&key| key != u64::MAX)
    }
}

/// Positions in the order in which the first is looked for: dense tables by board number, then by mode; two-colour tables by bit
/// number in the frame without symmetry; sparse tables by rank.
struct Keys<'a> {
    contents: Contents<'a>,
    /// The symmetries whose images are looked at. The positions of a class have one label, and all of them count or none does.
    group: &'a Group,
    /// The cells of each class, in a dense table up to symmetry.
    classes: Vec<Board>,
}

impl<'a> Keys<'a> {
    fn new(contents: Contents<'a>) -> Self {
        let cells_of = |bits: Vec<usize>| bits.into_iter().map(|bit| Board::bit(bit as u32)).collect();
        let (group, classes) = match contents {
            Contents::Dense(dense) => match dense.fold() {
                None => (Group::trivial(), Vec::new()),
                Some(fold) => {
                    let classes = fold.group().orbits_of_cells(fold.cells());
                    (fold.group(), classes.into_iter().map(cells_of).collect())
                }
            },
            Contents::Coloured(coloured) => {
                (coloured.frame().fold().map_or(Group::trivial(), |fold| fold.group()), Vec::new())
            }
            Contents::Sparse(_) | Contents::Regions(_) => (Group::trivial(), Vec::new()),
        };
        Self { contents, group, classes }
    }

    /// The key of `position`, whose label is stored at `index` or is that of an image.
    fn key(&self, index: usize, position: Position) -> u64 {
        match self.contents {
            Contents::Dense(dense) => {
                position.board.low_word() * u64::from(dense.planes().shape().modes()) + u64::from(position.mode.0)
            }
            Contents::Coloured(coloured) => {
                let every = coloured.frame().every();
                every.place(position).map_or(u64::MAX, |place| every.bit(place))
            }
            Contents::Sparse(_) | Contents::Regions(_) => index as u64,
        }
    }

    /// The position with a key.
    fn position(&self, key: u64) -> Result<Option<Position>, LabelFault> {
        match self.contents {
            Contents::Coloured(coloured) => {
                let every = coloured.frame().every();
                Ok(every.place_at(key).and_then(|place| every.position(place)))
            }
            contents => contents.unrank(key).map(Some),
        }
    }

    /// A lower bound of the keys of the positions whose labels are stored at `index`, and at the rest of the chunk that begins there.
    fn least_at(&self, index: usize) -> u64 {
        match self.contents {
            Contents::Dense(dense) if dense.fold().is_none() => {
                self.stored(index).ok().flatten().map_or(0, |position| self.key(index, position))
            }
            Contents::Coloured(coloured) if coloured.frame().fold().is_none() => index as u64,
            Contents::Sparse(_) | Contents::Regions(_) => index as u64,
            Contents::Dense(_) | Contents::Coloured(_) => 0,
        }
    }

    /// A lower bound of the keys of all images of `position`. An image has as many filled cells in each class of cells. At the least,
    /// these are the lowest cells of the class.
    fn least_image(&self, position: Position) -> u64 {
        if self.classes.is_empty() {
            return 0;
        }
        let lowest = |class: &Board| {
            let filled = (position.board & *class).count();
            class.bits().take(filled as usize).map(Board::bit).collect::<Board>()
        };
        self.key(0, Position::of(self.classes.iter().map(lowest).collect()))
    }

    /// The position whose label is stored at `index`; `None` if there is none.
    fn stored(&self, index: usize) -> Result<Option<Position>, LabelFault> {
        match self.contents {
            Contents::Dense(dense) => {
                let plane = dense.index_at(Mode(1), 0);
                let (mode, index) = (Mode((index / plane) as u16), (index % plane) as u64);
                Ok((index < dense.planes().positions()).then(|| dense.position(mode, index)))
            }
            Contents::Coloured(coloured) => {
                let frame = coloured.frame();
                Ok(frame.place_at(index as u64).and_then(|place| frame.position(place)))
            }
            Contents::Sparse(sparse) => sparse.unrank(index as u64).map(Some),
            Contents::Regions(regions) => regions.position(index as u64).map(Some),
        }
    }

    /// True if the position whose label is stored at `index` counts.
    fn counts(&self, index: usize) -> Result<bool, BlockFault> {
        match self.contents {
            Contents::Dense(dense) => {
                let Some(reach) = dense.reach() else { return Ok(true) };
                let plane = dense.index_at(Mode(1), 0);
                reach.marks().plane(Mode((index / plane) as u16), false).bit((index % plane) as u64)
            }
            Contents::Coloured(coloured) => coloured.reached().bit(index as u64),
            Contents::Sparse(_) | Contents::Regions(_) => Ok(true),
        }
    }

    /// The images of `stored`, whose label is stored at `index`, with their keys in order. A class may be stored several times, because
    /// slices are stored whole; only one of the places has images.
    fn images(&self, index: usize, stored: Position) -> Result<Vec<(u64, Position)>, LabelFault> {
        if self.group.is_trivial() {
            return Ok(vec![(self.key(index, stored), stored)]);
        }
        if self.contents.index(self.group.representative(stored))? != Some(index) {
            return Ok(Vec::new());
        }
        let images = self.group.images(stored).into_iter();
        let mut images: Vec<(u64, Position)> = images.map(|image| (self.key(index, image), image)).collect();
        images.sort_unstable();
        Ok(images)
    }
}

impl Contents<'_> {
    /// For each of `places`, the first position whose label of `kind` has that [place](crate::label::Label::place): the code, if labels have one byte.
    /// Only positions that [count](Self::is_counted) are taken, and positions that `is_proper` refuses only if there are no others. `None`
    /// if no position has the label.
    ///
    /// # Errors
    /// If bytes are damaged where they are read.
    pub fn first_with(
        &self,
        kind: LabelKind,
        places: &[usize],
        is_proper: impl Fn(Position) -> bool + Sync,
    ) -> Result<Vec<Option<Position>>, LabelFault> {
        let Some(bytes) = self.bytes().of(kind) else { return Ok(vec![None; places.len()]) };
        if let Contents::Regions(regions) = self {
            let images = |number| Ok(regions.regions().images(number));
            let outcome = |number| regions.outcome_at(number);
            return places.iter().map(|&place| self.first_at((kind, place), &outcome, &images, &is_proper)).collect();
        }
        let code = |&place: &usize| match self.bytes().width(kind) {
            Width::Sixteen => {
                with_byte_label!(kind, L => Some(L::at_place(place, Width::Sixteen)?.code(Width::Sixteen)))
            }
            // A label of one byte has the code as its place.
            _ => u16::try_from(place).ok(),
        };
        // No label has the code 0 in two bytes.
        let codes = places.iter().map(|place| code(place).unwrap_or_default());
        match self.bytes().width(kind) {
            Width::Sixteen => self.first_of(bytes, codes.map(u16::to_le_bytes).collect(), is_proper),
            _ => self.first_of(bytes, codes.map(|code| [code as u8]).collect(), is_proper),
        }
    }

    /// For each of `codes`, the first position whose label in `labels` has it.
    fn first_of<const BYTES: usize>(
        &self,
        labels: Bytes<'_>,
        codes: Vec<[u8; BYTES]>,
        is_proper: impl Fn(Position) -> bool + Sync,
    ) -> Result<Vec<Option<Position>>, LabelFault> {
        let count = labels.len() / BYTES;
        let (keys, chunk) = (Keys::new(*self), 1 << chunk_bits(count));
        let smallest: Vec<Smallest<_>> = codes.into_iter().map(Smallest::new).collect();
        let chunks = (0..count).step_by(chunk).map(|start| (keys.least_at(start), start));
        let mut chunks: Vec<(u64, usize)> = chunks.collect();
        chunks.par_sort_unstable();
        chunks.into_par_iter().try_for_each(|(least, start)| {
            if !smallest.iter().any(|smallest| smallest.is_open(least)) {
                return Ok(());
            }
            let labels = labels.range(start * BYTES..count.min(start + chunk) * BYTES)?;
            let labels = labels.as_chunks().0;
            for smallest in smallest.iter().filter(|smallest| smallest.is_open(least)) {
                if contains(labels, smallest.code) {
                    keys.search(smallest, start, labels, &is_proper)?;
                }
            }
            Ok::<(), LabelFault>(())
        })?;
        let keys_found = smallest.into_iter().map(Smallest::key);
        keys_found.map(|key| key.map_or(Ok(None), |key| keys.position(key))).collect()
    }
}

impl Keys<'_> {
    /// Finds the smallest keys among the positions whose labels, stored from `start` on, have the code.
    fn search<C: Copy + Eq>(
        &self,
        smallest: &Smallest<C>,
        start: usize,
        labels: &[C],
        is_proper: &(impl Fn(Position) -> bool + Sync),
    ) -> Result<(), LabelFault> {
        let found = (start..).zip(labels).filter(|(_, label)| **label == smallest.code);
        for index in found.map(|(index, _)| index) {
            if !smallest.is_open(self.least_at(index)) || !self.counts(index)? {
                continue;
            }
            // A class may have millions of positions, so it is listed only where that may find a smaller key.
            let stored = self.stored(index)?.filter(|&stored| smallest.is_open(self.least_image(stored)));
            let Some(stored) = stored else { continue };
            // The smallest image comes first. The others matter only if it is not a position of the game.
            for (key, position) in self.images(index, stored)? {
                if !smallest.is_open(key) {
                    break;
                }
                let is_proper = is_proper(position);
                smallest.take(key, is_proper);
                if is_proper {
                    break;
                }
            }
        }
        Ok(())
    }
}

impl Contents<'_> {
    /// The first position, by number, whose label of a kind has a place, in a table by regions. `outcome` returns the outcome at a number,
    /// which remoteness of 16 bits needs, and `positions` the positions that have the labels there. A position that `is_proper` refuses is taken only if there is no
    /// other.
    fn first_at(
        &self,
        (kind, place): (LabelKind, usize),
        outcome: &(impl Fn(u64) -> Result<Outcome, LabelFault> + Sync),
        positions: &(impl Fn(u64) -> Result<Vec<Position>, LabelFault> + Sync),
        is_proper: &(impl Fn(Position) -> bool + Sync),
    ) -> Result<Option<Position>, LabelFault> {
        const RANKS: u64 = 1 << CHUNK;
        let bytes = self.bytes();
        let with_place = |rank: u64, takes: &(dyn Fn(Position) -> bool + Sync)| {
            let Some(number) = bytes.number(kind, rank as usize)? else { return Ok(None) };
            if bytes.place_of(kind, number, outcome(rank)?) != Some(place) {
                return Ok(None);
            }
            Ok::<_, LabelFault>(positions(rank)?.into_iter().find(|&position| takes(position)))
        };
        let first = |takes: &(dyn Fn(Position) -> bool + Sync)| {
            let of_chunk = |chunk: u64| {
                let mut ranks = chunk * RANKS..self.count().min((chunk + 1) * RANKS);
                ranks.find_map(|rank| with_place(rank, takes).transpose())
            };
            (0..self.count().div_ceil(RANKS)).into_par_iter().find_map_first(of_chunk).transpose()
        };
        match first(is_proper)? {
            Some(position) => Ok(Some(position)),
            None => first(&|_| true),
        }
    }
}

/// The labels of a chunk of `count` labels, as a power of two.
const fn chunk_bits(count: usize) -> u32 {
    let few = count.next_power_of_two().trailing_zeros().saturating_sub(CHUNKS);
    if few > CHUNK { few } else { CHUNK }
}

/// True if `code` is one of `labels`. Whole blocks are compared, which the compiler can vectorise.
fn contains<C: Copy + Eq>(labels: &[C], code: C) -> bool {
    const BLOCK: usize = 256;
    let (blocks, rest) = labels.as_chunks::<BLOCK>();
    let has = |labels: &[C]| labels.iter().fold(0, |found, &label| found | u8::from(label == code)) != 0;
    blocks.iter().any(|block| has(block)) || has(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_wherever_it_is() {
        for length in [0, 1, 255, 256, 257, 1000] {
            let mut labels = vec![7u8; length];
            assert!(!contains(&labels, 9));
            for at in [0, 1, 254, 255, 256, 999].into_iter().filter(|&at| at < length) {
                labels[at] = 9;
                assert!(contains(&labels, 9), "{at} of {length}");
                let words: Vec<[u8; 2]> = labels.iter().map(|&label| [0, label]).collect();
                assert!(contains(&words, [0, 9]) && !contains(&words, [9, 0]), "{at} of {length}");
                labels[at] = 7;
            }
        }
    }

    #[test]
    fn chunks_grow_with_the_table() {
        assert_eq!([1, 1 << 16, 1 << 36, (1 << 36) + 1, 1 << 38].map(chunk_bits), [16, 16, 16, 17, 18]);
    }
}
