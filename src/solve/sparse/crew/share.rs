//! What is whose share: of a level that is made, and of one that is labelled.

use std::ops::Range;

use super::{Crew, Pace};
use crate::label::LabelKind;

/// So many times as long as putting a level in order, which the first process alone does, it takes to find its outcomes; and longer labels, for
/// which all that a position leads to is looked up.
const OUTCOMES: u64 = 1;
const LABELS: u64 = 3;

/// A position that is told to others takes the time in which so many are gathered: to pack it, to send it and to take it in.
const TOLD: u64 = 2;

impl Crew<'_> {
    /// Which of the things that follow one another with `work` each, in positions, this process does, if each does as much of it as `pace`
    /// says; `None` if each does everything for itself.
    pub(in crate::solve::sparse) fn share(
        &self,
        work: impl Iterator<Item = u64> + Clone,
        pace: &Pace,
    ) -> Option<Range<usize>> {
        let processes = self.others.processes() as u64;
        self.dealt(work, pace.before(processes), |process| pace.before(process))
    }

    /// As [`share`](Self::share) for what is labelled: the first process does less of it, since it puts everything in order.
    pub(in crate::solve::sparse) fn share_to_label(
        &self,
        kind: LabelKind,
        work: impl Iterator<Item = u64> + Clone,
    ) -> Option<Range<usize>> {
        let (labelling, of_first) = self.of_first(kind);
        let processes = self.others.processes() as u64;
        let of_another = (labelling * processes - of_first).checked_div(processes - 1).unwrap_or(0);
        let before = |process: u64| if process == 0 { 0 } else { of_first + (process - 1) * of_another };
        self.dealt(work, before(processes).max(1), before)
    }

    /// Into how many parts labelling a level is divided for each process, and how many of these the first one does: with putting in
    /// order, all do as much.
    pub(super) fn of_first(&self, kind: LabelKind) -> (u64, u64) {
        let labelling = if kind == LabelKind::Outcome { OUTCOMES } else { LABELS };
        (labelling, (labelling + 1).saturating_sub(self.others.processes() as u64))
    }

    /// Whether this process may label some of a level with so many positions.
    pub(in crate::solve::sparse) fn labels_some(&self, kind: LabelKind, count: u64) -> bool {
        !self.is_first() || !self.is_shared(count) || self.of_first(kind).1 > 0
    }

    /// Whether it takes less time to make a part of a level each, and tell it to all others, than if every process makes all of it, where a
    /// level with `count` positions is `gathered` from so many. What is written into common memory takes next to none.
    pub(in crate::solve::sparse) fn tells(&self, (gathered, count): (u64, u64)) -> bool {
        if self.common.is_some() {
            return true;
        }
        let processes = self.others.processes() as u64;
        u128::from(gathered) * u128::from(processes - 1) > u128::from(TOLD * processes) * u128::from(count)
    }

    /// Whether work on so many positions is shared at all.
    pub(in crate::solve::sparse) fn is_shared(&self, count: u64) -> bool {
        count >= self.others.an_exchange() && self.others.processes() > 1
    }

    /// The share of this process: the things whose middles lie from `before(process)` of so many `parts` on, up to where the next one's
    /// share begins.
    fn dealt(
        &self,
        work: impl Iterator<Item = u64> + Clone,
        parts: u64,
        before: impl Fn(u64) -> u64,
    ) -> Option<Range<usize>> {
        let (sum, process) = (work.clone().sum::<u64>(), self.others.process() as u64);
        if !self.is_shared(sum) {
            return None;
        }
        let place = |process: u64| {
            let bound = u128::from(before(process)) * 2 * u128::from(sum);
            let mut done = 0u128;
            let is_before = |work: &u64| {
                let middle = 2 * done + u128::from(*work);
                done += u128::from(*work);
                middle * u128::from(parts) < bound
            };
            work.clone().take_while(is_before).count()
        };
        let end = if process + 1 == self.others.processes() as u64 { work.clone().count() } else { place(process + 1) };
        Some(place(process)..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::sparse::exchange::Exchange;
    use proptest::prelude::*;

    /// One of so many processes, which hears nothing.
    struct One(usize, usize);

    impl Exchange for One {
        fn process(&self) -> usize {
            self.0
        }

        fn processes(&self) -> usize {
            self.1
        }

        fn exchange(&self, parts: Vec<Vec<u8>>) -> std::io::Result<Vec<Vec<u8>>> {
            Ok(parts)
        }

        fn exchange_of(&self, _: &[bool], parts: Vec<Vec<u8>>) -> std::io::Result<Vec<Vec<u8>>> {
            Ok(parts)
        }

        fn an_exchange(&self) -> u64 {
            1
        }
    }

    #[test]
    fn what_is_found_in_less_time_is_not_told() {
        // With two processes half of what is gathered is saved, with eight seven eighths.
        for (processes, most) in [(2, 40), (3, 30), (8, 22)] {
            let one = One(1, processes);
            let tells = |gathered| Crew::new(&one, None, None).tells((gathered, 10));
            assert_eq!([tells(most), tells(most + 1)], [false, true], "{processes}");
        }
        assert!(!Crew::new(&One(0, 2), None, None).tells((0, 0)), "nothing is known of the first level");
    }

    proptest! {
        #[test]
        fn shares_follow_each_other_and_are_even(work in proptest::collection::vec(0u64..50, 1..300), processes in 2usize..20, is_outcome: bool) {
            let (kind, labelling) =
                if is_outcome { (LabelKind::Outcome, OUTCOMES) } else { (LabelKind::Remoteness, LABELS) };
            let sum: u64 = work.iter().sum();
            let most = work.iter().max().copied().unwrap_or(0);
            let (mut end, mut end_to_label) = (0, 0);
            for process in 0..processes {
                let one = One(process, processes);
                let crew = Crew::new(&one, None, None);
                let share = crew.share(work.iter().copied(), &Pace::default());
                let to_label = crew.share_to_label(kind, work.iter().copied());
                prop_assert_eq!(share.is_some(), sum > 0);
                let (Some(share), Some(to_label)) = (share, to_label) else { continue };
                prop_assert_eq!((share.start, to_label.start), (end, end_to_label));
                (end, end_to_label) = (share.end, to_label.end);
                let of = |range: Range<usize>| work[range].iter().sum::<u64>();
                prop_assert!(of(share).abs_diff(sum / processes as u64) <= most + 1);
                // With putting in order, all take as long, if there is so much to label.
                let ordering = if process == 0 { sum / labelling } else { 0 };
                let even = sum * (labelling + 1) / labelling / processes as u64;
                let others = sum / (processes as u64 - 1);
                let bound = if processes as u64 > labelling { others.max(sum / labelling) } else { even };
                prop_assert!(of(to_label.clone()) + ordering <= bound + most + 2, "{to_label:?}");
            }
            prop_assert!(sum == 0 || (end, end_to_label) == (work.len(), work.len()));
        }
    }
}
