//! The bytes of a section: plain in memory, or read block by block.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{BlockFault, InBlocks};

/// The bytes of a section: plain in memory, or read block by block. Reading plain bytes is as fast as reading a slice.
#[derive(Clone, Copy, Debug)]
pub enum Bytes<'a> {
    /// Uncompressed bytes.
    Plain(&'a [u8]),
    /// Bytes in blocks, compressed or in a file: a section, the offset of the first byte in it, and the number of
    /// bytes.
    #[doc(hidden)]
    InBlocks(InBlocks<'a>, u64, u64),
}

impl<'a> Bytes<'a> {
    /// A whole section that is read block by block.
    pub const fn in_blocks(section: InBlocks<'a>) -> Self {
        Self::InBlocks(section, 0, section.len())
    }

    /// The number of bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::InBlocks(_, _, length) => *length as usize,
        }
    }

    /// True if there are no bytes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes, if they are plain in memory.
    #[must_use]
    pub const fn plain(&self) -> Option<&'a [u8]> {
        match self {
            Self::Plain(bytes) => Some(bytes),
            Self::InBlocks(..) => None,
        }
    }

    /// The byte at `at`; `None` if there are fewer bytes. The block that was read is cached for later reads.
    ///
    /// # Errors
    /// If its block cannot be read.
    #[inline]
    pub fn get(&self, at: usize) -> Result<Option<u8>, BlockFault> {
        match self {
            Self::Plain(bytes) => Ok(bytes.get(at).copied()),
            Self::InBlocks(section, first, length) => {
                if at as u64 >= *length {
                    Ok(None)
                } else {
                    section.array(first + at as u64).map(|[byte]| Some(byte))
                }
            }
        }
    }

    /// The byte at `at`.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Panics
    /// If there are fewer bytes.
    #[inline]
    pub fn byte(&self, at: usize) -> Result<u8, BlockFault> {
        match self {
            Self::Plain(bytes) => Ok(bytes[at]),
            Self::InBlocks(..) => {
                self.get(at).map(|byte| byte.unwrap_or_else(|| panic!("byte {at} of {}", self.len())))
            }
        }
    }

    /// The `N` bytes from `at` on; `None` if there are fewer.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    #[inline]
    pub(crate) fn array<const N: usize>(&self, at: usize) -> Result<Option<[u8; N]>, BlockFault> {
        match self {
            Self::Plain(bytes) => Ok(bytes.get(at..).and_then(<[u8]>::first_chunk).copied()),
            Self::InBlocks(section, first, length) => {
                if (at as u64).saturating_add(N as u64) > *length {
                    Ok(None)
                } else {
                    section.array(first + at as u64).map(Some)
                }
            }
        }
    }

    /// Bit `number`; the lowest bit of a byte comes first.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Panics
    /// If there are fewer bytes.
    #[inline]
    pub fn bit(&self, number: u64) -> Result<bool, BlockFault> {
        Ok(self.byte((number >> 3) as usize)? >> (number & 7) & 1 == 1)
    }

    /// The bytes of `range`.
    ///
    /// # Panics
    /// If there are fewer bytes.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        match *self {
            Self::Plain(bytes) => Self::Plain(&bytes[range]),
            Self::InBlocks(section, first, length) => {
                assert!(range.start <= range.end && range.end as u64 <= length, "{range:?} of {length} bytes");
                Self::InBlocks(section, first + range.start as u64, (range.end - range.start) as u64)
            }
        }
    }

    /// The bytes of `range` in memory: borrowed if they are plain, otherwise read.
    ///
    /// # Errors
    /// If a block cannot be read.
    ///
    /// # Panics
    /// If there are fewer bytes.
    pub fn range(&self, range: Range<usize>) -> Result<Cow<'a, [u8]>, BlockFault> {
        match self.part(range) {
            Self::Plain(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::InBlocks(section, first, length) => {
                let mut bytes = vec![0; length as usize];
                section.range_into(first, &mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// All bytes in memory: borrowed if they are plain, otherwise read.
    ///
    /// # Errors
    /// As [`range`](Self::range).
    pub fn all(&self) -> Result<Cow<'a, [u8]>, BlockFault> {
        self.range(0..self.len())
    }

    /// The bytes in pieces of `size` bytes; the last may be shorter. Each piece is read on demand.
    pub fn pieces(&self, size: usize) -> impl ExactSizeIterator<Item = Self> + use<'a> {
        let bytes = *self;
        (0..bytes.len().div_ceil(size)).map(move |number| {
            let first = number * size;
            bytes.part(first..bytes.len().min(first + size))
        })
    }

    /// Like [`pieces`](Self::pieces), for all threads of the current rayon pool.
    pub fn par_pieces(&self, size: usize) -> impl IndexedParallelIterator<Item = Self> + use<'a> {
        let bytes = *self;
        (0..bytes.len().div_ceil(size)).into_par_iter().map(move |number| {
            let first = number * size;
            bytes.part(first..bytes.len().min(first + size))
        })
    }

    /// A reader for many accesses in any order.
    #[must_use]
    pub fn reader(&self) -> Reader<'a> {
        Reader::new(*self)
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Bytes<'a> {
    fn from(bytes: &'a T) -> Self {
        Self::Plain(bytes.as_ref())
    }
}

