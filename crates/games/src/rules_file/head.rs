//! The head of a rules file: what lists of games show of it. Reading it takes a small part of the time of reading the
//! whole file, most of which goes into the moves.

use super::error::{Read, RulesFileError};
use super::notations;
use super::parameters::{self, Parameter};
use super::source::{self, Item, Keys, Mistakes};
use crate::{Notation, Parameters, title};

/// The keys of the head.
pub(super) const KEYS: [&str; 8] = ["name", "title", "summary", "also", "rules", "source", "play", "parameters"];
/// The largest number of other names of a game.
const MOST_NAMES: usize = 16;
/// The largest length of another name, in characters.
const LONGEST_NAME: usize = 48;
/// The largest length of the rules in words, in characters.
const LONGEST_RULES: usize = 4000;

/// What lists of games show of a rules file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileHead {
    /// The name of the rules, with parameters in braces.
    pub name: String,
    /// The title of the game, without its parameters. By default it is made from `name`.
    pub title: String,
    /// A summary of the game in one line; empty if the file does not give one.
    pub summary: String,
    /// Other names of the game, as people write them.
    pub also: Vec<String>,
    /// The rules in words; empty if the file does not give them. A line break separates paragraphs.
    pub rules: String,
    /// The parameters with their default values.
    pub parameters: Vec<Parameter>,
    /// The names of the parts.
    pub parts: Vec<String>,
    /// The notations that the file names.
    pub notations: Vec<Notation>,
}

impl FileHead {
    /// Reads the head of the rules file `text`. The rest of the file is not checked beyond its syntax.
    ///
    /// # Errors
    /// If the text is not TOML, or a title, summary, name or parameter in it is wrong, or `parts` is not a table.
    pub fn read(text: &str) -> Result<Self, RulesFileError> {
        let tree = source::parse(text)?;
        let mistakes = Mistakes::of(text);
        let mut file = Keys::of_file(&mistakes, tree.get_ref(), &super::KEYS);
        let settled = parameters::settle(&mut file, &mistakes, &Parameters::new());
        let parts = file.take("parts").and_then(|item| mistakes.keep(item.any_keys("parts")));
        let parts = parts.map(|keys| keys.rest().into_iter().map(|(name, _)| name.to_owned()).collect());
        let notations = mistakes.keep(notations::read(file.take("notation"))).unwrap_or_default();
        let (Texts { title, summary, also, rules, .. }, name) = Texts::take(&mut file, &mistakes);
        if mistakes.count() > 0 {
            return Err(mistakes.error());
        }
        let (name, parts) =
            (name.and_then(|name| name.as_text()).unwrap_or_default().to_owned(), parts.unwrap_or_default());
        Ok(Self { name, title, summary, also, rules, parameters: settled.list, parts, notations })
    }
}

/// The texts about the game.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) source: String,
    pub(super) also: Vec<String>,
    pub(super) rules: String,
}

impl Texts {
    /// Takes the texts out of `file`, and the template for the name of the rules.
    pub(super) fn take<'a>(file: &mut Keys<'a>, mistakes: &Mistakes<'_>) -> (Self, Option<Item<'a>>) {
        let mut line =
            |key| mistakes.keep(file.take(key).map_or(Ok(""), |item| item.text("a text"))).unwrap_or_default();
        let (summary, source) = (source::shown(line("summary")), source::shown(line("source")));
        let title = source::shown(line("title"));
        let name = mistakes.keep(file.need("name", "the name of the game"));
        let title = match name.and_then(|name| name.as_text()) {
            Some(name) if title.is_empty() => title::of_name(name),
            _ => title,
        };
        let also = mistakes.keep(file.take("also").map_or(Ok(Vec::new()), other_names)).unwrap_or_default();
        let rules = mistakes.keep(file.take("rules").map_or(Ok(String::new()), paragraphs)).unwrap_or_default();
        (Self { title, summary, source, also, rules }, name)
    }
}

/// The list of other names.
fn other_names(item: Item<'_>) -> Read<Vec<String>> {
    let expected = format!("a list of other names, at most {MOST_NAMES}");
    let list = item.list(&expected)?;
    item.ensure(list.len() <= MOST_NAMES, expected, format!("{} names", list.len()))?;
    let name = |item: &Item<'_>| {
        let expected = format!("a name of 1 to {LONGEST_NAME} characters");
        let text = item.text(&expected)?;
        let is_fit = !text.trim().is_empty() && text.chars().count() <= LONGEST_NAME;
        item.ensure(is_fit, expected, item.described())?;
        Ok(source::shown(text))
    };
    list.iter().map(name).collect()
}

/// The rules in words. Lines are joined, and an empty line separates paragraphs.
fn paragraphs(item: Item<'_>) -> Read<String> {
    let expected = format!("the rules in words, at most {LONGEST_RULES} characters");
    let text = item.text(&expected)?;
    let length = text.chars().count();
    item.ensure(length <= LONGEST_RULES, expected, format!("{length} characters"))?;
    let mut paragraphs = vec![Vec::new()];
    for line in text.lines().map(str::trim) {
        match paragraphs.last_mut() {
            Some(paragraph) if !line.is_empty() => paragraph.push(line),
            _ => paragraphs.push(Vec::new()),
        }
    }
    let filled = paragraphs.iter().filter(|paragraph| !paragraph.is_empty());
    Ok(filled.map(|paragraph| paragraph.join(" ")).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(texts: &str) -> Result<FileHead, String> {
        FileHead::read(&format!("name = \"a\"\n{texts}\n")).map_err(|error| error.to_string())
    }

    #[test]
    fn rules_are_paragraphs_and_names_are_lists() {
        let read = head("also = [\"Noughts\", \"é\"]\nrules = \"\"\"\nOne\n  line. Two.\n\n\nThree.\n\"\"\"").unwrap();
        assert_eq!(
            (read.rules.as_str(), &read.also[..]),
            ("One line. Two.\nThree.", &["Noughts".into(), "é".into()][..])
        );
        assert_eq!(head("").map(|head| (head.rules, head.also)), Ok((String::new(), Vec::new())));
    }

    #[test]
    fn wrong_texts_are_refused() {
        let long = "x".repeat(LONGEST_RULES + 1);
        for (texts, says) in [
            ("also = \"Othello\"".to_owned(), "a list of other names"),
            ("also = [3]".into(), "a name of 1 to 48 characters"),
            ("also = [\" \"]".into(), "a name of 1 to 48 characters"),
            (format!("also = [{}]", "\"a\", ".repeat(17)), "at most 16"),
            ("rules = 3".into(), "the rules in words"),
            (format!("rules = \"{long}\""), "found 4001 characters"),
        ] {
            assert!(head(&texts).unwrap_err().contains(says), "{texts}: {:?}", head(&texts));
        }
    }
}
