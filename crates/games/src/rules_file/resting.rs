//! The key `rests_on`: a line that is drawn away takes along the lines that it alone held up, as in Hackenbush.
//!
//! Which lines fall can depend on the lines that are still there. Each case is a move of its own:
//!
//! ```text
//!      ╭─c─╮
//!      a   b      a falls alone if b and c are there, and with c if b is gone.
//!     ─┴───┴─     Everything above falls with the last line that holds it.
//! ```
//!
//! In play, the ground holds every line that is there. So all moves that fill lines have the same points, and positions in which
//! a line hangs in the air are refused.

use super::between::Between;
use super::connection::{Set, has, set};
use super::error::Read;
use super::expression::Values;
use super::placement::{Budget, Placement};
use super::source::Item;
use super::squares::Squares;
use crate::rules::Board;

/// The lines of a picture, some of whose points rest on the ground.
pub(super) struct Resting<'a> {
    item: Item<'a>,
    squares: &'a Squares,
    picture: &'a Between,
    /// Whether each point rests on the ground.
    pub(super) ground: Vec<bool>,
}

/// A case of drawing a line away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Case {
    /// Lines that must be there.
    there: Set,
    /// Lines that must be gone.
    gone: Set,
    /// Lines that fall, among those that may be there.
    falls: Set,
}

impl<'a> Resting<'a> {
    /// Reads `rests_on`, a list of points.
    pub(super) fn read(item: Item<'a>, squares: &'a Squares, values: &Values) -> Read<Self> {
        let Some(picture) = squares.between().filter(|_| squares.colours() == 1) else {
            return Err(item.found("a [board] with `between`, in one colour,", "another board"));
        };
        let mut ground = vec![false; picture.points.len()];
        let expected = "a list of points that `between` names";
        for item in item.list(expected)? {
            let name = item.name(expected, values, false)?;
            let point = picture.points.iter().position(|point| *point == name);
            ground[point.ok_or_else(|| item.wrong(expected))?] = true;
        }
        Ok(Self { item, squares, picture, ground })
    }

    /// The moves that replace `placement`, which draws one line away.
    pub(super) fn moves(&self, placement: Placement, budget: &mut Budget) -> Read<Vec<Placement>> {
        let lines = self.squares.all();
        let cell = |line: usize| self.squares.cell(lines[line], 0).unwrap_or_default();
        let cells = |set: Set| (0..lines.len()).filter(|&line| has(set, line)).map(cell).collect();
        let drawn: Vec<usize> = (0..lines.len()).filter(|&line| placement.fills.contains(cell(line))).collect();
        let [line] = drawn[..] else {
            return Err(self.item.found("a move that fills one square", drawn.len().to_string()));
        };
        let mut cases = Vec::new();
        self.split(line, [0, 0], &mut cases, budget)?;
        let moved = |case: Case| -> Option<Placement> {
            let (empty, full): (Board, Board) =
                (placement.empty | cells(case.there), placement.full | cells(case.gone));
            empty.is_disjoint(full).then(|| Placement {
                empty,
                full,
                fills: placement.fills | cells(case.falls),
                ..placement
            })
        };
        Ok(cases.into_iter().filter_map(moved).collect())
    }

    /// Adds the cases in which the lines of the first set are there and the lines of the second are gone.
    fn split(&self, line: usize, [there, gone]: [Set; 2], cases: &mut Vec<Case>, budget: &mut Budget) -> Read<()> {
        budget.spend(self.item, self.count())?;
        let possible = self.all() & !gone;
        let may_hold = self.ways(possible & !set(&[line]), None);
        let holds = self.ways(there & !set(&[line]), None);
        let mut doubtful = None;
        for other in (0..self.count()).filter(|&other| other != line && has(possible, other)) {
            let [may_stay, stays] = [&may_hold, &holds].map(|held| self.touches(other, held));
            if may_stay && !stays && self.may_rest_on(other, line, possible, budget)? {
                doubtful = self.support(other, possible & !set(&[line]), there);
                break;
            }
        }
        let Some(support) = doubtful else {
            let falls = (0..self.count()).filter(|&other| has(possible, other) && !self.touches(other, &may_hold));
            cases.push(Case { there, gone, falls: set(&falls.collect::<Vec<_>>()) & !set(&[line]) });
            return Ok(());
        };
        self.split(line, [there | set(&[support]), gone], cases, budget)?;
        self.split(line, [there, gone | set(&[support])], cases, budget)
    }

