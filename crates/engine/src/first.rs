//! The first position with a given code of a one-byte label.
//!
//! The layout of a dense table scatters neighbouring boards, so the first board can be anywhere. Bit planes are read in
//! chunks of consecutive indices, the chunk with the smallest board first. A chunk is skipped if an earlier board is
//! known, or if it does not contain the code; finding that out is as fast as reading memory. Within a chunk that has
//! the code, boards are tried in order.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{EngineError, OpenTable};
use tablegen_index::compressed::{BlockFault, Bytes};
use tablegen_index::contents::{Coloured, Contents, Dense, LabelFault, Sparse};
use tablegen_index::plane::Layout;
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelKind;
use tablegen_rules::{Board, Mode, Position};
use tablegen_tables::table::TableFault;

/// Labels of a chunk, as a power of two: a chunk stays in the second-level cache while it is searched.
const CHUNK: u32 = 16;
/// Most chunks of a bit plane, as a power of two: their list takes little memory.
const CHUNKS: u32 = 20;

/// For each of `codes`, the first position that has it as its label of `kind`. Only reachable positions count if the
/// table records them. Boards that are not positions of the game are chosen only if there are no others. `None` if no
/// position has the code.
///
/// # Errors
/// If the table is damaged where it is read.
pub(super) fn first_with(
    open: &OpenTable,
    kind: LabelKind,
    codes: &[u8],
) -> Result<Vec<Option<Position>>, EngineError> {
    let is_proper = |position| is_position(open, position);
    let found = match open.table.contents() {
        Contents::Dense(dense) if dense.fold().is_none() => in_planes(dense, kind, codes, &is_proper),
        Contents::Sparse(sparse) => in_column(sparse, kind, codes, &is_proper),
        Contents::Coloured(coloured) => in_colourings(coloured, kind, codes, &is_proper),
        Contents::Dense(folded) => in_slices(folded, kind, codes, &is_proper),
    };
    found.map_err(|fault| EngineError::damaged(&open.table, TableFault::Labels(fault)))
}

/// True if `position` is a position of the game, and not just of its rules.
pub(super) fn is_position(open: &OpenTable, position: Position) -> bool {
    open.game.of_number("", Some(position.mode), position.board).is_ok()
}

/// The smallest keys with a code: one key for positions of the game, one for other boards.
struct Smallest {
    code: u8,
    proper: AtomicU64,
    other: AtomicU64,
}

