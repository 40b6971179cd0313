//! The value of a position and of its moves.

use std::sync::Arc;

use pyo3::prelude::*;
use tablegen::engine::{Answered, UNKNOWN, ValuedTurn, View, json, read_value};
use tablegen::game::AnswerMove;
use tablegen::label::Value;
use tablegen::rules::Node;

use crate::errors::of_engine;
use crate::inner::Inner;
use crate::position::named;
use crate::value::calculator;

/// A turn: text, number of the value after it, and whether no other turn dominates it.
type TurnFields = (String, u32, bool);

/// A move, with the fields of `Choice` in order: text, position after it, outcome, remoteness, nimber, mode and board
/// after it (if the rules have that position), a flag for draws by repetition, misère nimber, score, and gain.
type MoveFields<'a> = (
    &'a str,
    &'a str,
    &'static str,
    Option<u32>,
    Option<u32>,
    Option<&'a str>,
    Option<u128>,
    bool,
    Option<u32>,
    Option<i32>,
    i16,
);

/// An answer, which keeps its table open.
#[pyclass(frozen, module = "tablegen._native")]
pub(crate) struct Answer {
    inner: Arc<Inner>,
    answered: Answered,
}

impl Answer {
    pub(crate) const fn new(inner: Arc<Inner>, answered: Answered) -> Self {
        Self { inner, answered }
    }

    const fn value(&self) -> Option<Value> {
        self.answered.answer.value
    }

    /// The value with `number` in the dictionary of the table, as a number of the calculator.
    fn read(&self, py: Python<'_>, number: u32) -> PyResult<u32> {
        let open = self.inner.open_table()?;
        let read = py.detach(|| read_value(open, number, &mut calculator()));
        read.map(tablegen::values::Value::number).map_err(of_engine)
    }
}

#[pymethods]
impl Answer {
    #[getter]
    fn game(&self) -> &str {
        self.inner.source.game().rules().name()
    }

    #[getter]
    fn position(&self) -> &str {
        &self.answered.answer.position
    }

    #[getter]
    fn board(&self) -> Option<u128> {
        self.answered.answer.node.map(|node| named(self.inner.source.game().rules(), node).1)
    }

    #[getter]
    fn mode(&self) -> Option<&str> {
        self.answered.answer.node.and_then(|node| named(self.inner.source.game().rules(), node).0)
    }

    #[getter]
    fn outcome(&self) -> &'static str {
        self.value().map_or(UNKNOWN, |value| value.outcome.name())
    }

    #[getter]
    fn over(&self) -> bool {
        self.answered.answer.over
    }

    #[getter]
    fn remoteness(&self) -> Option<u32> {
        self.value().and_then(|value| value.remoteness())
    }

    #[getter]
    fn nimber(&self) -> Option<u32> {
        self.value().and_then(|value| value.nimber())
    }

    #[getter]
    fn misere_nimber(&self) -> Option<u32> {
        self.value().and_then(|value| value.misere_nimber())
    }

    #[getter]
    fn score(&self) -> Option<i32> {
        self.value().and_then(|value| value.score())
    }

    /// The points that the player to move already has more than the other player.
    #[getter]
    fn lead(&self) -> i32 {
        self.answered.answer.lead
    }

    /// True for a draw by repetition.
    #[getter]
    fn repetition(&self) -> bool {
        self.value().is_some_and(|value| value.repetition)
    }

    #[getter]
    fn source(&self) -> &'static str {
        self.inner.source.origin_of(&self.answered.answer)
    }

    #[getter]
    fn outcome_class(&self) -> Option<&'static str> {
        self.answered.class.map(|class| class.name())
    }

    /// What would decide an unknown outcome.
    #[getter]
    fn remedy(&self) -> Vec<&'static str> {
        let is_known = self.answered.answer.value.is_some();
        if is_known { Vec::new() } else { json::names_of(self.inner.source.remedy()) }
    }

    /// The moves, best first.
    #[getter]
    fn moves(&self) -> Vec<MoveFields<'_>> {
        let rules = self.inner.source.game().rules();
        let fields = |m: &'_ AnswerMove| {
            let at = m.to.map(|to| named(rules, Node::At(to)));
            let outcome = m.value.map_or(UNKNOWN, |value| value.outcome.name());
            let nimbers = (m.value.and_then(|value| value.nimber()), m.value.and_then(|value| value.misere_nimber()));
            let plies = m.value.map_or((None, false), |value| (value.remoteness(), value.repetition));
            (outcome, plies, nimbers, at.and_then(|(mode, _)| mode), at.map(|(_, board)| board))
        };
        let all = self.answered.answer.moves.iter().map(|m| {
            let (outcome, (remoteness, repetition), (nimber, misere), mode, board) = fields(m);
            let (text, position, score) = (m.text.as_str(), m.position.as_str(), m.value.and_then(|it| it.score()));
            (text, position, outcome, remoteness, nimber, mode, board, repetition, misere, score, m.gain)
        });
        all.collect()
    }

    /// The number of the board's value in the calculator, if the table has values.
    #[getter]
    fn game_value(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        self.answered.value.as_ref().map(|value| self.read(py, value.number)).transpose()
    }

    /// The turns of Left and of Right, best first: text, number of the value in the calculator, and whether no other turn dominates it.
    #[getter]
    fn turns(&self, py: Python<'_>) -> PyResult<Option<[Vec<TurnFields>; 2]>> {
        let Some(value) = &self.answered.value else { return Ok(None) };
        let all = |turns: &[ValuedTurn]| -> PyResult<Vec<TurnFields>> {
            turns.iter().map(|turn| Ok((turn.text.clone(), self.read(py, turn.number)?, turn.is_best))).collect()
        };
        Ok(Some([all(&value.turns[0])?, all(&value.turns[1])?]))
    }

    /// The texts of the position in the notations that the game names.
    #[getter]
    fn notations(&self) -> Vec<(&'static str, String)> {
        let all = self.answered.notations(self.inner.source.game());
        all.into_iter().map(|(notation, text)| (notation.name(), text)).collect()
    }

    /// The object that `probe --json` prints.
    fn json(&self) -> String {
        json::answered_text(&self.inner.source, &self.answered)
    }

    /// A drawing of the position.
    fn drawing(&self) -> String {
        let board = || self.answered.board(self.inner.source.game());
        self.answered.drawn_text(false).map_or_else(board, str::to_owned)
    }

    /// The layout of the position for drawing, as JSON.
    fn view(&self) -> PyResult<String> {
        let game = self.inner.source.game();
        let view = View::of_answer(game, &self.answered.answer).map_err(of_engine)?;
        Ok(json::view(game, &view).to_string())
    }
}
