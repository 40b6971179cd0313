//! Kinds of games, by what a move does. Lists of games group them by kind.

use super::{Game, Layout};

words! {
    /// The kind of a game.
    Kind {
        /// Both players fill free places in the same colour.
        Fill = "fill",
        /// Each player puts pieces of their own on the board, where they stay.
        Place = "place",
        /// Pieces move, or leave the board.
        Move = "move",
        /// The places are lines, tiles or words.
        Lines = "lines",
    }
}

impl Kind {
    /// The kind of `game`.
    #[must_use]
    pub fn of(game: &dyn Game) -> Self {
        let scene = game.scene();
        match scene.layout {
            Layout::Edges | Layout::Tiles | Layout::Words => Self::Lines,
            _ if game.rules().clears() => Self::Move,
            _ if scene.signs.len() > 1 || game.is_partisan() => Self::Place,
            _ => Self::Fill,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Parameters, bundled};
    use super::*;

    #[test]
    fn games_are_of_the_kind_of_their_moves() {
        let kind = |name: &str| Kind::of(bundled(name, &Parameters::new()).unwrap().unwrap().as_ref());
        let kinds = ["cram", "domineering", "hex", "konane", "dots-and-boxes", "sim"].map(kind);
        assert_eq!(kinds, [Kind::Fill, Kind::Place, Kind::Place, Kind::Move, Kind::Lines, Kind::Lines]);
    }
}
