//! The choice of a strategy's members.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::{Classes, key};
use super::movers::Movers;
use super::moves::Moves;
use super::replies::{Replies, Reply};
use super::{CertificateError, Watch};
use crate::plies::Plies;
use crate::rules::{Node, Outcome, Position, Rules};
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
/// Up to this many positions are compared with each other, which is faster than a set.
const FEW: usize = 24;

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
pub(super) struct Turn {
    pub(super) position: Position,
    pub(super) is_heros: bool,
}

/// Positions with their ranks, or their bounds.
pub(super) type Members = Vec<(Position, i32)>;

/// What all builders of a certificate share.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) table: &'a Table,
    pub(super) movers: &'a Movers<'a>,
    pub(super) moves: &'a Moves<'a>,
    pub(super) classes: &'a Classes,
    pub(super) ranks: Ranks<'a>,
    pub(super) watch: Watch<'a>,
}

/// What a builder may take.
#[derive(Clone, Copy)]
pub(super) struct Limits<'a> {
    /// The number of positions looked at.
    pub(super) looks: u64,
    /// The number of members. A strategy with more is of no use. Another thread may find a smaller one meanwhile.
    pub(super) members: &'a AtomicUsize,
}

/// A strategy that a builder found.
pub(super) struct Found {
    /// The members, in order.
    pub(super) members: Members,
    /// The number of positions whose moves were looked at.
    pub(super) looks: u64,
}

