//! The squares that complete a pattern, for all patterns at once.
//!
//! Patterns that are translations of each other form a family: the same shifts of a word serve all of them. A family of four squares at equal
//! distances, all of whose places are patterns, needs no mask, and the pairs of neighbours are used twice:
//!
//! ```text
//! L = own << d    a piece one step lower        LL = L & L << d    two pieces, one and two steps lower
//! R = own >> d    a piece one step higher       RR = R & R >> d
//! completing      LL & (R | L << 2d)  |  RR & (L | R >> 2d)
//! ```

use std::collections::BTreeMap;

/// Maximum number of squares of a pattern in a family with fast tests.
const MOST_SQUARES: usize = 64;

/// All patterns of a game.
#[derive(Clone, Debug)]
pub(super) struct Threats {
    /// Patterns of squares one above the other: only the highest can be missing. The number of squares.
    stacks: Vec<u32>,
    /// The distances of lines of four squares.
    fours: Vec<u32>,
    others: Vec<Family>,
}

/// Copies of one pattern.
#[derive(Clone, Debug)]
struct Family {
    /// The lowest square of each copy.
    anchors: u64,
    /// The squares of the pattern, counted from its lowest square.
    offsets: Box<[u32]>,
}

impl Threats {
    /// The patterns of a board with squares `board`, of which `supported` lie on another square.
    pub(super) fn new(patterns: &[u64], board: u64, supported: u64) -> Self {
        let mut families: BTreeMap<u64, u64> = BTreeMap::new();
        for &pattern in patterns {
            let anchor = pattern.trailing_zeros();
            *families.entry(pattern >> anchor).or_default() |= 1 << anchor;
        }
        let mut threats = Self { stacks: Vec::new(), fours: Vec::new(), others: Vec::new() };
        for (shape, anchors) in families {
            let offsets: Box<[u32]> = (0..u64::BITS).filter(|&bit| shape >> bit & 1 == 1).collect();
            let count = offsets.len() as u32;
            let is_whole = copies(shape, board) == anchors;
            let is_stack = shape.trailing_ones() == count && anchors & !copies(shape & !1, supported) == 0;
            let is_four = matches!(*offsets, [0, a, b, c] if b == 2 * a && c == 3 * a);
            if is_whole && is_stack && count > 1 {
                threats.stacks.push(count);
            } else if is_whole && is_four {
                threats.fours.push(offsets[1]);
            } else {
                threats.others.push(Family { anchors, offsets });
            }
        }
        threats
    }

    /// Returns whether `squares`, which may leave gaps in chains, contain a pattern.
    #[inline(always)]
    pub(super) fn fit_into(&self, squares: u64) -> bool {
        let mut found = 0;
        for &count in &self.stacks {
            found |= (1..count).fold(squares, |all, by| all & squares << by);
        }
        for &d in &self.fours {
            let pairs = squares & squares >> d;
            found |= pairs & pairs >> (2 * d);
        }
        for family in &self.others {
            found |= family.offsets.iter().fold(family.anchors, |all, &offset| all & squares >> offset);
        }
        found != 0
    }

    /// The squares that complete a pattern for the player with pieces `own`. They include occupied squares and bits of no square.
    #[inline(always)]
    pub(super) fn completing(&self, own: u64) -> u64 {
        let mut found = 0;
        for &count in &self.stacks {
            found |= (1..count).fold(u64::MAX, |all, by| all & own << by);
        }
        for &d in &self.fours {
            let (low, high) = (own << d, own >> d);
            let (lows, highs) = (low & low << d, high & high >> d);
            found |= lows & (high | low << (2 * d)) | highs & (low | high >> (2 * d));
        }
        for family in &self.others {
            found |= match *family.offsets {
                [a, b, c] => among([a, b, c], family.anchors, own),
                [a, b, c, d] => among([a, b, c, d], family.anchors, own),
                [a, b, c, d, e] => among([a, b, c, d, e], family.anchors, own),
                ref offsets => among_any(offsets, family.anchors, own),
            };
        }
        found
    }
}

/// The places of `shape`, as numbers of bits that it is shifted, inside `board`.
fn copies(shape: u64, board: u64) -> u64 {
    (0..=shape.leading_zeros().min(63)).filter(|&by| shape << by & !board == 0).fold(0, |all, by| all | 1 << by)
}

