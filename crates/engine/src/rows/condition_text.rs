//! The text of conditions.

use super::condition::{Comparison, Condition, FIELDS, Field, Number, Test};
use tablegen_games::did_you_mean;
use tablegen_rules::{Mode, Outcome, Rules};

/// Most `not`s and parentheses around a comparison. Each takes some stack.
const DEEPEST: usize = 100;
/// The remoteness of a draw by repetition.
const REPETITION: &str = "repetition";

/// The reason why a text is not a condition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot read the condition at column {column}: expected {expected}, found {found}")]
pub struct ConditionError {
    /// The place in the text, in characters, counted from 1.
    pub column: usize,
    /// The text that is allowed there.
    pub expected: String,
    /// The text that stands there.
    pub found: String,
}

/// A part of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    /// A word or a number; or any text in quotes, which is only a value.
    Word {
        text: &'a str,
        is_quoted: bool,
    },
    Comparison(Comparison),
    Open,
    Close,
    End,
}

impl Condition {
    /// Reads the condition `text` on positions of `rules`.
    ///
    /// # Errors
    /// If the text is not a condition. The error has the place, and what is allowed there.
    pub fn read(text: &str, rules: &Rules) -> Result<Self, ConditionError> {
        Ok(Self { test: read(text, rules.modes())?, cells: rules.cells() })
    }
}

/// The condition `text` on positions in `modes`.
fn read(text: &str, modes: &[String]) -> Result<Test, ConditionError> {
    let mut reader = ConditionReader { text, at: 0, modes, part: Token::End, starts: 0, depth: 0 };
    reader.next()?;
    let test = reader.any()?;
    if reader.part == Token::End { Ok(test) } else { Err(reader.wrong("and, or, or the end".into())) }
}

struct ConditionReader<'a> {
    text: &'a str,
    /// The offset of the text after the current part.
    at: usize,
    modes: &'a [String],
    /// The current part, and its offset.
    part: Token<'a>,
    starts: usize,
    depth: usize,
}

impl<'a> ConditionReader<'a> {
    /// The error that the current part is not `expected`.
    fn wrong(&self, expected: String) -> ConditionError {
        let found = match self.part {
            Token::End => "the end".into(),
            _ => format!("{:?}", &self.text[self.starts..self.at]),
        };
        self.wrong_as(expected, found)
    }

    fn wrong_as(&self, expected: String, found: String) -> ConditionError {
        ConditionError { column: self.text[..self.starts].chars().count() + 1, expected, found }
    }

    /// The error that the text from the current place to `end` is not `expected`.
    fn wrong_text(&self, end: usize, expected: String) -> ConditionError {
        self.wrong_as(expected, format!("{:?}", &self.text[self.starts..end]))
    }

    /// Reads the next part.
    fn next(&mut self) -> Result<(), ConditionError> {
        let rest = self.text[self.at..].trim_start();
        self.starts = self.text.len() - rest.len();
        let (part, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some('(') => (Token::Open, 1),
            Some(')') => (Token::Close, 1),
            Some(quote @ ('\'' | '"')) => match rest[1..].find(quote) {
                Some(length) => (Token::Word { text: &rest[1..=length], is_quoted: true }, length + 2),
                None => return Err(self.wrong_text(self.text.len(), format!("a second {quote}"))),
            },
            Some('=' | '!' | '<' | '>') => {
                let found = Comparison::ALL.iter().find(|(name, _)| rest.starts_with(name));
                let Some((name, comparison)) = found else {
                    return Err(self.wrong_text(self.starts + 1, comparisons()));
                };
                (Token::Comparison(*comparison), name.len())
            }
            Some(_) => {
                let ends = |c: char| c.is_whitespace() || "()'\"=!<>".contains(c);
                let length = rest.find(ends).unwrap_or(rest.len());
                (Token::Word { text: &rest[..length], is_quoted: false }, length)
            }
        };
        (self.part, self.at) = (part, self.starts + length);
        Ok(())
    }

    /// Skips `word` if it is next.
    fn skips(&mut self, word: &str) -> Result<bool, ConditionError> {
        let is_next = self.part == Token::Word { text: word, is_quoted: false };
        if is_next {
            self.next()?;
        }
        Ok(is_next)
    }

    /// Conditions joined by `or`.
    fn any(&mut self) -> Result<Test, ConditionError> {
        let mut tests = vec![self.all()?];
        while self.skips("or")? {
            tests.push(self.all()?);
        }
        Ok(one_or(tests, Test::Any))
    }

    /// Conditions joined by `and`.
    fn all(&mut self) -> Result<Test, ConditionError> {
        let mut tests = vec![self.one()?];
        while self.skips("and")? {
            tests.push(self.one()?);
        }
        Ok(one_or(tests, Test::All))
    }

