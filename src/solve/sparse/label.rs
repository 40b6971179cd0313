//! The backward pass: labels every position.
//!
//! ```text
//! for each level, the highest first:
//!     on every core: take a region; for each class of moves, find the table of the region that it leads to, and look up what
//!         the moves lead to from all positions that are not decided yet
//!     sort the labels as a table has them
//!     write them into tables, for the levels below
//! ```
//!
//! Look-ups in one table follow one another, and none waits for what another one finds: the table is in a core's first cache
//! then, and the reads overlap.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::classes::{Class, Classes};
use super::cost::span;
use super::moves::Moves;
use super::ordered::{Columns, Positions, order};
use super::regions::{Level, Region, keep, tasks};
use super::table::{Tables, View};
use crate::label::{Counts, Label, LabelKind, Width, add_each};
use crate::reachable::{Codes, Levels, Word};
use crate::rules::{Board, Mode, Outcome, Position, Potential, Rules};
use crate::solve::{Meter, Options, Phase, SolveError, UpTo};

/// Positions that one task labels, at least.
const TASK: usize = 1 << 13;

/// Positions that were found, to be labelled.
pub(super) struct Found<'a, W: Word> {
    pub(super) rules: &'a Rules,
    pub(super) potential: &'a Potential,
    pub(super) moves: &'a Moves<W>,
    pub(super) classes: &'a Classes<W>,
    pub(super) low_bits: u32,
    pub(super) levels: &'a Levels,
}

impl<W: Word> Found<'_, W> {
    /// The system has no more memory.
    fn refused(&self) -> SolveError {
        SolveError::Refused { positions: self.levels.count(), up_to: UpTo::all(self.rules, self.potential) }
    }
}

/// Labels the positions of `levels` with `L`, writes the labels to `columns`, and counts outcomes, mode by mode. If this
/// is the `last` pass, each level is dropped when it is done.
pub(super) fn pass<W: Word, L: Label + Into<Outcome>>(
    found: &Found<'_, W>,
    levels: &mut [Option<Level<W>>],
    columns: &mut Columns,
    last: bool,
    options: &Options<'_>,
) -> Result<Vec<Counts>, SolveError> {
    let phase = if L::KIND == LabelKind::Outcome { Phase::Label } else { Phase::LabelWith(L::KIND) };
    let rules = found.rules;
    let mut meter = Meter::new(options.progress, phase, Some(found.levels.count()));
    let width = L::KIND.width(rules);
    let span = span(rules, found.potential) as usize;
    let mut tables: Vec<Option<Tables<W>>> = levels.iter().map(|_| None).collect();
    let mut counts = vec![Counts::default(); rules.modes().len()];
    let codes = Codes::of(rules);
    for filled in (0..levels.len()).rev() {
        if let Some(far) = tables.get_mut(filled + span + 1) {
            *far = None;
        }
        let is_looked_up = levels[filled.saturating_sub(span)..filled].iter().any(Option::is_some);
        let Some(level) = &mut levels[filled] else { continue };
        level.cut(found.low_bits).map_err(|_| found.refused())?;
        let (labels, of_level) = Higher { found, level, tables: &tables, width }.all::<L>(&meter)?;
        counts = add_each(counts, of_level);
        if is_looked_up {
            tables[filled] = Some(Tables::new(level, &labels, width).map_err(|_| found.refused())?);
        }
        let keys = if last { Cow::Owned(std::mem::take(&mut level.items)) } else { Cow::Borrowed(&level.items[..]) };
        order(&codes, Positions { keys, labels }, columns).map_err(|_| found.refused())?;
    }
    match meter.finish() {
        ControlFlow::Continue(()) => Ok(counts),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}

/// A level, and the labels of those above it.
struct Higher<'a, W: Word> {
    found: &'a Found<'a, W>,
    level: &'a Level<W>,
    tables: &'a [Option<Tables<W>>],
    width: Width,
}

/// What a thread works in.
struct Room<W, L: Label> {
    /// The positions of the region that are not decided yet, by their indices, and which are.
    undecided: Vec<u32>,
    decided: Vec<bool>,
    partial: Vec<L::Partial>,
    /// What the moves of a class lead to, and from which positions.
    found: Vec<(W, u32)>,
}

/// Where a class of moves leads.
#[derive(Clone, Copy)]
enum Leads<'a> {
    /// Nowhere: its moves are not legal in the region.
    Nowhere,
    /// To the region of this table.
    To(View<'a>),
    /// To several regions, or to one whose table cannot tell its positions apart.
    Several,
}

