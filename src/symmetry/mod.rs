//! Groups of symmetries: which positions are images of one another, and which of them stands for all.
//!
//! Positions that a symmetry maps to one another have the same labels, so a table needs one of each *orbit*. The
//! *representative* of an orbit is its least position: the one whose mode comes first, and of these the one with the least
//! board number. (Both are compared in the order of [`Group::order_of_cells`] and [`Group::order_of_modes`], which is the
//! natural one except for groups of relabelled points whose cells are numbered otherwise.) So a group of generators defines
//! the representative, whatever way it is found in:
//!
//! - A group of up to [`LISTED`] elements is listed, and every image is looked at.
//! - If the group is that of all relabellings of some points, such as the pip values of a domino set, whose cells belong to
//!   one point or to two, the least image is found point by point (`points`).
//!
//! The orbit of a position has as many positions as the group has elements for each that leaves the position as it is
//! (the orbit-stabilizer theorem), which the same search counts.
//!
//! Where every board is solved, whole regions of boards stand for one another ([`Fold`]).

mod coxeter;
mod find;
mod fold;
mod listed;
mod name;
mod points;
mod regions;
mod search;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::rules::{Mode, NoSymmetry, Position, Rules, Symmetry};

pub use find::find;
pub use fold::{Element, Fold, MOST_FOLDED};
use listed::Listed;
use points::Points;
pub(crate) use regions::RegionOrbits;

/// The largest group that is listed.
pub const LISTED: usize = 1024;

/// Up to this many elements, a list is faster than a search.
const FEW: usize = 24;

/// A group of symmetries of some rules. It is cheap to clone.
#[derive(Clone)]
pub struct Group(Arc<Inner>);

struct Inner {
    generators: Vec<Symmetry>,
    order: u64,
    /// Made when it is asked for: a table is opened without.
    name: OnceLock<String>,
    form: Form,
}

enum Form {
    Listed(Listed),
    Points(Box<Points>),
}

/// The position that stands for its orbit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Representative {
    /// The position.
    pub position: Position,
    /// How many elements of the group leave it as it is.
    pub stabilizer: u64,
}

impl Group {
    /// The group that `generators` generate, symmetries of `rules` followed from `roots`. If there is no fast way to
    /// representatives in the whole group, it is a part of it; [`generators`](Self::generators) says which.
    ///
    /// # Errors
    /// Says which generator is no symmetry, counted from 0, and why.
    pub fn new(rules: &Rules, roots: &[Position], generators: &[Symmetry]) -> Result<Self, (usize, NoSymmetry)> {
        let checked = rules.checked(roots);
        for (index, symmetry) in generators.iter().enumerate() {
            symmetry.check(&checked).map_err(|reason| (index, reason))?;
        }
        let mut distinct: Vec<Symmetry> = Vec::new();
        for symmetry in generators {
            if !symmetry.is_identity() && !distinct.contains(symmetry) {
                distinct.push(symmetry.clone());
            }
        }
        Ok(Self::of(rules, distinct))
    }

    /// The group of the symmetries that the game of `rules` offers and of those that are found ([`find()`]).
    ///
    /// # Errors
    /// If play from `roots` does not have an offered symmetry.
    pub fn of_rules(rules: &Rules, roots: &[Position]) -> Result<Self, (usize, NoSymmetry)> {
        Self::new(rules, roots, &[rules.symmetries(), &find(rules, roots)].concat())
    }

    /// The group of `generators`, which are symmetries, distinct, and none the identity. Given the generators of the group
    /// that it makes, it makes the same: so a table can be read as it was written.
    fn of(rules: &Rules, generators: Vec<Symmetry>) -> Self {
        let (cells, modes) = (rules.cells(), rules.modes().len());
        let points = Points::new(cells, modes, &generators);
        let is_long = points.as_ref().is_some_and(|(points, _)| points.order() > LISTED as u64);
        let listed = if is_long { None } else { Listed::new(cells, modes, &generators, LISTED) };
        if let Some((points, used)) = points {
            // To look at a few images is faster than to search.
            let is_whole = |listed: &Listed| listed.order() > FEW && points.order() == listed.order() as u64;
            if listed.as_ref().map_or(is_long, is_whole) {
                return Self::with(used, points.order(), Form::Points(Box::new(points)));
            }
        }
        if let Some(listed) = listed {
            return Self::with(generators, listed.order() as u64, Form::Listed(listed));
        }
        // As many generators as a list has room for.
        let mut part: Vec<Symmetry> = Vec::new();
        for symmetry in generators {
            part.push(symmetry);
            if Listed::new(cells, modes, &part, LISTED).is_none() {
                part.pop();
            }
        }
        Self::of(rules, part)
    }

    fn with(generators: Vec<Symmetry>, order: u64, form: Form) -> Self {
        Self(Arc::new(Inner { generators, order, name: OnceLock::new(), form }))
    }

