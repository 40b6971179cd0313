//! Labels of many positions of a level at once.
//!
//! A look-up waits for the memory. If look-ups follow one another, the processor waits for every one, and starts again
//! wherever it guessed an outcome wrong. So positions are labelled side by side, in rounds: in each, every position that is
//! still undecided looks up its next successor, in passes whose reads are independent and overlap. To look up all
//! successors of a batch, without stopping at the first that decides, takes longer.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

use super::moves::Moves;
use super::tags::{Place, Tags};
use crate::label::{Label, Width};
use crate::reachable::{Codes, Column, Level, Word};
use crate::rules::Outcome;

/// A level that has its labels.
pub(super) struct Labelled<'a> {
    pub(super) level: Level<'a>,
    pub(super) column: Column<'a>,
    /// Its labels once more, if all codes that are looked up are known to be in it.
    pub(super) tags: Option<&'a Tags>,
}

/// The levels above one level, with their labels.
pub(super) struct Higher<'a, W> {
    pub(super) moves: &'a Moves<W>,
    pub(super) codes: Codes,
    pub(super) terminal: Outcome,
    pub(super) width: Width,
    /// By the number of cells that a move to it fills; `None` if there is no such level.
    pub(super) levels: Vec<Option<Labelled<'a>>>,
    pub(super) is_astray: AtomicBool,
}

/// A position that is not decided yet, and the successor that it looks up.
pub(super) struct Undecided<W, L: Label> {
    /// Its number in the batch.
    index: usize,
    mode: usize,
    board: u64,
    /// The moves that were not tried: those of this word, and those of the words after it.
    word: usize,
    legal: u64,
    partial: L::Partial,
    /// The successor: its code, how many cells the move to it fills, where its label is.
    code: W,
    fills: usize,
    place: Place,
}

impl<W: Word, L: Label> Undecided<W, L> {
    /// Takes the next move; `false` if there is none.
    #[inline(always)]
    fn advance(&mut self, higher: &Higher<'_, W>) -> bool {
        let moves = higher.moves.of(self.mode);
        while self.legal == 0 {
            self.word += 1;
            if self.word >= moves.words() {
                return false;
            }
            self.legal = moves.legal(self.word, self.board);
        }
        let number = 64 * self.word + self.legal.trailing_zeros() as usize;
        self.legal &= self.legal - 1;
        let (key, fills) = moves.play(number, self.board);
        (self.code, self.fills) = (higher.codes.code_of_key(key), fills as usize);
        self.place = higher.place(self.code, self.fills);
        true
    }
}

impl<W: Word> Higher<'_, W> {
    /// Writes to `labels` those of the positions with `codes`, which have as many filled cells as the level that this is
    /// above. `undecided` is room to work in.
    pub(super) fn label<L: Label>(
        &self,
        positions: impl Iterator<Item = (usize, u64)>,
        labels: &mut [L],
        undecided: &mut Vec<Undecided<W, L>>,
    ) {
        undecided.clear();
        for (index, (mode, board)) in positions.enumerate() {
            let moves = self.moves.of(mode);
            if let Some(outcome) = moves.ended(board) {
                labels[index] = L::ended(outcome);
                continue;
            }
            let legal = if moves.words() == 0 { 0 } else { moves.legal(0, board) };
            let (partial, place) = (L::none(), Place::default());
            let mut it =
                Undecided { index, mode, board, word: 0, legal, partial, code: W::default(), fills: 0, place };
            if it.advance(self) {
                undecided.push(it);
            } else {
                labels[index] = L::finish(partial, self.terminal);
            }
        }
        while !undecided.is_empty() {
            // A byte of each label's line, so that the next pass finds it in the cache.
            let touched = undecided.iter().map(|it| self.touch(it.place, it.fills));
            black_box(touched.fold(0, |all, byte| all ^ byte));
            undecided.retain_mut(|it| {
                let number = self.number(it);
                let label = L::decode(number, self.width).unwrap_or_else(|| unreachable!("a label just written"));
                let goes_on = L::absorb(&mut it.partial, label).is_continue() && it.advance(self);
                if !goes_on {
                    labels[it.index] = L::finish(it.partial, self.terminal);
                }
                goes_on
            });
        }
    }

    #[inline(always)]
    fn above(&self, fills: usize) -> Option<&Labelled<'_>> {
        self.levels.get(fills).and_then(Option::as_ref)
    }

    #[inline(always)]
    fn place(&self, code: W, fills: usize) -> Place {
        self.above(fills).and_then(|above| above.tags).map_or_else(Place::default, |tags| tags.place(code))
    }

    #[inline(always)]
    fn touch(&self, place: Place, fills: usize) -> u8 {
        self.above(fills).and_then(|above| above.tags).map_or(0, |tags| tags.touch(place))
    }

    /// The number of the label of the successor.
    #[inline(always)]
    fn number<L: Label>(&self, it: &Undecided<W, L>) -> u8 {
        let tagged = self.above(it.fills).and_then(|above| above.tags?.number(it.place).ok());
        tagged.unwrap_or_else(|| self.exact(it.code, it.fills))
    }

    /// The number of the label of the position with `code`, looked up in the keys.
    #[inline(never)]
    fn exact(&self, code: W, fills: usize) -> u8 {
        let number = self.above(fills).and_then(|above| {
            let code = code.number();
            let bucket = above.level.bucket(code).ok()?;
            above.column.number(above.level.find_in(bucket, code)?)
        });
        // Every label has the number 0.
        number.unwrap_or_else(|| {
            self.is_astray.store(true, Ordering::Relaxed);
            0
        })
    }

    /// Whether a successor was not found. Positions just flooded have all of theirs; the keys of a file may lack some, and
    /// the labels are worth nothing then.
    pub(super) fn is_astray(&self) -> bool {
        self.is_astray.load(Ordering::Relaxed)
    }
}
