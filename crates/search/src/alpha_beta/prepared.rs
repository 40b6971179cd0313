//! A game as a search of one scale holds it: in words of one width, with a table and an order of moves.

use std::sync::Arc;

use super::compiled::Compiled;
use super::descent::{Ask, Child, Descent, NoValue};
use super::order::Order;
use super::scale::{Bounds, Scale};
use super::symmetries::Symmetries;
use super::table::{Access, Table};
use super::word::Word;
use crate::Wanted;
use crate::budget::Budget;
use crate::entry::EntryWord;
use crate::outcome::Effort;
use crate::rules::{Position, Rules};
use crate::strong::KnownValues;
use crate::threads::{Means, Question, Threads};

/// A game in the narrowest words that fit.
pub(super) enum Form<S> {
    Narrow(Box<Prepared<u64, S>>),
    Wide(Box<Prepared<u128, S>>),
}

/// A game in words of one width.
pub(super) struct Prepared<W: EntryWord, S> {
    scale: S,
    rules: Compiled<W>,
    /// The rules for positions that contain a pattern of another mode, once there was one.
    any_board: Option<Compiled<W>>,
    source: Arc<Rules>,
    table: Table<W, S>,
    own: Own<W>,
}

/// What bounds the work of a call.
pub(super) struct Bounded<'a, 'b> {
    pub(super) ask: &'a mut Ask<'b>,
    pub(super) effort: &'a mut Effort,
    pub(super) symmetries: &'a Symmetries,
    /// The effort at which the search stops.
    pub(super) end: Effort,
    pub(super) threads: Threads,
}

impl<S: Scale> Form<S> {
    /// The game with a table of at most `bytes` bytes; `None` if they are too few.
    pub(super) fn new(rules: &Arc<Rules>, scale: S, bytes: usize) -> Option<Self> {
        let narrow = || Prepared::new(rules, scale, bytes).map(|it| Self::Narrow(Box::new(it)));
        let wide = || Prepared::new(rules, scale, bytes).map(|it| Self::Wide(Box::new(it)));
        narrow().or_else(wide)
    }

    /// Returns whether `bytes` bytes are enough.
    pub(super) fn fits(rules: &Rules, scale: S, bytes: usize) -> bool {
        let (cells, modes) = (rules.cells(), rules.modes().len());
        Table::<u64, S>::fits(scale, cells, modes, bytes) || Table::<u128, S>::fits(scale, cells, modes, bytes)
    }

    /// The value of `position`: exact if it lies between `alpha` and `beta`, otherwise a bound on the same side. `None` if the search
    /// stops, or if the value depends on positions that may repeat and are not known.
    pub(super) fn value(&mut self, position: Position, alpha: i32, beta: i32, by: &mut Bounded<'_, '_>) -> Option<i32> {
        match self {
            Self::Narrow(it) => it.value(position, alpha, beta, by),
            Self::Wide(it) => it.value(position, alpha, beta, by),
        }
    }

    /// Returns whether counting moves may settle positions.
    pub(super) fn counts_moves(&self) -> bool {
        match self {
            Self::Narrow(it) => it.rules.modes.iter().any(|of| of.race.is_some()),
            Self::Wide(it) => it.rules.modes.iter().any(|of| of.race.is_some()),
        }
    }

    /// What is known of `position` without a search.
    pub(super) fn bounds(&self, position: Position, symmetries: &Symmetries) -> Bounds {
        match self {
            Self::Narrow(it) => it.bounds(position, symmetries),
            Self::Wide(it) => it.bounds(position, symmetries),
        }
    }
}

/// A question to the search of one scale: a position and a window.
struct Root<'a, W, S> {
    scale: S,
    rules: &'a Compiled<W>,
    symmetries: Option<&'a Symmetries>,
    known: Option<&'a KnownValues<'a>>,
    asks: bool,
    mode: usize,
    board: W,
    alpha: i32,
    beta: i32,
}

/// What a thread changes as it searches.
struct Own<W> {
    order: Order,
    children: Vec<Child<W>>,
}

impl<W: Word, S: Scale> Question<W, S> for Root<'_, W, S> {
    type Own = Own<W>;
    /// None if the value depends on positions that may repeat and are not known.
    type Answer = Option<i32>;

    fn of_thread(&self, own: &Own<W>, _: usize) -> Own<W> {
        Own { order: own.order.clone(), children: Vec::new() }
    }

    fn answer(&self, table: Access<'_, W, S>, own: &mut Own<W>, budget: &mut Budget<'_>) -> Option<Option<i32>> {
        let Self { scale, rules, symmetries, known, asks, .. } = *self;
        let Own { order, children } = own;
        let (depth, steps) = (0, 0);
        let mut descent =
            Descent { scale, rules, table, order, children, known, asks, symmetries, depth, steps, budget };
        match descent.value(self.mode, self.board, self.alpha, self.beta) {
            Ok(value) => Some(Some(value)),
            Err(NoValue::Unknown) => Some(None),
            Err(NoValue::Stopped) => None,
        }
    }
}

impl<W: Word, S: Scale> Prepared<W, S> {
    fn new(rules: &Arc<Rules>, scale: S, bytes: usize) -> Option<Self> {
        let table = Table::new(scale, rules.cells(), rules.modes().len(), bytes)?;
        let compiled = Compiled::new(rules, false, S::WANTED == Wanted::Score);
        let order = Order::new(&compiled, rules.cells());
        let (own, source) = (Own { order, children: Vec::new() }, Arc::clone(rules));
        Some(Self { scale, rules: compiled, any_board: None, source, table, own })
    }

    fn value(&mut self, position: Position, alpha: i32, beta: i32, by: &mut Bounded<'_, '_>) -> Option<i32> {
        let (mode, board) = (usize::from(position.mode.0), W::of_board(position.board));
        if let Some(worth) = self.rules.ended_at(mode, board) {
            return Some(self.scale.ended(worth));
        }
        let is_open = !self.rules.modes[mode].absent.iter().any(|&pattern| board.contains(pattern));
        let any_board = || Compiled::new(&self.source, true, S::WANTED == Wanted::Score);
        let rules = if is_open { &self.rules } else { self.any_board.get_or_insert_with(any_board) };
        let asks = by.ask.known.is_some() || rules.modes.iter().any(|of| of.may_repeat);
        // What is known of a position need not be known of those that symmetries map it to.
        let symmetries = Some(by.symmetries).filter(|_| !asks);
        let root = Root { scale: self.scale, rules, symmetries, known: by.ask.known, asks, mode, board, alpha, beta };
        let mut continues = by.ask.watched();
        let continues = continues.as_mut().map(|it| it as &mut dyn FnMut(u64) -> bool);
        let means = Means { threads: by.threads, continues, effort: by.effort, end: by.end };
        means.find(&root, &mut self.table, &mut self.own).flatten()
    }

    fn bounds(&self, position: Position, symmetries: &Symmetries) -> Bounds {
        let (mode, board) = (usize::from(position.mode.0), W::of_board(position.board));
        if let Some(worth) = self.rules.ended_at(mode, board) {
            let value = self.scale.ended(worth);
            return Bounds { low: value, high: value };
        }
        let found = self.table.bounds(self.table.place(mode, board));
        let Some(group) = symmetries.group() else { return found };
        // Positions near the root are stored for their classes.
        let Position { mode, board } = group.representative(position);
        let of_class = self.table.bounds(self.table.place(mode.0.into(), W::of_board(board)));
        Bounds { low: found.low.max(of_class.low), high: found.high.min(of_class.high) }
    }
}
