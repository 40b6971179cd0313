//! The moves of Left and of Right on one board, whoever is to move.
//!
//! Values of combinatorial games belong to boards and not to positions, because in a sum a player may move twice in a row in
//! one of the games. So each board needs the moves of both players.

use std::fmt;

use super::{Board, Mode, Outcome, Player, Position, Rules, RulesSpec, Start, Terminal};

/// The mode in which each player begins a turn.
///
/// A turn may have several moves, as in Amazons, where an amazon moves and then shoots: the modes between them belong to the same player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// Both players have the same moves, in one mode.
    Impartial,
    /// The modes of Left, who is the first player of the rules, and of Right.
    Partizan([Mode; 2]),
}

/// The reason why the boards of a game have no values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoSides {
    /// A player without a move does not lose.
    Convention,
    /// Terminal patterns end the game while moves are left.
    Ends,
    /// Positions repeat, if one player may move several times in a row.
    Repeats,
    /// Some moves are legal only if no other move is.
    Otherwise,
    /// Moves turn over lines.
    Lines,
    /// The modes are not the sides: a player begins turns in several modes or in none.
    Modes,
    /// The rules describe a reduced game, which has the same outcomes but other moves.
    Reduced,
}

impl fmt::Display for NoSides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Convention => "they need normal play, in which a player who cannot move loses",
            Self::Ends => {
                "they need a game that ends only when a player cannot move, and here terminal patterns end it"
            }
            Self::Repeats => {
                "they need a game without repetition, and here boards can repeat if one player moves alone"
            }
            Self::Otherwise => {
                "they need moves that do not depend on each other, and here some are legal only if no other is"
            }
            Self::Lines => "they need moves that are listed one by one, and here moves turn over lines",
            Self::Modes => "they need one mode for each player, and here the modes are more than the player to move",
            Self::Reduced => {
                "its table leaves out moves that cancel each other, which preserves the winner but not the value"
            }
        })
    }
}

impl Sides {
    /// The sides of `rules`, in which the two players have moves of their own if `is_partizan` is set.
    ///
    /// # Errors
    /// If the boards have no values.
    pub fn of(rules: &Rules, is_partizan: bool) -> Result<Self, NoSides> {
        let modes = rules.modes().len() as u16;
        if !rules.ends().is_empty() {
            return Err(NoSides::Ends);
        }
        if rules.terminals().any(|terminal| terminal != Terminal::Always(Outcome::Loss)) {
            return Err(NoSides::Convention);
        }
        if rules.has_lines() {
            return Err(NoSides::Lines);
        }
        if rules.has_otherwise() {
            return Err(NoSides::Otherwise);
        }
        let sides = match (rules.player(Mode(0)), modes, is_partizan) {
            (None, 1, false) => Self::Impartial,
            (None, 2, true) if rules.moves().iter().all(|m| m.mode != m.next) => Self::Partizan([Mode(0), Mode(1)]),
            (Some(_), ..) => Self::Partizan(owned(rules).ok_or(NoSides::Modes)?),
            _ => return Err(NoSides::Modes),
        };
        if sides.either(rules).potential().is_none() {
            return Err(NoSides::Repeats);
        }
        Ok(sides)
    }

    /// The mode in which Left begins a turn; in an impartial game, either player.
    #[must_use]
    pub const fn left(self) -> Mode {
        self.both()[0]
    }

    /// The modes in which Left and Right begin a turn.
    #[must_use]
    pub const fn both(self) -> [Mode; 2] {
        match self {
            Self::Impartial => [Mode(0); 2],
            Self::Partizan(modes) => modes,
        }
    }

    /// True if a turn begins in `mode`, so that the board has a value.
    #[must_use]
    pub fn begin_in(self, mode: Mode) -> bool {
        self.both().contains(&mode)
    }

    /// Calls `each` with the player and the board after each turn that either player can make on `board`: `false` for Left, `true` for
    /// Right. In an impartial game only Left is named.
    pub fn turns(self, rules: &Rules, board: Board, mut each: impl FnMut(bool, Board)) {
        let [left, right] = self.both();
        self.turn(rules, Position::new(left, board), &mut |board| each(false, board));
        if self != Self::Impartial {
            self.turn(rules, Position::new(right, board), &mut |board| each(true, board));
        }
    }

    fn turn(self, rules: &Rules, from: Position, each: &mut impl FnMut(Board)) {
        for m in rules.moves_of(from.mode).iter().filter(|m| m.is_legal(from)) {
            let to = m.play(from);
            if self.begin_in(to.mode) { each(to.board) } else { self.turn(rules, to, each) }
        }
    }

