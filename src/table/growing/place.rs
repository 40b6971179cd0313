//! Where the bytes of a region lie in the file of a table.

use rayon::prelude::*;

use crate::packed::{PackedBlock, Packing, pack, unpack};
use crate::plane::Shape;
use crate::rules::Rules;
use crate::solve::{RegionPlan, Sheet};
use crate::table::section::{BLOCK, Section};

/// A sheet of the table that grows: its section, cut into regions.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) sheet: Sheet,
    /// Offset of the section's first byte.
    start: u64,
    /// Bytes of a plane of the whole board, and of a region.
    plane: u64,
    of_region: u64,
    /// The number of planes.
    planes: u64,
    /// How its blocks are packed, if they are.
    packing: Option<Packing>,
}

impl Place {
    /// The place in `section` of `sheet` of `rules`, which are solved by `plan`.
    pub(super) fn new(
        sheet: Sheet,
        section: &Section,
        rules: &Rules,
        plan: &RegionPlan,
        packing: Option<Packing>,
    ) -> Option<Self> {
        let shape: Shape = plan.shape(rules, sheet);
        let of_region = shape.plane_bytes()?;
        // One region is the whole board, whose planes may be padded.
        let plane = of_region.checked_mul(plan.regions())?;
        Some(Self { sheet, start: section.start, plane, of_region, planes: shape.planes(), packing })
    }

    /// For each plane of the region of rank `rank`, the offset of its first byte in the file.
    pub(super) fn offsets(&self, rank: u64) -> impl Iterator<Item = u64> + use<> {
        let Self { start, plane, of_region, .. } = *self;
        (0..self.planes).map(move |number| start + number * plane + rank * of_region)
    }

    /// Bytes of a plane of a region.
    pub(super) const fn plane_bytes(&self) -> usize {
        self.of_region as usize
    }

    /// Bytes of a region.
    pub(super) const fn bytes(&self) -> u64 {
        self.of_region * self.planes
    }

    /// Bytes that have one checksum: a block of the section, or a region's plane where that is less.
    pub(super) const fn unit(&self) -> usize {
        if self.of_region < BLOCK { self.of_region as usize } else { BLOCK as usize }
    }

    /// Whether the checksums of regions are those of the section's blocks.
    pub(super) const fn has_blocks(&self) -> bool {
        self.of_region >= BLOCK
    }

    /// How its blocks are packed, if they are.
    pub(super) const fn packing(&self) -> Option<Packing> {
        self.packing
    }

    /// Whether the numbers of its blocks rise in the order in which they are packed, as those of the regions do.
    pub(super) const fn ascends(&self) -> bool {
        matches!(self.sheet, Sheet::Reached)
    }

    /// Blocks of a plane of a region.
    fn blocks(&self, block: u32) -> usize {
        self.plane_bytes() / block as usize
    }

    /// The blocks of a region's planes in the order in which they are packed, counted through all planes of the region: those of all
    /// planes side by side.
    fn order(&self, block: u32) -> Vec<usize> {
        let (planes, blocks) = (self.planes as usize, self.blocks(block));
        let of_number = |number: usize| (0..planes).map(move |plane| plane * blocks + number);
        if self.ascends() {
            (0..blocks).flat_map(of_number).collect()
        } else {
            (0..blocks).rev().flat_map(of_number).collect()
        }
    }

    /// The numbers in the section of the blocks of the region of rank `rank`, in the order in which they are packed.
    pub(super) fn block_numbers(&self, rank: u64, block: u32) -> impl Iterator<Item = u64> {
        let (blocks, all) = (self.blocks(block), self.plane / u64::from(block));
        let order = self.order(block).into_iter();
        order.map(move |at| (at / blocks) as u64 * all + rank * blocks as u64 + (at % blocks) as u64)
    }

    /// Packs the planes of a region, on all cores of the current rayon pool: its blocks one after the other.
    pub(super) fn pack(&self, planes: &[u8], packing: Packing) -> Vec<PackedBlock> {
        let size = packing.block as usize;
        let order = self.order(packing.block);
        order.into_par_iter().map(|at| pack(&planes[at * size..(at + 1) * size], packing.level)).collect()
    }

    /// Unpacks `bytes`, the blocks of a region that have these lengths, into its planes, on all cores of the current rayon pool.
    /// `None` if they are not what was packed.
    pub(super) fn unpack(&self, bytes: &[u8], lengths: &[u32], block: u32, planes: &mut [u8]) -> Option<()> {
        let order = self.order(block);
        if order.len() != lengths.len() {
            return None;
        }
        let mut raw: Vec<Option<&mut [u8]>> = planes.chunks_mut(block as usize).map(Some).collect();
        let (mut rest, mut work) = (bytes, Vec::with_capacity(lengths.len()));
        for (at, &length) in order.into_iter().zip(lengths) {
            let packed = rest.split_off(..length as usize)?;
            work.push((packed, raw[at].take()?));
        }
        work.into_par_iter().try_for_each(|(packed, raw)| unpack(packed, raw))
    }
}
