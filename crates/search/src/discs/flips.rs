//! The pieces that a new piece turns over, and where a piece may be put.
//!
//! Squares are bits. A ray whose squares ascend is searched by one addition: in the set of the other player's pieces and of all squares
//! outside the ray, the carry runs up to the first square of the ray that the other player does not hold.
//!
//! ```text
//! squares of the ray      a b c d         other player: a b       own: c
//! (other | not ray) + 1   0 0 1 0         c is own, so a b turn over
//! ```
//!
//! A ray whose squares descend is searched from its highest square that the other player does not hold: all bits below are filled. Vectors
//! have no instruction that counts leading zeros, but do this for four rays at once. Any other ray is walked.

use super::kind::Kind;

/// The rays of one square.
#[derive(Clone, Default)]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
    rest: Box<[Box<[u8]>]>,
}

/// What follows from the rays of a game.
pub(super) struct Lines {
    rays: Box<[Rays; 64]>,
    /// For each square, the first squares of its rays.
    first: [u64; 64],
    /// For each square, the squares beside it on a ray of any square.
    pub(super) beside: [u64; 64],
    /// The squares where a piece may be put.
    pub(super) places: u64,
    shifts: Option<Shifts>,
}

/// Rays that are all made by few shifts of the board.
///
/// A step by a shift leads from a square in `up` to the square that is `by` bits higher, and from a square in `down` to the square that is `by`
/// bits lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shifts {
    pub(super) by: [u32; 4],
    pub(super) up: [u64; 4],
    pub(super) down: [u64; 4],
    /// True if some ray is so long that more than six pieces may turn over.
    is_long: bool,
}

impl Lines {
    pub(super) fn new(kind: &Kind) -> Self {
        let mut rays = vec![Rays::default(); 64];
        let (mut first, mut beside, mut places) = ([0; 64], [0; 64], 0);
        for (square, of) in kind.rays.iter().enumerate() {
            let Some(of) = of else { continue };
            places |= 1 << square;
            let (mut up, mut down, mut rest) = (Vec::new(), Vec::new(), Vec::new());
            for ray in of {
                first[square] |= 1u64 << ray[0];
                let chain = || std::iter::once(square as u8).chain(ray.iter().copied());
                for (a, b) in chain().zip(ray.iter().copied()) {
                    beside[usize::from(a)] |= 1 << b;
                    beside[usize::from(b)] |= 1 << a;
                }
                let mask = ray.iter().fold(0u64, |all, &square| all | 1 << square);
                let steps = || chain().zip(ray.iter().copied());
                if up.len() < 4 && steps().all(|(a, b)| a < b) {
                    up.push(mask);
                } else if down.len() < 4 && steps().all(|(a, b)| a > b) {
                    down.push(mask);
                } else {
                    rest.push(ray.clone().into_boxed_slice());
                }
            }
            up.resize(4, 0);
            down.resize(4, 0);
            let fixed = |of: &[u64]| std::array::from_fn(|at| of[at]);
            rays[square] = Rays { up: fixed(&up), down: fixed(&down), rest: rest.into_boxed_slice() };
        }
        let rays = Box::new(std::array::from_fn(|square| rays[square].clone()));
        Self { rays, first, beside, places, shifts: Shifts::of(kind) }
    }

    /// The shifts that make all rays, if there are few.
    pub(super) const fn shifts(&self) -> Option<&Shifts> {
        self.shifts.as_ref()
    }

    /// Without the shifts, for tests.
    #[cfg(test)]
    pub(super) fn without_shifts(self) -> Self {
        Self { shifts: None, ..self }
    }

    /// The pieces that turn over if the player with the pieces `own` puts a piece on `square`.
    #[inline(always)]
    pub(super) fn flips(&self, square: u32, own: u64, other: u64) -> u64 {
        let Rays { up, down, rest } = &self.rays[square as usize & 63];
        let mut turned = 0;
        for ray in up {
            let end = (other | !ray).wrapping_add(1) & own & ray;
            turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
        }
        for ray in down {
            let stops = ray & !other;
            let mut below = stops;
            for by in [1, 2, 4, 8, 16, 32] {
                below |= below >> by;
            }
            let end = stops & !(below >> 1) & own;
            turned |= if end == 0 { 0 } else { ray & !below };
        }
        if !rest.is_empty() {
            turned |= walked(rest, own, other);
        }
        turned
    }

    /// Returns whether a piece on `square` can turn over any of the pieces `other` at all.
    #[inline(always)]
    pub(super) fn touches(&self, square: u32, other: u64) -> bool {
        self.first[square as usize & 63] & other != 0
    }

