//! The header of a table: everything but the labels, and how it is laid out in bytes.
//!
//! ```text
//! offset  bytes
//!      0      8  magic
//!      8      4  format version
//!     12      4  bytes of the header, its padding included: a multiple of 4096
//!     16      8  bytes of the file
//!     24     32  checksum: BLAKE3 of the header with this field zero
//!     56     32  BLAKE3 of the rules as they stand below
//!     88      …  rules, descriptor, tool, coverage, layout, counts, sections (docs/format.md)
//! ```

use super::TableFault;
use super::codec::{Decoder, Encoder, rules_bytes};
use crate::plane::{Counts, Layout, Shape};
use crate::reachable::{LevelSize, Levels};
use crate::rules::{Descriptor, Position, Rules};

/// The first eight bytes: a byte that is no ASCII, a name, and line ends that a transfer as text would change.
pub const MAGIC: [u8; 8] = *b"\x89TBG\r\n\x1a\n";
/// The format version this library writes and reads.
pub const VERSION: u32 = 1;
/// Sections begin at multiples of this many bytes.
pub(super) const PAGE: u64 = 4096;
/// Bytes under one checksum. Small enough that a probe can afford to check what it reads (13 µs), large enough that the
/// list stays small (0.05 % of the table).
pub(super) const BLOCK: u64 = 1 << 16;
/// Bytes of a checksum.
pub(super) const HASH: u64 = 32;

const CHECKSUM: std::ops::Range<usize> = 24..56;
const FIXED: usize = 88;
/// Section kinds: the planes of every position; the keys of those reached, and their outcomes in the order of the keys.
const OUTCOME: u32 = 1;
const KEYS: u32 = 2;
const REACHED_OUTCOME: u32 = 3;
/// Every (mode, board) has its label.
const EVERY_POSITION: u8 = 0;
/// The positions that can be reached from the roots have theirs.
const REACHED: u8 = 1;
/// No section of any table is larger, so that sums of offsets fit their type.
const LARGEST: u64 = u64::MAX / 4;

/// A run of labels in the file, and the checksums of its blocks right behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Section {
    /// Offset of its first byte in the file.
    pub(super) start: u64,
    /// Its bytes.
    pub(super) bytes: u64,
    /// BLAKE3 of its list of block checksums.
    pub(super) digest: [u8; 32],
}

impl Section {
    /// Number of checksummed blocks; the last may be shorter.
    pub(super) const fn blocks(&self) -> u64 {
        self.bytes.div_ceil(BLOCK)
    }

    /// Offset of the list of checksums.
    pub(super) const fn checksums(&self) -> u64 {
        self.start + self.bytes
    }

    /// Offset of the first byte behind the section and its checksums.
    pub(super) const fn end(&self) -> u64 {
        self.checksums() + self.blocks() * HASH
    }
}

/// All of a table but its labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) rules: Rules,
    pub(super) rules_hash: [u8; 32],
    pub(super) descriptor: Descriptor,
    /// Name and version of the program that wrote it.
    pub(super) tool: String,
    pub(super) coverage: Coverage,
    /// Outcomes counted, mode by mode.
    pub(super) counts: Vec<Counts>,
    /// One for [`Coverage::Every`], the planes; two for [`Coverage::Reached`], keys and outcomes.
    pub(super) sections: Vec<Section>,
}

/// Which positions have labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Coverage {
    /// Every (mode, board), in planes of this layout.
    Every(Layout),
    /// Those that can be reached from the roots.
    Reached {
        /// How many there are of each number of filled cells.
        levels: Levels,
        /// Where play was followed from: sorted, each once.
        roots: Vec<Position>,
    },
}

impl Coverage {
    /// Kind and bytes of each section, in the order of the file.
    pub(super) fn sections(&self, rules: &Rules) -> Option<Vec<(u32, u64)>> {
        Some(match self {
            Self::Every(_) => vec![(OUTCOME, Shape::of(rules).bytes()?)],
            Self::Reached { levels, .. } => {
                vec![(KEYS, levels.key_bytes()), (REACHED_OUTCOME, levels.outcome_bytes())]
            }
        })
    }

