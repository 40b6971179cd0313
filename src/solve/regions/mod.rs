//! Games solved region by region: games that are larger than memory, and builds that can be stopped.
//!
//! Some cells or squares name a region: all positions with the same of them filled. Moves lead to the same region or to one
//! with a larger number, so regions are swept from the largest number down, and what play reaches is marked the other way. A
//! [`RegionStore`] keeps the regions that are finished. Each of them is swept once, whatever happens to the process, if the
//! store outlives it.
//!
//! What a region is, and how it is swept, its solver says ([`Divided`]): of every board, `solve/dense/regions`; of every
//! colouring, `solve/coloured/regions`.
//!
//! - `store`: what is asked of a store. `schedule`: which regions are in memory when. `held`: those that are. `unions`: what may name
//!   regions up to symmetry. `deal`: which of several processes sweeps which region.

mod deal;
mod division;
mod held;
mod schedule;
mod store;
mod unions;

use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use division::Division;
pub(super) use held::Held;
pub(super) use schedule::{Schedule, Step};
pub use store::{Piece, RegionStore, Share, Sheet, StoreFault, View};
pub(super) use unions::{cycles, unions};

use super::progress::{Meter, Phase};
use super::simd::Kernel;
use super::{SolveError, Watch};
use crate::label::{Counts, LabelKind, add_each};
use crate::rules::Position;
use crate::symmetry::RegionOrbits;

/// Bytes of memory for what is known of a sheet of a region: its step in the schedule, when it is wanted, what was counted in it.
pub(super) const BOOKKEEPING: u64 = 1 << 10;

