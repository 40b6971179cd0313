//! The choice of slice squares for a two-colour game up to symmetry.

use crate::colourings::{Frame, MOST_LISTED, SquareSymmetry, Squares};
use crate::rules::{Board, Rules, Symmetry};
use crate::slices::{cycles, stored_share, unions};
use crate::symmetry::{Group, MOST_FOLDED};

/// The cost of reading another slice, where storing a whole slice costs 1.
const A_DEPENDENCY: f64 = 0.1;
/// The fixed cost of a slice, in colourings that are swept in that time.
const A_SLICE: f64 = (1 << 15) as f64;
/// Games with at most this many colourings are solved at once, whatever their slices.
const AT_ONCE: u64 = 1 << 22;

/// A frame for `rules` up to the symmetries of `group`, if slices can be images of one another. Its top squares are the
/// union of orbits of squares that has the lowest cost: least is stored, and few other slices are read. `frame` is the
/// frame without symmetry. Symmetries that do not map squares to squares are left out. The result is the same on every
/// machine.
#[must_use]
pub fn fold_colourings(rules: &Rules, frame: &Frame, group: &Group) -> Option<Frame> {
    let (frame, group) = with_squares(rules, frame, group)?;
    if group.is_trivial() || rules.sweep_obstacle().is_some() {
        return None;
    }
    let orbits = with_groups(frame.squares().orbits(&group)?, &frame);
    let set = |orbit: &Vec<usize>| orbit.iter().map(|&square| Board::bit(square as u32)).collect();
    let boards: Vec<Board> = orbits.iter().map(set).collect();
    let most = if frame.sets().are_all() { MOST_FOLDED } else { MOST_LISTED };
    let all = unions(&boards, most.min(frame.size())).into_iter();
    let costs = all.map(|squares| (cost(rules, &frame, &group, squares), squares));
    let (_, top) = costs.min_by(|(a, squares), (b, others)| a.total_cmp(b).then_with(|| squares.cmp(others)))?;
    // Below the top squares the smallest orbits come first, which leaves the most choices for finer cuts.
    let (upper, lower): (Vec<_>, Vec<_>) = orbits.into_iter().zip(boards).partition(|(_, orbit)| top.contains(*orbit));
    let order: Vec<usize> = lower.into_iter().chain(upper).flat_map(|(orbit, _)| orbit).collect();
    frame.in_order(rules, &order)?.folded(rules, top.count(), &group)
}

/// A frame of `rules` whose squares symmetries permute, and these symmetries. Cells can be paired into squares in
/// several ways. The first choice is a pairing that all of `group` preserves. The second choice is a pairing that the
/// symmetries listed in the rules preserve. Otherwise the pairing of `frame` remains, with the generators that preserve
/// it.
fn with_squares(rules: &Rules, frame: &Frame, group: &Group) -> Option<(Frame, Group)> {
    let roots = frame.roots();
    let offered = || Group::new(rules, roots, rules.symmetries()).ok();
    let keeping = |group: Group| {
        let squares = Squares::symmetric(rules, roots, &group);
        let are_as_many = squares.pairs() == Squares::of(rules, roots).pairs();
        let found = are_as_many.then(|| Frame::split(rules, &squares, roots, &group)).flatten()?;
        Some((found, group))
    };
    keeping(group.clone()).or_else(|| keeping(offered()?).filter(|(_, group)| !group.is_trivial())).or_else(|| {
        let is_of_squares = |symmetry: &&Symmetry| SquareSymmetry::new(symmetry, frame.squares()).is_some();
        let kept: Vec<Symmetry> = group.generators().iter().filter(is_of_squares).cloned().collect();
        Some((frame.clone(), Group::new(rules, roots, &kept).ok()?))
    })
}

/// Orbits of squares, united so that each group of squares that are filled in an order lies in one of them.
fn with_groups(mut orbits: Vec<Vec<usize>>, frame: &Frame) -> Vec<Vec<usize>> {
    for group in frame.sets().groups().filter(|group| group.len() > 1) {
        let is_in = |orbit: &Vec<usize>| orbit.iter().any(|&square| group.contains(&(square as u32)));
        let (with, without): (Vec<_>, Vec<_>) = orbits.into_iter().partition(is_in);
        let mut united = with.concat();
        united.sort_unstable();
        orbits = [without, vec![united]].concat();
    }
    orbits.sort_by_key(|orbit| (std::cmp::Reverse(orbit.len()), orbit[0]));
    orbits
}

/// The cost of `squares` as top squares: the share of colourings that is stored, plus a little for each slice that a
/// slice depends on, plus a little for each slice.
fn cost(rules: &Rules, frame: &Frame, group: &Group, squares: Board) -> f64 {
    if !frame.sets().are_all() {
        return cost_of_groups(rules, frame, group, squares).unwrap_or(f64::INFINITY);
    }
    let pairs = Board::from_word(frame.pairs());
    let free = f64::from((squares & pairs).count()) / 3.0 + f64::from((squares & !pairs).count()) / 2.0;
    let slices = (1u64 << squares.count()) as f64 / group.order() as f64;
    let besides = match frame.count() {
        Some(all) if all > AT_ONCE => slices * A_SLICE / all as f64,
        _ => 0.0,
    };
    stored(frame, group, squares) * (1.0 + A_DEPENDENCY * free) + besides
}

/// The [`cost`] if not all sets are possible; `None` if slices of these squares are not images of one another.
fn cost_of_groups(rules: &Rules, frame: &Frame, group: &Group, squares: Board) -> Option<f64> {
    let (top, below) = (squares.bits(), (!squares & Board::full(frame.size())).bits());
    let order: Vec<usize> = below.chain(top).map(|square| square as usize).collect();
    let frame = frame.in_order(rules, &order)?.folded(rules, squares.count(), group)?;
    let first = frame.size() - squares.count();
    let groups = frame.sets().groups().filter(|group| group.start >= first).count();
    let (all, slices) = (frame.count()? as f64, frame.fold()?.stored().len() as f64);
    Some(frame.stored_positions() as f64 / all * (1.0 + A_DEPENDENCY * groups as f64) + slices * A_SLICE / all)
}

/// The share of colourings that is stored if `squares` are the top squares (Burnside's lemma).
fn stored(frame: &Frame, group: &Group, squares: Board) -> f64 {
    // A symmetry keeps a slice if each of its cycles is wholly occupied or wholly free.
    stored_share(group, |element| {
        let Some(turn) = SquareSymmetry::new(element, frame.squares()) else { return 1.0 };
        let of_cycle = |cycle: &Board| {
            let (colours, count) = if frame.pairs() & cycle.low_word() == 0 { (1.0f64, 2.0f64) } else { (2.0, 3.0) };
            let length = cycle.count() as i32;
            (1.0 + colours.powi(length)) / count.powi(length)
        };
        cycles(turn.squares(), squares).iter().map(of_cycle).product()
    })
}
