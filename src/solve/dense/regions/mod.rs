//! Every (mode, board) of a game, region by region: games that are larger than memory, and builds that can be stopped.
//!
//! A region is swept by the kernels that sweep the whole; what differs is where they find the labels of successors
//! ([`part`](super::part)). A [`RegionStore`] keeps the regions that are finished. Each of them is swept once, whatever happens
//! to the process, if the store outlives it.
//!
//! - `store`: what is asked of a store. `plan`: into which regions a game is cut.
//! - `schedule`: the order of the regions, and which of them are in memory when. `held`: those that are.
//! - `folding`: by which cells boards are folded up to symmetry. `image`: a region as another one's image.
//! - `sample`: how long it will take.

mod folding;
mod held;
mod image;
mod plan;
mod sample;
mod schedule;
mod store;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::kernel::Ready;
use super::part::Part;
use super::{Kernel, bytes, mark_part, marks, starts_in, sweep};
use crate::contents::{codes, codes_among};
use crate::label::{Counts, LabelKind, Width, add_each};
use crate::packed::BlockFault;
use crate::plane::Planes;
use crate::rules::{Position, Rules};
use crate::solve::memory::{values, values_mut};
use crate::solve::progress::{Meter, Phase};
use crate::solve::{SolveError, Watch};
pub use folding::fold;
use held::Held;
use image::{Image, Way};
pub use plan::{RegionPlan, RegionTask};
pub use sample::sweep_time;
use schedule::{Crossings, Step};
pub use store::{Piece, RegionStore, Sheet, StoreFault};

/// What was solved by regions: all of it is in the store.
#[derive(Clone, Debug)]
pub struct Swept {
    /// What was counted in each sheet. Of outcomes: wins, draws and losses of every board, mode by mode; of what play reaches: the
    /// same of the boards that it reaches; of a label of one byte: how many boards have each code, of those that play reaches if
    /// these are marked.
    pub tallies: Vec<(Sheet, Vec<u64>)>,
    /// The program that swept.
    pub kernel: &'static str,
    /// The time that sweeping took, without reading and writing.
    pub sweep_time: Duration,
}

impl Swept {
    /// The counts of a sheet, mode by mode: of outcomes, or of what play reaches; `None` if it was not swept.
    #[must_use]
    pub fn counts(&self, sheet: Sheet) -> Option<Vec<Counts>> {
        let (_, tally) = self.tallies.iter().find(|(found, _)| *found == sheet)?;
        Some(by_mode(tally))
    }
}

/// How to solve by regions.
#[derive(Clone, Copy, Default)]
pub struct RegionOptions<'a> {
    /// The positions from which play is followed beside the starts of the rules, if what it reaches is marked.
    pub roots: &'a [Position],
    /// The kernel for the sweep; if it is `None`, the fastest on this machine.
    pub kernel: Option<Kernel>,
    /// Called with the progress of the work.
    pub progress: Option<Watch<'a>>,
}

/// Solves `rules` by the regions of `plan`, which was made for them, on all cores of the current rayon pool. What `store` has
/// finished is not swept again.
///
/// # Errors
/// If the kernel is not available, memory is insufficient, the store fails, or the progress function stops the work.
pub fn solve_by_regions(
    rules: &Rules,
    plan: &RegionPlan,
    options: &RegionOptions<'_>,
    store: &dyn RegionStore,
) -> Result<Swept, SolveError> {
    if let Some(&position) = options.roots.iter().find(|&&root| !rules.has(root)) {
        return Err(SolveError::Root { name: rules.name().into(), position });
    }
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    let renumbered = plan.layout.apply(rules);
    let crossings = Crossings::new(&renumbered, plan.cut, plan.fold.as_ref());
    let starts = rules.starts_and(options.roots);
    let ready = kernel.ready()?;
    let (images, sweep_time) = (HashMap::new(), Duration::ZERO);
    let mut work = Work { rules: &renumbered, plan, crossings, starts, ready, store, images, sweep_time };
    while let Some((sheet, rank)) = work.all(options.progress)? {
        // Regions before it are finished, so that it alone is swept again.
        store.forget(sheet, rank);
    }
    let tallies = plan.sheets.iter().map(|&sheet| (sheet, work.total(sheet))).collect();
    Ok(Swept { tallies, kernel: kernel.name(), sweep_time: work.sweep_time })
}

/// Wins, draws and losses of each mode, as they are tallied.
fn figures(counts: Vec<Counts>) -> Vec<u64> {
    counts.iter().flat_map(|of| [of.win, of.draw, of.loss]).collect()
}

fn by_mode(figures: &[u64]) -> Vec<Counts> {
    figures.as_chunks::<3>().0.iter().map(|&[win, draw, loss]| Counts { win, draw, loss }).collect()
}

