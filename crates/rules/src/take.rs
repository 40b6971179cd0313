//! Moves in two steps: a move that fills a line also takes a piece, in the same ply.
//!
//! In the games of mills, a player who closes a mill takes a man of the other player: one outside of all mills or, if all are in mills, any.
//! The board between the two steps is no position. A [`Move`] may therefore name a [`Take`], and at a position it stands for one move
//! without a take for each piece that it can take ([`Rules::applied`](super::Rules::applied)).

use super::{Board, Move, RulesError, RulesSpec};

/// What a move takes if it fills a line.
///
/// If, after the move, one of `lines` is filled and some of `cells` are filled, the move also empties one of these: one that is in no
/// filled guard or, if each is in a filled guard, any of them. Otherwise it takes nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Take {
    /// The lines. To close one anew, the move must fill a cell of each.
    pub lines: Vec<Board>,
    /// The cells of the pieces that may be taken. The move neither fills nor empties them.
    pub cells: Board,
    /// Lines that protect their pieces while they are filled.
    pub guards: Vec<Board>,
}

impl Take {
    /// The pieces of which one is taken after a move has led to `board`; empty if the move takes nothing.
    #[must_use]
    #[inline]
    pub fn from(&self, board: Board) -> Board {
        if !self.lines.iter().any(|&line| board.contains(line)) {
            return Board::EMPTY;
        }
        let all = board & self.cells;
        let guarded = self.guards.iter().filter(|&&guard| board.contains(guard));
        let free = guarded.fold(all, |free, &guard| free & !guard);
        if free.is_empty() { all } else { free }
    }

    /// The take after each cell has gone where `to` sends it, with its lists in ascending order.
    #[must_use]
    pub fn moved(&self, to: impl Fn(Board) -> Board) -> Self {
        let list = |of: &[Board]| {
            let mut list: Vec<Board> = of.iter().map(|&cells| to(cells)).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        Self { lines: list(&self.lines), cells: to(self.cells), guards: list(&self.guards) }
    }
}

impl Move {
    /// The move that also takes the pieces on `cells`, as a move without a take.
    #[must_use]
    pub fn taking(self, cells: Board) -> Self {
        Self { full: self.full | cells, clears: self.clears | cells, takes: None, ..self }
    }
}

impl RulesSpec {
    /// What `m` takes if it fills a line.
    pub(super) fn take_of(&self, m: &Move) -> Option<&Take> {
        m.takes.map(|number| &self.takes[usize::from(number)])
    }

    /// Checks what move number `index` takes.
    pub(super) fn validate_take(&self, index: usize, m: &Move) -> Result<(), RulesError> {
        let Some(number) = m.takes else { return Ok(()) };
        let wrong = |reason| Err(RulesError::Lines { index, reason });
        let Some(take) = self.takes.get(usize::from(number)) else { return wrong("names a take that is missing") };
        let named = take.lines.iter().chain(&take.guards).fold(take.cells, |all, &cells| all | cells);
        if !Board::full(self.cells).contains(named) {
            return wrong("takes pieces by cells that the board lacks");
        }
        if m.lines.is_some() {
            return wrong("both turns over lines and takes a piece");
        }
        if take.lines.is_empty() || take.cells.is_empty() {
            return wrong("takes a piece by no line, or from no cell");
        }
        if !take.cells.is_disjoint(m.fills | m.clears | m.full) {
            return wrong("takes a piece from a cell that it fills, empties or needs filled");
        }
        if take.lines.iter().any(|line| line.is_disjoint(m.fills & m.empty)) {
            return wrong("takes a piece by a line that it does not fill anew");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Rules};

    /// Three squares of X (cells 0 to 2) and four of O (cells 3 to 6). X fills cell 2 and with it the line of all three.
    fn mill() -> RulesSpec {
        let take = Take {
            lines: vec![Board::full(3)],
            cells: Board::full(7) & !Board::full(3),
            guards: vec![Board::full(6) & !Board::full(3)],
        };
        let put = Move { takes: Some(0), ..Move::fill(Board::bit(2)) };
        RulesSpec { moves: vec![put], takes: vec![take], ..RulesSpec::new("mill", 7) }
    }

    #[test]
    #[expect(clippy::unusual_byte_groupings, reason = "the cells that may be taken, and those of the line")]
    fn a_filled_line_takes_a_piece_outside_of_guards() {
        let rules: Rules = mill().build().unwrap();
        let after = |board: u64| -> Vec<u64> {
            rules.successors(Position::of(Board::from_word(board))).map(|it| it.board.low_word()).collect()
        };
        // No line is filled; no piece can be taken.
        assert_eq!(after(0b1111_001), [0b1111_101]);
        assert_eq!(after(0b0000_011), [0b0000_111]);
        // A guard protects its pieces while another piece is there.
        assert_eq!(after(0b1111_011), [0b0111_111]);
        assert_eq!(after(0b0111_011), [0b0110_111, 0b0101_111, 0b0011_111]);
        assert_eq!(after(0b1010_011), [0b1000_111, 0b0010_111]);
        let legal: Vec<Move> = rules.moves_from(Position::of(Board::from_word(0b1000_011))).collect();
        assert!(legal.iter().all(|m| m.takes.is_none()) && legal[0].clears == Board::bit(6));
        assert!(rules.counts_pieces() && rules.clears() && rules.may_repeat());
        assert_eq!(rules.each_line(&rules.moves()[0]).count(), 5);
        // Each piece that is taken lowers the number of filled cells by as many as the move raises it.
        assert!(rules.potential().is_some_and(|it| !it.is_filled()));
    }

    #[test]
    fn unsound_takes_are_refused() {
        let refusal = |change: fn(&mut RulesSpec)| {
            let mut rules = mill();
            change(&mut rules);
            rules.build().expect_err("an unsound take").to_string()
        };
        assert!(refusal(|r| r.moves[0].takes = Some(1)).contains("move 0 names a take that is missing"));
        assert!(refusal(|r| r.takes[0].guards.push(Board::bit(7))).contains("the board lacks"));
        assert!(refusal(|r| r.takes[0].lines.clear()).contains("by no line"));
        assert!(refusal(|r| r.takes[0].cells |= Board::bit(2)).contains("that it fills"));
        assert!(refusal(|r| r.takes[0].lines.push(Board::full(2))).contains("does not fill anew"));
        assert!(
            refusal(|r| (r.moves[0].lines, r.lines) = (Some(0), vec![Vec::new()])).contains("both turns over lines")
        );
    }

    #[test]
    fn images_have_sorted_lists() {
        let take = mill().takes.remove(0);
        let turned = take.moved(|cells| cells.bits().map(|bit| Board::bit(6 - bit)).collect());
        assert_eq!((turned.lines[0], turned.cells), (Board::from_word(0b1110000), Board::from_word(0b1111)));
        assert_eq!(turned.from(Board::from_word(0b1110101)), Board::from_word(0b101));
    }
}