/// Finds the members of a strategy.
pub(super) struct Builder<'a> {
    known: Known<'a>,
    rules: &'a Rules,
    /// True if the hero wins, and false if the hero at least draws.
    wins: bool,
    choice: Choice,
    limits: Limits<'a>,
    /// The number of positions whose moves were looked at.
    looks: u64,
    /// The members, with their ranks.
    members: FxHashMap<Position, u32>,
    /// Members whose moves have no replies yet.
    open: Vec<Turn>,
    replies: Replies,
    /// Positions that a list of moves already has.
    seen: FxHashSet<Position>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(known: Known<'a>, wins: bool, choice: Choice, limits: Limits<'a>) -> Self {
        let (members, open, seen) = (FxHashMap::default(), Vec::new(), FxHashSet::default());
        let (rules, replies) = (known.movers.rules(), Replies::default());
        Self { known, rules, wins, choice, limits, looks: 0, members, open, replies, seen }
    }

    /// The members that the hero needs from `root`; `None` if they are more than the limit.
    pub(super) fn members(mut self, root: Node, is_movers: bool) -> Result<Option<Found>, CertificateError> {
        match root {
            Node::At(position) => self.cover(Turn { position, is_heros: is_movers }, u32::MAX)?,
            Node::Opening => {
                let turn = |position| Turn { position, is_heros: !is_movers };
                let choices: Vec<Turn> = self.rules.replies(root).into_iter().map(turn).collect();
                match is_movers {
                    true => _ = self.choose(&choices, u32::MAX, false)?,
                    false => choices.into_iter().try_for_each(|choice| self.cover(choice, u32::MAX))?,
                }
            }
        }
        let mut next = Vec::new();
        while let Some(turn) = self.open.pop() {
            if self.members.len() > self.limits.members.load(Relaxed) {
                return Ok(None);
            }
            let rank = self.members[&turn.position];
            if turn.is_heros {
                self.look(turn)?;
                self.reply(turn, rank)?;
            } else {
                self.next(turn, &mut next)?;
                next.iter().try_for_each(|&turn| self.cover(turn, rank))?;
            }
        }
        if self.members.len() > self.limits.members.load(Relaxed) {
            return Ok(None);
        }
        let mut members: Members = self.members.into_iter().map(|(at, rank)| (at, rank.cast_signed())).collect();
        members.sort_unstable_by_key(|&(position, _)| key(position));
        Ok(Some(Found { members, looks: self.looks }))
    }

    /// Counts a look at the moves from a position.
    fn look(&mut self, turn: Turn) -> Result<(), CertificateError> {
        let symmetries = self.known.classes.symmetries.len() / SYMMETRIES;
        let more = self.rules.moves_of(turn.position.mode).len() / MOVES + symmetries;
        let (before, limit) = (self.looks, self.limits.looks);
        let looks = before + 1 + more as u64;
        if looks > limit {
            return Err(CertificateError::Limit { limit });
        }
        self.looks = looks;
        let more = looks / WATCHED - before / WATCHED;
        if more > 0 && (self.known.watch)(more * WATCHED).is_break() {
            return Err(CertificateError::Cancelled);
        }
        Ok(())
    }

    /// The positions after each move. A position may come several times.
    fn moves(&self, Turn { position, is_heros }: Turn) -> impl Iterator<Item = Turn> + use<'a> {
        self.known.moves.from(position).map(move |step| Turn { position: step.after, is_heros: is_heros ^ !step.again })
    }

    /// Looks at a position, and lists the positions after each move, without repetition.
    fn next(&mut self, turn: Turn, next: &mut Vec<Turn>) -> Result<(), CertificateError> {
        self.look(turn)?;
        self.list(turn, next);
        Ok(())
    }

    fn list(&mut self, turn: Turn, next: &mut Vec<Turn>) {
        next.clear();
        next.extend(self.moves(turn));
        if next.len() <= FEW {
            let mut kept = 0;
            for at in 0..next.len() {
                if !next[..kept].contains(&next[at]) {
                    next.swap(kept, at);
                    kept += 1;
                }
            }
            next.truncate(kept);
        } else {
            self.seen.clear();
            next.retain(|turn| self.seen.insert(turn.position));
        }
    }

    /// Makes sure that the hero has a strategy from a position, of members whose rank is below `rank`.
    fn cover(&mut self, turn: Turn, rank: u32) -> Result<(), CertificateError> {
        if self.is_over(turn.position) {
            return Ok(());
        }
        if !turn.is_heros {
            return self.add(turn);
        }
        self.look(turn)?;
        self.reply(turn, rank)
    }

    /// Makes sure that one of the hero's moves from `turn` ends the game well or leads to a member whose rank is below `rank`.
    fn reply(&mut self, turn: Turn, rank: u32) -> Result<(), CertificateError> {
        let class = self.representative(turn.position);
        let known = self.known_reply(turn, class);
        if let Reply::Good(known) = known
            && self.is_below(known, rank)
        {
            return Ok(());
        }
        let mut next = Vec::new();
        self.list(turn, &mut next);
        let is_open = known == Reply::Open && !self.replies.is_partial();
        if let Some(found) = self.choose(&next, rank, is_open)? {
            self.replies.note(class, Reply::Good(found));
        }
        Ok(())
    }

    /// What is known about a position of the hero, of the class `class`, at which the game is not over. If nothing is known, the moves
    /// that end the game are looked for.
    fn known_reply(&mut self, turn: Turn, class: Position) -> Reply {
        if let Some(known) = self.replies.get(class) {
            return known;
        }
        let mut reply = Reply::Open;
        for after in self.moves(turn) {
            if let Some(outcome) = self.known.moves.outcome_if_over(after.position) {
                reply = if self.is_good(outcome, after.is_heros) { Reply::Good(0) } else { Reply::Over };
                if reply != Reply::Over {
                    break;
                }
            }
        }
        self.replies.note(class, reply);
        reply
    }

    /// Makes sure that one of the hero's moves, to `next`, ends the game well or leads to a member whose rank is below `rank`. Returns the
    /// rank if one did before, which cannot be if `is_open`.
    fn choose(&mut self, next: &[Turn], rank: u32, is_open: bool) -> Result<Option<u32>, CertificateError> {
        let mut good = Vec::new();
        for &turn in next {
            let Some(known) = self.good_rank(turn)?.filter(|&known| self.is_below(known, rank)) else { continue };
            if !is_open && self.is_settled(turn.position, rank) {
                return Ok(Some(known));
            }
            good.push(turn);
            if is_open && self.choice == Choice::First {
                break;
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
        self.add(best.ok_or(CertificateError::Contradiction)?)?;
        Ok(None)
    }

    /// Returns whether the outcome is what the hero aims at.
    fn is_good(&self, mover: Outcome, is_heros: bool) -> bool {
        let heros = if is_heros { mover } else { mover.flip() };
        heros == Outcome::Win || !self.wins && heros == Outcome::Draw
    }

    const fn has_ranks(&self) -> bool {
        matches!(self.known.ranks, Ranks::Plies(_))
    }

    /// Returns whether a member of rank `rank` comes after one of rank `before`.
    const fn is_below(&self, rank: u32, before: u32) -> bool {
        !self.has_ranks() || rank < before
    }

    /// The rank of a position if its outcome is what the hero aims at.
    fn good_rank(&self, turn: Turn) -> Result<Option<u32>, CertificateError> {
        let outcome = self.outcome(turn.position)?;
        if self.is_good(outcome, turn.is_heros) { self.rank(turn.position, outcome).map(Some) } else { Ok(None) }
    }

    fn outcome(&self, position: Position) -> Result<Outcome, CertificateError> {
        Ok(self.known.table.outcome(self.known.movers.in_table(position))?)
    }

    /// The rank of a position with this outcome: the plies to the end of play, or 0 if ranks are not needed.
    fn rank(&self, position: Position, outcome: Outcome) -> Result<u32, CertificateError> {
        let table = self.known.table;
        let Ranks::Plies(plies) = self.known.ranks else { return Ok(0) };
        let position = self.known.movers.in_table(position);
        let value = table.value_with(position, outcome)?;
        let value = match (plies, table.contents().only_reachable()) {
            (Some(plies), Some(sparse)) => {
                let damaged = |fault| table.error(TableFault::Labels(fault));
                plies.added_to(value, sparse, position).map_err(damaged)?
            }
            _ => value,
        };
        Ok(value.remoteness().unwrap_or(0))
    }

    fn is_over(&self, position: Position) -> bool {
        self.known.moves.is_over(position)
    }

    fn representative(&self, position: Position) -> Position {
        self.known.classes.representative(position)
    }

    /// Returns whether the game is over, or the position is a member whose rank is below `rank`.
    fn is_settled(&self, position: Position, rank: u32) -> bool {
        let known = self.members.get(&self.representative(position));
        known.is_some_and(|&known| self.is_below(known, rank)) || self.is_over(position)
    }

    /// How many new members a move to this position may need: one for each move of the other player without a settled reply, and
    /// then the number of those moves. `None` if they are more than `most` members.
    fn cost(&mut self, turn: Turn, most: usize) -> Result<Option<(usize, usize)>, CertificateError> {
        if turn.is_heros {
            return Ok(Some((1, 1)));
        }
        let (mut next, mut unsettled) = (Vec::new(), 0);
        self.next(turn, &mut next)?;
        for &reply in &next {
            let is_open = match reply.is_heros {
                true => {
                    self.look(reply)?;
                    self.is_open(reply)
                }
                false => !self.is_settled(reply.position, u32::MAX),
            };
            unsettled += usize::from(is_open);
            if unsettled > most {
                return Ok(None);
            }
        }
        Ok(Some((unsettled, next.len())))
    }

    /// Returns whether play goes on at a position of the hero, and no move ends the game or leads to a member.
    fn is_open(&mut self, turn: Turn) -> bool {
        let class = self.representative(turn.position);
        if self.replies.get(class).is_none() && self.is_over(turn.position) {
            self.replies.note(class, Reply::Over);
        }
        if self.known_reply(turn, class) != Reply::Open {
            return false;
        }
        let is_member = |after: Turn| self.members.contains_key(&self.representative(after.position));
        !(self.replies.is_partial() && self.moves(turn).any(is_member))
    }

    fn add(&mut self, Turn { position, is_heros }: Turn) -> Result<(), CertificateError> {
        let representative = self.representative(position);
        if self.members.contains_key(&representative) {
            return Ok(());
        }
        let rank = match self.has_ranks() {
            true => self.rank(position, self.outcome(position)?)?,
            false => 0,
        };
        self.members.insert(representative, rank);
        let Known { moves, classes, .. } = self.known;
        self.replies.add_member(representative, rank, moves, classes);
        self.open.push(Turn { position: representative, is_heros });
        Ok(())
    }
}
