//! The sections of a table: byte ranges with one kind of content each.

use super::TableFault;
use super::codec::{Decoder, Encoder};
use crate::compressed::{Form, is_available};
use crate::label::{Label, LabelKind, Width};
use crate::rules::Outcome;
use tablegen_labels::with_byte_label;

/// Sections begin at multiples of this many bytes.
pub(super) const PAGE: u64 = 4096;
/// Bytes covered by one checksum: small enough for a probe to check what it reads (13 µs), large enough to keep the
/// list small (0.05 % of the table).
pub(super) const BLOCK: u64 = 1 << 16;
/// Bytes of a checksum.
pub(super) const HASH: u64 = 32;
/// Maximum size of a section, so that sums of offsets do not overflow.
const LARGEST: u64 = u64::MAX / 4;

/// The content of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// A label of every (mode, board), as bit planes.
    Planes(LabelKind, Width),
    /// The keys of the reachable positions.
    Keys,
    /// A label of the reachable positions, in the order of their keys, or of boards by regions, in the order of their numbers.
    Column(LabelKind, Width),
    /// A label of every colouring.
    Colourings(LabelKind, Width),
    /// The reachability bits.
    Reached,
    /// The keys of the boards that have values.
    BoardKeys,
    /// The number of the value of each board.
    Values(TurnEnds),
    /// The canonical forms of the values.
    Dictionary,
}

/// The rule for the end of a turn that the values of a table follow.
///
/// The kinds differ because older versions ended a turn in the mode in which the player begins turns, although the player moved again
/// there. Their values of such games are wrong, and are never read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TurnEnds {
    /// In each mode in which turns begin: no player moves again there.
    InModes,
    /// Where the other player is to move: a player may move again in the mode in which that player begins turns.
    WithPlayer,
}

/// The content of a section and its size, which follow from the rules and the levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Room {
    pub(super) content: Content,
    pub(super) bytes: u64,
}

/// A range of bytes in the file, followed by the checksums of its blocks. Compressed, it is followed by an index that
/// holds them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Section {
    pub(super) content: Content,
    /// Offset of the section's first byte in the file.
    pub(super) start: u64,
    /// Bytes of the section before compression.
    pub(super) bytes: u64,
    /// The form of its compressed blocks, if it is compressed.
    pub(super) packed: Option<Form>,
    /// BLAKE3 of the list of block checksums; if compressed, of the list at the end of its index.
    pub(super) digest: [u8; 32],
    /// Counts of its labels. For outcomes: wins, draws and losses, mode by mode; with reachability bits, first over
    /// reachable positions, then over all. For a one-byte label: the number of positions with each of the 256 codes,
    /// all modes together; for remoteness of two bytes, draws by repetition, then wins, draws and losses in 0 plies, in 1 ply and so on; for scores of two bytes,
    /// the scores 0, +1, -1, +2, -2 and so on. For
    /// keys of boards: their number. For a dictionary: the number of values, and of their options.
    pub(super) figures: Vec<u64>,
}

const UNKNOWN: TableFault = TableFault::Malformed("this version does not know the kind of one of its sections");
const SIZES: TableFault = TableFault::Malformed("its sections do not have the size its rules require");

impl Content {
    /// The numbers that represent the content in a file: kind, label, bits per label.
    const fn numbers(self) -> [u8; 3] {
        match self {
            Self::Planes(kind, width) => [1, kind.number(), width.bits() as u8],
            Self::Keys => [2, 0, 0],
            Self::Column(kind, width) => [3, kind.number(), width.bits() as u8],
            Self::Colourings(kind, width) => [4, kind.number(), width.bits() as u8],
            Self::Reached => [5, 0, 1],
            Self::BoardKeys => [6, 0, 0],
            Self::Values(TurnEnds::InModes) => [7, 0, 32],
            Self::Values(TurnEnds::WithPlayer) => [9, 0, 32],
            Self::Dictionary => [8, 0, 0],
        }
    }
}

impl Content {
    /// True if the content may be compressed. Keys never are. They are mixed so that they look random, so compression
    /// saves only a tenth, and a lookup would have to decompress two blocks. A dictionary is small, and read at random.
    pub(super) const fn may_be_packed(self) -> bool {
        !matches!(self, Self::Keys | Self::BoardKeys | Self::Dictionary)
    }

    /// True if the content belongs to the values of boards.
    pub(super) const fn is_of_values(self) -> bool {
        matches!(self, Self::BoardKeys | Self::Values(_) | Self::Dictionary)
    }

    /// The label kind of the content, if it is a label.
    pub(super) const fn label(self) -> Option<LabelKind> {
        match self {
            Self::Planes(kind, _) | Self::Column(kind, _) | Self::Colourings(kind, _) => Some(kind),
            Self::Keys | Self::Reached | Self::BoardKeys | Self::Values(_) | Self::Dictionary => None,
        }
    }
}

impl Content {
    /// The number of bits of a label; `None` if the content has no label.
    pub(super) const fn width(self) -> Option<Width> {
        match self {
            Self::Planes(_, width) | Self::Column(_, width) | Self::Colourings(_, width) => Some(width),
            Self::Keys | Self::Reached | Self::BoardKeys | Self::Values(_) | Self::Dictionary => None,
        }
    }
}

impl Section {
    /// A section to be written.
    pub(super) const fn new(room: Room, figures: Vec<u64>) -> Self {
        Self { content: room.content, start: 0, bytes: room.bytes, packed: None, digest: [0; 32], figures }
    }