impl Smallest {
    const fn new(code: u8) -> Self {
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

/// Searches a dense table. Keys order positions by board number, then by mode.
fn in_planes(
    dense: Dense<'_>,
    kind: LabelKind,
    codes: &[u8],
    is_proper: &(impl Fn(Position) -> bool + Sync),
) -> Result<Vec<Option<Position>>, LabelFault> {
    let Some(bytes) = dense.bytes().of(kind) else { return Ok(vec![None; codes.len()]) };
    let (layout, modes) = (dense.layout(), u64::from(dense.planes().shape().modes()));
    let key = |position: Position| position.board.low_word() * modes + u64::from(position.mode.0);
    let bits = chunk_bits(layout.cells());
    let order = boards_of_a_chunk(layout, bits);
    let bases = (0..1u64 << (layout.cells() - bits)).map(|chunk| chunk << bits);
    let mut chunks: Vec<(Position, u64)> = (0..modes as u16)
        .flat_map(|mode| bases.clone().map(move |base| (Position::new(Mode(mode), layout.board(base)), base)))
        .collect();
    chunks.par_sort_unstable_by_key(|&(first, _)| key(first));
    let is_counted = |mode, index| dense.reach().map_or(Ok(true), |reach| reach.marks().plane(mode, false).bit(index));
    let smallest: Vec<Smallest> = codes.iter().copied().map(Smallest::new).collect();
    chunks.into_par_iter().try_for_each(|(first, base)| {
        if !smallest.iter().any(|smallest| smallest.is_open(key(first))) {
            return Ok(());
        }
        let start = dense.index_at(first.mode, base);
        let labels = bytes.range(start..start + (1 << bits))?;
        for smallest in smallest.iter().filter(|smallest| smallest.is_open(key(first))) {
            if !contains(&labels, smallest.code) {
                continue;
            }
            for &(board, offset) in &order {
                if labels[offset as usize] == smallest.code && is_counted(first.mode, base + u64::from(offset))? {
                    let position = Position::new(first.mode, first.board | Board::from_word(board));
                    let is_proper = is_proper(position);
                    smallest.take(key(position), is_proper);
                    if is_proper || !smallest.is_open(key(position)) {
                        break;
                    }
                }
            }
        }
        Ok::<(), LabelFault>(())
    })?;
    Ok(smallest.into_iter().map(|smallest| smallest.key().map(|key| dense.unrank(key))).collect())
}

/// The number of low index bits that vary within a chunk.
fn chunk_bits(cells: u32) -> u32 {
    CHUNK.max(cells.saturating_sub(CHUNKS)).min(cells)
}

/// The boards of the first chunk with their offsets in it, sorted by board number.
fn boards_of_a_chunk(layout: &Layout, bits: u32) -> Vec<(u64, u32)> {
    let mut order: Vec<(u64, u32)> =
        (0..1 << bits).map(|offset| (layout.board(offset.into()).low_word(), offset)).collect();
    order.sort_unstable();
    order
}

/// Searches a sparse table. Keys are ranks.
fn in_column(
    sparse: Sparse<'_>,
    kind: LabelKind,
    codes: &[u8],
    is_proper: &(impl Fn(Position) -> bool + Sync),
) -> Result<Vec<Option<Position>>, LabelFault> {
    let Some(bytes) = sparse.bytes().of(kind) else { return Ok(vec![None; codes.len()]) };
    let smallest: Vec<Smallest> = codes.iter().copied().map(Smallest::new).collect();
    bytes.par_pieces(1 << CHUNK).enumerate().try_for_each(|(chunk, labels)| {
        let first = (chunk as u64) << CHUNK;
        if !smallest.iter().any(|smallest| smallest.is_open(first)) {
            return Ok(());
        }
        let labels = labels.all()?;
        for smallest in smallest.iter().filter(|smallest| smallest.is_open(first)) {
            if !contains(&labels, smallest.code) {
                continue;
            }
            let ranks =
                (first..).zip(labels.iter()).filter(|(_, label)| **label == smallest.code).map(|(rank, _)| rank);
            for rank in ranks.take_while(|&rank| smallest.is_open(rank)) {
                let is_proper = is_proper(sparse.unrank(rank)?);
                smallest.take(rank, is_proper);
                if is_proper {
                    break;
                }
            }
        }
        Ok::<(), LabelFault>(())
    })?;
    let ranks = smallest.into_iter().map(Smallest::key);
    ranks.map(|rank| rank.map(|rank| sparse.unrank(rank)).transpose()).collect()
}

/// Searches a two-colour table for reachable positions. Keys are bit numbers in the order of the frame without
/// symmetry.
fn in_colourings(
    coloured: Coloured<'_>,
    kind: LabelKind,
    codes: &[u8],
    is_proper: &(impl Fn(Position) -> bool + Sync),
) -> Result<Vec<Option<Position>>, LabelFault> {
    let Some(bytes) = coloured.bytes().of(kind) else { return Ok(vec![None; codes.len()]) };
    let reached = coloured.reached();
    let smallest: Vec<Smallest> = codes.iter().copied().map(Smallest::new).collect();
    let (frame, every) = (coloured.frame(), coloured.frame().every());
    let position = |bit| every.place_at(bit).and_then(|place| every.position(place));
    if let Some(fold) = frame.fold() {
        let stored = |bit| frame.place_at(bit).and_then(|place| frame.position(place));
        let at = |position| frame.place(position).map(|place| frame.bit(place));
        let key = |position| every.place(position).map_or(u64::MAX, |place| every.bit(place));
        let images = Images { group: fold.group(), stored: &stored, at: &at, key: &key, least: &|_| 0 };
        images.search(bytes, &smallest, |position| coloured.is_reached(position), is_proper)?;
        return Ok(smallest.into_iter().map(|smallest| smallest.key().and_then(position)).collect());
    }
    let pieces = bytes.par_pieces(1 << CHUNK).zip(reached.par_pieces((1 << CHUNK) / 8));
    pieces.enumerate().try_for_each(|(chunk, (labels, reached))| {
        let first = (chunk as u64) << CHUNK;
        if !smallest.iter().any(|smallest| smallest.is_open(first)) {
            return Ok(());
        }
        let (labels, reached) = (labels.all()?, reached.all()?);
        for smallest in smallest.iter().filter(|smallest| smallest.is_open(first)) {
            if !contains(&labels, smallest.code) {
                continue;
            }
            let is_reached = |at: usize| reached[at / 8] >> (at % 8) & 1 == 1;
            let found = labels.iter().enumerate().filter(|&(at, &code)| code == smallest.code && is_reached(at));
            for (bit, position) in found.filter_map(|(at, _)| Some((first + at as u64, position(first + at as u64)?))) {
                if !smallest.is_open(bit) {
                    break;
                }
                let is_proper = is_proper(position);
                smallest.take(bit, is_proper);
                if is_proper {
                    break;
                }
            }
        }
        Ok::<(), LabelFault>(())
    })?;
    Ok(smallest.into_iter().map(|smallest| smallest.key().and_then(position)).collect())
}

/// Searches a dense table with symmetry, including all images of the stored positions. Keys order positions by board
/// number, then by mode.
fn in_slices(
    folded: Dense<'_>,
    kind: LabelKind,
    codes: &[u8],
    is_proper: &(impl Fn(Position) -> bool + Sync),
) -> Result<Vec<Option<Position>>, LabelFault> {
    let Some(bytes) = folded.bytes().of(kind) else { return Ok(vec![None; codes.len()]) };
    let Some(fold) = folded.fold() else { return Ok(vec![None; codes.len()]) };
    let modes = u64::from(folded.planes().shape().modes());
    let key = |position: Position| position.board.low_word() * modes + u64::from(position.mode.0);
    let plane = bytes.len() as u64 / modes;
    let smallest: Vec<Smallest> = codes.iter().copied().map(Smallest::new).collect();
    let stored = |at| Some(fold.position(Mode((at / plane) as u16), at % plane));
    let at = |position| {
        let (mode, index) = fold.place(position);
        Some(u64::from(mode.0) * plane + index)
    };
    // An image has as many filled cells in each class of cells. At the least, these are the lowest cells of the class.
    let cells: Vec<Board> = fold.group().orbits_of_cells(fold.cells()).into_iter().map(cells_of).collect();
    let least = |position: Position| {
        let filled = |&class: &Board| lowest(class, (position.board & class).count());
        key(Position::of(cells.iter().map(filled).collect()))
    };
    let images = Images { group: fold.group(), stored: &stored, at: &at, key: &key, least: &least };
    images.search(bytes, &smallest, |position| folded.is_counted(position), is_proper)?;
    Ok(smallest.into_iter().map(|smallest| smallest.key().map(|key| folded.unrank(key))).collect())
}

/// The board with these cells filled.
fn cells_of(bits: Vec<usize>) -> Board {
    bits.into_iter().map(|bit| Board::bit(bit as u32)).collect()
}

/// The `count` lowest cells of `board`.
fn lowest(board: Board, count: u32) -> Board {
    board.bits().take(count as usize).map(Board::bit).collect()
}

/// A search among all images of stored positions under symmetry.
///
/// A class may have millions of positions, so it is listed only where that may find a smaller key: if its positions count, from
/// one of the places where it is stored, and if the lower bound of its keys is below the smallest key so far.
struct Images<'a, S, A, K> {
    group: &'a Group,
    /// Returns the position whose label is stored at a place, if there is one.
    stored: &'a S,
    /// Returns the place where the label of a position is stored, if it has a label.
    at: &'a A,
    key: &'a K,
    /// Returns a lower bound of the keys of all images of a position.
    least: &'a (dyn Fn(Position) -> u64 + Sync),
}

impl<S, A, K> Images<'_, S, A, K>
where
    S: Fn(u64) -> Option<Position> + Sync,
    A: Fn(Position) -> Option<u64> + Sync,
    K: Fn(Position) -> u64 + Sync,
{
    /// Finds the smallest keys among the images of stored positions whose labels in `bytes` have the codes. The positions of a class
    /// have one label, and all of them count or none does.
    fn search(
        &self,
        bytes: Bytes<'_>,
        smallest: &[Smallest],
        is_counted: impl Fn(Position) -> Result<bool, BlockFault> + Sync,
        is_proper: &(impl Fn(Position) -> bool + Sync),
    ) -> Result<(), LabelFault> {
        bytes.par_pieces(1 << CHUNK).enumerate().try_for_each(|(chunk, labels)| {
            let labels = labels.all()?;
            for smallest in smallest.iter().filter(|smallest| contains(&labels, smallest.code)) {
                let first = (chunk as u64) << CHUNK;
                let found = (first..).zip(labels.iter()).filter(|(_, label)| **label == smallest.code);
                for (at, _) in found {
                    let Some(stored) = (self.stored)(at) else { continue };
                    if !smallest.is_open((self.least)(stored)) || !is_counted(stored)? {
                        continue;
                    }
                    // A slice is stored whole, so a class may be stored several times.
                    if (self.at)(self.group.representative(stored)) != Some(at) {
                        continue;
                    }
                    // The smallest image comes first. The others matter only if it is not a position of the game.
                    let mut images: Vec<(u64, Position)> =
                        self.group.images(stored).into_iter().map(|image| ((self.key)(image), image)).collect();
                    images.sort_unstable();
                    for (key, position) in images.into_iter().take_while(|&(key, _)| smallest.is_open(key)) {
                        let is_proper = is_proper(position);
                        smallest.take(key, is_proper);
                        if is_proper {
                            break;
                        }
                    }
                }
            }
            Ok::<(), LabelFault>(())
        })
    }
}

/// True if `code` is one of `labels`. Whole blocks are compared, which the compiler can vectorise.
fn contains(labels: &[u8], code: u8) -> bool {
    const BLOCK: usize = 256;
    let (blocks, rest) = labels.as_chunks::<BLOCK>();
    let has = |labels: &[u8]| labels.iter().fold(0, |found, &label| found | u8::from(label == code)) != 0;
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
                labels[at] = 7;
            }
        }
    }

    #[test]
    fn boards_of_a_chunk_match_their_indices() {
        let layout = Layout::new(vec![3, 0, 4, 1, 2]).expect("a permutation");
        let order = boards_of_a_chunk(&layout, 3);
        assert!(order.is_sorted() && order.len() == 8);
        assert!(order.iter().all(|&(board, offset)| layout.index(Board::from_word(board)) == u64::from(offset)));
        assert_eq!([5, 16, 36, 40].map(chunk_bits), [5, 16, 16, 20]);
    }
}
