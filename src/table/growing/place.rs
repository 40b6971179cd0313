//! Where the bytes of a region lie in the file of a table.

use crate::plane::Shape;
use crate::solve::Sheet;
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
    /// The place of `sheet` in `section`, whose planes are of `whole` and of `region` for each region.
    pub(super) fn new(sheet: Sheet, section: &Section, whole: Shape, region: Shape) -> Option<Self> {
        let (plane, of_region) = (whole.plane_bytes()?, region.plane_bytes()?);
        Some(Self { sheet, start: section.start, plane, of_region, planes: whole.planes() })
    }

    /// For each plane of `region`, the offset of its first byte in the file.
    pub(super) fn offsets(&self, region: u64) -> impl Iterator<Item = u64> + use<> {
        let Self { start, plane, of_region, .. } = *self;
        (0..self.planes).map(move |number| start + number * plane + region * of_region)
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
