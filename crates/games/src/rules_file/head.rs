//! The head of a rules file: what lists of games show of it. Reading it takes a small part of the time of reading the
//! whole file, most of which goes into the moves.

use super::RulesFileError;
use super::parameters::{self, Parameter};
use super::source::{self, Item, Keys, Mistakes};
use crate::{Parameters, title};

/// The keys of the head.
pub(super) const KEYS: [&str; 6] = ["name", "title", "summary", "source", "play", "parameters"];

/// What lists of games show of a rules file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileHead {
    /// The title of the game, without its parameters. By default it is made from `name`.
    pub title: String,
    /// A summary of the game in one line; empty if the file does not give one.
    pub summary: String,
    /// The parameters with their default values.
    pub parameters: Vec<Parameter>,
    /// The names of the parts.
    pub parts: Vec<String>,
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
        let Texts { title, summary, .. } = Texts::take(&mut file, &mistakes);
        if mistakes.count() > 0 {
            return Err(mistakes.error());
        }
        Ok(Self { title, summary, parameters: settled.list, parts: parts.unwrap_or_default() })
    }
}

/// The texts about the game.
pub(super) struct Texts<'a> {
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) source: String,
    /// The template for the name of the rules.
    pub(super) name: Option<Item<'a>>,
}

impl<'a> Texts<'a> {
    /// Takes the texts out of `file`.
    pub(super) fn take(file: &mut Keys<'a>, mistakes: &Mistakes<'_>) -> Self {
        let mut line =
            |key| mistakes.keep(file.take(key).map_or(Ok(""), |item| item.text("a text"))).unwrap_or_default();
        let (summary, source) = (source::shown(line("summary")), source::shown(line("source")));
        let title = source::shown(line("title"));
        let name = mistakes.keep(file.need("name", "the name of the game"));
        let title = match name.and_then(|name| name.as_text()) {
            Some(name) if title.is_empty() => title::of_name(name),
            _ => title,
        };
        Self { title, summary, source, name }
    }
}
