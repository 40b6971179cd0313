//! Symmetry classes of slices: the smallest slice of each class, and for each other slice a symmetry that maps it to
//! the smallest.
//!
//! Slices are numbered from 0, and symmetries map slices to slices. Only the smallest slice of a class is stored.

use std::collections::HashMap;

use crate::label::Counts;
use crate::rules::Symmetry;

/// All slices, each with the stored slice of its class.
#[derive(Clone, Debug)]
pub struct SliceClasses {
    /// The stored slice of each slice's class.
    places: Vec<ClassPlace>,
    /// The stored slices, in ascending order.
    stored: Vec<u64>,
    elements: Vec<Symmetry>,
    /// The slices that each stored slice represents, by rank: their number for each permutation of the modes.
    shares: Vec<Vec<(u64, Vec<u16>)>>,
}

/// The stored slice of a class, as seen from one of its slices.
#[derive(Clone, Copy, Debug)]
struct ClassPlace {
    /// The number of stored slices before it.
    rank: u32,
    /// The index of an element that maps the slice to it.
    element: u32,
}

impl SliceClasses {
    /// The classes of `slices` slices, under `generators`, symmetries of as many cells and modes as `identity`.
    /// `image(number, slice)` is the image of a slice under generator `number`. `None` if some slice is an image of no
    /// stored slice.
    pub(crate) fn new(
        slices: usize,
        identity: &Symmetry,
        generators: &[Symmetry],
        image: impl Fn(usize, u64) -> u64,
    ) -> Option<Self> {
        let mut places: Vec<Option<ClassPlace>> = vec![None; slices];
        let (mut stored, mut elements) = (Vec::new(), Vec::new());
        let mut known: HashMap<Symmetry, u32> = HashMap::new();
        let inverses: Vec<Symmetry> = generators.iter().map(Symmetry::inverse).collect();
        for slice in 0..slices as u64 {
            if places[slice as usize].is_some() {
                continue;
            }
            let rank = stored.len() as u32;
            stored.push(slice);
            // Visit all images of the slice, each with an element that maps it back.
            let mut next = vec![(slice, identity.clone())];
            while let Some((found, back)) = next.pop() {
                if places[found as usize].is_some() {
                    continue;
                }
                let element = *known.entry(back.clone()).or_insert_with(|| {
                    elements.push(back.clone());
                    elements.len() as u32 - 1
                });
                places[found as usize] = Some(ClassPlace { rank, element });
                for (number, inverse) in inverses.iter().enumerate() {
                    let further = image(number, found);
                    if places[further as usize].is_none() {
                        next.push((further, inverse.then(&back)));
                    }
                }
            }
        }
        let places = places.into_iter().collect::<Option<Vec<ClassPlace>>>()?;
        let mut shares: Vec<Vec<(u64, Vec<u16>)>> = vec![Vec::new(); stored.len()];
        for place in &places {
            let (modes, shares) = (elements[place.element as usize].modes(), &mut shares[place.rank as usize]);
            match shares.iter_mut().find(|(_, found)| found == modes) {
                Some((count, _)) => *count += 1,
                None => shares.push((1, modes.to_vec())),
            }
        }
        Some(Self { places, stored, elements, shares })
    }

    /// The number of all slices, stored or not.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The numbers of the stored slices, in ascending order. Each is the smallest of its class.
    pub fn stored(&self) -> &[u64] {
        &self.stored
    }

    /// The elements that map slices to stored slices; [`place`](Self::place) returns indices into this list.
    pub(crate) fn elements(&self) -> &[Symmetry] {
        &self.elements
    }

    /// The rank of the stored slice in the class of `slice`, and the index of an element that maps `slice` to it.
    #[inline]
    pub(crate) fn place(&self, slice: u64) -> (u64, usize) {
        let place = self.places[slice as usize];
        (place.rank.into(), place.element as usize)
    }

    /// The rank of `slice` among the stored slices, if each slice is cut into 2^`more` consecutive ones. `None` if
    /// another slice of its class is stored.
    pub fn rank(&self, more: u32, slice: u64) -> Option<u64> {
        let coarse = slice >> more;
        let rank = u64::from(self.places[coarse as usize].rank);
        let is_stored = self.stored[rank as usize] == coarse;
        is_stored.then_some(rank << more | slice & ((1 << more) - 1))
    }

    /// For each slice, the rank of the stored slice in its class, and the index of an element that maps it there.
    pub fn all(&self) -> impl Iterator<Item = (u64, usize)> {
        self.places.iter().map(|place| (place.rank.into(), place.element as usize))
    }

    /// The size of the class of each stored slice.
    pub fn weights(&self) -> Vec<u64> {
        (0..self.shares.len() as u64).map(|rank| self.weight(rank)).collect()
    }

    /// The size of the class of the stored slice of rank `rank`.
    pub fn weight(&self, rank: u64) -> u64 {
        self.shares(rank).iter().map(|(count, _)| count).sum()
    }

    /// The number of slices that the stored slice of rank `rank` represents, for each permutation of the modes.
    pub fn shares(&self, rank: u64) -> &[(u64, Vec<u16>)] {
        &self.shares[rank as usize]
    }

    /// The counts of all positions, mode by mode, from the counts of each stored slice.
    pub fn expand_counts(&self, of_stored: impl Fn(u64) -> Vec<Counts>) -> Vec<Counts> {
        let of_stored: Vec<Vec<Counts>> = (0..self.stored.len() as u64).map(of_stored).collect();
        let mut all: Vec<Counts> = Vec::new();
        for (shares, stored) in self.shares.iter().zip(of_stored) {
            all.resize(stored.len(), Counts::default());
            for (count, to) in shares {
                for (sum, &to) in all.iter_mut().zip(to) {
                    *sum = *sum + stored[usize::from(to)].times(*count);
                }
            }
        }
        all
    }
}
