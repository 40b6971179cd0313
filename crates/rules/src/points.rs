//! Points: what moves gain and what is counted at the end.
//!
//! In Dots and Boxes a player who closes a box gains a point, and in Reversi the discs are counted when nobody can move. The *score* of a
//! position is the net sum of the points still to come, for the player to move, if both players play for the most. A position knows nothing
//! of the points of the moves before it. The player who has gained more of those has a *lead*, and lead and score together decide who wins.

use super::{Board, End, Move, Rules, RulesError, RulesSpec, Terminal};

/// The greatest number of points that a move can gain or lose, and that an end can be worth.
pub const MOST_POINTS: i16 = 1 << 10;

/// The greatest score that takes one byte in a table, together with what a move is worth.
pub const MOST_IN_BYTE: u64 = 126;

impl Rules {
    /// Returns whether the other player is to move after `m`, a move of these rules. Otherwise the same player moves again, and outcomes
    /// keep their sign along the move.
    #[must_use]
    #[inline]
    pub fn hands_over(&self, m: &Move) -> bool {
        self.spec().hands_over(m)
    }

    /// Returns whether moves gain points. Then the outcome of a position is the sign of its score, and does not follow from the outcomes
    /// after its moves.
    #[must_use]
    pub fn has_gains(&self) -> bool {
        self.spec().has_gains()
    }

    /// Returns whether points decide who wins: moves gain some, or some are counted at the end.
    #[must_use]
    pub fn counts_points(&self) -> bool {
        self.has_gains() || self.spec().endings().any(Terminal::is_by_points)
    }

    /// Returns whether every end of play has a number of points.
    #[must_use]
    pub fn ends_by_points(&self) -> bool {
        self.spec().ends_by_points()
    }

    /// An upper bound on the absolute value of a score, and the greatest number of points that one move gains or loses. `None` if positions
    /// may repeat. Tables depend on it: the width of scores and the number of their counts follow from this bound.
    #[must_use]
    pub fn most_points(&self) -> Option<(u64, u32)> {
        *self.most_points.get_or_init(|| self.bound_of_points())
    }

    fn bound_of_points(&self) -> Option<(u64, u32)> {
        let plies = u64::from(self.potential()?.most());
        let gain = self.moves().iter().map(|m| u32::from(m.gain.unsigned_abs())).max().unwrap_or(0);
        let end = self.spec().endings().map(Terminal::most_points).max().unwrap_or(0);
        let of_moves = plies * u64::from(gain);
        let of_moves =
            if self.clears() { of_moves } else { of_moves.min(self.spec().points_of_cells().unwrap_or(of_moves)) };
        Some((of_moves + u64::from(end), gain))
    }

    /// Returns whether scores, or what moves are worth, may be greater than [`MOST_IN_BYTE`].
    #[must_use]
    pub fn has_wide_scores(&self) -> bool {
        // Of rules without points, no potential is looked for.
        let is_wide = || {
            let most = self.counts_points().then(|| self.most_points()).flatten();
            most.is_some_and(|(score, gain)| score + u64::from(gain) > MOST_IN_BYTE)
        };
        *self.has_wide_scores.get_or_init(is_wide)
    }
}

impl RulesSpec {
    /// As [`Rules::hands_over`].
    pub(super) fn hands_over(&self, m: &Move) -> bool {
        if self.players.is_empty() { !m.again } else { self.player(m.mode) != self.player(m.next) }
    }

    pub(super) fn has_gains(&self) -> bool {
        self.moves.iter().any(|m| m.gain != 0)
    }

