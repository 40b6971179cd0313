//! The header of a table: everything except the labels, and its layout in bytes.
//!
//! ```text
//! offset  bytes
//!      0      8  magic
//!      8      4  format version
//!     12      4  bytes of the header, its padding included: a multiple of 4096
//!     16      8  bytes of the file
//!     24     32  checksum: BLAKE3 of the header with this field zero
//!     56     32  BLAKE3 of the rules as they stand below
//!     88      …  rules, descriptor, tool, domain, sections (docs/reference/format.md)
//! ```

use std::borrow::Cow;
use std::ops::Range;

use super::TableFault;
use super::codec::{Decoder, Encoder, VERSION};
use super::domain;
use super::rules_codec::rules_bytes;
use super::section::{Content, PAGE, Section, all_fit, by_outcome, figures_of};
use super::storage::Backing;
use super::valued::Valued;
use crate::domain::Domain;
use crate::label::{ByLabel, Counts, Label, LabelSet, Remoteness, Width};
use crate::rules::{Descriptor, Outcome, Rules};

/// The first eight bytes: a non-ASCII byte, a name, and line ends that a transfer in text mode would change.
pub const MAGIC: [u8; 8] = *b"\x89TBG\r\n\x1a\n";

const CHECKSUM: Range<usize> = 24..56;
const FIXED: usize = 88;

/// Everything in a table except its labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) rules: Rules,
    pub(super) rules_hash: [u8; 32],
    pub(super) descriptor: Descriptor,
    /// Name and version of the program that wrote it.
    pub(super) tool: String,
    pub(super) domain: Domain,
    pub(super) sections: Vec<Section>,
    /// The boards that have values, if there are any.
    pub(super) valued: Option<Valued>,
}

/// Bytes of a header that are read at a time while its checksum is not verified yet.
const PIECE: u64 = 1 << 20;

const COUNTS: TableFault = TableFault::Malformed("its counts do not add up to its positions");

impl Header {
    /// The header of a table to be written, with its sections placed; filling in digests later does not change its
    /// length. `None` if a size does not fit a `u64`.
    ///
    /// If `counts` cover only reachable positions, `others` counts all boards or colourings. Under symmetry, `others`
    /// counts representatives. `codes` counts the labels of each other kind by their places, where it is known.
    pub(super) fn new(
        rules: &Rules,
        descriptor: &Descriptor,
        domain: Domain,
        labels: LabelSet,
        counts: &[Counts],
        others: Option<&[Counts]>,
        codes: &ByLabel<Vec<u64>>,
    ) -> Option<Self> {
        let rooms = domain::rooms(&domain, rules, labels).filter(|rooms| all_fit(rooms))?;
        let figures = |content: Content| match content.label() {
            None => Vec::new(),
            Some(kind) if kind == Outcome::KIND => {
                let all = counts.iter().chain(others.unwrap_or_default());
                all.flat_map(|counts| [counts.win, counts.draw, counts.loss]).collect()
            }
            Some(kind) => codes.of(kind).cloned().unwrap_or_else(|| vec![0; domain.label_places(rules, kind)]),
        };
        let sections = rooms.into_iter().map(|room| Section::new(room, figures(room.content))).collect();
        let mut header = Self {
            rules: rules.clone(),
            rules_hash: *blake3::hash(&rules_bytes(rules.spec())).as_bytes(),
            descriptor: descriptor.clone(),
            tool: concat!("tablegen ", env!("CARGO_PKG_VERSION")).into(),
            domain,
            sections,
            valued: None,
        };
        header.place();
        Some(header)
    }

    /// The header of a table before anything is counted or compressed; `None` if a size does not fit a `u64`.
    pub(super) fn empty(rules: &Rules, descriptor: &Descriptor, domain: Domain, labels: LabelSet) -> Option<Self> {
        let counts = vec![Counts::default(); rules.modes().len()];
        let others = (domain.is_marked() || domain.has_representatives()).then_some(counts.as_slice());
        Self::new(rules, descriptor, domain, labels, &counts, others, &ByLabel::NONE)
    }

    /// The same header with the sections of values.
    pub(super) fn with_values(mut self, valued: Option<Valued>) -> Self {
        if let Some(valued) = &valued {
            self.sections.extend(valued.rooms().into_iter().map(|(room, figures)| Section::new(room, figures)));
        }
        self.valued = valued;
        self.place();
        self
    }

    /// The same header, with every section compressed in blocks of `block` bytes if its content may be compressed.
    pub(super) fn packed(mut self, block: u32) -> Self {
        self.sections.iter_mut().for_each(|section| section.pack(block));
        self.place();
        self
    }

    /// Places the sections one after the other.
    pub(super) fn place(&mut self) {
        let mut end = self.encode().len() as u64;
        for section in &mut self.sections {
            section.start = end.next_multiple_of(PAGE);
            end = section.end();
        }
    }

    /// Offset of the first byte after the last section, which is the size of the file.
    pub(super) fn end(&self) -> u64 {
        self.sections.last().map_or(0, Section::end)
    }

