//! The choice of a strategy's members.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::{Aim, CertificateError, Watch};
use crate::label::Value;
use crate::plies::Plies;
use crate::rules::{Move, Node, Outcome, Position, Rules, Symmetry};
use crate::symmetry::Group;
use crate::table::{Table, TableFault};

/// How the hero chooses among the moves that reach the aim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A move to a member, else the first move.
    First,
    /// A move to a member, else a move after which the other player has the fewest moves that need a new member.
    Fewest,
}

impl Choice {
    /// Both ways. Neither needs fewer positions in every game.
    pub const ALL: [Self; 2] = [Self::First, Self::Fewest];
}

/// The number of looks between two calls of the watching function.
const WATCHED: u64 = 1 << 14;
/// A look at a position takes longer if its mode has more moves, or the rules have more symmetries: so many count as another
/// look.
const MOVES: usize = 1 << 10;
const SYMMETRIES: usize = 1 << 6;

/// The ranks of members.
#[derive(Clone, Copy)]
pub(super) enum Ranks<'a> {
    /// All ranks are 0.
    None,
    /// The plies of each position: of the table, or these if the table lacks them.
    Plies(Option<&'a Plies>),
}

/// A position, and whether the hero is to move there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Turn {
    position: Position,
    is_heros: bool,
}

/// Positions with their ranks.
type Members = Vec<(Position, u32)>;

/// Finds the members of a strategy.
pub(super) struct Builder<'a> {
    table: &'a Table,
    rules: &'a Rules,
    aim: Aim,
    symmetries: &'a [Symmetry],
    /// The group of the symmetries, if it finds representatives faster.
    group: Option<&'a Group>,
    ranks: Ranks<'a>,
    choice: Choice,
    limit: u64,
    watch: Watch<'a>,
    /// The number of positions whose moves were looked at.
    looks: Cell<u64>,
    /// The members, with their ranks.
    members: HashMap<Position, u32>,
    /// Members whose moves have no replies yet.
    open: Vec<Turn>,
}

impl<'a> Builder<'a> {
    /// A builder of strategies that win, by the first move.
    pub(super) fn new(
        table: &'a Table,
        symmetries: &'a [Symmetry],
        group: Option<&'a Group>,
        ranks: Ranks<'a>,
        watch: Watch<'a>,
    ) -> Self {
        let (aim, choice, limit) = (Aim::Win, Choice::First, u64::MAX);
        let (rules, looks, members, open) = (table.rules(), Cell::new(0), HashMap::new(), Vec::new());
        Self { table, rules, aim, symmetries, group, ranks, choice, limit, watch, looks, members, open }
    }

    /// The same for another aim and choice, with at most `limit` looks.
    pub(super) fn aiming_at(self, aim: Aim, choice: Choice, limit: u64) -> Self {
        Self { aim, choice, limit, ..self }
    }

    /// The members that the hero needs from `root`, in order, and the number of looks that they took.
    pub(super) fn members(mut self, root: Node, is_movers: bool) -> Result<(Members, u64), CertificateError> {
        match root {
            Node::At(position) => self.cover(Turn { position, is_heros: is_movers }, u32::MAX)?,
            Node::Opening => {
                let turn = |position| Turn { position, is_heros: !is_movers };
                let choices: Vec<Turn> = self.rules.replies(root).into_iter().map(turn).collect();
                match is_movers {
                    true => self.reply(choices, u32::MAX)?,
                    false => choices.into_iter().try_for_each(|choice| self.cover(choice, u32::MAX))?,
                }
            }
        }
        while let Some(turn) = self.open.pop() {
            let rank = self.members[&turn.position];
            let next = self.next(turn)?;
            match turn.is_heros {
                true => self.reply(next, rank)?,
                false => next.into_iter().try_for_each(|turn| self.cover(turn, rank))?,
            }
        }
        let mut members: Members = self.members.into_iter().collect();
        members.sort_unstable_by_key(|&(position, _)| key(position));
        Ok((members, self.looks.get()))
    }

    /// The positions after each move. A position may come several times.
    fn moves(&self, Turn { position, is_heros }: Turn) -> Result<impl Iterator<Item = Turn>, CertificateError> {
        let more = self.rules.moves_of(position.mode).len() / MOVES + self.symmetries.len() / SYMMETRIES;
        let looks = self.looks.get() + 1 + more as u64;
        if looks > self.limit {
            return Err(CertificateError::Limit { limit: self.limit });
        }
        let more = looks / WATCHED - self.looks.replace(looks) / WATCHED;
        if more > 0 && (self.watch)(more * WATCHED).is_break() {
            return Err(CertificateError::Cancelled);
        }
        let turn = move |m: Move| {
            let is_heros = is_heros ^ self.rules.turns_over(m.mode, m.next);
            Turn { position: m.play(position), is_heros }
        };
        Ok(self.rules.moves_from(position).map(turn))
    }

