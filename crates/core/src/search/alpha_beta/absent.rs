//! Patterns that cannot be on the board of a position in which the game is not over.
//!
//! In Connect Four, a position in which X moves has no finished line of X: O would have been the player to move when it
//! was finished, and the game would have been over. So X's move needs no test of lines without the cell that it fills.
//! In general, let `A(m)` be the patterns that no open position of mode `m` contains, provided that the first position of
//! the line of play contains none of those of its own mode:
//!
//! ```text
//! p is in A(m)   if p ends the game in mode m, or if for each mode n with a move to m:
//!                   p is in A(n), and no move from n to m fills a cell of p
//! ```
//!
//! The largest such sets are found by removing patterns until nothing changes.

use std::collections::BTreeMap;

use super::word::Word;
use crate::rules::{Mode, Rules};

/// Maximum number of tests for one round; beyond that, a mode has only its own patterns.
const MOST_TESTS: usize = 1 << 22;

/// For each mode the sorted patterns that no open position of the mode contains. If `any_board` is true, the first position
/// of a line of play may contain any pattern, so a mode has only its own patterns.
pub(super) fn absent<W: Word>(rules: &Rules, any_board: bool) -> Vec<Vec<W>> {
    let modes = rules.modes().len();
    let sorted = |mut patterns: Vec<W>| {
        patterns.sort_unstable();
        patterns.dedup();
        patterns
    };
    let own =
        |mode: usize| sorted(rules.ends_of(Mode(mode as u16)).iter().map(|end| W::of_board(end.pattern)).collect());
    let own: Vec<Vec<W>> = (0..modes).map(own).collect();
    let mut steps: BTreeMap<(usize, usize), W> = BTreeMap::new();
    for m in rules.moves().iter().flat_map(|m| rules.each_line(m)) {
        *steps.entry((m.mode.0.into(), m.next.0.into())).or_default() |= W::of_board(m.fills);
    }
    let patterns = sorted(own.concat());
    if any_board || patterns.len().saturating_mul(steps.len().max(modes)) > MOST_TESTS {
        return own;
    }
    let is_own = |mode: usize| patterns.iter().map(|pattern| own[mode].binary_search(pattern).is_ok()).collect();
    let is_own: Vec<Vec<bool>> = (0..modes).map(is_own).collect();
    let mut is_absent = vec![vec![true; patterns.len()]; modes];
    loop {
        let mut is_changed = false;
        for (&(from, to), &fills) in &steps {
            for (number, &pattern) in patterns.iter().enumerate() {
                let stays = is_own[to][number] || is_absent[from][number] && (pattern & fills).is_empty();
                if is_absent[to][number] && !stays {
                    is_absent[to][number] = false;
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            break;
        }
    }
    let of_mode = |is_absent: &Vec<bool>| patterns.iter().zip(is_absent).filter(|it| *it.1).map(|it| *it.0).collect();
    is_absent.iter().map(of_mode).collect()
}
