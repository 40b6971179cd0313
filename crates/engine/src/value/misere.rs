//! Positions of impartial games in misère play.

use super::ValueError;
use super::boards::{Boards, Results};
use super::terms::only_term;
use tablegen_cgt::{MisereForm, MisereForms, MisereQuotient};

/// What is known of a position of an impartial game in misère play, whatever the game's own rule for the end is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MisereFacts {
    /// The genus symbol.
    pub genus: String,
    /// The misère quotient of all positions that can follow; `None` if it is large or infinite.
    pub quotient: Option<MisereQuotient>,
    /// The class of the position in the quotient.
    pub class: Option<usize>,
}

impl MisereFacts {
    /// The facts of `expression`, if it is a position of an impartial game. At most `limit` positions are followed.
    ///
    /// # Errors
    /// If the expression names no position, the game has no values, or a limit is reached.
    pub fn of(expression: &str, limit: usize) -> Result<Option<Self>, ValueError> {
        let Some(term) = only_term(expression) else { return Ok(None) };
        let game = term.game()?;
        let mut boards = Boards::of(game.as_ref(), limit)?;
        if !boards.are_impartial() {
            return Ok(None);
        }
        let mut followed = Followed::default();
        let form = boards.root(term.position, &mut followed)?;
        let Followed { forms, mut all } = followed;
        all.sort_unstable();
        all.dedup();
        let quotient = MisereQuotient::of(&forms, &all);
        let class = quotient.as_ref().and_then(|quotient| quotient.class(form));
        Ok(Some(Self { genus: forms.genus(form).to_string(), quotient, class }))
    }
}

/// The forms of all positions that were followed.
#[derive(Default)]
struct Followed {
    forms: MisereForms,
    all: Vec<MisereForm>,
}

impl Results<MisereForm> for Followed {
    fn of_options(&mut self, options: &[MisereForm], _: &[MisereForm]) -> Result<MisereForm, ValueError> {
        let form = self.forms.of(options);
        self.all.push(form);
        Ok(form)
    }
}
