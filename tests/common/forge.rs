//! Forges tables: changes them in ways that no writer does, and makes their checksums valid again.
//!
//! The forger is written from `docs/reference/format.md` without any code of the library. It knows where each field of a
//! header is and which bytes each hash covers. So it also checks that page.

use std::ops::Range;

/// A field of a header, and its place in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) at: Range<usize>,
}

/// The number of bytes under one checksum.
pub(crate) const BLOCK: usize = 65_536;

/// Every field of the header of `table`, in order and without gaps. If the header contradicts itself, the list ends at
/// the contradiction.
pub(crate) fn fields(table: &[u8]) -> Vec<Field> {
    let mut walk = Walk { table, fields: Vec::new() };
    let _ = walk.header();
    walk.fields
}

/// The first field called `name`.
pub(crate) fn field(table: &[u8], name: &str) -> Range<usize> {
    let found = fields(table).into_iter().find(|field| field.name == name);
    found.unwrap_or_else(|| panic!("no field {name}")).at
}

/// Overwrites the first field called `name` with the low bytes of `value`.
pub(crate) fn set(table: &mut [u8], name: &str, value: u64) {
    let at = field(table, name);
    let size = at.len();
    table[at].copy_from_slice(&value.to_le_bytes()[..size]);
}

/// Makes the hash of the rules and the checksum of the header valid, as far as the header can be read.
pub(crate) fn seal_header(table: &mut [u8]) {
    let found = fields(table);
    let start = |name: &str| found.iter().find(|field| field.name == name).map(|field| field.at.start);
    if let (Some(rules), Some(descriptor)) = (start("name.length"), start("family.length")) {
        let hash = blake3::hash(&table[rules..descriptor]);
        table[56..88].copy_from_slice(hash.as_bytes());
    }
    let header = (number(&table[12..16]) as usize).min(table.len());
    table[24..56].fill(0);
    let hash = blake3::hash(&table[..header]);
    table[24..56].copy_from_slice(hash.as_bytes());
}

/// Makes every checksum valid: of the blocks of each section, of the lists of block checksums, and of the header.
pub(crate) fn seal_all(table: &mut [u8]) {
    for (number, section) in sections(table).into_iter().enumerate() {
        let list = list_of(&section);
        let hashes: Vec<u8> = table[section].chunks(BLOCK).flat_map(|block| *blake3::hash(block).as_bytes()).collect();
        let digest = blake3::hash(&hashes);
        table[list].copy_from_slice(&hashes);
        let at = every(table, "section.digest").swap_remove(number);
        table[at].copy_from_slice(digest.as_bytes());
    }
    seal_header(table);
}

/// All fields called `name`.
pub(crate) fn every(table: &[u8], name: &str) -> Vec<Range<usize>> {
    fields(table).into_iter().filter(|field| field.name == name).map(|field| field.at).collect()
}

/// The bytes of each section. A dense table has the labels; a sparse table the keys, then the labels; a two-colour
/// table the outcomes, the reachability bits, then the other labels.
pub(crate) fn sections(table: &[u8]) -> Vec<Range<usize>> {
    let numbers = |name| every(table, name).into_iter().map(|at| number(&table[at]) as usize);
    numbers("section.start").zip(numbers("section.bytes")).map(|(start, bytes)| start..start + bytes).collect()
}

/// The place of the list of checksums that follows a section.
pub(crate) fn list_of(section: &Range<usize>) -> Range<usize> {
    section.end..section.end + section.len().div_ceil(BLOCK) * 32
}

/// The number that `bytes` hold, the least significant byte first.
pub(crate) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

struct Walk<'a> {
    table: &'a [u8],
    fields: Vec<Field>,
}