/// Number of blocks that a [`Reader`] holds.
const HELD: usize = 64;
/// A block and its number.
type Held = (u64, Arc<Vec<u8>>);

/// Reads bytes in any order, and holds the last blocks that it read. A read from one of these takes no lock. A reader
/// is meant for one thread and one pass over a range of labels.
///
/// A block that cannot be read reads as zeros. So the caller must check [`fault`](Self::fault) before it uses any byte.
pub struct Reader<'a> {
    bytes: Bytes<'a>,
    held: RefCell<Vec<Option<Held>>>,
    fault: Cell<Option<BlockFault>>,
}

impl<'a> Reader<'a> {
    fn new(bytes: Bytes<'a>) -> Self {
        let held = if bytes.plain().is_some() { Vec::new() } else { vec![None; HELD] };
        Self { bytes, held: held.into(), fault: None.into() }
    }

    /// The byte at `at`.
    #[inline]
    pub fn byte(&self, at: usize) -> u8 {
        match self.bytes {
            Bytes::Plain(bytes) => bytes[at],
            Bytes::InBlocks(section, first, _) => self.in_blocks(section, first + at as u64),
        }
    }

    /// Bit `number`; the lowest bit of a byte comes first.
    #[inline]
    pub fn bit(&self, number: u64) -> u8 {
        self.byte((number >> 3) as usize) >> (number & 7) & 1
    }

    fn in_blocks(&self, section: InBlocks<'a>, at: u64) -> u8 {
        let (number, inside) = section.place(at);
        let slot = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize % HELD;
        let mut held = self.held.borrow_mut();
        if let Some((found, block)) = &held[slot]
            && *found == number
        {
            return block[inside];
        }
        match section.block(number) {
            Ok(block) => {
                let byte = block[inside];
                held[slot] = Some((number, block));
                byte
            }
            Err(fault) => {
                self.fault.set(self.fault.get().or(Some(fault)));
                0
            }
        }
    }

    /// Checks that every block could be read.
    ///
    /// # Errors
    /// The first block that could not be read.
    pub fn fault(&self) -> Result<(), BlockFault> {
        self.fault.get().map_or(Ok(()), Err)
    }
}

#[cfg(all(test, feature = "compress"))]
mod tests {
    use super::super::{Cache, CompressedBlock, Form, Index, compress, decompress};
    use super::*;

    /// A compressed section of `raw`, with its blocks in random order: its form, and its blocks and index.
    fn section(raw: &[u8], block: u32, seed: u64) -> (Form, Vec<u8>) {
        let mut order: Vec<u64> = (0..raw.len().div_ceil(block as usize) as u64).collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        let mut index = Index::new(raw.len() as u64, block);
        let mut area = Vec::new();
        for number in order {
            let first = number as usize * block as usize;
            let compressed: CompressedBlock = compress(&raw[first..raw.len().min(first + block as usize)], 1);
            index.place(number, area.len() as u64, &compressed);
            area.extend(&compressed.bytes);
        }
        let (form, tail, _) = index.finish();
        area.extend(tail);
        assert_eq!(form.bytes(), area.len() as u64);
        (form, area)
    }

