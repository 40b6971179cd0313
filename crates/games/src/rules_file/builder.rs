//! Rules files that programs write.

use std::fmt::{self, Write};

use super::{FileGame, RulesFileError};
use crate::Parameters;

/// A value in a rules file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Setting {
    /// A text: a name, a drawing, an expression.
    Text(String),
    /// A whole number.
    Number(i64),
    /// `true` or `false`.
    Flag(bool),
    /// A list.
    List(Vec<Setting>),
    /// Keys with their values.
    Table(Vec<(String, Setting)>),
}

impl Setting {
    /// A table of these keys and values.
    pub fn table<K: Into<String>>(keys: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Table(keys.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

impl From<&str> for Setting {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<i64> for Setting {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Setting {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Setting {
    fn from(list: [T; N]) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Setting {
    /// Writes the value in TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write_text(f, text),
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::List(list) => {
                f.write_char('[')?;
                for (at, value) in list.iter().enumerate() {
                    write!(f, "{}{value}", if at > 0 { ", " } else { "" })?;
                }
                f.write_char(']')
            }
            Self::Table(keys) => {
                f.write_char('{')?;
                for (at, (key, value)) in keys.iter().enumerate() {
                    f.write_str(if at > 0 { ", " } else { " " })?;
                    write_key(f, key)?;
                    write!(f, " = {value}")?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// Writes `text` in quotes.
fn write_text(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(out, "\\{c}")?,
            '\n' => out.write_str("\\n")?,
            '\t' => out.write_str("\\t")?,
            c if c.is_ascii_control() => write!(out, "\\u{:04x}", u32::from(c))?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

fn write_key(out: &mut impl Write, key: &str) -> fmt::Result {
    let is_bare = |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !key.is_empty() && is_bare(key) { out.write_str(key) } else { write_text(out, key) }
}

/// Builds a game from the keys of a rules file, and writes that rules file.
///
/// The keys are those of `docs/reference/rules-keys.md`. They are checked when the game is made.
///
/// ```
/// # mod tablegen { pub use tablegen_labels as label; pub use tablegen_rules as rules; pub mod game { pub use tablegen_games::*; } }
/// use tablegen::game::{Game, GameBuilder, Parameters, Setting};
///
/// let mills = GameBuilder::new("mills-{rows}")
///     .key("parameters", Setting::table([("rows", 3.into())]))
///     .key("board", Setting::table([("rows", "rows".into()), ("cols", 3.into()), ("colours", "LR".into())]))
///     .key("sides", ["left", "right"])
///     .add_group([("line", 3.into())])
///     .add_move([("shape", "X".into()), ("completes", 0.into())])
///     .add_move([("shape", "X".into()), ("completes", 1.into()), ("again", true.into())]);
/// assert!(mills.text().starts_with("name = \"mills-{rows}\"\nparameters = { rows = 3 }\n"));
/// assert_eq!(mills.game(&Parameters::new().with("rows", 2))?.rules().cells(), 12);
/// # Ok::<(), tablegen::game::RulesFileError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameBuilder {
    keys: Vec<(String, Setting)>,
    /// The tables of lists, such as moves, in their order.
    tables: Vec<(&'static str, Vec<(String, Setting)>)>,
}

impl GameBuilder {
    /// A game with this name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { keys: vec![("name".into(), name.into())], tables: Vec::new() }
    }

    /// Sets a key of the file, such as `board` or `sides`. A later value replaces an earlier one.
    #[must_use]
    pub fn key(mut self, key: &str, value: impl Into<Setting>) -> Self {
        match self.keys.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value.into(),
            None => self.keys.push((key.into(), value.into())),
        }
        self
    }

    /// Adds moves: a table `[[move]]` with these keys.
    #[must_use]
    pub fn add_move<K: Into<String>>(self, keys: impl IntoIterator<Item = (K, Setting)>) -> Self {
        self.add("move", keys)
    }

    /// Adds patterns that end the game: a table `[[end]]` with these keys.
    #[must_use]
    pub fn add_end<K: Into<String>>(self, keys: impl IntoIterator<Item = (K, Setting)>) -> Self {
        self.add("end", keys)
    }

    /// Adds sets of squares: a table `[[group]]` with these keys.
    #[must_use]
    pub fn add_group<K: Into<String>>(self, keys: impl IntoIterator<Item = (K, Setting)>) -> Self {
        self.add("group", keys)
    }

    /// Adds a statement about the game: a table `[[test]]` with these keys.
    #[must_use]
    pub fn add_test<K: Into<String>>(self, keys: impl IntoIterator<Item = (K, Setting)>) -> Self {
        self.add("test", keys)
    }

    fn add<K: Into<String>>(mut self, name: &'static str, keys: impl IntoIterator<Item = (K, Setting)>) -> Self {
        self.tables.push((name, keys.into_iter().map(|(key, value)| (key.into(), value)).collect()));
        self
    }

    /// The rules file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let line = |text: &mut String, key: &str, value: &Setting| {
            // Writing to a string cannot fail.
            let _ = write_key(text, key);
            let _ = writeln!(text, " = {value}");
        };
        self.keys.iter().for_each(|(key, value)| line(&mut text, key, value));
        for (name, keys) in &self.tables {
            let _ = writeln!(text, "\n[[{name}]]");
            keys.iter().for_each(|(key, value)| line(&mut text, key, value));
        }
        text
    }

    /// The game with these values of its parameters.
    ///
    /// # Errors
    /// As [`FileGame::read`]. The lines in errors are lines of [`text`](Self::text).
    pub fn game(&self, set: &Parameters) -> Result<FileGame, RulesFileError> {
        FileGame::read(&self.text(), set)
    }
}

#[cfg(test)]
mod tests {
    use toml::de::{DeTable, DeValue};

    use super::*;
    use crate::{Game, LIBRARY};

    fn setting(value: &DeValue<'_>) -> Setting {
        match value {
            DeValue::String(text) => Setting::Text(text.to_string()),
            DeValue::Integer(number) => Setting::Number(number.as_str().parse().unwrap()),
            DeValue::Boolean(flag) => Setting::Flag(*flag),
            DeValue::Array(list) => Setting::List(list.iter().map(|value| setting(value.get_ref())).collect()),
            DeValue::Table(table) => Setting::Table(keys(table)),
            other => panic!("a rules file has no {}", other.type_str()),
        }
    }

    /// The keys in the order of the text, which is the order of modes.
    fn keys(table: &DeTable<'_>) -> Vec<(String, Setting)> {
        let mut keys: Vec<_> = table.iter().collect();
        keys.sort_by_key(|(key, _)| key.span().start);
        keys.into_iter().map(|(key, value)| (key.get_ref().to_string(), setting(value.get_ref()))).collect()
    }

    /// Every rules file of the library, built key by key and written again, is the same game.
    #[test]
    fn builders_write_the_rules_files_of_the_library() {
        for file in LIBRARY {
            let mut builder = GameBuilder::new("");
            for (key, value) in keys(DeTable::parse(file.text).unwrap().get_ref()) {
                let lists = ["move", "end", "group", "test"];
                match (lists.into_iter().find(|list| *list == key), value) {
                    (Some(list), Setting::List(tables)) => {
                        for table in tables {
                            let Setting::Table(keys) = table else { panic!("{}: {key}", file.name) };
                            builder = builder.add(list, keys);
                        }
                    }
                    (_, value) => builder = builder.key(&key, value),
                }
            }
            let built = builder.game(&Parameters::new()).unwrap_or_else(|error| panic!("{}: {error}", file.name));
            assert_eq!(built.rules(), file.read(&Parameters::new()).unwrap().rules(), "{}", file.name);
        }
    }

    #[test]
    fn texts_and_keys_are_quoted() {
        let odd =
            Setting::table([("a b", "\"\\\n\t\u{7f}é".into()), ("c", Setting::List(vec![true.into(), (-3).into()]))]);
        assert_eq!(odd.to_string(), r#"{ "a b" = "\"\\\n\t\u007fé", c = [true, -3] }"#);
        assert!(DeTable::parse(&format!("x = {odd}")).is_ok());
    }
}
