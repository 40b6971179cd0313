//! Moves that turn over lines: what else such a move does depends on the board.
//!
//! In Reversi, a new disc turns over every line of the other side's discs between it and another disc of the player. Each
//! combination of lines could be a [`Move`] of its own, but on 6x6 a single square has 221,184 of them. So a move may name a
//! list of lines instead ([`Move::lines`]), and each line takes effect where its own cells allow it:
//!
//! ```text
//! b1 of a row of five:     . . W B .     full = c1 in white and d1 in black
//!                          . B B B .     fills c1 in black, clears c1 in white
//! ```
//!
//! The move is legal only if some line takes effect. All that do take effect at once.

use super::{Board, Move, Position, Rules, RulesError, RulesSpec};

/// A line of a move: a change that takes effect if certain cells are empty and others are filled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line {
    /// Cells that must be empty.
    pub empty: Board,
    /// Cells that must be filled.
    pub full: Board,
    /// Cells that are filled afterwards.
    pub fills: Board,
    /// Cells of `full` that are empty afterwards, at least one.
    pub clears: Board,
}

impl Line {
    /// Returns whether the line takes effect on `board`.
    #[must_use]
    #[inline]
    pub fn fits(&self, board: Board) -> bool {
        board.contains(self.full) && board.is_disjoint(self.empty)
    }

    /// The line after each cell has gone where `to` sends it.
    #[must_use]
    pub fn moved(&self, to: impl Fn(Board) -> Board) -> Self {
        let Self { empty, full, fills, clears } = *self;
        Self { empty: to(empty), full: to(full), fills: to(fills), clears: to(clears) }
    }
}

impl Move {
    /// The move with the conditions and changes of `line` added, as a move without lines.
    #[must_use]
    pub fn with_line(self, line: &Line) -> Self {
        let (empty, full) = (self.empty | line.empty, self.full | line.full);
        let (fills, clears) = (self.fills | line.fills, self.clears | line.clears);
        Self { empty, full, fills, clears, lines: None, ..self }
    }
}

impl RulesSpec {
    /// The lines of `m`; none if it is a move without lines.
    pub(super) fn lines_of(&self, m: &Move) -> &[Line] {
        m.lines.map_or(&[], |list| &self.lines[usize::from(list)])
    }

    /// Checks the lines of move number `index`.
    pub(super) fn validate_lines(&self, index: usize, m: &Move) -> Result<(), RulesError> {
        let Some(list) = m.lines else { return Ok(()) };
        let wrong = |reason| Err(RulesError::Lines { index, reason });
        let Some(lines) = self.lines.get(usize::from(list)) else {
            return wrong("names a list of lines that is missing");
        };
        if m.otherwise {
            return wrong("turns over lines only if no other move is legal");
        }
        let all = |cells: fn(&Line) -> Board| lines.iter().map(cells).collect::<Board>();
        let (fills, clears) = (all(|line| line.fills), all(|line| line.clears));
        if !Board::full(self.cells).contains(all(|line| line.empty | line.full) | fills) {
            return wrong("turns over cells that the board lacks");
        }
        if !(fills | m.fills).is_disjoint(clears | m.clears) {
            return wrong("both fills and empties a cell");
        }
        if !lines.iter().all(|line| (line.empty | m.empty).is_disjoint(line.full | m.full)) {
            return wrong("has a line that needs a cell both empty and filled");
        }
        let takes = |line: &Line| !line.clears.is_empty() && line.full.contains(line.clears);
        if lines.iter().all(takes) {
            Ok(())
        } else {
            wrong("has a line that empties no cell, or one that it does not need filled")
        }
    }
}

impl Rules {
    /// Returns whether some moves turn over lines. No solver knows such moves; a search does.
    #[must_use]
    pub const fn has_lines(&self) -> bool {
        !self.spec().lines.is_empty()
    }

    /// What `m`, a move of these rules, does at `position`: a move without lines and takes, or one for each piece that it may take; none
    /// if it is not legal there. As in [`Move::is_legal`], ends and moves with precedence are not tested.
    #[inline]
    pub fn applied<'a>(&'a self, m: &'a Move, position: Position) -> impl Iterator<Item = Move> + Clone + use<'a> {
        let fits = |number: u16| self.spec().counts[usize::from(number)].fits(position.board);
        let is_legal = m.is_legal(position) && m.when.is_none_or(fits);
        let whole = is_legal.then(|| self.turned(m, position.board)).flatten();
        let taken = match self.spec().take_of(m) {
            Some(take) if whole.is_some() => take.from(m.play(position).board),
            _ => Board::EMPTY,
        };
        let plain = whole.filter(|_| taken.is_empty()).map(|whole| Move { takes: None, ..whole });
        plain.into_iter().chain(taken.bits().map(|bit| m.taking(Board::bit(bit))))
    }

