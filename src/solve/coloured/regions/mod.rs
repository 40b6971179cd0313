//! Every colouring of a game, region by region ([`crate::solve::regions`]).
//!
//! A region is swept by the kernels that sweep the whole; what differs is where they find other sets
//! ([`sweep`](super::sweep)). In each plane of a table the colourings of a region follow each other, so the table is the same,
//! whatever the regions are. They have different sizes: a region with more top squares occupied has more colourings.
//!
//! - `plan`: into which regions a game is cut. `crossings`: which other regions each needs. `count`: what is counted.
//! - `folding`: by which squares they are folded up to symmetry. `image`: a region as another one's image; `permute`: of one set.
//! - `sample`: how long it will take.

mod count;
mod crossings;
mod folding;
mod image;
mod permute;
mod plan;
mod sample;

use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;

use super::area::Area;
use super::plan::Plan;
use super::sweep::{Base, Sweep};
use super::{bytes, run, starts};
use crate::coloured::{Place, SquareSymmetry};
use crate::label::LabelKind;
use crate::rules::Rules;
use crate::solve::SolveError;
use crate::solve::dense::{Kernel, Ready};
use crate::solve::progress::Meter;
use crate::solve::regions::{
    self, Asked, Divided, Held, Piece, RegionOptions, RegionStore, Schedule, Sheet, Stop, Swept,
};
use crossings::Crossings;
pub use folding::fold_colourings;
use image::Image;
pub use plan::{ColouredPlan, ColouredTask};
pub use sample::colourings_time;

/// Bytes that one thread clears at a time.
const CLEARED: usize = 1 << 20;

/// Solves every colouring of `rules` by the regions of `plan`, which was made for them, on all cores of the current rayon pool.
/// Play is followed from the roots of its frame. What `store` has finished is not swept again.
///
/// # Errors
/// If the kernel is not available, memory is insufficient, the store fails, or the progress function stops the work.
pub fn solve_colourings_by_regions(
    rules: &Rules,
    plan: &ColouredPlan,
    options: &RegionOptions<'_>,
    store: &dyn RegionStore,
) -> Result<Swept, SolveError> {
    let kernel = options.kernel.unwrap_or_else(Kernel::best);
    regions::solve(&mut Colourings::new(rules, plan, kernel)?, kernel, options.progress, store)
}

/// What each of so many processes asks others for, if they sweep `rules` by the regions of `plan`.
///
/// # Errors
/// If no kernel is available.
pub(in crate::solve) fn asked_by_colourings(
    rules: &Rules,
    plan: &ColouredPlan,
    processes: usize,
) -> Result<Vec<Asked>, SolveError> {
    Ok(regions::asked(&Colourings::new(rules, plan, Kernel::best())?, processes))
}

/// Every colouring, region by region.
struct Colourings<'w> {
    plan: &'w ColouredPlan,
    moves: Plan,
    crossings: Crossings,
    /// Where play is followed from, sorted.
    starts: Vec<Place>,
    ready: Ready,
    /// By region: where its planes are, of the one that is swept and of those that it needs.
    bases: Vec<Base>,
    byte_bases: Vec<bytes::Base>,
    /// Modes of the rules.
    modes: usize,
}

impl<'w> Colourings<'w> {
    fn new(rules: &Rules, plan: &'w ColouredPlan, kernel: Kernel) -> Result<Self, SolveError> {
        let moves = Plan::new(rules, plan.frame());
        let regions = plan.cut.regions() as usize;
        Ok(Self {
            plan,
            crossings: Crossings::new(&moves, plan.cut),
            starts: starts(plan.frame()),
            ready: kernel.ready()?,
            bases: vec![Base::NONE; regions],
            byte_bases: vec![bytes::Base::NONE; regions],
            moves,
            modes: rules.modes().len(),
        })
    }
}

