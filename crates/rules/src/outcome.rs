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

    /// The outcome for a player with this many points more than the other.
    #[must_use]
    #[inline]
    pub const fn of_points(points: i32) -> Self {
        match points {
            ..0 => Self::Loss,
            0 => Self::Draw,
            1.. => Self::Win,
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

/// How a game has ended on a board, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// The outcome.
    pub outcome: Outcome,
    /// The points that the player gets at the end. 0 where the player wins or loses whatever the points are.
    pub points: i16,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, points: 0 }
    }
}

/// The outcome where the game is over, for the player to move: at a pattern that ends it, or without a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Terminal {
    /// The same outcome on every board.
    Always(Outcome),
    /// The player with more filled cells wins, as in Reversi. If both have equally many, the game is a draw. The points at the end are the
    /// difference.
    Most {
        /// The cells of the player to move.
        own: Board,
        /// The cells of the other player.
        other: Board,
    },
    /// The player to move gets these points at the end, or loses them if they are negative. They decide the outcome.
    Points(i16),
}

impl Terminal {
    /// The outcome on `board`.
    #[must_use]
    #[inline]
    pub fn on(self, board: Board) -> Outcome {
        self.fixed().unwrap_or_else(|| Outcome::of_points(self.points(board).unwrap_or_default()))
    }

    /// The outcome and the points on `board`.
    #[must_use]
    #[inline]
    pub fn at(self, board: Board) -> Ending {
        Ending { outcome: self.on(board), points: self.points(board).unwrap_or_default() as i16 }
    }

    /// The outcome if it is the same on every board.
    #[must_use]
    #[inline]
    pub const fn fixed(self) -> Option<Outcome> {
        match self {
            Self::Always(outcome) => Some(outcome),
            Self::Points(points) => Some(Outcome::of_points(points as i32)),
            Self::Most { .. } => None,
        }
    }

    /// The points that the player to move gets at the end on `board`. A draw is worth none; `None` if the player wins or loses whatever the
    /// points are.
    #[must_use]
    #[inline]
    pub fn points(self, board: Board) -> Option<i32> {
        match self {
            Self::Always(Outcome::Draw) => Some(0),
            Self::Always(_) => None,
            Self::Most { own, other } => Some((board & own).count() as i32 - (board & other).count() as i32),
            Self::Points(points) => Some(points.into()),
        }
    }

    /// The greatest number of points that a player gets or loses at the end.
    #[must_use]
    pub fn most_points(self) -> u32 {
        match self {
            Self::Always(_) => 0,
            Self::Most { own, other } => own.count().max(other.count()),
            Self::Points(points) => points.unsigned_abs().into(),
        }
    }

    /// Returns whether points decide the outcome.
    #[must_use]
    pub const fn is_by_points(self) -> bool {
        matches!(self, Self::Most { .. } | Self::Points(_))
    }

    /// The outcome after each cell has gone where `to` sends it.
    #[must_use]
    pub fn moved(self, to: impl Fn(Board) -> Board) -> Self {
        match self {
            Self::Always(_) | Self::Points(_) => self,
            Self::Most { own, other } => Self::Most { own: to(own), other: to(other) },
        }
    }

    /// Returns whether the outcome is a draw on some board.
    #[must_use]
    pub const fn can_draw(self) -> bool {
        matches!(self.fixed(), None | Some(Outcome::Draw))
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
        let points = Terminal::Points(-2);
        assert_eq!([most, Win.into(), points].map(Terminal::fixed), [None, Some(Win), Some(Loss)]);
        let on = |it: Terminal| (it.points(Board::from_word(0b1001)), it.most_points(), it.is_by_points());
        assert_eq!([on(most), on(points)], [(Some(0), 2, true), (Some(-2), 2, true)]);
        assert_eq!([on(Win.into()), on(Draw.into())], [(None, 0, false), (Some(0), 0, false)]);
    }
}
