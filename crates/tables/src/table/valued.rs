//! The values of boards in a table: their sections, and looking a board up.

use std::ops::Range;

use super::blocks::CheckedBlocks;
use super::section::{Content, Room, Section, TurnEnds};
use super::{Table, TableError, TableFault};
use crate::compressed::Bytes;
use crate::contents::LabelFault;
use crate::rules::{Board, Rules, Sides};
use crate::values::{BoardIndex, Dictionary, Entry, NUMBER, Values};

/// The boards that have values, and the size of the dictionary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Valued {
    pub(super) index: BoardIndex,
    turns: TurnEnds,
    values: u32,
    options: u32,
}

const SIZES: TableFault = TableFault::Malformed("its sections of values do not fit its rules and each other");

impl Valued {
    /// The extent of `values` of `rules`.
    pub(super) fn new(values: &Values<'_>, rules: &Rules) -> Self {
        let dictionary = &values.dictionary;
        let turns = turn_ends(rules).unwrap_or(TurnEnds::InModes);
        Self { index: values.index.clone(), turns, values: dictionary.len(), options: dictionary.options() }
    }

    /// The extent of the values in `sections` of a table of `rules`; `None` if there are none.
    ///
    /// # Errors
    /// If the sections do not fit the rules or each other.
    pub(super) fn of(sections: &[Section], rules: &Rules) -> Result<Option<Self>, TableFault> {
        let all: Vec<&Section> = sections.iter().filter(|section| section.content.is_of_values()).collect();
        let (keys, values, dictionary) = match all[..] {
            [] => return Ok(None),
            [values, dictionary] => (None, values, dictionary),
            [keys, values, dictionary] => (Some(keys), values, dictionary),
            _ => return Err(SIZES),
        };
        let (None | Some([_]), [], &[count, options]) =
            (keys.map(|keys| keys.figures.as_slice()), values.figures.as_slice(), dictionary.figures.as_slice())
        else {
            return Err(SIZES);
        };
        let index = match keys {
            None => BoardIndex::every(rules.cells()),
            Some(keys) => BoardIndex::listed(rules.cells(), keys.figures[0]),
        };
        let turns =
            turn_ends(rules).ok_or(TableFault::Malformed("it has values of boards, which its rules do not have"))?;
        if (turns, values.content) == (TurnEnds::WithPlayer, Content::Values(TurnEnds::InModes)) {
            return Err(TableFault::TurnEnds);
        }
        let number = |number| u32::try_from(number).map_err(|_| SIZES);
        let valued = Self { index: index.ok_or(SIZES)?, turns, values: number(count)?, options: number(options)? };
        let fits = |(section, (room, _)): (&&Section, (Room, _))| {
            (section.content, section.bytes) == (room.content, room.bytes)
        };
        let rooms = valued.rooms();
        if rooms.len() == all.len() && count > 0 && all.iter().zip(rooms).all(fits) {
            Ok(Some(valued))
        } else {
            Err(SIZES)
        }
    }

    /// The sections, their sizes and counts, in file order.
    pub(super) fn rooms(&self) -> Vec<(Room, Vec<u64>)> {
        let keys =
            self.index.key_bytes().map(|bytes| (Room { content: Content::BoardKeys, bytes }, vec![self.index.count()]));
        let values = Room { content: Content::Values(self.turns), bytes: self.index.count() * NUMBER as u64 };
        let bytes = Dictionary::byte_count(self.values, self.options);
        let dictionary = Room { content: Content::Dictionary, bytes };
        let counts = vec![self.values.into(), self.options.into()];
        keys.into_iter().chain([(values, Vec::new()), (dictionary, counts)]).collect()
    }
}

/// The rule for the end of a turn in the values of `rules`; `None` if their boards have no values.
fn turn_ends(rules: &Rules) -> Option<TurnEnds> {
    Some(if Sides::move_again(rules)? { TurnEnds::WithPlayer } else { TurnEnds::InModes })
}

/// The bytes of the sections of `values`, in file order.
pub(super) fn value_sections<'a>(values: &Values<'a>) -> Vec<Bytes<'a>> {
    let keys = values.index.key_bytes().map(|_| values.keys);
    keys.into_iter().chain([values.numbers, values.dictionary.bytes()]).collect()
}

impl Table {
    /// The values of boards, for callers that read millions of them; `None` if the table has none. Checksums are not checked.
    #[must_use]
    pub fn values(&self) -> Option<Values<'_>> {
        let valued = self.header.valued.as_ref()?;
        let end = self.header.sections.len();
        let keys = match valued.index {
            BoardIndex::Every { .. } => Bytes::Plain(&[]),
            BoardIndex::Listed(_) => self.section(end - 3),
        };
        let dictionary = Dictionary::new(self.section(end - 1), valued.values, valued.options);
        Some(Values { index: &valued.index, keys, numbers: self.section(end - 2), dictionary })
    }

    /// The number of the value of `board` in the dictionary; `None` if the table has no values, or none of this board.
    ///
    /// # Errors
    /// If the table is damaged where it was read.
    pub fn value_number(&self, board: Board) -> Result<Option<u32>, TableError> {
        self.find_value(board).map_err(|fault| self.error(fault))
    }

    /// The entry of value `number` of the dictionary.
    ///
    /// # Errors
    /// If the table is damaged where it was read, or has no such value.
    pub fn value_entry(&self, number: u32) -> Result<Entry, TableError> {
        self.find_entry(number).map_err(|fault| self.error(fault))
    }

    /// The error that the table lacks the value of a board that it must have.
    #[must_use]
    pub fn lacks_value(&self) -> TableError {
        self.error(TableFault::Malformed("it lacks the value of a board that play reaches"))
    }

    fn find_value(&self, board: Board) -> Result<Option<u32>, TableFault> {
        let Some(values) = self.values() else { return Ok(None) };
        let end = self.header.sections.len();
        if let (Some(checked), BoardIndex::Listed(_)) = (&self.checked, values.index) {
            // The directory locates the bucket, so it is checked first.
            let [directory, _] = values.index.touched(values.keys, board)?;
            checked.check_range(self.blocks(), end - 3, directory)?;
            let [_, bucket] = values.index.touched(values.keys, board)?;
            checked.check_range(self.blocks(), end - 3, bucket)?;
        }
        let Some(rank) = values.index.rank(values.keys, board)? else { return Ok(None) };
        let at = rank as usize * NUMBER;
        self.check_value_range(end - 2, at..at + NUMBER)?;
        Ok(Some(values.number_at(rank)?))
    }

    fn find_entry(&self, number: u32) -> Result<Entry, TableFault> {
        const NO_VALUE: TableFault = TableFault::Malformed("its dictionary lacks a value or is damaged there");
        let values = self.values().ok_or(NO_VALUE)?;
        let section = self.header.sections.len() - 1;
        let block = |fault| TableFault::Labels(LabelFault::Block(fault));
        self.check_value_range(section, values.dictionary.entry_bytes(number))?;
        let options = values.dictionary.option_bytes(number).map_err(block)?.ok_or(NO_VALUE)?;
        self.check_value_range(section, options)?;
        values.dictionary.entry(number).map_err(block)?.ok_or(NO_VALUE)
    }

    fn check_value_range(&self, section: usize, bytes: Range<usize>) -> Result<(), TableFault> {
        let check = |checked: &CheckedBlocks| checked.check_range(self.blocks(), section, bytes);
        self.checked.as_ref().map_or(Ok(()), check)
    }
}
