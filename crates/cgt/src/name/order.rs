//! The order in which options are written.
//!
//! Numbers come first, then nimbers, then other uptimals, as [`Uptimal`](crate::Uptimal) orders them. Other games are
//! compared by their Left options in this order, then by their Right options.

use std::cmp::Ordering;

use crate::calculator::Calculator;
use crate::error::Error;
use crate::store::Value;

impl Calculator {
    /// Orders the options of a value and of everything that play reaches from it.
    pub(super) fn order_options(&mut self, value: Value) -> Result<(), Error> {
        if self.in_order.contains_key(&value) {
            return Ok(());
        }
        self.uptimal(value)?;
        for follower in self.store().followers(value) {
            if self.in_order.contains_key(&follower) {
                continue;
            }
            let (lefts, rights) = self.store().options(follower);
            let (mut lefts, mut rights) = (lefts.to_vec(), rights.to_vec());
            self.spend(1 + lefts.len() + rights.len())?;
            lefts.sort_unstable_by(|&g, &h| self.written_order(g, h));
            rights.sort_unstable_by(|&g, &h| self.written_order(g, h));
            self.in_order.insert(follower, [lefts, rights]);
        }
        Ok(())
    }

    /// Compares two values whose options are in order.
    fn written_order(&self, mut g: Value, mut h: Value) -> Ordering {
        loop {
            if g == h {
                return Ordering::Equal;
            }
            match (&self.uptimals[&g], &self.uptimals[&h]) {
                (Some(g), Some(h)) => return g.cmp(h),
                (Some(_), None) => return Ordering::Less,
                (None, Some(_)) => return Ordering::Greater,
                (None, None) => {}
            }
            // Different canonical forms have different options, so there is a first difference.
            let sides = self.in_order[&g].iter().zip(&self.in_order[&h]);
            let Some((first, second)) = sides.into_iter().find(|(first, second)| first != second) else {
                return Ordering::Equal;
            };
            match first.iter().zip(second).find(|(first, second)| first != second) {
                Some((&first, &second)) => (g, h) = (first, second),
                None => return first.len().cmp(&second.len()),
            }
        }
    }
}
