//! Which process puts which level in order. The first one has the table in the end; where all of them see the same memory, and nothing is kept
//! for a later build, others put some levels in order for it, which it copies.
//!
//! It labels nothing then, and the others label the levels below while it puts those above in order. So they are done before it is,
//! and take the lowest levels from it.

use std::io;

use super::Crew;
use super::common::Common;
use crate::label::LabelKind;
use crate::reachable::{Codes, Levels};
use crate::solve::sparse::ordered::{Columns, Gap, Labelled, order};
use crate::solve::{SolveError, UpTo};

/// The time in which the outcomes of positions are found, or longer labels, in hundredths of what it takes to put them in order; and that in
/// which tables of labels are made, as everyone does who labels.
const OUTCOMES: u64 = 47;
const LABELS: u64 = 300;
const TABLES: u64 = 37;
const ORDER: u64 = 100;

/// Who puts each of the levels with so many positions in order, the lowest level first, where all processes but the first one label them, in
/// so many hundredths.
fn dealt(processes: usize, labelling: u64, sizes: &[u64]) -> Vec<usize> {
    let (mut of_level, others) = (vec![0; sizes.len()], processes as u64 - 1);
    let mut of_each = vec![0u64; others as usize];
    let Some(busy) = labelling.checked_div(others).map(|labelling| labelling + TABLES) else { return of_level };
    // With as much of the order each, all have as much to do.
    let all = u128::from(sizes.iter().sum::<u64>());
    let theirs = all * u128::from(ORDER.saturating_sub(busy) * others) / u128::from(ORDER * processes as u64);
    let mut done = 0;
    for (of_level, &count) in of_level.iter_mut().zip(sizes) {
        // Up to the level that would be more by more than half of it.
        if done + u128::from(count / 2) >= theirs {
            break;
        }
        let Some((least, busy)) = of_each.iter_mut().enumerate().min_by_key(|(_, busy)| **busy) else { break };
        *of_level = least + 1;
        *busy += count;
        done += u128::from(count);
    }
    of_level
}

/// Levels that are put in order one by one, the last one first.
pub(in crate::solve::sparse) struct InOrder<'a> {
    codes: Codes,
    /// The processes, and the memory that they all see, if others put levels in order.
    crew: Option<(&'a Crew<'a>, &'a Common)>,
    process: usize,
    /// Who does it, how many positions there are, and where in common memory they go: by the numbers of levels.
    levels: Vec<(usize, u64, u64)>,
    /// Where those of others are missing.
    gaps: Vec<(Gap, u64)>,
}

impl<'a> InOrder<'a> {
    /// For `levels` with labels of this kind, which one process labels, or those of `crew` do. All of them call it, with columns of the same kind.
    pub(in crate::solve::sparse) fn new(
        (codes, levels): (Codes, &Levels),
        kind: LabelKind,
        columns: &Columns,
        crew: Option<&'a Crew<'a>>,
    ) -> Self {
        let sizes: Vec<u64> = levels.sizes().map(|size| size.count).collect();
        let process = crew.map_or(0, |crew| crew.others.process());
        let crew = crew.and_then(|crew| Some((crew, crew.common_to_order(kind, sizes.iter().sum())?)));
        let labelling = if kind == LabelKind::Outcome { OUTCOMES } else { LABELS };
        let of_level = match crew {
            Some((crew, _)) => dealt(crew.others.processes(), labelling, &sizes),
            None => vec![0; sizes.len()],
        };
        let place = |(of, count): (usize, u64)| match crew {
            Some((_, common)) if of > 0 => (of, count, common.reserve(columns.bytes_of_level(&codes, count))),
            _ => (of, count, 0),
        };
        let levels = of_level.into_iter().zip(sizes).map(place).collect();
        Self { codes, crew, process, levels, gaps: Vec::new() }
    }