    /// A comparison, a condition after `not`, or one in parentheses.
    fn one(&mut self) -> Result<Test, ConditionError> {
        if self.depth == DEEPEST {
            return Err(self.wrong_as(format!("at most {DEEPEST} nested conditions"), "more".into()));
        }
        self.depth += 1;
        let test = if self.skips("not")? {
            Test::Not(Box::new(self.one()?))
        } else if self.part == Token::Open {
            self.next()?;
            let test = self.any()?;
            if self.part != Token::Close {
                return Err(self.wrong("and, or, or )".into()));
            }
            self.next()?;
            test
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(test)
    }

    fn comparison(&mut self) -> Result<Test, ConditionError> {
        let names = FIELDS.map(|(name, _)| name);
        let found = match self.part {
            Token::Word { text, is_quoted: false } => {
                // Columns have underscores.
                let asked = text.replace('_', "-");
                FIELDS.iter().find(|(name, _)| *name == asked).ok_or(Some(text))
            }
            _ => Err(None),
        };
        let &(name, field) = found.map_err(|word| {
            let near = word.map_or_else(String::new, |word| did_you_mean(word, names));
            self.wrong(format!("not, ( or a field ({}){near}", names.join(", ")))
        })?;
        self.next()?;
        if field == Field::Reachable {
            return match self.part {
                Token::Comparison(_) => {
                    Err(self.wrong("and, or, or the end after reachable, which stands alone".into()))
                }
                _ => Ok(Test::Reachable),
            };
        }
        let Token::Comparison(comparison) = self.part else {
            return Err(self.wrong(format!("{} after {name}", comparisons())));
        };
        let is = comparison == Comparison::Equal;
        let only_equal = is || comparison == Comparison::Unequal;
        if field == Field::Mode && !only_equal {
            return Err(self.wrong("= or != after mode".into()));
        }
        let place = (self.starts, self.at);
        self.next()?;
        let Token::Word { text, .. } = self.part else { return Err(self.wrong(self.values(field))) };
        let test = match field {
            Field::Mode => {
                let mode = self.modes.iter().position(|mode| mode == text);
                mode.map(|mode| Test::Mode { is, mode: Mode(mode as u16) })
            }
            Field::Outcome => {
                let outcome = Outcome::BEST_FIRST.into_iter().find(|outcome| outcome.name() == text);
                outcome.map(|outcome| Test::Outcome(comparison, outcome))
            }
            Field::Number(Number::Label(kind)) if kind.about().counts_plies && text == REPETITION => {
                if !only_equal {
                    (self.starts, self.at) = place;
                    return Err(self.wrong(format!("= or != before {REPETITION}")));
                }
                Some(Test::Repetition { is })
            }
            Field::Number(number) => {
                let has_sign = number.label().is_some_and(|kind| kind.about().is_signed);
                let asked = text.parse().ok().filter(|&asked: &i32| has_sign || asked >= 0);
                asked.map(|asked| Test::Number(number, comparison, asked))
            }
            Field::Reachable => None,
        };
        let test = test.ok_or_else(|| self.wrong(self.values(field)))?;
        self.next()?;
        Ok(test)
    }

    /// The values of `field`.
    fn values(&self, field: Field) -> String {
        match field {
            Field::Mode if self.modes.len() == 1 => format!("{}, the only mode of the game", self.modes[0]),
            Field::Mode => format!("one of the modes {}", self.modes.join(", ")),
            Field::Outcome => "win, draw or loss".into(),
            Field::Number(Number::Label(kind)) if kind.about().counts_plies => {
                format!("a number of plies, or {REPETITION}")
            }
            Field::Number(_) | Field::Reachable => "a number".into(),
        }
    }
}

/// The names of all comparisons.
fn comparisons() -> String {
    "one of = != < <= > >=".into()
}

fn one_or(mut tests: Vec<Test>, join: fn(Vec<Test>) -> Test) -> Test {
    match tests.pop() {
        Some(test) if tests.is_empty() => test,
        last => {
            tests.extend(last);
            join(tests)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use tablegen_labels::{LabelKind, LabelSet, Value};
    use tablegen_rules::{Board, Move, Position, RulesSpec};

    fn error(text: &str) -> String {
        read(text, &["x".into(), "o".into()]).expect_err(text).to_string()
    }

    #[test]
    fn errors_point_at_the_place() {
        let fields = "mode, outcome, remoteness, nimber, misere-nimber, score, filled, free, reachable";
        let at = |column, rest: &str| format!("cannot read the condition at column {column}: expected {rest}");
        for (text, expected) in [
            ("", at(1, &format!("not, ( or a field ({fields}), found the end"))),
            ("outcom=loss", at(1, &format!("not, ( or a field ({fields}) (did you mean outcome?), found \"outcom\""))),
            ("filled<6 and", at(13, &format!("not, ( or a field ({fields}), found the end"))),
            ("filled<6 & nimber=0", at(10, "and, or, or the end, found \"&\"")),
            ("filled", at(7, "one of = != < <= > >= after filled, found the end")),
            ("filled ! 3", at(8, "one of = != < <= > >=, found \"!\"")),
            ("filled=x", at(8, "a number, found \"x\"")),
            ("filled=-1", at(8, "a number, found \"-1\"")),
            ("outcome = lost", at(11, "win, draw or loss, found \"lost\"")),
            ("outcome=", at(9, "win, draw or loss, found the end")),
            ("mode=z", at(6, "one of the modes x, o, found \"z\"")),
            ("mode<x", at(5, "= or != after mode, found \"<\"")),
            ("remoteness=no", at(12, "a number of plies, or repetition, found \"no\"")),
            ("remoteness < repetition", at(12, "= or != before repetition, found \"<\"")),
            ("reachable=1", at(10, "and, or, or the end after reachable, which stands alone, found \"=\"")),
            ("(filled=1", at(10, "and, or, or ), found the end")),
            ("filled=1)", at(9, "and, or, or the end, found \")\"")),
            ("'mode", at(1, "a second ', found \"'mode\"")),
            ("mode='x", at(6, "a second ', found \"'x\"")),
            ("mode='é' or", at(6, "one of the modes x, o, found \"'é'\"")),
        ] {
            assert_eq!(error(text), expected, "{text}");
        }
        assert!(matches!(read("score>=-1", &[]), Ok(Test::Number(_, Comparison::AtLeast, -1))));
        assert_eq!(read("misere_nimber=1", &[]), read("misere-nimber=1", &[]));
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth| format!("{}reachable", "not ".repeat(depth));
        assert!(read(&nested(DEEPEST - 1), &[]).is_ok());
        assert!(error(&nested(100_000)).contains("at most 100 nested conditions, found more"));
        assert!(error(&"(".repeat(100_000)).contains("at most 100 nested conditions"));
        assert!(read(&vec!["(reachable)"; 10_000].join(" or "), &[]).is_ok());
    }

    /// No text makes the reader panic.
    #[test]
    fn random_texts_are_conditions_or_errors() {
        let mut draw = fastrand::Rng::with_seed(7);
        let words =
            ["not", "and", "or", "(", ")", "filled", "mode", "reachable", "=", "<=", "3", "x", "'", "é", " ", "!"];
        for _ in 0..20_000 {
            let text: String = (0..draw.usize(0..12)).map(|_| words[draw.usize(0..words.len())]).collect();
            let _ = read(&text, &["x".into()]);
        }
    }

    fn rules() -> Rules {
        let modes = vec!["x".into(), "to move".into()];
        let moves = vec![Move::fill(Board::bit(0))];
        RulesSpec { modes, moves, ..RulesSpec::new("five", 5) }.build().unwrap()
    }

    fn holds(text: &str, row: &Row) -> bool {
        Condition::read(text, &rules()).unwrap_or_else(|error| panic!("{text}: {error}")).holds(row)
    }

    #[test]
    fn conditions_hold_as_they_read() {
        let value = Value::from(Outcome::Loss).with(LabelKind::Remoteness, Some(4)).with(LabelKind::Nimber, Some(0));
        let row = Row { position: Position::new(Mode(1), Board::from_word(0b10110)), reachable: Some(true), value };
        for (text, expected) in [
            ("outcome=loss", true),
            ("outcome < draw", true),
            ("outcome>=draw", false),
            ("remoteness=4 and nimber!=0", false),
            ("remoteness>3 or nimber!=0", true),
            ("filled=3 and free=2", true),
            ("filled<=2", false),
            ("mode=x", false),
            ("mode='to move'", true),
            ("mode != \"to move\"", false),
            ("reachable", true),
            ("not reachable", false),
            ("not not reachable", true),
            // `and` binds more tightly than `or`, and `not` more tightly than both.
            ("filled=3 or filled=4 and free=9", true),
            ("(filled=3 or filled=4) and free=9", false),
            ("not filled=4 and free=2", true),
            ("not (filled=4 or free=2)", false),
            ("remoteness=repetition", false),
        ] {
            assert_eq!(holds(text, &row), expected, "{text}");
        }
    }

    #[test]
    fn a_draw_by_repetition_has_no_plies() {
        let value = Value { repetition: true, ..Outcome::Draw.into() };
        let row = Row { position: Position::of(Board::EMPTY), reachable: Some(false), value };
        let found = ["=repetition", "!=repetition", "=3", "<3", ">=0", "!=3"];
        assert_eq!(found.map(|end| holds(&format!("remoteness{end}"), &row)), [true, false, false, false, false, true]);
        assert!(!holds("reachable", &row) && holds("not reachable and mode=x", &row));
    }

    #[test]
    fn a_condition_names_the_labels_that_it_needs() {
        let needs = |text| {
            let condition = Condition::read(text, &rules()).unwrap();
            (condition.labels(), condition.names_reachable())
        };
        let remoteness = LabelSet::OUTCOME.with(LabelKind::Remoteness);
        assert_eq!(needs("filled<3 and mode=x"), (LabelSet::OUTCOME, false));
        assert_eq!(needs("not (remoteness=repetition or reachable)"), (remoteness, true));
        assert_eq!(needs("nimber=1 and remoteness<9"), (remoteness.with(LabelKind::Nimber), false));
    }
}
