//! The values of the positions of a game, by recursion.

use std::collections::HashMap;

use super::ValueError;
use super::turns::Turns;
use tablegen_core::rules::{Node, Position};
use tablegen_games::{Game, NotationError, read_position};
use tablegen_values::{Calculator, Value};

/// The moves of Left and of Right: their texts, and the values that they leave.
pub(super) type Moves = [Vec<(String, Value)>; 2];

/// The positions of a game, with the values found so far. They belong to one calculator.
pub(super) struct Boards<'a> {
    game: &'a dyn Game,
    turns: Turns<'a>,
    /// The number of boards that may be looked at.
    limit: usize,
    known: HashMap<Position, Value>,
}

impl<'a> Boards<'a> {
    /// # Errors
    /// If positions of the game have no values.
    pub(super) fn of(game: &'a dyn Game, limit: usize) -> Result<Self, ValueError> {
        let name = || game.rules().name().to_owned();
        let turns = Turns::of(game).map_err(|reason| ValueError::NoValues { name: name(), reason })?;
        Ok(Self { game, turns, limit, known: HashMap::new() })
    }

    /// The value of the position `text`; an empty text is the start.
    pub(super) fn root(&mut self, text: &str, calculator: &mut Calculator) -> Result<Value, ValueError> {
        match self.read(text)? {
            Node::At(position) => self.value(self.key(position)?, calculator),
            Node::Opening => {
                let [starts, _] = self.moves(text, calculator)?;
                let starts: Vec<Value> = starts.into_iter().map(|(_, start)| start).collect();
                Ok(calculator.simplified(&starts, &starts)?)
            }
        }
    }

    /// The moves from the position `text`.
    pub(super) fn moves(&mut self, text: &str, calculator: &mut Calculator) -> Result<Moves, ValueError> {
        let turns = match self.read(text)? {
            Node::At(position) => self.turns.both(self.key(position)?),
            Node::Opening => {
                let starts = self.game.rules().start_positions().into_iter();
                let starts =
                    starts.map(|start| (self.game.write_move(Node::Opening, start), start)).collect::<Vec<_>>();
                [starts.clone(), starts]
            }
        };
        let mut moves = Moves::default();
        for (turns, moves) in turns.into_iter().zip(&mut moves) {
            for (text, next) in turns {
                moves.push((text, self.value(self.key(next)?, calculator)?));
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
        let turn = self.turns.left_name().ok_or(error)?;
        read_position(self.game, &format!("{text} {turn}")).map(|reading| reading.node)
    }

    fn key(&self, position: Position) -> Result<Position, ValueError> {
        self.turns.key(position).ok_or_else(|| ValueError::WithinTurn { position: self.game.write(position.into()) })
    }

    /// The value of a position at which a turn begins. The recursion is at most as deep as the longest play.
    fn value(&mut self, key: Position, calculator: &mut Calculator) -> Result<Value, ValueError> {
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.known.len() >= self.limit {
            return Err(ValueError::Limit { name: self.game.rules().name().to_owned(), limit: self.limit });
        }
        let mut options = [Vec::new(), Vec::new()];
        for (turns, options) in self.turns.positions(key).into_iter().zip(&mut options) {
            for next in turns {
                options.push(self.value(next, calculator)?);
            }
        }
        let [lefts, rights] = &options;
        let value = calculator.simplified(lefts, rights)?;
        self.known.insert(key, value);
        Ok(value)
    }
}