    /// Marks the section as compressed in blocks of `block` bytes, if its content may be compressed. Until its blocks
    /// are written, the section reserves the most that they can take.
    pub(super) fn pack(&mut self, block: u32) {
        if self.content.may_be_packed() {
            self.packed = Form::new(self.bytes, block, self.bytes);
        }
    }

    /// Bytes of a block; the last may be shorter.
    pub(super) const fn block(&self) -> u64 {
        match &self.packed {
            Some(form) => form.block() as u64,
            None => BLOCK,
        }
    }

    /// Number of checksummed blocks.
    pub(super) const fn blocks(&self) -> u64 {
        self.bytes.div_ceil(self.block())
    }

    /// Offset of the list of checksums; if compressed, of the list at the end of the index.
    pub(super) const fn checksums(&self) -> u64 {
        match &self.packed {
            Some(form) => self.start + form.list().start,
            None => self.start + self.bytes,
        }
    }

    /// Offset of the first byte after the section and its checksums.
    pub(super) const fn end(&self) -> u64 {
        match &self.packed {
            Some(form) => self.start + form.bytes(),
            None => self.checksums() + self.blocks() * HASH,
        }
    }

    pub(super) fn encode(&self, e: &mut Encoder) {
        self.content.numbers().into_iter().chain([self.packed.is_some().into()]).for_each(|number| e.u8(number));
        e.u64(self.start);
        e.u64(self.bytes);
        e.u32(self.block() as u32);
        if let Some(form) = self.packed {
            e.u64(form.stored());
        }
        e.bytes.extend(self.digest);
        e.u32(self.figures.len() as u32);
        self.figures.iter().for_each(|&figure| e.u64(figure));
    }

    /// Reads the next section, which must be the expected one.
    fn decode_expected(d: &mut Decoder<'_>, expected: Room) -> Result<Self, TableFault> {
        let section = Self::decode(d, expected.content)?;
        if section.bytes == expected.bytes { Ok(section) } else { Err(SIZES) }
    }

    /// Reads the next section, which must have the content `expected`. The caller checks its size.
    pub(super) fn decode(d: &mut Decoder<'_>, expected: Content) -> Result<Self, TableFault> {
        let numbers: [u8; 4] = d.array()?;
        let [kind, label, bits] = expected.numbers();
        let [.., packing] = numbers;
        if numbers != [kind, label, bits, packing] || packing > u8::from(expected.may_be_packed()) {
            return Err(UNKNOWN);
        }
        if packing != 0 && !is_available() {
            return Err(TableFault::PackedUnread);
        }
        let (start, bytes, block) = (d.u64()?, d.u64()?, d.u32()?);
        if start > LARGEST || bytes > LARGEST {
            return Err(SIZES);
        }
        let packed = match packing {
            0 if u64::from(block) == BLOCK => None,
            0 => return Err(SIZES),
            _ => Some(Form::new(bytes, block, d.u64()?).ok_or(SIZES)?),
        };
        let digest = d.array()?;
        Ok(Self { content: expected, start, bytes, packed, digest, figures: d.list(Decoder::u64)? })
    }

    /// Reads the sections. They must be a subsequence of `possible`, the sections of a table with every label, followed by the sections of
    /// values, if there are any. Sections without a label and the outcome section are required.
    pub(super) fn decode_all(d: &mut Decoder<'_>, possible: &[Room]) -> Result<Vec<Self>, TableFault> {
        let count = d.u32()? as usize;
        let mut sections: Vec<Self> = Vec::new();
        let is_next = |d: &Decoder<'_>, done: usize, content: Content| {
            let [kind, label, bits] = content.numbers();
            done < count && d.rest().starts_with(&[kind, label, bits])
        };
        for &room in possible {
            let is_required = room.content.label().is_none_or(|label| label == LabelKind::Outcome);
            if is_required || is_next(d, sections.len(), room.content) {
                sections.push(Self::decode_expected(d, room)?);
            }
        }
        let values = [TurnEnds::InModes, TurnEnds::WithPlayer].map(Content::Values);
        for content in [&[Content::BoardKeys], &values[..], &[Content::Dictionary]].concat() {
            if is_next(d, sections.len(), content) {
                sections.push(Self::decode(d, content)?);
            }
        }
        if sections.len() == count { Ok(sections) } else { Err(UNKNOWN) }
    }
}

/// True if the sizes of the sections can be added up without overflow.
pub(super) fn all_fit(rooms: &[Room]) -> bool {
    rooms.iter().all(|room| room.bytes <= LARGEST)
}

/// The number of the section that holds label `kind`.
pub(super) fn section_of(sections: &[Section], kind: LabelKind) -> Option<usize> {
    sections.iter().position(|section| section.content.label() == Some(kind))
}

/// The counts of label `kind`; empty if no section holds it.
pub(super) fn figures_of(sections: &[Section], kind: LabelKind) -> &[u64] {
    section_of(sections, kind).map_or(&[], |number| &sections[number].figures)
}

/// The numbers of losses, draws and wins, given the number of positions with each label of `width`, by place. `None` if
/// no label has such a place. A nimber is 0 exactly for a loss.
pub(super) fn by_outcome(kind: LabelKind, width: Option<Width>, counts: &[u64]) -> Option<[u128; 3]> {
    let mut sums = [0; 3];
    for (place, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let outcome: Outcome = with_byte_label!(kind, L => L::at_place(place, width?)?.into());
        sums[outcome as usize] += u128::from(count);
    }
    Some(sums)
}