    fn encode(&self, e: &mut Encoder) {
        match self {
            Self::Every(layout) => {
                e.u8(EVERY_POSITION);
                e.bytes.extend(layout.permutation());
            }
            Self::Reached { levels, roots } => {
                e.u8(REACHED);
                e.u32(roots.len() as u32);
                roots.iter().for_each(|&root| e.position(root));
                e.u32(levels.sizes().len() as u32);
                for size in levels.sizes() {
                    e.u8(size.filled as u8);
                    e.u64(size.count);
                }
            }
        }
    }

    fn decode(d: &mut Decoder<'_>, rules: &Rules) -> Result<Self, TableFault> {
        match d.u8()? {
            EVERY_POSITION => Layout::new(d.take(rules.cells() as usize)?.to_vec())
                .map(Self::Every)
                .map_err(|_| TableFault::Malformed("its layout is no permutation of its cells")),
            REACHED => {
                let roots = d.list(Decoder::position)?;
                if roots.is_empty() || !roots.is_sorted_by(|a, b| a < b) || !roots.iter().all(|&root| rules.has(root)) {
                    return Err(TableFault::Malformed("its roots are not positions of its rules in their order"));
                }
                let sizes = d.list(|d| Ok(LevelSize { filled: u32::from(d.u8()?), count: d.u64()? }))?;
                let malformed = TableFault::Malformed("its levels are not those of a board with so many cells");
                let levels = Levels::new(rules, &sizes).filter(|levels| levels.count() > 0);
                Ok(Self::Reached { levels: levels.ok_or(malformed)?, roots })
            }
            _ => Err(TableFault::Malformed("its coverage is of a kind that this version does not know")),
        }
    }
}

const COUNTS: TableFault = TableFault::Malformed("its counts do not add up to its positions");

impl Header {
    /// Offset of the first byte behind the last section: the bytes of the file.
    pub(super) fn end(&self) -> u64 {
        self.sections.last().map_or(0, Section::end)
    }

    /// Puts the sections one behind the other, each at the beginning of a page, the first behind the header.
    pub(super) fn place_sections(&mut self) {
        let mut end = self.encode().len() as u64;
        for section in &mut self.sections {
            section.start = end.next_multiple_of(PAGE);
            end = section.end();
        }
    }

