//! What is known about the positions in which the hero is to move.
//!
//! The search for a strategy asks again and again whether the hero has a move to a member. The members are few, and those positions
//! are many. So the moves that lead to a new member are undone, and the positions before it are noted, one for each symmetry class.
//! A look at a position is then a look into a map.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::classes::Classes;
use super::moves::Moves;
use crate::rules::Position;

/// The largest number of positions in the map: about 25 to 50 bytes of memory for each. Beyond it, moves to members are looked for.
const MOST: usize = 1 << 23;

/// What is known about a position in which the hero is to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Reply {
    /// A move leads to a member of this rank, or ends the game with what the hero aims at.
    Good(u32),
    /// The game is over, or a move ends it.
    Over,
    /// No move ends the game, and none leads to a member so far.
    Open,
}

/// What is known about positions, one for each symmetry class.
#[derive(Default)]
pub(super) struct Replies {
    known: FxHashMap<Position, Reply>,
    /// True if the map lacks positions before some members.
    is_partial: bool,
}

impl Replies {
    /// Notes the positions before `member`, a new member of rank `rank`.
    pub(super) fn add_member(&mut self, member: Position, rank: u32, moves: &Moves<'_>, classes: &Classes) {
        if self.is_partial {
            return;
        }
        let is_whole = moves.each_before(member, |before| self.note(classes.representative(before), Reply::Good(rank)));
        self.is_partial |= !is_whole;
    }

    /// Notes `reply` for a representative. Of two notes about a position, the better one stays.
    pub(super) fn note(&mut self, position: Position, reply: Reply) {
        let is_full = self.known.len() >= MOST;
        match self.known.entry(position) {
            Entry::Occupied(mut known) => *known.get_mut() = reply.min(*known.get()),
            // A missing position is looked at again, but nothing tells that it is before a member.
            Entry::Vacant(_) if is_full => self.is_partial |= matches!(reply, Reply::Good(_)),
            Entry::Vacant(place) => _ = place.insert(reply),
        }
    }

    /// What is known about a representative.
    pub(super) fn get(&self, position: Position) -> Option<Reply> {
        self.known.get(&position).copied()
    }

    /// True if open or missing positions may come before a member.
    pub(super) const fn is_partial(&self) -> bool {
        self.is_partial
    }
}
