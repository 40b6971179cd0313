//! A search for the symmetries of rules, from the rules alone.
//!
//! Cells and modes get *colours*, such that a symmetry maps each colour to itself. The colour of a cell is computed
//! from the colours of the moves, terminal patterns and roots that contain it. Their colours are computed from the
//! colours of their cells. This is repeated until the number of colours stays the same.
//!
//! To map one cell to another, two copies of the rules are made. The first cell in one copy and the second cell in the
//! other get the same new colour, and both copies are coloured again. If several cells still share a colour, one of
//! them is mapped to each of the others in turn. (This is McKay's practical graph isomorphism, 1981, without the parts
//! that only large graphs need.)
//!
//! A *base* is a list of cells and modes such that only the identity fixes all of them. For each point of the base, the
//! search fixes the points before it and tries every image of the point. It adds a symmetry for each image that the
//! symmetries found so far do not reach. Together these symmetries generate all symmetries (Schreier and Sims).

use std::collections::{BTreeSet, HashMap};
use std::iter::repeat;

use super::LISTED;
use super::coxeter::FEWEST;
use super::listed::elements;
use super::search::MOST;
use crate::rules::{Board, Cases, Mode, Move, Position, Rules, Symmetry, SymmetryCheck, Terminal};

/// Maximum number of cells visited, which takes a few tenths of a second. After that the search returns the symmetries
/// found so far.
const WORK: u64 = 1 << 26;
/// Work of sorting one cell or mode by colour, in cells visited.
const A_THING: u64 = 16;

/// Generators of the symmetries of `rules` that map `roots` to each other. If the search takes too long, they generate a subgroup. If the
/// group contains all permutations of 5 points or more, the exchanges of neighbouring points come first.
#[must_use]
pub fn find(rules: &Rules, roots: &[Position]) -> Vec<Symmetry> {
    let mut finder = Finder::new(rules, roots);
    let generators = finder.generators();
    if generators.is_empty() {
        return generators;
    }
    // Exchanges of points are needed if the group is too large to list, and they are faster than a long list.
    let (cells, modes) = (rules.cells(), rules.modes().len());
    if elements(cells, modes, &generators, LISTED).is_some_and(|elements| elements.len() < 120) {
        return generators;
    }
    let mut all = finder.exchanges(&generators);
    all.extend(generators);
    all
}

/// The number of a cell, or of a mode; modes are numbered after the cells.
type Thing = usize;

/// A move, terminal pattern or root. Rules may have a hundred thousand moves with a hundred cells each, so cells of one role are kept as
/// a set.
struct Item {
    kind: u64,
    /// Sets of cells, each with its role.
    cells: Box<[(Board, u64)]>,
    /// The modes, each with its role.
    modes: Box<[(Thing, u64)]>,
}

impl Item {
    fn new(
        kind: u64,
        cells: impl IntoIterator<Item = (Board, u64)>,
        modes: impl IntoIterator<Item = (Thing, u64)>,
    ) -> Self {
        Self { kind, cells: cells.into_iter().collect(), modes: modes.into_iter().collect() }
    }

    /// The cells and modes, each with its role.
    fn parts(&self) -> impl Iterator<Item = (Thing, u64)> {
        let of_set = |&(cells, role): &(Board, u64)| cells.bits().map(move |bit| (bit as usize, role));
        self.cells.iter().flat_map(of_set).chain(self.modes.iter().copied())
    }
}

/// The cells of `sets` by role. The role of a cell is the sum of the numbers of the sets that have it.
fn by_role(sets: &[(Board, u64)]) -> Vec<(Board, u64)> {
    let all = sets.iter().fold(Board::EMPTY, |all, &(cells, _)| all | cells);
    sets.iter().fold(vec![(all, 0)], |parts, &(set, number)| {
        let split = |(cells, role): (Board, u64)| [(cells & set, role + number), (cells & !set, role)];
        parts.into_iter().flat_map(split).filter(|(cells, _)| !cells.is_empty()).collect()
    })
}

