//! The rules as a search reads them: masks of moves and ends, by mode.

use crate::rules::{Board, Move, Outcome, Player, Position, Rules, RulesSpec};

/// Moves and ends, grouped by their mode. It is a reading of the rules of its own, and never calls
/// [`step`](crate::label::step()) or the functions that uses.
pub(super) struct Masks {
    moves: Vec<Vec<Move>>,
    ends: Vec<Vec<(Board, Outcome)>>,
    terminals: Vec<Outcome>,
    /// The player of each mode; empty if the players move in turn.
    players: Vec<Player>,
}

impl Masks {
    pub(super) fn new(rules: &Rules) -> Self {
        let mut moves = vec![Vec::new(); rules.modes().len()];
        let mut ends = vec![Vec::new(); rules.modes().len()];
        rules.moves().iter().for_each(|m| moves[usize::from(m.mode.0)].push(*m));
        rules.ends().iter().for_each(|end| ends[usize::from(end.mode.0)].push((end.pattern, end.outcome)));
        let RulesSpec { terminal, terminals, players, .. } = rules.spec().clone();
        let terminals = if terminals.is_empty() { vec![terminal; rules.modes().len()] } else { terminals };
        Self { moves, ends, terminals, players }
    }

    /// The outcome for a player without a move at `position`.
    pub(super) fn terminal(&self, position: Position) -> Outcome {
        self.terminals[usize::from(position.mode.0)]
    }

    /// What `outcome`, that of a `reply` for the player to move there, is for the player who moves from `position`.
    pub(super) fn for_mover(&self, position: Position, reply: Position, outcome: Outcome) -> Outcome {
        let player = |position: Position| self.players.get(usize::from(position.mode.0));
        let is_same = !self.players.is_empty() && player(position) == player(reply);
        if is_same { outcome } else { outcome.flip() }
    }

    /// The outcome of `position` if a pattern ends the game there.
    pub(super) fn ended(&self, position: Position) -> Option<Outcome> {
        let ends = &self.ends[usize::from(position.mode.0)];
        ends.iter().find(|(pattern, _)| position.board & *pattern == *pattern).map(|&(_, outcome)| outcome)
    }

    /// What the moves from `position` lead to, if no pattern ends the game there, in the game's own order.
    pub(super) fn replies(&self, position: Position) -> impl Iterator<Item = Position> + '_ {
        let board = position.board;
        let is_legal = move |m: &&Move| board & m.empty == Board::EMPTY && !board & m.full == Board::EMPTY;
        let play = move |m: &Move| Position { mode: m.next, board: (board | m.fills) & !m.clears };
        self.moves[usize::from(position.mode.0)].iter().filter(is_legal).map(play)
    }

    /// The moves and the ends to test at `position`.
    pub(super) fn tests(&self, position: Position) -> [u64; 2] {
        let mode = usize::from(position.mode.0);
        [self.moves[mode].len() as u64, self.ends[mode].len() as u64]
    }
}