    /// The positions after each move, without repetition.
    fn next(&self, turn: Turn) -> Result<Vec<Turn>, CertificateError> {
        let mut seen = HashSet::new();
        Ok(self.moves(turn)?.filter(|&to| seen.insert(to)).collect())
    }

    /// Makes sure that the hero has a strategy from a position, of members whose rank is below `rank`.
    fn cover(&mut self, turn: Turn, rank: u32) -> Result<(), CertificateError> {
        match () {
            () if self.rules.is_over(turn.position) => Ok(()),
            () if turn.is_heros => self.reply(self.next(turn)?, rank),
            () => self.add(turn),
        }
    }

    /// Makes sure that one of the hero's moves, to `next`, ends the game well or leads to a member whose rank is below `rank`.
    fn reply(&mut self, next: Vec<Turn>, rank: u32) -> Result<(), CertificateError> {
        let mut good = Vec::new();
        for turn in next {
            let value = self.value(turn.position)?;
            if self.is_good(value, turn.is_heros) && (!self.has_ranks() || self.rank(value) < rank) {
                if self.is_settled(turn.position, rank) {
                    return Ok(());
                }
                good.push(turn);
            }
        }
        let best = match self.choice {
            Choice::First => good.first().copied(),
            Choice::Fewest => {
                let mut least = None;
                for turn in good {
                    let cost = self.cost(turn, least.map_or(usize::MAX, |((unsettled, _), _)| unsettled))?;
                    if let Some(cost) = cost.filter(|&cost| least.is_none_or(|(known, _)| cost < known)) {
                        least = Some((cost, turn));
                    }
                }
                least.map(|(_, turn)| turn)
            }
        };
        self.add(best.ok_or(CertificateError::Contradiction)?)
    }

    /// Returns whether the outcome is what the hero aims at.
    fn is_good(&self, value: Value, is_heros: bool) -> bool {
        let mover = value.outcome;
        match (self.aim, is_heros) {
            (Aim::Win, true) => mover == Outcome::Win,
            (Aim::Win, false) => mover == Outcome::Loss,
            (Aim::Draw, true) => mover != Outcome::Loss,
            (Aim::Draw, false) => mover != Outcome::Win,
        }
    }

    const fn has_ranks(&self) -> bool {
        matches!(self.ranks, Ranks::Plies(_))
    }

    fn value(&self, position: Position) -> Result<Value, CertificateError> {
        let value = self.table.value(position)?;
        match (self.ranks, self.table.contents().only_reachable()) {
            (Ranks::Plies(Some(plies)), Some(sparse)) => {
                let damaged = |fault| self.table.error(TableFault::Labels(fault));
                Ok(plies.added_to(value, sparse, position).map_err(damaged)?)
            }
            _ => Ok(value),
        }
    }

    fn rank(&self, value: Value) -> u32 {
        value.remoteness().filter(|_| self.has_ranks()).unwrap_or(0)
    }

    /// Returns whether the game is over, or the position is a member whose rank is below `rank`.
    fn is_settled(&self, position: Position, rank: u32) -> bool {
        let known = self.members.get(&self.representative(position));
        known.is_some_and(|&known| known < rank || !self.has_ranks()) || self.rules.is_over(position)
    }

    /// How many new members a move to this position may need: one for each move of the other player without a settled reply, and
    /// then the number of those moves. `None` if they are more than `most` members.
    fn cost(&self, turn: Turn, most: usize) -> Result<Option<(usize, usize)>, CertificateError> {
        if turn.is_heros {
            return Ok(Some((1, 1)));
        }
        let (next, mut unsettled) = (self.next(turn)?, 0);
        for &reply in &next {
            let is_settled = match reply.is_heros {
                true => self.moves(reply)?.any(|after| self.is_settled(after.position, u32::MAX)),
                false => self.is_settled(reply.position, u32::MAX),
            };
            unsettled += usize::from(!is_settled && !self.rules.is_over(reply.position));
            if unsettled > most {
                return Ok(None);
            }
        }
        Ok(Some((unsettled, next.len())))
    }

    fn add(&mut self, Turn { position, is_heros }: Turn) -> Result<(), CertificateError> {
        let rank = if self.has_ranks() { self.rank(self.value(position)?) } else { 0 };
        let representative = self.representative(position);
        if self.members.contains_key(&representative) {
            return Ok(());
        }
        self.members.insert(representative, rank);
        self.open.push(Turn { position: representative, is_heros });
        Ok(())
    }

    /// The least image of a position.
    fn representative(&self, position: Position) -> Position {
        // A group that is listed compares modes and boards in the same order.
        if let Some(group) = self.group {
            return group.representative(position);
        }
        let images = self.symmetries.iter().map(|symmetry| symmetry.of(position));
        images.min_by_key(|&image| key(image)).unwrap_or(position)
    }
}

/// Positions are compared by mode, and then by the number of the board.
fn key(position: Position) -> (u16, u128) {
    (position.mode.0, position.board.number())
}
