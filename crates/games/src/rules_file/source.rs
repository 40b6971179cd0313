//! The text of a rules file as a tree of values. Each value knows its place.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{FilePlace, Read, RulesFileError};
use super::expression::{self, Values};
use super::names;
use crate::{did_you_mean, is_unprintable};

/// The largest size of a rules file, in bytes.
pub(super) const MOST_BYTES: usize = 1 << 20;

/// The mistakes found so far. After a mistake, reading continues with everything that does not depend on it.
pub(super) struct Mistakes<'a> {
    text: &'a str,
    /// The byte offsets at which lines begin.
    lines: Vec<usize>,
    found: RefCell<Vec<RulesFileError>>,
}

impl<'a> Mistakes<'a> {
    /// The largest number of mistakes that are reported.
    const MOST_REPORTED: usize = 10;
    /// The number of mistakes after which reading stops. It is higher, because mistakes in early lines may be found
    /// last.
    const MOST_FOUND: usize = 100;

    /// An empty list of mistakes in `text`.
    pub(super) fn of(text: &'a str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { text, lines: [0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect(), found: RefCell::default() }
    }

    /// The line of the byte `at`. Unlike [`place_of`](Self::place_of), this does not read the line, which may be the whole file.
    fn line_of(&self, at: usize) -> usize {
        self.lines.partition_point(|&begin| begin <= at)
    }

    /// The place of the byte `at`.
    fn place_of(&self, at: usize) -> FilePlace {
        let line = self.line_of(at);
        let before = self.lines.get(line - 1).and_then(|&begin| self.text.get(begin..at)).unwrap_or_default();
        FilePlace { line, column: 1 + before.chars().count() }
    }

    /// Refuses characters that command a terminal or change the direction of text, in the text of the file, comments included, and
    /// in its strings, which may contain them as escapes. Files are shown whole, and their texts alone.
    pub(super) fn refuse_characters(&self, tree: &DeTable<'_>) {
        let is_wrong = |c: char| is_unprintable(c) && !matches!(c, '\n' | '\r' | '\t');
        let refuse = |at: usize, c: char| {
            let (place, found) = (self.place_of(at), format!("U+{:04X}", u32::from(c)));
            let expected = "no control character and none that changes the direction of text";
            self.note(RulesFileError::wrong(place, expected, found));
        };
        if let Some((at, c)) = self.text.char_indices().find(|&(_, c)| is_wrong(c)) {
            return refuse(at, c);
        }
        let wrong_in = |text: &str| text.chars().find(|&c| is_wrong(c));
        let mut tables = vec![tree];
        let mut values: Vec<&Spanned<DeValue<'_>>> = Vec::new();
        while let Some(table) = tables.pop() {
            for (key, value) in table {
                if let Some(c) = wrong_in(key.get_ref()) {
                    return refuse(key.span().start, c);
                }
                values.push(value);
            }
            while let Some(value) = values.pop() {
                match value.get_ref() {
                    DeValue::String(text) if let Some(c) = wrong_in(text) => return refuse(value.span().start, c),
                    DeValue::Array(list) => values.extend(list.iter()),
                    DeValue::Table(table) => tables.push(table),
                    _ => {}
                }
            }
        }
    }

    /// Notes `error`.
    pub(super) fn note(&self, error: RulesFileError) {
        self.found.borrow_mut().push(error);
    }

    /// The value; if it is an error, notes the error and returns `None`.
    pub(super) fn keep<T>(&self, result: Read<T>) -> Option<T> {
        result.map_err(|error| self.note(error)).ok()
    }

    /// Returns whether reading should stop, because enough mistakes were found.
    pub(super) fn are_enough(&self) -> bool {
        self.count() >= Self::MOST_FOUND
    }

    /// The number of mistakes.
    pub(super) fn count(&self) -> usize {
        self.found.borrow().len()
    }

    /// All mistakes, in the order of their places, as one error.
    pub(super) fn error(&self) -> RulesFileError {
        let mut all = self.found.take();
        all.sort_by_key(RulesFileError::place);
        all.dedup();
        let more = all.len().saturating_sub(Self::MOST_REPORTED);
        all.truncate(Self::MOST_REPORTED);
        RulesFileError::all(all, more)
    }
}

/// A value in the file.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    mistakes: &'a Mistakes<'a>,
    /// The byte at which the value begins.
    at: usize,
    /// The key of the value, which names it in errors.
    key: &'a str,
    value: &'a DeValue<'a>,
}

