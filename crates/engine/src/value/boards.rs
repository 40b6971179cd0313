//! Recursion over the positions of a game: it gives each position a result, such as a value or a form in misère play.

use std::collections::HashMap;

use super::ValueError;
use super::turns::Turns;
use tablegen_cgt::{Calculator, Value};
use tablegen_games::{Game, NotationError, read_position};
use tablegen_rules::{Node, Position};
use tablegen_search::SumKeys;

/// Most positions after one within a turn or an opening that are looked for, and that an error names.
const MOST_FIRST: usize = 64;
const SHOWN_FIRST: usize = 4;

/// The moves of Left and of Right: their texts, and the results of the positions after them.
pub(super) type Moves<T> = [Vec<(String, T)>; 2];

/// The positions of a game, with the results so far.
pub(super) struct Boards<'a, T> {
    game: &'a dyn Game,
    turns: Turns<'a>,
    /// The number of positions that may be followed, on boards and within turns. Boards that are equal sums are followed once.
    limit: usize,
    followed: usize,
    /// Where boards often come apart, the sums that they are.
    sums: Option<SumKeys>,
    known: HashMap<Position, T>,
    known_sums: HashMap<Vec<u128>, T>,
}

/// The results of positions.
pub(super) trait Results<T> {
    /// The result of a position from the results of the positions after the moves of Left and of Right.
    fn of_options(&mut self, lefts: &[T], rights: &[T]) -> Result<T, ValueError>;

    /// The result of a sum from the results of its parts; `None` if these do not tell it.
    fn of_sum(&mut self, parts: &[T]) -> Option<Result<T, ValueError>> {
        let _ = parts;
        None
    }
}

/// Values in normal play.
impl Results<Value> for Calculator {
    fn of_options(&mut self, lefts: &[Value], rights: &[Value]) -> Result<Value, ValueError> {
        Ok(self.simplified(lefts, rights)?)
    }

    fn of_sum(&mut self, parts: &[Value]) -> Option<Result<Value, ValueError>> {
        let all = parts.iter().try_fold(Value::ZERO, |all, &part| self.sum(all, part));
        Some(all.map_err(ValueError::from))
    }
}

/// How results are found.
type Combine<'c, T> = &'c mut dyn Results<T>;

impl<'a, T: Clone> Boards<'a, T> {
    /// # Errors
    /// If positions of the game have no values.
    pub(super) fn of(game: &'a dyn Game, limit: usize) -> Result<Self, ValueError> {
        let name = || game.rules().name().to_owned();
        let no_values = |reason| ValueError::NoValues { name: name(), reason, instead: None };
        let turns = Turns::of(game).map_err(no_values)?;
        let sums = SumKeys::of(game.rules());
        Ok(Self { game, turns, limit, followed: 0, sums, known: HashMap::new(), known_sums: HashMap::new() })
    }

    /// True if both players have the same moves.
    pub(super) fn are_impartial(&self) -> bool {
        self.turns.is_impartial()
    }

    /// The result of the position `text`; an empty text is the start.
    pub(super) fn root(&mut self, text: &str, combine: Combine<'_, T>) -> Result<T, ValueError> {
        match self.read(text)? {
            Node::At(position) => self.found(self.key(position)?, combine),
            Node::Opening => {
                let [starts, _] = self.moves(text, combine)?;
                let starts: Vec<T> = starts.into_iter().map(|(_, start)| start).collect();
                combine.of_options(&starts, &starts)
            }
        }
    }

