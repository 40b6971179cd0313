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
    // A pattern that needs cells to be empty may be on the board of an open position.
    let own = |mode: usize| {
        let ends = rules.ends_of(Mode(mode as u16)).iter().filter(|end| end.empty.is_empty());
        sorted(ends.map(|end| W::of_board(end.pattern)).collect())
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, three_in_a_line};
    use crate::rules::{Board, End, Move, Outcome, RulesSpec};

    #[test]
    fn players_do_not_finish_lines_of_the_other_colour() {
        // A row of four squares with two lines in each colour. Mode 0 ends with a line of the second player.
        let rules = three_in_a_line(Grid { rows: 1, cols: 4 }).build().unwrap();
        let [first, second]: [Vec<u64>; 2] = [vec![0b0111, 0b1110], vec![0b0111_0000, 0b1110_0000]];
        let both = [first.clone(), second.clone()].concat();
        assert_eq!(absent::<u64>(&rules, false), [both.clone(), both]);
        assert_eq!(absent::<u64>(&rules, true), [second, first]);
    }

    #[test]
    fn players_finish_patterns_of_cells_that_both_fill() {
        // Both players fill two cells, and only the second one ends the game by filling both.
        let mark = |mode, cell| Move { mode: Mode(mode), next: Mode(1 - mode), ..Move::fill(Board::bit(cell)) };
        let moves = [0, 1].into_iter().flat_map(|mode| [0, 1].map(|cell| mark(mode, cell))).collect();
        let ends = vec![End {
            mode: Mode(0),
            pattern: Board::from_word(0b11),
            outcome: Outcome::Loss.into(),
            empty: Board::EMPTY,
        }];
        let modes = ["first", "second"].map(String::from).to_vec();
        let rules = RulesSpec { moves, modes, ends, ..RulesSpec::new("both", 2) }.build().unwrap();
        assert_eq!(absent::<u64>(&rules, false), [vec![0b11], vec![]]);
    }
}
