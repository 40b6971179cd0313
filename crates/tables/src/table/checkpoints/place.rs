//! The layout of slices in the file of a table.

use std::io;
use std::ops::Range;

use rayon::prelude::*;

use crate::compressed::{CompressedBlock, Compression, compress, decompress};
use crate::solve::PlaneKind;
use crate::table::order::BlockOrder;
use crate::table::section::{BLOCK, Section};

/// The layout of one plane kind: its section, cut into slices.
///
/// When blocks are compressed, a block belongs to the slice whose sweep completes it. If a boundary between slices lies
/// inside a block, the other slice stores its part of the block in a separate file, as its *edge*. The edge is needed
/// until the block is written, and when that slice alone is loaded.
#[derive(Clone, Debug)]
pub(super) struct SectionSlices {
    pub(super) plane_kind: PlaneKind,
    /// Offset of the section's first byte.
    start: u64,
    /// The number of bit planes.
    planes: u64,
    /// The offset in a bit plane at which each slice begins; last, the end of the last slice.
    starts: Vec<u64>,
    /// The compression of its blocks, if any.
    compression: Option<Compression>,
    /// The order of its blocks, which have [`BLOCK`] bytes if they are not compressed.
    order: BlockOrder,
    /// The offset in the file of edges at which the edges of each slice begin; last, the end of the last slice's edges.
    edges: Vec<u64>,
}

/// A range of bytes in one bit plane of a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlaneRange {
    rank: u64,
    plane: u64,
    /// The range, counted from the start of the whole bit plane.
    bytes: Range<u64>,
}

impl PlaneRange {
    const fn len(&self) -> usize {
        (self.bytes.end - self.bytes.start) as usize
    }
}

impl SectionSlices {
    /// The layout of `plane_kind` in `section`: `planes` bit planes, in each of which slices begin at `starts`. Its edges
    /// begin at offset `edge` of the file of edges.
    pub(super) fn new(
        plane_kind: PlaneKind,
        section: &Section,
        planes: u64,
        starts: Vec<u64>,
        compression: Option<Compression>,
        edge: u64,
    ) -> Self {
        let plane = starts.last().copied().unwrap_or(0);
        let block = compression.map_or(BLOCK, |compression| compression.block.into());
        let order =
            BlockOrder { planes, plane, bytes: section.bytes, ascends: plane_kind == PlaneKind::Reached, block };
        let mut place =
            Self { plane_kind, start: section.start, planes, starts, compression, order, edges: vec![edge] };
        for rank in 0..place.slices() {
            let bytes: usize =
                if compression.is_some() { place.edges_of(rank).iter().map(PlaneRange::len).sum() } else { 0 };
            place.edges.push(place.edges[rank as usize] + bytes as u64);
        }
        place
    }