    /// The header's bytes, padding and checksum included.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut e = Encoder::default();
        let rules = rules_bytes(self.rules.spec());
        e.bytes.extend(MAGIC);
        e.u32(VERSION);
        e.u32(0);
        e.u64(self.end());
        e.bytes.resize(CHECKSUM.end, 0);
        e.bytes.extend(self.rules_hash);
        e.bytes.extend(rules);
        e.descriptor(&self.descriptor);
        e.text(&self.tool);
        self.coverage.encode(&mut e);
        for counts in &self.counts {
            e.u64(counts.win);
            e.u64(counts.draw);
            e.u64(counts.loss);
        }
        let kinds = self.coverage.sections(&self.rules).unwrap_or_default();
        e.u32(self.sections.len() as u32);
        for ((kind, _), section) in kinds.into_iter().zip(&self.sections) {
            e.u32(kind);
            e.u64(section.start);
            e.u64(section.bytes);
            e.u32(BLOCK as u32);
            e.bytes.extend(section.digest);
        }
        let length = (e.bytes.len() as u64).next_multiple_of(PAGE);
        e.bytes.resize(length as usize, 0);
        e.bytes[12..16].copy_from_slice(&(length as u32).to_le_bytes());
        let checksum = *blake3::hash(&e.bytes).as_bytes();
        e.bytes[CHECKSUM].copy_from_slice(&checksum);
        e.bytes
    }

    /// Reads the header of a table of `file`'s bytes and checks all that can be checked without reading labels.
    pub(super) fn decode(file: &[u8]) -> Result<Self, TableFault> {
        let found = file.len() as u64;
        let magic = &file[..file.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) {
            return Err(TableFault::Magic);
        }
        if file.len() < FIXED {
            return Err(TableFault::TooShort { found });
        }
        let mut d = Decoder::new(&file[MAGIC.len()..]);
        let version = d.u32()?;
        if version != VERSION {
            return Err(TableFault::Version { expected: VERSION, found: version });
        }
        let header_bytes = u64::from(d.u32()?);
        let expected = d.u64()?;
        if expected != found {
            return Err(TableFault::Length { expected, found });
        }
        if header_bytes > found || header_bytes < FIXED as u64 || !header_bytes.is_multiple_of(PAGE) {
            return Err(TableFault::HeaderChecksum);
        }
        // In pieces and not in a copy: a header that says it has gigabytes is not worth the memory.
        let mut hasher = blake3::Hasher::new();
        hasher.update(&file[..CHECKSUM.start]).update(&[0; CHECKSUM.end - CHECKSUM.start]);
        hasher.update(&file[CHECKSUM.end..header_bytes as usize]);
        if hasher.finalize().as_bytes() != &file[CHECKSUM] {
            return Err(TableFault::HeaderChecksum);
        }
        let header = Self::decode_body(&file[CHECKSUM.end..header_bytes as usize])?;
        let mut end = header_bytes;
        let mut in_line = true;
        for section in &header.sections {
            in_line &= section.start == end.next_multiple_of(PAGE);
            end = section.end();
        }
        if !in_line || end != found {
            return Err(TableFault::Malformed("its sections are not where its header says"));
        }
        Ok(header)
    }

    fn decode_body(bytes: &[u8]) -> Result<Self, TableFault> {
        let mut d = Decoder::new(bytes);
        let rules_hash = d.array()?;
        let before = d.rest();
        let rules = d.rules()?;
        let encoded = &before[..before.len() - d.rest().len()];
        if blake3::hash(encoded).as_bytes() != &rules_hash {
            return Err(TableFault::RulesHash);
        }
        let rules = rules.build()?;
        let descriptor = d.descriptor()?;
        let tool = d.text()?;
        let coverage = Coverage::decode(&mut d, &rules)?;
        let (mut counts, mut total) = (Vec::new(), 0u128);
        for _ in rules.modes() {
            let of_mode = Counts { win: d.u64()?, draw: d.u64()?, loss: d.u64()? };
            let sum = [of_mode.win, of_mode.draw, of_mode.loss].into_iter().map(u128::from).sum::<u128>();
            if matches!(coverage, Coverage::Every(_)) && sum != 1 << rules.cells() {
                return Err(COUNTS);
            }
            total += sum;
            counts.push(of_mode);
        }
        if matches!(&coverage, Coverage::Reached { levels, .. } if u128::from(levels.count()) != total) {
            return Err(COUNTS);
        }
        let sizes = TableFault::Malformed("its sections do not have the size its rules ask for");
        let Some(expected) = coverage.sections(&rules) else { return Err(sizes) };
        if d.u32()? as usize != expected.len() {
            return Err(TableFault::Malformed("its labels are of a kind that this version does not know"));
        }
        let mut sections = Vec::with_capacity(expected.len());
        for expected in expected {
            let (kind, start, bytes, block) = (d.u32()?, d.u64()?, d.u64()?, d.u32()?);
            if kind != expected.0 {
                return Err(TableFault::Malformed("its labels are of a kind that this version does not know"));
            }
            if u64::from(block) != BLOCK || bytes != expected.1 || start > LARGEST || bytes > LARGEST {
                return Err(sizes);
            }
            sections.push(Section { start, bytes, digest: d.array()? });
        }
        if d.rest().iter().any(|&byte| byte != 0) {
            return Err(TableFault::Malformed("its header goes on where nothing is expected"));
        }
        Ok(Self { rules, rules_hash, descriptor, tool, coverage, counts, sections })
    }
}
