//! Moves that take a piece if they fill a line: which pieces they can take is found from the board each time.

use super::word::Word;
use crate::rules::{Board, Rules, Take};

/// What a move takes if it fills a line.
pub(super) struct Taking<W> {
    lines: Box<[W]>,
    cells: W,
    guards: Box<[W]>,
}

impl<W: Word> Taking<W> {
    /// The takes of `rules`, by their numbers.
    pub(super) fn all(rules: &Rules) -> Vec<Self> {
        let list = |of: &[Board]| of.iter().map(|&cells| W::of_board(cells)).collect();
        let taking =
            |it: &Take| Self { lines: list(&it.lines), cells: W::of_board(it.cells), guards: list(&it.guards) };
        rules.spec().takes.iter().map(taking).collect()
    }

    /// The pieces of which one is taken after a move has led to `board`; none if the move takes nothing.
    #[inline]
    pub(super) fn from(&self, board: W) -> W {
        if !self.lines.iter().any(|&line| board.contains(line)) {
            return W::ZERO;
        }
        let all = board & self.cells;
        let guarded = self.guards.iter().filter(|&&guard| board.contains(guard));
        let free = guarded.fold(all, |free, &guard| free & !guard);
        if free.is_empty() { all } else { free }
    }
}
