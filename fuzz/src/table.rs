//! Table files: opening, look-ups and checks end with an answer or an error.
//!
//! The first byte of an input is a set of flags. With [`SHORT`], a short form follows, from which a file with valid
//! checksums is made: the header from its 88th byte without its padding, behind its length, and the sections without
//! checksums and indexes. A compressed section begins with the lengths of its blocks. Otherwise a file follows.

use std::io::Write;

use super::forge;
use tablegen::game;
use tablegen::rules::{Board, Mode, Node, Position};
use tablegen::table::{MAGIC, Table, VERSION};
use tablegen::verify::{self, Options, Scope};

/// The flag of a short form.
pub const SHORT: u8 = 1;
/// The flag of a table that stays in its file and is read by block.
pub const BY_BLOCK: u8 = 2;

/// Bytes of a header whose places are fixed.
pub const FIXED: usize = 88;
/// The unit in which headers and sections are placed.
const PAGE: usize = 4096;
/// Blocks under one hash of an index.
const ENTRIES: usize = 1024;
/// The most bytes of a file that a short form can make.
const MOST_BYTES: usize = 1 << 18;
/// The most bytes of labels that are all checked: the check takes seconds for large tables.
const MOST_CHECKED: u64 = 1 << 13;

pub fn run(data: &[u8]) {
    let Some((&flags, rest)) = data.split_first() else { return };
    let bytes = if flags & SHORT == 0 { rest.to_vec() } else { expanded(rest) };
    if flags & BY_BLOCK == 0 {
        let Ok(table) = Table::from_bytes(bytes) else { return };
        exercise(&table);
        if let Ok(checked) = table.checked() {
            exercise(&checked);
        }
    } else {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(&bytes).expect("a writable file");
        if let Ok(table) = Table::open_by_block(file.path()) {
            exercise(&table);
        }
    }
}

/// Asks every kind of question of a table that was accepted.
fn exercise(table: &Table) {
    let rules = table.rules();
    let sample = Options { scope: Scope::Sample { count: 5, seed: 0 }, limit: Some(50), ..Options::default() };
    if table.raw_bytes() <= MOST_CHECKED {
        let _ = verify::bytes(table, &Options::default());
        let _ = verify::labels(table, &Options::default());
        let _ = verify::values(table, &Options::default());
    }
    let _ = verify::labels(table, &sample);
    let _ = verify::oracle(table, &sample);
    let _ = table.probe(Node::Opening);
    let boards = (0..40).flat_map(|board| (0..2).map(move |mode| Position::new(Mode(mode), Board::from_word(board))));
    for position in boards.filter(|&position| rules.has(position)) {
        let _ = table.probe(position);
    }
    let _ = table.find(Position::new(Mode(u16::MAX), !Board::EMPTY));
    let game = game::of_table(rules, table.descriptor());
    let _ = (game.write(Node::Opening), game.draw(rules.start_node()), format!("{table:?}"));
}

/// The places of the fields of a section in a header.
#[derive(Clone, Debug, Default)]
pub struct SectionFields {
    pub start: usize,
    pub bytes: usize,
    pub block: usize,
    /// Only in a compressed section.
    pub stored: Option<usize>,
    pub digest: usize,
}

/// The places of the fields of every complete section in the header of `table`.
pub fn section_fields(table: &[u8]) -> Vec<SectionFields> {
    let (mut all, mut next) = (Vec::new(), SectionFields::default());
    for field in forge::fields(table) {
        let at = field.at.start;
        match field.name {
            "section.kind" => next = SectionFields::default(),
            "section.start" => next.start = at,
            "section.bytes" => next.bytes = at,
            "section.block" => next.block = at,
            "section.stored" => next.stored = Some(at),
            "section.digest" => {
                next.digest = at;
                all.push(next.clone());
            }
            _ => {}
        }
    }
    all
}

/// The file of a short form.
pub fn expanded(short: &[u8]) -> Vec<u8> {
    let mut table = [&MAGIC[..], &VERSION.to_le_bytes(), &[0; FIXED - 12]].concat();
    let mut rest = short;
    let header = (number(&take(&mut rest, 2)) as usize).min(rest.len());
    table.extend(take(&mut rest, header));
    table.resize(table.len().next_multiple_of(PAGE), 0);
    let length = table.len() as u32;
    table[12..16].copy_from_slice(&length.to_le_bytes());
    for fields in section_fields(&table) {
        let start = table.len().next_multiple_of(PAGE);
        let bytes = number(&table[fields.bytes..][..8]);
        let stored = fields.stored.map_or(bytes, |at| number(&table[at..][..8]));
        let blocks = bytes.div_ceil(number(&table[fields.block..][..4]).max(1));
        // A larger file is left incomplete, and so is refused.
        if stored > (MOST_BYTES - start.min(MOST_BYTES)) as u64 || blocks > MOST_BYTES as u64 / 44 {
            break;
        }
        table.resize(start, 0);
        table[fields.start..][..8].copy_from_slice(&(start as u64).to_le_bytes());
        let (section, tail) = match fields.stored {
            None => plain(&mut rest, stored as usize),
            Some(_) => compressed(&mut rest, stored as usize, blocks as usize),
        };
        let hashes = if fields.stored.is_some() { &tail[44 * blocks as usize..] } else { &tail[..] };
        table[fields.digest..][..32].copy_from_slice(blake3::hash(hashes).as_bytes());
        table.extend(section);
        table.extend(tail);
    }
    let length = table.len() as u64;
    table[16..24].copy_from_slice(&length.to_le_bytes());
    forge::seal_header(&mut table);
    table
}

/// A section, and the checksums after it.
fn plain(rest: &mut &[u8], bytes: usize) -> (Vec<u8>, Vec<u8>) {
    let section = take(rest, bytes);
    let hashes = section.chunks(forge::BLOCK).flat_map(|block| *blake3::hash(block).as_bytes()).collect();
    (section, hashes)
}

/// A compressed section, and the index after it.
fn compressed(rest: &mut &[u8], stored: usize, blocks: usize) -> (Vec<u8>, Vec<u8>) {
    let lengths = take(rest, 2 * blocks);
    let section = take(rest, stored);
    let (mut index, mut offset) = (Vec::new(), 0);
    for length in lengths.chunks(2) {
        let length = number(length) as usize;
        let block = section.get(offset..(offset + length).min(stored)).unwrap_or_default();
        index.extend((offset as u64).to_le_bytes());
        index.extend((length as u32).to_le_bytes());
        index.extend(blake3::hash(block).as_bytes());
        offset += length;
    }
    let pages: Vec<u8> = index.chunks(44 * ENTRIES).flat_map(|page| *blake3::hash(page).as_bytes()).collect();
    (section, [index, pages].concat())
}

/// The next bytes of `rest`, and zeros if there are too few.
fn take(rest: &mut &[u8], count: usize) -> Vec<u8> {
    let (taken, left) = rest.split_at(count.min(rest.len()));
    *rest = left;
    let mut taken = taken.to_vec();
    taken.resize(count, 0);
    taken
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
