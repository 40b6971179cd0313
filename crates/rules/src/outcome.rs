//! The result of perfect play from a position.

use std::fmt;

use super::Board;

/// The value of a position for the player to move, under perfect play by both. Ordered: a loss is worse than a draw, a
/// draw worse than a win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The opponent can force a win. In an impartial game, a P-position.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The player to move can force a win. In an impartial game, an N-position.
    Win,
}

impl Outcome {
    /// Every outcome, best first.
    pub const BEST_FIRST: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    /// The outcome of the same position for the other player.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// The outcome for a player whose score compares with the other player's as `compared`: more is better.
    #[must_use]
    #[inline]
    pub const fn by(compared: std::cmp::Ordering) -> Self {
        match compared {
            std::cmp::Ordering::Less => Self::Loss,
            std::cmp::Ordering::Equal => Self::Draw,
            std::cmp::Ordering::Greater => Self::Win,
        }
    }

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The outcome for a player without a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Terminal {
    /// The same outcome on every board.
    Always(Outcome),
    /// The player with more filled cells wins, as in Reversi. If both have equally many, the game is a draw.
    Most {
        /// The cells of the player to move.
        own: Board,
        /// The cells of the other player.
        other: Board,
    },
}

impl Terminal {
    /// The outcome on `board`.
    #[must_use]
    #[inline]
    pub fn on(self, board: Board) -> Outcome {
        match self {
            Self::Always(outcome) => outcome,
            Self::Most { own, other } => Outcome::by(((board & own).count()).cmp(&(board & other).count())),
        }
    }

    /// Returns whether the outcome is the same on every board.
    #[must_use]
    pub const fn is_fixed(self) -> bool {
        matches!(self, Self::Always(_))
    }

    /// The outcome after each cell has gone where `to` sends it.
    #[must_use]
    pub fn moved(self, to: impl Fn(Board) -> Board) -> Self {
        match self {
            Self::Always(_) => self,
            Self::Most { own, other } => Self::Most { own: to(own), other: to(other) },
        }
    }

    /// Returns whether the outcome is a draw on some board.
    #[must_use]
    pub const fn can_draw(self) -> bool {
        !matches!(self, Self::Always(Outcome::Win | Outcome::Loss))
    }
}

impl From<Outcome> for Terminal {
    fn from(outcome: Outcome) -> Self {
        Self::Always(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Draw, Loss, Win};
    use super::{Board, Terminal};

    #[test]
    fn more_filled_cells_win() {
        let most = Terminal::Most { own: Board::from_word(0b0111), other: Board::from_word(0b1000) };
        let found = [0b1000, 0b1001, 0b1011, 0].map(|board| most.on(Board::from_word(board)));
        assert_eq!(found, [Loss, Draw, Win, Draw]);
        assert!(most.can_draw() && !Terminal::from(Win).can_draw());
    }

    #[test]
    fn ordered_and_flipped() {
        assert!(Loss < Draw && Draw < Win);
        for outcome in super::Outcome::BEST_FIRST {
            assert_eq!(outcome.flip().flip(), outcome);
        }
        assert_eq!((Win.flip(), Draw.flip()), (Loss, Draw));
    }

    #[test]
    fn outcomes_by_count_depend_on_the_board() {
        let most = Terminal::Most { own: Board::from_word(0b11), other: Board::from_word(0b1100) };
        assert_eq!([0b0001, 0b1001, 0b1110].map(|it| most.on(Board::from_word(it))), [Win, Draw, Loss]);
        assert_eq!([most, Win.into(), Draw.into()].map(Terminal::is_fixed), [false, true, true]);
    }
}
