//! Groups of all permutations of some points, and the points that each cell and mode belongs to.
//!
//! A domino tile belongs to one pip value or to two, and the tail of the line to one. A permutation of the values permutes
//! the tiles and the tails. [`chains`] recognises such a group by its generators. A cell belongs to a point if exchanging the
//! point with others moves the cell. Cells that the group maps to each other are of one *kind*.
//!
//! ```text
//!         0 1 2 3 4           0-0 belongs to the value 0, and 1-3 to the values 1 and 3.
//!       0 . X . . .
//!       1   . . X .           Boards are compared row by row. The first cell of a row belongs to
//!       2     . . .           its point alone, and each other cell to that point and a later one.
//!       3       . .
//!       4         .
//! ```

use std::collections::VecDeque;

use super::Representative;
use super::coxeter::{Chain, chains};
use super::search::{KINDS, MOST, Role, Search};
use crate::rules::{Mode, Position, Symmetry};

/// A group of all permutations of some points. If there are several lots of points, each lot is permuted within itself.
pub(super) struct Points {
    search: Search,
    order: u64,
    /// The number of points of each lot.
    lots: Vec<usize>,
}

/// All points, and the exchanges of neighbouring points as symmetries.
struct Exchanges {
    lots: Vec<usize>,
    /// The lower point of each exchange, and the symmetry.
    swaps: Vec<(usize, Symmetry)>,
}

/// The cells or modes of one kind, each with the points that it belongs to.
struct PointKind {
    members: Vec<(usize, Vec<usize>)>,
    /// True if the two points of a member are an ordered pair.
    is_ordered: bool,
}

impl Points {
    /// A group of all permutations of points that some of `generators` generate, and these generators. `None` if there
    /// are no such generators, or if a cell or mode belongs to more than two points.
    pub(super) fn new(cells: u32, modes: usize, generators: &[Symmetry]) -> Option<(Self, Vec<Symmetry>)> {
        let chains = chains(generators);
        let exchanges = Exchanges::new(&chains);
        if exchanges.lots.is_empty() || exchanges.points() > MOST {
            return None;
        }
        let mut order = 1u64;
        for &lot in &exchanges.lots {
            order = (2..=lot as u64).try_fold(order, u64::checked_mul)?;
        }
        let of_cells = exchanges.kinds(cells as usize, |swap, cell| swap.cells()[cell].into())?;
        let of_modes = exchanges.kinds(modes, |swap, mode| swap.modes()[mode].into())?;
        let search = Search::new(&exchanges.lots, &roles(cells as usize, &of_cells)?, &roles(modes, &of_modes)?)?;
        Some((Self { search, order, lots: exchanges.lots }, chains.concat()))
    }

    pub(super) const fn order(&self) -> u64 {
        self.order
    }

    /// The time to find a representative, estimated from the square of the number of points: the search compares the
    /// candidates for every place.
    pub(super) fn nanoseconds(&self) -> u64 {
        6 * (self.lots.iter().sum::<usize>() as u64).pow(2)
    }

    pub(super) fn name(&self) -> String {
        self.lots.iter().map(|points| format!("S{points}")).collect::<Vec<_>>().join("x")
    }

    pub(super) fn order_of_cells(&self) -> &[u8] {
        self.search.order_of_cells()
    }

    pub(super) fn order_of_modes(&self) -> &[u16] {
        self.search.order_of_modes()
    }

    #[inline]
    pub(super) fn least(&self, position: Position) -> Representative {
        let (mode, board, stabilizer) = self.search.least(position.mode.0, position.board);
        Representative { position: Position::new(Mode(mode), board), stabilizer }
    }
}

impl Exchanges {
    fn new(chains: &[Chain]) -> Self {
        let lots: Vec<usize> = chains.iter().map(|chain| chain.len() + 1).collect();
        let firsts = lots.iter().scan(0, |next, lot| Some(std::mem::replace(next, *next + lot)));
        let of_chain = |(first, chain): (usize, &Chain)| (first..).zip(chain.clone()).collect::<Vec<_>>();
        Self { swaps: firsts.zip(chains).flat_map(of_chain).collect(), lots }
    }