    /// Puts level `number` in order, into `columns`; whether it is there, and not left to another process.
    pub(in crate::solve::sparse) fn put<L: Labelled>(
        &mut self,
        number: usize,
        level: L,
        columns: &mut Columns,
    ) -> io::Result<bool> {
        let (of, count, place) = self.levels.get(number).copied().unwrap_or_default();
        match self.crew {
            _ if of == self.process && of == 0 => order(&self.codes, level, columns)?,
            Some((_, common)) if of == self.process => {
                let mut own = columns.of_level(&self.codes, count)?;
                order(&self.codes, level, &mut own)?;
                let (keys, labels) = own.into_parts();
                let keys = keys.unwrap_or_default();
                common.memory.write(&keys, place)?;
                common.memory.write(&labels, place + keys.len() as u64)?;
            }
            _ if self.process == 0 => self.gaps.push((columns.leave(&self.codes, count), place)),
            _ => {}
        }
        Ok(of == 0 && self.process == 0)
    }

    /// Takes what other processes have put in order, when all levels are.
    pub(in crate::solve::sparse) fn complete(self, columns: &mut Columns) -> Result<(), SolveError> {
        let Some((crew, common)) = self.crew else { return Ok(()) };
        let mut tellers = vec![false; crew.others.processes()];
        self.levels.iter().for_each(|&(of, ..)| tellers[of] |= of > 0);
        crew.others.exchange_of(&tellers, crew.to_all(Vec::new())).map_err(SolveError::Store)?;
        for (gap, place) in self.gaps {
            let positions = self.levels.iter().map(|&(_, count, _)| count).sum();
            let refused = |_| SolveError::Refused { positions, up_to: UpTo::Unordered };
            let map = common.memory.show(place, gap.bytes()).map_err(refused)?;
            columns.fill(gap, &map);
        }
        Ok(())
    }
}

impl Crew<'_> {
    /// The memory by which others put some of so many positions in order, if they do.
    fn common_to_order(&self, kind: LabelKind, count: u64) -> Option<&Common> {
        let is_kept = [&self.resumes, &self.keeps].iter().any(|flag| flag.load(std::sync::atomic::Ordering::Relaxed));
        let (_, of_first) = self.of_first(kind);
        self.common.as_ref().filter(|_| !is_kept && of_first == 0 && self.is_shared(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_have_as_much_to_do(
            sizes in proptest::collection::vec(1u64..1000, 0..60), processes in 2usize..17, labelling in 0u64..400,
        ) {
            let (most, sum) = (sizes.iter().max().copied().unwrap_or(0), sizes.iter().sum::<u64>());
            let of_level = dealt(processes, labelling, &sizes);
            let taken = of_level.iter().take_while(|&&of| of > 0).count();
            prop_assert!(of_level[taken..].iter().all(|&of| of == 0), "the lowest levels");
            let mut of_each = vec![0; processes];
            of_level.iter().zip(&sizes).for_each(|(&of, count)| of_each[of] += count);
            let busy = labelling / (processes as u64 - 1) + TABLES;
            let of_first = of_each.remove(0);
            let [least, of_another] = [of_each.iter().min(), of_each.iter().max()].map(|of| of.copied().unwrap_or(0));
            if of_another > 0 {
                prop_assert!(of_another - least <= most);
                // In hundredths: the first one puts in order alone.
                let [first, another] = [ORDER * of_first, busy * sum + ORDER * (of_another + least) / 2];
                prop_assert!(first.abs_diff(another) <= ORDER * 2 * most, "{first} {another}");
            } else {
                prop_assert!(busy * sum + ORDER * most >= ORDER * of_first);
            }
        }
    }

    #[test]
    fn others_take_what_they_have_time_for() {
        assert_eq!(dealt(1, OUTCOMES, &[3, 4]), [0, 0]);
        // Two: the second one labels everything, in five sixths of the time that order takes, and takes a twelfth from the first one.
        assert_eq!(dealt(2, OUTCOMES, &[6, 14, 20, 40]), [1, 0, 0, 0]);
        assert_eq!(dealt(2, LABELS, &[6, 14, 20, 40]), [0; 4]);
    }
}
