//! Opposite moves: a quick proof that there is no potential, for games in which pieces go there and back.
//!
//! Two moves from one mode to the same next mode are *opposite* if each fills the cells that the other empties. Together they change no
//! cell, so a potential can only rise because its weight of the next mode is the larger one. If such modes go round in a circle,
//! there is no potential. The inequalities would say so as well, but in a game with thousands of moves only after a second.

use std::collections::{BTreeSet, HashSet};

use super::super::{Board, Mode, Rules};

/// Returns whether opposite moves lead from a mode to the next one and so round to the first. A move that changes no cell is
/// its own opposite.
pub(super) fn moves_go_round(rules: &Rules) -> bool {
    let mut seen: HashSet<(Mode, Mode, Board, Board)> = HashSet::new();
    let mut steps: BTreeSet<(usize, usize)> = BTreeSet::new();
    for m in rules.moves().iter().flat_map(|m| rules.each_line(m)) {
        let (fills, clears) = (m.fills & m.empty, m.clears);
        seen.insert((m.mode, m.next, fills, clears));
        if seen.contains(&(m.mode, m.next, clears, fills)) {
            steps.insert((m.mode.0.into(), m.next.0.into()));
        }
    }
    // Modes to which no step leads are removed until there are none, or only circles and what follows them.
    let mut into = vec![0; rules.modes().len()];
    steps.iter().for_each(|&(_, to)| into[to] += 1);
    let mut free: Vec<usize> = (0..into.len()).filter(|&mode| into[mode] == 0).collect();
    let mut removed = 0;
    while let Some(mode) = free.pop() {
        removed += 1;
        for &(_, to) in steps.range((mode, 0)..=(mode, usize::MAX)) {
            into[to] -= 1;
            if into[to] == 0 {
                free.push(to);
            }
        }
    }
    removed < into.len()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{rules, step};
    use super::super::{Move, Potential};
    use super::*;

    #[test]
    fn pieces_that_go_there_and_back_go_round() {
        let by = |mode, next, m: Move| Move { mode: Mode(mode), next: Mode(next), ..m };
        let pass = Move { empty: Board::EMPTY, fills: Board::EMPTY, ..Move::fill(Board::EMPTY) };
        let there_and_back = |mode, next| vec![by(mode, next, step(0, 1)), by(mode, next, step(1, 0))];
        let turns = [there_and_back(0, 1), there_and_back(1, 0)].concat();
        for (moves, expected) in [
            (there_and_back(0, 0), true),
            (turns.clone(), true),
            // One player goes there and back, and the other passes.
            ([there_and_back(0, 1), vec![by(1, 0, pass)]].concat(), true),
            // Each phase happens once.
            (there_and_back(0, 1), false),
            // Each player goes in one direction, so it takes the inequalities to see that both together go round.
            (vec![by(0, 1, step(0, 1)), by(1, 0, step(1, 0))], false),
        ] {
            let rules = rules(2, 2, moves.clone());
            assert_eq!(moves_go_round(&rules), expected, "{moves:?}");
            assert!(!expected || Potential::solved(&rules).is_none());
        }
    }
}
