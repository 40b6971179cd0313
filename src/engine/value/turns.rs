//! The turns of both players on a board, with their texts.

use crate::engine::valued::sides;
use tablegen_core::rules::{NoSides, Node, Position, Rules, Sides};
use tablegen_games::Game;

/// The turns of a game whose positions have values.
#[derive(Clone, Copy)]
pub(super) struct Turns<'a> {
    game: &'a dyn Game,
    /// `None` if both players have the same moves, in modes that are part of the position.
    sides: Option<Sides>,
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

    /// The name of Left's mode, if the players have moves of their own.
    pub(super) fn left_name(&self) -> Option<&'a str> {
        let sides = self.sides.filter(|_| !self.is_impartial())?;
        self.game.rules().mode_name(sides.left())
    }

    /// The names of Left and of Right in a game in which they have moves of their own.
    pub(super) fn side_names(&self, rules: &Rules) -> [String; 2] {
        let modes = self.sides.map_or_else(|| Sides::Impartial.both(), Sides::both);
        modes.map(|mode| rules.mode_name(mode).unwrap_or_default().to_owned())
    }

    /// The turns of Left and of Right at the position `key`, in the game's own order. In an impartial game they are the same.
    pub(super) fn both(&self, key: Position) -> [Vec<Turn>; 2] {
        self.of_both(key, |from| {
            let mut turns = Vec::new();
            let text = |before: &String, from, to| {
                let text = self.game.write_move(Node::At(from), to);
                if before.is_empty() { text } else { format!("{before} {text}") }
            };
            self.turn(from, &String::new(), &text, &mut |text, key| turns.push((text, key)));
            turns
        })
    }

    /// The positions after the turns of Left and of Right at the position `key`.
    pub(super) fn positions(&self, key: Position) -> [Vec<Position>; 2] {
        self.of_both(key, |from| {
            let mut positions = Vec::new();
            self.turn(from, &(), &|(), _, _| (), &mut |(), key| positions.push(key));
            positions
        })
    }

    fn of_both<T: Clone>(&self, key: Position, of: impl Fn(Position) -> Vec<T>) -> [Vec<T>; 2] {
        match self.sides {
            None | Some(Sides::Impartial) => {
                let turns = of(key);
                [turns.clone(), turns]
            }
            Some(Sides::Partizan(modes)) => modes.map(|mode| of(Position::new(mode, key.board))),
        }
    }

    /// Follows a turn to its end. `add` extends what is known of the moves so far, and `each` gets it with the position after the turn.
    fn turn<T>(
        &self,
        from: Position,
        before: &T,
        add: &impl Fn(&T, Position, Position) -> T,
        each: &mut impl FnMut(T, Position),
    ) {
        for m in self.game.rules().moves_from(from) {
            let to = m.play(from);
            let so_far = add(before, from, to);
            match self.key(to) {
                Some(key) => each(so_far, key),
                None => self.turn(to, &so_far, add, each),
            }
        }
    }
}