/// The keys of a table. The reader takes them one by one. Keys left at the end do not go with the others.
pub(super) struct Keys<'a> {
    mistakes: &'a Mistakes<'a>,
    at: usize,
    table: &'static str,
    left: BTreeMap<&'a str, (usize, Item<'a>)>,
    /// True if the table has unknown keys.
    unknown: bool,
}

/// Parses `text`; see [`Keys::of_file`].
pub(super) fn parse(text: &str) -> Read<Spanned<DeTable<'_>>> {
    if text.len() > MOST_BYTES {
        return Err(RulesFileError::TooLong { bytes: text.len(), most: MOST_BYTES });
    }
    DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let place = Mistakes::of(text).place_of(at);
        let message: Vec<&str> = error.message().lines().map(str::trim).collect();
        let message = message.join("; ");
        let message =
            in_plain_words(&message, text.get(at..).unwrap_or_default()).map_or_else(|| shown(&message), str::to_owned);
        RulesFileError::Syntax { place, message }
    })
}

/// What the `message` of the TOML parser about the text before `rest` means, where it points elsewhere.
fn in_plain_words(message: &str, rest: &str) -> Option<&'static str> {
    match message {
        "invalid basic string, expected `\"`" | "invalid literal string, expected `'`" => {
            Some("a text has no closing quotation mark")
        }
        _ if rest.starts_with(['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}']) => {
            Some("expected a straight quotation mark, \" or ', found another one")
        }
        "missing comma between key-value pairs, expected `,`"
        | "missing key for inline table element, expected `,`" => Some("expected , or } before this place"),
        "missing comma between array elements, expected `,`" => Some("expected , or ] before this place"),
        _ => None,
    }
}

/// `text` without characters that would command a terminal, shortened so that an error stays one line.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 100;
    let plain = text.chars().map(|c| if is_unprintable(c) { ' ' } else { c });
    let mut short: String = plain.take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() { format!("{short:?}…") } else { format!("{short:?}") }
}

impl<'a> Keys<'a> {
    /// The keys of the whole file.
    pub(super) fn of_file(mistakes: &'a Mistakes<'a>, tree: &'a DeTable<'a>, known: &[&[&str]]) -> Self {
        Self::new(mistakes, 0, "the file", tree, Some(known))
    }

    /// Reads the keys of a table, and notes the keys that are not in `known`; `None` allows every key.
    fn new(
        mistakes: &'a Mistakes<'a>,
        at: usize,
        table: &'static str,
        tree: &'a DeTable<'a>,
        known: Option<&[&[&str]]>,
    ) -> Self {
        let mut keys = Self { mistakes, at, table, left: BTreeMap::new(), unknown: false };
        for (key, value) in tree {
            let name: &str = std::convert::AsRef::<std::borrow::Cow<'a, str>>::as_ref(key);
            if let Some(known) = known.filter(|known| !known.iter().any(|list| list.contains(&name))) {
                keys.unknown = true;
                let mut known = known.concat();
                known.sort_unstable();
                if mistakes.are_enough() {
                    continue;
                }
                // In TOML, a key below the heading of a table belongs to that table.
                let (expected, found) = if super::KEYS.concat().contains(&name) {
                    let found = format!("{}, a key of the file: put it above the first line with [ ]", quoted(name));
                    (format!("a key of {table}"), found)
                } else {
                    let expected = format!("one of the keys {} of {table}", known.join(", "));
                    (expected, format!("{}{}", quoted(name), did_you_mean(name, known.iter().copied())))
                };
                mistakes.note(RulesFileError::wrong(mistakes.place_of(key.span().start), expected, found));
                continue;
            }
            let item = Item { mistakes, at: value.span().start, key: name, value: value.get_ref() };
            keys.left.insert(name, (key.span().start, item));
        }
        keys
    }