    /// The rules in which either player may move at any time: turns begin in Left's mode. Positions that play reaches there in that mode
    /// are the boards that a sum of games can reach.
    #[must_use]
    pub fn either(self, rules: &Rules) -> Rules {
        let [left, right] = self.both();
        let merged = |mode: Mode| if mode == right { left } else { mode };
        let at = |position: Position| Position::new(merged(position.mode), position.board);
        let spec = rules.clone().into_spec();
        let moves = spec.moves.iter().map(|m| super::Move { mode: merged(m.mode), next: merged(m.next), ..*m });
        let start = match &spec.start {
            Start::At(position) => Start::At(at(*position)),
            Start::Opening(choices) => Start::Opening(choices.iter().copied().map(at).collect()),
        };
        let moves = moves.collect();
        let either = RulesSpec { moves, start, players: Vec::new(), terminals: Vec::new(), ..spec };
        either.build().unwrap_or_else(|_| unreachable!("fewer modes of sound rules are sound"))
    }
}

/// The mode of each player that play comes back to, and that the other player hands over to.
fn owned(rules: &Rules) -> Option<[Mode; 2]> {
    let modes = rules.modes().len();
    let mut reaches = vec![vec![false; modes]; modes];
    rules.moves().iter().for_each(|m| reaches[usize::from(m.mode.0)][usize::from(m.next.0)] = true);
    for via in 0..modes {
        let onward = reaches[via].clone();
        for row in reaches.iter_mut().filter(|row| row[via]) {
            row.iter_mut().zip(&onward).for_each(|(reached, onward)| *reached |= onward);
        }
    }
    let begins = |mode: &Mode| {
        let handed = rules.moves().iter().any(|m| m.next == *mode && rules.turns_over(m.mode, m.next));
        handed && reaches[usize::from(mode.0)][usize::from(mode.0)]
    };
    let of = |player| {
        let mut all = (0..modes as u16).map(Mode).filter(|mode| rules.player(*mode) == Some(player)).filter(begins);
        all.next().filter(|_| all.next().is_none())
    };
    Some([of(Player::First)?, of(Player::Second)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{End, Move};

    fn spec(modes: &[(u16, u16)], players: &[Player]) -> RulesSpec {
        let of = |(bit, &(mode, next)): (u32, &(u16, u16))| Move {
            mode: Mode(mode),
            next: Mode(next),
            ..Move::fill(Board::bit(bit))
        };
        RulesSpec {
            moves: (0..).zip(modes).map(of).collect(),
            modes: (0..4).map(|mode| format!("m{mode}")).collect(),
            players: players.to_vec(),
            ..RulesSpec::new("sides", 8)
        }
    }

    #[test]
    fn turns_begin_where_play_comes_back_to() {
        use Player::{First, Second};
        // Left moves and shoots, Right only moves; another mode of Left opens the game.
        let amazons = spec(&[(3, 1), (0, 2), (2, 1), (1, 0)], &[First, Second, First, First]).build().unwrap();
        let sides = Sides::of(&amazons, true).unwrap();
        assert_eq!(sides, Sides::Partizan([Mode(0), Mode(1)]));
        let mut turns = Vec::new();
        sides.turns(&amazons, Board::EMPTY, |right, board| turns.push((right, board.low_word())));
        assert_eq!(turns, [(false, 0b110), (true, 0b1000)]);
        // Without players, the two modes must alternate.
        let in_turn = |next| {
            let moves = vec![Move { next: Mode(next), ..Move::fill(Board::bit(0)) }];
            let modes = ["left", "right"].map(String::from).to_vec();
            let rules = RulesSpec { moves, modes, ..RulesSpec::new("turns", 2) }.build().unwrap();
            Sides::of(&rules, true)
        };
        assert_eq!([in_turn(1), in_turn(0)], [Ok(Sides::Partizan([Mode(0), Mode(1)])), Err(NoSides::Modes)]);
        let twice = spec(&[(0, 1), (1, 2), (2, 3), (3, 0)], &[First, Second, First, Second]).build().unwrap();
        assert_eq!(Sides::of(&twice, true), Err(NoSides::Modes));
    }

    #[test]
    fn other_conventions_have_no_values() {
        let plain = || RulesSpec::new("plain", 3);
        let moves = vec![Move::fill(Board::bit(0))];
        let impartial = RulesSpec { moves: moves.clone(), ..plain() };
        assert_eq!(Sides::of(&impartial.clone().build().unwrap(), false), Ok(Sides::Impartial));
        let misere = RulesSpec { terminal: Outcome::Win, ..impartial.clone() };
        assert_eq!(Sides::of(&misere.build().unwrap(), false), Err(NoSides::Convention));
        let end = End { mode: Mode(0), pattern: Board::bit(1), outcome: Outcome::Loss, empty: Board::EMPTY };
        let ends = RulesSpec { ends: vec![end], ..impartial };
        assert_eq!(Sides::of(&ends.build().unwrap(), false), Err(NoSides::Ends));
        // A piece steps to and fro: Left forward, Right back.
        let step = |mode: u16, from, to| Move {
            mode: Mode(mode),
            next: Mode(1 - mode),
            full: Board::bit(from),
            clears: Board::bit(from),
            ..Move::fill(Board::bit(to))
        };
        let modes = vec!["left".into(), "right".into()];
        let walk = RulesSpec { moves: vec![step(0, 0, 1), step(1, 1, 0)], modes, ..plain() };
        assert_eq!(Sides::of(&walk.build().unwrap(), true), Err(NoSides::Repeats));
    }
}
