//! Brackets that are open while a text is read, and the sums in them.

use crate::calculator::Calculator;
use crate::error::Error;
use crate::store::Value;

/// What applies to the game behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Prefix {
    Minus,
    /// A factor.
    Times(i64),
    PlusMinus,
}

/// A sum that is being read.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    /// The terms so far.
    total: Value,
    /// True if a term has ended.
    continued: bool,
    /// True if the current term is subtracted.
    subtract: bool,
    pub(super) prefixes: Vec<Prefix>,
    /// The ordinal sum so far.
    base: Option<Value>,
    /// True if the current term has started.
    pub(super) started: bool,
}

impl Sum {
    /// True if nothing was read.
    pub(super) fn is_fresh(&self) -> bool {
        !self.started && !self.continued && self.base.is_none() && self.prefixes.is_empty()
    }

    /// True after the colon of an ordinal sum.
    pub(super) const fn has_base(&self) -> bool {
        self.base.is_some()
    }

    /// Takes a game as the next part of the term.
    pub(super) fn take(&mut self, calculator: &mut Calculator, mut game: Value) -> Result<(), Error> {
        while self.prefixes.last() == Some(&Prefix::PlusMinus) {
            self.prefixes.pop();
            game = calculator.plus_minus(game)?;
        }
        self.base = Some(match self.base {
            Some(base) => calculator.ordinal_sum(base, game)?,
            None => game,
        });
        self.started = true;
        Ok(())
    }

    /// Ends the current term. The next one is subtracted if `subtract` is true.
    pub(super) fn end_term(&mut self, calculator: &mut Calculator, subtract: bool) -> Result<(), Error> {
        let mut term = self.base.take().unwrap_or_default();
        while let Some(prefix) = self.prefixes.pop() {
            term = match prefix {
                Prefix::Minus => calculator.negative(term)?,
                Prefix::Times(count) => calculator.multiple(count, term)?,
                Prefix::PlusMinus => calculator.plus_minus(term)?,
            };
        }
        if self.subtract {
            term = calculator.negative(term)?;
        }
        self.total = calculator.sum(self.total, term)?;
        (self.subtract, self.continued, self.started) = (subtract, true, false);
        Ok(())
    }

    /// The sum, after the last term has ended. A new sum begins.
    pub(super) fn finish(&mut self, calculator: &mut Calculator) -> Result<Value, Error> {
        self.end_term(calculator, false)?;
        Ok(std::mem::take(self).total)
    }
}

/// What an open bracket is for.
#[derive(Clone, Debug)]
pub(super) enum Bracket {
    /// The whole text.
    Whole,
    /// `(`.
    Parenthesis,
    /// `Tiny(` or `Miny(`, behind a number.
    Tiny { number: Value, miny: bool },
    /// `{`.
    Brace {
        /// True after `+-`.
        switch: bool,
        /// The options left of each number of bars. The numbers fall.
        sides: Vec<(Vec<Value>, usize)>,
    },
}

/// An open bracket.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) bracket: Bracket,
    pub(super) sum: Sum,
    /// The options before the last comma.
    pub(super) list: Vec<Value>,
}

impl Open {
    pub(super) fn new(bracket: Bracket) -> Self {
        Self { bracket, sum: Sum::default(), list: Vec::new() }
    }
}
