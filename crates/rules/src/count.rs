//! Conditions on numbers of pieces: when a move is legal, and when a game is over.
//!
//! "With three men a man may jump", "a side with two men has lost": no pattern of filled and empty cells says this shortly, because it
//! depends only on how many cells are filled. A move may name such a condition ([`Move::when`](super::Move::when)), and a
//! [`CountEnd`] ends the game by one.

use super::{Board, Mode, Outcome, RulesError, RulesSpec};

/// A condition on the number of filled cells among some cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Count {
    /// The cells that are counted, at least one.
    pub cells: Board,
    /// The least number of them that are filled.
    pub least: u8,
    /// The greatest number of them that are filled, not less than `least` and not more than all of them.
    pub most: u8,
}

impl Count {
    /// Returns whether `board` has such a number of filled cells.
    #[must_use]
    #[inline]
    pub fn fits(&self, board: Board) -> bool {
        (u32::from(self.least)..=self.most.into()).contains(&(board & self.cells).count())
    }

    /// The condition after each cell has gone where `to` sends it.
    #[must_use]
    pub fn moved(&self, to: impl Fn(Board) -> Board) -> Self {
        Self { cells: to(self.cells), ..*self }
    }

    fn is_sound(&self, all: Board) -> bool {
        let most = self.cells.count();
        all.contains(self.cells) && self.least <= self.most && u32::from(self.most) <= most && most > 0
    }
}

/// A number of pieces that ends the game. It is tested before the terminal patterns; the first that fits decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CountEnd {
    /// The mode it applies to.
    pub mode: Mode,
    /// The number of pieces.
    pub count: Count,
    /// The outcome for the player to move.
    pub outcome: Outcome,
}

impl CountEnd {
    /// The same after each cell has gone where `to` sends it.
    #[must_use]
    pub fn moved(&self, to: impl Fn(Board) -> Board) -> Self {
        Self { count: self.count.moved(to), ..*self }
    }
}

impl RulesSpec {
    /// Checks the conditions that moves name and the numbers of pieces that end the game.
    pub(super) fn validate_counts(&self) -> Result<(), RulesError> {
        let all = Board::full(self.cells);
        let check = |what, index, count: &Count| {
            if count.is_sound(all) { Ok(()) } else { Err(RulesError::Condition { what, index, count: *count }) }
        };
        for (index, count) in self.counts.iter().enumerate() {
            check("condition", index, count)?;
        }
        for (index, end) in self.count_ends.iter().enumerate() {
            check("end by a number of pieces", index, &end.count)?;
            self.validate_mode("end by a number of pieces", index, end.mode)?;
        }
        let missing = |number: &u16| usize::from(*number) >= self.counts.len();
        match self.moves.iter().position(|m| m.when.as_ref().is_some_and(missing)) {
            Some(index) => Err(RulesError::Lines { index, reason: "names a condition that is missing" }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Position, Rules};

    /// A piece of a row of four may step to the right, or with one piece anywhere; without a piece the player has lost.
    fn row() -> RulesSpec {
        let own = Board::full(4);
        let go = |from: u32, to: u32, when| Move {
            full: Board::bit(from),
            clears: Board::bit(from),
            when: Some(when),
            ..Move::fill(Board::bit(to))
        };
        let steps = (0..3).map(|from| go(from, from + 1, 0));
        let jumps = (0..4).flat_map(|from| (0..4).filter(move |to| *to != from).map(move |to| go(from, to, 1)));
        RulesSpec {
            moves: steps.chain(jumps).collect(),
            counts: vec![Count { cells: own, least: 2, most: 4 }, Count { cells: own, least: 1, most: 1 }],
            count_ends: vec![CountEnd {
                mode: Mode(0),
                count: Count { cells: own, least: 0, most: 0 },
                outcome: Outcome::Win,
            }],
            ..RulesSpec::new("row", 4)
        }
    }

    #[test]
    fn numbers_of_pieces_allow_moves_and_end_the_game() {
        let rules: Rules = row().build().unwrap();
        let at = |board: u64| Position::of(Board::from_word(board));
        let after = |board: u64| -> Vec<u64> { rules.successors(at(board)).map(|it| it.board.low_word()).collect() };
        assert_eq!(after(0b0011), [0b0101]);
        assert_eq!(after(0b0010), [0b0001, 0b0100, 0b1000]);
        assert_eq!([0b0000, 0b0001, 0b1111].map(|board| rules.ended(at(board))), [Some(Outcome::Win), None, None]);
        assert!(rules.counts_pieces() && rules.potential().is_none());
    }

    #[test]
    fn unsound_conditions_are_refused() {
        let refusal = |change: fn(&mut RulesSpec)| {
            let mut rules = row();
            change(&mut rules);
            rules.build().expect_err("unsound conditions").to_string()
        };
        assert!(refusal(|r| r.moves[0].when = Some(2)).contains("move 0 names a condition that is missing"));
        assert!(refusal(|r| r.counts[0].most = 1).contains("condition 0 counts 2 to 1 of the cells 0xf"));
        assert!(refusal(|r| r.counts[1].most = 5).contains("condition 1 counts 1 to 5 of the cells 0xf"));
        assert!(refusal(|r| r.counts[1].cells = Board::bit(4)).contains("condition 1"));
        assert!(refusal(|r| r.counts[1] = Count { cells: Board::EMPTY, least: 0, most: 0 }).contains("condition 1"));
        assert!(refusal(|r| r.count_ends[0].count.least = 1).contains("end by a number of pieces 0"));
        assert!(refusal(|r| r.count_ends[0].mode = Mode(1)).contains("end by a number of pieces 0 names mode 1"));
    }
}
