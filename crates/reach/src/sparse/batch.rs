//! Labels a batch of positions of a level at once.
//!
//! A look-up waits for memory. Position by position, the processor would wait for each look-up, and again whenever it
//! predicted an outcome wrong. So a batch is labelled in rounds. In each round, every undecided position looks up its
//! next successor, in passes of independent reads, which overlap. A position stops at the first successor that decides
//! it; looking up all successors takes longer.

use std::hint::black_box;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::moves::{Moves, Turn};
use crate::label::{Label, Outcome, Width};
use crate::reachable::{Codes, Column, KeyWord, Level};
use crate::symmetry::Group;

/// A level that has its labels.
pub(super) struct Labelled<'a> {
    pub(super) level: Level<'a>,
    pub(super) column: Column<'a>,
}

/// The levels above one level, with their labels.
pub(super) struct Higher<'a, W: KeyWord> {
    pub(super) moves: &'a Moves<W>,
    pub(super) codes: Codes,
    /// The symmetries up to which positions are stored.
    pub(super) group: &'a Group,
    pub(super) width: Width,
    /// The levels by the number of levels that a move to them rises; `None` for empty levels.
    pub(super) levels: Vec<Option<Labelled<'a>>>,
    /// True if a successor was not found.
    pub(super) is_astray: AtomicBool,
}

/// An undecided position, and the successor that it looks up next.
pub(super) struct Undecided<W: KeyWord, L: Label> {
    /// Its index in the batch.
    index: usize,
    mode: usize,
    board: W::Board,
    /// The moves still to be tried: `legal` of this word, and the words after it.
    word: usize,
    legal: u64,
    partial: L::Partial,
    /// The successor: its code, the number of levels that the move rises, whether the same player moves again, and its bucket in the level.
    code: W,
    fills: usize,
    turn: Turn,
    bucket: Range<u64>,
}

impl<W: KeyWord, L: Label> Undecided<W, L> {
    /// Advances to the next move; `false` if there is none.
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
        let key = higher.moves.representative(higher.group, key);
        (self.code, self.fills) = (higher.codes.code_of_key(key), fills as usize);
        self.turn = moves.turn(number);
        true
    }
}

impl<W: KeyWord> Higher<'_, W> {
    /// Writes the labels of `positions`, each a mode and a board, to `labels`. All positions are in the level below
    /// these higher levels. `undecided` is memory to reuse.
    pub(super) fn label<L: Label>(
        &self,
        positions: impl Iterator<Item = (usize, W::Board)>,
        labels: &mut [L],
        undecided: &mut Vec<Undecided<W, L>>,
    ) {
        undecided.clear();
        for (index, (mode, board)) in positions.enumerate() {
            let moves = self.moves.of(mode);
            if let Some(ending) = moves.ended(board) {
                labels[index] = L::ended(ending);
                continue;
            }
            let legal = if moves.words() == 0 { 0 } else { moves.legal(0, board) };
            let (partial, code, bucket) = (L::none(), W::default(), 0..0);
            let mut it =
                Undecided { index, mode, board, word: 0, legal, partial, code, fills: 0, turn: Turn::PLAIN, bucket };
            if it.advance(self) {
                undecided.push(it);
            } else {
                labels[index] = L::finish(partial, moves.terminal(board));
            }
        }
        while !undecided.is_empty() {
            for it in &mut *undecided {
                let bucket = self.above(it.fills).and_then(|above| above.level.bucket(it.code.number()).ok());
                it.bucket = bucket.unwrap_or_else(|| self.stray(0..0));
            }
            // Reading a byte of each bucket brings it into the cache for the next pass.
            let touched =
                undecided.iter().map(|it| self.above(it.fills).map_or(0, |above| above.level.first_byte(&it.bucket)));
            black_box(touched.fold(0, |all, byte| all ^ byte));
            undecided.retain_mut(|it| {
                let number = self.above(it.fills).and_then(|above| {
                    let Ok(index) = above.level.find_in(it.bucket.clone(), it.code.number());
                    let index = index?;
                    // A column in memory is not compressed, so reading it cannot fail.
                    above.column.number(index).ok().flatten()
                });
                let number = number.unwrap_or_else(|| self.stray(L::ended(Outcome::Draw.into()).code(self.width)));
                let label = L::of_code(number, self.width).unwrap_or_else(|| unreachable!("a label just written"));
                let goes_on = L::absorb(&mut it.partial, it.turn.label(label)).is_continue() && it.advance(self);
                if !goes_on {
                    labels[it.index] = L::finish(it.partial, self.moves.of(it.mode).terminal(it.board));
                }
                goes_on
            });
        }
    }

    #[inline(always)]
    fn above(&self, fills: usize) -> Option<&Labelled<'_>> {
        self.levels.get(fills).and_then(Option::as_ref)
    }

    /// Records that a successor was not found, and returns `instead`.
    #[cold]
    fn stray<T>(&self, instead: T) -> T {
        self.is_astray.store(true, Ordering::Relaxed);
        instead
    }

    /// Returns whether a successor was not found, which makes the labels useless. A flood finds all successors, but the
    /// keys of a damaged file may lack some.
    pub(super) fn is_astray(&self) -> bool {
        self.is_astray.load(Ordering::Relaxed)
    }
}
