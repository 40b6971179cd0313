//! The backward pass: labels every position.
//!
//! ```text
//! for each level, the highest first:
//!     on every core: take a region; for each class of moves: find the table of the region that the class leads to, and look up there
//!         the successors of all undecided positions
//!     write the labels into hash tables, for the levels below
//!     sort the level into the order of a table
//! ```
//!
//! Consecutive look-ups go to one table, which is in a core's first cache, and do not depend on each other, so that the reads overlap.

use std::borrow::Cow;

use super::classes::{Class, Classes};
use super::cost::{SoFar, span};
use super::level_sort::{Columns, Positions, sort_level};
use super::moves::Moves;
use super::regions::{Level, Region, keep, tasks};
use super::table::{Tables, View};
use crate::label::{Counts, Label, Width, add_each};
use crate::parallel;
use crate::reachable::{BoardWord, Codes, KeyWord, Levels};
use crate::rules::{Mode, Position, Rules};
use crate::{Meter, Options, Phase, SolveError, go_on};

/// Approximate number of positions that one task labels.
const TASK: usize = 1 << 13;

/// The positions to label.
pub(super) struct Found<'a, W: KeyWord> {
    pub(super) rules: &'a Rules,
    pub(super) moves: &'a Moves<W>,
    pub(super) classes: &'a Classes<W>,
    pub(super) low_bits: u32,
    pub(super) levels: &'a Levels,
}

impl<W: KeyWord> Found<'_, W> {
    /// The error if the system has no more memory.
    fn refused(&self) -> SolveError {
        SoFar::all(self.rules, self.levels).refused()
    }
}

/// Labels the positions of `levels` with `L`, and writes the labels to `columns`. Returns the counts of outcomes, mode by mode. In the
/// `last` pass, it drops each level that is labelled.
pub(super) fn pass<W: KeyWord, L: Label>(
    found: &Found<'_, W>,
    levels: &mut [Option<Level<W>>],
    columns: &mut Columns,
    last: bool,
    options: &Options<'_>,
) -> Result<Vec<Counts>, SolveError> {
    let phase = Phase::of_label(L::KIND);
    let rules = found.rules;
    let mut meter = Meter::new(options.progress, phase, Some(found.levels.count()));
    let width = L::width(rules);
    let span = span(rules, found.levels.potential()) as usize;
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
        sort_level(&codes, Positions { keys, labels }, columns).map_err(|_| found.refused())?;
    }
    go_on(meter.finish())?;
    Ok(counts)
}

/// A level, and the labels of the levels above it.
struct Higher<'a, W: KeyWord> {
    found: &'a Found<'a, W>,
    level: &'a Level<W>,
    tables: &'a [Option<Tables<W>>],
    width: Width,
}

/// Memory that a thread reuses from region to region.
struct Buffers<W, L: Label> {
    /// The indices of the undecided positions of the region.
    undecided: Vec<u32>,
    /// For each position of the region, whether it is decided.
    decided: Vec<bool>,
    partial: Vec<L::Partial>,
    /// The successors by the moves of a class, with the indices of their positions.
    found: Vec<(W, u32)>,
}

/// The place of a class's successors.
#[derive(Clone, Copy)]
enum Target<'a> {
    /// The moves are not legal in the region.
    Nowhere,
    /// The region of this table.
    One(View<'a>),
    /// Several regions, or one whose table cannot distinguish its positions.
    Several,
}

impl<'a, W: KeyWord> Higher<'a, W> {
    /// The labels of all positions of the level, and the counts of outcomes, mode by mode.
    fn all<L: Label>(&self, meter: &Meter<'_>) -> Result<(Vec<u8>, Vec<Counts>), SolveError> {
        let mut labels = Vec::new();
        labels.try_reserve_exact(self.level.items.len()).map_err(|_| self.found.refused())?;
        labels.resize(self.level.items.len(), 0);
        let modes = self.found.rules.modes().len();
        let task = |(regions, mut labels): (&[Region<W>], &mut [u8])| {
            let mut counts = vec![Counts::default(); modes];
            let mut buffers =
                Buffers { undecided: Vec::new(), decided: Vec::new(), partial: Vec::new(), found: Vec::new() };
            for region in regions {
                let (here, after) = labels.split_at_mut(region.end - region.start);
                labels = after;
                self.region::<L>(region, here, &mut buffers, &mut counts);
            }
            let done = regions.iter().map(|region| (region.end - region.start) as u64).sum();
            go_on(meter.add(done)).map(|()| counts)
        };
        let counts = parallel::try_map(tasks(&self.level.regions, &mut labels, TASK), task)?;
        Ok((labels, counts.into_iter().fold(vec![Counts::default(); modes], add_each)))
    }