/// The cells of moves that differ only in the cells that must be empty or filled, each with its role. No two are equal. If their cases do
/// not overlap, they are one move, because a symmetry may map it to a move that is cut into other cases.
fn parts_of_cases<'a>(moves: &[&'a Move]) -> Vec<(&'a Move, Vec<(Board, u64)>)> {
    let of = |m: &Move| by_role(&[(m.empty, 1), (m.full, 2), (m.fills, 4), (m.clears, 32)]);
    let cases: Cases = moves.iter().map(|m| [m.empty, m.full]).collect();
    match moves {
        [first, _, ..] if cases.is_disjoint() => {
            let changed = by_role(&[(cases.cells(), 1), (first.fills, 4), (first.clears, 32)]);
            let parts = changed.into_iter().flat_map(|(cells, role)| {
                let of_cell = |bit: u32| {
                    let weight = cases.weight(bit);
                    (Board::bit(bit), mixed(mixed(role, weight as u64), (weight >> 64) as u64))
                };
                cells.bits().map(of_cell).collect::<Vec<_>>()
            });
            vec![(*first, parts.collect())]
        }
        _ => moves.iter().map(|&m| (m, of(m))).collect(),
    }
}

/// The rules as a coloured structure, and the work done so far.
struct Finder<'a> {
    checked: SymmetryCheck<'a>,
    cells: usize,
    things: usize,
    items: Vec<Item>,
    /// The number of cells and modes in all items together.
    size: u64,
    work: u64,
}

impl<'a> Finder<'a> {
    fn new(rules: &'a Rules, roots: &[Position]) -> Self {
        let checked = rules.symmetry_check(roots);
        let cells = rules.cells() as usize;
        let mut items = Vec::new();
        let mut moves: Vec<&Move> = rules.moves().iter().collect();
        moves.sort_unstable_by_key(|m| (Cases::shared(m), **m));
        moves.dedup();
        let same = moves.chunk_by(|a, b| Cases::shared(a) == Cases::shared(b));
        for (m, parts) in same.flat_map(parts_of_cases) {
            let modes = [(cells + usize::from(m.mode.0), 8), (cells + usize::from(m.next.0), 9)];
            if let Some(number) = m.when {
                let count = rules.spec().counts[usize::from(number)];
                let kind = mixed(17 + u64::from(count.least), count.most.into());
                items.push(Item::new(kind, parts.iter().copied().chain([(count.cells, 16)]), modes));
            }
            if let Some(number) = m.takes {
                let take = &rules.spec().takes[usize::from(number)];
                let lines = take.lines.iter().zip(repeat(11)).chain(take.guards.iter().zip(repeat(13)));
                items.extend(lines.map(|(&line, kind)| Item::new(kind, [(line, 17), (m.fills, 18)], [])));
            }
            let kind = 1 + 4 * u64::from(!rules.hands_over(m)) + 8 * u64::from(m.otherwise);
            items.push(Item::new(if m.gain == 0 { kind } else { mixed(kind, m.gain as u64) }, parts, modes));
        }
        // What an end is worth: its kind, and the cells that are counted, with the first of their roles given.
        let worth = |terminal: Terminal, role: u64| -> (u64, Vec<(Board, u64)>) {
            match terminal {
                Terminal::Always(outcome) => (outcome as u64, Vec::new()),
                Terminal::Points(points) => (mixed(4, points as u64), Vec::new()),
                Terminal::Most { own, other } => (3, vec![(own, role), (other, role + 1)]),
            }
        };
        let in_mode = |mode: Mode| [(cells + usize::from(mode.0), 8)];
        for (mode, terminal) in checked.terminals() {
            let (kind, counted) = worth(terminal, 1);
            items.push(Item::new(mixed(7, kind), counted, in_mode(mode)));
        }
        for (mode, row, outcome, [filled, empty]) in checked.ends() {
            let (kind, counted) = worth(outcome, 3);
            let parts = [(filled, 1), (empty, 2)].into_iter().chain(counted);
            items.push(Item::new(mixed(2 + 3 * row as u64, kind), parts, in_mode(mode)));
        }
        items.extend(roots.iter().map(|root| Item::new(3, [(root.board, 1)], in_mode(root.mode))));
        let size = items.iter().map(|item| item.parts().count() as u64).sum();
        Self { checked, cells, things: cells + rules.modes().len(), items, size, work: 0 }
    }

