//! The memory that planes are solved in and written from.

use std::io;

use memmap2::MmapMut;

use super::SolveError;
use super::plan::Block;
use crate::plane::Shape;

/// Zeroed memory for all planes of a shape, aligned to a page and so to any vector.
pub(super) struct Memory {
    map: MmapMut,
}

impl Memory {
    /// Reserves the planes of `shape`. Pages are handed out when first touched, large ones where the system has them:
    /// 8 GiB in pages of 4 KiB take as long to hand out as to solve.
    pub(super) fn new(shape: Shape) -> Result<Self, SolveError> {
        let too_large = SolveError::TooLarge { cells: shape.cells(), modes: shape.modes() };
        let bytes = shape.bytes().ok_or(too_large)?;
        let map = usize::try_from(bytes)
            .map_err(|_| io::ErrorKind::OutOfMemory.into())
            .and_then(MmapMut::map_anon)
            .map_err(|source| SolveError::Memory { bytes, source })?;
        // Small pages are as right, only slower: a refusal is no error.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        hand_out(&map);
        Ok(Self { map })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }

    /// The planes as blocks, plane behind plane.
    pub(super) fn blocks_mut(&mut self) -> &mut [Block] {
        let bytes: &mut [u8] = &mut self.map;
        // SAFETY: every byte pattern is a block, and every block bytes.
        let (before, blocks, behind) = unsafe { bytes.align_to_mut() };
        assert!(before.is_empty() && behind.is_empty(), "a mapping begins at a page and planes are whole blocks");
        blocks
    }
}

/// Memory that one thread asks for at a time.
#[cfg(target_os = "linux")]
const PIECE: usize = 64 << 20;

/// Has the pages of a large mapping handed out now, by every thread: the sweep would ask for them one by one.
#[cfg(target_os = "linux")]
fn hand_out(map: &MmapMut) {
    use rayon::prelude::*;
    if map.len() >= PIECE {
        (0..map.len().div_ceil(PIECE)).into_par_iter().for_each(|piece| {
            let start = piece * PIECE;
            // A system that does not know the request hands pages out as they are touched.
            let _ = map.advise_range(memmap2::Advice::PopulateWrite, start, PIECE.min(map.len() - start));
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn hand_out(_: &MmapMut) {}