    /// The moves from the position `text`.
    pub(super) fn moves(&mut self, text: &str, combine: Combine<'_, T>) -> Result<Moves<T>, ValueError> {
        let turns = match self.read(text)? {
            Node::At(position) => self.turns.both(self.key(position)?),
            Node::Opening => {
                let starts = self.game.rules().start_positions().into_iter();
                let starts =
                    starts.map(|start| (self.game.write_move(Node::Opening, start), start)).collect::<Vec<_>>();
                [starts.clone(), starts]
            }
        };
        let mut moves = [Vec::new(), Vec::new()];
        for (turns, moves) in turns.into_iter().zip(&mut moves) {
            for (text, next) in turns {
                moves.push((text, self.found(self.key(next)?, combine)?));
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
        let read = read_position(self.game, &format!("{text} {turn}"));
        read.map(|reading| reading.node).map_err(|error| NotationError::new(text, error.expected, error.found))
    }

    fn key(&self, position: Position) -> Result<Position, ValueError> {
        self.turns.key(position).ok_or_else(|| self.within_turn(position))
    }

    /// The error that no turn begins at `position`.
    fn within_turn(&self, position: Position) -> ValueError {
        let mut after: Vec<String> = Vec::new();
        for first in self.turns.first(position, MOST_FIRST) {
            // Without the mode, which follows a blank: a term ends there.
            let text = self.game.write(first.into());
            after.extend(text.split_whitespace().next().map(str::to_owned));
        }
        after.dedup();
        let more = if after.len() > SHOWN_FIRST { ", …" } else { "" };
        after.truncate(SHOWN_FIRST);
        ValueError::WithinTurn {
            position: self.game.write(position.into()),
            expected: self.turns.modes().join(" or "),
            after: after.join(", ") + more,
        }
    }

    /// The result of a position at which a turn begins. The recursion is at most as deep as the longest play.
    fn found(&mut self, key: Position, combine: Combine<'_, T>) -> Result<T, ValueError> {
        if let Some(sums) = &mut self.sums {
            let parts = sums.of_board(key.board);
            return self.of_sum(parts, combine);
        }
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let left = self.limit.checked_sub(self.followed + 1);
        let (turns, within) = left.and_then(|left| self.turns.positions(key, left)).ok_or_else(|| self.too_many())?;
        self.followed += 1 + within;
        let mut options = [Vec::new(), Vec::new()];
        for (turns, options) in turns.into_iter().zip(&mut options) {
            for next in turns {
                options.push(self.found(next, combine)?);
            }
        }
        let [lefts, rights] = &options;
        let found = combine.of_options(lefts, rights)?;
        self.known.insert(key, found.clone());
        Ok(found)
    }

    fn too_many(&self) -> ValueError {
        ValueError::Limit { name: self.game.rules().name().to_owned(), limit: self.limit }
    }

    /// The result of the sum of the parts with these numbers.
    fn of_sum(&mut self, sum: Vec<u128>, combine: Combine<'_, T>) -> Result<T, ValueError> {
        if let Some(known) = self.known_sums.get(&sum) {
            return Ok(known.clone());
        }
        if sum.len() > 1 && combine.of_sum(&[]).is_some() {
            let parts = sum.iter().map(|&part| self.of_sum(vec![part], combine)).collect::<Result<Vec<T>, _>>()?;
            if let Some(found) = combine.of_sum(&parts) {
                return found;
            }
        }
        if self.followed >= self.limit {
            return Err(self.too_many());
        }
        self.followed += 1;
        let mut options = [Vec::new(), Vec::new()];
        for (at, &part) in sum.iter().enumerate().filter(|&(at, part)| at == 0 || sum[at - 1] != *part) {
            let moves = self.sums.as_mut().map(|sums| sums.moves(part)).unwrap_or_default();
            for (mode, moves) in moves.iter().enumerate() {
                let options = &mut options[usize::from(mode != self.turns.left())];
                for left in moves {
                    let mut next = [&sum[..at], &sum[at + 1..], left].concat();
                    next.sort_unstable();
                    options.push(self.of_sum(next, combine)?);
                }
            }
        }
        let [lefts, rights] = &options;
        let rights = if self.are_impartial() { lefts } else { rights };
        let found = combine.of_options(lefts, rights)?;
        self.known_sums.insert(sum, found.clone());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use tablegen_games::Parameters;

    /// The value of the start, by equal sums or by all boards, and the number of positions followed.
    fn value(name: &str, size: &str, by_sums: bool) -> (String, usize) {
        let game = game(name, &Parameters::listed(size).unwrap()).unwrap();
        let mut calculator = Calculator::default();
        let mut boards = Boards::of(game.as_ref(), 1 << 20).unwrap();
        assert!(boards.sums.is_some(), "{name}");
        boards.sums = boards.sums.filter(|_| by_sums);
        let found = boards.root("", &mut calculator).unwrap();
        (calculator.name(found).unwrap(), boards.followed)
    }

    #[test]
    fn equal_sums_are_followed_once() {
        for (name, size) in [("kayles", "pins=12"), ("kayles", "pins=13"), ("col", "rows=1,cols=12")] {
            let ((by_sums, few), (of_all, many)) = (value(name, size, true), value(name, size, false));
            assert_eq!(by_sums, of_all, "{name} {size}");
            assert!(few * 4 < many, "{name} {size}: {few} of {many}");
        }
        // A row of 60 pins has 2^60 boards, and one part for each length.
        let (found, few) = value("kayles", "pins=60", true);
        assert!(found == "*4" && few <= 61, "{found}, {few} positions");
    }
}