    /// The colours if each of `marked` gets a colour of its own; `None` if that would be too much work.
    fn colours(&mut self, marked: &[Thing]) -> Option<Vec<u64>> {
        let mut colours: Vec<u64> = (0..self.things).map(|thing| u64::from(thing < self.cells)).collect();
        for (number, &thing) in (0..).zip(marked) {
            colours[thing] = mixed(colours[thing], 1000 + number);
        }
        let mut told_apart = 0;
        loop {
            self.work += self.size + A_THING * self.things as u64;
            let found = colours.iter().collect::<BTreeSet<_>>().len();
            if found == told_apart || found == self.things {
                return Some(colours);
            }
            told_apart = found;
            if self.work > WORK {
                return None;
            }
            let mut next: Vec<u64> = colours.iter().map(|&colour| mixed(colour, 7)).collect();
            for item in &self.items {
                // A sum does not depend on the order.
                let sum = item.parts().fold(0u64, |sum, (it, part)| sum.wrapping_add(mixed(colours[it], part)));
                let colour = mixed(sum, item.kind);
                for (it, part) in item.parts() {
                    next[it] = next[it].wrapping_add(mixed(colour, 16 + part));
                }
            }
            colours = next;
        }
    }

    /// A cell or mode of the smallest colour class with at least two members; `None` if no colour is shared.
    fn undecided(colours: &[u64]) -> Option<Thing> {
        let mut counts = HashMap::new();
        colours.iter().for_each(|&colour| *counts.entry(colour).or_insert(0usize) += 1);
        let shared = (0..colours.len()).filter(|&thing| counts[&colours[thing]] > 1);
        shared.min_by_key(|&thing| (counts[&colours[thing]], thing))
    }

    /// A symmetry that maps each entry of `from` to the entry of `to` at the same index.
    fn mapping(&mut self, from: &[Thing], to: &[Thing]) -> Option<Symmetry> {
        let (before, after) = (self.colours(from)?, self.colours(to)?);
        let sorted = |colours: &[u64]| {
            let mut colours = colours.to_vec();
            colours.sort_unstable();
            colours
        };
        if sorted(&before) != sorted(&after) {
            return None;
        }
        if let Some(thing) = Self::undecided(&before) {
            let images: Vec<Thing> = (0..self.things).filter(|&image| after[image] == before[thing]).collect();
            let from = [from, &[thing]].concat();
            return images.into_iter().find_map(|image| self.mapping(&from, &[to, &[image]].concat()));
        }
        let of: HashMap<u64, Thing> = after.iter().copied().zip(0..).collect();
        let images: Vec<Thing> = before.iter().map(|colour| of[colour]).collect();
        let (cells, modes) = images.split_at(self.cells);
        let cells = cells.iter().map(|&to| to as u8).collect();
        let modes = modes.iter().map(|&to| to.checked_sub(self.cells).map(|mode| mode as u16));
        let symmetry = Symmetry::new(cells, modes.collect::<Option<_>>()?).ok()?;
        symmetry.check(&self.checked).is_ok().then_some(symmetry)
    }

