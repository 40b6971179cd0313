//! The members of a strategy by score.
//!
//! Each member has a *bound*: from there, the hero gets at least so many points more than the other player. The positions that a
//! strategy needs are looked at level by level, and every move raises the level. So when the moves from a position are looked at, all
//! bounds that earlier positions need of it are known, and it is looked at once, with the greatest of them. If the other player has
//! made a mistake, the bound is below the score of the position, and the hero may choose among more moves.
//!
//! If moves fill different numbers of squares, either player may be on move at the same position. The hero needs different things
//! then, so a position is noted once for each player on move ([`Turn`]).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::classes::key;
use super::strategy::{Known, Members, Turn};
use super::{CertificateError, Watch};
use crate::parallel;
use crate::rules::{Node, Position, Potential, Symmetry};

/// The number of positions that a thread looks at before it takes the next ones.
const CHUNK: usize = 1 << 8;

/// What the strategy needs of a position.
#[derive(Clone, Copy)]
struct Needed {
    is_member: bool,
    bound: i32,
}

/// A position of which a bound is needed, and by how many points its score is above the bound.
#[derive(Clone, Copy)]
struct Demand {
    turn: Turn,
    bound: i32,
    spare: i32,
}

/// What follows from a look at a position.
enum Look {
    /// All of them are needed.
    All(Vec<Demand>),
    /// One of them is needed.
    One(Vec<Demand>),
}

/// Finds the members of a strategy by score.
pub(super) struct ByScore<'a> {
    known: Known<'a>,
    potential: &'a Potential,
    /// The symmetries under which the potential is not the same. Levels are then sums over all images.
    images: &'a [Symmetry],
    limit: u64,
    looks: u64,
    /// The positions that are still to be looked at, by level: one for each symmetry class and player on move.
    open: BTreeMap<u64, FxHashMap<Turn, Needed>>,
    members: Members,
}

impl<'a> ByScore<'a> {
    /// Looks at no more than `limit` positions.
    pub(super) fn new(known: Known<'a>, potential: &'a Potential, limit: u64) -> Self {
        let symmetries = &known.classes.symmetries;
        let is_kept = symmetries.iter().all(|symmetry| potential.is_kept_by(symmetry));
        let images = if is_kept { &[][..] } else { symmetries };
        Self { known, potential, images, limit, looks: 0, open: BTreeMap::new(), members: Vec::new() }
    }

    /// The members that the hero needs to get at least `bound` points from `root`. The hero moves there if `is_movers`.
    pub(super) fn members(mut self, root: Node, is_movers: bool, bound: i32) -> Result<Members, CertificateError> {
        match root {
            Node::At(position) => {
                let at_root = self.covered(Turn { position, is_heros: is_movers }, bound)?;
                at_root.into_iter().for_each(|demand| self.demand(&demand, !is_movers));
            }
            Node::Opening => {
                let turn = |position| Turn { position, is_heros: !is_movers };
                let choices = self.known.movers.rules().replies(root).into_iter().map(turn);
                match is_movers {
                    true => {
                        let good: Vec<Demand> =
                            choices.filter_map(|turn| self.good(turn, bound).transpose()).collect::<Result<_, _>>()?;
                        self.choose(vec![good])?;
                    }
                    false => {
                        for turn in choices {
                            self.covered(turn, bound)?.into_iter().for_each(|demand| self.demand(&demand, false));
                        }
                    }
                }
            }
        }
        while let Some((_, level)) = self.open.pop_first() {
            self.level(level)?;
        }
        self.members.sort_unstable_by_key(|&(position, _)| key(position));
        Ok(self.members)
    }

    /// Looks at all positions of a level that the strategy needs.
    fn level(&mut self, level: FxHashMap<Turn, Needed>) -> Result<(), CertificateError> {
        let mut level: Vec<(Turn, Needed)> = level.into_iter().collect();
        level.sort_unstable_by_key(|&(turn, _)| order(turn));
        let members = level.iter().filter(|(_, needed)| needed.is_member);
        self.members.extend(members.map(|&(turn, needed)| (turn.position, needed.bound)));
        self.looks += level.len() as u64;
        if self.looks > self.limit {
            return Err(CertificateError::Limit { limit: self.limit });
        }
        let this = &*self;
        let looks = parallel::try_map(level.chunks(CHUNK), |chunk| {
            let watch: Watch<'_> = this.known.watch;
            if watch(chunk.len() as u64).is_break() {
                return Err(CertificateError::Cancelled);
            }
            chunk.iter().map(|&(turn, needed)| this.look(turn, needed.bound)).collect::<Result<Vec<Look>, _>>()
        })?;
        let mut duties = Vec::new();
        for look in looks.into_iter().flatten() {
            match look {
                // The hero's replies at a position before the hero's move are no members.
                Look::All(demands) => demands.iter().for_each(|demand| self.demand(demand, !demand.turn.is_heros)),
                Look::One(demands) => duties.push(demands),
            }
        }
        self.choose(duties)
    }

