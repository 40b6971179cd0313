//! The position that is asked, which several threads may search.

use super::At;
use super::descent::{Descent, Numbers};
use super::sets::ONE;
use crate::alpha_beta::{Access, Outcomes, Word};
use crate::budget::Budget;
use crate::threads::Question;

/// A position and a window.
pub(super) struct Root<'a> {
    pub(super) at: &'a At,
    pub(super) window: (i32, i32),
    pub(super) can_draw: bool,
    pub(super) numbers: &'a Numbers,
}

impl<W: Word> Question<W, Outcomes> for Root<'_> {
    /// What is added to the weight of each square, so that threads try moves in other orders: nothing for the first thread.
    type Own = Vec<u64>;
    type Answer = i32;

    fn of_thread(&self, _: &Vec<u64>, thread: usize) -> Vec<u64> {
        let mut random = thread as u64;
        let mut next = || {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (random >> 40) * (ONE >> 28)
        };
        (0..64).map(|_| next()).collect()
    }

    fn answer(&self, table: Access<'_, W, Outcomes>, extra: &mut Vec<u64>, budget: &mut Budget<'_>) -> Option<i32> {
        let At { own, other, is_first } = self.at;
        let (numbers, number) = (self.numbers, self.numbers.of(own, other, *is_first));
        let (can_draw, is_first, open) = (self.can_draw, *is_first, Vec::new());
        let mut descent = Descent { table, budget, numbers, number, can_draw, is_first, extra, open };
        descent.value(own, other, self.window.0, self.window.1)
    }
}
