//! The bytes of a section, packed or not.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::block::unpack;
use super::cache::Cache;
use super::form::ENTRY;
use super::{Entry, Form};

/// A block that cannot be unpacked: its bytes, or those of the index, are damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("block {block} of the section at byte {section} of the file {what}")]
pub struct BlockFault {
    /// Where its section begins in the file.
    pub section: u64,
    /// Its number.
    pub block: u64,
    what: &'static str,
}

/// The bytes of a section: as they are, or packed in blocks. Reading the former costs what reading a slice costs.
#[derive(Clone, Copy, Debug)]
pub enum Bytes<'a> {
    /// As they are.
    Plain(&'a [u8]),
    /// In blocks, those from an offset on, and how many.
    #[doc(hidden)]
    Packed(Packed<'a>, u64, u64),
}

/// A packed section of an open table.
#[derive(Clone, Copy)]
pub struct Packed<'a> {
    form: Form,
    /// Blocks and index.
    area: &'a [u8],
    /// Where the area begins in its file.
    start: u64,
    /// The number of the section in its table.
    number: u32,
    cache: &'a Cache,
}

impl<'a> Packed<'a> {
    /// Section `number` of a table: `area`, which begins at byte `start` of the file and has as many bytes as `form` says.
    pub(crate) const fn new(form: Form, area: &'a [u8], start: u64, number: u32, cache: &'a Cache) -> Self {
        Self { form, area, start, number, cache }
    }

    fn fault(&self, block: u64, what: &'static str) -> BlockFault {
        BlockFault { section: self.start, block, what }
    }

    /// The packed bytes of block `number`, as the index says.
    fn packed(&self, number: u64) -> Result<&'a [u8], BlockFault> {
        packed(&self.form, self.area, number).ok_or_else(|| self.fault(number, "does not lie in it"))
    }

    /// Unpacks block `number` into `raw`, which has its size.
    fn unpack_into(&self, number: u64, raw: &mut [u8]) -> Result<(), BlockFault> {
        unpack(self.packed(number)?, raw).ok_or_else(|| self.fault(number, "does not unpack to its size"))
    }

    fn unpacked(&self, number: u64) -> Result<Arc<Vec<u8>>, BlockFault> {
        let size = self.form.range(number);
        let mut raw = vec![0; (size.end - size.start) as usize];
        self.unpack_into(number, &mut raw)?;
        Ok(Arc::new(raw))
    }

    /// Block `number`, from the cache or unpacked and kept there.
    fn block(&self, number: u64) -> Result<Arc<Vec<u8>>, BlockFault> {
        let key = (self.number, number);
        if let Some(block) = self.cache.with(key, Arc::clone) {
            return Ok(block);
        }
        let block = self.unpacked(number)?;
        self.cache.keep(key, &block);
        Ok(block)
    }

    #[inline]
    fn byte(&self, at: u64) -> Result<u8, BlockFault> {
        let size = u64::from(self.form.block());
        let (number, inside) = (at / size, (at % size) as usize);
        match self.cache.with((self.number, number), |block| block[inside]) {
            Some(byte) => Ok(byte),
            None => self.block(number).map(|block| block[inside]),
        }
    }

    /// The bytes of `range`. Whole blocks are unpacked where they are wanted; of others the rest is likely to be read next.
    fn range(&self, range: Range<u64>) -> Result<Vec<u8>, BlockFault> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        let size = u64::from(self.form.block());
        let mut at = range.start;
        while at < range.end {
            let number = at / size;
            let block = self.form.range(number);
            let end = block.end.min(range.end);
            let out = &mut bytes[(at - range.start) as usize..(end - range.start) as usize];
            if out.len() as u64 == block.end - block.start {
                self.unpack_into(number, out)?;
            } else {
                let unpacked = self.block(number)?;
                out.copy_from_slice(&unpacked[(at - block.start) as usize..(end - block.start) as usize]);
            }
            at = end;
        }
        Ok(bytes)
    }
}

impl std::fmt::Debug for Packed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packed").field("form", &self.form).field("start", &self.start).finish_non_exhaustive()
    }
}

/// The entry of block `number` in `area`, the blocks and the index of a section of this form.
pub(crate) fn entry(form: &Form, area: &[u8], number: u64) -> Option<Entry> {
    let at = usize::try_from(form.stored() + number.checked_mul(ENTRY)?).ok()?;
    let bytes = area.get(at..)?.first_chunk()?;
    (number < form.blocks()).then(|| Entry::decode(bytes))
}

