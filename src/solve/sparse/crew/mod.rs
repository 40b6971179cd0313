//! Several processes that know all positions, and share the work of each level: each makes a part of it, and tells all others. Where that takes
//! longer, every process finds all positions of a level, and only their labels are shared.
//!
//! Each works as one process alone does, region by region in its caches, and has all positions in memory. So every process is told each
//! position once at most, and its label; where positions are dealt out ([`shared`](super::shared)), every successor of a position is sent. If one of
//! them lacks the memory for that, all stop together.
//!
//! - `share`: what is whose share. `pace`: how much each finds. `in_order`: who puts which level in order.
//! - `common`: levels in memory that all processes see, where they are on one machine. `told`: regions on the way to others.
//! - `kept`: what an earlier build kept, and what is kept for a later one.

mod common;
mod in_order;
mod kept;
mod pace;
mod share;
mod told;

use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use self::common::Common;
pub(super) use self::in_order::InOrder;
use self::kept::level_of;
pub(super) use self::kept::{Keeping, labels_of};
pub(super) use self::pace::Pace;
use super::exchange::{CommonMemory, Exchange, nonsense};
use super::item::Item;
use super::kept::{FIGURES, KeptLevel, LevelStore, heard_labels, told_labels};
use super::ordered::keys_in_order;
use super::part::{Part, Piece};
use super::regions::Level;
use crate::label::{LabelKind, add_each};
use crate::reachable::{self, Codes, KeyWord};
use crate::solve::memory::Plain;
use crate::solve::{Sheet, SolveError, UpTo};

/// What a crew does with a level that is a list of items.
pub(super) trait Mates<T: Item>: Sync {
    /// The processes.
    fn crew(&self) -> &Crew<'_>;

    /// The parts of a level that all processes have made, one after the other: `own`, and what the others tell, so many items `of_each`. Keys
    /// have so many bits below those of their regions.
    fn pieces(&self, own: Vec<Part<T>>, of_each: &[u64], low_bits: u32) -> Result<Vec<Piece<T>>, SolveError>;