    /// Generators of all symmetries.
    fn generators(&mut self) -> Vec<Symmetry> {
        let mut base = Vec::new();
        let mut colours = Vec::new();
        loop {
            let Some(of_base) = self.colours(&base) else { return Vec::new() };
            let next = Self::undecided(&of_base);
            colours.push(of_base);
            match next {
                Some(thing) => base.push(thing),
                None => break,
            }
        }
        let mut generators = Vec::new();
        for at in (0..base.len()).rev() {
            let (before, thing) = (&base[..at], base[at]);
            let images = (0..self.things).filter(|&image| image != thing && colours[at][image] == colours[at][thing]);
            // All generators found so far fix the points of the base before this one.
            let mut orbit = self.orbit(thing, &generators);
            for image in images.collect::<Vec<_>>() {
                if orbit.contains(&image) {
                    continue;
                }
                if let Some(found) = self.mapping(&base[..=at], &[before, &[image]].concat()) {
                    generators.push(found);
                    orbit = self.orbit(thing, &generators);
                }
            }
        }
        generators
    }

    /// The orbit of `thing` under `generators`.
    fn orbit(&self, thing: Thing, generators: &[Symmetry]) -> BTreeSet<Thing> {
        let (mut orbit, mut next) = (BTreeSet::from([thing]), vec![thing]);
        while let Some(thing) = next.pop() {
            next.extend(generators.iter().map(|it| self.image(it, thing)).filter(|&image| orbit.insert(image)));
        }
        orbit
    }

    fn image(&self, symmetry: &Symmetry, thing: Thing) -> Thing {
        match thing.checked_sub(self.cells) {
            None => symmetry.cells()[thing].into(),
            Some(mode) => self.cells + usize::from(symmetry.modes()[mode]),
        }
    }

    /// Exchanges of neighbouring members, for each orbit of `generators` whose members can be permuted in every way.
    fn exchanges(&mut self, generators: &[Symmetry]) -> Vec<Symmetry> {
        let mut all: Vec<Symmetry> = Vec::new();
        let mut seen = BTreeSet::new();
        // Modes come first, because there is usually one for each point.
        for thing in (self.cells..self.things).chain(0..self.cells) {
            if !seen.insert(thing) {
                continue;
            }
            let orbit: Vec<Thing> = self.orbit(thing, generators).into_iter().collect();
            seen.extend(&orbit);
            if !(FEWEST..=MOST).contains(&orbit.len()) {
                continue;
            }
            let exchange = |at: usize| {
                let mut exchanged = orbit.clone();
                exchanged.swap(at, at + 1);
                let found = self.mapping(&orbit, &exchanged)?;
                found.then(&found).is_identity().then_some(found)
            };
            let found: Option<Vec<Symmetry>> = (0..orbit.len() - 1).map(exchange).collect();
            if let Some(found) = found.filter(|found| !found.iter().any(|it| all.contains(it))) {
                all.extend(found);
            }
        }
        all
    }
}

/// A hash of two numbers.
const fn mixed(a: u64, b: u64) -> u64 {
    let x = (a ^ b.wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, pairs, three_in_a_line};

    /// The points are the modes. The groups have 120, 720 and 5040 elements.
    #[test]
    fn exchanges_of_neighbouring_points_come_first() {
        for points in 5..8 {
            let rules = &pairs(points).build().unwrap();
            let found = find(rules, &rules.start_positions());
            for (at, exchange) in found[..points as usize - 1].iter().enumerate() {
                let mut modes: Vec<u16> = (0..points as u16).collect();
                modes.swap(at, at + 1);
                assert_eq!(exchange.modes(), modes);
            }
        }
    }

    /// On a large board, all turns and flips are found. At the limit of the work, the search stops.
    #[test]
    fn the_work_of_a_search_is_limited() {
        let rules = &three_in_a_line(Grid { rows: 8, cols: 8 }).build().unwrap();
        let mut finder = Finder::new(rules, &rules.start_positions());
        let generators = finder.generators();
        assert_eq!(elements(rules.cells(), 2, &generators, LISTED).unwrap().len(), 8);
        // Each cell was visited at least once.
        assert!(finder.work >= rules.cells().into());
        finder.work = WORK;
        assert_eq!(finder.generators(), []);
    }
}
