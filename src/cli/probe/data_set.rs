//! Data sets with one field for each square: the outcome of each row, compared with the class that the row has.

use std::borrow::Cow;
use std::collections::HashMap;

use tablegen::engine::{Asked, Source, SquareFields, Stop, UNKNOWN};
use tablegen::rules::{Node, Outcome, Position};

use super::batch::{Answered, Wrong};
use crate::cli::failure::{Failure, Status};
use crate::cli::lines;

/// The most positions whose outcomes are kept.
const MOST_KNOWN: usize = 1 << 20;

/// The rows of a data set as they arrive.
pub(super) struct DataSet {
    fields: SquareFields,
    class: Option<Class>,
    /// For positions in earlier rows, since rows repeat: the name of the outcome, and whether it is known that play does not reach them.
    known: HashMap<Position, (&'static str, bool)>,
    has_begun: bool,
    /// The rows whose class was compared, and those whose class differs.
    compared: u64,
    differing: u64,
    first_differing: Option<u64>,
}

/// The column of the class, and the class of each outcome for the player who begins.
struct Class {
    column: Column,
    words: Vec<(Outcome, String)>,
}

/// A column by its place, or by its name until the heading is read.
enum Column {
    At(usize),
    Named(String),
}

impl Class {
    /// The class that the values of the option `--class` describe.
    fn read(values: &[String]) -> Result<Self, Failure> {
        let wrong = |found: &str| {
            let expected = "expected a column and win=WORD, draw=WORD or loss=WORD";
            Failure::usage(format!("--class: {expected}, found {found:?}"))
        };
        let (column, words) = values.split_first().ok_or_else(|| wrong(""))?;
        let column = match column.parse::<usize>() {
            Ok(0) => return Err(Failure::usage("--class: expected a column from 1, found 0")),
            Ok(number) => Column::At(number - 1),
            Err(_) => Column::Named(column.clone()),
        };
        let word = |text: &String| {
            let (name, word) = text.split_once('=')?;
            let outcome = Outcome::BEST_FIRST.into_iter().find(|outcome| outcome.name() == name)?;
            Some((outcome, word.to_owned()))
        };
        let words = words.iter().map(|text| word(text).ok_or_else(|| wrong(text))).collect::<Result<_, _>>()?;
        Ok(Self { column, words })
    }

    /// Finds the column in the heading `fields`.
    fn find(&mut self, fields: &[&str]) -> Result<(), String> {
        if let Column::Named(name) = &self.column {
            let at = fields.iter().position(|field| field == name);
            self.column = Column::At(at.ok_or_else(|| no_column(name))?);
        }
        Ok(())
    }

    /// True if the class of a row with `fields` is that of `outcome`.
    ///
    /// # Errors
    /// If the row has no class; and the fault of the option, which holds for all rows, if no word or no column is known.
    fn agrees(&self, fields: &[&str], outcome: Outcome) -> Result<bool, Wrong> {
        let at = match &self.column {
            Column::At(at) => *at,
            Column::Named(name) => return Err(Wrong::Option(no_column(name))),
        };
        if !self.words.iter().any(|(of, _)| *of == outcome) {
            let name = outcome.name();
            return Err(Wrong::Option(format!("expected {name}=WORD, since a row has the outcome {name}, found none")));
        }
        let missing = || Wrong::Line(format!("expected a class in field {}, found no such field", at + 1));
        let found = fields.get(at).ok_or_else(missing)?;
        if !self.words.iter().any(|(_, word)| word == found) {
            let words: Vec<&str> = self.words.iter().map(|(_, word)| word.as_str()).collect();
            let expected = format!("expected one of the classes {}, found {found:?}", words.join(", "));
            return Err(Wrong::Line(expected));
        }
        Ok(self.words.iter().any(|(of, word)| *of == outcome && word == found))
    }
}

fn no_column(name: &str) -> String {
    format!("expected a heading with the column {name:?}, found none")
}

impl DataSet {
    /// The data set that the values of the options `--csv` and `--class` describe.
    pub(super) fn new(source: &Source, fields: &str, class: &[String]) -> Result<Self, Failure> {
        let class = (!class.is_empty()).then(|| Class::read(class)).transpose()?;
        if class.is_some() && source.game().rules().modes().len() > 2 {
            return Err(Failure::usage("cannot use --class: expected a game of at most two modes, found more"));
        }
        let fields = SquareFields::read(source.game(), fields);
        let fields =
            fields.map_err(|e| Failure::usage(format!("--csv: expected {}, found {}", e.expected, e.found)))?;
        let known = HashMap::new();
        Ok(Self { fields, class, known, has_begun: false, compared: 0, differing: 0, first_differing: None })
    }