    fn points(&self) -> usize {
        self.lots.iter().sum()
    }

    /// The points that the cell or mode `it` belongs to. In each lot, these are all points except the largest part that
    /// can be permuted without moving `it`.
    fn support(&self, it: usize, image: &impl Fn(&Symmetry, usize) -> usize) -> Vec<usize> {
        let mut support = Vec::new();
        let mut first = 0;
        for &lot in &self.lots {
            let mut parts: Vec<Vec<usize>> = Vec::new();
            for point in first..first + lot {
                let found = parts.iter_mut().find(|part| self.exchange(part[0], point, it, image) == it);
                match found {
                    Some(part) => part.push(point),
                    None => parts.push(vec![point]),
                }
            }
            let largest = (0..parts.len()).max_by_key(|&number| parts[number].len()).unwrap_or(0);
            parts.remove(largest);
            support.extend(parts.concat());
            first += lot;
        }
        support.sort_unstable();
        support
    }

    /// The image of `it` when the points `a` and `b` > `a` of one lot are exchanged, composed of exchanges of
    /// neighbours.
    fn exchange(&self, a: usize, b: usize, it: usize, image: &impl Fn(&Symmetry, usize) -> usize) -> usize {
        let swap = |it, at| {
            let found = self.swaps.iter().find(|(first, _)| *first == at);
            found.map_or(it, |(_, swap)| image(swap, it))
        };
        let up = (a..b).rev();
        let it = up.clone().fold(it, swap);
        up.rev().skip(1).fold(it, swap)
    }

    /// The kinds of `count` cells or modes; `None` if one of them belongs to more than two points.
    fn kinds(&self, count: usize, image: impl Fn(&Symmetry, usize) -> usize) -> Option<Vec<PointKind>> {
        let mut of: Vec<Option<Vec<usize>>> = vec![None; count];
        let mut kinds = Vec::new();
        for first in 0..count {
            if of[first].is_some() {
                continue;
            }
            let support = self.support(first, &image);
            if support.len() > 2 {
                return None;
            }
            let mut kind = PointKind { members: vec![(first, support.clone())], is_ordered: support.len() == 2 };
            of[first] = Some(support.clone());
            let mut next = VecDeque::from([(first, support)]);
            while let Some((it, points)) = next.pop_front() {
                for (a, swap) in &self.swaps {
                    let exchanged = |&point: &usize| match point {
                        point if point == *a => a + 1,
                        point if point == a + 1 => *a,
                        point => point,
                    };
                    let (to, points) = (image(swap, it), points.iter().map(exchanged).collect::<Vec<_>>());
                    match &of[to] {
                        None => {
                            of[to] = Some(points.clone());
                            kind.members.push((to, points.clone()));
                            next.push_back((to, points));
                        }
                        Some(found) if *found == points => {}
                        Some(found) if found.iter().rev().eq(&points) => kind.is_ordered = false,
                        Some(_) => return None,
                    }
                }
            }
            kinds.push(kind);
        }
        Some(kinds)
    }
}

/// The role of each of `count` cells or modes; `None` if there are too many kinds.
fn roles(count: usize, kinds: &[PointKind]) -> Option<Vec<Role>> {
    let mut roles = vec![Role::Fixed; count];
    let (mut ones, mut twos) = (0, 0);
    for kind in kinds {
        let arity = kind.members.first().map_or(0, |(_, points)| points.len());
        for (it, points) in &kind.members {
            roles[*it] = match points[..] {
                [] => Role::Fixed,
                [point] => Role::One { kind: ones, point: point as u8 },
                [from, to] => Role::Two { kind: twos, from: from as u8, to: to as u8, is_ordered: kind.is_ordered },
                _ => return None,
            };
        }
        match arity {
            0 => {}
            1 => ones += 1,
            // An ordered pair gives two kinds of neighbours, one for each direction.
            _ => twos += 1 + u8::from(kind.is_ordered),
        }
    }
    (usize::from(ones) <= KINDS && usize::from(twos) <= KINDS).then_some(roles)
}
