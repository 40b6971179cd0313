//! Whether all processes have the memory for what every one of them finds.

use super::Flood;
use crate::solve::SolveError;
use crate::solve::sparse::crew::Mates;
use crate::solve::sparse::item::Item;
use crate::solve::sparse::part::Part;

/// So many positions are found by each process before all ask each other whether they have the memory.
const UNAGREED: u64 = 1 << 21;

impl<T: Item> Flood<'_, T> {
    /// What this process has made of a level that every process makes, `own`, if it had the memory. All must stop if one has not: they
    /// are asked when so much was found that asking takes no time beside it. Whoever has not asks at once, and is heard when the
    /// others ask next.
    pub(super) fn agree_now_and_then(
        &mut self,
        mates: &dyn Mates<T>,
        own: Result<Vec<Part<T>>, SolveError>,
    ) -> Result<Vec<Part<T>>, SolveError> {
        self.unagreed += own.as_ref().map_or(UNAGREED, |own| own.iter().map(Part::count).sum::<u64>().max(1));
        if self.unagreed < UNAGREED {
            return own;
        }
        self.unagreed = 0;
        Ok(mates.crew().agree(own, |_| 0)?.0)
    }
}
