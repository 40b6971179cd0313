//! Answers about positions, and the names of their outcomes.

use crate::BoardValue;
use tablegen_games::{Answer, Game, Notation, OutcomeClass, OutcomeNames, Reading, written};
use tablegen_rules::{Node, Outcome, Position};

/// The name of an outcome that a search did not find.
pub const UNKNOWN: &str = "unknown";

/// An answer, together with the reading of its text.
pub struct Answered {
    /// The value of the position and of its moves.
    pub answer: Answer,
    /// The position read from the text, if it is a position of the rules.
    pub reading: Option<Reading>,
    /// The outcome class of the board, if it is known, in a game of two sides that leaves open which side begins.
    pub class: Option<OutcomeClass>,
    /// The value of the board as a combinatorial game, if the table has it.
    pub value: Option<Box<BoardValue>>,
    /// True if it is known that play does not reach the position. The answer is for the board as it was read.
    pub is_out_of_reach: bool,
}

impl Answered {
    /// The name of the outcome, in the terms of the text that was read; `unknown` if a search did not find it.
    #[must_use]
    pub fn outcome_name(&self) -> &'static str {
        let names = self.reading.as_ref().map_or_else(OutcomeNames::default, |reading| reading.outcome_names);
        name_of(self.answer.outcome(), names)
    }

    /// The texts of the position in the notations that `game` names. A notation does not say a lead.
    #[must_use]
    pub fn notations(&self, game: &dyn Game) -> Vec<(Notation, String)> {
        let node = self.answer.node.filter(|_| self.answer.lead == 0);
        node.map_or_else(Vec::new, |node| written(game, node))
    }

    /// The drawn board; or the text of the position if the game goes beyond its rules, since a drawing of the rules'
    /// position would show less.
    #[must_use]
    pub fn board(&self, game: &dyn Game) -> String {
        let drawable = self.answer.node.filter(|_| game.off_table().is_none());
        drawable.map_or_else(|| self.answer.position.clone(), |node| game.draw(node))
    }

    /// A drawing of the position's text, if it shows more than the board; `None` otherwise.
    #[must_use]
    pub fn drawn_text(&self, pictographs: bool) -> Option<&str> {
        let drawn = self.reading.as_ref().and_then(|reading| reading.drawn.as_ref());
        drawn.map(|drawing| drawing.text(pictographs))
    }
}

/// An answer without its moves.
#[derive(Clone, Debug)]
pub struct Brief {
    pub(crate) outcome: &'static str,
    pub(crate) position: BriefPosition,
    /// As in [`Answered`].
    pub is_out_of_reach: bool,
}

/// The position of a [`Brief`].
#[derive(Clone, Debug)]
pub(crate) enum BriefPosition {
    /// A position that was looked up: its text is written only on request.
    At(Position),
    /// The canonical text of a position that was answered.
    Text(String),
}

impl Brief {
    /// The name of the outcome, as [`Answered::outcome_name`].
    #[must_use]
    pub const fn outcome_name(&self) -> &'static str {
        self.outcome
    }

    /// The canonical text of the position.
    #[must_use]
    pub fn position(&self, game: &dyn Game) -> String {
        match &self.position {
            BriefPosition::At(position) => game.write(Node::At(*position)),
            BriefPosition::Text(text) => text.clone(),
        }
    }
}

/// The name of an outcome in answers.
pub(crate) fn name_of(outcome: Option<Outcome>, names: OutcomeNames) -> &'static str {
    outcome.map_or(UNKNOWN, |outcome| names.of(outcome))
}
