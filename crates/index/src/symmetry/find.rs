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
use crate::rules::{Board, Move, Position, Rules, Symmetry, SymmetryCheck, Terminal};

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

/// The rules as a coloured structure, and the work done so far.
struct Finder<'a> {
    checked: SymmetryCheck<'a>,
    cells: usize,
    things: usize,
    /// Moves, terminal patterns and roots: the kind of each, and the cells and modes in it, each with its role.
    items: Vec<(u64, Vec<(Thing, u64)>)>,
    /// The number of cells and modes in all items together.
    size: u64,
    work: u64,
}

impl<'a> Finder<'a> {
    fn new(rules: &'a Rules, roots: &[Position]) -> Self {
        let checked = rules.symmetry_check(roots);
        let cells = rules.cells() as usize;
        let mut items = Vec::new();
        let distinct: BTreeSet<&Move> = rules.moves().iter().collect();
        for m in distinct {
            let part = |bit: u32| {
                let has = |cells: Board| u64::from(cells.has(bit));
                (bit as usize, has(m.empty) | has(m.full) << 1 | has(m.fills) << 2 | has(m.clears) << 5)
            };
            let mut parts: Vec<_> = (m.empty | m.full | m.fills).bits().map(part).collect();
            parts.extend([(cells + usize::from(m.mode.0), 8), (cells + usize::from(m.next.0), 9)]);
            let again = !rules.hands_over(m);
            if let Some(number) = m.when {
                let count = rules.spec().counts[usize::from(number)];
                let kind = mixed(17 + u64::from(count.least), count.most.into());
                let counted = count.cells.bits().map(|bit| (bit as usize, 16));
                items.push((kind, parts.iter().copied().chain(counted).collect()));
            }
            if let Some(number) = m.takes {
                let take = &rules.spec().takes[usize::from(number)];
                for (&line, kind) in take.lines.iter().zip(repeat(11)).chain(take.guards.iter().zip(repeat(13))) {
                    let of_line = line.bits().map(|bit| (bit as usize, 17));
                    items.push((kind, of_line.chain(m.fills.bits().map(|bit| (bit as usize, 18))).collect()));
                }
            }
            let kind = 1 + 4 * u64::from(again) + 8 * u64::from(m.otherwise);
            items.push((if m.gain == 0 { kind } else { mixed(kind, m.gain as u64) }, parts));
        }
        // What an end is worth: its kind, and the cells that are counted, with the first of their roles given.
        let worth = |terminal: Terminal, role: u64| -> (u64, Vec<(Thing, u64)>) {
            match terminal {
                Terminal::Always(outcome) => (outcome as u64, Vec::new()),
                Terminal::Points(points) => (mixed(4, points as u64), Vec::new()),
                Terminal::Most { own, other } => {
                    let parts = [(own, role), (other, role + 1)].into_iter();
                    let parts = parts.flat_map(|(part, of)| part.bits().map(move |bit| (bit as usize, of)));
                    (3, parts.collect())
                }
            }
        };
        for (mode, terminal) in checked.terminals() {
            let (kind, mut parts) = worth(terminal, 1);
            parts.push((cells + usize::from(mode.0), 8));
            items.push((mixed(7, kind), parts));
        }
        for (mode, row, outcome, [filled, empty]) in checked.ends() {
            let part = |cells: Board, of: u64| cells.bits().map(move |bit| (bit as usize, of));
            let mut parts: Vec<_> = part(filled, 1).chain(part(empty, 2)).collect();
            parts.push((cells + usize::from(mode.0), 8));
            let (kind, counted) = worth(outcome, 3);
            parts.extend(counted);
            items.push((mixed(2 + 3 * row as u64, kind), parts));
        }
        for root in roots {
            let mut parts: Vec<_> = root.board.bits().map(|bit| (bit as usize, 1)).collect();
            parts.push((cells + usize::from(root.mode.0), 8));
            items.push((3, parts));
        }
        let size = items.iter().map(|(_, parts)| parts.len() as u64).sum();
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
            for (kind, parts) in &self.items {
                // A sum does not depend on the order.
                let sum = parts.iter().fold(0u64, |sum, &(it, part)| sum.wrapping_add(mixed(colours[it], part)));
                let colour = mixed(sum, *kind);
                for &(it, part) in parts {
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