    fn count(&self) -> usize {
        self.picture.ends.len()
    }

    fn all(&self) -> Set {
        (0..self.count()).fold(0, |all, line| all | set(&[line]))
    }

    /// Returns whether a way leads to an end of `line`.
    fn touches(&self, line: usize, ways: &[Option<Vec<usize>>]) -> bool {
        self.picture.ends[line].iter().any(|&end| ways[end].is_some())
    }

    /// A way from the ground over `lines` to each point that they join to it. The search ends when it reaches the line `target`.
    fn ways(&self, lines: Set, target: Option<usize>) -> Vec<Option<Vec<usize>>> {
        let mut ways: Vec<_> = self.ground.iter().map(|&is_ground| is_ground.then(Vec::new)).collect();
        while target.is_none_or(|line| !self.touches(line, &ways)) {
            let is_new = |&step: &usize| {
                let [a, b] = self.picture.ends[step];
                has(lines, step) && ways[a].is_some() != ways[b].is_some()
            };
            let Some(step) = (0..self.count()).find(is_new) else { break };
            let [a, b] = self.picture.ends[step];
            let [from, to] = if ways[a].is_some() { [a, b] } else { [b, a] };
            ways[to] = ways[from].as_ref().map(|way| [&way[..], &[step]].concat());
        }
        ways
    }

    /// The first line that is not in `there`, on a way from the ground to `line` over `lines`.
    fn support(&self, line: usize, lines: Set, there: Set) -> Option<usize> {
        let ways = self.ways(lines, Some(line));
        let way = self.picture.ends[line].into_iter().find_map(|end| ways[end].as_ref())?;
        way.iter().copied().find(|&step| !has(there, step))
    }

    /// Returns whether some way from the ground to `line` over `lines` meets no point twice and contains `below`.
    fn may_rest_on(&self, line: usize, below: usize, lines: Set, budget: &mut Budget) -> Read<bool> {
        let mut way = WaySearch { picture: self, line, below, lines, met: self.ground.clone(), budget };
        for point in (0..self.ground.len()).filter(|&point| self.ground[point]) {
            if way.continues(point, false)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The first square whose line is there on `board`, and that no lines join to a point of `ground`.
pub(super) fn hanging(squares: &Squares, ground: &[bool], board: Board) -> Option<usize> {
    let ends = &squares.between()?.ends;
    let is_there = |square: usize| squares.cell(square, 0).is_some_and(|cell| !board.contains(cell));
    let there: Vec<(usize, [usize; 2])> =
        squares.all().iter().copied().zip(ends.iter().copied()).filter(|&(square, _)| is_there(square)).collect();
    let mut held = ground.to_vec();
    while let Some(&(_, [a, b])) = there.iter().find(|(_, [a, b])| held[*a] != held[*b]) {
        (held[a], held[b]) = (true, true);
    }
    there.into_iter().find(|&(_, [a, b])| !held[a] && !held[b]).map(|(square, _)| square)
}

/// The search for a way from the ground to `line` that contains `below`.
struct WaySearch<'r, 'a, 'b> {
    picture: &'r Resting<'a>,
    line: usize,
    below: usize,
    lines: Set,
    /// The points of the way so far, and all points on the ground.
    met: Vec<bool>,
    budget: &'b mut Budget,
}

impl WaySearch<'_, '_, '_> {
    /// Returns whether the way can go on from `point`. `is_met` tells whether it contains `below` already.
    fn continues(&mut self, point: usize, is_met: bool) -> Read<bool> {
        let resting = self.picture;
        self.budget.spend(resting.item, resting.count())?;
        let lines = self.lines;
        for step in (0..resting.count()).filter(|&step| has(lines, step)) {
            let [a, b] = resting.picture.ends[step];
            let next = match point {
                _ if point == a => b,
                _ if point == b => a,
                _ => continue,
            };
            if step == self.line {
                if is_met {
                    return Ok(true);
                }
                continue;
            }
            if !self.met[next] {
                self.met[next] = true;
                let found = self.continues(next, is_met || step == self.below)?;
                self.met[next] = false;
                if found {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
