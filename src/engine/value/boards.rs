//! The values of the positions of a game.

use std::collections::HashMap;

use super::ValueError;
use tablegen_core::label::{LabelKind, Undefined};
use tablegen_core::rules::{Mode, Node, Position};
use tablegen_games::{Game, NotationError, read_position};
use tablegen_values::{Calculator, Value};

/// The moves of Left and of Right: their texts, and the values that they leave.
pub(super) type Moves = [Vec<(String, Value)>; 2];

/// The positions of a game, with the values found so far. They belong to one calculator.
pub(super) struct Boards<'a> {
    game: &'a dyn Game,
    is_partisan: bool,
    /// The number of boards that may be looked at.
    limit: usize,
    known: HashMap<Position, Value>,
}

impl<'a> Boards<'a> {
    /// # Errors
    /// If positions of the game have no values.
    pub(super) fn of(game: &'a dyn Game, limit: usize) -> Result<Self, ValueError> {
        let rules = game.rules();
        let name = || rules.name().to_owned();
        // What nimbers need, values need as well, except that both sides have the same moves.
        let nimbers = LabelKind::Nimber.undefined_by(rules).filter(|reason| *reason != Undefined::Partisan);
        let reduced = game.is_reduced().then_some(Undefined::Reduced);
        let repeats = rules.potential().is_none().then_some(Undefined::Repeats);
        if let Some(reason) = reduced.or(nimbers).or(repeats) {
            return Err(ValueError::Undefined { name: name(), reason });
        }
        let modes = rules.modes().len();
        if game.is_partisan() && modes != 2 {
            return Err(ValueError::Modes { name: name(), modes });
        }
        Ok(Self { game, is_partisan: game.is_partisan(), limit, known: HashMap::new() })
    }

    /// The value of the position `text`; an empty text is the start.
    pub(super) fn root(&mut self, text: &str, calculator: &mut Calculator) -> Result<Value, ValueError> {
        match self.read(text)? {
            Node::At(position) => self.value(position, calculator),
            Node::Opening => {
                let [starts, _] = self.moves(text, calculator)?;
                let starts: Vec<Value> = starts.into_iter().map(|(_, start)| start).collect();
                Ok(calculator.simplified(&starts, &starts)?)
            }
        }
    }

    /// The moves from the position `text`.
    pub(super) fn moves(&mut self, text: &str, calculator: &mut Calculator) -> Result<Moves, ValueError> {
        let rules = self.game.rules();
        let from = match self.read(text)? {
            Node::At(position) => self.sides(position).map(Node::At),
            Node::Opening => [Node::Opening; 2],
        };
        let mut moves = Moves::default();
        for (from, moves) in from.into_iter().zip(&mut moves) {
            let next: Vec<Position> = match from {
                Node::At(position) => rules.moves_from(position).map(|m| m.play(position)).collect(),
                Node::Opening => rules.start_positions(),
            };
            for next in next {
                moves.push((self.game.write_move(from, next), self.value(next, calculator)?));
            }
        }
        Ok(moves)
    }

    /// The position that `text` names, which need not say whose turn it is.
    fn read(&self, text: &str) -> Result<Node, NotationError> {
        if text.is_empty() {
            return Ok(self.game.rules().start_node());
        }
        let error = match read_position(self.game, text) {
            Ok(reading) => return Ok(reading.node),
            Err(error) => error,
        };
        let turn = self.game.rules().modes().first().filter(|_| self.is_partisan).ok_or(error)?;
        read_position(self.game, &format!("{text} {turn}")).map(|reading| reading.node)
    }

    /// The board of `position` with Left to move, and with Right.
    fn sides(&self, position: Position) -> [Position; 2] {
        if self.is_partisan { [0, 1].map(|side| Position::new(Mode(side), position.board)) } else { [position; 2] }
    }

    /// The value of the board of `position`. The recursion is at most as deep as the longest play.
    fn value(&mut self, position: Position, calculator: &mut Calculator) -> Result<Value, ValueError> {
        let sides = self.sides(position);
        if let Some(&known) = self.known.get(&sides[0]) {
            return Ok(known);
        }
        if self.known.len() >= self.limit {
            return Err(ValueError::Limit { name: self.game.rules().name().to_owned(), limit: self.limit });
        }
        let mut options = [Vec::new(), Vec::new()];
        for (side, options) in sides.into_iter().zip(&mut options).take(1 + usize::from(self.is_partisan)) {
            let next: Vec<Position> = self.game.rules().moves_from(side).map(|m| m.play(side)).collect();
            for next in next {
                options.push(self.value(next, calculator)?);
            }
        }
        let [lefts, rights] = &options;
        let rights = if self.is_partisan { rights } else { lefts };
        let value = calculator.simplified(lefts, rights)?;
        self.known.insert(sides[0], value);
        Ok(value)
    }
}