    /// The value of `key`, if the table has it and it was not taken yet. The key stays.
    pub(super) fn get(&self, key: &str) -> Option<Item<'a>> {
        self.left.get(key).map(|(_, item)| *item)
    }

    /// The value of `key`, if the table has it.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Item<'a>> {
        self.left.remove(key).map(|(_, item)| item)
    }

    /// The value of `key`, which is required. `what` describes the key in the error.
    pub(super) fn need(&mut self, key: &'static str, what: &str) -> Read<Item<'a>> {
        self.take(key).ok_or_else(|| self.missing(&format!("`{key}`, {what},")))
    }

    /// The error that `expected` is missing.
    pub(super) fn missing(&self, expected: &str) -> RulesFileError {
        self.found(&format!("{expected} in {}", self.table), "none")
    }

    /// The error that the table should have `expected` but has `found`.
    pub(super) fn found(&self, expected: &str, found: &str) -> RulesFileError {
        RulesFileError::wrong(self.mistakes.place_of(self.at), expected, found)
    }

    /// Returns whether the table has `key` and it was not taken yet.
    pub(super) fn has(&self, key: &str) -> bool {
        self.left.contains_key(key)
    }

    /// Returns whether the table has unknown keys. A key that seems to be missing may then be misspelt.
    pub(super) const fn has_unknown(&self) -> bool {
        self.unknown
    }

    /// The remaining keys with their values, in the order of the file.
    pub(super) fn rest(self) -> Vec<(&'a str, Item<'a>)> {
        let mut rest: Vec<_> = self.left.into_iter().collect();
        rest.sort_by_key(|(_, (at, _))| *at);
        rest.into_iter().map(|(key, (_, item))| (key, item)).collect()
    }

    /// Notes every remaining key as a mistake: it is known, but does not go with the others.
    pub(super) fn finish(self) {
        for (key, (at, _)) in self.left {
            let expected = format!("only keys that fit the other keys of {}", self.table);
            self.mistakes.note(RulesFileError::wrong(self.mistakes.place_of(at), expected, format!("`{key}`")));
        }
    }
}

impl<'a> Item<'a> {
    /// The error that this value should be `expected`.
    pub(super) fn wrong(&self, expected: impl Into<String>) -> RulesFileError {
        self.found(expected, self.described())
    }

    /// The error that this value should be `expected` but is `found`.
    pub(super) fn found(&self, expected: impl Into<String>, found: impl Into<String>) -> RulesFileError {
        RulesFileError::wrong(self.place(), format!("{} for `{}`", expected.into(), self.key), found)
    }

    /// Refuses this value, which should be `expected` but is `found`, unless `holds`.
    pub(super) fn ensure(&self, holds: bool, expected: impl Into<String>, found: impl Into<String>) -> Read<()> {
        if holds { Ok(()) } else { Err(self.found(expected, found)) }
    }

    /// An error that names what was found beside or instead of the key.
    pub(super) fn clash(&self, expected: &str, found: &str) -> RulesFileError {
        RulesFileError::wrong(self.place(), expected, found)
    }

    /// The value in the form in which errors show it.
    pub(super) fn described(&self) -> String {
        match self.value {
            DeValue::String(text) => quoted(text),
            DeValue::Integer(number) => shown(&number.to_string()),
            DeValue::Float(number) => shown(&number.to_string()),
            DeValue::Boolean(flag) => flag.to_string(),
            DeValue::Datetime(date) => date.to_string(),
            DeValue::Array(list) => format!("a list of {}", list.len()),
            DeValue::Table(_) => "a table".into(),
        }
    }

