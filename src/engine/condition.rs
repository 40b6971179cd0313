//! Conditions on positions, such as `outcome = loss and filled < 6`.
//!
//! ```text
//! condition = clause { "or" clause }
//! clause    = part { "and" part }
//! part      = "not" part | "(" condition ")" | field comparison value
//! ```

use tablegen_core::label::{LabelKind, LabelSet, Value};
use tablegen_core::rules::{Mode, Outcome, Position, Rules};

/// The signs of comparisons, the longer ones first.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("!=", |order| order.is_ne()),
    ("<=", |order| order.is_le()),
    (">=", |order| order.is_ge()),
    ("=", |order| order.is_eq()),
    ("<", |order| order.is_lt()),
    (">", |order| order.is_gt()),
];
/// The most parentheses and negations around a part.
const MOST_NESTED: u32 = 64;

type Comparison = fn(std::cmp::Ordering) -> bool;

/// A condition that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot read the condition {text:?}: expected {expected}, found {found}")]
pub struct ConditionError {
    /// The condition.
    pub text: String,
    /// What should stand there, in words.
    pub expected: String,
    /// What stands there instead, in words.
    pub found: String,
}

/// A condition on positions of one table.
#[derive(Clone, Debug)]
pub struct Condition(Part);

#[derive(Clone, Debug)]
enum Part {
    Any(Vec<Part>),
    All(Vec<Part>),
    Not(Box<Part>),
    /// The outcome compares with this one; a loss is the least.
    Outcome(Comparison, Outcome),
    /// The mode is this one; if the flag is false, it is another.
    Mode(Mode, bool),
    /// A number compares with this one.
    Number(Field, Comparison, u32),
}

/// A number of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    /// Filled cells.
    Filled,
    /// Empty cells.
    Empty,
    /// A label.
    Label(LabelKind),
}

impl Condition {
    /// Reads `text` as a condition on positions of `rules` with `labels`.
    ///
    /// # Errors
    /// If `text` is not a condition, or names a label that is not among `labels`.
    pub fn read(text: &str, rules: &Rules, labels: LabelSet) -> Result<Self, ConditionError> {
        let mut reader = Reader { text, rest: text.trim_start(), rules, labels, nested: 0 };
        let condition = reader.condition()?;
        if reader.rest.is_empty() { Ok(Self(condition)) } else { Err(reader.wrong("\"and\", \"or\" or the end")) }
    }

    /// Returns whether `position`, whose labels are `value`, meets the condition. A draw by repetition has no remoteness: it meets
    /// no comparison of remoteness but `!=`.
    #[must_use]
    pub fn is_met(&self, position: Position, value: &Value, cells: u32) -> bool {
        self.0.is_met(position, value, cells)
    }
}

impl Part {
    fn is_met(&self, position: Position, value: &Value, cells: u32) -> bool {
        match self {
            Self::Any(parts) => parts.iter().any(|part| part.is_met(position, value, cells)),
            Self::All(parts) => parts.iter().all(|part| part.is_met(position, value, cells)),
            Self::Not(part) => !part.is_met(position, value, cells),
            Self::Outcome(compares, outcome) => compares(value.outcome.cmp(outcome)),
            Self::Mode(mode, is_this) => (position.mode == *mode) == *is_this,
            Self::Number(field, compares, than) => {
                let number = match field {
                    Field::Filled => Some(position.board.count()),
                    Field::Empty => Some(cells - position.board.count()),
                    Field::Label(LabelKind::Remoteness) => value.remoteness,
                    Field::Label(LabelKind::Nimber) => value.nimber,
                    Field::Label(LabelKind::MisereNimber) => value.misere_nimber,
                    Field::Label(LabelKind::Outcome) => None,
                };
                // Without a number, only "not equal" holds: it compares as both less and greater.
                number.map_or_else(
                    || compares(std::cmp::Ordering::Less) && compares(std::cmp::Ordering::Greater),
                    |number| compares(number.cmp(than)),
                )
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    rules: &'a Rules,
    labels: LabelSet,
    nested: u32,
}

impl<'a> Reader<'a> {
    fn condition(&mut self) -> Result<Part, ConditionError> {
        let mut parts = vec![self.clause()?];
        while self.takes_word("or") {
            parts.push(self.clause()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Part::Any(parts) })
    }

    fn clause(&mut self) -> Result<Part, ConditionError> {
        let mut parts = vec![self.part()?];
        while self.takes_word("and") {
            parts.push(self.part()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Part::All(parts) })
    }

    fn part(&mut self) -> Result<Part, ConditionError> {
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return Err(self.wrong("at most 64 parentheses around a comparison"));
        }
        let part = if self.takes_word("not") {
            Part::Not(Box::new(self.part()?))
        } else if self.takes_sign("(") {
            let part = self.condition()?;
            if !self.takes_sign(")") {
                return Err(self.wrong("\")\", \"and\" or \"or\""));
            }
            part
        } else {
            self.comparison()?
        };
        self.nested -= 1;
        Ok(part)
    }

    fn comparison(&mut self) -> Result<Part, ConditionError> {
        let before = self.rest;
        let field = self.word();
        let number = match field {
            "outcome" | "mode" => None,
            "filled" => Some(Field::Filled),
            "empty" => Some(Field::Empty),
            _ => {
                let Some(kind) = self.numbers().find(|kind| kind.name() == field) else {
                    self.rest = before;
                    return Err(self.wrong(&format!("one of {}", self.fields().join(", "))));
                };
                Some(Field::Label(kind))
            }
        };
        let Some(&(sign, compares)) = COMPARISONS.iter().find(|(sign, _)| self.rest.starts_with(sign)) else {
            return Err(self.wrong("one of = != < <= > >="));
        };
        self.takes_sign(sign);
        let before = self.rest;
        let value = self.word();
        let part = match (number, field) {
            (Some(field), _) => value.parse().ok().map(|than| Part::Number(field, compares, than)),
            (None, "outcome") => {
                let outcome = Outcome::BEST_FIRST.into_iter().find(|outcome| outcome.name() == value);
                outcome.map(|outcome| Part::Outcome(compares, outcome))
            }
            (None, _) if !["=", "!="].contains(&sign) => {
                return Err(self.error("= or != after mode", &format!("{sign:?}")));
            }
            (None, _) => {
                let mode = self.rules.modes().iter().position(|mode| mode == value);
                mode.map(|mode| Part::Mode(Mode(mode as u16), sign == "="))
            }
        };
        part.ok_or_else(|| {
            self.rest = before;
            self.wrong(&match (number, field) {
                (Some(_), _) => format!("a whole number after {field}"),
                (None, "outcome") => "win, draw or loss".to_owned(),
                (None, _) => format!("one of the modes {}", self.rules.modes().join(", ")),
            })
        })
    }

    /// The labels that are numbers.
    fn numbers(&self) -> impl Iterator<Item = LabelKind> + use<'a> {
        let labels = self.labels;
        let kinds = [LabelKind::Remoteness, LabelKind::Nimber, LabelKind::MisereNimber].into_iter();
        kinds.filter(move |&kind| labels.contains(kind))
    }

    /// The names of all fields.
    fn fields(&self) -> Vec<&'static str> {
        ["outcome", "mode", "filled", "empty"].into_iter().chain(self.numbers().map(LabelKind::name)).collect()
    }

