//! Symmetries of the board: permutations of its squares that map chains to chains and patterns to patterns.

use std::collections::HashSet;

use super::kind::Kind;
use super::layout::{Layout, Sides};

/// Maximum number of symmetries that are used.
const MOST: usize = 8;
/// Maximum number of squares that the search for symmetries places.
const MOST_STEPS: u32 = 1 << 13;

/// A permutation of the bits of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Image {
    /// The bits that are moved by one distance upwards, and the distance.
    parts: Vec<(u64, i32)>,
}

impl Image {
    fn new(from_to: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut parts: Vec<(u64, i32)> = Vec::new();
        for (from, to) in from_to {
            let by = to as i32 - from as i32;
            match parts.iter_mut().find(|part| part.1 == by) {
                Some(part) => part.0 |= 1 << from,
                None => parts.push((1 << from, by)),
            }
        }
        Self { parts }
    }

    /// The image of a set of squares.
    #[inline]
    pub(super) fn of(&self, set: u64) -> u64 {
        let moved = |&(bits, by): &(u64, i32)| {
            let part = set & bits;
            if by < 0 { part >> by.unsigned_abs() } else { part << by }
        };
        self.parts.iter().map(moved).fold(0, |all, part| all | part)
    }

    /// Returns whether some position is possible both after `sides` and after its image.
    pub(super) fn fits(&self, sides: Sides) -> bool {
        self.of(sides.own) & sides.other == 0 && self.of(sides.other) & sides.own == 0
    }
}

/// The symmetries of a game other than the identity; not all, if there are many or if it takes long to find them.
pub(super) fn images(kind: &Kind, layout: &Layout) -> Vec<Image> {
    let order: Vec<usize> = kind.chains.concat();
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &square)| rank[square] = at);
    let mut closed = vec![Vec::new(); order.len()];
    for pattern in &kind.patterns {
        closed[pattern.iter().map(|&square| rank[square]).max().unwrap_or(0)].push(pattern.clone());
    }
    let mut height = vec![(0, 0); order.len()];
    for chain in &kind.chains {
        (0..).zip(chain).for_each(|(at, &square)| height[square] = (at, chain.len()));
    }
    let mut shared = vec![vec![0; order.len()]; order.len()];
    for pattern in &kind.patterns {
        for (&one, &other) in pattern.iter().flat_map(|one| pattern.iter().map(move |other| (one, other))) {
            shared[one][other] += 1;
        }
    }
    let patterns = kind.patterns.iter().cloned().collect();
    let above = |square: usize| {
        kind.chains.iter().find_map(|chain| chain.windows(2).find(|it| it[0] == square).map(|it| it[1]))
    };
    let above = (0..order.len()).map(above).collect();
    let mut search =
        Assignment { order, closed, height, shared, patterns, above, image: Vec::new(), steps: 0, found: Vec::new() };
    search.extend();
    let is_identity = |image: &Image| image.parts.iter().all(|part| part.1 == 0);
    let bit = |square: usize| layout.bits[square];
    let image = |to: &Vec<usize>| Image::new(search.order.iter().zip(to).map(|(&from, &to)| (bit(from), bit(to))));
    search.found.iter().map(image).filter(|image| !is_identity(image)).take(MOST - 1).collect()
}

/// A permutation that grows square by square.
struct Assignment {
    /// The squares in the order in which they get images: chain by chain.
    order: Vec<usize>,
    /// For each place in that order, the patterns whose last square it is.
    closed: Vec<Vec<Vec<usize>>>,
    /// For each square its place in its chain, and the length of the chain.
    height: Vec<(usize, usize)>,
    /// For each two squares, the number of patterns through both. Their images have as many.
    shared: Vec<Vec<u32>>,
    patterns: HashSet<Vec<usize>>,
    above: Vec<Option<usize>>,
    /// The images of the first squares.
    image: Vec<usize>,
    steps: u32,
    found: Vec<Vec<usize>>,
}

impl Assignment {
    fn extend(&mut self) {
        let at = self.image.len();
        if at == self.order.len() {
            self.found.push(self.image.clone());
            return;
        }
        let square = self.order[at];
        for to in 0..self.order.len() {
            let continues = self.height[square].0 == 0 || self.above[self.image[at - 1]] == Some(to);
            let is_like = |at: usize| self.shared[square][self.order[at]] == self.shared[to][self.image[at]];
            let fits = self.height[square] == self.height[to] && self.shared[square][square] == self.shared[to][to];
            if !continues || !fits || self.image.contains(&to) || !(0..at).all(is_like) {
                continue;
            }
            self.steps += 1;
            if self.steps > MOST_STEPS || self.found.len() >= MOST {
                return;
            }
            self.image.push(to);
            if self.closed[at].iter().all(|pattern| self.patterns.contains(&self.moved(pattern))) {
                self.extend();
            }
            self.image.pop();
        }
    }

    /// The image of a pattern all of whose squares have images.
    fn moved(&self, pattern: &[usize]) -> Vec<usize> {
        let place = |square: &usize| self.order.iter().position(|it| it == square).unwrap_or(0);
        let mut moved: Vec<usize> = pattern.iter().map(|square| self.image[place(square)]).collect();
        moved.sort_unstable();
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::grid;
    use super::*;

    /// The numbers of symmetries beside the identity.
    #[test]
    fn grids_have_their_symmetries() {
        for (rows, cols, line, falls, count) in [
            (6, 7, 4, true, 1),
            (3, 3, 3, false, 7),
            (3, 4, 3, false, 3),
            (4, 4, 3, false, 7),
            (7, 9, 5, false, 3),
            (8, 8, 5, false, 7),
        ] {
            let kind = Kind::of(&grid(rows, cols, line, falls).build().unwrap()).unwrap();
            let layout = Layout::new(&kind);
            let images = images(&kind, &layout);
            assert_eq!(images.len(), count, "{rows} {cols} {line} {falls}");
            let of = |squares: &Vec<usize>| squares.iter().fold(0u64, |all, &square| all | 1 << layout.bits[square]);
            let patterns: HashSet<u64> = kind.patterns.iter().map(of).collect();
            for image in &images {
                assert!(patterns.iter().all(|&pattern| patterns.contains(&image.of(pattern))));
                let bottoms = layout.playable(0);
                assert_eq!(image.of(bottoms), bottoms);
                // The first square and its image differ in colour.
                let sides = |other| Sides { own: 1, other };
                let first = image.of(1);
                assert!(first == 1 || !image.fits(sides(first)));
                assert!(image.fits(Sides { own: 1 | first, other: 0 }));
            }
        }
    }
}
