//! The reference implementation: games as trees, by the definitions, without hints and memory.
//!
//! It is for small games, because it computes everything again and again.

use crate::store::{Store, Value};

/// A game as a tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Tree {
    /// The games that Left moves to.
    pub lefts: Vec<Tree>,
    /// The games that Right moves to.
    pub rights: Vec<Tree>,
}

impl Tree {
    /// The canonical form of a value, with sorted options.
    ///
    /// # Panics
    /// If the store does not hold the value.
    #[must_use]
    pub fn of(store: &Store, value: Value) -> Self {
        let all = |list: &[Value]| {
            let mut trees: Vec<Self> = list.iter().map(|&option| Self::of(store, option)).collect();
            trees.sort();
            trees
        };
        Self { lefts: all(store.lefts(value)), rights: all(store.rights(value)) }
    }

    /// Whether this game is at most the other.
    #[must_use]
    pub fn at_most(&self, other: &Self) -> bool {
        !self.lefts.iter().any(|left| other.at_most(left)) && !other.rights.iter().any(|right| right.at_most(self))
    }

    /// True if the player who moves first wins: Left if `left` is true, otherwise Right. A player without a move loses.
    #[must_use]
    pub fn wins_moving_first(&self, left: bool) -> bool {
        let options = if left { &self.lefts } else { &self.rights };
        options.iter().any(|option| !option.wins_moving_first(!left))
    }

    /// The game with the players exchanged.
    #[must_use]
    pub fn negative(&self) -> Self {
        let all = |list: &[Self]| list.iter().map(Self::negative).collect();
        Self { lefts: all(&self.rights), rights: all(&self.lefts) }
    }

    /// The sum: a player moves in one of both games.
    #[must_use]
    pub fn sum(&self, other: &Self) -> Self {
        let all = |here: &[Self], there: &[Self]| {
            let here = here.iter().map(|option| option.sum(other));
            here.chain(there.iter().map(|option| self.sum(option))).collect()
        };
        Self { lefts: all(&self.lefts, &other.lefts), rights: all(&self.rights, &other.rights) }
    }

    /// The canonical form, with sorted options.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let all = |list: &[Self]| list.iter().map(Self::canonical).collect();
        let mut game = Self { lefts: all(&self.lefts), rights: all(&self.rights) };
        while game.bypass_left() || game.bypass_right() {}
        game.lefts = undominated(&game.lefts, |worse, better| worse.at_most(better));
        game.rights = undominated(&game.rights, |worse, better| better.at_most(worse));
        game
    }

    /// Replaces one reversible Left option.
    fn bypass_left(&mut self) -> bool {
        let reversible = |left: &Self| left.rights.iter().find(|answer| answer.at_most(self)).cloned();
        let found = self.lefts.iter().enumerate().find_map(|(i, left)| Some((i, reversible(left)?)));
        if let Some((i, answer)) = found {
            self.lefts.remove(i);
            self.lefts.extend(answer.lefts);
            return true;
        }
        false
    }

    /// Replaces one reversible Right option.
    fn bypass_right(&mut self) -> bool {
        let mut mirrored = self.negative();
        let found = mirrored.bypass_left();
        if found {
            *self = mirrored.negative();
        }
        found
    }
}

/// The options that no other option replaces, sorted, each once.
fn undominated(options: &[Tree], replaces: impl Fn(&Tree, &Tree) -> bool) -> Vec<Tree> {
    let mut sorted = options.to_vec();
    sorted.sort();
    sorted.dedup();
    let kept = |option: &&Tree| !sorted.iter().any(|other| other != *option && replaces(option, other));
    sorted.iter().filter(kept).cloned().collect()
}
