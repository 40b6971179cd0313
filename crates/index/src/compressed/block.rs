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

    /// A compressor, and the search that it is for.
    type Kept = (Search, Compressor<'static>);

    thread_local! {
        // Each thread reuses its compressors and the memory for a frame, because allocating them takes longer than compressing a
        // block. A frame does not depend on earlier frames with the same parameters.
        static KEPT: RefCell<([Option<Kept>; 2], Vec<u8>)> = const { RefCell::new(([None, None], Vec::new())) };
    }
    let most = raw.len().checked_sub(1)?;
    let search = Search::of(raw, level);
    KEPT.with_borrow_mut(|(kept, frame)| {
        let kept = &mut kept[usize::from(search == Search::Sparse)];
        if kept.as_ref().is_none_or(|(of, _)| *of != search) {
            let mut compressor = Compressor::new(level).ok()?;
            search.parameters().into_iter().try_for_each(|to| compressor.set_parameter(to)).ok()?;
            *kept = Some((search, compressor));
        }
        let (_, compressor) = kept.as_mut()?;
        frame.resize(frame.len().max(most), 0);
        // Compression fails if the frame would not be shorter.
        let length = compressor.compress_to_buffer(raw, &mut frame[..most]).ok()?;
        Some(frame[..length].to_vec())
    })
}

/// How zstd searches a block for earlier bytes that repeat.
#[cfg(feature = "compress")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Search {
    /// As a level does, other than the default.
    OfLevel(i32),
    /// As the default level does, for repetitions of seven bytes or more: shorter ones take time and save no bytes.
    Long,
    /// As `Long`, from two of every 33 bytes. It is for blocks in which hardly any bytes repeat, which codes for single bytes compress.
    Sparse,
}

#[cfg(feature = "compress")]
impl Search {
    /// The search for `raw` at `level`.
    fn of(raw: &[u8], level: i32) -> Self {
        match level {
            DEFAULT_LEVEL if repeats_little(raw) => Self::Sparse,
            DEFAULT_LEVEL => Self::Long,
            _ => Self::OfLevel(level),
        }
    }

    /// The parameters of zstd, in which 0 stands for those of the level.
    fn parameters(self) -> [zstd::zstd_safe::CParameter; 4] {
        use zstd::zstd_safe::CParameter::{CompressionLevel, LiteralCompressionMode, MinMatch, TargetLength};
        use zstd::zstd_safe::ParamSwitch::{Auto, Enable};

        // The fastest strategy skips `TargetLength` bytes where nothing repeats, and by default stores single bytes as they are then.
        let (level, least, skipped, literals) = match self {
            Self::OfLevel(level) => (level, 0, 0, Auto),
            Self::Long => (DEFAULT_LEVEL, 7, 0, Auto),
            Self::Sparse => (DEFAULT_LEVEL, 7, 31, Enable),
        };
        [CompressionLevel(level), MinMatch(least), TargetLength(skipped), LiteralCompressionMode(literals)]
    }
}

/// `true` if of the first groups of 16 bytes at most one in 50 repeats an earlier one.
#[cfg(feature = "compress")]
fn repeats_little(raw: &[u8]) -> bool {
    /// As many groups as tell tables apart, in a twentieth of the time of compressing a block.
    const GROUPS: usize = 512;
    let groups = &raw.as_chunks::<16>().0;
    let groups = &groups[..groups.len().min(GROUPS)];
    // The last group with each hash.
    let mut last = [0u16; GROUPS];
    let mut repeats = 0;
    for (number, group) in groups.iter().enumerate() {
        let value = u128::from_le_bytes(*group);
        let word = value as u64 ^ ((value >> 64) as u64).wrapping_mul(3);
        let hash = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - GROUPS.trailing_zeros());
        let before = usize::from(std::mem::replace(&mut last[hash as usize], number as u16));
        repeats += usize::from(before < number && groups[before] == *group);
    }
    repeats * 50 < groups.len()
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

    /// Bytes that hardly repeat are searched sparsely, and still compressed one by one.
    #[test]
    fn the_search_depends_on_repetitions() {
        let mut random = fastrand::Rng::with_seed(4);
        let once: Vec<u8> = (0..1 << 15).map(|_| random.u8(..8)).collect();
        let again: Vec<u8> = once[..1 << 12].iter().copied().cycle().take(1 << 15).collect();
        let search = |raw: &[u8]| Search::of(raw, DEFAULT_LEVEL);
        assert!(matches!((search(&once), search(&again)), (Search::Sparse, Search::Long)));
        assert!(compress(&once, DEFAULT_LEVEL).bytes.len() < once.len() / 2);
    }

    /// Compresses blocks of many kinds, each after other blocks and with a fresh compressor: the bytes are the same.
    #[test]
    fn compression_does_not_depend_on_earlier_blocks() {
        let mut random = fastrand::Rng::with_seed(3);
        let fresh = |raw: &[u8], level| {
            let mut bytes = vec![0; raw.len() - 1];
            let mut compressor = zstd::bulk::Compressor::new(level).unwrap();
            Search::of(raw, level).parameters().into_iter().for_each(|to| compressor.set_parameter(to).unwrap());
            let length = compressor.compress_to_buffer(raw, &mut bytes[..]);
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
