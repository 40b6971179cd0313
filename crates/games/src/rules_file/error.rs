//! Errors in rules files.

use std::fmt;

use crate::did_you_mean;
use crate::rules::RulesError;

/// A place in the text of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FilePlace {
    /// The line, counted from 1.
    pub line: usize,
    /// The character of the line, counted from 1.
    pub column: usize,
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl FilePlace {
    /// The line of the place, with the column if others of `all` places are in the same line.
    #[must_use]
    pub fn among(self, all: &[Self]) -> String {
        let others = all.iter().any(|other| other.line == self.line && *other != self);
        if others { self.to_string() } else { format!("line {}", self.line) }
    }
}

/// The reason why a rules file is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesFileError {
    /// The text is too long.
    #[error("expected a rules file of at most {most} bytes, found {bytes}")]
    TooLong {
        /// The length of the text.
        bytes: usize,
        /// The largest length that is accepted.
        most: usize,
    },
    /// The text is not TOML.
    #[error("{place}: not valid TOML: {message}")]
    Syntax {
        /// The first place that is not TOML.
        place: FilePlace,
        /// The message of the parser, in one line.
        message: String,
    },
    /// The value or key at this place is wrong, or one is missing from the table that begins there.
    #[error("{place}: expected {expected}, found {found}")]
    Wrong {
        /// The place.
        place: FilePlace,
        /// The expected value, in words.
        expected: String,
        /// The value found instead, in words.
        found: String,
    },
    /// The parameters in the call do not suit the file. The file itself is accepted with other values.
    #[error("{}", unfit(given, what, fits, defaults))]
    Unfit {
        /// The parameters in the call, as in `rows=20 cols=3`.
        given: String,
        /// The mistake that they cause, without its place in the file.
        what: String,
        /// The largest lower values with which the file is accepted: `rows=5 cols=6`. May be empty.
        fits: Vec<String>,
        /// The default values of the same parameters.
        defaults: String,
    },
    /// A parameter in the call cannot have its value.
    #[error("{parameter}: expected {expected}, found {found:?}")]
    Value {
        /// The parameter.
        parameter: String,
        /// A description of valid values.
        expected: String,
        /// The given value.
        found: String,
    },
    /// A parameter in the call is not a parameter of the file.
    #[error("{parameter}: expected {}, found {}{}", listed(known), if known.is_empty() { "one" } else { "another" }, did_you_mean(parameter, known.iter().map(String::as_str)))]
    UnknownParameter {
        /// The given parameter.
        parameter: String,
        /// The parameters of the file.
        known: Vec<String>,
    },
    /// Several mistakes, in the order of their places.
    #[error("{}{}", joined(mistakes), and_more(*more))]
    Several {
        /// The first mistakes; none is `Several` itself.
        mistakes: Vec<RulesFileError>,
        /// The number of further mistakes that were found.
        more: usize,
    },
    /// The rules are not sound, and no single place in the file is the reason.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

impl FilePlace {
    /// The beginning of `line`.
    pub(super) const fn line(line: usize) -> Self {
        Self { line, column: 1 }
    }
}

impl RulesFileError {
    /// The error that `expected` should be at `place`, but `found` is.
    pub(super) fn wrong(place: FilePlace, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Wrong { place, expected: expected.into(), found: found.into() }
    }

    /// These mistakes, and `more` that are not among them, as one error.
    pub(super) fn all(mut mistakes: Vec<Self>, more: usize) -> Self {
        if mistakes.len() == 1 { mistakes.remove(0) } else { Self::Several { mistakes, more } }
    }

    /// The place of the mistake, if a single place is to blame. Mistakes in the given parameters have no place. Neither
    /// have several mistakes together.
    #[must_use]
    pub const fn place(&self) -> Option<FilePlace> {
        match self {
            Self::Syntax { place, .. } | Self::Wrong { place, .. } => Some(*place),
            _ => None,
        }
    }

    /// The mistakes one by one: a single mistake, unless there are several.
    #[must_use]
    pub fn mistakes(&self) -> &[Self] {
        if let Self::Several { mistakes, .. } = self { mistakes } else { std::slice::from_ref(self) }
    }

    /// The number of mistakes beyond the listed ones, see [`mistakes`](Self::mistakes).
    #[must_use]
    pub const fn more(&self) -> usize {
        if let Self::Several { more, .. } = self { *more } else { 0 }
    }
}

/// The result of reading a part of a file.
pub(super) type Read<T> = Result<T, RulesFileError>;

/// The mistake `what` of the `given` parameters, with values that fit.
fn unfit(given: &str, what: &str, fits: &[String], defaults: &str) -> String {
    match fits {
        [] => format!("{given}: {what}; the default is {defaults}"),
        [only] => format!("{what}; the largest that fits is {only}"),
        several => format!("{what}; the largest that fit are {}", several.join(", ")),
    }
}

fn joined(mistakes: &[RulesFileError]) -> String {
    mistakes.iter().map(RulesFileError::to_string).collect::<Vec<_>>().join("; ")
}

fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!("; and {more} more") }
}

fn listed(known: &[String]) -> String {
    match known {
        [] => "no parameter, since the rules file has none".into(),
        known => format!("one of the parameters {}", known.join(", ")),
    }
}