    /// Writes the labels of the positions of `region`.
    fn region<L: Label>(
        &self,
        region: &Region<W>,
        labels: &mut [u8],
        buffers: &mut Buffers<W, L>,
        counts: &mut [Counts],
    ) {
        let Found { moves, classes, .. } = self.found;
        let (mode, board) = moves.split(region.top);
        let of_mode = moves.of(mode);
        let counts = &mut counts[mode];
        let keys = &self.level.items[region.start..region.ongoing];
        let Buffers { undecided, decided, partial, found } = buffers;
        undecided.clear();
        undecided.extend(0..keys.len() as u32);
        decided.clear();
        decided.resize(keys.len(), false);
        partial.clear();
        partial.resize(keys.len(), L::none());
        let cells = moves.all();
        for class in classes.of_mode(mode) {
            if undecided.is_empty() {
                break;
            }
            let target = self.target(class, board);
            if matches!(target, Target::Nowhere) {
                continue;
            }
            found.clear();
            class.gather_from(keys, undecided, cells, |_, ()| true, |key, number, _| (key, number), found);
            let mut absorb = |at: u32, number: u8| {
                let label = L::decode(number, self.width).unwrap_or_else(|| unreachable!("a label just written"));
                decided[at as usize] |= L::absorb(&mut partial[at as usize], class.turn().label(label)).is_break();
            };
            match target {
                Target::One(table) => {
                    table.fetch(found.len());
                    let number = |successor| table.number(successor).unwrap_or_else(|| self.search(successor));
                    found.iter().for_each(|&(successor, at)| absorb(at, number(successor)));
                }
                _ => found.iter().for_each(|&(successor, at)| absorb(at, self.search(successor))),
            }
            keep(undecided, 0, |at| !decided[at as usize]);
        }
        let (ongoing, ended) = labels.split_at_mut(keys.len());
        for ((number, &partial), &key) in ongoing.iter_mut().zip(&*partial).zip(keys) {
            let label = L::finish(partial, of_mode.terminal(moves.split(key).1));
            counts.add(label.into());
            *number = label.encode(self.width);
        }
        for (&key, number) in self.level.items[region.ongoing..region.end].iter().zip(ended) {
            let ending = of_mode.ended(moves.split(key).1);
            let label = L::ended(ending.unwrap_or_else(|| unreachable!("the flood has found a terminal pattern here")));
            counts.add(label.into());
            *number = label.encode(self.width);
        }
    }

    /// The place of the successors that `class` leads to from the region whose top has `board`.
    fn target(&self, class: &Class<W>, board: W::Board) -> Target<'a> {
        let Some(top) = class.region(board) else { return Target::Nowhere };
        let (least, most) = class.rises(board);
        if least < most {
            return Target::Several;
        }
        let tables = self.tables.get((self.level.filled + least) as usize).and_then(Option::as_ref);
        let table = tables.and_then(|tables| tables.of(top));
        table.map_or(Target::Several, Target::One)
    }

    /// The encoded label of the position with `key` in any level above.
    #[cold]
    fn search(&self, key: W) -> u8 {
        let (mode, board) = self.found.moves.split(key);
        let level = self.found.levels.potential().level(Position::new(Mode(mode as u16), board.board()));
        let tables = self.tables.get(level as usize).and_then(Option::as_ref);
        let number = tables.and_then(|tables| tables.search(key));
        number.unwrap_or_else(|| unreachable!("the flood has found every successor"))
    }
}
