//! Phases: sets of modes that play leaves for good, and whether positions may repeat within them.
//!
//! In the games of mills, men are put on the board before they move. Each placement leads to a mode with fewer men in hand, so play
//! never comes back, and only positions of the last modes may repeat. A search from a position of the opening ends if it knows the
//! outcomes of those.
//!
//! ```text
//! modes       x-1-1 -> o-0-1 -> x <-> o        a phase is a strongly connected component of the modes
//! repeats     no       no       yes            unless there is a potential for the moves within the phase
//! ```

use super::{Mode, Rules, RulesSpec};

/// The phases of a game in which positions may repeat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phases {
    /// For each mode, true if positions of its phase may repeat.
    repeats: Vec<bool>,
    longest: u32,
}

impl Phases {
    /// Finds the phases of `rules`. It looks for a potential of each phase, which may take a while.
    pub(super) fn of(rules: &Rules) -> Self {
        if let Some(potential) = rules.potential() {
            return Self { repeats: vec![false; rules.modes().len()], longest: potential.most() };
        }
        let after = after(rules);
        let components = components(&after);
        let mut number = vec![0; after.len()];
        for (component, modes) in components.iter().enumerate() {
            modes.iter().for_each(|&mode| number[mode] = component);
        }
        let mut repeats = vec![false; after.len()];
        // The moves in the longest play from each phase on. Phases that follow come first.
        let mut longest: Vec<u32> = Vec::with_capacity(components.len());
        for (component, modes) in components.iter().enumerate() {
            let follow = modes.iter().flat_map(|&mode| &after[mode]).map(|&next| number[next]);
            let beyond = follow.filter(|&next| next != component).map(|next| longest[next] + 1).max().unwrap_or(0);
            let within = longest_within(rules, |mode: Mode| number[usize::from(mode.0)] == component);
            modes.iter().for_each(|&mode| repeats[mode] = within.is_none());
            longest.push(within.map_or(0, |moves| moves.saturating_add(beyond)));
        }
        Self { repeats, longest: longest.into_iter().max().unwrap_or(0) }
    }

    /// Returns whether play from a position of `mode` may come back to it.
    #[must_use]
    #[inline]
    pub fn may_repeat(&self, mode: Mode) -> bool {
        self.repeats[usize::from(mode.0)]
    }

    /// Returns whether positions of every mode may repeat.
    #[must_use]
    pub fn all_repeat(&self) -> bool {
        self.repeats.iter().all(|&repeats| repeats)
    }

    /// An upper bound on the number of moves until the game is over or reaches a phase in which positions may repeat.
    #[must_use]
    pub const fn longest(&self) -> u32 {
        self.longest
    }
}

/// The most moves in a row between positions of the modes that `is_inside` names; `None` if positions may repeat.
fn longest_within(rules: &Rules, is_inside: impl Fn(Mode) -> bool) -> Option<u32> {
    let moves: Vec<_> = rules.moves().iter().filter(|m| is_inside(m.mode) && is_inside(m.next)).copied().collect();
    // The whole game has no potential.
    if moves.len() == rules.moves().len() {
        return None;
    }
    if moves.is_empty() {
        return Some(0);
    }
    let spec = rules.spec();
    let part = Rules::from_sound(RulesSpec {
        modes: spec.modes.clone(),
        moves,
        lines: spec.lines.clone(),
        counts: spec.counts.clone(),
        takes: spec.takes.clone(),
        ..RulesSpec::new(spec.name.clone(), spec.cells)
    });
    part.potential().map(super::Potential::most)
}

/// The modes to which moves lead from each mode.
fn after(rules: &Rules) -> Vec<Vec<usize>> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); rules.modes().len()];
    rules.moves().iter().for_each(|m| after[usize::from(m.mode.0)].push(m.next.0.into()));
    for modes in &mut after {
        modes.sort_unstable();
        modes.dedup();
    }
    after
}

