//! What leads from the regions of lower levels to those of the next one.

use rayon::prelude::*;

use super::Flood;
use crate::solve::sparse::classes::Class;
use crate::solve::sparse::item::{Item, split};
use crate::solve::sparse::regions::{Region, top_of};

/// What leads to a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lead<W> {
    /// The key of each position it leads to, with the low bits zero.
    pub(super) top: W,
    /// The level it comes from.
    pub(super) filled: u16,
    /// The region there, and the class of moves; [`ROOT`], and the number of a root.
    pub(super) class: u32,
    pub(super) region: u32,
}

/// The class of a root.
pub(super) const ROOT: u32 = u32::MAX;

impl<T: Item> Flood<'_, T> {
    /// What leads to regions of the level with `filled` filled cells, by where it leads.
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
                let is_live = region.live > region.start;
                let classes = self.classes.of_mode(mode).iter().enumerate();
                let lead = move |(class, moves): (usize, &Class<T>)| {
                    let (least, most) = moves.rises(board);
                    let top = moves.region(board).filter(|_| (least..=most).contains(&(filled - below)))?;
                    Some(Lead { top, filled: below as u16, class: class as u32, region: number as u32 })
                };
                classes.filter(move |_| is_live).filter_map(lead)
            };
            leads.par_extend(level.regions.par_iter().enumerate().flat_map_iter(of_region));
        }
        leads.par_sort_unstable();
        leads
    }
}
