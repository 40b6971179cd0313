//! The levels above the one being labelled, and labels of many of its positions at once.
//!
//! A look-up reads the directory, then keys, then a label, each at an address that the read before gives. If look-ups
//! follow one another, the processor waits for every read, and starts again wherever it guessed an outcome wrong. So
//! positions are labelled side by side, in rounds: in each, every position that is still undecided looks up its next
//! successor, in passes whose reads are independent and overlap. Measured on Shiritori's hard list, two cores, against
//! one position after the other: a whole solve takes 0.75 of the time.

use std::hint::black_box;
use std::ops::Range;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::label::{Label, Width};
use crate::reachable::{Codes, Column, Level};
use crate::rules::{Move, Position, Rules};

/// The levels above one level, with their labels.
pub(super) struct Higher<'a> {
    rules: &'a Rules,
    codes: Codes,
    width: Width,
    filled: u32,
    /// By the number of cells that a move to it fills; `None` if there is no such level.
    levels: Vec<Option<(Level<'a>, Column<'a>)>>,
    is_astray: AtomicBool,
}

/// A position that is not decided yet, and the successor that it looks up.
pub(super) struct Undecided<'a, L: Label> {
    /// Its number in the batch.
    index: usize,
    position: Position,
    /// The moves that were not tried.
    moves: slice::Iter<'a, Move>,
    partial: L::Partial,
    /// The successor: its code, how many cells the move to it fills, where it can be, its label.
    code: u128,
    fills: u32,
    bucket: Range<u64>,
    number: u8,
}

impl<'a> Higher<'a> {
    /// The levels above the one with `filled` filled cells; `of_filled` gives each by its number of filled cells.
    pub(super) fn new(
        rules: &'a Rules,
        width: Width,
        filled: u32,
        of_filled: impl FnMut(u32) -> Option<(Level<'a>, Column<'a>)>,
    ) -> Self {
        let levels = (filled..=rules.cells()).map(of_filled).collect();
        Self { rules, codes: Codes::of(rules), width, filled, levels, is_astray: AtomicBool::new(false) }
    }

    /// Writes to `labels` those of `positions`, which have as many filled cells as the level that this is above.
    /// `undecided` is room to work in.
    pub(super) fn label<L: Label>(
        &self,
        positions: impl Iterator<Item = Position>,
        labels: &mut [L],
        undecided: &mut Vec<Undecided<'a, L>>,
    ) {
        undecided.clear();
        for (index, position) in positions.enumerate() {
            match self.rules.ended(position) {
                Some(outcome) => labels[index] = L::ended(outcome),
                None => undecided.push(Undecided {
                    index,
                    position,
                    moves: self.rules.moves_of(position.mode).iter(),
                    partial: L::none(),
                    code: 0,
                    fills: 0,
                    bucket: 0..0,
                    number: 0,
                }),
            }
        }
        loop {
            undecided.retain_mut(|it| {
                let next = it.moves.by_ref().find(|m| m.is_legal(it.position));
                match next {
                    Some(next) => {
                        let next = next.play(it.position);
                        (it.code, it.fills) = (self.codes.code(next), next.board.count() - self.filled);
                    }
                    None => labels[it.index] = L::finish(it.partial, self.rules.terminal()),
                }
                next.is_some()
            });
            if undecided.is_empty() {
                return;
            }
            for it in &mut *undecided {
                let bucket = self.above(it.fills).and_then(|(level, _)| level.bucket(it.code).ok());
                it.bucket = bucket.unwrap_or_else(|| self.stray(0..0));
            }
            // A byte of each bucket, so that the next pass finds its lines in the cache.
            let touched =
                undecided.iter().map(|it| self.above(it.fills).map_or(0, |(level, _)| level.first_byte(&it.bucket)));
            black_box(touched.fold(0, |all, byte| all ^ byte));
            for it in &mut *undecided {
                let number = self.above(it.fills).and_then(|(level, labels)| {
                    let index = level.find_in(it.bucket.clone(), it.code)?;
                    labels.number(index)
                });
                // Every label has this number.
                it.number = number.unwrap_or_else(|| self.stray(0));
            }
            undecided.retain_mut(|it| {
                let label = L::decode(it.number, self.width).unwrap_or_else(|| unreachable!("a label just written"));
                let is_decided = L::absorb(&mut it.partial, label).is_break();
                if is_decided {
                    labels[it.index] = L::finish(it.partial, self.rules.terminal());
                }
                !is_decided
            });
        }
    }

    #[inline(always)]
    fn above(&self, fills: u32) -> Option<&(Level<'a>, Column<'a>)> {
        self.levels.get(fills as usize).and_then(Option::as_ref)
    }

    /// Notes that a successor was not found, and goes on with `instead`.
    #[cold]
    fn stray<T>(&self, instead: T) -> T {
        self.is_astray.store(true, Ordering::Relaxed);
        instead
    }

    /// Whether a successor was not found. Positions just flooded have all of theirs; the keys of a file may lack some, and
    /// the labels are worth nothing then.
    pub(super) fn is_astray(&self) -> bool {
        self.is_astray.load(Ordering::Relaxed)
    }
}
