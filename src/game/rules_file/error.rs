//! Errors in rules files.

use crate::game::did_you_mean;
use crate::rules::RulesError;

/// Why a rules file is refused. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesFileError {
    /// The text is too long.
    #[error("a rules file of at most {most} bytes is expected, found {bytes}")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The largest length that is accepted.
        most: usize,
    },
    /// The text is not TOML.
    #[error("line {line}: TOML is expected: {message}")]
    Syntax {
        /// The first line that is not TOML.
        line: usize,
        /// The message of the parser, in one line.
        message: String,
    },
    /// A value in this line is wrong, or is missing from the table that begins in this line.
    #[error("line {line}: {expected} is expected, found {found}")]
    Line {
        /// The line.
        line: usize,
        /// What was expected.
        expected: String,
        /// What was found instead.
        found: String,
    },
    /// A parameter cannot have the value it is set to.
    #[error("{parameter}: {expected} is expected, found {found:?}")]
    Value {
        /// The parameter.
        parameter: String,
        /// What it may be.
        expected: String,
        /// The given value.
        found: String,
    },
    /// A parameter is set that the file does not have.
    #[error("{parameter}{}: the rules file has {}", did_you_mean(parameter, known.iter().map(String::as_str)), listed(known))]
    UnknownParameter {
        /// The given parameter.
        parameter: String,
        /// The parameters of the file.
        known: Vec<String>,
    },
    /// Several mistakes, in order of lines.
    #[error("{}{}", joined(mistakes), and_more(*more))]
    Several {
        /// The first mistakes; none is `Several` itself.
        mistakes: Vec<RulesFileError>,
        /// The number of further mistakes that were found.
        more: usize,
    },
    /// The rules are not sound, and no single line of the file is the reason.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

impl RulesFileError {
    /// The line of the mistake, if it has one. Mistakes in parameters that are set have none, and neither have several.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::Syntax { line, .. } | Self::Line { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// The mistakes one by one: only itself, unless there are several.
    #[must_use]
    pub fn mistakes(&self) -> &[Self] {
        if let Self::Several { mistakes, .. } = self { mistakes } else { std::slice::from_ref(self) }
    }

    /// The number of mistakes that were found beside [`mistakes`](Self::mistakes).
    #[must_use]
    pub const fn more(&self) -> usize {
        if let Self::Several { more, .. } = self { *more } else { 0 }
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
        [] => "no parameters".into(),
        known => format!("the parameters {}", known.join(", ")),
    }
}