    /// What is the case at each end of play: without a move in a mode, and at a pattern.
    fn endings(&self) -> impl Iterator<Item = Terminal> + '_ {
        let every = self.terminals.is_empty().then_some(Terminal::Always(self.terminal));
        every.into_iter().chain(self.terminals.iter().copied()).chain(self.ends.iter().map(|end| end.outcome))
    }

    /// An upper bound on the sum of the absolute values of all gains on the way to the end, if no move empties cells: a move that gains
    /// fills one of its cells, and a cell is filled only once. `None` if a move gains points that need not fill a cell.
    fn points_of_cells(&self) -> Option<u64> {
        // For each cell: the most that a move gains which fills it, and the cells that all such moves need empty.
        let mut cells = vec![(0u32, Board::full(self.cells)); self.cells as usize];
        for m in self.moves.iter().filter(|m| m.gain != 0) {
            let cell = (0..self.cells).find(|&cell| (m.fills & m.empty).contains(Board::bit(cell)))?;
            let (most, empty) = &mut cells[cell as usize];
            *most = (*most).max(m.gain.unsigned_abs().into());
            *empty &= m.empty;
        }
        // Of two cells that each need the other one empty, only one is filled: a square of two colours.
        let mut sum = 0;
        let mut is_counted = vec![false; cells.len()];
        for (cell, &(most, empty)) in cells.iter().enumerate() {
            let excludes = |&other: &usize| {
                let (both, cells) = (cells[other], [cell, other].map(|cell| Board::bit(cell as u32)));
                both.0 > 0 && !is_counted[other] && empty.contains(cells[1]) && both.1.contains(cells[0])
            };
            if most == 0 || is_counted[cell] {
                continue;
            }
            let partner = (cell + 1..cells.len()).find(excludes);
            let other = partner.map_or(0, |other| cells[other].0);
            if let Some(other) = partner {
                is_counted[other] = true;
            }
            sum += u64::from(most.max(other));
        }
        Some(sum)
    }

    fn ends_by_points(&self) -> bool {
        let by_count = self.count_ends.iter().map(|end| Terminal::Always(end.outcome));
        self.endings().chain(by_count).all(|ending| ending.points(Board::EMPTY).is_some())
    }

    /// Checks what moves gain, who moves after them, and what ends are worth.
    pub(super) fn validate_points(&self) -> Result<(), RulesError> {
        let wrong = |index, reason| Err(RulesError::Lines { index, reason });
        let all = Board::full(self.cells);
        for (index, m) in self.moves.iter().enumerate() {
            if m.again && !self.players.is_empty() {
                return wrong(index, "lets the same player move again, where the modes say who moves");
            }
            if m.gain.unsigned_abs() > MOST_POINTS.unsigned_abs() {
                return wrong(index, "gains or loses more than 1,024 points");
            }
        }
        let check = |what, index, terminal: Terminal| match terminal {
            Terminal::Most { own, other } if !all.contains(own | other) => {
                Err(RulesError::OutsideBoard { what, index, mask: own | other, cells: self.cells })
            }
            Terminal::Points(points) if points.unsigned_abs() > MOST_POINTS.unsigned_abs() => {
                Err(RulesError::Points { what, index, points })
            }
            _ => Ok(()),
        };
        for (index, &terminal) in self.terminals.iter().enumerate() {
            check("terminal outcome", index, terminal)?;
        }
        for (index, &End { outcome, .. }) in self.ends.iter().enumerate() {
            check("end", index, outcome)?;
        }
        match self.moves.iter().position(|m| m.gain != 0) {
            Some(index) if !self.ends_by_points() => {
                wrong(index, "gains points, but a player can win or lose whatever the points are")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mode, Outcome, Player};

    /// A row of two cells. A player who fills the second one last gets two points and moves again.
    fn row() -> RulesSpec {
        let fill = |cell| Move::fill(Board::bit(cell));
        let last = Move { full: Board::bit(0), gain: 2, again: true, ..fill(1) };
        RulesSpec { moves: vec![fill(0), last], terminal: Outcome::Draw, ..RulesSpec::new("row", 2) }
    }

    #[test]
    fn points_decide_where_moves_gain_or_ends_are_counted() {
        let rules = row().build().unwrap();
        assert!(rules.has_gains() && rules.counts_points() && rules.ends_by_points());
        // A gain of 2 and the loss of 2 at the end are a draw.
        let balanced = RulesSpec { terminals: vec![Terminal::Points(-2)], ..row() }.build().unwrap();
        assert!(balanced.can_draw() && !Terminal::Points(-2).can_draw());
        assert_eq!(rules.most_points(), Some((2, 2)));
        assert_eq!([0, 1].map(|m| rules.hands_over(&rules.moves()[m])), [true, false]);
        let counted = |terminal| {
            let spec = RulesSpec { terminals: vec![terminal], moves: vec![Move::fill(Board::bit(0))], ..row() };
            let rules = spec.build().unwrap();
            (rules.counts_points(), rules.ends_by_points(), rules.most_points().unwrap().0)
        };
        let most = Terminal::Most { own: Board::full(2), other: Board::bit(0) };
        assert_eq!(counted(most), (true, true, 2));
        assert_eq!(counted(Terminal::Points(-3)), (true, true, 3));
        assert_eq!(counted(Outcome::Draw.into()), (false, true, 0));
        assert_eq!(counted(Outcome::Loss.into()), (false, false, 0));
    }

    #[test]
    fn each_cell_gains_once() {
        let fill = |cell, gain| Move { gain, ..Move::fill(Board::bit(cell)) };
        let most = |moves: &[Move]| {
            let rules = RulesSpec { moves: moves.to_vec(), terminal: Outcome::Draw, ..RulesSpec::new("cells", 4) }
                .build()
                .unwrap();
            rules.most_points()
        };
        // Four plies of 7 points would be 28.
        assert_eq!(most(&[fill(0, 2), fill(0, -7), fill(1, 1), fill(2, 0), fill(3, 3)]), Some((7 + 1 + 3, 7)));
        // One square in two colours, and a cell for which the other one need not be empty.
        let alone = |cell, other, gain| Move { empty: Board::bit(cell) | Board::bit(other), ..fill(cell, gain) };
        assert_eq!(most(&[alone(0, 1, 2), alone(1, 0, 5), fill(2, 1)]), Some((5 + 1, 5)));
        assert_eq!(most(&[alone(0, 1, 2), fill(1, 5), fill(2, 1)]), Some((2 + 5 + 1, 5)));
        // A cell may be filled again after it was emptied.
        let clear = Move { full: Board::bit(3), clears: Board::bit(3), ..fill(0, 2) };
        assert_eq!(most(&[clear, fill(1, 1)]).map(|(most, _)| most > 4), Some(true));
    }

    #[test]
    fn a_byte_holds_few_points() {
        let is_wide = |gain, ends: &[End]| {
            let fill = |cell| Move::fill(Board::bit(cell));
            let moves = vec![fill(0), Move { gain, ..fill(1) }];
            let spec = RulesSpec { moves, ends: ends.to_vec(), terminal: Outcome::Draw, ..RulesSpec::new("two", 2) };
            spec.build().unwrap().has_wide_scores()
        };
        // The bound of scores is the gain, and what a move is worth adds the gain once more.
        assert_eq!([63, -63, 64, -400].map(|gain| is_wide(gain, &[])), [false, false, true, true]);
        let outcome = Terminal::Points(127);
        assert!(is_wide(0, &[End { mode: Mode(0), pattern: Board::bit(0), outcome, empty: Board::EMPTY }]));
    }

    #[test]
    fn modes_with_players_say_who_moves() {
        let (first, second) = (Player::First, Player::Second);
        let moves = [1, 0].map(|next| Move { next: Mode(next), ..Move::fill(Board::bit(0)) }).to_vec();
        let modes = vec!["a".into(), "b".into()];
        let spec = RulesSpec { moves, modes, players: vec![first, second], ..RulesSpec::new("two", 1) };
        assert_eq!([0, 1].map(|m| spec.hands_over(&spec.moves[m])), [true, false]);
    }

    #[test]
    fn unsound_points_are_refused() {
        let refusal = |change: fn(&mut RulesSpec)| {
            let mut spec = row();
            change(&mut spec);
            spec.build().expect_err("unsound points").to_string()
        };
        assert!(refusal(|it| it.players = vec![Player::First]).contains("move 1 lets the same player move again"));
        assert!(refusal(|it| it.moves[1].gain = 1025).contains("more than 1,024 points"));
        assert!(refusal(|it| it.terminal = Outcome::Loss).contains("whatever the points are"));
        assert!(refusal(|it| it.terminals = vec![Terminal::Points(-1025)]).contains("is worth -1025 points"));
        let end = |outcome| End { mode: Mode(0), pattern: Board::bit(0), outcome, empty: Board::EMPTY };
        let most = Terminal::Most { own: Board::bit(2), other: Board::EMPTY };
        let mut spec = row();
        spec.ends = vec![end(most)];
        assert!(spec.clone().build().unwrap_err().to_string().contains("end 0 names cells 0x4"));
        spec.ends = vec![end(Outcome::Win.into())];
        assert!(spec.build().unwrap_err().to_string().contains("move 1 gains points"));
    }
}
