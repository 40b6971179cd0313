//! The values of parts: canonical forms, each computed once.

use rustc_hash::{FxHashMap, FxHashSet};
use tablegen_cgt::{Calculator, Limits, Value};

use super::descent::Descent;
use crate::parts::{Part, after, divided, is_legal};

/// Most steps of one operation: a fraction of a millisecond.
const STEPS: u64 = 1 << 12;

/// The values of parts and of their sums. All maps are bounded.
pub(super) struct Values {
    pub(super) calculator: Calculator,
    /// The values of parts by their keys; `None` for parts whose value is too large.
    of_parts: FxHashMap<u128, Option<Value>>,
    /// Pairs of values whose sum is too large.
    apart: FxHashSet<(Value, Value)>,
    most: usize,
    /// The steps of the calculator that were counted as work.
    counted: u64,
}

impl Values {
    /// Bytes of a value, with its options, its name in maps and what the calculator remembers of it.
    const ENTRY: usize = 512;
    /// The least number of values.
    const LEAST: usize = 1 << 8;

    /// Room for values in about `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (bytes / Self::ENTRY).max(Self::LEAST);
        let values = u32::try_from(most).unwrap_or(u32::MAX);
        let limits = Limits { values, steps: STEPS, ..Limits::default() };
        let calculator = Calculator::with_comparisons(limits, bytes / 4);
        Self { calculator, of_parts: FxHashMap::default(), apart: FxHashSet::default(), most, counted: 0 }
    }

    /// True if there is little room for further values.
    pub(super) fn is_full(&self) -> bool {
        self.calculator.store().len() * 2 > self.most
    }

    /// The sum of two values; `None` if it is too large.
    pub(super) fn sum(&mut self, g: Value, h: Value) -> Option<Value> {
        let pair = (g.min(h), g.max(h));
        if self.apart.contains(&pair) {
            return None;
        }
        let sum = self.calculator.sum(g, h).ok();
        if sum.is_none() {
            if self.apart.len() >= self.most {
                self.apart.clear();
            }
            self.apart.insert(pair);
        }
        self.calculator.keep_sums(self.most);
        sum
    }

    fn store(&mut self, part: &Part, value: Option<Value>) {
        if self.of_parts.len() >= self.most {
            self.of_parts.clear();
        }
        self.of_parts.insert(part.key, value);
    }
}

impl Descent<'_, '_> {
    /// The value of `part`, or `None` in it if that is too large. `None` if the search stops.
    pub(super) fn value_of(&mut self, part: &Part) -> Option<Option<Value>> {
        if let Some(&known) = self.values.of_parts.get(&part.key) {
            return Some(known);
        }
        if part.moves.len() > self.most_moves() {
            return Some(None);
        }
        self.budget.count()?;
        let mut options = [Vec::new(), Vec::new()];
        for &number in &part.moves {
            let m = &self.moves[number as usize];
            if !is_legal(m, part.board) {
                continue;
            }
            let parts = self.divided(part, after(m, part.board))?;
            match self.value_of_all(&parts)? {
                Some(value) => options[usize::from(m.mode.0)].push(value),
                None => {
                    self.values.store(part, None);
                    return Some(None);
                }
            }
        }
        let [lefts, rights] = &options;
        let value = self.values.calculator.simplified(lefts, rights).ok();
        self.values.store(part, value);
        self.count_steps()?;
        Some(value)
    }

    /// Counts what the calculator has done. `None` if the search stops.
    pub(super) fn count_steps(&mut self) -> Option<()> {
        let steps = self.values.calculator.steps();
        let new = steps - std::mem::replace(&mut self.values.counted, steps);
        self.budget.work(new as usize * super::TESTS)
    }

    fn value_of_all(&mut self, parts: &[Part]) -> Option<Option<Value>> {
        let mut all = Value::ZERO;
        for part in parts {
            let Some(value) = self.value_of(part)? else { return Some(None) };
            let Some(sum) = self.values.sum(all, value) else { return Some(None) };
            all = sum;
        }
        Some(Some(all))
    }

    /// The parts of `board`, to which a move in `part` leads. `None` if the search stops.
    pub(super) fn divided(&mut self, part: &Part, board: crate::rules::Board) -> Option<Vec<Part>> {
        self.budget.work(part.moves.len() * super::TESTS)?;
        Some(divided(self.moves, &part.moves, board))
    }
}