    fn slices(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    /// The byte range of the slice of rank `rank` in each bit plane.
    fn cell(&self, rank: u64) -> Range<u64> {
        self.starts[rank as usize]..self.starts[rank as usize + 1]
    }

    /// The offset in the file of each bit plane of the slice of rank `rank`.
    pub(super) fn offsets(&self, rank: u64) -> impl Iterator<Item = u64> + use<> {
        let (first, plane) = (self.start + self.cell(rank).start, self.order.plane);
        (0..self.planes).map(move |number| first + number * plane)
    }

    /// Bytes of one bit plane of a slice.
    pub(super) fn plane_bytes(&self, rank: u64) -> usize {
        let cell = self.cell(rank);
        (cell.end - cell.start) as usize
    }

    /// Bytes of a slice.
    pub(super) fn bytes(&self, rank: u64) -> u64 {
        self.plane_bytes(rank) as u64 * self.planes
    }

    /// The bit planes of a slice, cut into units with one checksum each. Units are blocks of the section if slices
    /// begin at block boundaries.
    pub(super) fn units<'p>(&self, rank: u64, planes: &'p [u8]) -> impl Iterator<Item = &'p [u8]> {
        planes.chunks(self.plane_bytes(rank)).flat_map(|plane| plane.chunks(BLOCK as usize))
    }

    /// The number of units in one bit plane of a slice.
    pub(super) fn units_of_plane(&self, rank: u64) -> usize {
        self.plane_bytes(rank).div_ceil(BLOCK as usize)
    }

    /// True if the units of slices are the blocks of the section.
    pub(super) fn has_blocks(&self) -> bool {
        self.starts.iter().all(|start| start.is_multiple_of(BLOCK))
    }

    /// The number of bit planes.
    pub(super) const fn planes(&self) -> u64 {
        self.planes
    }

    /// The compression of its blocks, if any.
    pub(super) const fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// True if slices are compressed in the order of their ranks; false for the reverse order.
    pub(super) const fn ascends(&self) -> bool {
        self.order.ascends
    }

    /// The numbers in the section of the blocks that belong to the slice of rank `rank`, in the order in which they are
    /// compressed.
    pub(super) fn blocks(&self, rank: u64) -> Vec<u64> {
        self.order.within(self.cell(rank))
    }

    /// The parts of slices that make up block `number`, in order.
    fn parts(&self, number: u64) -> Vec<PlaneRange> {
        let range = self.order.range(number);
        let (mut at, mut parts) = (range.start, Vec::new());
        while at < range.end.min(self.planes * self.order.plane) {
            let (plane, place) = (at / self.order.plane, at % self.order.plane);
            let rank = self.starts.partition_point(|&start| start <= place) as u64 - 1;
            let end = self.cell(rank).end.min(place + range.end - at);
            parts.push(PlaneRange { rank, plane, bytes: place..end });
            at += end - place;
        }
        parts
    }

    /// The parts of the slice of rank `rank` that lie in blocks of other slices.
    fn edges_of(&self, rank: u64) -> Vec<PlaneRange> {
        let (cell, block) = (self.cell(rank), self.order.block);
        let mut edges = Vec::new();
        for plane in 0..self.planes {
            let (first, end) = (plane * self.order.plane + cell.start, plane * self.order.plane + cell.end);
            // Only the first and the last block of a bit plane can be shared.
            let mut ends = vec![first / block, (end - 1) / block];
            ends.dedup();
            for number in ends {
                if !cell.contains(&self.order.key(number)) {
                    let range = self.order.range(number);
                    let bytes = range.start.max(first) - first + cell.start..range.end.min(end) - first + cell.start;
                    edges.push(PlaneRange { rank, plane, bytes });
                }
            }
        }
        edges
    }

    /// The range of a slice's edges in the file of edges.
    pub(super) fn edge_range(&self, rank: u64) -> Range<u64> {
        self.edges[rank as usize]..self.edges[rank as usize + 1]
    }

    /// The end of the last slice's edges in the file of edges.
    pub(super) fn edges_end(&self) -> u64 {
        self.edges.last().copied().unwrap_or(0)
    }

    /// The range of `part` in the bit planes of its slice.
    fn within(&self, part: &PlaneRange) -> Range<usize> {
        let cell = self.cell(part.rank);
        let first = part.plane as usize * self.plane_bytes(part.rank) + (part.bytes.start - cell.start) as usize;
        first..first + part.len()
    }

    /// Copies the edges of a slice, one after the other, from its bit planes.
    pub(super) fn take_edges(&self, rank: u64, planes: &[u8]) -> Vec<u8> {
        let edges: Vec<&[u8]> = self.edges_of(rank).iter().map(|edge| &planes[self.within(edge)]).collect();
        edges.concat()
    }

    /// Compresses the blocks of a slice, on all cores of the current rayon pool; `edges` returns the edges of another
    /// slice.
    pub(super) fn compress(
        &self,
        rank: u64,
        planes: &[u8],
        compression: Compression,
        edges: impl Fn(u64) -> io::Result<Vec<u8>> + Sync,
    ) -> io::Result<Vec<CompressedBlock>> {
        let of_block = |number: u64| {
            let parts = self.parts(number);
            let range = self.order.range(number);
            let mut raw = Vec::new();
            let whole = match parts.as_slice() {
                [only] if only.rank == rank && only.len() as u64 == range.end - range.start => {
                    &planes[self.within(only)]
                }
                parts => {
                    for part in parts {
                        if part.rank == rank {
                            raw.extend(&planes[self.within(part)]);
                        } else {
                            self.extend_from_edges(&mut raw, part, &edges(part.rank)?);
                        }
                    }
                    // Padding behind the last bit plane.
                    raw.resize((range.end - range.start) as usize, 0);
                    raw.as_slice()
                }
            };
            Ok(compress(whole, compression.level))
        };
        self.blocks(rank).into_par_iter().map(of_block).collect()
    }

    /// Appends the bytes of `part` to `raw`, taken from the edges of its slice.
    fn extend_from_edges(&self, raw: &mut Vec<u8>, part: &PlaneRange, edges: &[u8]) {
        let mut rest = edges;
        for edge in self.edges_of(part.rank) {
            let bytes = rest.split_off(..edge.len()).unwrap_or_default();
            if edge.plane == part.plane && edge.bytes.contains(&part.bytes.start) {
                let first = (part.bytes.start - edge.bytes.start) as usize;
                raw.extend(&bytes[first..first + part.len()]);
                return;
            }
        }
        unreachable!("a byte in a block of another slice is an edge")
    }

    /// Fills the bit planes of a slice: decompresses its blocks, which have these `lengths` in `bytes`, and copies its
    /// edges. It uses all cores of the current rayon pool. Returns `None` if the bytes are damaged.
    pub(super) fn decompress(
        &self,
        rank: u64,
        bytes: &[u8],
        lengths: &[u32],
        edges: &[u8],
        planes: &mut [u8],
    ) -> Option<()> {
        let numbers = self.blocks(rank);
        if numbers.len() != lengths.len() {
            return None;
        }
        // The bit planes from first byte to last, cut into edges and parts of blocks.
        let mut parts: Vec<(Range<usize>, PartSource<'_>)> = Vec::new();
        let mut rest = edges;
        for edge in self.edges_of(rank) {
            parts.push((self.within(&edge), PartSource::Edge(rest.split_off(..edge.len())?)));
        }
        let mut rest = bytes;
        for (&number, &length) in numbers.iter().zip(lengths) {
            let compressed = rest.split_off(..length as usize)?;
            let mut at = 0;
            for part in self.parts(number) {
                if part.rank == rank {
                    parts.push((self.within(&part), PartSource::Block { compressed, number, at }));
                }
                at += part.len();
            }
        }
        parts.sort_unstable_by_key(|(range, _)| range.start);
        let (mut work, mut left, mut end) = (Vec::with_capacity(parts.len()), planes, 0);
        for (range, source) in parts {
            debug_assert_eq!(range.start, end, "edges and blocks have every byte once");
            end = range.end;
            work.push((left.split_off_mut(..range.len())?, source));
        }
        work.into_par_iter().try_for_each(|(part, source)| match source {
            PartSource::Edge(edge) => {
                part.copy_from_slice(edge);
                Some(())
            }
            PartSource::Block { compressed, number, at } => {
                let range = self.order.range(number);
                let length = (range.end - range.start) as usize;
                if part.len() == length {
                    return decompress(compressed, part);
                }
                let mut raw = vec![0; length];
                decompress(compressed, &mut raw)?;
                part.copy_from_slice(&raw[at..at + part.len()]);
                Some(())
            }
        })
    }
}

