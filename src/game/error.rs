//! What can be wrong with the words of a user: a game's name, its parameters, a position.

use super::RulesFileError;
use crate::rules::RulesError;

/// Why there is no such game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// No family of that name.
    #[error("there is no game called {name:?}: {} is expected", one_of(known))]
    Unknown {
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// A parameter that the family does not have.
    #[error("{family} has no option --{option}: it takes {}", dashed(known))]
    NotAnOption {
        /// The family.
        family: &'static str,
        /// The parameter given.
        option: String,
        /// The parameters it has.
        known: Vec<&'static str>,
    },
    /// A value that the parameter cannot have.
    #[error("--{option}: {expected} is expected, found {found:?}")]
    Value {
        /// The parameter.
        option: &'static str,
        /// What it may be.
        expected: String,
        /// What was given.
        found: String,
    },
    /// A parameter that must be given and was not.
    #[error("{family} needs --{option}, and it was not given")]
    Missing {
        /// The family.
        family: &'static str,
        /// The parameter.
        option: &'static str,
    },
    /// A line, in the text that a parameter is, that cannot be used.
    #[error("--{option}, line {line}: {expected} is expected, found {found}")]
    Line {
        /// The parameter.
        option: &'static str,
        /// The line, counted from 1.
        line: usize,
        /// What was expected.
        expected: String,
        /// What was found instead.
        found: String,
    },
    /// A file with a position that does not say which game it is of.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// A game that is larger than the game's module makes.
    #[error("{what}: {limit} is the most that is accepted")]
    TooLarge {
        /// How large it is, in words.
        what: String,
        /// The limit, in words.
        limit: String,
    },
    /// A game larger than any table can be, whatever the machine.
    #[error("{what}: a table holds {limit} at most")]
    OutOfReach {
        /// How large it is, in words.
        what: String,
        /// What fits, in words.
        limit: String,
    },
    /// A rules file that cannot be used.
    #[error(transparent)]
    RulesFile(#[from] RulesFileError),
    /// Rules that are not sound.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// Why a text is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is no position: {expected} is expected, found {found}")]
pub struct NotationError {
    /// The text, shortened where it is long.
    pub text: String,
    /// What was expected.
    pub expected: String,
    /// What was found instead, shortened where it is long.
    pub found: String,
}

impl NotationError {
    /// An error about `text`.
    #[must_use]
    pub fn new(text: &str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { text: shortened(text), expected: expected.into(), found: shortened(&found.into()) }
    }
}

/// At most some sixty characters of `text`, so that an error stays one readable line whatever it was given.
fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn one_of(names: &[&str]) -> String {
    match names {
        [] => "none".into(),
        [one] => (*one).into(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

fn dashed(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { format!("--{}", names.join(", --")) }
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
    fn names_are_listed() {
        let unknown = |known: &[&'static str]| GameError::Unknown { name: "go".into(), known: known.to_vec() };
        assert!(unknown(&["a", "b", "c"]).to_string().ends_with("a, b or c is expected"));
        assert!(unknown(&["a"]).to_string().ends_with(": a is expected"));
    }
}
