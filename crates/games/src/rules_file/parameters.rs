//! The parameters of a rules file, and the name of the rules that depends on them.

use super::RulesFileError;
use super::error::Read;
use super::expression::{self, Values};
use super::source::{Item, Keys, Mistakes};
use crate::Parameters;
use crate::rules::{MAX_CELLS, MAX_NAME, Outcome};

/// The largest number of parameters in a file.
pub(super) const MOST: usize = 32;
/// The largest value of a number.
const MOST_VALUE: u32 = 1_000_000;
/// The only parameter that is not a number: the rule for the last move.
const PLAY: &str = "play";
/// The values of [`PLAY`], each with the outcome of a player without a move.
const PLAYS: [(&str, Outcome); 3] = [("normal", Outcome::Loss), ("misere", Outcome::Win), ("draw", Outcome::Draw)];

/// A parameter of a rules file, with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: String,
    /// The value.
    pub value: String,
    /// The default value.
    pub default: String,
    /// A description of the valid values.
    pub expected: String,
    /// The meaning of the parameter in one line; empty if the file does not give one.
    pub help: String,
}

/// All parameters of a file, with their values.
pub(super) struct Settled {
    pub(super) list: Vec<Parameter>,
    /// The parameters that are numbers.
    pub(super) values: Values,
    /// The same parameters with their default values.
    defaults: Values,
    /// The outcome of a player without a move.
    pub(super) terminal: Outcome,
    /// True if every parameter has a value. Otherwise values computed from the parameters are unknown.
    pub(super) is_complete: bool,
}

/// Reads `play` and the table `parameters`, and applies the values in `set`.
pub(super) fn settle(file: &mut Keys<'_>, mistakes: &Mistakes<'_>, set: &Parameters) -> Settled {
    let mut settled = Settled {
        list: Vec::new(),
        values: Vec::new(),
        defaults: Vec::new(),
        terminal: Outcome::Loss,
        is_complete: true,
    };
    let fixed = file.take(PLAY);
    let read = fixed.map_or(Ok(0), |item| item.word(&PLAYS.map(|(word, _)| word)));
    settled.terminal = PLAYS[mistakes.keep(read).unwrap_or(0)].1;
    let entries = file.take("parameters").map_or(Ok(Vec::new()), |table| {
        let entries = table.any_keys("[parameters]")?.rest();
        let many = || table.found(format!("at most {MOST} parameters"), entries.len().to_string());
        if entries.len() > MOST { Err(many()) } else { Ok(entries) }
    });
    let entries = mistakes.keep(entries);
    settled.is_complete = entries.is_some();
    let mut known = Vec::new();
    for (name, item) in entries.unwrap_or_default() {
        known.push(name.to_owned());
        let read = match name {
            PLAY if fixed.is_some() => Err(item.found("one `play`, either in the file or in [parameters],", "both")),
            PLAY => settled.play(item, set),
            name => settled.number(name, item, set),
        };
        settled.is_complete &= mistakes.keep(read).is_some() || name == PLAY;
    }
    for (key, _) in set.iter().filter(|(key, _)| !known.iter().any(|name| name == key)) {
        let parameter = super::source::shown(key);
        mistakes.note(RulesFileError::UnknownParameter { parameter, known: known.clone() });
    }
    settled
}

fn wrong(key: &str, expected: &str, found: &str) -> RulesFileError {
    RulesFileError::Value { parameter: key.into(), expected: expected.into(), found: super::source::shown(found) }
}

impl Settled {
    fn play(&mut self, item: Item<'_>, set: &Parameters) -> Read<()> {
        let words = PLAYS.map(|(word, _)| word);
        let of_file = item.word(&words);
        let default = words[*of_file.as_ref().unwrap_or(&0)];
        let expected = "normal, misere or draw";
        let given = set.get(PLAY).map(|value| if value == "misère" { "misere" } else { value }).unwrap_or(default);
        let found = PLAYS.into_iter().find(|(word, _)| *word == given);
        // A wrong word counts as one mistake. A valid play is still needed, so that a name with the play in it causes
        // no second one.
        let play = found.unwrap_or(PLAYS[0]);
        self.terminal = play.1;
        self.list.push(Parameter {
            name: PLAY.into(),
            value: play.0.into(),
            default: default.into(),
            expected: expected.into(),
            help: "a player who cannot move loses (normal), wins (misere) or draws (draw)".into(),
        });
        of_file?;
        found.map(drop).ok_or_else(|| wrong(PLAY, expected, given))
    }

