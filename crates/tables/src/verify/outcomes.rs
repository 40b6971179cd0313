//! Checks of outcomes: each must follow from the outcomes of the successors. And play must reach the positions that are stored or
//! marked, and no others.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use rayon::prelude::*;

use super::labels::Counted;
use super::marks::{Marks, is_reached};
use super::stored::{held, plane_bits, whole};
use super::unused::{check_level, check_padding, check_stray, key_fault, misplaced};
use super::{Finding, Options, by_regions, byte_labels};
use crate::compressed::{BlockFault, Bytes};
use crate::contents::{Contents, LabelFault, Sparse, Tally, spread};
use crate::label::{Counts, Label, Remoteness, Score, step, try_step};
use crate::plies::Plies;
use crate::rules::{Board, Mode, Outcome, Position, Rules};
use crate::symmetry::SliceClasses;

/// The number of positions per task.
const STRETCH: u64 = 1 << 13;

/// Recomputes outcomes.
pub(super) struct OutcomeCheck<'a> {
    contents: Contents<'a>,
    /// The rules. In a dense table that stores every board, their cells are renumbered, so that the index of a successor is its
    /// board number. Positions are in this numbering, except in findings.
    rules: Cow<'a, Rules>,
}

/// Stored positions of one slice or level, by number.
struct StoredPart {
    /// The rank of the slice, or the number of the level.
    number: usize,
    positions: Range<u64>,
}

/// A walk over all positions: the marks it makes, and what they are compared with.
struct Walk<'w> {
    /// The positions from which play is followed, the starts of the rules among them.
    roots: Vec<Position>,
    /// Bits for the positions that play reaches, in the order of the reachability bits or of ranks. `None` if nothing says which
    /// positions are reachable, or if slices are stored up to symmetry.
    marks: Option<Marks>,
    options: &'w Options<'w>,
}

/// Why a position has no outcome.
enum Lack {
    Fault(LabelFault),
    Missing,
}

impl<'a> OutcomeCheck<'a> {
    pub(super) fn new(rules: &'a Rules, contents: Contents<'a>) -> Self {
        let rules = match whole(contents) {
            Some(dense) => Cow::Owned(dense.layout().apply(rules)),
            None => Cow::Borrowed(rules),
        };
        Self { contents, rules }
    }

    /// Recomputes every outcome, and checks everything else that makes a table right:
    ///
    /// - Every outcome follows from the successors or, where moves gain points, from the score. If positions may repeat, it equals the outcome of the remoteness; in a
    ///   table without remoteness, [`all_forced`](Self::all_forced) checks wins and losses.
    /// - Unused bits are zero.
    /// - A sparse table has every key in its place, so that equal sets have one encoding. Under symmetry, every stored position is the
    ///   representative of its class.
    /// - By regions, all numbers of a symmetry class have the same labels.
    /// - Exactly the reachable positions are stored or marked, in a table that knows them. These are the roots and the successors of
    ///   reachable positions. Only one set has this property, by induction over the levels. So it is enough to check that the stored or
    ///   marked positions are the roots and the successors of such positions. In slices up to symmetry, predecessors of a stored position
    ///   may be represented in another slice, and are looked up there.
    ///
    /// Opening the table has checked that its symmetries are symmetries of the rules. So labels that are right in a stored position are
    /// right in its images too.
    pub(super) fn all(&self, options: &Options<'_>) -> Result<Counted, Finding> {
        let walk = Walk { roots: self.roots(), marks: self.mark_bytes().map(Marks::new), options };
        walk.roots.iter().try_for_each(|&root| self.mark(root, &walk))?;
        let parts = self.parts();
        let counted = match self.contents {
            Contents::Sparse(sparse) => {
                self.rules.start_positions().into_iter().try_for_each(|start| held(sparse, start).map(drop))?;
                let mut counted = Counted::none(self.modes());
                // The keys of a level are checked before its positions are read.
                for level in &parts {
                    check_level(sparse, level.number)?;
                    counted = counted.with(self.walk(std::slice::from_ref(level), &walk)?);
                }
                let every = |tallies: &[Tally]| tallies.iter().map(|tally| tally.every).collect::<Vec<Counts>>();
                let all = spread(sparse.group(), &every(&counted.all));
                Counted { all: all.into_iter().map(|every| Tally { reached: every, every }).collect(), ..counted }
            }
            Contents::Dense(_) | Contents::Coloured(_) => self.walk(&parts, &walk)?,
            Contents::Regions(regions) => {
                by_regions::check_padding(regions)?;
                self.walk(&parts, &walk)?
            }
        };
        if let Contents::Dense(dense) = self.contents {
            check_padding(dense)?;
        }
        walk.marks.as_ref().map_or(Ok(()), |marks| self.check_marks(marks))?;
        if let Contents::Coloured(coloured) = self.contents {
            check_stray(coloured, &counted.stored)?;
        }
        Ok(counted)
    }

