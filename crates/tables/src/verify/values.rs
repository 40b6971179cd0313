//! Checks of the values of boards.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tablegen_cgt::{Comparer, Store, Value};

use super::sample::Draws;
use super::{Finding, Options, Scope};
use crate::rules::{Board, Outcome, Position, Rules, Sides};
use crate::table::Table;
use crate::values::{BoardIndex, Values};

/// Boards that a thread checks at a time.
const CHUNK: u64 = 1 << 12;
/// Simplified option sets that a thread remembers.
const MOST_KNOWN: usize = 1 << 20;

/// Checks the values of the table, if it has any, and returns the number of boards checked. Progress counts boards.
///
/// The dictionary must hold canonical forms, each once. The value of each board must follow from the values of the boards after each
/// player's turns, and imply the outcomes that the table has for that board. If the scope is all labels, the boards must be exactly
/// those that have values, and the dictionary must count them.
///
/// # Errors
/// A wrong value or entry of the dictionary, or [`Finding::Cancelled`].
pub fn values(table: &Table, options: &Options<'_>) -> Result<u64, Finding> {
    let Some(values) = table.values() else { return Ok(0) };
    let rules = table.rules();
    let is_partizan = rules.player(crate::rules::Mode(0)).is_some() || rules.modes().len() == 2;
    let sides = Sides::of(rules, is_partizan).map_err(|reason| Finding::NoValues { reason })?;
    let store = dictionary(&values)?;
    let check = Check { table, values, sides, store };
    match options.scope {
        Scope::All => check.all(options),
        Scope::Sample { count, seed } => check.sample(Draws::new(seed, values.index.count()), count, options),
    }
}

/// The canonical forms of a dictionary.
fn dictionary(values: &Values<'_>) -> Result<Store, Finding> {
    let (mut store, mut comparer) = (Store::default(), Comparer::default());
    for number in 0..values.dictionary.len() {
        let wrong = || Finding::Dictionary { number };
        let entry = values.dictionary.entry(number).map_err(|_| wrong())?.ok_or_else(wrong)?;
        let [lefts, rights] = entry.options.map(|list| list.into_iter().map(Value::from_number).collect::<Vec<_>>());
        // Every store holds 0.
        let is_right = if number == 0 {
            lefts.is_empty() && rights.is_empty()
        } else {
            store.push(&mut comparer, &lefts, &rights) == Ok(Value::from_number(number))
        };
        if !is_right {
            return Err(wrong());
        }
    }
    Ok(store)
}

struct Check<'a> {
    table: &'a Table,
    values: Values<'a>,
    sides: Sides,
    store: Store,
}

/// What a thread remembers: values by the options of the board.
#[derive(Default)]
struct Memory {
    comparer: Comparer,
    known: HashMap<[Vec<Value>; 2], Option<Value>>,
}

