//! The parameters of a game by name, and how their values are read.

use std::ops::RangeInclusive;

use super::GameError;
use crate::rules::{Descriptor, Outcome};

/// Parameters by name, in the order in which they were given. Values are texts. If a name is set again, its later value
/// counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// No parameters: every parameter has its default.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The parameters that `text` lists, as in `rows=3,cols=4`; `None` if it is not such a list, or names a parameter twice.
    #[must_use]
    pub fn listed(text: &str) -> Option<Self> {
        text.split(',').try_fold(Self::new(), |all, parameter| {
            let (name, value) = parameter.split_once('=')?;
            all.and(name, value).ok()
        })
    }

    /// Sets `name` to `value`.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        self.0.retain(|(key, _)| *key != name);
        self.0.push((name, value));
    }

    /// Sets `name` to `value` and returns the parameters, for chaining.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.set(name, value.to_string());
        self
    }

    /// Sets `name`, which has no value yet, to `value` and returns the parameters, for chaining.
    ///
    /// # Errors
    /// If `name` has a value.
    pub fn and(self, name: &str, value: &str) -> Result<Self, GameError> {
        match self.get(name) {
            None => Ok(self.with(name, value)),
            Some(first) => Err(GameError::Twice { parameter: name.into(), first: first.into(), second: value.into() }),
        }
    }

    /// The value of `name`, if it was given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The names and their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The descriptor of a game of `family` with these parameters.
    pub(super) fn describing(self, family: &str) -> Descriptor {
        Descriptor { family: family.into(), parameters: self.0 }
    }

    /// Returns whether no parameter was given.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number `name`, or `default` if it was not given.
    ///
    /// # Errors
    /// If it is not a whole number within `limits`.
    pub fn number(&self, name: &'static str, default: u32, limits: RangeInclusive<u32>) -> Result<u32, GameError> {
        let Some(text) = self.get(name) else { return Ok(default) };
        let number = text.parse().ok().filter(|number| limits.contains(number));
        let expected = || match limits.clone().into_inner() {
            (least, u32::MAX) => format!("a whole number of at least {least}"),
            (least, most) => format!("a whole number from {least} to {most}"),
        };
        number.ok_or_else(|| GameError::Value { parameter: name, expected: expected(), found: text.into() })
    }

    /// Returns whether the flag `name` is set. A flag that was not given is not set.
    ///
    /// # Errors
    /// If it is neither `true` nor `false`.
    pub fn flag(&self, name: &'static str) -> Result<bool, GameError> {
        match self.get(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => {
                Err(GameError::Value { parameter: name, expected: "true or false".into(), found: other.into() })
            }
        }
    }

    /// The rule for the last move, which is the parameter `play`.
    ///
    /// # Errors
    /// If it is neither `normal` nor `misere`.
    pub fn play(&self, default: Play) -> Result<Play, GameError> {
        match self.get("play") {
            None => Ok(default),
            Some("normal") => Ok(Play::Normal),
            Some("misere" | "misère") => Ok(Play::Misere),
            Some(other) => {
                Err(GameError::Value { parameter: "play", expected: "normal or misere".into(), found: other.into() })
            }
        }
    }
}

impl From<Vec<(String, String)>> for Parameters {
    fn from(parameters: Vec<(String, String)>) -> Self {
        let mut all = Self::new();
        parameters.into_iter().for_each(|(name, value)| all.set(name, value));
        all
    }
}

words! {
    /// The winner when no move is left: the rule for the last move.
    Play {
        /// The player who makes the last move wins.
        Normal = "normal",
        /// The player who makes the last move loses.
        Misere = "misere",
    }
}

impl Play {
    /// The outcome for a player without a move.
    #[must_use]
    pub const fn terminal(self) -> Outcome {
        match self {
            Self::Normal => Outcome::Loss,
            Self::Misere => Outcome::Win,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_limits() {
        let given = |text: &str| Parameters::new().with("n", text).number("n", 7, 1..=9);
        assert_eq!((given("1"), given("9")), (Ok(1), Ok(9)));
        assert_eq!(Parameters::new().number("n", 7, 1..=9), Ok(7));
        for text in ["0", "10", "-1", "", "x", "1.5", "99999999999999999999", " 1"] {
            let error = given(text).unwrap_err().to_string();
            assert!(error.contains("n: expected a whole number from 1 to 9") && error.contains(text), "{error}");
        }
    }

    #[test]
    fn flags() {
        let given = |text: &str| Parameters::new().with("directed", text).flag("directed");
        assert_eq!(
            (given("true"), given("false"), Parameters::new().flag("directed")),
            (Ok(true), Ok(false), Ok(false))
        );
        assert!(given("").is_err() && given("yes").is_err());
    }

    #[test]
    fn the_last_value_of_a_name_counts() {
        let parameters = Parameters::new().with("play", "normal").with("play", "misere");
        assert_eq!(parameters.play(Play::Normal), Ok(Play::Misere));
        assert_eq!(parameters.iter().count(), 1);
        assert!(Parameters::new().with("play", "both").play(Play::Normal).is_err());
    }

    #[test]
    fn no_parameter_has_two_values() {
        let twice = Parameters::new().with("rows", 6).and("rows", "5").unwrap_err();
        assert_eq!(twice.to_string(), "rows: expected one value, found \"6\" and \"5\"");
        assert_eq!(Parameters::listed("rows=6,cols=5"), Some(Parameters::new().with("rows", 6).with("cols", 5)));
        assert_eq!(Parameters::listed("rows=6,rows=6"), None);
    }
}