    /// Checks that every win and loss is forced within finitely many plies. Outcomes that follow from one another around a
    /// cycle are not. A position whose outcome follows from its successors and is neither is then a draw.
    pub(super) fn all_forced(&self, options: &Options<'_>) -> Result<(), Finding> {
        let Contents::Sparse(sparse) = self.contents else { return Ok(()) };
        let plies = Plies::of(&self.rules, sparse, &|| options.tell(0))?;
        let unforced = plies.unforced(sparse)?;
        unforced.map_or(Ok(()), |(position, found)| Err(Finding::Unforced { position, found }))
    }

    /// The outcome of `position`, in the table's own numbering, after checking that it follows from the successors.
    pub(super) fn one(&self, position: Position) -> Result<Outcome, Finding> {
        self.label(self.numbered(position), |_| {})
    }

    fn modes(&self) -> usize {
        self.rules.modes().len()
    }

    /// The stored positions by slice or level, in order.
    fn parts(&self) -> Vec<StoredPart> {
        let part = |(number, positions)| StoredPart { number, positions };
        match self.contents {
            Contents::Dense(dense) => {
                let (slices, positions) = match dense.fold() {
                    None => (1, dense.count()),
                    Some(fold) => (fold.stored().len() as u64, fold.stored_positions()),
                };
                let of_slice = positions / slices;
                (0..slices).map(|rank| part((rank as usize, rank * of_slice..(rank + 1) * of_slice))).collect()
            }
            Contents::Coloured(coloured) => coloured.frame().stored_ranks().into_iter().enumerate().map(part).collect(),
            Contents::Sparse(sparse) => sparse.sizes().map(|size| 0..size.count).enumerate().map(part).collect(),
            Contents::Regions(regions) => vec![part((0, 0..regions.count()))],
        }
    }

    /// Checks the positions of `parts`, and marks the successors of reachable positions.
    fn walk(&self, parts: &[StoredPart], walk: &Walk<'_>) -> Result<Counted, Finding> {
        let none = || Ok(Counted::none(self.modes()));
        // Addition returns the first finding in order, regardless of the number of threads. Collecting would keep the
        // counts of every task.
        let add = |a: Result<Counted, Finding>, b: Result<Counted, Finding>| Ok(a?.with(b?));
        let stretches = parts.par_iter().flat_map(|part| {
            let Range { start, end } = part.positions;
            let first = move |number| start + number * STRETCH;
            let count = (end - start).div_ceil(STRETCH);
            (0..count).into_par_iter().map(move |number| (part, first(number)..end.min(first(number + 1))))
        });
        stretches.map(|(part, positions)| self.stretch(part, positions, walk)).reduce(none, add)
    }

    fn stretch(&self, part: &StoredPart, positions: Range<u64>, walk: &Walk<'_>) -> Result<Counted, Finding> {
        let weight = self.slice_classes().map_or(1, |classes| classes.weight(part.number as u64));
        walk.options.tell(weight * (positions.end - positions.start))?;
        let mut counted = Counted::none(self.modes());
        let mark = |place| walk.marks.iter().for_each(|marks| marks.mark(place));
        self.each(part.number, positions, |position| {
            let every = Counts::of(self.label(position, mark)?, 1);
            let is_reached = self.is_reached(position, walk)?;
            let tally = Tally { reached: if is_reached { every } else { Counts::default() }, every };
            let mode = usize::from(position.mode.0);
            counted.stored[mode] = counted.stored[mode] + tally;
            if let Contents::Sparse(sparse) = self.contents {
                counted.all[mode] = counted.all[mode] + tally.times(sparse.weight(position));
            }
            if let Contents::Regions(regions) = self.contents {
                by_regions::count(regions, position, tally, &mut counted)?;
            }
            Ok(())
        })?;
        if !matches!(self.contents, Contents::Sparse(_) | Contents::Regions(_)) {
            counted.all = self.represented(part.number, &counted.stored);
        }
        Ok(counted)
    }