    /// The row `line`, number `number`, with the outcome for the player to move.
    pub(super) fn answer(
        &mut self,
        source: &Source,
        line: &[u8],
        number: u64,
        watch: Stop<'_>,
    ) -> Result<Answered, Wrong> {
        let text = lines::text(line, "a row").map_err(Wrong::Line)?;
        let owned = split(text);
        let fields: Vec<&str> = owned.iter().map(|field| &**field).collect();
        let added = if self.class.is_some() { ",agrees" } else { "" };
        if !std::mem::replace(&mut self.has_begun, true) && self.fields.is_heading(&fields) {
            self.class.as_mut().map_or(Ok(()), |class| class.find(&fields)).map_err(Wrong::Option)?;
            return Ok(Answered {
                line: format!("{text},outcome{added}").into(),
                is_unknown: false,
                is_out_of_reach: false,
            });
        }
        let position = self.fields.position(source.game(), &fields).map_err(|e| Wrong::Line(e.to_string()))?;
        let (name, is_out_of_reach) = self.outcome(source, position, watch)?;
        let is_unknown = name == UNKNOWN;
        let Some(class) = &self.class else {
            return Ok(Answered { line: format!("{text},{name}").into(), is_unknown, is_out_of_reach });
        };
        let outcome = Outcome::BEST_FIRST.into_iter().find(|outcome| outcome.name() == name);
        let agrees = match outcome {
            None => UNKNOWN,
            Some(outcome) => {
                let start = source.game().rules().start_node();
                let begins = matches!(start, Node::At(start) if start.mode == position.mode);
                let of_first = if begins { outcome } else { outcome.flip() };
                self.compared += 1;
                if class.agrees(&fields, of_first)? {
                    "yes"
                } else {
                    self.differing += 1;
                    self.first_differing.get_or_insert(number);
                    "no"
                }
            }
        };
        Ok(Answered { line: format!("{text},{name},{agrees}").into(), is_unknown, is_out_of_reach })
    }

    /// The name of the outcome of `position`, and whether it is known that play does not reach it.
    fn outcome(&mut self, source: &Source, position: Position, watch: Stop<'_>) -> Result<(&'static str, bool), Wrong> {
        if let Some(known) = self.known.get(&position) {
            return Ok(*known);
        }
        let asked = Asked::Node(Node::At(position).into());
        let brief = source.brief_watched(&asked, watch).map_err(Wrong::Table)?;
        let found = (brief.outcome_name(), brief.is_out_of_reach);
        if self.known.len() < MOST_KNOWN {
            self.known.insert(position, found);
        }
        Ok(found)
    }

    /// The failure that classes differ from outcomes, if any does.
    pub(super) fn verdict(&self) -> Result<(), Failure> {
        let Some(first) = self.first_differing else { return Ok(()) };
        let Self { differing, compared, .. } = self;
        let message =
            format!("{differing} of {compared} classes differ from the outcomes, the first one in line {first}");
        Err(Failure::new(Status::Check, message).hint("the column agrees has no in each of these lines"))
    }
}

/// The fields of a line of CSV (RFC 4180).
fn split(line: &str) -> Vec<Cow<'_, str>> {
    if !line.contains('"') {
        return line.split(',').map(Cow::from).collect();
    }
    let (mut fields, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if is_quoted && signs.peek() == Some(&'"') => field.extend(signs.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field).into()),
            sign => field.push(sign),
        }
    }
    fields.push(field.into());
    fields
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn fields_may_be_quoted() {
        assert_eq!(split("x,,b"), ["x", "", "b"]);
        assert_eq!(split("\"a,b\",\"say \"\"c\"\"\",d"), ["a,b", "say \"c\"", "d"]);
    }
}
