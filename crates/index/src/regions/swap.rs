//! Exchanging the colours and the modes of two sides.
//!
//! In most games with two colours, the board with the colours exchanged is the same for the other side to move. Then the positions of one
//! of two modes are stored. Modes that only the first moves of a game use have no counterpart: with pieces in hand, the side that begins
//! has as many as the other, or more. So the exchange need only hold among modes that play does not leave.

use super::Planes;
use crate::rules::{Rules, RulesSpec, Symmetry};

/// For each mode, the mode that is stored in its place with the colours exchanged; `None` if colours cannot be exchanged in any modes.
pub(super) fn swap(rules: &Rules, planes: &Planes) -> Option<Vec<Option<u16>>> {
    let [first, second, _] = planes.masks();
    if first == 0 {
        return None;
    }
    let mut cells: Vec<u8> = (0..rules.cells() as u8).collect();
    for (a, b) in planes.squares() {
        cells.swap(a as usize, b as usize);
    }
    debug_assert_eq!(first.count_ones(), second.count_ones());
    let (a, b) = closed_pair(rules)?;
    let mut modes: Vec<u16> = (0..rules.modes().len() as u16).collect();
    modes.swap(usize::from(a), usize::from(b));
    let symmetry = Symmetry::new(cells, modes).ok()?;
    let within = within(rules, &[a, b])?;
    symmetry.check(&within.symmetry_check(&[])).ok()?;
    let mut swap = vec![None; rules.modes().len()];
    swap[usize::from(b)] = Some(a);
    Some(swap)
}

/// Two modes that moves do not leave, and that lead to each other.
fn closed_pair(rules: &Rules) -> Option<(u16, u16)> {
    let modes = rules.modes().len();
    let mut next: Vec<Vec<u16>> = vec![Vec::new(); modes];
    for m in rules.moves() {
        let next = &mut next[usize::from(m.mode.0)];
        if !next.contains(&m.next.0) {
            next.push(m.next.0);
        }
    }
    let pairs = (0..modes as u16).flat_map(|a| next[usize::from(a)].iter().map(move |&b| (a, b)));
    let mut pairs = pairs.filter(|&(a, b)| {
        let stays = |mode: u16| next[usize::from(mode)].iter().all(|&to| to == a || to == b);
        a < b && next[usize::from(b)].contains(&a) && stays(a) && stays(b)
    });
    pairs.next()
}

/// The rules with the moves and ends of some modes alone.
fn within(rules: &Rules, modes: &[u16]) -> Option<Rules> {
    let has = |mode: u16| modes.contains(&mode);
    let mut spec: RulesSpec = rules.clone().into_spec();
    spec.moves.retain(|m| has(m.mode.0));
    spec.ends.retain(|end| has(end.mode.0));
    spec.count_ends.retain(|end| has(end.mode.0));
    spec.build().ok()
}
