//! Into which regions a game is cut so that it fits into memory.

use super::schedule::Crossings;
use super::store::Sheet;
use crate::label::LabelSet;
use crate::plane::{Layout, Shape};
use crate::rules::Rules;
use crate::solve::dense::block::TILE;
use crate::solve::dense::layout;
use crate::solve::dense::part::Cut;

/// Most region cells: a million regions, whose schedule takes a few hundred megabytes and seconds.
const MOST_UPPER: u32 = 20;
/// Region cells up to which the exact need is worth the time to find it, and loads are compared.
const COUNTED_UPPER: u32 = 14;
/// How many cuts that fit are compared.
const COMPARED: usize = 3;
/// Pieces in memory beside those of other regions that a region needs: its own, what play goes on from there or what is
/// counted beside it, and two that are being written.
const BESIDE: usize = 4;

/// Bytes of memory for what is known of a sheet of a region: its step in the schedule, when it is wanted, what was counted in it.
const BOOKKEEPING: u64 = 1 << 10;

/// How a game is solved by regions.
#[derive(Clone, Debug)]
pub struct RegionPlan {
    pub(super) layout: Layout,
    pub(super) cut: Cut,
    pub(super) sheets: Vec<Sheet>,
    /// Pieces of other regions that are in memory at once.
    pub(super) room: usize,
    piece_bytes: u64,
}

impl RegionPlan {
    /// Cuts the boards of `rules` into as few regions as fit, so that solving `labels` holds at most `max_bytes` bytes of labels
    /// in memory; with what play reaches if `marks` is set. `None` if no cut fits.
    #[must_use]
    pub fn new(rules: &Rules, labels: LabelSet, marks: bool, max_bytes: u64) -> Option<Self> {
        let layout = layout::choose(rules);
        let with = |upper| Self::with(rules, &layout, labels, marks, upper, max_bytes);
        let fitting = Self::uppers(rules).filter_map(with);
        // With more region cells more moves cross a border, but more pieces stay in memory: what is loaded decides.
        let (few, mut many): (Vec<_>, Vec<_>) =
            fitting.take(COMPARED).partition(|plan: &Self| plan.region_cells() <= COUNTED_UPPER);
        let best = few.into_iter().min_by_key(|plan| plan.loaded_bytes(rules));
        best.or_else(|| (!many.is_empty()).then(|| many.swap_remove(0)))
    }

    /// As [`new`](Self::new), with `upper` region cells.
    #[must_use]
    pub fn with_region_cells(rules: &Rules, labels: LabelSet, marks: bool, upper: u32, max_bytes: u64) -> Option<Self> {
        let is_possible = Self::uppers(rules).contains(&upper);
        is_possible.then(|| Self::with(rules, &layout::choose(rules), labels, marks, upper, max_bytes)).flatten()
    }

    /// The numbers of region cells that a board may be cut by: none, or as many as leave a tile of other cells at least.
    fn uppers(rules: &Rules) -> std::ops::RangeInclusive<u32> {
        0..=rules.cells().saturating_sub(TILE).min(MOST_UPPER)
    }

    fn with(rules: &Rules, layout: &Layout, labels: LabelSet, marks: bool, upper: u32, max_bytes: u64) -> Option<Self> {
        let cut = Cut::new(rules.cells(), upper);
        let sheets: Vec<Sheet> = Sheet::all(labels, marks).collect();
        let piece_bytes = piece_bytes(rules, cut, &sheets)?;
        let left = max_bytes.checked_sub(bookkeeping(cut, &sheets))?;
        let pieces = usize::try_from(left / piece_bytes).ok()?;
        let crossings = Crossings::new(&layout.apply(rules), cut);
        let room = pieces.checked_sub(BESIDE).filter(|&room| room >= needed(&crossings, marks))?;
        Some(Self { layout: layout.clone(), cut, sheets, room, piece_bytes })
    }

    /// The least memory for labels, in bytes, with which `labels` are solved by regions; `None` if no number says it.
    #[must_use]
    pub fn least_bytes(rules: &Rules, labels: LabelSet, marks: bool) -> Option<u64> {
        let layout = layout::choose(rules);
        let renumbered = layout.apply(rules);
        let sheets: Vec<Sheet> = Sheet::all(labels, marks).collect();
        let of = |upper| {
            let cut = Cut::new(rules.cells(), upper);
            let crossings = Crossings::new(&renumbered, cut);
            let pieces = piece_bytes(rules, cut, &sheets)?.checked_mul((needed(&crossings, marks) + BESIDE) as u64);
            pieces?.checked_add(bookkeeping(cut, &sheets))
        };
        Self::uppers(rules).filter_map(of).min()
    }

    /// The number of regions.
    #[must_use]
    pub const fn regions(&self) -> u64 {
        self.cut.regions()
    }

    /// How many cells of the highest places name a region.
    #[must_use]
    pub const fn region_cells(&self) -> u32 {
        self.cut.upper()
    }

    /// The layout of the planes.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What is swept, in this order.
    #[must_use]
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The planes of a sheet of one region.
    #[must_use]
    pub fn shape(&self, rules: &Rules, sheet: Sheet) -> Shape {
        sheet.shape(rules, self.cut.cells())
    }

    /// Bytes of a sheet of one region.
    pub(super) fn sheet_bytes(&self, rules: &Rules, sheet: Sheet) -> u64 {
        self.shape(rules, sheet).bytes().unwrap_or_else(|| unreachable!("a plan has sizes"))
    }

    /// Bytes of memory that solving takes at most.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        (self.room + BESIDE) as u64 * self.piece_bytes + bookkeeping(self.cut, &self.sheets)
    }

    /// Bytes that are loaded of regions that have left memory.
    #[must_use]
    pub fn loaded_bytes(&self, rules: &Rules) -> u64 {
        let crossings = Crossings::new(&self.layout.apply(rules), self.cut);
        let of = |sheet: &Sheet| {
            let loads = crossings.schedule(*sheet == Sheet::Reached, self.room, |_| false).loads();
            loads.saturating_mul(self.sheet_bytes(rules, *sheet))
        };
        self.sheets.iter().map(of).fold(0, u64::saturating_add)
    }
}

/// Bytes of memory for what is known of the regions.
fn bookkeeping(cut: Cut, sheets: &[Sheet]) -> u64 {
    cut.regions() * sheets.len() as u64 * BOOKKEEPING
}

/// Bytes of the largest sheet of a region.
fn piece_bytes(rules: &Rules, cut: Cut, sheets: &[Sheet]) -> Option<u64> {
    let bytes = sheets.iter().map(|sheet| sheet.shape(rules, cut.cells()).bytes());
    bytes.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// The most other regions that one region needs; where there are many regions, a bound.
fn needed(crossings: &Crossings, marks: bool) -> usize {
    if crossings.cut().upper() > COUNTED_UPPER {
        return crossings.bound(marks);
    }
    crossings.most(false).max(if marks { crossings.most(true) } else { 0 })
}