impl Walk<'_> {
    /// Takes a field of `size` bytes, and returns its value, or its first eight bytes if it is longer.
    fn take(&mut self, name: &'static str, size: usize) -> Option<u64> {
        let start = self.fields.last().map_or(0, |field| field.at.end);
        let at = start..start.checked_add(size)?;
        let value = number(self.table.get(at.clone())?.get(..size.min(8))?);
        self.fields.push(Field { name, at });
        Some(value)
    }

    fn text(&mut self, length: &'static str, name: &'static str) -> Option<()> {
        let size = self.take(length, 4)?;
        self.take(name, size as usize).map(|_| ())
    }

    /// Takes a count and that number of items, each with the fields in `item`. Returns the count.
    fn list(&mut self, count: &'static str, item: &[(&'static str, usize)]) -> Option<u64> {
        let items = self.take(count, 4)?;
        // Forged rules may have no cells and no modes: a list of nothing would never leave the header.
        if item.iter().all(|&(_, size)| size == 0) {
            return None;
        }
        for _ in 0..items {
            for &(name, size) in item {
                self.take(name, size)?;
            }
        }
        Some(items)
    }

    fn section(&mut self) -> Option<()> {
        self.take("section.kind", 1)?;
        let label = self.take("section.label", 1)?;
        for name in ["section.bits", "section.compression"] {
            self.take(name, 1)?;
        }
        let is_compressed = self.table[self.fields.last()?.at.start] == 1;
        for (name, size) in [("section.start", 8), ("section.bytes", 8), ("section.block", 4)] {
            self.take(name, size)?;
        }
        if is_compressed {
            self.take("section.stored", 8)?;
        }
        self.take("section.digest", 32)?;
        // Outcomes have three figures for each mode, in this order. Another label has one figure for each value of a
        // byte.
        let figures: &[&str] =
            if label > 1 { &["figure.code"] } else { &["figure.wins", "figure.draws", "figure.losses"] };
        for figure in 0..self.take("figures.count", 4)? {
            self.take(figures[figure as usize % figures.len()], 8)?;
        }
        Some(())
    }

    /// Conditions on numbers of pieces, takes, ends by a number of pieces, and what each move names of them.
    fn counts(&mut self, set: usize, moves: u64) -> Option<()> {
        let condition = [("condition.cells", set), ("condition.least", 1), ("condition.most", 1)];
        self.list("conditions.count", &condition)?;
        for _ in 0..self.take("takes.count", 4)? {
            self.list("take.lines", &[("take.line", set)])?;
            self.list("take.guards", &[("take.guard", set)])?;
            self.take("take.cells", set)?;
        }
        let end = [&[("count_end.mode", 2), ("count_end.outcome", 1)][..], &condition].concat();
        self.list("count_ends.count", &end)?;
        for _ in 0..moves {
            self.take("move.when", 2)?;
            self.take("move.takes", 2)?;
        }
        Some(())
    }

    /// What an end is worth: an outcome, two sets of cells that are counted, or a number of points.
    fn worth(&mut self, name: &'static str, set: usize) -> Option<()> {
        match self.take(name, 1)? {
            3 => {
                self.take("worth.own", set)?;
                self.take("worth.other", set).map(|_| ())
            }
            4 => self.take("worth.points", 2).map(|_| ()),
            _ => Some(()),
        }
    }

    /// The index by regions.
    fn regions(&mut self, modes: u64) -> Option<()> {
        for _ in 0..self.take("pairs.count", 1)? {
            self.take("pair.first", 1)?;
            self.take("pair.second", 1)?;
        }
        for _ in 0..self.take("singles.count", 1)? {
            self.take("single", 1)?;
        }
        self.take("fixed", 8)?;
        for _ in 0..modes {
            self.take("mode.swap", 2)?;
            self.take("mode.turned", 1)?;
        }
        self.take("folded", 1)?;
        let counts = [("region.first", 1), ("region.second", 1), ("region.single", 1)];
        let rest = [("region.ended", 1), ("region.group", 4), ("region.base", 8)];
        self.list("regions.count", &[&[("region.mode", 2)][..], &counts, &rest].concat()).map(|_| ())
    }

    fn header(&mut self) -> Option<()> {
        self.take("magic", 8)?;
        self.take("version", 4)?;
        let header = self.take("header.bytes", 4)? as usize;
        self.take("file.bytes", 8)?;
        self.take("checksum", 32)?;
        self.take("rules.hash", 32)?;

        self.text("name.length", "name")?;
        let cells = self.take("cells", 1)? as usize;
        self.take("terminal", 1)?;
        let modes = self.take("modes.count", 4)?;
        for _ in 0..modes {
            self.text("mode.length", "mode.name")?;
        }
        let set = if cells > 64 { 16 } else { 8 };
        let masks = [("move.empty", set), ("move.full", set), ("move.fills", set)];
        let moves = self.list("moves.count", &[&[("move.mode", 2), ("move.next", 2)][..], &masks].concat())?;
        let ends = self.list("ends.count", &[("end.mode", 2), ("end.outcome", 1), ("end.pattern", set)])?;
        self.take("start.kind", 1)?;
        self.list("start.count", &[("start.mode", 2), ("start.board", set)])?;
        let extras = self.take("extras", 1)?;
        let lists = [("move.clears", set, moves), ("mode.player", 1, modes)];
        for (_, (name, bytes, count)) in lists.into_iter().enumerate().filter(|(bit, _)| extras >> bit & 1 == 1) {
            for _ in 0..count {
                self.take(name, bytes)?;
            }
        }
        for _ in 0..if extras >> 2 & 1 == 1 { modes } else { 0 } {
            self.worth("mode.terminal", set)?;
        }
        for (bit, name, bytes, count) in [(3, "move.otherwise", 1, moves), (5, "end.empty", set, ends)] {
            for _ in 0..if extras >> bit & 1 == 1 { count } else { 0 } {
                self.take(name, bytes)?;
            }
        }
        if extras >> 6 & 1 == 1 {
            self.counts(set, moves)?;
        }
        if extras >> 7 & 1 == 1 {
            for _ in 0..moves {
                self.take("move.gain", 2)?;
                self.take("move.again", 1)?;
            }
            for _ in 0..ends {
                self.worth("end.worth", set)?;
            }
        }

        self.text("family.length", "family")?;
        for _ in 0..self.take("parameters.count", 4)? {
            self.text("key.length", "key")?;
            self.text("value.length", "value")?;
        }
        self.text("tool.length", "tool")?;
        let solver = self.take("solver", 1)?;
        self.list("starts.count", &[("starts.mode", 2), ("starts.board", set)])?;
        match solver {
            0 => drop(self.take("layout", cells)?),
            1 => drop(self.list("squares.count", &[("square.first", 1), ("square.second", 1)])?),
            4 => drop(self.take("longest", 2)?),
            _ => {
                self.take("weights.cells", 4 * cells)?;
                self.take("weights.modes", 4 * modes as usize)?;
                self.list("levels.count", &[("level.number", 4), ("level.positions", 8)])?;
            }
        }
        let symmetry = [("symmetry.cells", cells), ("symmetry.modes", 2 * modes as usize)];
        match (self.list("symmetries.count", &symmetry)?, solver) {
            (_, 4) => self.regions(modes)?,
            (0, _) => {}
            (_, 0) => drop(self.take("slice.cells", 1)?),
            (_, 1) => drop(self.take("top.squares", 1)?),
            _ => {
                self.take("order.cells", cells)?;
                self.take("order.modes", 2 * modes as usize)?;
            }
        }
        for _ in 0..self.take("sections.count", 4)? {
            self.section()?;
        }
        let end = self.fields.last()?.at.end;
        self.take("padding", header.checked_sub(end)?).map(|_| ())
    }
}
