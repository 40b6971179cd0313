//! The backward pass: labels every position.
//!
//! ```text
//! for each level, the highest first:
//!     on every core: take a region; find the tables of the regions that its moves lead to; label its positions
//!     sort the labels as a table has them
//!     write them into tables, for the levels below
//! ```

use std::borrow::Cow;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::classes::Classes;
use super::cost::span;
use super::moves::Moves;
use super::ordered::{Columns, order};
use super::regions::{Level, Region};
use super::table::{Tables, View};
use crate::label::{Counts, Label, LabelKind, Width, add_each};
use crate::reachable::{Codes, Word};
use crate::rules::{Board, Mode, Outcome, Position, Potential, Rules};
use crate::solve::{Meter, Options, Phase, SolveError};

/// Positions that one task labels, at least.
const TASK: usize = 1 << 13;

/// Positions that were found, to be labelled.
pub(super) struct Found<'a, W> {
    pub(super) rules: &'a Rules,
    pub(super) potential: &'a Potential,
    pub(super) moves: &'a Moves<W>,
    pub(super) classes: &'a Classes<W>,
    pub(super) low_bits: u32,
    pub(super) count: u64,
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
    let mut meter = Meter::new(options.progress, phase, Some(found.count));
    let width = L::KIND.width(rules);
    let span = span(rules, found.potential) as usize;
    let mut tables: Vec<Option<Tables<W>>> = levels.iter().map(|_| None).collect();
    let mut counts = vec![Counts::default(); rules.modes().len()];
    let refused = |_| SolveError::Refused { positions: found.count, filled: rules.cells(), cells: rules.cells() };
    for filled in (0..levels.len()).rev() {
        if let Some(far) = tables.get_mut(filled + span + 1) {
            *far = None;
        }
        let Some(level) = &mut levels[filled] else { continue };
        level.cut(found.low_bits).map_err(refused)?;
        let mut labels = Vec::new();
        labels.try_reserve_exact(level.keys.len()).map_err(refused)?;
        labels.resize(level.keys.len(), 0);
        let of_level = Higher { found, level, tables: &tables, width }.label::<L>(&mut labels, &meter)?;
        counts = add_each(counts, of_level);
        if filled > 0 && span > 0 {
            tables[filled] = Some(Tables::new(level, &labels, width).map_err(refused)?);
        }
        let keys = if last { Cow::Owned(std::mem::take(&mut level.keys)) } else { Cow::Borrowed(&level.keys[..]) };
        order(&Codes::of(rules), keys, labels, columns).map_err(refused)?;
    }
    match meter.finish() {
        ControlFlow::Continue(()) => Ok(counts),
        ControlFlow::Break(()) => Err(SolveError::Cancelled),
    }
}

/// A level, and the labels of those above it.
struct Higher<'a, W> {
    found: &'a Found<'a, W>,
    level: &'a Level<W>,
    tables: &'a [Option<Tables<W>>],
    width: Width,
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
    /// Writes the labels of all positions of the level, and counts them.
    fn label<L: Label + Into<Outcome>>(&self, labels: &mut [u8], meter: &Meter<'_>) -> Result<Vec<Counts>, SolveError> {
        let modes = self.found.rules.modes().len();
        let mut tasks = Vec::new();
        let (mut rest, mut regions) = (labels, &self.level.regions[..]);
        while let Some(first) = regions.first() {
            let end = regions.partition_point(|region| region.end - first.start <= TASK).max(1);
            let (here, after) = regions.split_at(end);
            let (labels, after_labels) = rest.split_at_mut(here[here.len() - 1].end - first.start);
            tasks.push((here, labels));
            (rest, regions) = (after_labels, after);
        }
        let task = |(regions, mut labels): (&[Region<W>], &mut [u8])| {
            let mut counts = vec![Counts::default(); modes];
            let mut leads = Vec::new();
            for region in regions {
                let (here, after) = labels.split_at_mut(region.end - region.start);
                labels = after;
                self.region::<L>(region, here, &mut leads, &mut counts);
            }
            let done = regions.iter().map(|region| (region.end - region.start) as u64).sum();
            if meter.add(done).is_break() { Err(SolveError::Cancelled) } else { Ok(counts) }
        };
        let none = || Ok(vec![Counts::default(); modes]);
        let add = |a: Result<_, _>, b: Result<_, _>| Ok(add_each(a?, b?));
        tasks.into_par_iter().map(task).reduce(none, add)
    }

    /// Writes the labels of the positions of `region`; `leads` is room to work in.
    fn region<L: Label + Into<Outcome>>(
        &self,
        region: &Region<W>,
        labels: &mut [u8],
        leads: &mut Vec<Leads<'a>>,
        counts: &mut [Counts],
    ) {
        let Found { moves, classes, .. } = self.found;
        let (mode, board) = moves.split(region.top);
        leads.clear();
        leads.extend(classes.of_mode(mode).iter().map(|class| {
            let Some(top) = class.region(board) else { return Leads::Nowhere };
            let (least, most) = class.rises(board);
            if least < most {
                return Leads::Several;
            }
            let tables = self.tables.get((self.level.filled + least) as usize).and_then(Option::as_ref);
            let table = tables.and_then(|tables| tables.of(top));
            table.map_or(Leads::Several, Leads::To)
        }));
        let of_moves = classes.of_moves(mode);
        let of_mode = moves.of(mode);
        let counts = &mut counts[mode];
        let (live, ended) = labels.split_at_mut(region.live - region.start);
        for (&key, number) in self.level.keys[region.start..region.live].iter().zip(live) {
            let (_, board) = moves.split(key);
            let mut partial = L::none();
            'moves: for word in 0..of_mode.words() {
                let mut legal = of_mode.legal(word, board);
                while legal != 0 {
                    let at = 64 * word + legal.trailing_zeros() as usize;
                    legal &= legal - 1;
                    let successor = of_mode.key(at, board);
                    let found = match leads[of_moves[at] as usize] {
                        Leads::To(table) => table.number(successor),
                        Leads::Several | Leads::Nowhere => None,
                    };
                    let found = found.unwrap_or_else(|| self.search(successor));
                    let label = L::decode(found, self.width).unwrap_or_else(|| unreachable!("a label just written"));
                    let label = if of_mode.is_again(at) { label.turned() } else { label };
                    if L::absorb(&mut partial, label).is_break() {
                        break 'moves;
                    }
                }
            }
            let label = L::finish(partial, of_mode.terminal());
            counts.add(label.into());
            *number = label.encode(self.width);
        }
        for (&key, number) in self.level.keys[region.live..region.end].iter().zip(ended) {
            let outcome = of_mode.ended(moves.split(key).1);
            let label = L::ended(outcome.unwrap_or_else(|| unreachable!("set apart because it has ended")));
            counts.add(label.into());
            *number = label.encode(self.width);
        }
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