impl Check<'_> {
    fn all(&self, options: &Options<'_>) -> Result<u64, Finding> {
        let count = self.values.index.count();
        let is_listed = matches!(self.values.index, BoardIndex::Listed(_));
        let marks: Vec<AtomicU64> =
            (0..if is_listed { count.div_ceil(64) } else { 0 }).map(|_| AtomicU64::new(0)).collect();
        let mark = |rank: u64| {
            if is_listed {
                marks[(rank / 64) as usize].fetch_or(1 << (rank % 64), Ordering::Relaxed);
            }
        };
        if is_listed {
            for board in first_boards(self.table.rules(), self.sides, self.table.domain().starts()) {
                mark(self.rank(board)?);
            }
        }
        let boards: Vec<AtomicU64> = (0..self.store.len()).map(|_| AtomicU64::new(0)).collect();
        (0..count.div_ceil(CHUNK)).into_par_iter().try_for_each_init(Memory::default, |memory, chunk| {
            let (first, end) = (chunk * CHUNK, count.min((chunk + 1) * CHUNK));
            let mut all = Vec::new();
            self.values.index.boards(self.values.keys, first, end, |_, board| all.push(board))?;
            for &board in &all {
                let value = self.board(board, memory, &mark)?;
                boards[value.index()].fetch_add(1, Ordering::Relaxed);
            }
            options.tell(all.len() as u64)
        })?;
        let unmarked = (0..if is_listed { count } else { 0 })
            .find(|rank| marks[(rank / 64) as usize].load(Ordering::Relaxed) >> (rank % 64) & 1 == 0);
        if let Some(rank) = unmarked {
            let mut board = Board::EMPTY;
            self.values.index.boards(self.values.keys, rank, rank + 1, |_, found| board = found)?;
            return Err(Finding::NotABoard { board });
        }
        for (number, boards) in (0..).zip(&boards) {
            let entry = self.values.dictionary.entry(number).ok().flatten();
            if entry.is_none_or(|entry| entry.boards != boards.load(Ordering::Relaxed)) {
                return Err(Finding::Dictionary { number });
            }
        }
        Ok(count)
    }

    fn sample(&self, draws: Draws, count: u64, options: &Options<'_>) -> Result<u64, Finding> {
        let checked = count.min(self.values.index.count());
        (0..checked).into_par_iter().try_for_each_init(Memory::default, |memory, number| {
            let rank = draws.rank(number);
            let mut board = Board::EMPTY;
            self.values.index.boards(self.values.keys, rank, rank + 1, |_, found| board = found)?;
            self.board(board, memory, &|_| {})?;
            options.tell(1)
        })?;
        Ok(checked)
    }

    /// The rank of a board that must have a value.
    fn rank(&self, board: Board) -> Result<u64, Finding> {
        self.values.index.rank(self.values.keys, board)?.ok_or(Finding::NoValue { board })
    }

    /// Checks the value of `board`, and calls `mark` with the rank of each board after a turn.
    fn board(&self, board: Board, memory: &mut Memory, mark: &impl Fn(u64)) -> Result<Value, Finding> {
        let value = Value::from_number(self.values.number_at(self.rank(board)?)?);
        let mut options = [Vec::new(), Vec::new()];
        for (mode, options) in self.sides.both().into_iter().zip(&mut options) {
            let (finished, within) = turns(self.table.rules(), Position::new(mode, board));
            for next in finished {
                let rank = self.rank(next)?;
                mark(rank);
                options.push(Value::from_number(self.values.number_at(rank)?));
            }
            for position in within.into_iter().filter(|position| self.sides.both().contains(&position.mode)) {
                mark(self.rank(position.board)?);
            }
        }
        options.iter_mut().for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        if memory.known.len() >= MOST_KNOWN {
            memory.known.clear();
        }
        let expected = match memory.known.get(&options) {
            Some(&known) => known,
            None => {
                let [mut lefts, mut rights] = options.clone();
                let simplified = memory.comparer.simplify(&self.store, &mut lefts, &mut rights);
                let found = simplified.ok().and_then(|()| self.store.find(&lefts, &rights));
                memory.known.insert(options, found);
                found
            }
        };
        if expected != Some(value) {
            return Err(Finding::Value { board, found: value.number(), expected: expected.map(Value::number) });
        }
        self.outcomes(board, value)?;
        Ok(value)
    }

    /// Checks the outcomes of `board` that the table has against its value.
    fn outcomes(&self, board: Board, value: Value) -> Result<(), Finding> {
        let sign = self.store.sign(value);
        let loses = [
            matches!(sign, Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal)),
            matches!(sign, Some(std::cmp::Ordering::Greater | std::cmp::Ordering::Equal)),
        ];
        for (mode, loses) in self.sides.both().into_iter().zip(loses) {
            let position = Position::new(mode, board);
            let expected = if loses { Outcome::Loss } else { Outcome::Win };
            match self.table.contents().outcome(position)? {
                Some(found) if found != expected => return Err(Finding::Label { position, found, expected }),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The boards after the moves that hand over to the other player, and the positions before that in which the same player moves again.
fn turns(rules: &Rules, from: Position) -> (Vec<Board>, HashSet<Position>) {
    let (mut finished, mut within, mut waiting) = (Vec::new(), HashSet::new(), vec![from]);
    while let Some(position) = waiting.pop() {
        let player = rules.player(position.mode);
        for next in rules.successors(position) {
            if player.is_none() || rules.player(next.mode) != player {
                finished.push(next.board);
            } else if within.insert(next) {
                waiting.push(next);
            }
        }
    }
    (finished, within)
}

/// The first boards, on the ways from the starts, at which a turn of the sides begins.
fn first_boards(rules: &Rules, sides: Sides, starts: &[Position]) -> Vec<Board> {
    let mut waiting = rules.starts_and(starts);
    let mut boards = Vec::new();
    let mut seen = HashSet::new();
    while let Some(position) = waiting.pop() {
        if !seen.insert(position) {
            continue;
        }
        if sides.both().contains(&position.mode) {
            boards.push(position.board);
        } else {
            waiting.extend(rules.successors(position));
        }
    }
    boards
}
