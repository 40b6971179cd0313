//! A position in the middle of a game, which shows at a glance how the game looks.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::plan::choice::bounded;
use super::{Asked, Engine, EngineError, Origin, Source, View, ViewMove};
use tablegen_games::{Game, OutcomeClass};
use tablegen_rules::Outcome;

/// The largest number of plies in a preview.
const MOST_PLIES: usize = 9;
/// The largest number of positions that are solved for the outcome of a start.
const SMALL: u64 = 1 << 16;
/// The largest number of pairs of a mode and a board of a game with thousands of moves that is solved for that. A larger one
/// takes seconds, and far more memory than it has positions.
const FEW: u128 = 1 << 24;
/// The part of the places that a preview fills, in percent.
const FILLED: usize = 45;

/// A position in the middle of a game, with the plies that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Preview {
    /// The position.
    pub view: View,
    /// The plies from the start, each with the player who made it: 0 for the player who began.
    pub plies: Vec<(ViewMove, usize)>,
    /// The names of the two players, the one who begins first, if the game names them.
    pub players: Option<[String; 2]>,
}

impl Preview {
    /// The preview of `game`. The moves look arbitrary, but are always the same.
    #[must_use]
    pub fn of(game: &dyn Game) -> Self {
        let mut view = View::of_node(game, game.rules().start_node());
        let players = view.players.clone();
        let (mut plies, mut mover) = (Vec::new(), 0);
        let begun = filled(&view);
        let mut number = 0x9e37_79b9_u32;
        // Games in which pieces are put first and moved later differ in the number of pieces.
        let is_placing =
            |view: &View| game.rules().clears() && !view.moves.is_empty() && view.moves.iter().all(fills_only(view));
        let is_begun = |view: &View| 100 * filled(view).saturating_sub(begun) < FILLED * view.scene.places.len();
        while plies.len() < MOST_PLIES && (is_begun(&view) || is_placing(&view)) {
            // A linear congruential generator. Its upper bits are good enough for pictures.
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let count = view.moves.len();
            let first = (number >> 16) as usize % count.max(1);
            // The first move from there on that does not end the game.
            let next = (0..count).map(|at| &view.moves[(first + at) % count]).find_map(|m| {
                let node = game.read(&m.position).ok()?.node;
                let after = View::of_node(game, node);
                (!after.moves.is_empty() && after.ending.is_empty()).then(|| (m.clone(), after))
            });
            let Some((m, after)) = next else { break };
            let by = mover;
            mover = if m.again { mover } else { 1 - mover };
            plies.push((m, by));
            view = after;
        }
        Self { view, plies, players }
    }
}

/// The number of filled places.
/// Returns whether a move puts pieces on free places and changes no other place.
fn fills_only(view: &View) -> impl Fn(&ViewMove) -> bool + '_ {
    |m| !m.changes.is_empty() && m.changes.iter().all(|&(place, _)| view.states[place] == 0)
}

fn filled(view: &View) -> usize {
    view.states.iter().filter(|&&state| state > 0).count()
}

impl Engine {
    /// The outcome of the start of `game` for the player who begins, and the outcome class if either side may begin, if
    /// a table has it, a search of at most `limit` positions finds it, or the game is small.
    ///
    /// # Errors
    /// If a table is damaged where it is read, or `watch` stops the work.
    pub fn start_outcome(
        &self,
        game: Arc<dyn Game>,
        limit: u64,
        watch: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Result<(Option<Outcome>, Option<OutcomeClass>), EngineError> {
        let (source, is_table) = match self.find(game.as_ref()) {
            Ok(Some(table)) => (Source::new(game, table, Origin::Table, limit.into())?, true),
            _ => (Source::searching(game, limit.into()), false),
        };
        // A search cannot decide most games in which positions repeat, but few of them are large.
        let rules = source.game().rules();
        let repeats = rules.potential().is_none();
        let has_many_moves = bounded(rules, SMALL) < SMALL;
        if !is_table && repeats && has_many_moves && rules.positions() > FEW {
            return Ok((None, None));
        }
        if is_table || !repeats {
            let asked = Asked::typed(source.game(), None)?;
            let answered = source.answer_watched(&asked, limit, watch)?;
            let value = answered.answer.value;
            return Ok((value.map(|value| value.outcome), answered.class.filter(|_| value.is_some())));
        }
        let table = self.outcomes_of_small(source.game(), SMALL, &|_| watch())?;
        let probe = table.map(|table| table.probe(rules.start_node())).transpose();
        let value = probe.map_err(EngineError::Read)?.map(|probe| probe.value);
        Ok((value.map(|value| value.outcome), None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_games::{LIBRARY, Parameters};

    #[test]
    fn previews_are_in_the_middle_of_their_games() {
        for game in LIBRARY {
            let made = game.read(&Parameters::new()).unwrap();
            let preview = Preview::of(&made);
            assert!(!preview.plies.is_empty() && !preview.view.moves.is_empty(), "{}", game.name);
            assert_eq!(preview, Preview::of(&made), "{}", game.name);
        }
    }
}