    /// The generators.
    #[must_use]
    pub fn generators(&self) -> &[Symmetry] {
        &self.0.generators
    }

    /// The number of its elements.
    #[must_use]
    pub fn order(&self) -> u64 {
        self.0.order
    }

    /// Whether it has no element but the one that moves nothing.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.order() == 1
    }

    /// Its name as an abstract group, such as `D4` for the turns and flips of a square, or `S8` for all permutations of
    /// eight points; `group of order N` if it has no short one.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name.get_or_init(|| match &self.0.form {
            Form::Listed(listed) => name::of(listed.elements()),
            Form::Points(points) => points.name(),
        })
    }

    /// Its elements, if they are listed.
    #[must_use]
    pub fn elements(&self) -> Option<&[Symmetry]> {
        match &self.0.form {
            Form::Listed(listed) => Some(listed.elements()),
            Form::Points(_) => None,
        }
    }

    /// The bits of a board in the order in which boards are compared, the most significant first.
    #[must_use]
    pub fn order_of_cells(&self) -> &[u8] {
        match &self.0.form {
            Form::Listed(listed) => listed.order_of_cells(),
            Form::Points(points) => points.order_of_cells(),
        }
    }

    /// The modes in the order in which they are compared, the first one first.
    #[must_use]
    pub fn order_of_modes(&self) -> &[u16] {
        match &self.0.form {
            Form::Listed(listed) => listed.order_of_modes(),
            Form::Points(points) => points.order_of_modes(),
        }
    }

    /// The position that stands for all images of `position`.
    #[inline]
    #[must_use]
    pub fn representative(&self, position: Position) -> Position {
        match &self.0.form {
            Form::Listed(listed) => listed.least(position),
            Form::Points(points) => points.least(position).position,
        }
    }

    /// The same, and how many elements of the group leave it as it is.
    #[must_use]
    pub fn representative_and_stabilizer(&self, position: Position) -> Representative {
        match &self.0.form {
            Form::Listed(listed) => listed.least_and_stabilizer(position),
            Form::Points(points) => points.least(position),
        }
    }

    /// How long it takes to find a representative, in nanoseconds of one core, as measured on Zen 4.
    pub(crate) fn nanoseconds(&self) -> u64 {
        match &self.0.form {
            Form::Listed(listed) => listed.nanoseconds(),
            Form::Points(points) => points.nanoseconds(),
        }
    }

    /// The number of positions that are images of `position`, itself among them.
    #[must_use]
    pub fn orbit(&self, position: Position) -> u64 {
        self.order() / self.representative_and_stabilizer(position).stabilizer
    }

    /// All images of `position`, itself among them, in order.
    #[must_use]
    pub fn images(&self, position: Position) -> Vec<Position> {
        let (mut seen, mut next) = (BTreeSet::from([position]), vec![position]);
        while let Some(position) = next.pop() {
            next.extend(self.generators().iter().map(|it| it.of(position)).filter(|&image| seen.insert(image)));
        }
        seen.into_iter().collect()
    }

    /// For each mode, the modes that are its images, in order.
    #[must_use]
    pub fn orbits_of_modes(&self, modes: usize) -> Vec<Vec<Mode>> {
        let all = orbits(modes, || {
            self.generators().iter().map(|symmetry| symmetry.modes().iter().map(|&to| usize::from(to)))
        });
        all.into_iter().map(|orbit| orbit.into_iter().map(|mode| Mode(mode as u16)).collect()).collect()
    }

    /// For each cell, by its bit, the cells that are its images, in order.
    #[must_use]
    pub fn orbits_of_cells(&self, cells: u32) -> Vec<Vec<usize>> {
        orbits(cells as usize, || {
            self.generators().iter().map(|symmetry| symmetry.cells().iter().map(|&to| usize::from(to)))
        })
    }
}

/// For each of `count` things, those that permutations map it to; each permutation lists where things go.
pub(crate) fn orbits<P: Iterator<Item: Iterator<Item = usize>>>(
    count: usize,
    permutations: impl Fn() -> P,
) -> Vec<Vec<usize>> {
    let mut of: Vec<usize> = (0..count).collect();
    // Joined until nothing changes: there are few generators.
    loop {
        let before = of.clone();
        for permutation in permutations() {
            for (from, to) in permutation.enumerate() {
                let least = of[from].min(of[to]);
                (of[from], of[to]) = (least, least);
            }
        }
        if of == before {
            break;
        }
    }
    let with = |which| (0..count).zip(&of).filter(move |&(_, &least)| least == which).map(|(thing, _)| thing);
    of.iter().map(|&which| with(which).collect()).collect()
}

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        self.generators() == other.generators()
    }
}

impl Eq for Group {}

impl std::fmt::Debug for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Group").field("name", &self.name()).field("order", &self.order()).finish_non_exhaustive()
    }
}
