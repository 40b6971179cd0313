//! The value of a board in a table, and of each turn there.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::turns::{Turn, Turns};
use crate::{EngineError, OpenTable};
use tablegen_cgt::{Calculator, Comparison, Error, Imports, Limits, Stops, Thermograph, Value};
use tablegen_games::OutcomeClass;
use tablegen_rules::Position;
use tablegen_solvers::SolveError;

/// The value of a board as a combinatorial game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardValue {
    /// Its number in the dictionary of the table.
    pub number: u32,
    /// The canonical form; `None` if its text is longer than [`MOST_CHARACTERS`](Self::MOST_CHARACTERS).
    pub name: Option<String>,
    /// Who wins.
    pub class: OutcomeClass,
    /// The numbers at which play ends.
    pub stops: Stops,
    /// The thermograph, which has the mean and the temperature.
    pub thermograph: Thermograph,
    /// The turns of Left and of Right, best first. In an impartial game they are the same.
    pub turns: [Vec<ValuedTurn>; 2],
    /// The names of the two sides; `None` in an impartial game.
    pub sides: Option<[String; 2]>,
}

/// A turn, and the value of the board after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValuedTurn {
    /// The text of the turn.
    pub text: String,
    /// The number of the value in the dictionary of the table.
    pub number: u32,
    /// The canonical form; `None` if its text is too long.
    pub name: Option<String>,
    /// The thermograph, which has the mean and the temperature.
    pub thermograph: Thermograph,
    /// True if no other turn leaves a better value, so that the turn may be the best in some sum of games.
    pub is_best: bool,
}

impl BoardValue {
    /// The most characters of the name of a value.
    pub const MOST_CHARACTERS: usize = 400;

    /// The value of the board of `position` in a table; `None` if the table has no values, or none of this board.
    ///
    /// # Errors
    /// If the table is damaged where it is read, or a value is too large to calculate with.
    pub fn of(open: &OpenTable, position: Position) -> Result<Option<Self>, EngineError> {
        if open.table.values().is_none() {
            return Ok(None);
        }
        let Ok(turns) = Turns::of(open.game.as_ref()) else { return Ok(None) };
        let Some(key) = turns.key(position) else { return Ok(None) };
        let mut reader = Reader::new(open);
        let Some((number, value)) = reader.value(key)? else { return Ok(None) };
        let [left, right] = turns.both(key);
        let all = [reader.turns(left, Ordering::Greater)?, reader.turns(right, Ordering::Less)?];
        let calculator = &mut reader.calculator;
        let zero = calculator.integer(0).map_err(arithmetic)?;
        let class = class_of(calculator.compare(value, zero).map_err(arithmetic)?);
        let rules = open.game.rules();
        let sides = (!turns.is_impartial()).then(|| turns.side_names(rules));
        Ok(Some(Self {
            number,
            name: reader.name(value)?,
            class,
            stops: reader.calculator.stops(value),
            thermograph: reader.thermograph(value)?,
            turns: all,
            sides,
        }))
    }
}

/// The value with `number` in the dictionary of a table, in `calculator`.
///
/// # Errors
/// If the table is damaged where it is read, or lacks the value, or a limit of the calculator is reached.
pub fn read_value(open: &OpenTable, number: u32, calculator: &mut Calculator) -> Result<Value, EngineError> {
    read_into(open, number, calculator, &mut Imports::default())
}

fn read_into(
    open: &OpenTable,
    number: u32,
    calculator: &mut Calculator,
    imports: &mut Imports,
) -> Result<Value, EngineError> {
    calculator.import_with(imports, Value::from_number(number), |value| {
        let entry = open.table.value_entry(value.number()).map_err(EngineError::Read)?;
        Ok(entry.options.map(|list| list.into_iter().map(Value::from_number).collect()))
    })
}