    /// The items of a level that a table has, in any order.
    fn items(&self, codes: &Codes, level: &reachable::Level<'_>) -> Result<Vec<T>, TryReserveError>;

    /// Keeps levels that were found, if it is time to, or if `all` are and some are kept already.
    fn keep_found(
        &self,
        codes: &Codes,
        levels: &[Option<Level<T>>],
        keeping: &mut Keeping,
        all: bool,
    ) -> Result<(), SolveError>;
}

impl<W: KeyWord + Plain> Mates<W> for Crew<'_> {
    fn crew(&self) -> &Crew<'_> {
        self
    }

    fn pieces(&self, own: Vec<Part<W>>, of_each: &[u64], low_bits: u32) -> Result<Vec<Piece<W>>, SolveError> {
        if let Some(common) = &self.common {
            return Ok(vec![self.in_common(common, &own, of_each)?]);
        }
        let written: Vec<Vec<u8>> = own.par_iter().map(|part| told::bytes_of(part, low_bits)).collect();
        let message = written.concat();
        let mut all = Vec::new();
        let mut own = Some(own);
        for (process, message) in self.told(message)?.into_iter().enumerate() {
            if process == self.others.process() {
                all.extend(own.take().unwrap_or_default().into_iter().map(Piece::from));
                continue;
            }
            let (message, mut at) = (Arc::new(message), 0);
            while at < message.len() {
                let piece = told::read(&message, &mut at, low_bits).ok_or_else(nonsense)?;
                all.push(piece);
            }
        }
        Ok(all)
    }

    fn items(&self, codes: &Codes, level: &reachable::Level<'_>) -> Result<Vec<W>, TryReserveError> {
        level_of(codes, level)
    }

    fn keep_found(
        &self,
        codes: &Codes,
        levels: &[Option<Level<W>>],
        keeping: &mut Keeping,
        all: bool,
    ) -> Result<(), SolveError> {
        let Some(store) = self.store else { return Ok(()) };
        let (end, is_begun) = (levels.len() as u32, keeping.next > 0);
        if !(store.is_due() || all && is_begun) {
            return Ok(());
        }
        let save = |level, offset, bytes, tally| {
            let kept = KeptLevel { bytes, tally };
            store.save(Sheet::Reached, level, offset, kept).map_err(SolveError::Store)
        };
        let is_known = all && keeping.next == end;
        for (number, level) in levels.iter().enumerate().skip(keeping.next as usize) {
            if let Some(level) = level {
                let count = level.items.len() as u64;
                let bytes = keys_in_order(codes, &level.items).map_err(|_| {
                    let (positions, up_to) = (keeping.found, UpTo::Unordered);
                    SolveError::Refused { positions, up_to }
                })?;
                let length = bytes.len() as u64;
                save(number as u32, keeping.bytes, bytes, vec![count, keeping.found])?;
                (keeping.bytes, keeping.found) = (keeping.bytes + length, keeping.found + count);
            }
            keeping.next = number as u32 + 1;
        }
        if all {
            if !is_known {
                save(end, keeping.bytes, Vec::new(), vec![0, keeping.found])?;
            }
            self.keeps.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// The processes, as one of them sees them.
pub(super) struct Crew<'a> {
    others: &'a dyn Exchange,
    /// Where this process keeps what is known, if it is the first one.
    store: Option<&'a dyn LevelStore>,
    /// Memory that all of them see, if there is some.
    common: Option<Common>,
    is_short: AtomicBool,
    /// Whether an earlier build had found all positions, so that it may have labelled some.
    resumes: AtomicBool,
    /// Whether all positions are kept, so that labels are.
    keeps: AtomicBool,
}

impl<'a> Crew<'a> {
    pub(super) fn new(
        others: &'a dyn Exchange,
        store: Option<&'a dyn LevelStore>,
        common: Option<Box<dyn CommonMemory>>,
    ) -> Self {
        let [is_short, resumes, keeps] = [false; 3].map(AtomicBool::new);
        let (store, common) = (store.filter(|_| others.process() == 0), common.map(Common::new));
        Self { others, store, common, is_short, resumes, keeps }
    }

    /// Leaves the memory that all see. The last one to do so takes time to give it back: not the first process, for which all wait.
    pub(super) fn leave(self) {
        if let Some(common) = self.common
            && self.others.process() > 0
        {
            common.memory.leave_at_the_end();
        }
    }

    /// Whether this process is the first one, which has the table in the end.
    pub(super) fn is_first(&self) -> bool {
        self.others.process() == 0
    }

    /// Whether all have stopped because one of them lacks memory.
    pub(super) fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Relaxed)
    }

    /// What each process tells, by process; nothing is sent to this one, whose place is empty.
    fn told(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, SolveError> {
        self.others.exchange(self.to_all(own)).map_err(SolveError::Store)
    }

    /// `own` for each process but this one.
    fn to_all(&self, own: Vec<u8>) -> Vec<Vec<u8>> {
        let processes = self.others.processes();
        let mut parts = Vec::with_capacity(processes);
        let mut own = Some(own);
        // The last one that it is sent to gets it without a copy.
        let last = (0..processes).rev().find(|&process| process != self.others.process());
        for process in 0..processes {
            parts.push(match process {
                _ if process == self.others.process() => Vec::new(),
                _ if Some(process) == last => own.take().unwrap_or_default(),
                _ => own.clone().unwrap_or_default(),
            });
        }
        parts
    }

    /// `own`, if every process has as much; else an error for all of them, if memory is why. Returns also the `figure` of each.
    pub(super) fn agree<T>(
        &self,
        own: Result<T, SolveError>,
        figure: impl Fn(&T) -> u64,
    ) -> Result<(T, Vec<u64>), SolveError> {
        let message = match &own {
            Ok(own) => figure(own).to_le_bytes().to_vec(),
            Err(error) if is_memory(error) => vec![0],
            // The job ends: nobody waits for this one.
            Err(_) => return own.map(|own| (own, Vec::new())),
        };
        let of_own = own.as_ref().map_or(0, &figure);
        let mut figures = Vec::new();
        for (process, message) in self.told(message)?.into_iter().enumerate() {
            match message.first_chunk() {
                _ if process == self.others.process() => figures.push(of_own),
                Some(figure) => figures.push(u64::from_le_bytes(*figure)),
                None => self.is_short.store(true, Ordering::Relaxed),
            }
        }
        match own {
            Ok(_) if self.is_short() => Err(SolveError::Refused { positions: 0, up_to: UpTo::Unordered }),
            Ok(own) => Ok((own, figures)),
            Err(error) => {
                self.is_short.store(true, Ordering::Relaxed);
                Err(error)
            }
        }
    }

    /// Completes `all` labels of this kind of a level, of which this process has made those in `own`, and the others those before and after
    /// it. Returns the sums of `figures` over all processes. Whoever makes none is not waited for: while it puts a level in order, those
    /// below are labelled.
    pub(super) fn labels(
        &self,
        kind: LabelKind,
        all: &mut [u8],
        own: Range<usize>,
        figures: Vec<u64>,
    ) -> Result<Vec<u64>, SolveError> {
        let modes = figures.len() / FIGURES;
        let tells = |process| process > 0 || self.of_first(kind).1 > 0;
        let tellers: Vec<bool> = (0..self.others.processes()).map(tells).collect();
        let own_part = self.to_all(told_labels(&figures, &all[own.clone()]));
        let told = self.others.exchange_of(&tellers, own_part).map_err(SolveError::Store)?;
        let (mut at, mut sums) = (0, figures);
        for (process, told) in told.into_iter().enumerate().filter(|&(process, _)| tellers[process]) {
            if process == self.others.process() {
                at = own.end;
                continue;
            }
            let (figures, labels) = heard_labels(&told, modes)?;
            sums = add_each(sums, figures);
            all.get_mut(at..at + labels.len()).ok_or_else(nonsense)?.copy_from_slice(labels);
            at += labels.len();
        }
        if at == all.len() { Ok(sums) } else { Err(nonsense()) }
    }
}

/// Whether a game would be solved if there was more memory.
const fn is_memory(error: &SolveError) -> bool {
    matches!(error, SolveError::SparseMemory { .. } | SolveError::NoRoom { .. } | SolveError::Refused { .. })
}