    fn number(&mut self, name: &str, item: Item<'_>, set: &Parameters) -> Read<()> {
        if !expression::is_name(name) {
            let expected = "a name of a-z 0-9 _, a letter first, not min or max, at most 32 characters,";
            return Err(item.found(expected, format!("{:?}", super::source::shown(name))));
        }
        let (mut least, mut most, mut help) = (None, None, "");
        let mut default_item = item;
        if item.is_table() {
            let mut keys = item.keys("a parameter", &[&["default", "least", "most", "help"]])?;
            default_item = keys.need("default", "a whole number")?;
            (least, most) = (keys.take("least"), keys.take("most"));
            help = keys.take("help").map_or(Ok(""), |item| item.text("a line of text"))?;
        }
        let limits = |values: &Values| -> Read<(u32, u32)> {
            let limit =
                |item: Option<Item<'_>>, none| item.map_or(Ok(none), |item| item.number(values, 0..=MOST_VALUE));
            Ok((limit(least, 1)?, limit(most, MAX_CELLS)?))
        };
        // Other given parameters may move the limits past the default. Then the nearest value within the limits becomes
        // the default. A default outside the limits that the other defaults give is a mistake.
        let default = default_item.number(&Values::new(), 0..=MOST_VALUE)?;
        let (least_default, most_default) = limits(&self.defaults)?;
        if least_default > most_default {
            let found = format!("{least_default} and {most_default}");
            return Err(item.found("`least` not above `most`", found));
        }
        if !(least_default..=most_default).contains(&default) {
            let expected = format!("a default from {least_default} to {most_default}");
            return Err(default_item.found(expected, default.to_string()));
        }
        // If an earlier parameter has no value, limits that depend on it cannot be computed, which is no new mistake.
        let (least, most) = match limits(&self.values) {
            Err(_) if !self.is_complete => return Ok(()),
            limits => limits?,
        };
        let expected = format!("a whole number from {least} to {most}");
        item.ensure(least <= most, "`least` not above `most`", format!("{least} and {most}"))?;
        self.defaults.push((name.into(), default.into()));
        let default = default.clamp(least, most);
        let value = match set.get(name) {
            None => default,
            Some(text) => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                number.ok_or_else(|| wrong(name, &expected, text))?
            }
        };
        self.values.push((name.into(), value.into()));
        let (value, default) = (value.to_string(), default.to_string());
        self.list.push(Parameter { name: name.into(), value, default, expected, help: super::source::shown(help) });
        Ok(())
    }

    /// The name of the rules: `template` with the value of each `{parameter}`, then all parameters that `template`
    /// omits. The name determines the values, so rules of one file are equal if their names are.
    pub(super) fn name(&self, template: Item<'_>) -> Read<String> {
        let text = template.text("a text")?;
        let wrong = |expected: &str, found: &str| Err(template.found(expected, format!("{found:?}")));
        let mut name = String::new();
        let mut named = Vec::new();
        let mut rest = text;
        // True while the name so far ends with the value of a number.
        let mut after_number = false;
        while let Some(next) = rest.chars().next() {
            let (part, placeholder) = match next {
                '{' => match rest[1..].split_once('}') {
                    Some((part, after)) => {
                        rest = after;
                        (part, true)
                    }
                    None => return wrong("a } after each {", &super::source::shown(rest)),
                },
                _ => {
                    let end = rest.find('{').unwrap_or(rest.len());
                    let (part, after) = rest.split_at(end);
                    rest = after;
                    (part, false)
                }
            };
            if !placeholder {
                if after_number && part.starts_with(|c: char| c.is_ascii_digit()) {
                    return wrong("no digit right after a number", part);
                }
                after_number = false;
                name += part;
                continue;
            }
            let Some(parameter) = self.list.iter().find(|parameter| parameter.name == part) else {
                return wrong("a parameter of the file between { and }", &super::source::shown(part));
            };
            let number = parameter.name != PLAY;
            if after_number && number {
                return wrong("a sign between two numbers", part);
            }
            after_number = number;
            name += &parameter.value;
            named.push(part);
            if name.len() > MAX_NAME {
                break;
            }
        }
        for parameter in self.list.iter().filter(|parameter| !named.contains(&parameter.name.as_str())) {
            name += &match parameter.name.as_str() {
                PLAY => format!("-{}", parameter.value),
                other => format!("-{other}{}", parameter.value),
            };
        }
        let first = name.starts_with(|c: char| c.is_ascii_alphanumeric());
        if !first || name.len() > MAX_NAME || !name.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c)) {
            let expected = format!(
                "a file name, 1 to {MAX_NAME} of the characters a-z A-Z 0-9 . _ + -, a letter or a digit first,"
            );
            return Err(template.found(expected, format!("{:?}", super::source::shown(&name))));
        }
        Ok(name)
    }
}