    /// Random bytes, some of which do not compress.
    fn raw(length: usize, seed: u64) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let stretch = random.usize(1..3000);
            match random.u8(..3) {
                0 => bytes.extend((0..stretch).map(|_| random.u8(..))),
                1 => bytes.extend((0..stretch).map(|at| (at % 7) as u8)),
                _ => bytes.resize(bytes.len() + stretch, 0),
            }
        }
        bytes.truncate(length);
        bytes
    }

    #[test]
    fn compressed_bytes_read_back() {
        for (length, block) in [(1, 1024), (1023, 1024), (1024, 1024), (5000, 1024), (200_000, 4096), (70_000, 1 << 16)]
        {
            let raw = raw(length, length as u64);
            let (form, area) = section(&raw, block, 3);
            let cache = Cache::default();
            let bytes = Bytes::in_blocks(InBlocks::compressed(form, &area, 4096, 0, &cache));
            assert_eq!((bytes.len(), bytes.all().unwrap().as_ref()), (length, raw.as_slice()));
            let reader = bytes.reader();
            let mut random = fastrand::Rng::with_seed(1);
            for _ in 0..1000 {
                let (a, b) = (random.usize(..length), random.usize(..length));
                assert_eq!(bytes.byte(a).unwrap(), raw[a]);
                assert_eq!(reader.byte(b), raw[b]);
                let bit = random.usize(..8);
                let number = (8 * a + bit) as u64;
                assert_eq!(bytes.bit(number).unwrap(), raw[a] >> bit & 1 == 1);
                assert_eq!(reader.bit(number), raw[a] >> bit & 1);
                assert_eq!(bytes.array::<5>(b).unwrap(), raw[b..].first_chunk().copied());
                let range = a.min(b)..a.max(b);
                assert_eq!(bytes.range(range.clone()).unwrap().as_ref(), &raw[range.clone()]);
                let part = bytes.part(range.clone());
                assert!(part.get(range.len()).unwrap().is_none());
                assert!(range.is_empty() || part.byte(0).unwrap() == raw[range.start]);
            }
            // A read may end at the last byte, but not after it.
            assert_eq!(bytes.array::<1>(length - 1).unwrap(), raw.last_chunk().copied());
            assert!(bytes.array::<2>(length - 1).unwrap().is_none());
            assert!(reader.fault().is_ok() && bytes.get(length).unwrap().is_none());
            assert!(!bytes.is_empty() && bytes.part(length..length).is_empty());
            let pieces: Vec<u8> = bytes.pieces(777).flat_map(|piece| piece.all().unwrap().into_owned()).collect();
            assert_eq!(pieces, raw);
        }
    }

    /// Whatever the bytes of the index and the blocks are, a read returns an answer or a fault.
    #[test]
    fn damaged_bytes_never_panic() {
        let raw = raw(40_000, 9);
        let (form, area) = section(&raw, 4096, 5);
        let mut random = fastrand::Rng::with_seed(2);
        let mut faults = 0;
        for round in 0..20_000 {
            let mut area = area.clone();
            for _ in 0..1 + round % 5 {
                // Half of the changes are in the index.
                let from = if random.bool() { form.stored() as usize } else { 0 };
                let at = random.usize(from..area.len());
                area[at] = if random.bool() { random.u8(..) } else { area[at] ^ (1 << random.u8(..8)) };
            }
            let cache = Cache::default();
            let bytes = Bytes::in_blocks(InBlocks::compressed(form, &area, 0, 0, &cache));
            let at = random.usize(..raw.len());
            let reader = bytes.reader();
            let by_reader = reader.byte(at);
            match (bytes.byte(at), bytes.all()) {
                (Ok(byte), _) => {
                    assert!(reader.fault().is_ok() && by_reader == byte);
                }
                (Err(fault), all) => {
                    assert!(reader.fault() == Err(fault) && all.is_err());
                    faults += 1;
                }
            }
        }
        assert!(faults > 100, "{faults}");
    }

    #[test]
    fn invalid_index_entries_are_faults() {
        let raw = raw(10_000, 1);
        let (form, area) = section(&raw, 4096, 1);
        let cache = Cache::default();
        let at = form.stored() as usize;
        for (offset, length) in
            [(0u64, 0u32), (0, 4097), (0, u32::MAX), (form.stored(), 1), (u64::MAX, 1), (u64::MAX - 1, 9)]
        {
            let mut area = area.clone();
            area[at..at + 8].copy_from_slice(&offset.to_le_bytes());
            area[at + 8..at + 12].copy_from_slice(&length.to_le_bytes());
            let bytes = Bytes::in_blocks(InBlocks::compressed(form, &area, 4096, 0, &cache));
            let fault = bytes.byte(0).unwrap_err();
            assert_eq!((fault.section, fault.block, fault.what), (4096, 0, "lies outside the section"));
        }
    }

    #[test]
    fn a_frame_must_have_the_size_of_its_block() {
        let mut out = [0; 100];
        for (length, is_right) in [(99, false), (100, true), (101, false), (5000, false)] {
            let compressed = compress(&vec![7; length], 3);
            assert!(compressed.bytes.len() < 30);
            assert_eq!(decompress(&compressed.bytes, &mut out).is_some(), is_right, "{length}");
        }
        assert!(decompress(&[], &mut out).is_none() && decompress(&[0; 101], &mut out).is_none());
        // Bytes that do not compress make a frame that is longer than they are, so they are stored raw.
        let mut random = fastrand::Rng::with_seed(4);
        let raw = [0; 100].map(|_: u8| random.u8(..));
        let frame = zstd::bulk::compress(&raw, 3).unwrap();
        assert!(frame.len() > 100 && decompress(&frame, &mut out).is_none());
        assert!(decompress(&raw, &mut out).is_some() && out == raw);
    }
}
