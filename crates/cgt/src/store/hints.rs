//! Facts about a game that settle most comparisons at once.
//!
//! A *landmark* is one of 32 small games. The hints of a game say which landmarks are at least and at most the game. If
//! a landmark lies between two games, they compare as it says. If a game is at most a landmark and a second game is
//! not, the second game is not at most the first. The options of each landmark are landmarks, so the hints follow from
//! the hints of the options.
//!
//! The hints also have both stops, rounded down. Rounding keeps their order.

use crate::dyadic::Dyadic;

/// Bits of a stop after the binary point.
const STOP_BITS: u32 = 5;

/// The landmarks, each with its Left and Right options as sets of earlier landmarks.
const LANDMARKS: [(u32, u32); 32] = {
    const fn set(list: &[u32]) -> u32 {
        let (mut set, mut i) = (0, 0);
        while i < list.len() {
            set |= 1 << list[i];
            i += 1;
        }
        set
    }
    [
        (0, 0),                       // 0: 0
        (set(&[0]), 0),               // 1: 1
        (0, set(&[0])),               // 2: -1
        (set(&[0]), set(&[0])),       // 3: *
        (set(&[1]), 0),               // 4: 2
        (0, set(&[2])),               // 5: -2
        (set(&[0]), set(&[1])),       // 6: 1/2
        (set(&[2]), set(&[0])),       // 7: -1/2
        (set(&[0]), set(&[3])),       // 8: ^
        (set(&[3]), set(&[0])),       // 9: v
        (set(&[0, 3]), set(&[0])),    // 10: ^*
        (set(&[0]), set(&[0, 3])),    // 11: v*
        (set(&[0, 3]), set(&[0, 3])), // 12: *2
        (set(&[1]), set(&[1])),       // 13: 1*
        (set(&[2]), set(&[2])),       // 14: -1*
        (set(&[1]), set(&[0])),       // 15: {1|0}
        (set(&[0]), set(&[2])),       // 16: {0|-1}
        (set(&[1]), set(&[3])),       // 17: {1|*}
        (set(&[3]), set(&[2])),       // 18: {*|-1}
        (set(&[1]), set(&[0, 3])),    // 19: {1|0,*}
        (set(&[0, 3]), set(&[2])),    // 20: {0,*|-1}
        (set(&[1]), set(&[2])),       // 21: +-1
        (set(&[0]), set(&[10])),      // 22: ^^
        (set(&[11]), set(&[0])),      // 23: vv
        (set(&[0]), set(&[8])),       // 24: ^^*
        (set(&[9]), set(&[0])),       // 25: vv*
        (set(&[0]), set(&[16])),      // 26: Tiny(1)
        (set(&[15]), set(&[0])),      // 27: Miny(1)
        (set(&[4]), set(&[2])),       // 28: {2|-1}
        (set(&[1]), set(&[5])),       // 29: {1|-2}
        (set(&[4]), set(&[0])),       // 30: {2|0}
        (set(&[0]), set(&[5])),       // 31: {0|-2}
    ]
};

/// The hints of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hints {
    /// The landmarks that the game is at most.
    at_most: u32,
    /// The landmarks that the game is at least.
    at_least: u32,
    /// The Left stop, rounded down.
    left_stop: i16,
    /// The Right stop, rounded down.
    right_stop: i16,
    /// Moves in the longest play.
    pub(crate) birthday: u16,
    /// True for numbers.
    pub(crate) number: bool,
    /// True if each player has a move wherever the other player has one.
    pub(crate) all_small: bool,
    /// True if both stops are equal and lie somewhere from `left_stop` to `right_stop`.
    between: bool,
}

impl Hints {
    /// The hints of a game with options that have the given hints; `number` is its value if it is a number. The
    /// birthday is one too small if it does not fit.
    #[inline]
    pub(crate) fn of<'a>(
        lefts: impl ExactSizeIterator<Item = &'a Self>,
        rights: impl ExactSizeIterator<Item = &'a Self>,
        number: Option<Dyadic>,
    ) -> Self {
        let mut all_small = (lefts.len() == 0) == (rights.len() == 0);
        let (mut left_reaches, mut right_reaches, mut birthday) = (0, 0, 0);
        let (mut left_stop, mut right_stop) = (i16::MIN, i16::MAX);
        let none = lefts.len() + rights.len() == 0;
        for left in lefts {
            left_reaches |= left.at_least;
            left_stop = left_stop.max(left.right_stop);
            birthday = birthday.max(left.birthday);
            all_small &= left.all_small;
        }
        for right in rights {
            right_reaches |= right.at_most;
            right_stop = right_stop.min(right.left_stop);
            birthday = birthday.max(right.birthday);
            all_small &= right.all_small;
        }
        if let Some(number) = number {
            left_stop = number.coarse(STOP_BITS);
            right_stop = left_stop;
        }
        // A game that is not simplified yet can be a number between the stops of its options.
        let between = left_stop < right_stop;
        let (mut at_most, mut at_least) = (0, 0);
        for (i, (lefts, rights)) in LANDMARKS.into_iter().enumerate() {
            // The game is at most the landmark if Left, who moves first in the game, and Right, who moves first in the
            // landmark, reach nothing.
            let below = left_reaches >> i & 1 == 0 && at_least & rights == 0;
            let above = right_reaches >> i & 1 == 0 && at_most & lefts == 0;
            at_most |= u32::from(below) << i;
            at_least |= u32::from(above) << i;
        }
        let birthday = if none { 0 } else { u16::saturating_add(birthday, 1) };
        Self { at_most, at_least, left_stop, right_stop, birthday, number: number.is_some(), all_small, between }
    }

    /// Whether a game with hints `self` is at most a game with hints `other`; `None` if the hints do not tell.
    #[inline]
    pub(crate) fn at_most(&self, other: &Self) -> Option<bool> {
        let differ = other.at_most & !self.at_most | self.at_least & !other.at_least;
        if differ != 0 {
            return Some(false);
        }
        if self.at_most & other.at_least != 0 {
            return Some(true);
        }
        if self.between || other.between {
            return None;
        }
        if self.left_stop > other.left_stop || self.right_stop > other.right_stop {
            Some(false)
        } else if self.left_stop < other.right_stop {
            Some(true)
        } else {
            None
        }
    }

    /// Whether the game is at most 0 and at least 0.
    pub(crate) const fn signs(&self) -> (bool, bool) {
        (self.at_most & 1 != 0, self.at_least & 1 != 0)
    }
}