/// The packed bytes of block `number` in `area`. Each index says that blocks lie before it, and are not longer than what they
/// hold: nothing is reserved or read for one that says anything else.
pub(crate) fn packed<'a>(form: &Form, area: &'a [u8], number: u64) -> Option<&'a [u8]> {
    let Entry { offset, length, .. } = entry(form, area, number)?;
    let (size, end) = (form.range(number), offset.checked_add(length.into())?);
    let is_so = end <= form.stored() && (1..=size.end - size.start).contains(&length.into());
    if is_so { area.get(offset as usize..end as usize) } else { None }
}

impl<'a> Bytes<'a> {
    /// A packed section.
    pub(crate) const fn packed(packed: Packed<'a>) -> Self {
        Self::Packed(packed, 0, packed.form.raw())
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Packed(_, _, length) => *length as usize,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of them in memory, where they are not packed.
    #[must_use]
    pub const fn plain(&self) -> Option<&'a [u8]> {
        match self {
            Self::Plain(bytes) => Some(bytes),
            Self::Packed(..) => None,
        }
    }

    /// The byte at `at`; `None` if there are fewer. Of packed bytes, a block is unpacked and kept for the next.
    ///
    /// # Errors
    /// If its block cannot be unpacked.
    #[inline]
    pub fn get(&self, at: usize) -> Result<Option<u8>, BlockFault> {
        match self {
            Self::Plain(bytes) => Ok(bytes.get(at).copied()),
            Self::Packed(packed, first, length) => {
                if at as u64 >= *length {
                    Ok(None)
                } else {
                    packed.byte(first + at as u64).map(Some)
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
    /// If there are fewer.
    #[inline]
    pub fn byte(&self, at: usize) -> Result<u8, BlockFault> {
        match self {
            Self::Plain(bytes) => Ok(bytes[at]),
            Self::Packed(..) => self.get(at).map(|byte| byte.unwrap_or_else(|| panic!("byte {at} of {}", self.len()))),
        }
    }

    /// Bit `number`, the lowest of a byte being the first.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Panics
    /// If there are fewer.
    #[inline]
    pub fn bit(&self, number: u64) -> Result<bool, BlockFault> {
        Ok(self.byte((number >> 3) as usize)? >> (number & 7) & 1 == 1)
    }

    /// Those of `range`.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        match *self {
            Self::Plain(bytes) => Self::Plain(&bytes[range]),
            Self::Packed(packed, first, length) => {
                assert!(range.start <= range.end && range.end as u64 <= length, "{range:?} of {length} bytes");
                Self::Packed(packed, first + range.start as u64, (range.end - range.start) as u64)
            }
        }
    }

    /// Those of `range`, in memory: where they are, or unpacked.
    ///
    /// # Errors
    /// If a block cannot be unpacked.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn range(&self, range: Range<usize>) -> Result<Cow<'a, [u8]>, BlockFault> {
        match self.part(range) {
            Self::Plain(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::Packed(packed, first, length) => packed.range(first..first + length).map(Cow::Owned),
        }
    }

    /// All of them, in memory: where they are, or unpacked.
    ///
    /// # Errors
    /// As [`range`](Self::range).
    pub fn all(&self) -> Result<Cow<'a, [u8]>, BlockFault> {
        self.range(0..self.len())
    }

    /// Them in pieces of `size` bytes; the last may be shorter. Each piece is unpacked when it is asked for.
    pub fn pieces(&self, size: usize) -> impl ExactSizeIterator<Item = Self> + use<'a> {
        let bytes = *self;
        (0..bytes.len().div_ceil(size)).map(move |number| {
            let first = number * size;
            bytes.part(first..bytes.len().min(first + size))
        })
    }

    /// As [`pieces`](Self::pieces), for all threads of the current rayon pool.
    pub fn par_pieces(&self, size: usize) -> impl IndexedParallelIterator<Item = Self> + use<'a> {
        let bytes = *self;
        (0..bytes.len().div_ceil(size)).into_par_iter().map(move |number| {
            let first = number * size;
            bytes.part(first..bytes.len().min(first + size))
        })
    }

    /// Reads many of them in an order of its own.
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

/// Blocks that a [`Reader`] holds.
const HELD: usize = 64;
/// One of them, and its number.
type Held = (u64, Arc<Vec<u8>>);