    /// `m` with all its lines that take effect on `board`; `None` if it has lines and none does.
    #[inline]
    fn turned(&self, m: &Move, board: Board) -> Option<Move> {
        if m.lines.is_none() {
            return Some(*m);
        }
        let mut turning = self.spec().lines_of(m).iter().filter(|line| line.fits(board)).peekable();
        turning.peek()?;
        Some(turning.fold(*m, |all, line| all.with_line(line)))
    }

    /// Moves that together fill and empty all cells that `m` may: the move itself, also with each piece that it may take, or the move with
    /// each of its lines alone.
    pub fn each_line<'a>(&'a self, m: &'a Move) -> impl Iterator<Item = Move> + 'a {
        let whole = m.lines.is_none().then_some(Move { takes: None, ..*m });
        let taken = self.spec().take_of(m).map_or(Board::EMPTY, |take| take.cells);
        let taking = taken.bits().map(|bit| m.taking(Board::bit(bit)));
        whole.into_iter().chain(self.spec().lines_of(m).iter().map(|line| m.with_line(line))).chain(taking)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mode, Potential};

    /// A row of five squares in two colours; the player of the low colour puts a piece on the middle square.
    fn row() -> RulesSpec {
        let [mine, yours] = [0, 5].map(|colour| move |square: u32| Board::bit(square + colour));
        let line = |at: u32, end: u32| Line {
            empty: mine(at),
            full: yours(at) | mine(end),
            fills: mine(at),
            clears: yours(at),
        };
        let put = Move { empty: mine(2) | yours(2), lines: Some(0), ..Move::fill(mine(2)) };
        RulesSpec { moves: vec![put], lines: vec![vec![line(1, 0), line(3, 4)]], ..RulesSpec::new("row", 10) }
    }

    #[test]
    fn lines_take_effect_together_where_they_can() {
        let rules = row().build().unwrap();
        let after = |board: u64| {
            let moves: Vec<Move> = rules.moves_from(Position::of(Board::from_word(board))).collect();
            moves.iter().map(|m| m.play(Position::of(Board::from_word(board))).board.low_word()).collect::<Vec<_>>()
        };
        assert_eq!(after(0b01000_10000), [0b00000_11100]);
        assert_eq!(after(0b01000_10001), [0b00000_11101]);
        assert_eq!(after(0b01010_10001), [0b00000_11111]);
        // The square is not free, the line has no end, and the line is empty.
        assert!([0b01100_10000, 0b01000_00001, 0b00000_10001].map(after).iter().all(Vec::is_empty));
        assert_eq!(rules.each_line(&rules.moves()[0]).count(), 2);
        assert!(rules.potential().is_some() && rules.clears() && rules.has_lines());
    }

    #[test]
    fn unsound_lines_are_refused() {
        let refusal = |change: fn(&mut RulesSpec)| {
            let mut rules = row();
            change(&mut rules);
            rules.build().expect_err("unsound lines").to_string()
        };
        assert!(refusal(|r| r.moves[0].lines = Some(1)).contains("move 0 names a list of lines that is missing"));
        assert!(refusal(|r| r.moves[0].otherwise = true).contains("only if no other move"));
        assert!(refusal(|r| r.lines[0][0].full = Board::bit(10)).contains("the board lacks"));
        assert!(refusal(|r| r.lines[0][0].fills = Board::bit(6)).contains("fills and empties"));
        assert!(refusal(|r| r.lines[0][0].clears = Board::EMPTY).contains("empties no cell"));
        assert!(refusal(|r| r.lines[0][0].empty |= Board::bit(0)).contains("both empty and filled"));
        assert!(refusal(|r| r.moves[0].mode = Mode(1)).contains("mode 1"));
    }

    #[test]
    fn a_line_that_contradicts_itself_and_its_move_is_refused() {
        fn cell() -> Board {
            Board::bit(6)
        }
        let refusal = |change: fn(&mut Move, &mut Line)| {
            let mut rules = row();
            change(&mut rules.moves[0], &mut rules.lines[0][0]);
            rules.build().expect_err("unsound lines").to_string()
        };
        // The line clears cell 6. Both fill it; then the move clears it as well.
        assert!(refusal(|m, line| (m.fills, line.fills) = (m.fills | cell(), cell())).contains("fills and empties"));
        let clears = refusal(|m, line| (m.full, m.clears, line.fills) = (cell(), cell(), line.fills | cell()));
        assert!(clears.contains("fills and empties"), "{clears}");
        // The move needs cell 2 empty, and the line needs it empty and filled. Both need cell 0 filled, and the line needs it empty.
        let empty =
            refusal(|_, line| (line.empty, line.full) = (line.empty | Board::bit(2), line.full | Board::bit(2)));
        assert!(empty.contains("both empty and filled"), "{empty}");
        let full = refusal(|m, line| (m.full, line.empty) = (Board::bit(0), line.empty | Board::bit(0)));
        assert!(full.contains("both empty and filled"), "{full}");
    }

