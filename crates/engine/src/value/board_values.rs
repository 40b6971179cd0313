//! The values of the boards of many positions, each value once.

use std::collections::HashMap;

use rayon::prelude::*;

use super::of_table::Reader;
use super::turns::Turns;
use crate::{EngineError, OpenTable};
use tablegen_cgt::{Dyadic, Limits};
use tablegen_rules::Position;

/// The name of a value, its mean and its temperature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardSummary {
    /// The canonical form; `None` if its text exceeds [`Limits::characters`].
    pub(crate) name: Option<String>,
    /// The numerator and the denominator of the mean, in lowest terms.
    pub(crate) mean: [i64; 2],
    /// The same of the temperature.
    pub(crate) temperature: [i64; 2],
}

/// Values by their numbers in the dictionary of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct BoardSummaries(HashMap<u32, BoardSummary>);

impl BoardSummaries {
    /// The numbers of the values of the boards of `positions`, which are then known; `None` for a position within a turn.
    ///
    /// # Errors
    /// If the table is damaged where it is read, or a value is too large to calculate with.
    pub(crate) fn read(&mut self, open: &OpenTable, positions: &[Position]) -> Result<Vec<Option<u32>>, EngineError> {
        let Ok(turns) = Turns::of(open.game.as_ref()) else { return Ok(vec![None; positions.len()]) };
        let number = |position: &Position| match turns.key(*position) {
            Some(key) => open.table.value_number(key.board).map_err(EngineError::Read),
            None => Ok(None),
        };
        let numbers: Vec<Option<u32>> =
            positions.par_iter().with_min_len(1 << 10).map(number).collect::<Result<_, _>>()?;
        let mut missing: Vec<u32> =
            numbers.iter().flatten().copied().filter(|number| !self.0.contains_key(number)).collect();
        missing.sort_unstable();
        missing.dedup();
        let mut reader = Reader::with_limits(open, Limits::default());
        for number in missing {
            let value = reader.import(number)?;
            let graph = reader.thermograph(value)?;
            let (mean, temperature) = (fraction(graph.mean), fraction(graph.temperature));
            self.0.insert(number, BoardSummary { name: reader.name(value)?, mean, temperature });
        }
        Ok(numbers)
    }

    /// The value with `number`, which was [read](Self::read).
    pub(crate) fn get(&self, number: u32) -> Option<&BoardSummary> {
        self.0.get(&number)
    }
}

/// The numerator and the denominator, which is at most 2^62.
fn fraction(number: Dyadic) -> [i64; 2] {
    [number.numerator(), 1 << number.exponent()]
}