impl Colourings<'_> {
    /// The first word of `region` in a plane of the whole, and how many it has.
    fn words(&self, region: u64) -> (usize, usize) {
        let words = self.plan.cut.words(self.plan.frame(), region);
        (words.start as usize, (words.end - words.start) as usize)
    }

    /// Clears what no set writes: where play cannot be in as many modes as elsewhere, and behind the labels of small sets.
    fn clear(&self, sheet: Sheet, bytes: &mut [u8]) {
        let frame = self.plan.frame();
        let is_even = (0..=frame.size()).all(|stones| frame.modes_at(stones).len() == frame.slots() as usize);
        if !is_even || !matches!(sheet, Sheet::Label(LabelKind::Outcome) | Sheet::Reached) {
            bytes.par_chunks_mut(CLEARED).for_each(|part| part.fill(0));
        }
    }

    /// Of what play reaches of `region`, leaves what it goes on from: no colouring in which the game has ended.
    fn strike(&mut self, sheet: Sheet, region: u64, piece: &mut Piece) {
        if sheet != Sheet::Reached || !self.moves.has_ends() {
            return;
        }
        let (first, words) = self.words(region);
        let marks = piece.0.values_mut::<u64>().as_mut_ptr();
        self.bases[region as usize] = Base::of_marks(marks, marks, first, words);
        let area = Area::of(self.plan.frame(), self.plan.cut, region);
        // SAFETY: the piece is of this region, and nobody else has it.
        let sweep = unsafe { Sweep::new(&self.moves, self.plan.frame(), area, &self.bases) };
        run::strike(&sweep, self.ready);
        self.bases[region as usize] = Base::NONE;
    }

    fn forget_bases(&mut self, region: u64, needed: &[u64]) {
        for &region in needed.iter().chain([&region]) {
            self.bases[region as usize] = Base::NONE;
            self.byte_bases[region as usize] = bytes::Base::NONE;
        }
    }
}

