//! The result of reading a position: its node, a drawing of the line of play, and the names of outcomes.

use crate::rules::{Node, Outcome};

/// The result of reading a position from a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The node that the text names.
    pub node: Node,
    /// The points that the player to move already has more than the other player; 0 unless the game counts points and the text ends with
    /// a lead. Lead and score together decide who wins.
    pub lead: i32,
    /// The player whom the text names as the one to move, in a game with [named players](super::Game::named_players): 0 for the player who
    /// begins. `None` if the text names no player.
    pub mover: Option<usize>,
    /// The names of the moves from the start, if the text is a line of moves; otherwise empty.
    pub line: Vec<String>,
    /// A drawing of the text, if the text says more than the node (the order of play, for instance). It replaces the
    /// drawing by [`Game::draw`](super::Game::draw).
    pub drawn: Option<Drawing>,
    /// The names of outcomes in the format of the text.
    pub outcome_names: OutcomeNames,
}

impl<N: Into<Node>> From<N> for Reading {
    fn from(node: N) -> Self {
        Self {
            node: node.into(),
            lead: 0,
            mover: None,
            line: Vec::new(),
            drawn: None,
            outcome_names: OutcomeNames::default(),
        }
    }
}

/// A drawing in plain characters and, if available, in pictographs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The drawing in plain characters.
    pub plain: String,
    /// The same drawing in pictographs, which not every terminal shows.
    pub pictographs: Option<String>,
}

impl Drawing {
    /// The drawing for a terminal that shows pictographs, or for one that does not.
    #[must_use]
    pub fn text(&self, pictographs: bool) -> &str {
        self.pictographs.as_deref().filter(|_| pictographs).unwrap_or(&self.plain)
    }
}

impl From<String> for Drawing {
    fn from(plain: String) -> Self {
        Self { plain, pictographs: None }
    }
}

/// The names of the three outcomes for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OutcomeNames {
    /// The name of [`Outcome::Win`].
    pub win: &'static str,
    /// The name of [`Outcome::Draw`].
    pub draw: &'static str,
    /// The name of [`Outcome::Loss`].
    pub loss: &'static str,
}

impl OutcomeNames {
    /// The name of `outcome`.
    #[must_use]
    pub const fn of(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Win => self.win,
            Outcome::Draw => self.draw,
            Outcome::Loss => self.loss,
        }
    }
}

impl Default for OutcomeNames {
    /// The names of [`Outcome::name`].
    fn default() -> Self {
        Self { win: Outcome::Win.name(), draw: Outcome::Draw.name(), loss: Outcome::Loss.name() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictographs_need_a_drawing_and_a_terminal_that_have_them() {
        let plain = Drawing::from("|0|1|".to_owned());
        let both = Drawing { pictographs: Some("\u{1f032}".into()), ..plain.clone() };
        assert_eq!([plain.text(false), plain.text(true), both.text(false)], ["|0|1|"; 3]);
        assert_eq!(both.text(true), "\u{1f032}");
    }

    #[test]
    fn outcome_names_default_to_the_usual_ones() {
        assert!(Outcome::BEST_FIRST.iter().all(|&outcome| OutcomeNames::default().of(outcome) == outcome.name()));
    }
}