impl<'a, W: Word> Higher<'a, W> {
    /// The labels of all positions of the level, and the counts of outcomes, mode by mode.
    fn all<L: Label + Into<Outcome>>(&self, meter: &Meter<'_>) -> Result<(Vec<u8>, Vec<Counts>), SolveError> {
        let mut labels = Vec::new();
        labels.try_reserve_exact(self.level.items.len()).map_err(|_| self.found.refused())?;
        labels.resize(self.level.items.len(), 0);
        let modes = self.found.rules.modes().len();
        let task = |(regions, mut labels): (&[Region<W>], &mut [u8])| {
            let mut counts = vec![Counts::default(); modes];
            let mut room = Room { undecided: Vec::new(), decided: Vec::new(), partial: Vec::new(), found: Vec::new() };
            for region in regions {
                let (here, after) = labels.split_at_mut(region.end - region.start);
                labels = after;
                self.region::<L>(region, here, &mut room, &mut counts);
            }
            let done = regions.iter().map(|region| (region.end - region.start) as u64).sum();
            if meter.add(done).is_break() { Err(SolveError::Cancelled) } else { Ok(counts) }
        };
        let none = || Ok(vec![Counts::default(); modes]);
        let add = |a: Result<_, _>, b: Result<_, _>| Ok(add_each(a?, b?));
        let counts = tasks(&self.level.regions, &mut labels, TASK).into_par_iter().map(task).reduce(none, add)?;
        Ok((labels, counts))
    }

    /// Writes the labels of the positions of `region`.
    fn region<L: Label + Into<Outcome>>(
        &self,
        region: &Region<W>,
        labels: &mut [u8],
        room: &mut Room<W, L>,
        counts: &mut [Counts],
    ) {
        let Found { moves, classes, .. } = self.found;
        let (mode, board) = moves.split(region.top);
        let of_mode = moves.of(mode);
        let counts = &mut counts[mode];
        let keys = &self.level.items[region.start..region.live];
        let Room { undecided, decided, partial, found } = room;
        undecided.clear();
        undecided.extend(0..keys.len() as u32);
        decided.clear();
        decided.resize(keys.len(), false);
        partial.clear();
        partial.resize(keys.len(), L::none());
        let cells = Board::full(self.found.rules.cells());
        for class in classes.of_mode(mode) {
            if undecided.is_empty() {
                break;
            }
            let leads = self.leads(class, board);
            if matches!(leads, Leads::Nowhere) {
                continue;
            }
            found.clear();
            class.gather_from(keys, undecided, cells, |_, ()| true, |key, number, _| (key, number), found);
            let mut absorb = |at: u32, number: u8| {
                let label = L::decode(number, self.width).unwrap_or_else(|| unreachable!("a label just written"));
                let label = if class.is_again() { label.turned() } else { label };
                decided[at as usize] |= L::absorb(&mut partial[at as usize], label).is_break();
            };
            match leads {
                Leads::To(table) => {
                    table.fetch(found.len());
                    let number = |successor| table.number(successor).unwrap_or_else(|| self.search(successor));
                    found.iter().for_each(|&(successor, at)| absorb(at, number(successor)));
                }
                _ => found.iter().for_each(|&(successor, at)| absorb(at, self.search(successor))),
            }
            keep(undecided, 0, |at| !decided[at as usize]);
        }
        let (live, ended) = labels.split_at_mut(keys.len());
        for (number, &partial) in live.iter_mut().zip(&*partial) {
            let label = L::finish(partial, of_mode.terminal());
            counts.add(label.into());
            *number = label.encode(self.width);
        }
        for (&key, number) in self.level.items[region.live..region.end].iter().zip(ended) {
            let outcome = of_mode.ended(moves.split(key).1);
            let label = L::ended(outcome.unwrap_or_else(|| unreachable!("set apart because it has ended")));
            counts.add(label.into());
            *number = label.encode(self.width);
        }
    }

    /// Where `class` leads from the region whose top has `board`.
    fn leads(&self, class: &Class<W>, board: u64) -> Leads<'a> {
        let Some(top) = class.region(board) else { return Leads::Nowhere };
        let (least, most) = class.rises(board);
        if least < most {
            return Leads::Several;
        }
        let tables = self.tables.get((self.level.filled + least) as usize).and_then(Option::as_ref);
        let table = tables.and_then(|tables| tables.of(top));
        table.map_or(Leads::Several, Leads::To)
    }

    /// The number of the label of the position with `key`, wherever it is.
    #[cold]
    fn search(&self, key: W) -> u8 {
        let (mode, board) = self.found.moves.split(key);
        let level = self.found.potential.level(Position::new(Mode(mode as u16), Board(board)));
        let tables = self.tables.get(level as usize).and_then(Option::as_ref);
        let number = tables.and_then(|tables| tables.search(key));
        number.unwrap_or_else(|| unreachable!("every successor was found"))
    }
}
