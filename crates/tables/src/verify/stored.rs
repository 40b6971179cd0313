//! Where the positions of a table are stored, for checks.

use super::Finding;
use crate::contents::{Contents, Dense, Sparse};
use crate::rules::{Mode, Outcome, Position};

/// The contents of a dense table that stores every board.
pub(super) fn whole(contents: Contents<'_>) -> Option<Dense<'_>> {
    contents.every_board().filter(|dense| dense.fold().is_none())
}

/// The bits of a plane of reachability bits.
pub(super) fn plane_bits(dense: Dense<'_>) -> u64 {
    dense.reach().map_or(1, |reach| reach.marks().plane(Mode(0), false).len() as u64 * 8)
}

/// The rank and the outcome of `position`, which must be stored.
pub(super) fn held(sparse: Sparse<'_>, position: Position) -> Result<(u64, Outcome), Finding> {
    sparse.find(position)?.ok_or(Finding::Missing { position })
}
