//! Whether this machine can build an estimated table, and what helps if it may not.

use crate::plan::disk::DiskNeed;
use crate::plan::estimate::Estimate;
use crate::plan::machine::available_memory;
use crate::plan::memory_budget::{Limit, Resource, Shortage};
use crate::{Advice, SolverCost};
use tablegen_games::Game;
use tablegen_labels::LabelSet;

/// The spare memory of a sweep in memory, as a multiple of its labels.
const SPARE: u64 = 2;

/// Whether this machine can build a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fits {
    /// Memory and disk suffice.
    Yes,
    /// Memory or disk is too small.
    No,
    /// A build finds it out: positions were not counted, or the disk suffices only if the labels compress well.
    Unknown,
}

impl Fits {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

impl Estimate {
    /// Whether this machine can build the table.
    #[must_use]
    pub fn fits(&self) -> Fits {
        match (&self.shortage, self.memory_bytes) {
            (Some(_), _) => Fits::No,
            (None, Some(_)) if self.tight_disk().is_none() && self.values.is_none() => Fits::Yes,
            _ => Fits::Unknown,
        }
    }

    /// The need of disk space, if the disk suffices only for compressed labels.
    #[must_use]
    pub fn tight_disk(&self) -> Option<&DiskNeed> {
        self.disk.as_ref().filter(|disk| self.shortage.is_none() && disk.may_fill())
    }

    /// What helps if the table of `game` does not fit, or may not: alternatives, the best one first. A search of single positions is
    /// always the last.
    #[must_use]
    pub fn advice(&self, game: &dyn Game) -> Vec<Advice> {
        self.advice_with(game, available_memory())
    }

    fn advice_with(&self, game: &dyn Game, available: Option<u64>) -> Vec<Advice> {
        let Some(shortage) = &self.shortage else {
            let disk = [Advice::LargerDisk, Advice::FreeSpace].into_iter().filter(|_| self.tight_disk().is_some());
            return disk.collect();
        };
        let is_small = |needed: u64| available.is_some_and(|available| needed <= available);
        let is_allowed = matches!(shortage.limit, Limit::Requested | Limit::Default);
        let more = match (shortage.resource, shortage.needed) {
            (Resource::Memory, Some(needed)) if is_allowed && is_small(needed) => Some(Advice::MoreMemory),
            (Resource::Disk, Some(_)) => Some(Advice::LargerDisk),
            _ => None,
        };
        let solver = self.smaller_solver(shortage).map(|cost| Advice::OtherSolver(cost.method.name()));
        let part = (game.part().is_none() && !game.parts().is_empty()).then_some(Advice::Part);
        let has_size = game.descriptor().parameters.iter().any(|(_, value)| value.parse::<u32>().is_ok());
        let smaller = has_size.then_some(Advice::SmallerGame);
        more.into_iter().chain(solver).chain(part).chain(smaller).chain([Advice::Search]).collect()
    }

    /// The solver with the least work whose labels fit into the memory that lacks. Only the size of outcomes is known.
    fn smaller_solver(&self, shortage: &Shortage) -> Option<&SolverCost> {
        let figures = self.choice.figures.as_ref().filter(|_| self.labels == LabelSet::OUTCOME)?;
        let fits = |cost: &SolverCost| {
            cost.bytes.and_then(|bytes| bytes.checked_mul(SPARE)).is_some_and(|bytes| bytes <= shortage.available)
        };
        let mut others = figures.instead(self.choice.method).map(|(cost, _)| cost);
        others.find(|cost| shortage.resource == Resource::Memory && fits(cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, EstimatedPositions, Figures, Reachable};
    use tablegen_games::{Parameters, bundled};
    use tablegen_solvers::Method;

    const NEEDED: u64 = 8 << 30;

    fn game(name: &str) -> Box<dyn Game> {
        bundled(name, &Parameters::new()).unwrap().unwrap()
    }

    /// An estimate of a sparse table that needs [`NEEDED`] bytes, where dense labels take `dense` bytes.
    fn estimate(limit: Limit, dense: u64) -> Estimate {
        let reached = Reachable::Exactly(1 << 30);
        let cost = |method, bytes| SolverCost { method, work: 1, bytes: Some(bytes) };
        let costs = vec![cost(Method::Sparse, NEEDED), cost(Method::Dense, dense)];
        let figures = Figures { all: 1 << 40, colourings: None, reached, costs };
        let shortage = Shortage {
            resource: Resource::Memory,
            name: Some("it".into()),
            needed: Some(NEEDED),
            available: 4 << 30,
            limit,
            largest_board: None,
        };
        Estimate {
            choice: Choice { method: Method::Sparse, reason: String::new(), figures: Some(figures) },
            labels: LabelSet::OUTCOME,
            positions: EstimatedPositions::Found { reachable: reached, representatives: None },
            symmetry: None,
            file_bytes: None,
            disk: None,
            values: None,
            memory_bytes: Some(NEEDED),
            shortage: Some(shortage),
        }
    }

    /// More memory is advised only where the machine has it, a solver only where it fits, a part only where the game has one.
    #[test]
    fn advice_is_true_for_the_case() {
        let (sized, parted) = (game("domineering"), game("picaria"));
        let advice = |of: &Estimate, game: &dyn Game, available| of.advice_with(game, Some(available));
        let last = [Advice::SmallerGame, Advice::Search];
        let allowed = estimate(Limit::Requested, 1 << 40);
        assert_eq!(advice(&allowed, sized.as_ref(), NEEDED), [&[Advice::MoreMemory], &last[..]].concat());
        assert_eq!(advice(&allowed, sized.as_ref(), NEEDED - 1), last);
        let machine = estimate(Limit::Available, 2 << 30);
        assert_eq!(advice(&machine, sized.as_ref(), NEEDED), [&[Advice::OtherSolver("dense")], &last[..]].concat());
        let labelled = Estimate { labels: LabelSet::ALL, ..machine };
        assert_eq!(advice(&labelled, sized.as_ref(), NEEDED), last);
        let advised = advice(&labelled, parted.as_ref(), NEEDED);
        assert_eq!((advised[0], advised.last()), (Advice::Part, Some(&Advice::Search)));
        assert_eq!(labelled.fits(), Fits::No);
    }

    #[test]
    fn a_table_may_fit_only_where_its_disk_is_tight_or_nothing_was_counted() {
        let fitting = Estimate { shortage: None, ..estimate(Limit::Available, 0) };
        let disk = |free| DiskNeed { folder: "x".into(), bytes: 10, compressed: Some(3), free: Some(free) };
        let with = |free| Estimate { disk: Some(disk(free)), ..fitting.clone() };
        assert_eq!([fitting.fits(), with(10).fits(), with(9).fits()], [Fits::Yes, Fits::Yes, Fits::Unknown]);
        assert_eq!(Estimate { memory_bytes: None, ..fitting.clone() }.fits(), Fits::Unknown);
        let advice = |of: &Estimate| of.advice_with(game("domineering").as_ref(), None);
        assert_eq!((advice(&with(9)), advice(&fitting)), (vec![Advice::LargerDisk, Advice::FreeSpace], Vec::new()));
    }
}