/// What was solved by regions: all of it is in the store.
#[derive(Clone, Debug)]
pub struct Swept {
    /// What was counted in each sheet. Of outcomes: wins, draws and losses of every board or colouring, mode by mode; of what play
    /// reaches: the same of what it reaches; of a label of one byte: how many positions have each code, of those that play
    /// reaches if these are marked.
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

/// Wins, draws and losses of each mode, as they are tallied.
pub(super) fn figures(counts: impl IntoIterator<Item = Counts>) -> Vec<u64> {
    counts.into_iter().flat_map(|of| [of.win, of.draw, of.loss]).collect()
}

/// What was counted in a sheet of all regions, of which `swept` are swept and in `store`; up to symmetry, of all for which `orbits` says
/// that these stand. Each region of the orbits is cut into 2^`more`.
pub(super) fn total(
    store: &dyn RegionStore,
    sheet: Sheet,
    swept: u64,
    orbits: Option<(&RegionOrbits, u32)>,
) -> Vec<u64> {
    let sum = |ranks: Range<u64>| {
        let tallies = ranks.filter_map(|rank| store.tally(sheet, rank));
        tallies.reduce(add_each).unwrap_or_default()
    };
    let Some((orbits, more)) = orbits else { return sum(0..swept) };
    let stored = 0..orbits.stored().len() as u64;
    let of_stored: Vec<Vec<u64>> = stored.map(|rank| sum(rank << more..(rank + 1) << more)).collect();
    if let Sheet::Label(LabelKind::Outcome) | Sheet::Reached = sheet {
        return figures(orbits.spread(|rank| by_mode(&of_stored[rank as usize])));
    }
    let all = orbits.all().map(|(rank, _)| of_stored[rank as usize].clone());
    all.reduce(add_each).unwrap_or_default()
}

pub(super) fn by_mode(figures: &[u64]) -> Vec<Counts> {
    figures.as_chunks::<3>().0.iter().map(|&[win, draw, loss]| Counts { win, draw, loss }).collect()
}

/// Why a region is not finished.
pub(super) enum Stop {
    /// That sheet of the region of this rank was changed in the store.
    Damaged(Sheet, u64),
    Failed(SolveError),
}

impl Stop {
    /// What the failure to load a sheet of the region of rank `rank` means.
    pub(super) fn of(sheet: Sheet, rank: u64) -> impl Fn(StoreFault) -> Self {
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

/// A game that is divided into regions, named by numbers: how they are swept and counted.
pub(super) trait Divided {
    /// What is swept, in this order.
    fn sheets(&self) -> &[Sheet];

    /// The regions that are swept, in ascending order.
    fn swept(&self) -> Vec<u64>;

    /// The steps of a sweep of `order`: regions none of which needs one after it.
    fn schedule(&self, sheet: Sheet, order: &[u64]) -> Schedule;

    /// The number of positions, and of those in `region`.
    fn positions(&self) -> u64;
    fn positions_of(&self, region: u64) -> u64;

    /// The region that is swept and stored for `region`.
    fn stored(&self, region: u64) -> u64 {
        region
    }

    /// How many regions that are swept have smaller numbers than `region`, which is swept.
    fn rank_of(&self, region: u64) -> u64;

    /// Bytes of a sheet of a region.
    fn bytes(&self, sheet: Sheet, region: u64) -> u64;

    /// Bytes of memory up to which pieces that are free are kept for others, besides `of_counting` of another sheet that is
    /// counted together with one.
    fn most_bytes(&self, of_counting: bool) -> u64;

    /// Loads a sheet of `regions` into memory, as moves to them or from them ask for it.
    fn load(&mut self, store: &dyn RegionStore, sheet: Sheet, regions: &[u64], held: &mut Held) -> Result<(), Stop>;

    /// Sweeps a sheet of `region` into `own`, where those that it needs are `held`. Of what play reaches, what it goes on from
    /// is written to `live`. Whether that differs from `own`.
    fn sweep(
        &mut self,
        sheet: Sheet,
        region: u64,
        own: &mut Piece,
        live: Option<&mut Piece>,
        held: &Held,
        meter: &Meter<'_>,
    ) -> ControlFlow<(), bool>;

    /// What is counted in the planes of a sheet of `region`, beside another one that says of what, or which outcomes they have.
    fn count(&self, sheet: Sheet, region: u64, bytes: &[u8], among: Option<(Sheet, &[u8])>) -> Vec<u64>;

    /// What was counted in a sheet of all regions.
    fn total(&self, store: &dyn RegionStore, sheet: Sheet) -> Vec<u64>;
}

/// Sweeps all that `store` has not finished of `divided`, by `kernel`.
pub(super) fn solve(
    divided: &mut impl Divided,
    kernel: Kernel,
    progress: Option<Watch<'_>>,
    store: &dyn RegionStore,
) -> Result<Swept, SolveError> {
    let mut work = Work { divided, store, sweep_time: Duration::ZERO };
    while let Some((sheet, rank)) = work.all(progress)? {
        // Regions before it are finished, so that it alone is swept again.
        store.forget(sheet, rank);
    }
    let Work { divided, sweep_time, .. } = work;
    let counts = store.share().is_none_or(|share| share.process == 0);
    let sheets = divided.sheets().iter().filter(|_| counts);
    let tallies = sheets.map(|&sheet| (sheet, divided.total(store, sheet))).collect();
    Ok(Swept { tallies, kernel: kernel.name(), sweep_time })
}

/// The regions of a sheet that are left, in the order in which one process sweeps them.
fn left(divided: &impl Divided, sheet: Sheet, is_left: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut order = divided.swept();
    order.retain(|&region| is_left(region));
    if sheet != Sheet::Reached {
        order.reverse();
    }
    order
}

/// The regions of a sheet that are left, in the order in which several processes sweep them, and for each the process that does.
fn dealt(
    divided: &impl Divided,
    sheet: Sheet,
    processes: usize,
    is_left: impl Fn(u64) -> bool,
) -> (Vec<u64>, Vec<usize>) {
    let mut order = left(divided, sheet, is_left);
    // All sheets are dealt alike, whichever way they are swept: what is counted beside a region is at the same process.
    order.sort_unstable_by_key(|&region| std::cmp::Reverse(region));
    deal::by_levels(&mut order);
    let work = |&region: &u64| deal::Work { region, amount: divided.positions_of(region) };
    let mut dealt = deal::deal(&order.iter().map(work).collect::<Vec<_>>(), processes);
    if sheet == Sheet::Reached {
        order.reverse();
        dealt.reverse();
    }
    (order, dealt)
}

/// Makes of the regions that are `held` in memory before a step those that are after it.
fn go_on(step: &Step, held: &mut HashSet<u64>) {
    held.retain(|region| !step.drops.contains(region));
    held.extend(&step.loads);
    if step.stays {
        held.insert(step.region);
    }
}

/// What a step loads from the store, by what is stored, where these regions are `held` before it: what is in memory of an orbit is not
/// loaded again.
fn lacking(divided: &impl Divided, step: &Step, held: &HashSet<u64>) -> Vec<u64> {
    let there = held.iter().filter(|region| !step.drops.contains(region));
    let mut there: HashSet<u64> = there.map(|&region| divided.stored(region)).collect();
    step.loads.iter().map(|&region| divided.stored(region)).filter(|&stored| there.insert(stored)).collect()
}

/// What one of several processes asks others for, as far as the plan tells.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// How many sheets of regions.
    pub regions: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What each of several processes asks others for, if nothing is finished before.
pub(super) fn asked(divided: &impl Divided, processes: usize) -> Vec<Asked> {
    let mut all = vec![Asked::default(); processes];
    for &sheet in divided.sheets() {
        let (order, dealt) = dealt(divided, sheet, processes, |_| true);
        let owners: HashMap<u64, usize> = order.iter().copied().zip(dealt.iter().copied()).collect();
        let mut shares = vec![Vec::new(); processes];
        order.iter().zip(&dealt).for_each(|(&region, &process)| shares[process].push(region));
        for (process, own) in shares.iter().enumerate() {
            let mut held = HashSet::new();
            for step in divided.schedule(sheet, own).steps {
                for stored in lacking(divided, &step, &held) {
                    if owners.get(&stored) != Some(&process) {
                        all[process].regions += 1;
                        all[process].bytes += divided.bytes(sheet, stored);
                    }
                }
                go_on(&step, &mut held);
            }
        }
    }
    all
}

/// How long a sweep by several processes takes, in positions that one of them sweeps meanwhile: of regions with these numbers and
/// so many positions each, and what each takes besides.
pub(super) fn makespan(regions: impl IntoIterator<Item = (u64, u64)>, beside: u64, processes: usize) -> u128 {
    let work = |(region, positions): (u64, u64)| deal::Work { region, amount: positions.saturating_add(beside) };
    let mut all: Vec<deal::Work> = regions.into_iter().map(work).collect();
    all.sort_by_key(|work| std::cmp::Reverse(deal::level(work.region)));
    deal::makespan(&all, processes)
}

/// The work on all regions.
struct Work<'w, D> {
    divided: &'w mut D,
    store: &'w dyn RegionStore,
    sweep_time: Duration,
}

impl<D: Divided> Work<'_, D> {
    /// Sweeps all that is not finished. Returns what is found to be damaged in the store, as soon as it is.
    fn all(&mut self, progress: Option<Watch<'_>>) -> Result<Option<(Sheet, u64)>, SolveError> {
        for sheet in self.divided.sheets().to_vec() {
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
        let order = self.order(sheet);
        let schedule = self.divided.schedule(sheet, &order);
        let phase = match sheet {
            Sheet::Label(LabelKind::Outcome) => Phase::Sweep,
            Sheet::Label(kind) => Phase::LabelWith(kind),
            Sheet::Reached => Phase::Mark,
        };
        let divided = &self.divided;
        let left: u64 = schedule.steps.iter().map(|step| divided.positions_of(step.region)).sum();
        // What others sweep is not counted.
        let all = if self.store.share().is_some() { left } else { divided.positions() };
        let mut meter = Meter::new(progress, phase, Some(all));
        let mut flow = meter.add(all - left);
        // What is counted in a sheet is of outcomes, or of what play reaches.
        let marked = divided.sheets().contains(&Sheet::Reached).then_some(Sheet::Reached);
        let among = match sheet {
            Sheet::Label(LabelKind::Outcome) => None,
            Sheet::Label(_) => marked,
            Sheet::Reached => Some(Sheet::Label(LabelKind::Outcome)),
        };
        let mut held = Held::new(divided.most_bytes(false));
        let mut among = among.map(|among| (among, Held::new(divided.most_bytes(true))));
        // Regions of this process whose pieces are in memory until the store shows them.
        let mut own = Vec::new();
        for (number, step) in schedule.steps.iter().enumerate() {
            if flow.is_break() {
                return Err(SolveError::Cancelled.into());
            }
            // While this region is swept, the disk reads for the next.
            if let Some(next) = schedule.steps.get(number + 1) {
                self.expect(sheet, step, next, &held);
            }
            self.show(sheet, &mut own, &mut held)?;
            self.step(sheet, step, &mut held, among.as_mut(), &meter)?;
            if step.stays {
                own.push(step.region);
            }
            flow = meter.add(0);
        }
        if meter.finish().is_break() { Err(SolveError::Cancelled.into()) } else { Ok(()) }
    }

    /// The regions of a sheet that this process sweeps, in their order.
    fn order(&self, sheet: Sheet) -> Vec<u64> {
        let divided = &*self.divided;
        let is_left = |region: u64| !self.store.is_finished(sheet, divided.rank_of(region));
        let Some(share) = self.store.share() else { return left(divided, sheet, is_left) };
        let (mut order, dealt) = dealt(divided, sheet, share.processes, is_left);
        let of = |(&region, &process): (&u64, &usize)| (divided.rank_of(region), process);
        self.store.deal(sheet, &order.iter().zip(&dealt).map(of).collect::<Vec<_>>());
        let mut dealt = dealt.into_iter();
        order.retain(|_| dealt.next() == Some(share.process));
        order
    }

    /// Tells the store what will be loaded for the step `next`, which comes after `step`; `held` is what is in memory before it.
    fn expect(&self, sheet: Sheet, step: &Step, next: &Step, held: &Held) {
        let divided = &*self.divided;
        let mut held: HashSet<u64> = held.regions().collect();
        go_on(step, &mut held);
        let lacking = lacking(divided, next, &held);
        lacking.into_iter().for_each(|stored| self.store.expect(sheet, divided.rank_of(stored)));
    }

    /// Keeps what the store shows of this process's own regions in place of their pieces, as soon as it does.
    fn show(&self, sheet: Sheet, own: &mut Vec<u64>, held: &mut Held) -> Result<(), Stop> {
        if sheet == Sheet::Reached {
            // What is in memory is from where play goes on, which the store does not have.
            return Ok(());
        }
        let mut left = Vec::new();
        own.retain(|&region| held.has(region));
        for region in own.drain(..) {
            let rank = self.divided.rank_of(region);
            match self.store.view(sheet, rank).map_err(Stop::of(sheet, rank))? {
                Some(view) => held.show(region, view),
                None => left.push(region),
            }
        }
        *own = left;
        Ok(())
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
        let region = step.region;
        held.drop_all(&step.drops);
        self.divided.load(self.store, sheet, &step.loads, held)?;
        let bytes = self.divided.bytes(sheet, region);
        let mut own = held.room(bytes)?;
        let mut live = if sheet == Sheet::Reached { Some(held.room(bytes)?) } else { None };
        let begun = Instant::now();
        let flow = self.divided.sweep(sheet, region, &mut own, live.as_mut(), held, meter);
        self.sweep_time += begun.elapsed();
        let ControlFlow::Continue(differs) = flow else { return Err(SolveError::Cancelled.into()) };
        let tally = self.tally(sheet, region, own.bytes(), among)?;
        let own = Arc::new(own);
        let (wanted, other) = match live.map(Arc::new) {
            // What play goes on from is what other regions ask for.
            Some(live) if differs => (live, Some(Arc::clone(&own))),
            live => (Arc::clone(&own), live),
        };
        other.into_iter().for_each(|piece| held.retire(piece));
        if step.stays {
            held.keep(region, wanted);
        } else {
            held.retire(wanted);
        }
        let rank = self.divided.rank_of(region);
        self.store.save(sheet, rank, own, tally).map_err(Stop::of(sheet, rank))
    }

    /// What is counted in the planes of a region: all positions, or those that `among` says.
    fn tally(
        &self,
        sheet: Sheet,
        region: u64,
        bytes: &[u8],
        among: Option<&mut (Sheet, Held)>,
    ) -> Result<Vec<u64>, Stop> {
        let Some((other, held)) = among else { return Ok(self.divided.count(sheet, region, bytes, None)) };
        let mut piece = held.room(self.divided.bytes(*other, region))?;
        let rank = self.divided.rank_of(region);
        self.store.load(*other, rank, piece.0.bytes_mut()).map_err(Stop::of(*other, rank))?;
        let tally = self.divided.count(sheet, region, bytes, Some((*other, piece.bytes())));
        held.retire(Arc::new(piece));
        Ok(tally)
    }
}
