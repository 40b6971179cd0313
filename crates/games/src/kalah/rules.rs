//! The rules of Kalah as moves that fill and empty cells.
//!
//! The effect of sowing a house depends on the number of seeds in each pit that it changes. A move of the rules
//! therefore names a house and the number of seeds in each of these pits, and the rules have a move for each combination.
//! No combination has more seeds than the game.

use super::pits::Pits;
use crate::rules::{Board, MAX_MOVES, Move, Outcome, Player, Position, RulesSpec, Start, Terminal};
use crate::side::{SIDES, Side};

/// The rules of the game called `name`, without a check of their number of moves.
///
/// A player moves only while the other player has seeds in the houses. So a player has no move exactly if the game is
/// over, and the seeds of the houses then count for their owner.
pub(super) fn rules(pits: Pits, cells: u32, name: String) -> RulesSpec {
    let moves = SIDES.iter().flat_map(|&side| moves_of(pits, side)).collect();
    let terminal = |side: Side| Terminal::Most { own: pits.cells_of(side), other: pits.cells_of(side.other()) };
    RulesSpec {
        modes: SIDES.map(|side| side.name().into()).into(),
        moves,
        terminal: Outcome::Draw,
        terminals: SIDES.map(terminal).into(),
        players: vec![Player::First, Player::Second],
        start: Start::At(Position::new(Side::First.mode(), pits.start())),
        ..RulesSpec::new(name, cells)
    }
}

/// The moves of `side`, by house and number of seeds.
fn moves_of(pits: Pits, side: Side) -> Vec<Move> {
    let mut moves = Vec::new();
    for house in 0..pits.houses {
        for seeds in 1..=pits.total() {
            let mut known = vec![None; pits.count() as usize];
            known[house as usize] = Some(seeds);
            Sowing::new(pits, side, house, seeds).add(&mut known, pits.total() - seeds, &mut moves);
        }
    }
    moves
}

/// The sowing of a house with a known number of seeds. Places are pits counted from the first house of the player to
/// move: the houses, the store, the other player's houses, and the other player's store, in which no seed is sown.
struct Sowing {
    pits: Pits,
    side: Side,
    house: u32,
    /// The seeds that each place gets.
    gains: Vec<u32>,
    /// The place of the last seed.
    last: u32,
}

impl Sowing {
    fn new(pits: Pits, side: Side, house: u32, seeds: u32) -> Self {
        let circle = pits.count() - 1;
        let gain = |place: u32| {
            let distance = (place + circle - house - 1) % circle;
            seeds / circle + u32::from(distance < seeds % circle)
        };
        let gains = (0..circle).map(gain).chain([0]).collect();
        Self { pits, side, house, gains, last: (house + seeds) % circle }
    }

    /// The place opposite the house in which the last seed falls, if that house is empty at this moment and the player's own.
    /// `known` has the seeds of each place before the move.
    fn opposite(&self, known: &[Option<u32>]) -> Option<usize> {
        let last = self.last as usize;
        let is_empty = last == self.house as usize || known[last] == Some(0);
        (self.last < self.pits.houses && self.gains[last] == 1 && is_empty)
            .then_some((2 * self.pits.houses - self.last) as usize)
    }

    /// The first place whose number of seeds matters to the move and is not known.
    fn unknown(&self, known: &[Option<u32>]) -> Option<usize> {
        let is_unknown = |place: &usize| known[*place].is_none();
        let sown = (0..known.len()).filter(|&place| self.gains[place] > 0).find(is_unknown);
        let captured = || {
            let opposite = self.opposite(known)?;
            let seeds = known[opposite].map(|seeds| seeds + self.gains[opposite]);
            let store = self.pits.houses as usize;
            [opposite].into_iter().chain((seeds > Some(0)).then_some(store)).find(is_unknown)
        };
        let other = || if self.other_has_seeds(known) { None } else { self.other_houses().find(is_unknown) };
        sown.or_else(captured).or_else(other)
    }

    /// The places of the other player's houses.
    fn other_houses(&self) -> std::ops::Range<usize> {
        self.pits.houses as usize + 1..2 * self.pits.houses as usize + 1
    }

    /// Returns whether a house of the other player that is `known` has seeds before the move.
    fn other_has_seeds(&self, known: &[Option<u32>]) -> bool {
        known[self.other_houses()].iter().any(|&seeds| seeds > Some(0))
    }

    /// Adds the moves for each number of seeds in the places that are not `known`. They have `left` seeds in all.
    fn add(&self, known: &mut Vec<Option<u32>>, left: u32, moves: &mut Vec<Move>) {
        match self.unknown(known) {
            // The caller refuses rules with more moves.
            _ if moves.len() > MAX_MOVES => {}
            Some(place) => {
                for seeds in 0..=left {
                    known[place] = Some(seeds);
                    self.add(known, left - seeds, moves);
                }
                known[place] = None;
            }
            None if self.other_has_seeds(known) => moves.push(self.of_known(known)),
            // The game is over.
            None => {}
        }
    }

    /// The move for the seeds that are `known`.
    fn of_known(&self, known: &[Option<u32>]) -> Move {
        let mut after: Vec<Option<u32>> =
            known.iter().zip(&self.gains).map(|(seeds, gain)| seeds.map(|seeds| seeds + gain)).collect();
        after[self.house as usize] = Some(self.gains[self.house as usize]);
        if let Some(opposite) = self.opposite(known) {
            let captured = after[opposite].unwrap_or_default();
            if captured > 0 {
                after[opposite] = Some(0);
                after[self.last as usize] = Some(0);
                let store = &mut after[self.pits.houses as usize];
                *store = store.map(|seeds| seeds + captured + 1);
            }
        }
        let next = if self.last == self.pits.houses { self.side } else { self.side.other() };
        let nothing = Move { mode: self.side.mode(), next: next.mode(), ..Move::fill(Board::EMPTY) };
        let changes = (0..).zip(known.iter().zip(&after));
        changes.fold(nothing, |m, (place, (before, after))| match (*before, *after) {
            (Some(before), Some(after)) => self.change(m, place, before, after),
            _ => m,
        })
    }

    /// Adds to `m` that a place has `before` seeds before it and `after` seeds after it. The move names every cell of the place, so
    /// that it is not legal if the row has a gap.
    fn change(&self, m: Move, place: u32, before: u32, after: u32) -> Move {
        let span = |from, to| self.pits.span(self.pits.after(self.side, place), from, to);
        Move {
            full: m.full | span(0, before),
            empty: m.empty | span(before, self.pits.total()),
            fills: m.fills | span(before, after),
            clears: m.clears | span(after, before),
            ..m
        }
    }
}
