//! By which squares colourings are folded up to symmetry.

use crate::coloured::{Frame, SquareSymmetry, Squares};
use crate::rules::{Board, Rules, Symmetry};
use crate::solve::regions::{cycles, unions};
use crate::symmetry::{Group, MOST_FOLDED};

/// What another region to read costs, where all that is stored is one.
const A_CROSSING: f64 = 0.1;
/// What a region costs besides, in colourings that are swept in that time.
const A_REGION: f64 = (1 << 15) as f64;
/// Colourings up to which a game is over at once, however many regions it has.
const AT_ONCE: u64 = 1 << 22;

/// The frame of the colourings of `rules`, whose frame is `frame`, up to the symmetries of `group`, if regions of them can stand for
/// one another: the top squares are those orbits of squares with which least is stored and read. Symmetries that do not map squares to
/// squares are left out. It is the same on every machine.
#[must_use]
pub fn fold_colourings(rules: &Rules, frame: &Frame, group: &Group) -> Option<Frame> {
    let (frame, group) = with_squares(rules, frame, group)?;
    if group.is_trivial() || rules.sweep_obstacle().is_some() {
        return None;
    }
    let orbits = frame.squares().orbits(&group)?;
    let set = |orbit: &Vec<usize>| orbit.iter().map(|&square| Board::bit(square as u32)).collect();
    let boards: Vec<Board> = orbits.iter().map(set).collect();
    let all = unions(&boards, MOST_FOLDED.min(frame.size())).into_iter();
    let costs = all.map(|squares| (cost(&frame, &group, squares), squares));
    let (_, top) = costs.min_by(|(a, squares), (b, others)| a.total_cmp(b).then_with(|| squares.cmp(others)))?;
    // Below the top squares the smallest orbits come first, so that there are many finer cuts.
    let (upper, lower): (Vec<_>, Vec<_>) = orbits.into_iter().zip(boards).partition(|(_, orbit)| top.contains(*orbit));
    let order: Vec<usize> = lower.into_iter().chain(upper).flat_map(|(orbit, _)| orbit).collect();
    frame.in_order(rules, &order)?.folded(rules, top.count(), &group)
}

/// The frame of `rules`, with squares that symmetries map to one another, and these symmetries. Cells may share squares in several
/// ways: in one that all symmetries keep, or those that the game offers; or else with the squares of `frame` and the generators that
/// keep these.
fn with_squares(rules: &Rules, frame: &Frame, group: &Group) -> Option<(Frame, Group)> {
    let roots = frame.roots();
    let offered = || Group::new(rules, roots, rules.symmetries()).ok();
    let keeping = |group: Group| {
        let squares = Squares::symmetric(rules, roots, &group);
        let found = Frame::new(rules, squares, roots)?;
        (found.squares().pairs() == frame.squares().pairs()).then_some((found, group))
    };
    keeping(group.clone()).or_else(|| keeping(offered()?).filter(|(_, group)| !group.is_trivial())).or_else(|| {
        let is_of_squares = |symmetry: &&Symmetry| SquareSymmetry::new(symmetry, frame.squares()).is_some();
        let kept: Vec<Symmetry> = group.generators().iter().filter(is_of_squares).cloned().collect();
        Some((frame.clone(), Group::new(rules, roots, &kept).ok()?))
    })
}

/// The part of all colourings that is stored if `squares` are the top squares, and a little more for each region that a region needs,
/// and for each that there is.
fn cost(frame: &Frame, group: &Group, squares: Board) -> f64 {
    let pairs = Board::from_word(frame.pairs());
    let free = f64::from((squares & pairs).count()) / 3.0 + f64::from((squares & !pairs).count()) / 2.0;
    let regions = (1u64 << squares.count()) as f64 / group.order() as f64;
    let besides = match frame.count() {
        Some(all) if all > AT_ONCE => regions * A_REGION / all as f64,
        _ => 0.0,
    };
    stored(frame, group, squares) * (1.0 + A_CROSSING * free) + besides
}

/// The part of all colourings that is stored, if `squares` are the top squares (Burnside's lemma).
fn stored(frame: &Frame, group: &Group, squares: Board) -> f64 {
    let Some(elements) = group.elements() else {
        // Of a group that is not listed: at least as much as one of each orbit.
        return 1.0 / group.order() as f64;
    };
    // An element keeps a region if each of its cycles is occupied as a whole or not at all.
    let kept = |element: &Symmetry| -> f64 {
        let Some(turn) = SquareSymmetry::new(element, frame.squares()) else { return 1.0 };
        let of_cycle = |cycle: &Board| {
            let (colours, count) = if frame.pairs() & cycle.low_word() == 0 { (1.0f64, 2.0f64) } else { (2.0, 3.0) };
            let length = cycle.count() as i32;
            (1.0 + colours.powi(length)) / count.powi(length)
        };
        cycles(turn.squares(), squares).iter().map(of_cycle).product()
    };
    elements.iter().map(kept).sum::<f64>() / elements.len() as f64
}