/// Reads packed bytes in any order, and holds the blocks it read last: a read that meets one of them takes no lock. It is made
/// for a pass of one thread over a stretch of labels.
///
/// A block that cannot be unpacked reads as zeros; [`fault`](Self::fault) says so afterwards, and whoever reads asks for it
/// before using anything that was read.
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
            Bytes::Packed(packed, first, _) => self.packed(packed, first + at as u64),
        }
    }

    /// Bit `number`, the lowest of a byte being the first.
    #[inline]
    pub fn bit(&self, number: u64) -> u8 {
        self.byte((number >> 3) as usize) >> (number & 7) & 1
    }

    fn packed(&self, packed: Packed<'a>, at: u64) -> u8 {
        let size = u64::from(packed.form.block());
        let (number, inside) = (at / size, (at % size) as usize);
        let slot = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize % HELD;
        let mut held = self.held.borrow_mut();
        if let Some((found, block)) = &held[slot]
            && *found == number
        {
            return block[inside];
        }
        match packed.block(number) {
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

    /// The first block that could not be unpacked.
    ///
    /// # Errors
    /// That block.
    pub fn fault(&self) -> Result<(), BlockFault> {
        self.fault.get().map_or(Ok(()), Err)
    }
}

#[cfg(all(test, feature = "compress"))]
mod tests {
    use super::super::{Index, PackedBlock, pack};
    use super::*;

    /// A section of random stretches, its blocks in the order of `shuffled`; form, area, digest.
    fn section(raw: &[u8], block: u32, seed: u64) -> (Form, Vec<u8>) {
        let mut order: Vec<u64> = (0..raw.len().div_ceil(block as usize) as u64).collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        let mut index = Index::new(raw.len() as u64, block);
        let mut area = Vec::new();
        for number in order {
            let first = number as usize * block as usize;
            let packed: PackedBlock = pack(&raw[first..raw.len().min(first + block as usize)], 1);
            index.place(number, area.len() as u64, &packed);
            area.extend(&packed.bytes);
        }
        let (form, tail, _) = index.finish();
        area.extend(tail);
        assert_eq!(form.bytes(), area.len() as u64);
        (form, area)
    }

    /// Bytes some stretches of which do not get shorter.
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
    fn what_is_read_is_what_was_packed() {
        for (length, block) in [(1, 1024), (1023, 1024), (1024, 1024), (5000, 1024), (200_000, 4096), (70_000, 1 << 16)]
        {
            let raw = raw(length, length as u64);
            let (form, area) = section(&raw, block, 3);
            let cache = Cache::default();
            let bytes = Bytes::packed(Packed::new(form, &area, 4096, 0, &cache));
            assert_eq!((bytes.len(), bytes.all().unwrap().as_ref()), (length, raw.as_slice()));
            let reader = bytes.reader();
            let mut random = fastrand::Rng::with_seed(1);
            for _ in 0..1000 {
                let (a, b) = (random.usize(..length), random.usize(..length));
                assert_eq!(bytes.byte(a).unwrap(), raw[a]);
                assert_eq!(reader.byte(b), raw[b]);
                let range = a.min(b)..a.max(b);
                assert_eq!(bytes.range(range.clone()).unwrap().as_ref(), &raw[range.clone()]);
                let part = bytes.part(range.clone());
                assert!(part.get(range.len()).unwrap().is_none());
                assert!(range.is_empty() || part.byte(0).unwrap() == raw[range.start]);
            }
            assert!(reader.fault().is_ok() && bytes.get(length).unwrap().is_none());
            let pieces: Vec<u8> = bytes.pieces(777).flat_map(|piece| piece.all().unwrap().into_owned()).collect();
            assert_eq!(pieces, raw);
        }
    }

    /// Whatever the bytes of the index and of the frames are, a read gives an answer or a fault.
    #[test]
    fn no_bytes_make_it_panic() {
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
            let bytes = Bytes::packed(Packed::new(form, &area, 0, 0, &cache));
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
    fn an_entry_that_makes_no_sense_is_a_fault() {
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
            let bytes = Bytes::packed(Packed::new(form, &area, 4096, 0, &cache));
            let fault = bytes.byte(0).unwrap_err();
            assert_eq!((fault.section, fault.block, fault.what), (4096, 0, "does not lie in it"));
        }
    }

    #[test]
    fn a_frame_must_have_the_size_of_its_block() {
        let mut out = [0; 100];
        for (length, is_right) in [(99, false), (100, true), (101, false), (5000, false)] {
            let packed = pack(&vec![7; length], 3);
            assert!(packed.bytes.len() < 30);
            assert_eq!(unpack(&packed.bytes, &mut out).is_some(), is_right, "{length}");
        }
        assert!(unpack(&[], &mut out).is_none() && unpack(&[0; 101], &mut out).is_none());
    }
}
