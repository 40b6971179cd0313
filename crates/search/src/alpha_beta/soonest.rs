//! How soon each player can win: a bound from the modes alone.
//!
//! In tic-tac-toe nobody has lost before the other player moves, so a player who moves loses in two plies at the soonest, and a win takes
//! an odd number of plies. A search for quick wins uses this where it ends.

use crate::rules::{Mode, Outcome, Rules, Terminal};

/// The least plies of a win and of a loss for the player to move in a mode, where the game is not over by a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Soonest {
    pub(super) win: u16,
    pub(super) loss: u16,
}

/// The plies of an end that cannot come.
pub(super) const NEVER: u16 = u16::MAX;

impl Soonest {
    /// The bounds of each mode, and of each parity: index 0 for ends in an even number of plies, 1 for ends in an odd number.
    pub(super) fn by_parity(rules: &Rules) -> Vec<[Self; 2]> {
        let modes = rules.modes().len();
        // Of each mode: what its patterns and numbers of pieces allow, and what a player without a move gets.
        let over: Vec<[bool; 2]> = (0..modes as u16).map(Mode).map(|mode| ends(rules, mode)).collect();
        let never = Self { win: NEVER, loss: NEVER };
        let without_move = |mode: usize| {
            let [wins, loses] = signs(rules.terminal_in(Mode(mode as u16)));
            let at_once = |can: bool| if can { 0 } else { NEVER };
            [Self { win: at_once(wins), loss: at_once(loses) }, never]
        };
        let mut steps: Vec<(usize, usize, bool)> =
            rules.moves().iter().map(|m| (m.mode.0.into(), m.next.0.into(), rules.hands_over(m))).collect();
        steps.sort_unstable();
        steps.dedup();
        let mut found: Vec<[Self; 2]> = (0..modes).map(without_move).collect();
        loop {
            let mut is_changed = false;
            for &(from, to, hands_over) in &steps {
                let [wins, loses] = over[to];
                for parity in 0..2 {
                    let mut after = found[to][1 - parity];
                    if parity == 1 {
                        // The move itself may end the game.
                        after.win = if wins { 0 } else { after.win };
                        after.loss = if loses { 0 } else { after.loss };
                    }
                    let [win, loss] = [after.win, after.loss].map(|plies| plies.saturating_add(1));
                    let (win, loss) = if hands_over { (loss, win) } else { (win, loss) };
                    let before = found[from][parity];
                    let better = Self { win: before.win.min(win), loss: before.loss.min(loss) };
                    is_changed |= better != before;
                    found[from][parity] = better;
                }
            }
            if !is_changed {
                return found;
            }
        }
    }

    /// The bounds for any parity.
    pub(super) fn of_any([even, odd]: [Self; 2]) -> Self {
        Self { win: even.win.min(odd.win), loss: even.loss.min(odd.loss) }
    }
}

/// Whether a pattern or a number of pieces may end the game in `mode` with a win, or with a loss, for the player to move.
fn ends(rules: &Rules, mode: Mode) -> [bool; 2] {
    let by_pattern = rules.ends_of(mode).iter().map(|end| signs(end.outcome));
    let counts = rules.spec().count_ends.iter().filter(|end| end.mode == mode);
    let by_number = counts.map(|end| signs(end.outcome.into()));
    by_pattern.chain(by_number).fold([false; 2], |all, of| [all[0] || of[0], all[1] || of[1]])
}

/// Whether the end may be a win, and whether it may be a loss.
fn signs(terminal: Terminal) -> [bool; 2] {
    match terminal.fixed() {
        Some(outcome) => [outcome == Outcome::Win, outcome == Outcome::Loss],
        None => [true; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, three_in_a_line};
    use crate::rules::{Board, Move, RulesSpec};

    #[test]
    fn wins_come_after_a_move_and_losses_after_two() {
        let soonest = |win, loss| Soonest { win, loss };
        let lines = three_in_a_line(Grid { rows: 3, cols: 3 }).build().unwrap();
        assert_eq!(Soonest::by_parity(&lines)[0], [soonest(NEVER, 2), soonest(1, NEVER)]);
        let fill = |terminal| {
            let spec = RulesSpec { moves: vec![Move::fill(Board::bit(0))], terminal, ..RulesSpec::new("one", 1) };
            Soonest::by_parity(&spec.build().unwrap())[0]
        };
        assert_eq!(fill(Outcome::Loss), [soonest(NEVER, 0), soonest(1, NEVER)]);
        assert_eq!(fill(Outcome::Win), [soonest(0, NEVER), soonest(NEVER, 1)]);
        assert_eq!(fill(Outcome::Draw), [soonest(NEVER, NEVER); 2]);
    }
}
