//! Writing a packed section: its blocks, then its index.

use std::io::{self, Write};

use rayon::prelude::*;

use crate::packed::{Bytes, Form, Index, PackedBlock, Packing, pack};

/// Blocks that are packed together, for each thread: enough that none waits for another at the end.
const BATCH: usize = 16;

/// The order in which the blocks of a section are written.
///
/// A sweep goes from the last board down to the first, all planes side by side; so the blocks of planes are written from the
/// last to the first, and equal numbers of all planes together; those of what play reaches, which is found the other way, from the first to the
/// last. Then a table that is written while it is solved has the bytes of one that is written afterwards. Other sections are written
/// from the first to the last.
fn order(blocks: u64, planes: Option<Planes>) -> impl Iterator<Item = u64> {
    let planes = planes.filter(|planes| planes.count > 0 && blocks.is_multiple_of(planes.count));
    let (count, ascends) = planes.map_or((1, true), |planes| (planes.count, planes.ascend));
    let each = blocks / count;
    let number = move |number: u64| if ascends { number } else { each - 1 - number };
    (0..each).flat_map(move |at| (0..count).map(move |plane| plane * each + number(at)))
}

/// The equal planes that a section consists of.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    /// How many there are.
    pub(super) count: u64,
    /// Whether their blocks are written from the first to the last.
    pub(super) ascend: bool,
}

/// Writes `bytes`, which consist of so many `planes`, packed; calls `told` with the number of bytes just packed. Returns the
/// sizes of the section and the digest of its index. While some blocks are written, the next are packed: the bytes are the
/// same, whatever the number of threads.
pub(super) fn write_packed(
    bytes: Bytes<'_>,
    planes: Option<Planes>,
    packing: Packing,
    out: &mut (impl Write + Send),
    told: &mut impl FnMut(usize) -> io::Result<()>,
) -> io::Result<(Form, [u8; 32])> {
    let size = packing.block as usize;
    let mut index = Index::new(bytes.len() as u64, packing.block);
    let mut order = order(bytes.len().div_ceil(size) as u64, planes);
    let of_block = |&number: &u64| {
        let first = number as usize * size;
        let raw = bytes.range(first..bytes.len().min(first + size)).map_err(io::Error::other)?;
        Ok::<_, io::Error>((number, raw.len(), pack(&raw, packing.level)))
    };
    let mut batch = || {
        let numbers: Vec<u64> = order.by_ref().take(BATCH * rayon::current_num_threads()).collect();
        numbers.par_iter().map(of_block).collect::<io::Result<Vec<(u64, usize, PackedBlock)>>>()
    };
    let mut now = batch()?;
    while !now.is_empty() {
        let mut together = Vec::with_capacity(now.iter().map(|(_, _, block)| block.bytes.len()).sum());
        let mut raw = 0;
        for (number, length, block) in &now {
            index.place(*number, index.stored(), block);
            together.extend(&block.bytes);
            raw += length;
        }
        let (written, next) = rayon::join(|| out.write_all(&together), &mut batch);
        written?;
        told(raw)?;
        now = next?;
    }
    let (form, tail, digest) = index.finish();
    out.write_all(&tail)?;
    Ok((form, digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_written_side_by_side_from_their_ends() {
        let of = |count: Option<u64>, ascend| count.map(|count| Planes { count, ascend });
        let order = |blocks, count| order(blocks, of(count, false)).collect::<Vec<u64>>();
        assert_eq!(order(4, None), [0, 1, 2, 3]);
        assert_eq!(order(4, Some(1)), [3, 2, 1, 0]);
        assert_eq!(order(6, Some(2)), [2, 5, 1, 4, 0, 3]);
        assert_eq!(super::order(6, of(Some(2), true)).collect::<Vec<u64>>(), [0, 3, 1, 4, 2, 5]);
        // Several planes in a block.
        assert_eq!((order(3, Some(2)), order(1, Some(7))), (vec![0, 1, 2], vec![0]));
    }
}
