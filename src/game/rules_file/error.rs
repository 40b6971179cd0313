//! What can be wrong with a rules file.

use crate::rules::RulesError;

/// Why a rules file was refused. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesFileError {
    /// A text too long to be rules.
    #[error("a rules file of at most {most} bytes is expected, found {bytes}")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The most that is accepted.
        most: usize,
    },
    /// The text is not TOML.
    #[error("line {line}: TOML is expected: {message}")]
    Syntax {
        /// Where it stops being TOML.
        line: usize,
        /// What the parser says, in one line.
        message: String,
    },
    /// Something that stands in the file and cannot be used, or that is missing from the table which begins there.
    #[error("line {line}: {expected} is expected, found {found}")]
    Line {
        /// Where it stands.
        line: usize,
        /// What was expected.
        expected: String,
        /// What was found instead.
        found: String,
    },
    /// A parameter set to what it cannot be.
    #[error("{parameter}: {expected} is expected, found {found:?}")]
    Value {
        /// The parameter.
        parameter: String,
        /// What it may be.
        expected: String,
        /// What was given.
        found: String,
    },
    /// A parameter set that the file does not have.
    #[error("{parameter}: the rules file has {}", listed(known))]
    UnknownParameter {
        /// What was set.
        parameter: String,
        /// The parameters there are.
        known: Vec<String>,
    },
    /// Rules that are not sound for a reason that no one line of the file bears alone.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

fn listed(known: &[String]) -> String {
    match known {
        [] => "no parameters".into(),
        known => format!("the parameters {}", known.join(", ")),
    }
}