    /// The counts of all positions that the positions of a stored slice represent.
    fn represented(&self, slice: usize, stored: &[Tally]) -> Vec<Tally> {
        let Some(classes) = self.slice_classes() else { return stored.to_vec() };
        let mut all = vec![Tally::default(); stored.len()];
        for (count, to) in classes.shares(slice as u64) {
            for (sum, &to) in all.iter_mut().zip(to) {
                *sum = *sum + stored[usize::from(to)].times(*count);
            }
        }
        all
    }

    /// The symmetry classes of slices, if slices are stored up to symmetry.
    fn slice_classes(&self) -> Option<&'a SliceClasses> {
        match self.contents {
            Contents::Dense(dense) => dense.fold().map(|fold| fold.slice_classes()),
            Contents::Coloured(coloured) => coloured.frame().fold().map(|fold| fold.slice_classes()),
            Contents::Sparse(_) | Contents::Regions(_) => None,
        }
    }

    /// Calls `visit` with the stored positions whose numbers in a slice or a level are `numbers`, in order.
    fn each(
        &self,
        part: usize,
        numbers: Range<u64>,
        mut visit: impl FnMut(Position) -> Result<(), Finding>,
    ) -> Result<(), Finding> {
        match self.contents {
            Contents::Dense(dense) => match dense.fold() {
                None => {
                    let (cells, full) = (self.rules.cells(), Board::full(self.rules.cells()));
                    let position = |number: u64| (Mode((number >> cells) as u16), Board::from_word(number) & full);
                    numbers.map(position).try_for_each(|(mode, board)| visit(Position::new(mode, board)))
                }
                Some(fold) => {
                    let of_mode = fold.stored_positions() / (fold.stored().len() * self.modes()) as u64;
                    numbers.into_iter().try_for_each(|number| {
                        let (mode, index) = (number / of_mode % self.modes() as u64, number % of_mode);
                        visit(fold.position(Mode(mode as u16), part as u64 * of_mode + index))
                    })
                }
            },
            Contents::Coloured(coloured) => {
                let frame = coloured.frame();
                let position = |rank| frame.unrank(rank).and_then(|place| frame.position(place)).unwrap_or_default();
                numbers.map(position).try_for_each(visit)
            }
            Contents::Regions(regions) => numbers.into_iter().try_for_each(|number| visit(regions.position(number)?)),
            Contents::Sparse(sparse) => {
                let (level, _) = sparse.level(part).ok_or_else(|| misplaced(part as u32, 0))?;
                // Reads the last position of the previous task again, to check that its code is smaller than the first code
                // of this task.
                for found in level.positions(numbers.start.saturating_sub(1), numbers.end) {
                    let (index, position) = found.map_err(key_fault)?;
                    if index >= numbers.start {
                        if sparse.stored(position) != position {
                            return Err(Finding::NotRepresentative { position });
                        }
                        visit(position)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// The outcome of `position`, after checking that it follows from the successors. In a sparse table, `successor` is called with
    /// the rank of each successor.
    fn label(&self, position: Position, successor: impl FnMut(u64)) -> Result<Outcome, Finding> {
        if let Contents::Sparse(sparse) = self.contents {
            return self.label_of_stored(sparse, position, successor);
        }
        let label = |at: Position| self.outcome(at).map_err(|lack| (at, lack));
        let follows = || Ok((label(position)?, try_step(&self.rules, position, label)?));
        let (found, expected) = if self.rules.has_gains() {
            let found = label(position).map_err(|(at, lack)| self.finding(at, lack))?;
            (found, self.of_score(self.shown(position))?)
        } else {
            follows().map_err(|(at, lack)| self.finding(at, lack))?
        };
        if found == expected {
            if let Contents::Regions(regions) = self.contents {
                by_regions::check_agreement(regions, position, found)?;
            }
            return Ok(found);
        }
        Err(Finding::Label { position: self.shown(position), found, expected })
    }

    /// The outcome by the score of `position`, from which it follows where moves gain points. That scores are right is checked with the
    /// other labels.
    fn of_score(&self, position: Position) -> Result<Outcome, Finding> {
        byte_labels::label::<Score>(&self.contents, position).map(Outcome::from)
    }

    /// The outcome of `position` for the player to move.
    #[inline]
    fn outcome(&self, position: Position) -> Result<Outcome, Lack> {
        let found = match self.contents {
            Contents::Dense(dense) if dense.fold().is_none() => {
                let found = dense.planes().outcome(position.mode, position.board.low_word());
                return found.map_err(|fault| Lack::Fault(fault.into()));
            }
            contents => contents.outcome(position),
        };
        found.map_err(Lack::Fault)?.ok_or(Lack::Missing)
    }

    fn finding(&self, position: Position, lack: Lack) -> Finding {
        match lack {
            Lack::Missing => Finding::Missing { position },
            Lack::Fault(LabelFault::Conflict(_) | LabelFault::NoOutcome { .. }) => {
                Finding::Conflict { position: self.shown(position) }
            }
            Lack::Fault(fault) => fault.into(),
        }
    }

    fn label_of_stored(
        &self,
        sparse: Sparse<'_>,
        position: Position,
        mut successor: impl FnMut(u64),
    ) -> Result<Outcome, Finding> {
        thread_local! {
            static OUTCOMES: RefCell<Vec<Outcome>> = const { RefCell::new(Vec::new()) };
        }
        let (_, found) = held(sparse, position)?;
        OUTCOMES.with_borrow_mut(|outcomes| {
            outcomes.clear();
            // Look up every successor once, including those after the first that decides the outcome: all must be
            // stored and marked.
            for m in self.rules.moves_from(position) {
                let (rank, outcome) = held(sparse, m.play(position))?;
                successor(rank);
                outcomes.push(outcome);
            }
            let mut known = outcomes.iter();
            let never = || unreachable!("a step asks for the successors in their order");
            let expected = if self.rules.has_gains() {
                self.of_score(position)?
            } else {
                step(&self.rules, position, |_| *known.next().unwrap_or_else(never))
            };
            if found != expected {
                return Err(Finding::Label { position, found, expected });
            }
            // If positions may repeat, outcomes could follow from one another around a cycle and all be wrong. Outcomes
            // of remoteness cannot: each win and loss follows from one that is a ply shorter.
            if sparse.levels().potential().is_flat() && sparse.bytes().of(Remoteness::KIND).is_some() {
                let expected = byte_labels::label::<Remoteness>(&self.contents, position)?.outcome;
                if found != expected {
                    return Err(Finding::Label { position, found, expected });
                }
            }
            Ok(found)
        })
    }

    /// The positions from which play is followed; none if nothing says which positions are reachable.
    fn roots(&self) -> Vec<Position> {
        match self.contents {
            Contents::Sparse(sparse) => sparse.roots().to_vec(),
            // Nothing says which boards play reaches.
            Contents::Regions(_) => Vec::new(),
            Contents::Coloured(coloured) => [&self.rules.start_positions(), coloured.frame().roots()].concat(),
            Contents::Dense(dense) => {
                let Some(reach) = dense.reach() else { return Vec::new() };
                let roots = reach.roots().iter().map(|&root| self.numbered(root));
                self.rules.start_positions().into_iter().chain(roots).collect()
            }
        }
    }

    /// The number of bytes with a bit for each stored position, to mark the positions that play reaches; `None` if there are no
    /// reachability bits, or slices are stored up to symmetry.
    fn mark_bytes(&self) -> Option<u64> {
        match self.contents {
            Contents::Sparse(sparse) => Some(sparse.count().div_ceil(8)),
            _ if self.slice_classes().is_some() => None,
            Contents::Regions(_) => None,
            Contents::Coloured(coloured) => Some(coloured.reached().len() as u64),
            Contents::Dense(dense) => dense.reach().map(|reach| reach.marks().bytes().len() as u64),
        }
    }

    /// The bit of `position` among the reachability bits.
    fn mark_of(&self, position: Position) -> Result<u64, Finding> {
        match self.contents {
            Contents::Sparse(sparse) => Ok(held(sparse, position)?.0),
            Contents::Regions(regions) => by_regions::number(regions, position),
            Contents::Coloured(coloured) => {
                let place = coloured.frame().place(position).ok_or(Finding::Missing { position })?;
                Ok(coloured.frame().bit(place))
            }
            Contents::Dense(dense) => Ok(u64::from(position.mode.0) * plane_bits(dense) + position.board.low_word()),
        }
    }

    /// Marks `position` as reachable.
    fn mark(&self, position: Position, walk: &Walk<'_>) -> Result<(), Finding> {
        walk.marks.as_ref().map_or(Ok(()), |marks| self.mark_of(position).map(|place| marks.mark(place)))
    }

    /// True if the table says that play reaches `position`, or does not record it.
    fn is_marked(&self, position: Position) -> Result<bool, BlockFault> {
        match (whole(self.contents).map(|dense| dense.reach()), self.contents) {
            (Some(None), _) | (_, Contents::Sparse(_)) => Ok(true),
            (Some(Some(reach)), _) => reach.marks().plane(position.mode, false).bit(position.board.low_word()),
            (None, contents) => contents.is_counted(position),
        }
    }

    /// True if the table says that play reaches `position`, or does not record it. Marks the successors then. In slices up to symmetry,
    /// checks with the predecessors that this is right.
    fn is_reached(&self, position: Position, walk: &Walk<'_>) -> Result<bool, Finding> {
        if walk.marks.is_none() && !walk.roots.is_empty() {
            return is_reached(&self.rules, &walk.roots, position, |at| self.is_marked(at));
        }
        let is_marked = self.is_marked(position)?;
        // The successors of stored positions were marked when they were looked up.
        if is_marked && walk.marks.is_some() && !matches!(self.contents, Contents::Sparse(_)) {
            self.rules.moves_from(position).try_for_each(|m| self.mark(m.play(position), walk))?;
        }
        Ok(is_marked)
    }

    /// Checks that `marks`, of the positions that play reaches, are the positions that are stored or marked in the table.
    fn check_marks(&self, marks: &Marks) -> Result<(), Finding> {
        let (bit, position) = match self.contents {
            Contents::Regions(_) => return Ok(()),
            Contents::Sparse(sparse) => {
                let unmarked = (0..sparse.count()).into_par_iter().find_first(|&rank| !marks.has(rank));
                let Some(rank) = unmarked else { return Ok(()) };
                (rank, Some(sparse.unrank(rank)?))
            }
            Contents::Coloured(coloured) => {
                let Some(bit) = marks.first_other(coloured.reached())? else { return Ok(()) };
                let frame = coloured.frame();
                (bit, frame.place_at(bit).and_then(|place| frame.position(place)))
            }
            Contents::Dense(dense) => {
                let found = dense.reach().map_or(Bytes::Plain(&[]), |reach| reach.marks().bytes());
                let Some(bit) = marks.first_other(found)? else { return Ok(()) };
                let (mode, index) = (Mode((bit / plane_bits(dense)) as u16), bit % plane_bits(dense));
                (bit, Some(self.shown(Position::new(mode, Board::from_word(index)))))
            }
        };
        match position {
            None => Err(Finding::Stray),
            Some(position) if marks.has(bit) => Err(Finding::Unmarked { position }),
            Some(position) => Err(Finding::Unreached { position }),
        }
    }

    /// `position` in the numbering of the rules of the check.
    fn numbered(&self, position: Position) -> Position {
        match whole(self.contents) {
            Some(dense) => Position::new(position.mode, Board::from_word(dense.layout().index(position.board))),
            None => position,
        }
    }

    /// `position`, which is in the numbering of the rules of the check, in that of the table.
    fn shown(&self, position: Position) -> Position {
        match whole(self.contents) {
            Some(dense) => dense.position(position.mode, position.board.low_word()),
            None => position,
        }
    }
}
