//! Errors in the input of a user: the name of a game, its parameters, a position.
//!
//! Errors name parameters as the library does, for example `rows`. A front end with other names (the option `--rows`,
//! for instance) matches on the variants and writes its own names.

use super::{Parameters, RulesFileError, about_unknown, did_you_mean};
use crate::rules::RulesError;

/// The reason why a game cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// No game has this name.
    #[error("there is no game called {name:?}{}", about_unknown(name, known.iter().copied()))]
    Unknown {
        /// The given name.
        name: String,
        /// The names of the games.
        known: Vec<&'static str>,
    },
    /// The family lacks the parameter.
    #[error("{family} has no parameter {parameter}{}: it takes {}", did_you_mean(parameter, known.iter().copied()), listed(known))]
    UnknownParameter {
        /// The family.
        family: &'static str,
        /// The given parameter.
        parameter: String,
        /// The parameters of the family.
        known: Vec<&'static str>,
    },
    /// The game has no part of this name.
    #[error("{game} has no part {part:?}{}: {}", did_you_mean(part, known.iter().map(String::as_str)), parts_listed(known))]
    UnknownPart {
        /// The name of the rules.
        game: String,
        /// The given name.
        part: String,
        /// The names of its parts.
        known: Vec<String>,
    },
    /// The parameter cannot have this value.
    #[error("{parameter}: expected {expected}, found {found:?}")]
    Value {
        /// The parameter.
        parameter: &'static str,
        /// A description of valid values.
        expected: String,
        /// The given value.
        found: String,
    },
    /// The parameter has two values.
    #[error("{parameter}: expected one value, found {first:?} and {second:?}")]
    Twice {
        /// The parameter.
        parameter: String,
        /// The value given first.
        first: String,
        /// The value given after it.
        second: String,
    },
    /// A required parameter is missing.
    #[error("{family} needs the parameter {parameter}")]
    Missing {
        /// The family.
        family: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// The value of the parameter is a text of several lines, and one of them is wrong.
    #[error("{parameter}, line {line}: expected {expected}, found {found}")]
    Line {
        /// The parameter.
        parameter: &'static str,
        /// The line, counted from 1.
        line: usize,
        /// The expected value, in words.
        expected: String,
        /// The value found instead, in words.
        found: String,
    },
    /// A file that holds a position does not say which game it belongs to.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// The game is larger than its module accepts.
    #[error("{what}: the limit is {limit}")]
    TooLarge {
        /// The size of the game, in words.
        what: String,
        /// The limit, in words.
        limit: String,
    },
    /// The game is larger than any table can be, on any machine.
    #[error("{what}: a table holds at most {limit}")]
    OutOfReach {
        /// The size of the game, in words.
        what: String,
        /// The size that fits, in words.
        limit: String,
    },
    /// A rules file has the name of a built-in game.
    #[error("expected a `name` that no built-in game has, found {name:?}, which belongs to {family}; choose another")]
    Reserved {
        /// The name.
        name: String,
        /// The built-in game.
        family: &'static str,
    },
    /// A rules file that cannot be used.
    #[error(transparent)]
    RulesFile(#[from] RulesFileError),
    /// Rules that are not sound.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// The parts of a game in words.
fn parts_listed(known: &[String]) -> String {
    if known.is_empty() { "it has no parts".into() } else { format!("its parts are {}", known.join(", ")) }
}

/// The reason why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is not a position: expected {expected}, found {found}{also}")]
pub struct NotationError {
    /// The text, shortened if it is long.
    pub text: String,
    /// The expected value, in words.
    pub expected: String,
    /// The value found instead, shortened if it is long.
    pub found: String,
    /// What may help, after a semicolon: the notations that the game reads as well, each with an example, or the size at which the text is a
    /// position. Empty if neither is known.
    pub also: Box<str>,
    /// True if the text may be a position on a board of another size.
    pub is_of_size: bool,
    /// The parameters that the game must have instead of its own, so that the text is a position, if they are known.
    pub size: Option<Box<Parameters>>,
}

impl NotationError {
    /// The same error, about a text that may be a position on a board of another size.
    pub(super) fn of_size(self) -> Self {
        Self { is_of_size: true, ..self }
    }

    /// An error about `text`.
    #[must_use]
    pub fn new(text: &str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        let (expected, found) = (expected.into(), shortened(&found.into()));
        Self { text: shortened(text), expected, found, also: Box::default(), is_of_size: false, size: None }
    }
}

/// What is wrong with a text, without the text: the expected and the found value, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) expected: String,
    pub(super) found: String,
    /// As in a [`NotationError`].
    pub(super) is_of_size: bool,
    /// The length of the beginning of the text that is right, in bytes, as far as it is known.
    pub(super) right: usize,
}

impl Fault {
    pub(super) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into(), is_of_size: false, right: 0 }
    }

    /// The same fault, of a text that may be a position on a board of another size.
    pub(super) fn of_size(self) -> Self {
        Self { is_of_size: true, ..self }
    }

    /// The same fault, after `right` bytes of the text that are right.
    pub(super) fn after(self, right: usize) -> Self {
        Self { right, ..self }
    }

    /// The error about `text`.
    pub(super) fn about(self, text: &str) -> NotationError {
        NotationError { is_of_size: self.is_of_size, ..NotationError::new(text, self.expected, self.found) }
    }
}

impl From<NotationError> for Fault {
    fn from(NotationError { expected, found, is_of_size, .. }: NotationError) -> Self {
        Self { expected, found, is_of_size, right: 0 }
    }
}

/// The first sixty characters of `text`, so that every error stays one readable line.
fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_stays_one_line() {
        let error = NotationError::new(&"é\n".repeat(500), "a board", "noise").to_string();
        assert!(!error.contains('\n') && error.chars().count() < 200, "{error}");
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let unknown = |name: &str| GameError::Unknown { name: name.into(), known: vec!["nim", "kayles"] }.to_string();
        assert_eq!(unknown("kalyes"), "there is no game called \"kalyes\" (did you mean kayles?)");
        assert_eq!(unknown("quux"), "there is no game called \"quux\"");
    }
}
