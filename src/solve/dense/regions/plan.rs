//! Into which regions a game is cut so that it fits into memory.

use super::crossings::{self, Crossings};
use crate::label::LabelSet;
use crate::plane::{Layout, Shape};
use crate::rules::Rules;
use crate::solve::dense::block::TILE;
use crate::solve::dense::layout;
use crate::solve::dense::part::Cut;
use crate::solve::regions::{BOOKKEEPING, Sheet};
use crate::symmetry::Fold;

/// Most region cells: a million regions, whose schedule takes a few hundred megabytes and seconds.
const MOST_UPPER: u32 = 20;
/// Region cells up to which the exact need is worth the time to find it, and loads are compared.
const COUNTED_UPPER: u32 = 14;
/// How many cuts that fit are compared.
const COMPARED: usize = 3;
/// Pieces in memory beside those of other regions that a region needs: its own, what play goes on from there or what is
/// counted beside it, and two that are being written.
const BESIDE: usize = 4;

/// What is solved by regions.
#[derive(Clone, Copy, Debug)]
pub struct RegionTask<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Which boards stand for others, if they are solved up to symmetry.
    pub fold: Option<&'a Fold>,
    /// The labels.
    pub labels: LabelSet,
    /// Whether what play reaches is marked.
    pub marks: bool,
}

/// How a game is solved by regions.
#[derive(Clone, Debug)]
pub struct RegionPlan {
    pub(super) layout: Layout,
    pub(super) fold: Option<Fold>,
    pub(super) cut: Cut,
    pub(super) sheets: Vec<Sheet>,
    /// Pieces of other regions that are in memory at once.
    pub(super) room: usize,
    piece_bytes: u64,
}

impl RegionTask<'_> {
    fn layout(&self) -> Layout {
        self.fold.map_or_else(|| layout::choose(self.rules), |fold| fold.layout().clone())
    }

    fn sheets(&self) -> Vec<Sheet> {
        Sheet::all(self.labels, self.marks).collect()
    }

    /// The numbers of region cells that a board may be cut by: none, or as many as leave a tile of other cells at least. Up to
    /// symmetry, some that are images of one another.
    fn uppers(&self) -> impl Iterator<Item = u32> {
        let most = self.rules.cells().checked_sub(TILE).map(|most| most.min(MOST_UPPER));
        let fold = self.fold;
        most.into_iter().flat_map(|most| 0..=most).filter(move |&upper| fold.is_none_or(|fold| fold.allows(upper)))
    }

    fn plan(&self, layout: &Layout, upper: u32, max_bytes: u64) -> Option<RegionPlan> {
        let cut = Cut::new(self.rules.cells(), upper);
        let sheets = self.sheets();
        let piece_bytes = piece_bytes(self.rules, cut, &sheets)?;
        let left = max_bytes.checked_sub(bookkeeping(cut, &sheets))?;
        let pieces = usize::try_from(left / piece_bytes).ok()?;
        let crossings = Crossings::new(&layout.apply(self.rules), cut, self.fold);
        let needed = needed(&crossings, self.marks);
        let room = pieces.checked_sub(beside(self.fold)).filter(|&room| room >= needed)?;
        let mut plan = RegionPlan { layout: layout.clone(), fold: self.fold.cloned(), cut, sheets, room, piece_bytes };
        if plan.fold.is_some() {
            // An image is as soon made again as the system gives more memory to keep it in.
            plan.room = room.min(usize::try_from(plan.regions()).unwrap_or(usize::MAX).max(needed));
        }
        Some(plan)
    }
}

impl RegionPlan {
    /// Smaller boards than this, in cells, are solved whole: a region is a tile at least.
    pub const LEAST_CELLS: u32 = TILE;

