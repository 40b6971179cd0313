//! Leads: the regions and moves of lower levels that lead to a region of the next level.

use rayon::prelude::*;

use super::{Flood, TASKS};
use crate::parallel;
use crate::sparse::classes::Class;
use crate::sparse::item::{Item, split};
use crate::sparse::regions::{Region, top_of};

/// A source of positions of a region: a lower region with a class of moves, or a root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lead<W> {
    /// The top of the region that it leads to.
    pub(super) top: W,
    /// The level of the lower region.
    pub(super) filled: u16,
    /// The class of moves, or [`ROOT`].
    pub(super) class: u32,
    /// The index of the lower region in its level, or of the root.
    pub(super) region: u32,
}

/// The class of a lead from a root.
pub(super) const ROOT: u32 = u32::MAX;

impl<T: Item> Flood<'_, T> {
    /// The leads to all regions of level `filled`, sorted by their tops.
    pub(super) fn leads(&self, filled: u32) -> Vec<Lead<T::Key>> {
        let roots = self.roots.iter().enumerate().filter(|(_, root)| root.0 == filled);
        let root = |(number, &(_, root)): (usize, &(u32, T))| Lead {
            top: top_of(root.key(), self.low_bits),
            filled: 0,
            class: ROOT,
            region: number as u32,
        };
        let mut leads: Vec<_> = roots.map(root).collect();
        for below in filled.saturating_sub(self.cost.span())..filled {
            let Some(level) = &self.levels[below as usize] else { continue };
            let of_region = |(number, region): (usize, &Region<T::Key>)| {
                let (mode, board) = split::<T>(self.layout, region.top);
                let has_ongoing = region.ongoing > region.start;
                let classes = self.classes.of_mode(mode).iter().enumerate();
                let lead = move |(class, moves): (usize, &Class<T>)| {
                    let (least, most) = moves.rises(board);
                    let top = moves.region(board).filter(|_| (least..=most).contains(&(filled - below)))?;
                    Some(Lead { top, filled: below as u16, class: class as u32, region: number as u32 })
                };
                classes.filter(move |_| has_ongoing).filter_map(lead)
            };
            let size = level.regions.len().div_ceil(TASKS).max(1);
            let of_task = |(task, regions): (usize, &[Region<T::Key>])| -> Vec<Lead<T::Key>> {
                (task * size..).zip(regions).flat_map(of_region).collect()
            };
            let found = parallel::map(level.regions.chunks(size).enumerate(), of_task);
            leads.reserve_exact(found.iter().map(Vec::len).sum());
            found.into_iter().for_each(|found| leads.extend(found));
        }
        leads.par_sort_unstable();
        leads
    }
}
