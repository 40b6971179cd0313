//! The values of all boards of a game, level by level.
//!
//! The options of a board lie on higher levels, so the values of a level follow from those above it. Most boards have the same options as an
//! earlier board, and one look-up finds their value. The others are simplified once for each pair of option sets, in parallel
//! ([`KnownOptions`](tablegen_cgt::KnownOptions) describes the phases). Values are then numbered simplest first, so equal rules give equal bytes,
//! whatever the number of threads.

mod every;
mod level;
mod reached;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{Options, SolveError};
use crate::compressed::Bytes;
use crate::memory::Memory;
use crate::progress::{Meter, Phase};
use crate::reachable::append_keys;
use crate::rules::{Rules, Sides};
use crate::values::{BoardIndex, Dictionary, NUMBER, Values, write_dictionary};
use level::Levels;

/// The boards to find values of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValuedBoards {
    /// Every board, in a game whose moves only fill cells.
    Every,
    /// The boards that play can reach from the start and from the roots if either player may move at any time.
    Reached,
}

/// The values of boards, in memory.
pub struct SolvedValues {
    index: BoardIndex,
    keys: Vec<u8>,
    numbers: Memory,
    dictionary: Vec<u8>,
    values: u32,
    options: u32,
    solve_time: Duration,
}

impl SolvedValues {
    /// The values.
    #[must_use]
    pub fn values(&self) -> Values<'_> {
        Values {
            index: &self.index,
            keys: Bytes::Plain(&self.keys),
            numbers: Bytes::Plain(self.numbers.bytes()),
            dictionary: Dictionary::new(Bytes::Plain(&self.dictionary), self.values, self.options),
        }
    }

    /// Bytes of the values in a file, without checksums.
    #[must_use]
    pub fn byte_count(&self) -> u64 {
        (self.keys.len() + self.numbers.bytes().len() + self.dictionary.len()) as u64
    }

    /// The time spent on finding the boards and their values.
    #[must_use]
    pub const fn solve_time(&self) -> Duration {
        self.solve_time
    }
}

/// Stands for a board without a value: the value is not known yet, or a turn is under way. A value has its number plus 1,
/// because memory is zero at first.
const NONE: u32 = 0;

/// Finds the values of boards of `rules`, on all cores of the current rayon pool. Of `options`, only the roots, the memory and the
/// progress matter.
///
/// # Errors
/// If memory is insufficient or its limit would be exceeded, there are too many boards or values to number, or the progress function
/// stops the work.
pub fn solve_values(
    rules: &Rules,
    sides: Sides,
    boards: ValuedBoards,
    options: &Options<'_>,
) -> Result<SolvedValues, SolveError> {
    let begun = Instant::now();
    let (index, keys, mut numbers, store) = match boards {
        ValuedBoards::Every => {
            let index = BoardIndex::every(rules.cells()).ok_or(SolveError::TooManyValued { count: u64::MAX })?;
            let mut numbers = room_for(index.count(), options)?;
            let meter = Meter::new(options.progress, Phase::Values, Some(index.count()));
            let levels = Levels::new(numbers.values_mut(), options, meter);
            let store = every::solve(rules, sides, levels)?;
            (index, Vec::new(), numbers, store)
        }
        ValuedBoards::Reached => reached::solve(rules, sides, options)?,
    };
    let new = store.simplest_first();
    let store = store.renumbered(&new)?;
    let all: &mut [u32] = numbers.values_mut();
    all.par_iter_mut().for_each(|number| *number = new[*number as usize - 1].number());
    drop(new);
    let boards = counted(all, store.len());
    let entries = store.values().zip(boards).map(|(value, boards)| {
        let (lefts, rights) = store.options(value);
        (
            boards,
            lefts.iter().map(|option| option.number()).collect(),
            rights.iter().map(|option| option.number()).collect(),
        )
    });
    let entries: Vec<(u64, Vec<u32>, Vec<u32>)> = entries.collect();
    let written = write_dictionary(entries.iter().map(|(boards, lefts, rights)| (*boards, &**lefts, &**rights)));
    let (dictionary, list) = written.ok_or(SolveError::TooManyValued { count: store.len() as u64 })?;
    let solve_time = begun.elapsed();
    Ok(SolvedValues { index, keys, numbers, dictionary, values: store.len() as u32, options: list, solve_time })
}

/// How many boards have each value.
fn counted(numbers: &[u32], values: usize) -> Vec<u64> {
    let boards: Vec<AtomicU32> = (0..values).map(|_| AtomicU32::new(0)).collect();
    let wide = numbers.par_chunks(1 << 20).map(|chunk| {
        // Most boards share few values, so each chunk counts those on its own.
        let mut few = [0u32; 256];
        for &number in chunk {
            match few.get_mut(number as usize) {
                Some(count) => *count += 1,
                None => _ = boards[number as usize].fetch_add(1, Ordering::Relaxed),
            }
        }
        few.map(u64::from).to_vec()
    });
    let few = wide.reduce(|| vec![0; 256], crate::label::add_each);
    let rest = boards.iter().map(|count| u64::from(count.load(Ordering::Relaxed)));
    rest.enumerate().map(|(value, count)| count + few.get(value).copied().unwrap_or(0)).collect()
}

/// Memory for the numbers of `count` boards, none of them known.
fn room_for(count: u64, options: &Options<'_>) -> Result<Memory, SolveError> {
    let needed = count.saturating_mul(NUMBER as u64);
    match options.max_bytes {
        Some(allowed) if needed > allowed => Err(SolveError::LabelMemory { needed, allowed }),
        _ => Memory::new(needed, options.progress),
    }
}

/// The index of listed boards, their keys and numbers, for boards with codes in any order.
fn listed(cells: u32, mut coded: Vec<(u128, u32)>) -> Result<(BoardIndex, Vec<u8>, Memory), SolveError> {
    coded.par_sort_unstable();
    let count = coded.len() as u64;
    let too_many = || SolveError::TooManyValued { count };
    let index = BoardIndex::listed(cells, count).ok_or_else(too_many)?;
    let codes = BoardIndex::codes(cells).ok_or_else(too_many)?;
    let mut numbers = Memory::new(count * NUMBER as u64, None)?;
    let all: &mut [u32] = numbers.values_mut();
    all.iter_mut().zip(&coded).for_each(|(to, &(_, number))| *to = number);
    let mut keys = Vec::new();
    let shards = [coded];
    append_keys(&mut keys, &codes, &shards, |_, (code, _)| code).map_err(|error| SolveError::Memory {
        bytes: index.key_bytes().unwrap_or(0),
        source: std::io::Error::new(std::io::ErrorKind::OutOfMemory, error),
    })?;
    Ok((index, keys, numbers))
}