    /// The positions that are needed for a bound of a position at which the game is not over.
    fn look(&self, Turn { position, is_heros }: Turn, bound: i32) -> Result<Look, CertificateError> {
        let steps = self.known.moves.from(position);
        let mut demands: Vec<Demand> = Vec::new();
        for step in steps {
            let turn = Turn { position: step.after, is_heros: is_heros == step.again };
            let gain = i32::from(step.gain);
            if !is_heros {
                demands.extend(self.covered(turn, bound + gain)?);
                continue;
            }
            let bound = bound - gain;
            match self.points(turn) {
                // The game ends with enough points, and no member is needed.
                Some(points) if points >= bound => return Ok(Look::All(Vec::new())),
                Some(_) => {}
                None => demands.extend(self.good(turn, bound)?),
            }
        }
        match is_heros {
            true if demands.is_empty() => Err(CertificateError::Contradiction),
            true => Ok(Look::One(demands)),
            false => Ok(Look::All(demands)),
        }
    }

    /// The hero's points where the game is over.
    fn points(&self, turn: Turn) -> Option<i32> {
        let points = i32::from(self.known.moves.ending(turn.position)?.points);
        Some(if turn.is_heros { points } else { -points })
    }

    /// What is needed if the other player moves to `turn`; nothing if the game is over there.
    fn covered(&self, turn: Turn, bound: i32) -> Result<Option<Demand>, CertificateError> {
        match self.points(turn) {
            Some(points) if points < bound => Err(CertificateError::Contradiction),
            Some(_) => Ok(None),
            None => self.good(turn, bound)?.ok_or(CertificateError::Contradiction).map(Some),
        }
    }

    /// The bound of a position, of its class, if the score is not below it.
    fn good(&self, turn: Turn, bound: i32) -> Result<Option<Demand>, CertificateError> {
        let Known { table, movers, classes, .. } = self.known;
        let score = table.value(movers.in_table(turn.position))?.score().ok_or(CertificateError::NoScores)?;
        let spare = if turn.is_heros { score } else { -score } - bound;
        let turn = Turn { position: classes.representative(turn.position), ..turn };
        Ok((spare >= 0).then_some(Demand { turn, bound, spare }))
    }

    /// For each duty, makes sure that one of its positions is a member with its bound.
    fn choose(&mut self, mut duties: Vec<Vec<Demand>>) -> Result<(), CertificateError> {
        // A position that several duties name is needed once.
        let mut named: FxHashMap<Turn, u32> = FxHashMap::default();
        duties.retain(|duty| !duty.iter().any(|demand| self.is_member(demand)));
        duties.iter().flatten().for_each(|demand| *named.entry(demand.turn).or_default() += 1);
        // A duty with few positions is likely to need one that serves others as well.
        duties.sort_by_key(Vec::len);
        for duty in duties {
            if duty.iter().any(|demand| self.is_member(demand)) {
                continue;
            }
            let merit = |demand: &&Demand| {
                let turn = demand.turn;
                let is_known = self.needed(turn).is_some_and(|needed| needed.is_member);
                (is_known, named[&turn], demand.spare, std::cmp::Reverse(order(turn)))
            };
            let best = *duty.iter().max_by_key(merit).ok_or(CertificateError::Contradiction)?;
            self.demand(&best, true);
        }
        Ok(())
    }

    fn is_member(&self, demand: &Demand) -> bool {
        let known = self.needed(demand.turn);
        known.is_some_and(|needed| needed.is_member && needed.bound >= demand.bound)
    }

    fn needed(&self, turn: Turn) -> Option<&Needed> {
        self.open.get(&self.level_of(turn.position))?.get(&turn)
    }

    /// The level of a position: the same for its class, and raised by every move.
    fn level_of(&self, position: Position) -> u64 {
        match self.images {
            [] => self.potential.level(position).into(),
            all => all.iter().map(|symmetry| u64::from(self.potential.level(symmetry.of(position)))).sum(),
        }
    }

    /// Notes that a bound of a position is needed, of a member or of a position of the hero after a move of the other player.
    fn demand(&mut self, demand: &Demand, is_member: bool) {
        let &Demand { turn, bound, .. } = demand;
        let level = self.open.entry(self.level_of(turn.position)).or_default();
        let needed = level.entry(turn).or_insert(Needed { is_member, bound });
        needed.is_member |= is_member;
        needed.bound = needed.bound.max(bound);
    }
}

/// The order of positions on a level: by position, and then by player on move.
fn order(Turn { position, is_heros }: Turn) -> ((u16, u128), bool) {
    (key(position), is_heros)
}