    /// The counts of outcomes, mode by mode.
    pub(super) fn counts(&self) -> Vec<Counts> {
        let mut counts = self.all_counts();
        counts.truncate(self.rules.modes().len());
        counts
    }

    /// The counts over all boards or colourings, mode by mode; `None` in a table without reachability bits.
    pub(super) fn every(&self) -> Option<Vec<Counts>> {
        self.domain.is_marked().then(|| self.other_counts())
    }

    /// The counts of representatives, by their mode; `None` in a table without symmetry.
    pub(super) fn orbits(&self) -> Option<Vec<Counts>> {
        self.domain.has_representatives().then(|| self.other_counts())
    }

    fn other_counts(&self) -> Vec<Counts> {
        self.all_counts().into_iter().skip(self.rules.modes().len()).collect()
    }

    fn all_counts(&self) -> Vec<Counts> {
        let (modes, _) = figures_of(&self.sections, Outcome::KIND).as_chunks::<3>();
        modes.iter().map(|&[win, draw, loss]| Counts { win, draw, loss }).collect()
    }

    /// The bytes of the header, including padding and checksum.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut e = Encoder::default();
        e.bytes.extend(MAGIC);
        e.u32(VERSION);
        e.u32(0);
        e.u64(self.end());
        e.bytes.resize(CHECKSUM.end, 0);
        e.bytes.extend(self.rules_hash);
        e.rules(self.rules.spec());
        e.descriptor(&self.descriptor);
        e.text(&self.tool);
        domain::encode(&self.domain, &self.rules, &mut e);
        e.u32(self.sections.len() as u32);
        self.sections.iter().for_each(|section| section.encode(&mut e));
        let length = (e.bytes.len() as u64).next_multiple_of(PAGE);
        e.bytes.resize(length as usize, 0);
        e.bytes[12..16].copy_from_slice(&(length as u32).to_le_bytes());
        let checksum = *blake3::hash(&e.bytes).as_bytes();
        e.bytes[CHECKSUM].copy_from_slice(&checksum);
        e.bytes
    }

    /// Reads the header from `file`, and checks everything that can be checked without reading labels.
    pub(super) fn decode(file: &Backing) -> Result<Self, TableFault> {
        Self::decode_from(file.len(), |range| file.read(range))
    }

    /// Checks that a file of `bytes` bytes with this header can be opened. Writers call it before the file gets its
    /// name, so that an unreadable table never replaces a good one.
    ///
    /// # Errors
    /// The fault that a reader would find.
    pub(super) fn check_readable(&self, bytes: u64) -> Result<(), TableFault> {
        let header = self.encode();
        let read = |range: Range<u64>| {
            let bytes = header.get(range.start as usize..range.end as usize);
            bytes.map(Cow::Borrowed).ok_or(TableFault::HeaderChecksum)
        };
        Self::decode_from(bytes, read).map(drop)
    }

    /// Like [`decode`](Self::decode), for a file of `found` bytes; `read` returns a range of them.
    fn decode_from<'a>(
        found: u64,
        read: impl Fn(Range<u64>) -> Result<Cow<'a, [u8]>, TableFault>,
    ) -> Result<Self, TableFault> {
        let fixed = read(0..found.min(FIXED as u64))?;
        let magic = &fixed[..fixed.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) {
            return Err(TableFault::Magic);
        }
        if fixed.len() < FIXED {
            return Err(TableFault::TooShort { found });
        }
        let mut d = Decoder::new(&fixed[MAGIC.len()..]);
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
        // Hash in pieces, without a copy of the whole: a damaged header could claim to have gigabytes.
        if header_bytes > PIECE {
            let mut hasher = hasher(&fixed);
            for start in (CHECKSUM.end as u64..header_bytes).step_by(PIECE as usize) {
                hasher.update(&read(start..header_bytes.min(start + PIECE))?);
            }
            check(&hasher, &fixed)?;
        }
        let body = read(CHECKSUM.end as u64..header_bytes)?;
        check(hasher(&fixed).update(&body), &fixed)?;
        let header = Self::decode_body(&body)?;
        let mut end = header_bytes;
        let mut in_line = true;
        for section in &header.sections {
            in_line &= section.start == end.next_multiple_of(PAGE);
            end = section.end();
        }
        if !in_line || end != found {
            return Err(TableFault::Malformed("its sections lie elsewhere than its header says"));
        }
        Ok(header)
    }

    fn decode_body(bytes: &[u8]) -> Result<Self, TableFault> {
        let mut d = Decoder::new(bytes);
        let rules_hash = d.array()?;
        let rules = d.rules()?;
        if blake3::hash(&rules_bytes(&rules)).as_bytes() != &rules_hash {
            return Err(TableFault::RulesHash);
        }
        let rules = rules.build()?;
        let descriptor = d.descriptor()?;
        let tool = d.text()?;
        let domain = domain::decode(&mut d, &rules)?;
        let sizes = TableFault::Malformed("its sections do not have the size its rules require");
        let possible = domain::rooms(&domain, &rules, LabelSet::ALL).ok_or(sizes)?;
        let sections = Section::decode_all(&mut d, &possible)?;
        if d.rest().iter().any(|&byte| byte != 0) {
            return Err(TableFault::Malformed("its header has data after its last field"));
        }
        let valued = Valued::of(&sections, &rules)?;
        let header = Self { rules, rules_hash, descriptor, tool, domain, sections, valued };
        header.check_counts()?;
        Ok(header)
    }

    /// The most plies of a label of remoteness, by the counts; 0 without such labels.
    fn longest(&self) -> u16 {
        let plies =
            self.sections.iter().filter(|section| section.content.label() == Some(Remoteness::KIND)).map(|section| {
                let width = section.content.width().unwrap_or(Width::Eight);
                let used = section.figures.iter().enumerate().filter(|&(_, &count)| count > 0);
                let ends = used.filter_map(|(place, _)| Remoteness::at_place(place, width)?.end());
                ends.max().unwrap_or(0) as u16
            });
        plies.max().unwrap_or(0)
    }

    /// Checks the counts. There must be three for each mode, with the number of positions in the table as their sum. A
    /// label of one byte must have one count per code, 0 for invalid codes, and the same numbers of losses, draws and
    /// wins; a label of two bytes, a count for each place.
    fn check_counts(&self) -> Result<(), TableFault> {
        let (modes, counts) = (self.rules.modes().len(), self.counts());
        let others = self.every().or_else(|| self.orbits());
        let count = |of: fn(&Counts) -> u64| counts.iter().map(|counts| u128::from(of(counts))).sum::<u128>();
        let outcomes = [count(|counts| counts.loss), count(|counts| counts.draw), count(|counts| counts.win)];
        let of_modes = self.sections.iter().all(|section| match section.content.label() {
            None => section.figures.is_empty() || section.content.is_of_values(),
            Some(kind) if kind == Outcome::KIND => {
                section.figures.len() == if others.is_some() { 6 * modes } else { 3 * modes }
            }
            Some(kind) => {
                let found = by_outcome(kind, section.content.width(), &section.figures);
                let fits = |found: [u128; 3]| match kind.about().decides {
                    true => found == outcomes,
                    false => found.iter().sum::<u128>() == outcomes.iter().sum(),
                };
                section.figures.len() == self.domain.label_places(&self.rules, kind) && found.is_some_and(fits)
            }
        });
        let sum = |counts: &Counts| [counts.win, counts.draw, counts.loss].into_iter().map(u128::from).sum::<u128>();
        let every = self.every();
        let is_some = |(reached, every): (&Counts, &Counts)| {
            Outcome::BEST_FIRST.iter().all(|&outcome| reached.with(outcome) <= every.with(outcome))
        };
        let are_some = every.as_ref().is_none_or(|every| counts.iter().zip(every).all(is_some));
        let every = every.as_ref().unwrap_or(&counts);
        let add_up = match &self.domain {
            Domain::Dense { .. } => every.iter().all(|counts| sum(counts) == 1 << self.rules.cells()),
            Domain::Sparse { levels, group, .. } if group.is_trivial() => {
                outcomes.iter().sum::<u128>() == u128::from(levels.count())
            }
            Domain::Sparse { levels, .. } => {
                let orbits = others.unwrap_or_default();
                let of = |outcome| orbits.iter().map(|counts: &Counts| u128::from(counts.with(outcome))).sum::<u128>();
                let are_some = |&outcome: &Outcome| of(outcome) <= outcomes[outcome as usize];
                orbits.iter().map(sum).sum::<u128>() == u128::from(levels.count())
                    && Outcome::BEST_FIRST.iter().all(are_some)
            }
            Domain::Regions { regions, longest, .. } => {
                let stored = others.as_deref().unwrap_or(&counts);
                let of = |counts: &[Counts], outcome| {
                    counts.iter().map(|counts| u128::from(counts.with(outcome))).sum::<u128>()
                };
                let are_some = |&outcome: &Outcome| of(stored, outcome) <= of(&counts, outcome);
                stored.iter().map(sum).sum::<u128>() == u128::from(regions.numbers())
                    && Outcome::BEST_FIRST.iter().all(are_some)
                    && counts.iter().map(sum).eq(regions.boards_by_mode(counts.len()).into_iter().map(u128::from))
                    && self.sections.iter().any(|section| section.content.label() == Some(Remoteness::KIND))
                    && *longest == self.longest()
            }
            Domain::Coloured(frame) => every.iter().map(sum).sum::<u128>() == u128::from(frame.count().unwrap_or(0)),
        };
        if of_modes && add_up && are_some { Ok(()) } else { Err(COUNTS) }
    }
}

/// The hash of a header's first bytes `fixed`, with the checksum field zero; the caller adds the rest.
fn hasher(fixed: &[u8]) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&fixed[..CHECKSUM.start]).update(&[0; CHECKSUM.end - CHECKSUM.start]);
    hasher
}

/// Checks that a header has the checksum in its first bytes.
fn check(hasher: &blake3::Hasher, fixed: &[u8]) -> Result<(), TableFault> {
    if hasher.finalize().as_bytes() == &fixed[CHECKSUM] { Ok(()) } else { Err(TableFault::HeaderChecksum) }
}