    /// Takes the next word: all up to a blank, a parenthesis or the sign of a comparison.
    fn word(&mut self) -> &'a str {
        let ends = |c: char| c.is_whitespace() || "()=!<>".contains(c);
        let (word, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        word
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let before = self.rest;
        let found = self.word() == word;
        if !found {
            self.rest = before;
        }
        found
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let after = self.rest.strip_prefix(sign);
        after.inspect(|after| self.rest = after.trim_start()).is_some()
    }

    /// The error that `expected` should come next.
    fn wrong(&self, expected: &str) -> ConditionError {
        let found = if self.rest.is_empty() { "its end".to_owned() } else { format!("{:?}", self.rest) };
        self.error(expected, &found)
    }

    fn error(&self, expected: &str, found: &str) -> ConditionError {
        ConditionError { text: self.text.into(), expected: expected.into(), found: found.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_core::rules::{Board, RulesSpec};

    fn rules() -> Rules {
        RulesSpec { modes: vec!["x".into(), "o".into()], ..RulesSpec::new("six", 6) }.build().unwrap()
    }

    #[test]
    fn conditions_are_met() {
        let labels = LabelSet::OUTCOME.with(LabelKind::Remoteness);
        let position = Position::new(Mode(1), Board::from_word(0b1011));
        let value = Value { remoteness: Some(5), ..Value::from(Outcome::Loss) };
        let is_met = |text: &str| {
            Condition::read(text, &rules(), labels).unwrap_or_else(|e| panic!("{e}")).is_met(position, &value, 6)
        };
        for text in [
            "outcome = loss",
            "outcome<win and filled=3",
            "remoteness >= 5 and not remoteness > 5",
            "mode = o",
            "mode != x and (outcome = win or empty = 3)",
            "outcome = win and filled = 9 or mode=o",
            "not (not (filled <= 3))",
        ] {
            assert!(is_met(text), "{text}");
            assert!(!is_met(&format!("not ({text})")), "{text}");
        }
        let endless = Value { repetition: true, ..Value::from(Outcome::Draw) };
        for (text, expected) in [("remoteness != 3", true), ("remoteness < 3", false), ("remoteness >= 0", false)] {
            assert_eq!(Condition::read(text, &rules(), labels).unwrap().is_met(position, &endless, 6), expected);
        }
    }

    #[test]
    fn mistakes_are_named() {
        let refusal = |text: &str| Condition::read(text, &rules(), LabelSet::OUTCOME).unwrap_err().to_string();
        for (text, expected) in [
            ("", "expected one of outcome, mode, filled, empty, found its end"),
            ("remoteness = 3", "expected one of outcome, mode, filled, empty, found \"remoteness = 3\""),
            ("outcome", "expected one of = != < <= > >=, found its end"),
            ("outcome = lost", "expected win, draw or loss, found \"lost\""),
            ("filled < many", "expected a whole number after filled, found \"many\""),
            ("mode < x", "expected = or != after mode, found \"<\""),
            ("mode = z", "expected one of the modes x, o, found \"z\""),
            ("(filled = 1", "expected \")\", \"and\" or \"or\", found its end"),
            ("filled = 1 filled = 2", "expected \"and\", \"or\" or the end, found \"filled = 2\""),
        ] {
            let error = refusal(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(refusal(&"(".repeat(100)).contains("at most 64"));
    }
}