/// The outcome class of a value that compares with 0 in this way.
pub(super) const fn class_of(comparison: Comparison) -> OutcomeClass {
    match comparison {
        Comparison::Greater => OutcomeClass::L,
        Comparison::Less => OutcomeClass::R,
        Comparison::Equal => OutcomeClass::P,
        Comparison::Confused => OutcomeClass::N,
    }
}

/// The error that a calculation reached a limit.
pub(super) fn arithmetic(error: impl Into<Error>) -> EngineError {
    SolveError::Values(error.into()).into()
}

impl From<Error> for EngineError {
    fn from(error: Error) -> Self {
        Self::Solve(SolveError::Values(error))
    }
}

/// Reads values of a table into a calculator.
pub(super) struct Reader<'a> {
    open: &'a OpenTable,
    pub(super) calculator: Calculator,
    imports: Imports,
}

impl<'a> Reader<'a> {
    /// A reader that names values of at most [`BoardValue::MOST_CHARACTERS`].
    pub(super) fn new(open: &'a OpenTable) -> Self {
        Self::with_limits(open, Limits { characters: BoardValue::MOST_CHARACTERS, ..Limits::default() })
    }

    pub(super) fn with_limits(open: &'a OpenTable, limits: Limits) -> Self {
        Self { open, calculator: Calculator::new(limits), imports: Imports::default() }
    }

    /// The number of the value of a board, and the value in the calculator.
    fn value(&mut self, key: Position) -> Result<Option<(u32, Value)>, EngineError> {
        let Some(number) = self.open.table.value_number(key.board).map_err(EngineError::Read)? else {
            return Ok(None);
        };
        self.import(number).map(|value| Some((number, value)))
    }

    /// The value with `number` in the dictionary.
    pub(super) fn import(&mut self, number: u32) -> Result<Value, EngineError> {
        read_into(self.open, number, &mut self.calculator, &mut self.imports)
    }

    /// The name of a value, unless it is too long.
    pub(super) fn name(&mut self, value: Value) -> Result<Option<String>, EngineError> {
        match self.calculator.name(value) {
            Ok(name) => Ok(Some(name)),
            Err(Error::Characters { .. }) => Ok(None),
            Err(error) => Err(arithmetic(error)),
        }
    }

    pub(super) fn thermograph(&mut self, value: Value) -> Result<Thermograph, EngineError> {
        self.calculator.thermograph(value).cloned().map_err(arithmetic)
    }

    /// The values after `turns`, best first, for the player who wants them `better` in this direction.
    fn turns(&mut self, turns: Vec<Turn>, better: Ordering) -> Result<Vec<ValuedTurn>, EngineError> {
        let mut found: Vec<(String, u32, Value)> = Vec::new();
        for (text, key) in turns {
            let (number, value) = self.value(key)?.ok_or_else(|| EngineError::Read(self.open.table.lacks_value()))?;
            found.push((text, number, value));
        }
        let mut values: Vec<Value> = found.iter().map(|(.., value)| *value).collect();
        values.sort_unstable();
        values.dedup();
        let mut best = HashSet::new();
        for &value in &values {
            let mut is_best = true;
            for &other in values.iter().filter(|&&other| other != value) {
                let (low, high) = if better == Ordering::Greater { (value, other) } else { (other, value) };
                is_best &= !self.calculator.at_most(low, high).map_err(arithmetic)?;
            }
            if is_best {
                best.insert(value);
            }
        }
        let mut all = Vec::new();
        for (text, number, value) in found {
            let (name, thermograph) = (self.name(value)?, self.thermograph(value)?);
            all.push(ValuedTurn { text, number, name, thermograph, is_best: best.contains(&value) });
        }
        all.sort_by(|a, b| {
            let mean = a.thermograph.mean.cmp(&b.thermograph.mean);
            let mean = if better == Ordering::Greater { mean.reverse() } else { mean };
            let hotter = b.thermograph.temperature.cmp(&a.thermograph.temperature);
            b.is_best.cmp(&a.is_best).then(mean).then(hotter).then(a.number.cmp(&b.number))
        });
        Ok(all)
    }
}