/// The work on all regions.
struct Work<'w> {
    /// Their boards are indices.
    rules: &'w Rules,
    plan: &'w RegionPlan,
    crossings: Crossings,
    /// Where play is followed from, as boards of the game.
    starts: Vec<Position>,
    ready: Ready,
    store: &'w dyn RegionStore,
    /// Permutations of the places of a region, as symmetries need them.
    images: HashMap<Vec<u8>, Image>,
    sweep_time: Duration,
}

/// Why a region is not finished.
enum Stop {
    /// That sheet of the region of this rank was changed in the store.
    Damaged(Sheet, u64),
    Failed(SolveError),
}

impl Stop {
    /// What the failure to load a sheet of the region of rank `rank` means.
    fn of(sheet: Sheet, rank: u64) -> impl Fn(StoreFault) -> Self {
        move |fault| match fault {
            StoreFault::Damaged => Self::Damaged(sheet, rank),
            StoreFault::Io(error) => Self::Failed(SolveError::Store(error)),
        }
    }
}

impl From<SolveError> for Stop {
    fn from(error: SolveError) -> Self {
        Self::Failed(error)
    }
}

impl Work<'_> {
    /// Sweeps all that is not finished. Returns what is found to be damaged in the store, as soon as it is.
    fn all(&mut self, progress: Option<Watch<'_>>) -> Result<Option<(Sheet, u64)>, SolveError> {
        for &sheet in &self.plan.sheets {
            match self.sheet(sheet, progress) {
                Ok(()) => {}
                Err(Stop::Damaged(sheet, rank)) => return Ok(Some((sheet, rank))),
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        match self.store.settle() {
            Ok(damaged) => Ok(damaged),
            Err(StoreFault::Io(error)) => Err(SolveError::Store(error)),
            Err(StoreFault::Damaged) => unreachable!("what is damaged is named"),
        }
    }

    /// Sweeps one sheet.
    fn sheet(&mut self, sheet: Sheet, progress: Option<Watch<'_>>) -> Result<(), Stop> {
        let is_finished = |region: u64| self.store.tally(sheet, self.plan.rank_of(region)).is_some();
        let schedule = self.crossings.schedule(sheet == Sheet::Reached, self.plan.room, is_finished);
        let phase = match sheet {
            Sheet::Label(LabelKind::Outcome) => Phase::Sweep,
            Sheet::Label(kind) => Phase::LabelWith(kind),
            Sheet::Reached => Phase::Mark,
        };
        let of_a_region = self.rules.positions() as u64 / self.plan.cut.regions();
        let mut meter = Meter::new(progress, phase, Some(of_a_region * self.plan.regions()));
        let mut flow = meter.add(of_a_region * (self.plan.regions() - schedule.steps.len() as u64));
        let pieces = |sheet: Sheet| Held::new(self.plan.sheet_bytes(self.rules, sheet));
        // What is counted in a sheet is of outcomes, or of what play reaches.
        let marked = self.plan.sheets.contains(&Sheet::Reached).then_some(Sheet::Reached);
        let among = match sheet {
            Sheet::Label(LabelKind::Outcome) => None,
            Sheet::Label(_) => marked,
            Sheet::Reached => Some(Sheet::Label(LabelKind::Outcome)),
        };
        let (mut held, mut among) = (pieces(sheet), among.map(|among| (among, pieces(among))));
        for (number, step) in schedule.steps.iter().enumerate() {
            if flow.is_break() {
                return Err(SolveError::Cancelled.into());
            }
            // While this region is swept, the disk reads for the next.
            for &region in schedule.steps.get(number + 1).into_iter().flat_map(|next| &next.loads) {
                let stored = self.plan.fold.as_ref().map_or(region, |fold| fold.image(self.plan.cut.upper(), region).0);
                self.store.expect(sheet, self.plan.rank_of(stored));
            }
            self.step(sheet, step, &mut held, among.as_mut(), &meter)?;
            flow = meter.add(0);
        }
        if meter.finish().is_break() { Err(SolveError::Cancelled.into()) } else { Ok(()) }
    }

    /// Sweeps one sheet of one region, and counts it.
    fn step(
        &mut self,
        sheet: Sheet,
        step: &Step,
        held: &mut Held,
        among: Option<&mut (Sheet, Held)>,
        meter: &Meter<'_>,
    ) -> Result<(), Stop> {
        let (region, cut) = (step.region, self.plan.cut);
        let part = match sheet {
            Sheet::Reached => Part::backwards(self.rules, cut, region),
            Sheet::Label(_) => Part::new(self.rules, cut, region),
        };
        held.drop_all(&step.drops);
        self.load(sheet, &step.loads, held)?;
        let mut own = held.room()?;
        let mut live = if sheet == Sheet::Reached { Some(held.room()?) } else { None };
        let others: Vec<&[u8]> = part.others.iter().map(|&other| held.bytes(other)).collect();
        let begun = Instant::now();
        let blocks: Vec<_> = others.iter().map(|other| values(other)).collect();
        let flow = match (sheet, &mut live) {
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
        };
        self.sweep_time += begun.elapsed();
        if flow.is_break() {
            return Err(SolveError::Cancelled.into());
        }
        let tally = self.tally(sheet, region, own.bytes(), among)?;
        let own = Arc::new(own);
        let (wanted, other) = match live.map(Arc::new) {
            // What play goes on from is what other regions ask for.
            Some(live) if !part.ends.is_empty() => (live, Some(Arc::clone(&own))),
            live => (Arc::clone(&own), live),
        };
        other.into_iter().for_each(|piece| held.retire(piece));
        if step.stays {
            held.keep(region, wanted);
        } else {
            held.retire(wanted);
        }
        let rank = self.plan.rank_of(region);
        self.store.save(sheet, rank, own, tally).map_err(Stop::of(sheet, rank))
    }

    /// Loads a sheet of other regions; up to symmetry, what is stored of them is loaded, and its images made.
    fn load(&mut self, sheet: Sheet, regions: &[u64], held: &mut Held) -> Result<(), Stop> {
        let (store, rules, plan, cut) = (self.store, self.rules, self.plan, self.plan.cut);
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
            return held.load(regions, |region, planes| {
                load(region, planes)?;
                goes_on(region, planes);
                Ok::<_, Stop>(())
            });
        };
        for &region in regions {
            let (stored, element) = fold.image(cut.upper(), region);
            // What is in memory of its orbit is sooner permuted than what is stored is unpacked and permuted.
            let mate = held.regions().filter(|&mate| fold.image(cut.upper(), mate).0 == stored).min();
            let mut piece = held.room()?;
            if let Some(mate) = mate {
                let way = Way::new(element, Some(fold.image(cut.upper(), mate).1), cut.cells(), rules.modes().len());
                self.make_image(sheet, &way, held.bytes(mate), piece.0.bytes_mut());
            } else {
                load(stored, piece.0.bytes_mut())?;
                if !element.moves_nothing() {
                    let before = std::mem::replace(&mut piece, held.room()?);
                    let way = Way::new(element, None, cut.cells(), rules.modes().len());
                    self.make_image(sheet, &way, before.bytes(), piece.0.bytes_mut());
                    held.retire(Arc::new(before));
                }
                goes_on(region, piece.0.bytes_mut());
            }
            held.keep(region, Arc::new(piece));
        }
        Ok(())
    }

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

    /// What was counted in a sheet of all regions.
    fn total(&self, sheet: Sheet) -> Vec<u64> {
        let sum = |ranks: std::ops::Range<u64>| {
            let tallies = ranks.filter_map(|rank| self.store.tally(sheet, rank));
            tallies.reduce(add_each).unwrap_or_default()
        };
        let Some(fold) = &self.plan.fold else { return sum(0..self.plan.regions()) };
        let more = self.plan.cut.upper() - fold.region_cells();
        let stored = 0..fold.stored().len() as u64;
        let of_stored: Vec<Vec<u64>> = stored.map(|rank| sum(rank << more..(rank + 1) << more)).collect();
        if let Sheet::Label(LabelKind::Outcome) | Sheet::Reached = sheet {
            return figures(fold.spread(|rank| by_mode(&of_stored[rank as usize])));
        }
        let all = fold.regions().map(|(rank, _)| of_stored[rank as usize].clone());
        all.reduce(add_each).unwrap_or_default()
    }

    /// What is counted in the planes of a region: all boards, or those that `among` says.
    fn tally(
        &self,
        sheet: Sheet,
        region: u64,
        bytes: &[u8],
        among: Option<&mut (Sheet, Held)>,
    ) -> Result<Vec<u64>, Stop> {
        let never = |_: BlockFault| -> Vec<u64> { unreachable!("memory is not packed") };
        let of =
            |counts: Result<Vec<Counts>, BlockFault>| counts.unwrap_or_else(|_| unreachable!("memory is not packed"));
        let made = || unreachable!("the memory was made for the shape");
        let planes = |sheet, bytes| Planes::new(self.plan.shape(self.rules, sheet), bytes).unwrap_or_else(made);
        let Some((other, held)) = among else {
            return Ok(match sheet {
                Sheet::Label(LabelKind::Outcome) | Sheet::Reached => figures(of(planes(sheet, bytes).counts())),
                Sheet::Label(_) => codes(bytes.into(), 0).unwrap_or_else(never),
            });
        };
        let mut piece = held.room()?;
        let rank = self.plan.rank_of(region);
        self.store.load(*other, rank, piece.0.bytes_mut()).map_err(Stop::of(*other, rank))?;
        let tally = match sheet {
            Sheet::Reached => figures(of(planes(*other, piece.bytes()).counts_among(&planes(sheet, bytes)))),
            Sheet::Label(_) => codes_among(bytes.into(), &planes(*other, piece.bytes())).unwrap_or_else(never),
        };
        held.retire(Arc::new(piece));
        Ok(tally)
    }
}
