//! The time of a build by regions, from a trial: a build begins with the smallest groups of regions, and some are solved.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::EngineError;
use tablegen_index::regions::Regions;
use tablegen_rules::Rules;
use tablegen_solvers::{InMemory, Options, Progress, RegionLabels, RegionStore, SolveError, Watch, solve_regions_to};

/// The time after which a trial ends.
const TRIAL_TIME: Duration = Duration::from_millis(800);
/// A trial solves no group with more numbers, because it would need much memory.
const MOST_NUMBERS: u64 = 1 << 24;
/// The processor time for a number where the trial finished no group, in nanoseconds. It was measured in Quixo and Nine Men's Morris.
const NUMBER_NANOSECONDS: u64 = 300;

/// What a trial found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trial {
    /// The time in which a build solves all regions.
    pub(crate) time: Duration,
    /// The most plies in the regions that were solved.
    pub(crate) longest: u16,
    /// True if all regions were solved.
    pub(crate) is_whole: bool,
}

/// Solves the first groups of `regions`, an index of `rules`, with `threads` threads.
///
/// # Errors
/// If solving fails, or `progress` stops it.
pub(crate) fn trial(
    rules: &Rules,
    regions: &Regions,
    threads: usize,
    progress: Option<Watch<'_>>,
) -> Result<Trial, EngineError> {
    let begun = Instant::now();
    let mut groups = TrialGroups {
        inner: InMemory::new(regions),
        sizes: regions.list().groups().iter().map(|group| numbers_of(regions, group)).collect(),
        finished: 0,
        begun,
        time: Duration::ZERO,
        longest: 0,
    };
    let is_stopped = |now| progress.is_some_and(|progress| progress(now).is_break());
    let watch = |now: Progress| {
        if begun.elapsed() > TRIAL_TIME || is_stopped(now) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = Options { progress: Some(&watch), ..Options::default() };
    let solved = match groups.may_go_on() {
        true => solve_regions_to(rules, regions, &options, &mut groups),
        false => Err(SolveError::Cancelled),
    };
    match solved {
        // Within the time of the trial, only the caller stops the work.
        Err(SolveError::Cancelled) if begun.elapsed() <= TRIAL_TIME && groups.may_go_on() => {
            return Err(SolveError::Cancelled.into());
        }
        Ok(()) | Err(SolveError::Cancelled) => {}
        Err(error) => return Err(error.into()),
    }
    let (all, known) = (regions.numbers(), groups.sizes[..groups.finished].iter().sum::<u64>());
    let time = match known {
        0 => Duration::from_nanos(all.saturating_mul(NUMBER_NANOSECONDS) / threads.max(1) as u64),
        _ => groups.time.mul_f64(all as f64 / known as f64),
    };
    Ok(Trial { time, longest: groups.longest, is_whole: solved.is_ok() })
}

/// The count of numbers of the regions in `group`.
fn numbers_of(regions: &Regions, group: &[u32]) -> u64 {
    group.iter().map(|&region| u64::from(regions.regions()[region as usize].shape.size)).sum()
}

/// The groups of a trial, in memory.
struct TrialGroups {
    inner: InMemory,
    /// The count of numbers of each group.
    sizes: Vec<u64>,
    finished: usize,
    begun: Instant,
    /// The time in which the finished groups were solved.
    time: Duration,
    longest: u16,
}

impl TrialGroups {
    /// Returns whether the next group is small, or there is none.
    fn may_go_on(&self) -> bool {
        self.sizes.get(self.finished).is_none_or(|&numbers| numbers <= MOST_NUMBERS)
    }
}

impl RegionStore for TrialGroups {
    fn is_finished(&self, region: usize) -> bool {
        self.inner.is_finished(region)
    }

    fn keep(&mut self, region: usize, labels: RegionLabels) -> Result<(), SolveError> {
        self.longest = self.longest.max(labels.longest);
        self.inner.keep(region, labels)
    }

    fn group_is_finished(&mut self) -> Result<(), SolveError> {
        self.finished += 1;
        self.time = self.begun.elapsed();
        if self.may_go_on() { Ok(()) } else { Err(SolveError::Cancelled) }
    }

    fn load(&self, region: usize) -> Result<Arc<RegionLabels>, SolveError> {
        self.inner.load(region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::regions::{RegionPlan, region_group};
    use crate::{UseSymmetry, game};
    use tablegen_games::Parameters;

    #[test]
    fn a_trial_of_a_small_game_is_whole_and_of_a_large_one_ends() {
        for (name, men, is_whole) in [("six-mens-morris", 3, true), ("nine-mens-morris", 9, false)] {
            let game = game(name, &Parameters::new().with("men", men)).unwrap();
            let group = region_group(game.as_ref(), UseSymmetry::Auto).unwrap();
            let plan = RegionPlan::new(game.as_ref(), &group).unwrap();
            let found = trial(game.rules(), plan.regions(), 2, None).unwrap();
            assert_eq!(found.is_whole, is_whole, "{name}");
            assert!(is_whole || found.time > Duration::from_secs(60), "{name}: {:?}", found.time);
            let stop = |_| ControlFlow::Break(());
            assert!(trial(game.rules(), plan.regions(), 2, Some(&stop)).is_err(), "{name}");
        }
    }
}
