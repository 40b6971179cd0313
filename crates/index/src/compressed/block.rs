//! One block, which is compressed by itself and decompressed to exactly its original bytes.

/// Default level of zstd; `docs/contributors/performance.md` has the measurements.
pub const DEFAULT_LEVEL: i32 = 1;

/// The parameters of compression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Compression {
    /// Bytes of a block: a power of two, from 1 KiB to 1 MiB.
    pub block: u32,
    /// The level of zstd.
    pub level: i32,
}

impl Default for Compression {
    fn default() -> Self {
        Self { block: super::DEFAULT_BLOCK, level: DEFAULT_LEVEL }
    }
}

/// A compressed block and the checksum of its compressed bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompressedBlock {
    /// The bytes in the file: a zstd frame, or the raw bytes if the frame is not shorter.
    pub bytes: Vec<u8>,
    /// BLAKE3 of these bytes.
    pub checksum: [u8; 32],
}

impl CompressedBlock {
    fn of(bytes: Vec<u8>) -> Self {
        let checksum = *blake3::hash(&bytes).as_bytes();
        Self { bytes, checksum }
    }
}

/// True if this library was built with the feature `compress`.
#[must_use]
pub const fn is_available() -> bool {
    cfg!(feature = "compress")
}

/// Compresses `raw`, a whole block. The result depends only on `raw` and `level`. Any thread may call it.
///
/// Without the feature `compress` the bytes stay as they are.
#[must_use]
pub fn compress(raw: &[u8], level: i32) -> CompressedBlock {
    CompressedBlock::of(shorter(raw, level).unwrap_or_else(|| raw.to_vec()))
}

/// A frame of zstd, if it is shorter than `raw`.
#[cfg(feature = "compress")]
fn shorter(raw: &[u8], level: i32) -> Option<Vec<u8>> {
    use std::cell::RefCell;

    use zstd::bulk::Compressor;

    thread_local! {
        // Each thread reuses its compressor, because allocating its tables takes longer than compressing a block. A
        // frame does not depend on earlier frames.
        static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    }
    let mut bytes = vec![0; raw.len().checked_sub(1)?];
    COMPRESSOR.with_borrow_mut(|kept| {
        if kept.as_ref().is_none_or(|(of, _)| *of != level) {
            *kept = Some((level, Compressor::new(level).ok()?));
        }
        let (_, compressor) = kept.as_mut()?;
        // Compression fails if the frame would not be shorter.
        let length = compressor.compress_to_buffer(raw, &mut bytes[..]).ok()?;
        bytes.truncate(length);
        bytes.shrink_to_fit();
        Some(bytes)
    })
}

#[cfg(not(feature = "compress"))]
const fn shorter(_: &[u8], _: i32) -> Option<Vec<u8>> {
    None
}

/// Decompresses `compressed` into `raw`; `None` unless it is a valid block that fills `raw` exactly.
#[must_use]
pub fn decompress(compressed: &[u8], raw: &mut [u8]) -> Option<()> {
    if compressed.len() == raw.len() {
        raw.copy_from_slice(compressed);
        return Some(());
    }
    if compressed.len() > raw.len() {
        return None;
    }
    (unframe(compressed, raw)? == raw.len()).then_some(())
}

#[cfg(feature = "compress")]
fn unframe(compressed: &[u8], raw: &mut [u8]) -> Option<usize> {
    use std::cell::RefCell;

    use zstd::bulk::Decompressor;

    thread_local! {
        // Each thread reuses its decompressor, which has 100 KiB of tables.
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|kept| {
        if kept.is_none() {
            *kept = Decompressor::new().ok();
        }
        kept.as_mut()?.decompress_to_buffer(compressed, raw).ok()
    })
}

#[cfg(not(feature = "compress"))]
const fn unframe(_: &[u8], _: &mut [u8]) -> Option<usize> {
    None
}

#[cfg(all(test, feature = "compress"))]
mod tests {
    use super::*;

    /// Compresses blocks of many kinds, each after other blocks and with a fresh compressor: the bytes are the same.
    #[test]
    fn compression_does_not_depend_on_earlier_blocks() {
        let mut random = fastrand::Rng::with_seed(3);
        let fresh = |raw: &[u8], level| {
            let mut bytes = vec![0; raw.len() - 1];
            let length = zstd::bulk::Compressor::new(level).unwrap().compress_to_buffer(raw, &mut bytes[..]);
            length.map_or_else(|_| raw.to_vec(), |length| bytes[..length].to_vec())
        };
        for _ in 0..3000 {
            let period = random.usize(1..600);
            let pattern: Vec<u8> = (0..period).map(|_| random.u8(..)).collect();
            let mut raw: Vec<u8> = pattern.into_iter().cycle().take(random.usize(1..40_000)).collect();
            for _ in 0..random.usize(..200) {
                let at = random.usize(..raw.len());
                raw[at] = random.u8(..);
            }
            let level = [1, 1, 1, 3, 9][random.usize(..5)];
            let compressed = compress(&raw, level);
            assert!(compressed.bytes == fresh(&raw, level), "{} bytes at level {level}", raw.len());
            let mut back = vec![0; raw.len()];
            assert!(decompress(&compressed.bytes, &mut back).is_some() && back == raw);
        }
    }
}