    #[test]
    fn all_lines_together_leave_a_rise() {
        // Each line moves one cell from a colour with weight 2 to one with weight 1.
        let is_raised = |middle| {
            let mut weights = [[1; 5], [2; 5]].concat();
            weights[2] = middle;
            Potential::new(weights, vec![0]).unwrap().is_raised_by(&row().build().unwrap())
        };
        assert_eq!([1, 2, 3].map(is_raised), [false, false, true]);
    }

    /// Each line alone raises the position, because it fills a cell of weight 5. Both fill the same cell, and together lower the position.
    #[test]
    fn lines_that_change_the_same_cell_leave_no_rise() {
        let mut spec = row();
        let of = |cells: [u32; 2]| cells.map(|cell| Board::bit(5 + cell));
        spec.lines[0] = of([1, 3])
            .map(|yours| Line { empty: Board::bit(0), full: yours, fills: Board::bit(0), clears: yours })
            .into();
        let mut weights = [[1; 5], [4; 5]].concat();
        weights[0] = 5;
        let potential = Potential::new(weights, vec![0]).unwrap();
        assert!(!potential.is_raised_by(&spec.clone().build().unwrap()));
        spec.lines[0].pop();
        assert!(potential.is_raised_by(&spec.build().unwrap()));
    }

    /// Of the lines that turn over one, two or more pieces in one direction, at most one takes effect.
    #[test]
    fn lines_that_exclude_each_other_may_change_the_same_cell() {
        let mut spec = row();
        let [mine, yours] = [0, 5].map(|colour| Board::bit(colour) | Board::bit(colour + 1));
        let long = Line { empty: mine, full: yours, fills: mine, clears: yours };
        spec.lines[0].push(long);
        let potential = Potential::new(vec![1; 10], vec![0]).unwrap();
        let is_raised = |spec: &RulesSpec| potential.is_raised_by(&spec.clone().build().unwrap());
        assert!(is_raised(&spec));
        // Both take effect on a board that has pieces of both colours on a square.
        spec.lines[0][2].empty = Board::bit(1);
        assert!(!is_raised(&spec));
    }

    /// A line may need full what the move lowers a position by filling. That is no gain of every further line.
    #[test]
    fn a_condition_of_a_line_counts_once() {
        let (mut spec, lowering) = (row(), Board::bit(4));
        spec.moves[0].fills |= lowering;
        for (line, yours) in spec.lines[0].iter_mut().zip([6, 8]) {
            let yours = Board::bit(yours);
            *line = Line { empty: Board::EMPTY, full: yours | lowering, fills: Board::EMPTY, clears: yours };
        }
        let mut weights = [[1; 5], [2; 5]].concat();
        (weights[2], weights[4]) = (3, -2);
        let is_raised = |weights: &[i32], spec: &RulesSpec| {
            Potential::new(weights.to_vec(), vec![0]).unwrap().is_raised_by(&spec.clone().build().unwrap())
        };
        assert!(!is_raised(&weights, &spec));
        weights[2] = 7;
        assert!(is_raised(&weights, &spec));
    }

    #[test]
    fn a_move_with_a_line_has_the_masks_of_both() {
        let rules = row().build().unwrap();
        let (mut m, line) = (rules.moves()[0], rules.spec().lines[0][0]);
        (m.full, m.clears) = (Board::bit(9), Board::bit(9));
        let both = m.with_line(&line);
        let masks = |m: &Move| [m.empty, m.full, m.fills, m.clears].map(Board::low_word);
        assert_eq!(masks(&both), [0b00100_00110, 0b10010_00001, 0b00000_00110, 0b10010_00000]);
        assert_eq!((masks(&both.with_line(&line)), both.lines), (masks(&both), None));
        let moved = line.moved(|cells| cells << 1);
        assert_eq!(
            [moved.empty, moved.full, moved.fills, moved.clears].map(Board::low_word),
            [1 << 2, 1 << 7 | 1 << 1, 1 << 2, 1 << 7]
        );
    }

    #[test]
    fn lines_stay_on_the_board() {
        fn beyond() -> Board {
            Board::bit(10)
        }
        let refusal = |change: fn(&mut Line)| {
            let mut rules = row();
            change(&mut rules.lines[0][0]);
            rules.build().map_or_else(|error| error.to_string(), |_| String::new())
        };
        assert!(
            refusal(|it| (it.empty, it.fills) = (it.empty | beyond(), it.fills | beyond())).contains("the board lacks")
        );
        assert!(refusal(|it| it.empty |= beyond()).contains("the board lacks"));
        let both = refusal(|it| (it.empty, it.full) = (it.empty | beyond(), it.full | beyond()));
        assert!(both.contains("the board lacks"), "{both}");
        // A line may need a cell that the move needs as well, and fill a cell that the move fills.
        assert_eq!(refusal(|it| (it.empty, it.fills) = (it.empty | Board::bit(2), it.fills | Board::bit(2))), "");
    }
}