/// The strongly connected components, each before those from which it can be reached: Tarjan's algorithm.
fn components(after: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let mut found = Vec::new();
    // The number of each mode in the order of the search, and the least number of an open mode that its subtree leads to.
    let (mut number, mut low) = (vec![NONE; after.len()], vec![0; after.len()]);
    let mut is_open = vec![false; after.len()];
    let (mut open, mut count) = (Vec::new(), 0);
    for root in 0..after.len() {
        // The modes on the way, each with the number of edges that were followed.
        let mut way: Vec<(usize, usize)> = if number[root] == NONE { vec![(root, 0)] } else { Vec::new() };
        while let Some((mode, edge)) = way.last_mut() {
            let at = *mode;
            if *edge == 0 && number[at] == NONE {
                (number[at], low[at], is_open[at]) = (count, count, true);
                open.push(at);
                count += 1;
            }
            if let Some(&next) = after[at].get(*edge) {
                *edge += 1;
                if number[next] == NONE {
                    way.push((next, 0));
                } else if is_open[next] {
                    low[at] = low[at].min(number[next]);
                }
                continue;
            }
            way.pop();
            if let Some(&(before, _)) = way.last() {
                low[before] = low[before].min(low[at]);
            }
            if low[at] == number[at] {
                let first = open.iter().position(|&mode| mode == at).unwrap_or(0);
                let component = open.split_off(first);
                component.iter().for_each(|&mode| is_open[mode] = false);
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::potential::tests::{rules, step};
    use super::*;
    use crate::{Board, Move};

    fn by(mode: u16, next: u16, m: Move) -> Move {
        Move { mode: Mode(mode), next: Mode(next), ..m }
    }

    #[test]
    fn modes_that_play_leaves_do_not_repeat() {
        // A piece is put, then it moves there and back in modes 2 and 3, and may leave for mode 4. In mode 1 it goes one way.
        let put = Move::fill(Board::bit(0));
        let round =
            [(2, 3), (3, 2)].into_iter().flat_map(|(mode, next)| [step(0, 1), step(1, 0)].map(|m| by(mode, next, m)));
        let forward = [step(0, 1), step(1, 2)].map(|m| by(1, 1, m));
        let others = [by(0, 1, put), by(1, 2, step(0, 1)), by(3, 4, step(1, 2))];
        let rules = rules(3, 5, round.chain(forward).chain(others).collect());
        let phases = rules.phases();
        let repeats: Vec<bool> = (0..5).map(|mode| phases.may_repeat(Mode(mode))).collect();
        assert_eq!((repeats, phases.all_repeat()), (vec![false, false, true, true, false], false));
        // The piece is put, moves up to two times, and is then in modes that repeat.
        assert!((4..8).contains(&phases.longest()), "{}", phases.longest());
    }

    #[test]
    fn games_of_one_phase() {
        let there_and_back = rules(2, 1, vec![step(0, 1), step(1, 0)]);
        assert!(there_and_back.phases().all_repeat() && there_and_back.phases().longest() == 0);
        let forward = rules(3, 1, vec![step(0, 1), step(1, 2)]);
        assert!(!forward.phases().all_repeat());
        assert_eq!(forward.phases().longest(), forward.potential().unwrap().most());
    }

    /// Two modes are in one component if each can be reached from the other, and components are listed after those that they lead to.
    #[test]
    fn components_are_sets_of_modes_that_reach_each_other() {
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..500 {
            let count = rng.usize(1..9);
            let after: Vec<Vec<usize>> =
                (0..count).map(|_| (0..rng.usize(..3)).map(|_| rng.usize(..count)).collect()).collect();
            let mut reached: Vec<Vec<bool>> = (0..count).map(|a| (0..count).map(|b| a == b).collect()).collect();
            for _ in 0..count {
                for (from, to) in (0..count).flat_map(|from| after[from].iter().map(move |&to| (from, to))) {
                    (0..count).for_each(|start| reached[start][to] |= reached[start][from]);
                }
            }
            let found = components(&after);
            let place = |mode: usize| found.iter().position(|modes| modes.contains(&mode)).unwrap();
            assert_eq!(found.iter().map(Vec::len).sum::<usize>(), count);
            for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
                assert_eq!(place(a) == place(b), reached[a][b] && reached[b][a], "{after:?}");
                assert!(!reached[a][b] || place(b) <= place(a), "{after:?}");
            }
        }
    }
}
