//! The turns of both players on a board, with their texts.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use crate::build::values::sides;
use tablegen_games::Game;
use tablegen_rules::{NoSides, Node, Position, Rules, Sides};

/// The turns of a game whose positions have values.
#[derive(Clone, Copy)]
pub(super) struct Turns<'a> {
    game: &'a dyn Game,
    /// `None` if both players have the same moves, in modes that are part of the position.
    sides: Option<Sides>,
}

/// The reason why positions of `game` have no values; `None` if they have.
pub(super) fn no_sides(game: &dyn Game) -> Option<NoSides> {
    Turns::of(game).err()
}

/// A turn: its text, and the position after it.
pub(super) type Turn = (String, Position);

impl<'a> Turns<'a> {
    /// The turns of `game`.
    ///
    /// # Errors
    /// The reason why its positions have no values.
    pub(super) fn of(game: &'a dyn Game) -> Result<Self, NoSides> {
        let rules = game.rules();
        match sides(game) {
            Ok(sides) => Ok(Self { game, sides: Some(sides) }),
            // Both players have the same moves at each point of a line of play, for instance.
            Err(NoSides::Modes) if !game.is_partisan() && rules.spec().players.is_empty() => match rules.potential() {
                Some(_) => Ok(Self { game, sides: None }),
                None => Err(NoSides::Repeats),
            },
            Err(reason) => Err(reason),
        }
    }

    /// True if both players have the same moves.
    pub(super) fn is_impartial(&self) -> bool {
        self.sides.is_none_or(|sides| sides == Sides::Impartial)
    }

    /// The position that stands for the board of `position` with either player to move; `None` within a turn.
    pub(super) fn key(&self, position: Position) -> Option<Position> {
        match self.sides {
            None => Some(position),
            Some(sides) => sides.begin_in(position.mode).then(|| Position::new(sides.left(), position.board)),
        }
    }

    /// The number of Left's mode.
    pub(super) fn left(&self) -> usize {
        self.sides.map_or(0, |sides| sides.left().0.into())
    }

    /// The name of Left's mode, if the players have moves of their own.
    pub(super) fn left_name(&self) -> Option<&'a str> {
        let sides = self.sides.filter(|_| !self.is_impartial())?;
        self.game.rules().mode_name(sides.left())
    }

    /// The names of the modes in which turns begin.
    pub(super) fn modes(&self) -> Vec<&'a str> {
        let modes = self.sides.map_or_else(Vec::new, |sides| sides.both().to_vec());
        modes.into_iter().filter_map(|mode| self.game.rules().mode_name(mode)).collect()
    }

    /// The names of Left and of Right in a game in which they have moves of their own.
    pub(super) fn side_names(&self, rules: &Rules) -> [String; 2] {
        let modes = self.sides.map_or_else(|| Sides::Impartial.both(), Sides::both);
        modes.map(|mode| rules.mode_name(mode).unwrap_or_default().to_owned())
    }

    /// The finished turns of Left and of Right at the position `key`, in the game's own order, one for each board after them. In an
    /// impartial game they are the same.
    pub(super) fn both(&self, key: Position) -> [Vec<Turn>; 2] {
        self.of_both(key, |from| {
            let (mut turns, mut seen) = (Vec::new(), HashSet::new());
            let _ = self.game.rules().turns_from(from, &mut |path, is_finished| {
                if let Some(key) = self.end(path, is_finished)
                    && seen.insert(key)
                {
                    let befores = [from].into_iter().chain(path.iter().copied());
                    let moves = befores.zip(path).map(|(before, &to)| self.game.write_move(Node::At(before), to));
                    turns.push((moves.collect::<Vec<_>>().join(" "), key));
                }
                ControlFlow::Continue(())
            });
            turns
        })
    }

    /// The positions after the finished turns of Left and of Right at the position `key`, and the number of positions within these turns.
    /// `None` if there are more than `most` positions within the turns of one player.
    pub(super) fn positions(&self, key: Position, most: usize) -> Option<([Vec<Position>; 2], usize)> {
        let [left, right] = self.of_both(key, |from| {
            let (mut positions, mut within) = (Vec::new(), 0);
            let flow = self.game.rules().turns_from(from, &mut |path, is_finished| {
                match self.end(path, is_finished) {
                    Some(key) => positions.push(key),
                    None => within += 1,
                }
                if within <= most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            flow.is_continue().then_some((positions, within))
        });
        let ((left, before), (right, after)) = (left?, right?);
        Some(([left, right], before + after))
    }

    /// The first positions after `from` at which turns begin, at most `most` of them.
    pub(super) fn first(&self, from: Position, most: usize) -> Vec<Position> {
        let (mut waiting, mut seen, mut found) = (VecDeque::from([from]), HashSet::from([from]), Vec::new());
        while let Some(position) = waiting.pop_front().filter(|_| found.len() < most) {
            for next in self.game.rules().successors(position).filter(|next| seen.insert(*next)) {
                match self.key(next) {
                    Some(_) if found.len() < most => found.push(next),
                    Some(_) => {}
                    None => waiting.push_back(next),
                }
            }
        }
        found
    }

    fn of_both<T: Clone>(&self, key: Position, of: impl Fn(Position) -> T) -> [T; 2] {
        match self.sides {
            None | Some(Sides::Impartial) => {
                let turns = of(key);
                [turns.clone(), turns]
            }
            Some(Sides::Partizan(modes)) => modes.map(|mode| of(Position::new(mode, key.board))),
        }
    }

    /// The position that stands for the board at the end of a turn, if it is finished.
    fn end(&self, path: &[Position], is_finished: bool) -> Option<Position> {
        path.last().filter(|_| is_finished).and_then(|&last| self.key(last))
    }
}
