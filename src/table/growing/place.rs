//! Where the bytes of a region lie in the file of a table.

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
}

impl Place {
    /// The place in `section` of `sheet` of `rules`, which are solved by `plan`.
    pub(super) fn new(sheet: Sheet, section: &Section, rules: &Rules, plan: &RegionPlan) -> Option<Self> {
        let shape: Shape = plan.shape(rules, sheet);
        let of_region = shape.plane_bytes()?;
        // One region is the whole board, whose planes may be padded.
        let plane = of_region.checked_mul(plan.regions())?;
        Some(Self { sheet, start: section.start, plane, of_region, planes: shape.planes() })
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
}