/// The source of a part of a slice.
enum PartSource<'a> {
    Edge(&'a [u8]),
    /// The bytes of a block from byte `at` on.
    Block {
        compressed: &'a [u8],
        number: u64,
        at: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::{LabelKind, Width};
    use crate::table::section::{Content, Room};

    /// However a section is cut into slices, its blocks are compressed from the same bytes in the same order, and
    /// slices can be read back.
    #[test]
    fn slices_are_compressed_like_the_whole_section() {
        let mut random = fastrand::Rng::with_seed(3);
        for case in 0..200 {
            let (planes, plane) = (random.u64(1..4), random.u64(1..=300));
            let bytes = (planes * plane).next_multiple_of(8);
            let plane_kind = if case % 2 == 0 { PlaneKind::Reached } else { PlaneKind::Outcomes };
            let section =
                Section::new(Room { content: Content::Colourings(LabelKind::Outcome, Width::Two), bytes }, vec![]);
            let compression = Compression { block: 32, ..Compression::default() };
            let raw: Vec<u8> =
                (0..planes * plane).map(|_| random.u8(..4)).chain((planes * plane..bytes).map(|_| 0)).collect();
            let mut starts: Vec<u64> = (0..random.usize(..9)).map(|_| random.u64(..=plane)).chain([0, plane]).collect();
            starts.sort_unstable();
            starts.dedup();
            let place = SectionSlices::new(plane_kind, &section, planes, starts, Some(compression), 5);
            let own = |rank: u64| -> Vec<u8> {
                let of_plane = |number: u64| {
                    let cell = place.cell(rank);
                    &raw[(number * plane + cell.start) as usize..(number * plane + cell.end) as usize]
                };
                (0..planes).flat_map(of_plane).copied().collect()
            };
            let mut ranks: Vec<u64> = (0..place.slices()).collect();
            if !place.ascends() {
                ranks.reverse();
            }
            let mut finished = Vec::new();
            let (mut numbers, mut blocks) = (Vec::new(), Vec::new());
            for &rank in &ranks {
                let done: Vec<u64> = finished.clone();
                let edges = |other| {
                    assert!(done.contains(&other), "a slice with bytes in a block of {rank} is finished");
                    Ok(place.take_edges(other, &own(other)))
                };
                let compressed = place.compress(rank, &own(rank), compression, edges).unwrap();
                assert_eq!(place.edge_range(rank).count(), place.take_edges(rank, &own(rank)).len());
                let lengths: Vec<u32> = compressed.iter().map(|block| block.bytes.len() as u32).collect();
                let together: Vec<u8> = compressed.iter().flat_map(|block| &block.bytes).copied().collect();
                let mut back = vec![9; own(rank).len()];
                let edges = place.take_edges(rank, &own(rank));
                place.decompress(rank, &together, &lengths, &edges, &mut back).expect("what was packed");
                assert_eq!(back, own(rank));
                numbers.extend(place.blocks(rank));
                blocks.extend(compressed);
                finished.push(rank);
            }
            assert_eq!(numbers, place.order.all().collect::<Vec<u64>>());
            for (&number, block) in numbers.iter().zip(&blocks) {
                let range = place.order.range(number);
                assert_eq!(block, &compress(&raw[range.start as usize..range.end as usize], compression.level));
            }
        }
    }
}
