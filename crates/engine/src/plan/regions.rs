//! The size of a game that is solved by regions, which follows from its regions alone.

use std::path::Path;
use std::sync::Arc;

use crate::plan::compress::Compress;
use crate::plan::cost::SolverTraits;
use crate::plan::disk::DiskNeed;
use crate::plan::memory_budget::{Allowance, Shortage, sparse_baseline_bytes, sparse_memory_bytes};
use crate::roots::sorted_roots;
use crate::{EngineError, UseSymmetry};
use tablegen_games::{Game, GameError};
use tablegen_index::domain::Domain;
use tablegen_index::regions::Regions;
use tablegen_index::symmetry::Group;
use tablegen_labels::{LabelSet, Remoteness};
use tablegen_rules::RulesError;
use tablegen_solvers::{
    Method, Options, SolveError, Solver, check_method, least_region_memory_bytes, region_index, region_memory_bytes,
};
use tablegen_tables::table::{file_bytes, region_reading_bytes};

/// Up to this count of numbers, a build is quick: it takes seconds.
const MANY: u64 = 1 << 26;

/// The index by regions of a game, and what its table takes.
pub(crate) struct RegionPlan<'a> {
    game: &'a dyn Game,
    domain: Domain,
}

/// The symmetries of `game` by which it is solved by regions. They need not keep the starts.
///
/// # Errors
/// If the game declares a symmetry that it does not have.
pub(crate) fn region_group(game: &dyn Game, asked: UseSymmetry) -> Result<Group, EngineError> {
    if asked == UseSymmetry::Never {
        return Ok(Group::trivial().clone());
    }
    let group = Group::of_rules(game.rules(), &[]);
    Ok(group.map_err(|(index, reason)| GameError::from(RulesError::Symmetry { index, reason }))?)
}

/// Checks that the solver `method` can make a table of `game`, whatever its size.
///
/// # Errors
/// The reason why it cannot.
pub fn check_solver(game: &dyn Game, method: Method) -> Result<(), EngineError> {
    check_method(game.rules(), method)?;
    if method == Method::Regions {
        RegionPlan::new(game, &region_group(game, UseSymmetry::Auto)?)?;
    }
    Ok(())
}

impl<'a> RegionPlan<'a> {
    /// The index of `game` up to the symmetries of `group`.
    ///
    /// # Errors
    /// If it has none.
    pub(crate) fn new(game: &'a dyn Game, group: &Group) -> Result<Self, SolveError> {
        let roots = sorted_roots(game);
        let options = Options { roots: &roots, ..Options::of(Solver::Regions { symmetry: group }) };
        Ok(Self { game, domain: region_index(game.rules(), &options)? })
    }

    /// The numbers of its boards.
    pub(crate) fn regions(&self) -> &Regions {
        match &self.domain {
            Domain::Regions { regions, .. } => regions,
            _ => unreachable!("the domain is by regions"),
        }
    }

    /// The domain of the table, whose most plies are not known yet.
    pub(crate) const fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The size of the file of the table, uncompressed, where no label has more than `longest` plies: they decide whether plies take one
    /// byte or two.
    pub(crate) fn file_bytes_with(&self, longest: u16) -> Option<u64> {
        let Domain::Regions { regions, starts, group, .. } = &self.domain else {
            unreachable!("the domain is by regions")
        };
        let (regions, starts, group) = (Arc::clone(regions), starts.clone(), group.clone());
        let domain = Domain::Regions { regions, starts, group, longest };
        file_bytes(self.game.rules(), &self.game.descriptor(), &domain, LabelSet::BEST_PLAY)
    }

    /// The size of the file with two bytes for the plies. Before a build it is not known whether one byte suffices.
    pub(crate) fn file_bytes(&self) -> Option<u64> {
        self.file_bytes_with(Remoteness::MOST_IN_WORD)
    }

    /// The peak memory of a build.
    pub(crate) fn memory_bytes(&self) -> u64 {
        sparse_memory_bytes(region_memory_bytes(self.regions()), sparse_baseline_bytes(self.game.rules()))
    }

    /// Returns whether a build takes at most seconds and fits in memory, so that it needs no checkpoints.
    pub(crate) fn is_quick(&self, limit: Option<u64>) -> bool {
        self.regions().numbers() <= MANY && self.check_memory(limit).is_ok()
    }

    /// Checks that a build has enough memory.
    ///
    /// # Errors
    /// If it does not.
    pub(crate) fn check_memory(&self, limit: Option<u64>) -> Result<(), Shortage> {
        Allowance::of(limit).check(self.game.rules(), Some(self.memory_bytes()))
    }

    /// The least memory of a build, which keeps finished regions on disk and reads them back for the table.
    pub(crate) fn least_memory_bytes(&self) -> u64 {
        let reading = region_reading_bytes(self.regions(), rayon::current_num_threads());
        sparse_memory_bytes(
            least_region_memory_bytes(self.regions()).max(reading),
            sparse_baseline_bytes(self.game.rules()),
        )
    }

    /// Checks that a build has memory for the group of regions that needs most.
    ///
    /// # Errors
    /// If it does not.
    pub(crate) fn check_least_memory(&self, limit: Option<u64>) -> Result<(), Shortage> {
        Allowance::of(limit).check(self.game.rules(), Some(self.least_memory_bytes()))
    }

    /// The disk space of the table at `path`, of at most `bytes` uncompressed, and the compression that applies by default.
    pub(crate) fn disk(&self, path: &Path, bytes: u64, compress: Compress) -> DiskNeed {
        let traits = SolverTraits::of(Method::Regions);
        let compressed = compress.of_new(traits, Some(bytes)).map(|_| traits.compressed_bytes(bytes));
        DiskNeed::new(path, bytes, 0, compressed)
    }
}