impl Divided for Colourings<'_> {
    fn sheets(&self) -> &[Sheet] {
        self.plan.sheets()
    }

    fn swept(&self) -> Vec<u64> {
        self.plan.swept().collect()
    }

    fn schedule(&self, sheet: Sheet, order: &[u64]) -> Schedule {
        self.plan.schedule(&self.crossings, sheet, order)
    }

    fn positions(&self) -> u64 {
        self.plan.frame().stored_positions()
    }

    fn positions_of(&self, region: u64) -> u64 {
        self.plan.positions_of(region)
    }

    fn stored(&self, region: u64) -> u64 {
        self.plan.stored(region)
    }

    fn rank_of(&self, region: u64) -> u64 {
        self.plan.rank_of(region)
    }

    fn bytes(&self, sheet: Sheet, region: u64) -> u64 {
        self.plan.sheet_bytes(sheet, region)
    }

    fn most_bytes(&self, of_counting: bool) -> u64 {
        if of_counting { 0 } else { self.plan.kept_bytes() }
    }

    fn load(&mut self, store: &dyn RegionStore, sheet: Sheet, regions: &[u64], held: &mut Held) -> Result<(), Stop> {
        let (plan, top) = (self.plan, self.plan.top_squares());
        let load = |region: u64, piece: &mut Piece| {
            let rank = plan.rank_of(region);
            store.load(sheet, rank, piece.0.bytes_mut()).map_err(Stop::of(sheet, rank))
        };
        // One after the other: what they are unpacked from takes memory as well.
        for &region in regions {
            let mut piece = held.room(self.bytes(sheet, region))?;
            let orbit = plan.frame().fold().map(|fold| (fold, fold.image(top, region)));
            let image = |turn, other| Image { plan, sheet, turn, region, other };
            // What is in memory of its orbit is sooner permuted than what is stored is unpacked and permuted.
            let mate = orbit.and_then(|(fold, (stored, _))| held.find(|mate| fold.image(top, mate).0 == stored));
            match (orbit, mate) {
                (Some((fold, (_, turn))), Some(mate)) => {
                    let back = fold.image(top, mate).1.symmetry().inverse();
                    let turn = SquareSymmetry::new(&turn.symmetry().then(&back), plan.frame().squares());
                    let turn = turn.unwrap_or_else(|| unreachable!("elements map squares to squares"));
                    image(&turn, mate).copy(held.bytes(mate), piece.0.bytes_mut());
                }
                (Some((_, (stored, turn))), None) if stored != region => {
                    let mut before = held.room(self.bytes(sheet, stored))?;
                    load(stored, &mut before)?;
                    image(turn, stored).copy(before.bytes(), piece.0.bytes_mut());
                    held.retire(Arc::new(before));
                    self.strike(sheet, region, &mut piece);
                }
                _ => {
                    load(region, &mut piece)?;
                    self.strike(sheet, region, &mut piece);
                }
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
        self.clear(sheet, own.0.bytes_mut());
        let (first, words) = self.words(region);
        let needed = self.crossings.needed(region, sheet == Sheet::Reached);
        for &other in &needed {
            let (first, words) = self.words(other);
            // They are only read.
            let labels = held.bytes(other).as_ptr().cast_mut();
            match sheet {
                Sheet::Label(LabelKind::Outcome) => {
                    self.bases[other as usize] = Base::of_outcomes(labels.cast(), first, words);
                }
                Sheet::Reached => {
                    self.bases[other as usize] = Base::of_marks(labels.cast(), labels.cast(), first, words);
                }
                Sheet::Label(_) => self.byte_bases[other as usize] = bytes::Base::new(labels, first, words),
            }
        }
        let area = Area::of(self.plan.frame(), self.plan.cut, region);
        let (moves, frame) = (&self.moves, self.plan.frame());
        let labels = own.0.bytes_mut().as_mut_ptr();
        // SAFETY: the piece is of this region, and nobody else has it; those that it needs are held, and nobody writes them.
        let flow = unsafe {
            match sheet {
                Sheet::Label(LabelKind::Outcome) => {
                    self.bases[region as usize] = Base::of_outcomes(labels.cast(), first, words);
                    run::label(&Sweep::new(moves, frame, area, &self.bases), self.ready, meter)
                }
                Sheet::Reached => {
                    let marks = labels.cast();
                    let live = match live {
                        Some(live) if moves.has_ends() => {
                            self.clear(sheet, live.0.bytes_mut());
                            live.0.values_mut().as_mut_ptr()
                        }
                        _ => marks,
                    };
                    self.bases[region as usize] = Base::of_marks(marks, live, first, words);
                    run::mark(&Sweep::new(moves, frame, area, &self.bases), self.ready, &self.starts, meter)
                }
                Sheet::Label(kind) => {
                    self.byte_bases[region as usize] = bytes::Base::new(labels, first, words);
                    bytes::sweep(moves, frame, kind, area, &self.byte_bases, meter)
                }
            }
        };
        self.forget_bases(region, &needed);
        flow?;
        ControlFlow::Continue(self.moves.has_ends())
    }

    fn count(&self, sheet: Sheet, region: u64, bytes: &[u8], among: Option<(Sheet, &[u8])>) -> Vec<u64> {
        let counting = count::Counting { plan: self.plan, modes: self.modes, region };
        match (sheet, among) {
            (Sheet::Label(LabelKind::Outcome), _) | (Sheet::Reached, None) => counting.outcomes(bytes, None),
            (Sheet::Reached, Some((_, outcomes))) => counting.outcomes(outcomes, Some(bytes)),
            (Sheet::Label(_), marks) => {
                let (_, marks) = marks.unwrap_or_else(|| unreachable!("colourings are marked"));
                counting.codes(bytes, marks)
            }
        }
    }

    fn total(&self, store: &dyn RegionStore, sheet: Sheet) -> Vec<u64> {
        let fold = self.plan.frame().fold();
        let orbits = fold.map(|fold| (fold.regions(), self.plan.top_squares() - fold.top_squares()));
        regions::total(store, sheet, self.plan.regions(), orbits)
    }
}
