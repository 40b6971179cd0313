//! The image of a slice's labels under a symmetry.
//!
//! A symmetry maps each occupied set of a slice to a set of another slice, and the colourings of one to the colourings
//! of the other. So the labels of a set are the labels of its image with the bits of their indices permuted
//! ([`permute`](super::permute)).

use std::ops::Range;

use rayon::prelude::*;

use super::super::set_order::SetOrder;
use super::ColouringSlices;
use super::permute::Bits;
use crate::colourings::{MOST_SQUARES, SquareSymmetry, WORD_LOG};

use crate::memory::{values, values_mut};
use crate::slices::{PlaneKind, SliceSpace};

/// Planes of one slice, to be made from the planes of another.
pub(super) struct Image<'a> {
    pub(super) slices: &'a ColouringSlices,
    pub(super) plane_kind: PlaneKind,
    /// The symmetry that maps `slice` to `other`.
    pub(super) turn: &'a SquareSymmetry,
    pub(super) slice: u64,
    pub(super) other: u64,
}

/// Consecutive sets of the slice, for one thread.
struct Stretch<'a> {
    /// The numbers of the sets ([`SetOrder::set`]).
    sets: Range<usize>,
    /// The first word, in a plane of the whole game.
    start: u64,
    /// The words of these sets in each plane.
    planes: Vec<&'a mut [u64]>,
}

impl Image<'_> {
    /// Writes the `planes` of the slice from the planes `there` of the other slice, on all cores of the current rayon pool.
    pub(super) fn copy(&self, there: &[u8], planes: &mut [u8]) {
        let (frame, cut) = (self.slices.frame(), &self.slices.cut);
        let unit = self.unit();
        let slots = frame.slots() as usize;
        let a_slot = self.slices.planes(self.plane_kind) as usize / slots;
        let (order, own) = (SetOrder::of(frame, cut, self.slice), cut.words(frame, self.slice));
        let plane = (own.end - own.start) as usize * unit;
        let there: Vec<&[u64]> = values::<u64>(there).chunks(plane).collect();
        // A stretch has the same sets in every plane.
        let start = |set: u64| frame.offsets().start(set);
        let stretch = |sets: Range<usize>| Stretch { start: start(order.set(sets.start)), sets, planes: Vec::new() };
        let mut stretches: Vec<Stretch> = order.ranges(frame).into_iter().map(stretch).collect();
        let ends: Vec<u64> = stretches.iter().skip(1).map(|stretch| stretch.start).chain([own.end]).collect();
        for mut plane in values_mut::<u64>(planes).chunks_mut(plane) {
            for (stretch, end) in stretches.iter_mut().zip(&ends) {
                let words = (end - stretch.start) as usize * unit;
                stretch.planes.extend(plane.split_off_mut(..words));
            }
        }
        stretches.into_par_iter().for_each(|Stretch { sets, start: first, mut planes }| {
            for set in sets.map(|number| order.set(number)) {
                let at = (start(set) - first) as usize * unit;
                let image = self.turn.of_set(set);
                let from = (start(image) - cut.words(frame, self.other).start) as usize * unit;
                let bits = self.bits(set, image);
                let words = unit << frame.coloured(set).saturating_sub(WORD_LOG);
                for slot in 0..frame.modes_at(set.count_ones()).len() {
                    let other = self.turn.of_slot(frame, set.count_ones(), slot as u32) as usize;
                    for number in 0..a_slot {
                        let there = &there[other * a_slot + number][from..from + words];
                        bits.copy(there, &mut planes[slot * a_slot + number][at..at + words]);
                    }
                }
            }
        });
    }

    /// Words that 64 labels take.
    const fn unit(&self) -> usize {
        self.slices.word_bytes(self.plane_kind) as usize / size_of::<u64>()
    }

    /// The source of each bit of the index of a label of `set`, whose image is `image`.
    fn bits(&self, set: u64, image: u64) -> Bits {
        let pairs = self.slices.frame().pairs();
        let (mut rest, image) = (set & pairs, image & pairs);
        let mut flips = 0;
        let colours = (0..set.count_ones()).map_while(|bit| {
            let square = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            let to = self.turn.squares()[square];
            flips |= (self.turn.exchanged() >> to & 1) << bit;
            Some((image & ((1 << to) - 1)).count_ones() as usize)
        });
        let mut from = [0; MOST_SQUARES];
        let mut count = 0;
        for (bit, colour) in from.iter_mut().zip(colours) {
            *bit = colour;
            count += 1;
        }
        if self.unit() == 1 {
            return Bits::new(from[..count].iter().copied(), flips);
        }
        // The bits of a label stay together, and labels are in whole groups of 64.
        let of_label = self.unit().trailing_zeros() as usize;
        let colours = from[..count].iter().copied().chain(count..WORD_LOG as usize);
        Bits::new((0..of_label).chain(colours.map(|bit| bit + of_label)), flips << of_label)
    }
}
