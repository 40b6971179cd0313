//! Every (mode, board) of a game, region by region ([`crate::solve::regions`]).
//!
//! A region is swept by the kernels that sweep the whole; what differs is where they find the labels of successors
//! ([`part`](super::part)).
//!
//! - `plan`: into which regions a game is cut. `crossings`: which other regions each needs.
//! - `folding`: by which cells boards are folded up to symmetry. `image`: a region as another one's image.
//! - `sample`: how long it will take.

mod crossings;
mod folding;
mod image;
mod plan;
mod sample;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::kernel::Ready;
use super::part::Part;
use super::{Kernel, bytes, mark_part, marks, starts_in, sweep};
use crate::contents::{codes, codes_among};
use crate::label::{Counts, LabelKind, Width};
use crate::packed::BlockFault;
use crate::plane::Planes;
use crate::rules::{Position, Rules};
use crate::solve::memory::{values, values_mut};
use crate::solve::progress::Meter;
use crate::solve::regions::{
    self, Asked, Divided, Held, Piece, RegionOptions, RegionStore, Schedule, Sheet, Stop, Swept, figures,
};
use crate::solve::{Method, SolveError, check_method};
use crossings::Crossings;
pub use folding::{fold, fold_untried};
use image::{Image, Way};
pub use plan::{RegionPlan, RegionTask};
pub use sample::sweep_time;

/// Solves `rules` by the regions of `plan`, which was made for them, on all cores of the current rayon pool. What `store` has
/// finished is not swept again.
///
/// # Errors
/// If the rules are not swept, the kernel is not available, memory is insufficient, the store fails, or the progress function stops the work.
pub fn solve_by_regions(
    rules: &Rules,
    plan: &RegionPlan,
    options: &RegionOptions<'_>,
    store: &dyn RegionStore,
) -> Result<Swept, SolveError> {
    check_method(rules, Method::Dense)?;
    if let Some(&position) = options.roots.iter().find(|&&root| !rules.has(root)) {
        return Err(SolveError::Root { name: rules.name().into(), position });
    }
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    let renumbered = plan.layout.apply(rules);
    let starts = rules.starts_and(options.roots);
    let mut boards = Boards::new(&renumbered, plan, starts, kernel)?;
    regions::solve(&mut boards, kernel, options.progress, store)
}

/// What each of so many processes asks others for, if they sweep `rules` by the regions of `plan`.
///
/// # Errors
/// If no kernel is available.
pub(in crate::solve) fn asked_by_regions(
    rules: &Rules,
    plan: &RegionPlan,
    processes: usize,
) -> Result<Vec<Asked>, SolveError> {
    let renumbered = plan.layout.apply(rules);
    Ok(regions::asked(&Boards::new(&renumbered, plan, Vec::new(), Kernel::best())?, processes))
}

/// Every board, region by region.
struct Boards<'w> {
    /// Their boards are indices.
    rules: &'w Rules,
    plan: &'w RegionPlan,
    crossings: Crossings,
    /// Where play is followed from, as boards of the game.
    starts: Vec<Position>,
    ready: Ready,
    /// Permutations of the places of a region, as symmetries need them.
    images: HashMap<Vec<u8>, Image>,
}

impl<'w> Boards<'w> {
    /// Those of `rules`, whose boards are indices.
    fn new(rules: &'w Rules, plan: &'w RegionPlan, starts: Vec<Position>, kernel: Kernel) -> Result<Self, SolveError> {
        let crossings = Crossings::new(rules, plan.cut, plan.fold.as_ref());
        Ok(Self { rules, plan, crossings, starts, ready: kernel.ready()?, images: HashMap::new() })
    }
}

impl Boards<'_> {
    /// Writes the planes that a region has by those that are `there`, which come to it by `way`.
    fn make_image(&mut self, sheet: Sheet, way: &Way, there: &[u8], planes: &mut [u8]) {
        let shape = self.plan.shape(self.rules, sheet);
        // A bit of an index of bits: those of a byte stay together.
        let of_byte = if shape.width() == Width::Eight { 3 } else { 0 };
        let to: Vec<u8> = (0..of_byte).chain(way.places.iter().map(|&to| to + of_byte)).collect();
        let image = self.images.entry(to).or_insert_with_key(|to| Image::new(to));
        let plane = (there.len() / shape.planes() as usize) / size_of::<u64>();
        let (there, planes) = (values::<u64>(there), values_mut::<u64>(planes));
        for (number, plane_of) in planes.chunks_mut(plane).enumerate() {
            let a_mode = shape.planes_a_mode() as usize;
            let from = usize::from(way.modes[number / a_mode].0) * a_mode + number % a_mode;
            image.copy(&there[from * plane..(from + 1) * plane], plane_of);
        }
    }
}