    /// Cuts the boards of `task` into as few regions as fit, so that solving holds at most `max_bytes` bytes of labels in
    /// memory. `None` if no cut fits.
    #[must_use]
    pub fn new(task: &RegionTask<'_>, max_bytes: u64) -> Option<Self> {
        let layout = task.layout();
        let fitting: Vec<Self> =
            task.uppers().filter_map(|upper| task.plan(&layout, upper, max_bytes)).take(COMPARED).collect();
        // With more region cells more moves cross a border, but more pieces stay in memory: what is loaded decides, where it is
        // soon counted.
        let counted = fitting.iter().filter(|plan| plan.region_cells() <= COUNTED_UPPER);
        counted.min_by_key(|plan| plan.loaded_bytes(task.rules)).or(fitting.first()).cloned()
    }

    /// As [`new`](Self::new), with `upper` region cells.
    #[must_use]
    pub fn with_region_cells(task: &RegionTask<'_>, upper: u32, max_bytes: u64) -> Option<Self> {
        let is_possible = task.uppers().any(|possible| possible == upper);
        is_possible.then(|| task.plan(&task.layout(), upper, max_bytes)).flatten()
    }

    /// As [`with_region_cells`](Self::with_region_cells), with each number of region cells up to `most` that is possible and fits.
    pub fn each_up_to(task: &RegionTask<'_>, most: u32, max_bytes: u64) -> impl Iterator<Item = Self> {
        let layout = task.layout();
        let uppers = task.uppers().take_while(move |&upper| upper <= most);
        uppers.filter_map(move |upper| task.plan(&layout, upper, max_bytes))
    }

    /// The least memory for labels, in bytes, with which `task` is solved by regions; `None` if no number says it.
    #[must_use]
    pub fn least_bytes(task: &RegionTask<'_>) -> Option<u64> {
        let renumbered = task.layout().apply(task.rules);
        let sheets = task.sheets();
        let of = |upper| {
            let cut = Cut::new(task.rules.cells(), upper);
            let crossings = Crossings::new(&renumbered, cut, task.fold);
            let pieces = (needed(&crossings, task.marks) + beside(task.fold)) as u64;
            piece_bytes(task.rules, cut, &sheets)?.checked_mul(pieces)?.checked_add(bookkeeping(cut, &sheets))
        };
        task.uppers().filter_map(of).min()
    }

    /// The number of regions that are swept; up to symmetry, each stands for all of its images.
    #[must_use]
    pub fn regions(&self) -> u64 {
        let stored = |fold: &Fold| (fold.stored().len() as u64) << (self.cut.upper() - fold.region_cells());
        self.fold.as_ref().map_or(self.cut.regions(), stored)
    }

    /// The regions that are swept, in ascending order.
    pub(in crate::solve) fn swept(&self) -> impl DoubleEndedIterator<Item = u64> {
        crossings::swept(self.cut, self.fold.as_ref())
    }

    /// Which boards stand for others, if they are solved up to symmetry.
    #[must_use]
    pub const fn fold(&self) -> Option<&Fold> {
        self.fold.as_ref()
    }

    /// How many regions that are swept have smaller numbers than `region`, which is swept.
    pub(super) fn rank_of(&self, region: u64) -> u64 {
        let rank = self.fold.as_ref().map_or(Some(region), |fold| fold.rank(self.cut.upper(), region));
        rank.unwrap_or_else(|| unreachable!("region {region} is swept"))
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
        (self.room + beside(self.fold())) as u64 * self.piece_bytes + bookkeeping(self.cut, &self.sheets)
    }

    /// Bytes that are loaded of regions that have left memory.
    #[must_use]
    pub fn loaded_bytes(&self, rules: &Rules) -> u64 {
        let crossings = Crossings::new(&self.layout.apply(rules), self.cut, self.fold.as_ref());
        let of = |sheet: &Sheet| {
            let loads = crossings.schedule(*sheet == Sheet::Reached, self.room).loads(|_| 1);
            loads.saturating_mul(self.sheet_bytes(rules, *sheet))
        };
        self.sheets.iter().map(of).fold(0, u64::saturating_add)
    }
}

/// Pieces in memory beside those of other regions; up to symmetry, one more before its image is made.
const fn beside(fold: Option<&Fold>) -> usize {
    BESIDE + fold.is_some() as usize
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