    /// The text, if the value is one.
    pub(super) fn as_text(&self) -> Option<&'a str> {
        if let DeValue::String(text) = self.value { Some(text) } else { None }
    }

    /// The text. `what` describes it in the error.
    pub(super) fn text(&self, what: &str) -> Read<&'a str> {
        self.as_text().ok_or_else(|| self.wrong(what))
    }

    /// The text with its parameters filled in. `what` describes the value in the error.
    pub(super) fn name(&self, what: &str, values: &Values, letters: bool) -> Read<Cow<'a, str>> {
        let text = self.text(what)?;
        let wrong = |fault: String| self.found(what, format!("{}: {fault}", quoted(text)));
        expression::filled_in(text, values, letters).map_err(wrong)
    }

    /// The names that the text stands for: one for each number of its ranges, with the parameters filled in.
    pub(super) fn names(&self, what: &str, values: &Values, letters: bool) -> Read<Vec<String>> {
        let text = self.text(what)?;
        let wrong = |fault: String| self.found(what, format!("{}: {fault}", quoted(text)));
        let each = |name: String| Ok(expression::filled_in(&name, values, letters).map_err(wrong)?.into_owned());
        names::with_ranges(text, values).map_err(wrong)?.into_iter().map(each).collect()
    }

    /// The index of the text in `words`.
    pub(super) fn word(&self, words: &[&str]) -> Read<usize> {
        let found = self.as_text().and_then(|text| words.iter().position(|&word| word == text));
        found.ok_or_else(|| self.wrong(words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" or ")))
    }

    /// The boolean.
    pub(super) fn flag(&self) -> Read<bool> {
        if let DeValue::Boolean(flag) = self.value { Ok(*flag) } else { Err(self.wrong("true or false")) }
    }

    /// The whole number, if the value is one that fits into 64 bits.
    pub(super) fn as_integer(&self) -> Option<u64> {
        let DeValue::Integer(number) = self.value else { return None };
        u64::from_str_radix(number.as_str(), number.radix()).ok()
    }

    /// Returns whether the value is a whole number, of any size.
    pub(super) const fn is_integer(&self) -> bool {
        matches!(self.value, DeValue::Integer(_))
    }

    /// The whole number or the value of the expression, within `limits`.
    pub(super) fn number(&self, values: &Values, limits: RangeInclusive<u32>) -> Read<u32> {
        let number = self.signed(values, &((*limits.start()).into()..=(*limits.end()).into()))?;
        Ok(number as u32)
    }

    /// The whole number, perhaps negative, or the value of the expression, within `limits`.
    pub(super) fn signed(&self, values: &Values, limits: &RangeInclusive<i64>) -> Read<i64> {
        let expected = || format!("a whole number from {} to {}", limits.start(), limits.end());
        let number = match self.value {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
            DeValue::String(text) => {
                let wrong = |fault: String| self.found(expected(), format!("{}: {fault}", quoted(text)));
                Some(expression::evaluate(text, values).map_err(wrong)?)
            }
            _ => None,
        };
        number.filter(|number| limits.contains(number)).ok_or_else(|| match number.filter(|_| !self.is_integer()) {
            Some(number) => self.found(expected(), format!("{}: it is {number}", self.described())),
            None => self.wrong(expected()),
        })
    }

    /// A number, or a list of the least and the most, all up to `most`. `what` describes it in the error.
    pub(super) fn interval(&self, values: &Values, most: u32, what: &str) -> Read<RangeInclusive<u32>> {
        match if self.is_list() { self.list("")? } else { vec![*self, *self] }[..] {
            [first, last] => Ok(first.number(values, 0..=most)?..=last.number(values, 0..=most)?),
            _ => Err(self.wrong(format!("{what}, or the least and the most,"))),
        }
    }

    /// The items of the list. `what` describes it in the error.
    pub(super) fn list(&self, what: &str) -> Read<Vec<Item<'a>>> {
        let DeValue::Array(list) = self.value else { return Err(self.wrong(what)) };
        let item = |value: &'a Spanned<DeValue<'a>>| Item { at: value.span().start, value: value.get_ref(), ..*self };
        Ok(list.iter().map(item).collect())
    }

    /// Returns whether the value is a list.
    pub(super) const fn is_list(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    /// Returns whether the value is a table.
    pub(super) const fn is_table(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    /// The mistakes of the file.
    pub(super) const fn mistakes(&self) -> &'a Mistakes<'a> {
        self.mistakes
    }

    /// The place at which the value begins.
    pub(super) fn place(&self) -> FilePlace {
        self.mistakes.place_of(self.at)
    }

    /// The keys of the table, which errors call `table`. Notes the keys that are not in `known`.
    pub(super) fn keys(&self, table: &'static str, known: &[&[&str]]) -> Read<Keys<'a>> {
        self.tree(table).map(|tree| Keys::new(self.mistakes, self.at, table, tree, Some(known)))
    }

    /// The keys of the table, without a check.
    pub(super) fn any_keys(&self, table: &'static str) -> Read<Keys<'a>> {
        self.tree(table).map(|tree| Keys::new(self.mistakes, self.at, table, tree, None))
    }

    fn tree(&self, table: &'static str) -> Read<&'a DeTable<'a>> {
        if let DeValue::Table(tree) = self.value { Ok(tree) } else { Err(self.wrong(format!("{table} (a table)"))) }
    }
}

/// The tables in a list of tables. A missing list is empty. A mistake in one table does not prevent reading the others.
pub(super) fn tables<'a>(item: Option<Item<'a>>, what: &'static str, known: &[&[&str]]) -> Vec<(Item<'a>, Keys<'a>)> {
    let Some(item) = item else { return Vec::new() };
    let list = item.mistakes().keep(item.list(&format!("{what} (a list of tables)"))).unwrap_or_default();
    let with_keys = |item: Item<'a>| {
        if item.mistakes().are_enough() { None } else { Some((item, item.mistakes().keep(item.keys(what, known))?)) }
    };
    list.into_iter().filter_map(with_keys).collect()
}