impl Divided for Boards<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.plan.sheets
    }

    fn swept(&self) -> Vec<u64> {
        self.plan.swept().collect()
    }

    fn schedule(&self, sheet: Sheet, order: &[u64]) -> Schedule {
        self.crossings.schedule_of(sheet == Sheet::Reached, self.plan.room, order)
    }

    fn positions(&self) -> u64 {
        self.positions_of(0) * self.plan.regions()
    }

    fn positions_of(&self, _: u64) -> u64 {
        self.rules.positions() as u64 / self.plan.cut.regions()
    }

    fn stored(&self, region: u64) -> u64 {
        self.plan.fold.as_ref().map_or(region, |fold| fold.image(self.plan.cut.upper(), region).0)
    }

    fn rank_of(&self, region: u64) -> u64 {
        self.plan.rank_of(region)
    }

    fn bytes(&self, sheet: Sheet, _: u64) -> u64 {
        self.plan.sheet_bytes(self.rules, sheet)
    }

    /// All pieces of a sheet have one size, and the schedule bounds how many there are.
    fn most_bytes(&self, _: bool) -> u64 {
        u64::MAX
    }

    /// Loads a sheet of other regions; up to symmetry, what is stored of them is loaded, and its images made.
    fn load(&mut self, store: &dyn RegionStore, sheet: Sheet, regions: &[u64], held: &mut Held) -> Result<(), Stop> {
        let (rules, plan, cut) = (self.rules, self.plan, self.plan.cut);
        let bytes = plan.sheet_bytes(rules, sheet);
        let load = |region, planes: &mut [u8]| {
            let rank = plan.rank_of(region);
            store.load(sheet, rank, planes).map_err(Stop::of(sheet, rank))
        };
        // Play goes on from no board on which the game has ended.
        let goes_on = |region, planes: &mut [u8]| {
            if sheet == Sheet::Reached {
                marks::strike_ended(&Part::backwards(rules, cut, region), values_mut(planes));
            }
        };
        let Some(fold) = &plan.fold else {
            let mut regions = regions.to_vec();
            if sheet != Sheet::Reached {
                let mut left = Vec::new();
                for region in regions {
                    let rank = plan.rank_of(region);
                    match store.view(sheet, rank).map_err(Stop::of(sheet, rank))? {
                        Some(view) => held.show(region, view),
                        None => left.push(region),
                    }
                }
                regions = left;
            }
            return held.load(&regions, bytes, |region, planes| {
                load(region, planes)?;
                goes_on(region, planes);
                Ok::<_, Stop>(())
            });
        };
        for &region in regions {
            let (stored, element) = fold.image(cut.upper(), region);
            let way = |back| Way::new(element, back, cut.cells(), rules.modes().len());
            // What is in memory of its orbit is sooner permuted than what is stored is unpacked and permuted.
            let mate = held.find(|mate| fold.image(cut.upper(), mate).0 == stored);
            let mut piece = held.room(bytes)?;
            if let Some(mate) = mate {
                let way = way(Some(fold.image(cut.upper(), mate).1));
                self.make_image(sheet, &way, held.bytes(mate), piece.0.bytes_mut());
            } else {
                load(stored, piece.0.bytes_mut())?;
                if !element.moves_nothing() {
                    let before = std::mem::replace(&mut piece, held.room(bytes)?);
                    self.make_image(sheet, &way(None), before.bytes(), piece.0.bytes_mut());
                    held.retire(Arc::new(before));
                }
                goes_on(region, piece.0.bytes_mut());
            }
            held.keep(region, Arc::new(piece));
        }
        Ok(())
    }

    fn sweep(
        &mut self,
        sheet: Sheet,
        region: u64,
        own: &mut Piece,
        live: Option<&mut Piece>,
        held: &Held,
        meter: &Meter<'_>,
    ) -> ControlFlow<(), bool> {
        let cut = self.plan.cut;
        let part = match sheet {
            Sheet::Reached => Part::backwards(self.rules, cut, region),
            Sheet::Label(_) => Part::new(self.rules, cut, region),
        };
        let others: Vec<&[u8]> = part.others.iter().map(|&other| held.bytes(other)).collect();
        let blocks: Vec<_> = others.iter().map(|other| values(other)).collect();
        match (sheet, live) {
            (Sheet::Reached, Some(live)) => {
                let starts = starts_in(&self.starts, &self.plan.layout, cut, region);
                own.0.bytes_mut().fill(0);
                live.0.bytes_mut().fill(0);
                mark_part(&part, &starts, self.ready, own.0.values_mut(), live.0.values_mut(), &blocks, meter)
            }
            (Sheet::Label(LabelKind::Outcome) | Sheet::Reached, _) => {
                sweep(&part, self.ready, own.0.values_mut(), &blocks, meter)
            }
            (Sheet::Label(kind), _) => bytes::sweep(&part, kind, self.ready, own.0.bytes_mut(), &others, meter),
        }?;
        ControlFlow::Continue(!part.ends.is_empty())
    }

    fn count(&self, sheet: Sheet, _: u64, bytes: &[u8], among: Option<(Sheet, &[u8])>) -> Vec<u64> {
        let never = |_: BlockFault| -> Vec<u64> { unreachable!("memory is not packed") };
        let of =
            |counts: Result<Vec<Counts>, BlockFault>| counts.unwrap_or_else(|_| unreachable!("memory is not packed"));
        let made = || unreachable!("the memory was made for the shape");
        let planes = |sheet, bytes| Planes::new(self.plan.shape(self.rules, sheet), bytes).unwrap_or_else(made);
        match (sheet, among) {
            (Sheet::Label(LabelKind::Outcome) | Sheet::Reached, None) => figures(of(planes(sheet, bytes).counts())),
            (Sheet::Label(_), None) => codes(bytes.into(), 0).unwrap_or_else(never),
            (Sheet::Reached, Some((other, outcomes))) => {
                figures(of(planes(other, outcomes).counts_among(&planes(sheet, bytes))))
            }
            (Sheet::Label(_), Some((other, marks))) => {
                codes_among(bytes.into(), &planes(other, marks)).unwrap_or_else(never)
            }
        }
    }

    /// What was counted in a sheet of all regions.
    fn total(&self, store: &dyn RegionStore, sheet: Sheet) -> Vec<u64> {
        let fold = self.plan.fold.as_ref();
        let orbits = fold.map(|fold| (fold.regions(), self.plan.cut.upper() - fold.region_cells()));
        regions::total(store, sheet, self.plan.regions(), orbits)
    }
}