/// The squares that complete a copy of the pattern with these `offsets`.
#[inline(always)]
fn among<const SQUARES: usize>(offsets: [u32; SQUARES], anchors: u64, own: u64) -> u64 {
    // Copies of which all squares seen so far are own, and copies of which all but one are: square by square for each.
    let held = offsets.map(|offset| own >> offset);
    let mut after = [u64::MAX; SQUARES];
    for at in (1..SQUARES).rev() {
        after[at - 1] = after[at] & held[at];
    }
    let (mut before, mut found) = (anchors, 0);
    for at in 0..SQUARES {
        found |= (before & after[at]) << offsets[at];
        before &= held[at];
    }
    found
}

fn among_any(offsets: &[u32], anchors: u64, own: u64) -> u64 {
    let mut after = [u64::MAX; MOST_SQUARES];
    for at in (1..offsets.len()).rev() {
        after[at - 1] = after[at] & own >> offsets[at];
    }
    let (mut before, mut found) = (anchors, 0);
    for (&offset, &after) in offsets.iter().zip(&after) {
        found |= (before & after) << offset;
        before &= own >> offset;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// Chains of `height` squares, with a spare bit above each if `spare` is 1: all squares, and those that have a support.
    fn chains(count: u32, height: u32, spare: u32) -> [u64; 2] {
        let chain = (1 << height) - 1;
        let all = |chain: u64| (0..count).fold(0, |all, number| all | chain << (number * (height + spare)));
        [all(chain), all(chain & !1)]
    }

    /// Boards of filled chains: `own` and `other` pieces without gaps below them.
    fn filled(rng: &mut Rng, board: u64, supported: u64) -> [u64; 2] {
        let mut occupied = rng.u64(..) & board;
        while occupied & supported & !(occupied << 1) != 0 {
            occupied &= !(supported & !(occupied << 1));
        }
        let own = rng.u64(..) & occupied;
        [own, occupied]
    }

    #[test]
    fn families_equal_single_patterns() {
        let mut rng = Rng::with_seed(5);
        let (mut stacks, mut fours, mut found) = (0, 0, 0);
        for _ in 0..500 {
            let spare = rng.u32(..2);
            let (count, height) = (rng.u32(1..8), rng.u32(1..7));
            let [board, supported] = chains(count, height, spare);
            let mut patterns = Vec::new();
            for _ in 0..rng.u32(1..5) {
                let size = rng.u32(1..6);
                let shape = if rng.bool() {
                    let step = [1, height + spare, height + spare + 1][rng.usize(..3)];
                    (0..size).fold(0, |all, at| all | 1u64 << (at * step % 64))
                } else {
                    1 | (1..size).fold(0, |all, _| all | 1u64 << rng.u32(..20))
                };
                let copies = copies(shape, board);
                // Sometimes a copy is left out, so that a mask is needed.
                let copies = if rng.u8(..4) == 0 { copies & rng.u64(..) } else { copies };
                patterns.extend((0..64).filter(|by| copies >> by & 1 == 1).map(|by| shape << by));
            }
            let threats = Threats::new(&patterns, board, supported);
            stacks += threats.stacks.len();
            fours += threats.fours.len();
            for _ in 0..20 {
                let [own, occupied] = filled(&mut rng, board, supported);
                let missing = patterns.iter().map(|pattern| pattern & !own).filter(|missing| missing.is_power_of_two());
                // On a square without support nothing can be completed yet, and a stack says nothing about it.
                let next = (occupied << 1 | !supported) & board & !occupied;
                let expected = missing.fold(0, |all, square| all | square);
                assert_eq!(threats.completing(own) & next, expected & next);
                if threats.stacks.is_empty() {
                    assert_eq!(threats.completing(own) & board & !occupied, expected & !occupied);
                }
                let any = rng.u64(..) & board | own;
                let is_inside = |&pattern: &u64| any & pattern == pattern;
                assert_eq!(threats.fit_into(any), patterns.iter().any(is_inside));
                found += expected.count_ones();
            }
        }
        assert!(stacks > 30 && fours > 30 && found > 1_000, "{stacks} {fours} {found}");
    }
}
