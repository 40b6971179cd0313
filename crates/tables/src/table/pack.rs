//! Writing a compressed section: its blocks, then its index.

use std::io::{self, Write};

use rayon::prelude::*;

use super::order::BlockOrder;
use crate::compressed::{Bytes, CompressedBlock, Compression, Form, Index, compress};

/// Bytes per thread that are compressed in one batch, in one block at least: enough that no thread idles long at the end.
const BATCH: usize = 512 << 10;

/// Compresses and writes `bytes`, with their blocks in `order`, or in the order of their numbers. Calls `told` with the
/// number of bytes of each batch before compression. Returns the form of the section and the digest of its index.
///
/// While some blocks are written, the next are compressed. The result does not depend on the number of threads.
pub(super) fn write_packed(
    bytes: Bytes<'_>,
    order: Option<BlockOrder>,
    packing: Compression,
    out: &mut (impl Write + Send),
    told: &mut impl FnMut(usize) -> io::Result<()>,
) -> io::Result<(Form, [u8; 32])> {
    let size = packing.block as usize;
    let mut index = Index::new(bytes.len() as u64, packing.block);
    let (ordered, numbers) = match order {
        Some(order) => (Some(order.all()), 0..0),
        None => (None, 0..bytes.len().div_ceil(size) as u64),
    };
    let mut order = ordered.into_iter().flatten().chain(numbers);
    let of_block = |&number: &u64| {
        let first = number as usize * size;
        let raw = bytes.range(first..bytes.len().min(first + size)).map_err(io::Error::other)?;
        Ok::<_, io::Error>((number, raw.len(), compress(&raw, packing.level)))
    };
    let mut batch = || {
        let numbers: Vec<u64> = order.by_ref().take(rayon::current_num_threads() * (BATCH / size).max(1)).collect();
        numbers.par_iter().map(of_block).collect::<io::Result<Vec<(u64, usize, CompressedBlock)>>>()
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
