//! Which regions stand for others: the least of each orbit, and an element that maps each of the others to it.
//!
//! A region is named by a number of a few bits, and symmetries map regions to regions.

use std::collections::HashMap;

use crate::label::Counts;
use crate::rules::{Mode, Symmetry};

/// The regions, each with the one that is stored in its place.
#[derive(Clone, Debug)]
pub(crate) struct RegionOrbits {
    /// For each region, the one that is stored in its place.
    places: Vec<Place>,
    /// The regions that are stored, in ascending order.
    stored: Vec<u64>,
    elements: Vec<Symmetry>,
    modes: usize,
}

/// What is stored in place of a region.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// How many stored regions are before it.
    rank: u32,
    /// Which element maps the region to it.
    element: u32,
}

impl RegionOrbits {
    /// Those of regions whose numbers have `bits` bits, under `generators`, permutations of `cells` cells and `modes` modes;
    /// `image` says where one of these, named by its place among them, maps a region. `None` if not every region has a place.
    pub(crate) fn new(
        bits: u32,
        (cells, modes): (u32, usize),
        generators: &[Symmetry],
        image: impl Fn(usize, u64) -> u64,
    ) -> Option<Self> {
        let mut places: Vec<Option<Place>> = vec![None; 1 << bits];
        let (mut stored, mut elements) = (Vec::new(), Vec::new());
        let mut known: HashMap<Symmetry, u32> = HashMap::new();
        let inverses: Vec<Symmetry> = generators.iter().map(Symmetry::inverse).collect();
        for region in 0..1u64 << bits {
            if places[region as usize].is_some() {
                continue;
            }
            let rank = stored.len() as u32;
            stored.push(region);
            // All images of the region, each with an element that maps it back.
            let mut next = vec![(region, Symmetry::identity(cells, modes))];
            while let Some((found, back)) = next.pop() {
                if places[found as usize].is_some() {
                    continue;
                }
                let element = *known.entry(back.clone()).or_insert_with(|| {
                    elements.push(back.clone());
                    elements.len() as u32 - 1
                });
                places[found as usize] = Some(Place { rank, element });
                for (number, inverse) in inverses.iter().enumerate() {
                    let further = image(number, found);
                    if places[further as usize].is_none() {
                        next.push((further, inverse.then(&back)));
                    }
                }
            }
        }
        let places = places.into_iter().collect::<Option<Vec<Place>>>()?;
        Some(Self { places, stored, elements, modes })
    }

    /// The number of regions, stored or not.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The numbers of the regions that are stored, in ascending order: each is the least of its orbit.
    pub(crate) fn stored(&self) -> &[u64] {
        &self.stored
    }

    /// The elements that map regions to stored ones: [`place`](Self::place) names them by their places here.
    pub(crate) fn elements(&self) -> &[Symmetry] {
        &self.elements
    }

    /// How many stored regions are before the one that is stored for `region`, and which element maps it there.
    #[inline]
    pub(crate) fn place(&self, region: u64) -> (u64, usize) {
        let place = self.places[region as usize];
        (place.rank.into(), place.element as usize)
    }

    /// Where region `region` is stored, counting those that are stored, if each region here is cut into 2^`more` that follow each
    /// other; `None` if another one is stored in its place.
    pub(crate) fn rank(&self, more: u32, region: u64) -> Option<u64> {
        let coarse = region >> more;
        let rank = u64::from(self.places[coarse as usize].rank);
        let is_stored = self.stored[rank as usize] == coarse;
        is_stored.then_some(rank << more | region & ((1 << more) - 1))
    }

    /// For each region, which stored one stands for it, and the element that maps it there.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, usize)> {
        self.places.iter().map(|place| (place.rank.into(), place.element as usize))
    }

    /// How many regions each stored one stands for.
    pub(crate) fn weights(&self) -> Vec<u64> {
        let mut weights = vec![0; self.stored.len()];
        self.all().for_each(|(rank, _)| weights[rank as usize] += 1);
        weights
    }

    /// The counts of all positions, mode by mode, given those of each stored region.
    pub(crate) fn spread(&self, of_stored: impl Fn(u64) -> Vec<Counts>) -> Vec<Counts> {
        let of_stored: Vec<Vec<Counts>> = (0..self.stored.len() as u64).map(of_stored).collect();
        let mut all = vec![Counts::default(); self.modes];
        for (rank, element) in self.all() {
            for (mode, sum) in (0..).map(Mode).zip(&mut all) {
                let from = self.elements[element].modes()[usize::from(mode.0)];
                *sum = *sum + of_stored[rank as usize][usize::from(from)];
            }
        }
        all
    }
}
