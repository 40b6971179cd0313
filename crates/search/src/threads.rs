//! One search by several threads.
//!
//! All threads look at the same position and window. They share what they find through the table, put off moves that another thread is searching
//! or try moves in other orders, and stop when one of them has the value. Values are exact, so they do not depend on the threads.

use crate::alpha_beta::{Access, Scale, Table, Word};
use crate::budget::Budget;
use crate::outcome::Effort;
use crate::pool::{Pool, Why};

/// The threads that a search may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threads {
    pub(crate) count: usize,
    /// Positions that one thread expands before the others join it: a thread takes a while to start.
    pub(crate) alone: u64,
}

impl Threads {
    /// One thread.
    pub(crate) const ONE: Self = Self::new(1);

    pub(crate) const fn new(count: usize) -> Self {
        Self { count, alone: 1 << 15 }
    }
}

/// How often a table doubles before threads share it.
const TIMES: u32 = 3;

/// What a question may use.
pub(crate) struct Means<'a> {
    pub(crate) threads: Threads,
    pub(crate) continues: Option<&'a mut dyn FnMut(u64) -> bool>,
    pub(crate) effort: &'a mut Effort,
    /// The effort at which the search stops.
    pub(crate) end: Effort,
}

/// A question to a search with a table, which any thread can answer.
pub(crate) trait Question<W: Word, S: Scale>: Sync {
    /// What a thread changes as it searches.
    type Own: Send;
    type Answer: Send;

    /// What the thread with this number, from 1 on, begins with.
    fn of_thread(&self, own: &Self::Own, thread: usize) -> Self::Own;

    /// The answer; `None` if the search stops.
    fn answer(&self, table: Access<'_, W, S>, own: &mut Self::Own, budget: &mut Budget<'_>) -> Option<Self::Answer>;
}

impl Means<'_> {
    /// The answer to `question`; `None` if the search stops.
    pub(crate) fn find<W: Word, S: Scale, Q: Question<W, S>>(
        mut self,
        question: &Q,
        table: &mut Table<W, S>,
        own: &mut Q::Own,
    ) -> Option<Q::Answer> {
        let is_alone = self.threads.count < 2;
        let until = if is_alone { self.end } else { self.effort.end(self.threads.alone).least(self.end) };
        let mut is_told = false;
        let mut continues = self.continues.as_mut().map(|continues| {
            |expanded| {
                is_told |= !continues(expanded);
                !is_told
            }
        });
        let continues = continues.as_mut().map(|it| it as &mut dyn FnMut(u64) -> bool);
        let budget = &mut Budget::new(continues, *self.effort, until);
        let found = question.answer(Access::Alone(table), own, budget);
        *self.effort = budget.effort;
        if found.is_some() || is_alone || is_told || self.effort.reaches(self.end) {
            return found;
        }
        loop {
            // What was found is in the table, so the search comes to where it stopped, but in another order: this should be rare.
            table.grow(TIMES);
            match self.together(question, table, own) {
                Err(Some(Why::Full)) => {}
                found => return found.ok(),
            }
        }
    }

    /// The answer by all threads, or why there is none.
    fn together<W: Word, S: Scale, Q: Question<W, S>>(
        &mut self,
        question: &Q,
        table: &Table<W, S>,
        own: &mut Q::Own,
    ) -> Result<Q::Answer, Option<Why>> {
        let left = self.end.minus(*self.effort);
        let (pool, guard, begun) = (&Pool::new(left), &W::Guard::default(), self.effort.expanded);
        let search = |own: &mut Q::Own, continues: Option<&mut dyn FnMut(u64) -> bool>| {
            let mut budget = Budget::of(pool, continues.map(|it| it as _));
            let found = question.answer(Access::shared(table, pool, guard), own, &mut budget);
            budget.finish();
            found
        };
        // Each thread begins with what the first one has learned.
        let others: Vec<Q::Own> = (1..self.threads.count).map(|thread| question.of_thread(own, thread)).collect();
        let mut continues = self.continues.as_mut();
        let mut continues = continues.as_mut().map(|continues| |_| continues(begun + left.minus(pool.left()).expanded));
        let continues = continues.as_mut().map(|it| it as &mut dyn FnMut(u64) -> bool);
        let found = pool.search(others, |mut own| search(&mut own, None), || search(own, continues));
        *self.effort = self.effort.plus(left.minus(pool.left()));
        found.ok_or_else(|| pool.why())
    }
}
