//! The moves of Left and of Right on one board, whoever is to move.
//!
//! Values of combinatorial games belong to boards and not to positions, because in a sum a player may move twice in a row in
//! one of the games. So each board needs the moves of both players.

use std::fmt;
use std::ops::ControlFlow;

use super::{Board, Mode, Outcome, Player, Position, Rules, RulesSpec, Start, Terminal};

/// The mode in which each player begins a turn.
///
/// A turn may have several moves ([`Rules::turns_from`]), as in Amazons, where an amazon moves and then shoots.
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
                "they need a game without repetition, and here boards can repeat if the players need not take turns"
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
            (Some(_), ..) => Self::Partizan(Modes::of(rules).begin().ok_or(NoSides::Modes)?),
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

    /// True if turns begin in `mode`. Every board that play reaches in such a mode has a value, also where the player to move is in the
    /// middle of a turn: the position does not tell.
    #[must_use]
    pub fn begin_in(self, mode: Mode) -> bool {
        self.both().contains(&mode)
    }

    /// True if a move can leave a player of `rules` in the mode in which that player begins turns, so that the mode does not tell where a
    /// turn ends. `None` if the modes of the rules are no sides.
    #[must_use]
    pub fn move_again(rules: &Rules) -> Option<bool> {
        if rules.spec().players.is_empty() {
            return Some(rules.moves().iter().any(|m| m.again));
        }
        let modes = Modes::of(rules);
        let begin = modes.begin()?;
        let stays = |&(from, next): &(Mode, Mode)| {
            begin.contains(&next) && !modes.hands_over(from, next) && begin.iter().any(|&mode| modes.leads(mode, from))
        };
        Some(modes.steps.iter().any(stays))
    }

    /// Calls `each` with the player and the board after each finished turn that either player can make on `board`: `false` for Left,
    /// `true` for Right. In an impartial game only Left is named.
    pub fn turns(self, rules: &Rules, board: Board, mut each: impl FnMut(bool, Board)) {
        let mut of = |is_right, mode| {
            let _ = rules.turns_from(Position::new(mode, board), &mut |path, is_finished| {
                if let (true, [.., last]) = (is_finished, path) {
                    each(is_right, last.board);
                }
                ControlFlow::Continue(())
            });
        };
        let [left, right] = self.both();
        of(false, left);
        if self != Self::Impartial {
            of(true, right);
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

/// The modes of rules that name the player of each, and which of them moves join.
struct Modes<'a> {
    rules: &'a Rules,
    /// The pairs of modes that a move joins, each once.
    steps: Vec<(Mode, Mode)>,
    /// For each mode, the modes to which one or more moves lead, 64 in a word.
    reached: Vec<Vec<u64>>,
}

impl<'a> Modes<'a> {
    fn of(rules: &'a Rules) -> Self {
        let modes = rules.modes().len();
        let mut steps: Vec<(Mode, Mode)> = rules.moves().iter().map(|m| (m.mode, m.next)).collect();
        steps.sort_unstable();
        steps.dedup();
        let mut reached = vec![vec![0u64; modes.div_ceil(64)]; modes];
        for (from, next) in &steps {
            reached[usize::from(from.0)][usize::from(next.0) / 64] |= 1 << (next.0 % 64);
        }
        for via in 0..modes {
            let onward = reached[via].clone();
            for row in reached.iter_mut().filter(|row| row[via / 64] >> (via % 64) & 1 == 1) {
                row.iter_mut().zip(&onward).for_each(|(reached, onward)| *reached |= onward);
            }
        }
        Self { rules, steps, reached }
    }

    /// True if `from` is `to`, or moves lead from one to the other.
    fn leads(&self, from: Mode, to: Mode) -> bool {
        from == to || self.returns(from, to)
    }

    fn hands_over(&self, from: Mode, next: Mode) -> bool {
        self.rules.player(from) != self.rules.player(next)
    }

    /// True if one or more moves lead from `from` to `to`.
    fn returns(&self, from: Mode, to: Mode) -> bool {
        self.reached[usize::from(from.0)][usize::from(to.0) / 64] >> (to.0 % 64) & 1 == 1
    }

    /// The mode in which each player begins turns: the only mode of the player, or the only one to which the other player hands over and
    /// from which play comes back to it. `None` if there is no such mode, or if a turn also begins in another mode after them.
    fn begin(&self) -> Option<[Mode; 2]> {
        let hands_over = |&&(from, next): &&(Mode, Mode)| self.hands_over(from, next);
        let is_begin = |&mode: &Mode| {
            self.returns(mode, mode) && self.steps.iter().filter(hands_over).any(|&(_, next)| next == mode)
        };
        let of = |player| {
            let all = (0..self.rules.modes().len() as u16).map(Mode);
            let mut all = all.filter(|mode| self.rules.player(*mode) == Some(player));
            if self.rules.modes().len() == 2 {
                return all.next();
            }
            let mut all = all.filter(is_begin);
            all.next().filter(|_| all.next().is_none())
        };
        let begin = [of(Player::First)?, of(Player::Second)?];
        let follows = |&&(from, _): &&(Mode, Mode)| begin.iter().any(|&mode| self.leads(mode, from));
        let mut handed = self.steps.iter().filter(hands_over).filter(follows);
        handed.all(|(_, next)| begin.contains(next)).then_some(begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{End, Move};

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
    fn a_turn_ends_when_the_other_player_is_to_move() {
        use Player::{First, Second};
        // Left fills a cell and moves again in the same mode, or in another from which a move leads back; Right fills one cell.
        let again = |modes: &[(u16, u16)]| spec(modes, &[First, Second, First, Second]).build().unwrap();
        for (modes, moves_again, expected) in [
            (&[(0, 0), (0, 1), (1, 0)][..], true, vec![(false, 0b11), (false, 0b10), (true, 0b100)]),
            (&[(0, 2), (2, 0), (0, 1), (1, 0)], true, vec![(false, 0b111), (false, 0b100), (true, 0b1000)]),
            (&[(0, 2), (2, 1), (0, 1), (1, 0)], false, vec![(false, 0b11), (false, 0b100), (true, 0b1000)]),
            // Only an opening leads to the mode of the same player.
            (&[(2, 0), (0, 1), (1, 0)], false, vec![(false, 0b10), (true, 0b100)]),
        ] {
            let rules = again(modes);
            let sides = Sides::of(&rules, true).unwrap();
            let mut turns = Vec::new();
            sides.turns(&rules, Board::EMPTY, |right, board| turns.push((right, board.low_word())));
            assert_eq!((sides.both(), turns), ([Mode(0), Mode(1)], expected), "{modes:?}");
            assert_eq!(Sides::move_again(&rules), Some(moves_again), "{modes:?}");
        }
        // After a turn of Left, a turn of Right may begin in a mode from which play does not come back.
        let late = again(&[(0, 1), (1, 0), (0, 3), (3, 2)]);
        assert_eq!((Sides::of(&late, true), Sides::move_again(&late)), (Err(NoSides::Modes), None));
        // With one mode for each player there is no other mode, whoever hands over.
        let modes = ["left", "right"].map(String::from).to_vec();
        let moves = [0, 1].map(|bit| Move::fill(Board::bit(bit))).to_vec();
        let alone = RulesSpec { moves, modes, players: vec![First, Second], ..RulesSpec::new("alone", 2) };
        let alone = alone.build().unwrap();
        assert_eq!(Sides::of(&alone, true), Ok(Sides::Partizan([Mode(0), Mode(1)])));
        Sides::Partizan([Mode(0), Mode(1)]).turns(&alone, Board::EMPTY, |_, _| panic!("no turn ends"));
        assert_eq!(Sides::move_again(&alone), Some(true));
    }

    #[test]
    fn other_conventions_have_no_values() {
        let plain = || RulesSpec::new("plain", 3);
        let moves = vec![Move::fill(Board::bit(0))];
        let impartial = RulesSpec { moves: moves.clone(), ..plain() };
        assert_eq!(Sides::of(&impartial.clone().build().unwrap(), false), Ok(Sides::Impartial));
        let misere = RulesSpec { terminal: Outcome::Win, ..impartial.clone() };
        assert_eq!(Sides::of(&misere.build().unwrap(), false), Err(NoSides::Convention));
        let end = End { mode: Mode(0), pattern: Board::bit(1), outcome: Outcome::Loss.into(), empty: Board::EMPTY };
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
