//! Solves games in which positions may repeat, region by region.
//!
//! The regions of the [index](crate::index) that lead to each other are a group, and groups are solved from the last one back. Within a
//! group, positions are decided in layers of plies from the ends of play, by undoing moves; what stays undecided is a draw by repetition.
//! Every board of a region is labelled, whether play reaches it or not.
//!
//! - `steps`: moves as changes of planes; `filters`: which moves fit a board.
//! - `layout`: the rows of a region; `group`: a group in memory; `cells`: the state of its positions; `sets`: what a layer has decided.
//! - `ahead`: the forward pass, which finds the ends of play and what moves out of the group are worth (`events`).
//! - `back`, `layers`: undoing moves, layer by layer.
//! - `store`: the labels of finished groups.
//! - `assembled`: the labels of all regions as a table stores them; `reference`: the plain implementation, value iteration.
//!
//! Memory holds the group that is being solved and the regions that its moves lead to.

mod ahead;
mod assembled;
mod back;
mod cells;
mod events;
mod filters;
mod group;
mod layers;
mod layout;
#[cfg(test)]
mod reference;
mod sets;
#[cfg(test)]
mod solutions;
mod steps;
mod store;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Instant;

use crate::domain::Domain;
use crate::index::Regions;
use crate::label::LabelSet;
use crate::labelled::Labelled;
use crate::rules::Rules;
use crate::simd::VectorUnit;
use crate::sparse::{check_symmetries, roots};
use crate::{Options, Solution, SolveError};

use layers::solve_groups;
pub use store::{InMemory, RegionLabels, RegionStore};

/// The index by regions of the positions of `rules` that `options` ask for.
///
/// # Errors
/// If the rules have no such index, or a root or a symmetry is not one of theirs.
pub fn index(rules: &Rules, options: &Options<'_>) -> Result<Domain, SolveError> {
    let starts = roots(rules, options)?;
    let group = options.solver.symmetry();
    check_symmetries(rules, group, &[])?;
    let regions = Regions::new(rules, &starts, None, group);
    let regions = regions.map_err(|reason| SolveError::NoRegions {
        name: rules.name().into(),
        reason,
        is_only: rules.counts_pieces(),
    })?;
    Ok(Domain::Regions { regions: Arc::new(regions), starts, group: group.clone(), longest: 0 })
}

/// Checks that `labels` are outcomes and remoteness.
///
/// # Errors
/// [`SolveError::RegionLabel`] for another label.
pub fn check_region_labels(rules: &Rules, labels: LabelSet) -> Result<(), SolveError> {
    let label = labels.minus(LabelSet::BEST_PLAY).others().next();
    label.map_or(Ok(()), |label| Err(SolveError::RegionLabel { name: rules.name().into(), label }))
}

/// Solves every board of `rules` with the numbers of pieces that play may reach. The labels are outcomes and remoteness.
///
/// # Errors
/// As [`index`]. Also if another label is wanted, memory is insufficient, best play is too long, or the work is stopped.
pub fn solve_regions(rules: &Rules, options: &Options<'_>) -> Result<Solution, SolveError> {
    let begun = Instant::now();
    check_region_labels(rules, options.labels)?;
    let Domain::Regions { regions, starts, group, .. } = index(rules, options)? else {
        unreachable!("the index is by regions")
    };
    let needed = memory_bytes(&regions);
    if let Some(allowed) = options.max_bytes.filter(|&allowed| needed > allowed) {
        return Err(SolveError::LabelMemory { needed, allowed });
    }
    if let Some(limit) = options.max_positions.filter(|&limit| regions.numbers() > limit) {
        return Err(SolveError::MaxPositions { limit, up_to: crate::UpTo::Unordered });
    }
    let mut store = InMemory::new(&regions);
    solve_to(rules, &regions, options, &mut store)?;
    let (outcomes, remoteness, longest) = assembled::assembled(&regions, store.into_labels());
    let domain = Domain::Regions { regions, starts, group, longest };
    let labelled = Labelled { solve_time: begun.elapsed(), ..Labelled::by_regions(domain, outcomes, remoteness) };
    Solution::of_regions(rules, labelled, options.progress)
}

/// Solves `regions`, an index of `rules`, and gives each region to `store` when it is finished. Regions that are in the store already are not
/// solved again.
///
/// # Errors
/// If memory does not suffice, a position has too many moves, best play is too long, or the work is stopped; and the errors of `store`.
pub fn solve_to(
    rules: &Rules,
    regions: &Regions,
    options: &Options<'_>,
    store: &mut dyn RegionStore,
) -> Result<(), SolveError> {
    solve_groups(rules, regions, options, VectorUnit::best(), store)
}

/// Bytes of the labels of a position: its outcome and its plies.
const fn label_bytes(numbers: u64) -> u64 {
    numbers * 9 / 4
}

/// The memory for solving `regions` with all labels in memory, in bytes: the labels of all regions, twice while they are put together, or
/// the group that needs most beside the labels of the others.
#[must_use]
pub fn memory_bytes(regions: &Regions) -> u64 {
    let labels = label_bytes(regions.numbers());
    (labels + largest_group(regions)).max(2 * labels)
}

/// The least memory for solving `regions` with finished regions on disk, in bytes: the group that needs most, with the regions that it leads
/// to.
#[must_use]
pub fn largest_group(regions: &Regions) -> u64 {
    let list = regions.list();
    let size = |region: u32| u64::from(regions.regions()[region as usize].shape.size);
    let of_group = |group: &Vec<u32>| {
        let (numbers, largest) = (group.iter().map(|&it| size(it)).sum(), group.iter().map(|&it| size(it)).max());
        let leads = group.iter().flat_map(|&region| list.leads(region as usize)).flatten().map(|lead| lead.region);
        let outside: std::collections::BTreeSet<u32> = leads.filter(|to| !group.contains(to)).collect();
        let loaded = 2 * outside.iter().map(|&it| size(it)).sum::<u64>();
        let loading = label_bytes(outside.iter().map(|&it| size(it)).max().unwrap_or(0));
        loaded + group::bytes(numbers, largest.unwrap_or(0)).max(loading)
    };
    list.groups().iter().map(of_group).max().unwrap_or(0)
}