    /// The squares where the player with the pieces `own` may put a piece.
    #[inline(always)]
    pub(super) fn moves(&self, own: u64, other: u64) -> u64 {
        let free = self.places & !(own | other);
        match &self.shifts {
            Some(shifts) => shifts.moves(own, other) & free,
            None => {
                let (mut rest, mut moves) = (free, 0);
                while rest != 0 {
                    let square = rest.trailing_zeros();
                    rest &= rest - 1;
                    if self.touches(square, other) && self.flips(square, own, other) != 0 {
                        moves |= 1 << square;
                    }
                }
                moves
            }
        }
    }
}

/// The pieces that turn over along these rays.
#[cold]
fn walked(rays: &[Box<[u8]>], own: u64, other: u64) -> u64 {
    let along = |ray: &[u8]| {
        let mut run = 0;
        for &square in ray {
            let bit = 1u64 << square;
            if other & bit == 0 {
                return if own & bit != 0 { run } else { 0 };
            }
            run |= bit;
        }
        0
    };
    rays.iter().fold(0, |all, ray| all | along(ray))
}

impl Shifts {
    pub(super) const fn is_long(&self) -> bool {
        self.is_long
    }

    /// The shifts that make the rays of `kind`; `None` if they are more than four, or if some ray is not made by one shift.
    fn of(kind: &Kind) -> Option<Self> {
        let mut found: Vec<(u32, [u64; 2])> = Vec::new();
        let rays = || kind.rays.iter().enumerate().filter_map(|(square, of)| Some((square as u8, of.as_ref()?)));
        for (square, ray) in rays().flat_map(|(square, of)| of.iter().map(move |ray| (square, ray))) {
            let chain = std::iter::once(square).chain(ray.iter().copied());
            let by = ray[0].abs_diff(square);
            for (from, to) in chain.zip(ray.iter().copied()) {
                if from.abs_diff(to) != by || (from < to) != (square < ray[0]) {
                    return None;
                }
                let at = found.iter().position(|&(of, _)| of == by.into()).unwrap_or(found.len());
                if at == found.len() {
                    found.push((by.into(), [0; 2]));
                }
                found[at].1[usize::from(from > to)] |= 1 << from;
            }
        }
        if found.len() > 4 {
            return None;
        }
        found.sort_unstable();
        let longest = rays().flat_map(|(_, of)| of.iter().map(Vec::len)).max().unwrap_or(0);
        let mut this = Self { by: [1; 4], up: [0; 4], down: [0; 4], is_long: longest > 7 };
        for (at, &(by, [up, down])) in found.iter().enumerate() {
            (this.by[at], this.up[at], this.down[at]) = (by, up, down);
        }
        // Steps of one square may be those of rays of other squares, and then lead further.
        let is_made = |(square, of): (u8, &Vec<Vec<u8>>)| {
            let mut chains: Vec<Vec<u8>> = found
                .iter()
                .flat_map(|&(by, steps)| [(by, steps[0], true), (by, steps[1], false)])
                .map(|(by, steps, is_up)| {
                    let next = |&from: &u8| {
                        let to = if is_up { from + by as u8 } else { from.wrapping_sub(by as u8) };
                        (steps >> from & 1 == 1).then_some(to)
                    };
                    std::iter::successors(next(&square), next).collect()
                })
                .filter(|chain: &Vec<u8>| chain.len() > 1)
                .collect();
            chains.sort_unstable();
            chains == *of
        };
        rays().all(is_made).then_some(this)
    }

    #[inline(always)]
    fn moves(&self, own: u64, other: u64) -> u64 {
        let mut moves = 0;
        for at in 0..4 {
            let (by, up, down) = (self.by[at], self.up[at], self.down[at]);
            let double = (2 * by).min(63);
            // Squares of runs from which a ray leads upwards over the run to an own piece: runs of 1, 2, 4 and 6 pieces at most.
            let run = other & up;
            let mut ends = run & own >> by;
            ends |= run & ends >> by;
            let two = run & run >> by;
            ends |= two & ends >> double;
            ends |= two & ends >> double;
            let run = other & down;
            let mut ends_down = run & own << by;
            ends_down |= run & ends_down << by;
            let two = run & run << by;
            ends_down |= two & ends_down << double;
            ends_down |= two & ends_down << double;
            moves |= ends >> by & up | ends_down << by & down;
        }
        if self.is_long { moves | self.long_moves(own, other) } else { moves }
    }

    /// As [`moves`](Self::moves), for runs of any length.
    #[cold]
    fn long_moves(&self, own: u64, other: u64) -> u64 {
        let mut moves = 0;
        for at in 0..4 {
            let (by, up, down) = (self.by[at], self.up[at], self.down[at]);
            let (mut ends, mut ends_down) = (own, own);
            while ends | ends_down != 0 {
                ends = other & up & ends >> by;
                ends_down = other & down & ends_down << by;
                moves |= ends >> by & up | ends_down << by & down;
            }
        }
        moves
    }
}
