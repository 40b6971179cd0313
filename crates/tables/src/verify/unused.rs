//! Checks that unused bits and bytes are zero, and that keys are in their places.

use rayon::prelude::*;

use super::Finding;
use crate::compressed::{BlockFault, Bytes};
use crate::contents::{Coloured, Dense, LabelFault, Sparse, Tally};
use crate::label::{Counts, LabelKind};
use crate::reachable::{KeyFault, Misplaced};
use crate::rules::Mode;

/// The number of bytes per task: whole words.
const PIECE: usize = 1 << 16;

pub(super) fn misplaced(filled: u32, index: u64) -> Finding {
    LabelFault::from(Misplaced { filled, index }).into()
}

pub(super) fn key_fault(fault: KeyFault) -> Finding {
    LabelFault::from(fault).into()
}

/// Checks that the keys of level `number` are in their places, and that its unused bits are zero.
pub(super) fn check_level(sparse: Sparse<'_>, number: usize) -> Result<(), Finding> {
    let (level, outcomes) = sparse.level(number).ok_or_else(|| misplaced(number as u32, 0))?;
    level.check().map_err(key_fault)?;
    if outcomes.is_padded()? { Ok(()) } else { Err(misplaced(level.size().filled, level.size().count)) }
}

/// Checks that no bit after the positions of a plane is set.
pub(super) fn check_padding(dense: Dense<'_>) -> Result<(), Finding> {
    let (planes, marks) = (dense.planes(), dense.reach().map(|reach| reach.marks()));
    for mode in (0..planes.shape().modes() as u16).map(Mode) {
        let losses = planes.shape().draws().then(|| planes.plane(mode, true));
        let marks = marks.map(|marks| marks.plane(mode, false));
        for plane in [Some(planes.plane(mode, false)), losses, marks].into_iter().flatten() {
            let mut padding = (planes.positions()..plane.len() as u64 * 8).map(|bit| plane.bit(bit));
            if padding.try_fold(false, |stray, bit| Ok::<_, Finding>(stray | bit?))? {
                return Err(Finding::Padding { mode });
            }
        }
    }
    Ok(())
}

/// Checks that no unused bit of the outcomes and the reachability bits is set. Wins and losses exclude each other,
/// so the number of set bits must equal the number of wins and losses.
pub(super) fn check_stray(coloured: Coloured<'_>, stored: &[Tally]) -> Result<(), Finding> {
    let of_piece = |piece: Bytes<'_>| Ok(piece.all()?.iter().map(|byte| u64::from(byte.count_ones())).sum::<u64>());
    let marks = |every: Counts| every.win + if coloured.draws() { every.loss } else { 0 };
    let outcomes: u64 = stored.iter().map(|tally| marks(tally.every)).sum();
    let reached: u64 = stored.iter().map(|tally| tally.reached.total()).sum();
    for (section, marked) in [coloured.outcomes(), coloured.reached()].into_iter().zip([outcomes, reached]) {
        let pieces = section.par_pieces(PIECE).map(of_piece);
        if pieces.try_reduce(|| 0, |a, b| Ok::<_, BlockFault>(a + b))? != marked {
            return Err(Finding::Stray);
        }
    }
    Ok(())
}

/// Checks that the labels of `kind`, which is not the outcome, of a dense table are zero after the positions of each plane.
pub(super) fn check_byte_padding(dense: Dense<'_>, kind: LabelKind) -> Result<(), Finding> {
    let bytes = dense.bytes().of(kind).unwrap_or(Bytes::Plain(&[]));
    let modes = dense.planes().shape().modes() as usize;
    let used = dense.bytes().offset(kind, dense.planes().positions() as usize);
    for (mode, plane) in (0..).map(Mode).zip(bytes.pieces((bytes.len() / modes).max(1))) {
        let padding = plane.range(used.min(plane.len())..plane.len())?;
        if padding.iter().any(|&byte| byte != 0) {
            return Err(Finding::Padding { mode });
        }
    }
    Ok(())
}

/// Checks that the labels of `kind`, which is not the outcome, of a two-colour table are zero wherever there is no position.
pub(super) fn check_stray_bytes(coloured: Coloured<'_>, kind: LabelKind) -> Result<(), Finding> {
    let (frame, form) = (coloured.frame(), coloured.bytes().form(kind));
    let bytes = coloured.bytes().of(kind).unwrap_or(Bytes::Plain(&[]));
    let of_piece = |(number, piece): (usize, Bytes<'_>)| {
        let place = |at: usize| frame.place_at(((number * PIECE + at) / form.bytes()) as u64);
        let is_right = |(at, &byte): (usize, &u8)| byte == 0 || place(at).is_some();
        Ok(piece.all()?.iter().enumerate().all(is_right))
    };
    let pieces = bytes.par_pieces(PIECE).enumerate().map(of_piece);
    let is_right = pieces.try_reduce(|| true, |a, b| Ok::<_, BlockFault>(a && b))?;
    if is_right { Ok(()) } else { Err(Finding::Stray) }
}
