//! The values of one level of boards, in the phases that [`KnownOptions`] describes.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use tablegen_cgt::{Batch, Comparer, Error, Forms, KnownOptions, OptionSets, Store, Value};

use super::NONE;
use crate::progress::Meter;
use crate::{Options, SolveError};

/// Pairs of option sets that a thread simplifies at a time.
const PART: usize = 64;

/// Boards of one level, in chunks that threads share.
pub(super) trait Level: Sync {
    /// The number of chunks.
    fn chunks(&self) -> usize;

    /// Calls `each` with the rank and the options of each board of a chunk that `is_wanted`, by its rank.
    ///
    /// # Errors
    /// If the boards cannot be read.
    fn visit(
        &self,
        chunk: usize,
        options: &mut OptionSets,
        is_wanted: impl Fn(u64) -> bool,
        each: impl FnMut(u64, &OptionSets) -> Result<(), Error>,
    ) -> Result<(), SolveError>;
}

/// The values found so far.
pub(super) struct Levels<'a> {
    store: Store,
    known: KnownOptions,
    comparers: Vec<Mutex<Comparer>>,
    numbers: &'a [AtomicU32],
    meter: Meter<'a>,
    max_bytes: Option<u64>,
    room: Option<crate::MemoryProbe<'a>>,
}

impl<'a> Levels<'a> {
    /// Nothing is known of the boards of `numbers`.
    pub(super) fn new(numbers: &'a [AtomicU32], options: &Options<'a>, meter: Meter<'a>) -> Self {
        let comparers = (0..rayon::current_num_threads().max(1)).map(|_| Mutex::default()).collect();
        let (max_bytes, room) = (options.max_bytes, options.room);
        Self { store: Store::default(), known: KnownOptions::default(), comparers, numbers, meter, max_bytes, room }
    }

    /// The value of the board with `rank`, which was found before.
    #[inline]
    pub(super) fn value(numbers: &[AtomicU32], rank: u64) -> Value {
        Value::from_number(numbers[rank as usize].load(Ordering::Relaxed) - 1)
    }

    /// The numbers of all boards.
    pub(super) const fn numbers(&self) -> &'a [AtomicU32] {
        self.numbers
    }

    /// Finds the values of a level whose options are all known.
    ///
    /// # Errors
    /// If a limit is reached, the boards cannot be read, or the work is stopped.
    pub(super) fn solve(&mut self, level: &impl Level) -> Result<(), SolveError> {
        let Self { known, numbers, meter, .. } = &*self;
        let set = |rank: u64, value: Value| numbers[rank as usize].store(value.number() + 1, Ordering::Relaxed);
        type Thread = (OptionSets, Batch, Vec<usize>);
        let look_up = |(mut options, mut batch, mut open): Thread, chunk| {
            let (mut done, mut is_open) = (0, false);
            level.visit(
                chunk,
                &mut options,
                |_| true,
                |rank, options| {
                    done += 1;
                    match known.get(options) {
                        Some(value) => set(rank, value),
                        None => {
                            is_open = true;
                            batch.push(options)?;
                        }
                    }
                    Ok(())
                },
            )?;
            if is_open {
                open.push(chunk);
            }
            if meter.add(done).is_break() {
                return Err(SolveError::Cancelled);
            }
            Ok((options, batch, open))
        };
        let threads = (0..level.chunks()).into_par_iter().try_fold(Thread::default, look_up);
        let threads = threads.collect::<Result<Vec<Thread>, SolveError>>()?;
        let open: Vec<usize> = threads.iter().flat_map(|(.., open)| open).copied().collect();
        let batch = Batch::merged(threads.into_iter().map(|(_, batch, _)| batch))?;
        if batch.is_empty() {
            return Ok(());
        }
        let forms = self.simplified(&batch)?;
        self.known.learn(&mut self.store, &batch, forms)?;
        drop(batch);
        self.check_memory()?;
        let Self { known, numbers, .. } = &*self;
        open.par_iter().try_for_each_init(OptionSets::default, |options, &chunk| {
            let is_open = |rank: u64| numbers[rank as usize].load(Ordering::Relaxed) == NONE;
            level.visit(chunk, options, is_open, |rank, options| {
                let value = known.get(options).unwrap_or_else(|| unreachable!("all options of the level were learned"));
                set(rank, value);
                Ok(())
            })
        })
    }

    /// The canonical forms of a batch, in its order.
    fn simplified(&self, batch: &Batch) -> Result<Vec<Forms>, SolveError> {
        let Self { store, comparers, meter, .. } = self;
        let parts = (0..batch.len().div_ceil(PART)).into_par_iter();
        let forms = parts.map(|part| {
            if meter.add(0).is_break() {
                return Err(SolveError::Cancelled);
            }
            let thread = rayon::current_thread_index().unwrap_or(0) % comparers.len();
            let mut comparer = comparers[thread].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let part = part * PART..batch.len().min((part + 1) * PART);
            Ok(batch.simplify(part, store, &mut comparer)?)
        });
        forms.collect()
    }

    /// Checks that the dictionary fits into memory, with as much again for renumbering it.
    fn check_memory(&self) -> Result<(), SolveError> {
        let held = (self.known.bytes() + self.store.bytes()) as u64;
        let needed = held + self.store.bytes() as u64;
        let of_boards = self.numbers.len() as u64 * 4;
        if let Some(allowed) = self.max_bytes.filter(|&allowed| of_boards + needed > allowed) {
            return Err(SolveError::ValueMemory { needed: of_boards + needed, allowed });
        }
        match self.room.and_then(|room| room()) {
            Some(left) if left < self.store.bytes() as u64 => {
                Err(SolveError::ValueMemory { needed: of_boards + needed, allowed: of_boards + held + left })
            }
            _ => Ok(()),
        }
    }

    /// All values, when every level is solved.
    pub(super) fn into_store(mut self) -> Result<Store, SolveError> {
        if self.meter.finish().is_break() { Err(SolveError::Cancelled) } else { Ok(self.store) }
    }
}
