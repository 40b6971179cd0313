//! Groups whose completer takes a piece: `completer = "takes"` in a `[[group]]`.
//!
//! A move that fills such a group takes a piece of the other side in the same ply: one outside of all full groups of
//! this kind or, if each is in one, any. The move then names what it takes ([`Take`]): the groups that it can fill,
//! and the groups that protect.

use super::error::Read;
use super::reader::RulesReader;
use super::source::Item;
use crate::rules::{Board, Move, Take};

impl RulesReader<'_> {
    /// The number of what `m` takes if it completes a group; `None` if it can complete none. `table` is named in
    /// errors.
    pub(super) fn taken(&mut self, m: &Move, table: Item<'_>) -> Read<Option<u16>> {
        let (mover, squares) = (self.colour(m.mode), self.squares);
        if self.groups.taking(mover).is_empty() {
            return Ok(None);
        }
        let (arrives, most) = (m.fills & m.empty & squares.of_colour(mover), self.most_on_board(m.next, mover));
        let closes = |line: &Board| !line.is_disjoint(arrives) && line.count() <= most;
        let lines: Vec<Board> = self.groups.taking(mover).iter().copied().filter(closes).collect();
        if lines.is_empty() {
            return Ok(None);
        }
        let others = squares.of_colour(1 - mover);
        let expected = "moves that need, take or put no piece of the other side, since a [[group]] takes,";
        table.ensure(
            (m.fills | m.full | m.clears).is_disjoint(others) && m.lines.is_none(),
            expected,
            "one that does",
        )?;
        let take = Take { lines, cells: others, guards: self.groups.taking(1 - mover).to_vec() };
        let next = self.takes.len() as u16;
        let number = *self.take_numbers.entry(take.clone()).or_insert(next);
        if number == next {
            self.takes.push(take);
        }
        Ok(Some(number))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::rules::{Node, Position};
    use crate::{Game, Parameters, bundled, position_of};

    fn game() -> Box<dyn Game> {
        bundled("nine-mens-morris", &Parameters::new()).unwrap().unwrap()
    }

    fn at(game: &dyn Game, text: &str) -> Position {
        position_of(game.read(text).unwrap_or_else(|e| panic!("{e}")).node)
    }

    /// The moves by name that `keep` keeps, each with the position after it.
    fn named(game: &dyn Game, text: &str, keep: impl Fn(&str) -> bool) -> Vec<String> {
        let from = at(game, text);
        let mut names: Vec<String> =
            game.rules().successors(from).map(|to| game.write_move(Node::At(from), to)).collect();
        names.retain(|name| keep(name));
        names
    }

    #[test]
    fn a_completed_group_takes_a_piece_in_the_same_ply() {
        let game = game();
        let game = game.as_ref();
        // X puts a man on g7. The men of O on a1, d1 and g1 are a mill, so the man on a4 is taken.
        let text = "XX./.../.../O...../.../.../OOO x-5-5";
        assert_eq!(named(game, text, |name| name.starts_with("g7")), ["g7xa4"]);
        assert_eq!(named(game, text, |name| name.contains('x')), ["g7xa4"]);
        // All men of O are in the mill.
        let text = "XX./.../.../....../.../.../OOO x-6-6";
        assert_eq!(named(game, text, |name| name.contains('x')), ["g7xg1", "g7xd1", "g7xa1"]);
        // A step takes any man if none of them is in a mill, and two mills at once take one man.
        let text = "X../..O/.../.X...O/O../.../X.O x";
        assert_eq!(named(game, text, |name| name.contains('x')), ["b4>a4xg1", "b4>a4xc3", "b4>a4xg4", "b4>a4xf6"]);
        let text = ".XX/.../.../X...../.../OO./X.. x-5-5";
        assert_eq!(named(game, text, |name| name.contains('x')), ["a7xd2", "a7xb2"]);
    }

    #[test]
    fn moves_that_differ_only_in_what_they_take_can_all_be_chosen() {
        let game = game();
        let game = game.as_ref();
        let from = at(game, "XX./.../.../....../.../.../OOO x-6-6");
        let moves: Vec<_> = game.rules().moves_from(from).collect();
        let handles: HashSet<_> = moves.iter().flat_map(|m| game.pointed_at(m)).collect();
        let names: HashSet<String> = moves.iter().map(|m| game.write_move(from.into(), m.play(from))).collect();
        assert_eq!((handles.len(), names.len()), (moves.len(), moves.len()));
        assert_eq!(game.other_names("a1>a4xd7"), ["a1-a4xd7"]);
    }
}
