//! Errors in rules files.

use crate::did_you_mean;
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
    /// The board has more squares or cells than any board.
    #[error("{}{expected} is expected, found {found}{}", at_line(*line, fits), largest(fits))]
    BoardTooLarge {
        /// The line.
        line: usize,
        /// What was expected.
        expected: String,
        /// What was found instead.
        found: String,
        /// Lower values of the parameters that are set, with which the file is accepted: `rows=5 cols=6`. None if none were
        /// found: then the file itself is too large.
        fits: Vec<String>,
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
    /// The line of the mistake, if it has one. Mistakes in parameters that are set have none, boards that these make too large
    /// neither, and neither have several.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::Syntax { line, .. } | Self::Line { line, .. } => Some(*line),
            Self::BoardTooLarge { line, fits, .. } if fits.is_empty() => Some(*line),
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

/// The line of a board that is too large, unless parameters that are set are the reason.
fn at_line(line: usize, fits: &[String]) -> String {
    if fits.is_empty() { format!("line {line}: ") } else { String::new() }
}

fn largest(fits: &[String]) -> String {
    match fits {
        [] => String::new(),
        [only] => format!("; the largest that fits is {only}"),
        several => format!("; the largest that fit are {}", several.join(", ")),
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
