//! The values of a whole table: the most common, the hottest, and how temperatures are spread.

use super::of_table::{Reader, arithmetic};
use crate::build::values::sides;
use crate::first::is_position;
use crate::{EngineError, OpenTable};
use rayon::prelude::*;
use tablegen_cgt::{Dyadic, Thermographs, Value};
use tablegen_index::values::Values;
use tablegen_rules::{Board, Position};

/// Counts of the values of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueStats {
    /// The number of boards with values.
    pub boards: u64,
    /// The number of different values.
    pub values: u32,
    /// The most common values, the most common first: the name, unless it is too long, and the number of boards.
    pub common: Vec<(Option<String>, u64)>,
    /// A board with the highest temperature.
    pub hottest: ValuedExample,
    /// The number of boards whose value is a number, and whose temperature is therefore below 0.
    pub numbers: u64,
    /// Numbers of boards by temperature: those from 0 up to [`step`](Self::step), from there up to twice the step, and so on.
    pub temperatures: Vec<u64>,
    /// The width of a range of temperatures.
    pub step: Dyadic,
}

impl ValueStats {
    /// The unit of the ranges of temperatures.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match (self.step.numerator(), self.step.exponent()) {
            (1, 2) => "temperature, in quarters",
            (1, 1) => "temperature, in halves",
            (1, 0) => "temperature",
            (2, 0) => "temperature, in twos",
            _ => "temperature, in larger ranges",
        }
    }
}

/// A board and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValuedExample {
    /// The text of the position with Left to move; `None` for a board that is not a position of the game.
    pub position: Option<String>,
    /// The board.
    pub board: Board,
    /// The canonical form, unless its text is too long.
    pub name: Option<String>,
    /// The mean.
    pub mean: Dyadic,
    /// The temperature.
    pub temperature: Dyadic,
}

/// Common values that are listed.
const COMMON: usize = 10;
/// Most ranges of temperatures.
const RANGES: usize = 24;

impl ValueStats {
    /// The counts of an open table; `None` if it has no values.
    ///
    /// # Errors
    /// If the table is damaged where it is read, or a value is too large to calculate with.
    pub fn of(open: &OpenTable) -> Result<Option<Self>, EngineError> {
        let Some(values) = open.table.values() else { return Ok(None) };
        let mut reader = Reader::new(open);
        let mut graphs = Thermographs::default();
        let mut counts = Vec::new();
        // Simplest first, so that each value finds its options.
        for number in 0..values.dictionary.len() {
            let boards = open.table.value_entry(number).map_err(EngineError::Read)?.boards;
            let value = reader.import(number)?;
            let temperature = graphs.of(reader.calculator.store(), value).map_err(arithmetic)?.temperature;
            counts.push((number, boards, temperature));
        }
        let held = || counts.iter().filter(|(_, boards, _)| *boards > 0);
        let mut order: Vec<(u32, u64)> = held().map(|&(number, boards, _)| (number, boards)).collect();
        order.sort_by_key(|&(number, boards)| (std::cmp::Reverse(boards), number));
        let mut common = Vec::new();
        for (number, boards) in order.into_iter().take(COMMON) {
            let value = reader.import(number)?;
            common.push((reader.name(value)?, boards));
        }
        let hottest = held().max_by_key(|(number, _, temperature)| (*temperature, std::cmp::Reverse(*number)));
        let &(number, _, hottest) = hottest.ok_or_else(|| EngineError::Read(open.table.lacks_value()))?;
        let mut exponent = 2;
        let range = |temperature: Dyadic, exponent: i32| -> Result<usize, EngineError> {
            // Quarters, halves, whole numbers, twos and so on.
            let scaled = temperature.times(4).map_err(arithmetic)?.floor();
            Ok((scaled >> (2 - exponent)).max(0) as usize)
        };
        while range(hottest, exponent)? >= RANGES {
            exponent -= 1;
        }
        let negative = |temperature: &Dyadic| *temperature < Dyadic::ZERO;
        let numbers = held().filter(|(.., temperature)| negative(temperature)).map(|(_, boards, _)| boards).sum();
        let mut temperatures = vec![0; if negative(&hottest) { 0 } else { range(hottest, exponent)? + 1 }];
        for (_, boards, temperature) in held().filter(|(.., temperature)| !negative(temperature)) {
            temperatures[range(*temperature, exponent)?] += boards;
        }
        let step = Dyadic::new(1 << (2 - exponent), 2).map_err(arithmetic)?;
        let hottest = example(open, &values, number, &mut reader)?;
        let (boards, values) = (values.index.count(), values.dictionary.len());
        Ok(Some(Self { boards, values, common, hottest, numbers, temperatures, step }))
    }
}

/// The first board with the value `number`.
fn example(
    open: &OpenTable,
    values: &Values<'_>,
    number: u32,
    reader: &mut Reader<'_>,
) -> Result<ValuedExample, EngineError> {
    let lacking = || EngineError::Read(open.table.lacks_value());
    let ranks = (0..values.index.count()).into_par_iter();
    let rank = ranks.find_first(|&rank| values.number_at(rank).ok() == Some(number)).ok_or_else(lacking)?;
    let mut board = Board::EMPTY;
    values.index.boards(values.keys, rank, rank + 1, |_, found| board = found).map_err(|_| lacking())?;
    let value: Value = reader.import(number)?;
    let graph = reader.thermograph(value)?;
    let left = sides(open.game.as_ref()).map_err(|_| lacking())?.left();
    let position = Position::new(left, board);
    let text = is_position(open, position).then(|| open.game.write(position.into()));
    Ok(ValuedExample {
        position: text,
        board,
        name: reader.name(value)?,
        mean: graph.mean,
        temperature: graph.temperature,
    })
}
