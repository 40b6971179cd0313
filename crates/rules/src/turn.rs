//! Turns: the moves of one player until the other player is to move.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::{Position, Rules};

impl Rules {
    /// Follows the turns of the player to move at `from`, each to its end.
    ///
    /// A turn is one move or several moves of one player. It is *finished* when the other player is to move. A player who must move again
    /// and has no move has not finished the turn: the game ends there, and in normal play that player has lost.
    ///
    /// `each` is called with the positions after each move of a turn so far, and whether the turn is finished at the last of them. Of the
    /// ways to a position within a turn, only the first is followed, in the game's own order. If `each` breaks, so does this function.
    ///
    /// # Errors
    /// The break of `each`.
    pub fn turns_from(
        &self,
        from: Position,
        each: &mut impl FnMut(&[Position], bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.follow(from, &mut Vec::new(), &mut HashSet::new(), each)
    }

    fn follow(
        &self,
        from: Position,
        path: &mut Vec<Position>,
        within: &mut HashSet<Position>,
        each: &mut impl FnMut(&[Position], bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for m in self.moves_from(from) {
            let to = m.play(from);
            let is_finished = self.hands_over(&m);
            if !is_finished && !within.insert(to) {
                continue;
            }
            path.push(to);
            each(path, is_finished)?;
            if !is_finished {
                self.follow(to, path, within, each)?;
            }
            path.pop();
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Mode, Move, Player, RulesSpec};

    /// Left fills cells 0 and 1 and moves again, and ends a turn with cell 2.
    #[test]
    fn turns_end_where_the_other_player_is_to_move() {
        let again = [0, 1].map(|cell| Move::fill(Board::bit(cell)));
        let last = Move { next: Mode(1), ..Move::fill(Board::bit(2)) };
        let modes = ["left", "right"].map(String::from).to_vec();
        let players = vec![Player::First, Player::Second];
        let moves = [again.as_slice(), &[last]].concat();
        let rules = RulesSpec { moves, modes, players, ..RulesSpec::new("again", 3) }.build().unwrap();
        let followed = |board, most: usize| {
            let (mut turns, mut within) = (Vec::new(), Vec::new());
            let from = Position::of(Board::from_word(board));
            let flow = rules.turns_from(from, &mut |path, is_finished| {
                let path: Vec<u64> = path.iter().map(|it| it.board.low_word()).collect();
                if is_finished { &mut turns } else { &mut within }.push(path);
                if turns.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            (turns, within, flow.is_break())
        };
        // Both ways to fill cells 0 and 1 lead to one board, which is followed once.
        let (turns, within, stopped) = followed(0b000, 9);
        assert_eq!(turns, [vec![0b001, 0b011, 0b111], vec![0b001, 0b101], vec![0b010, 0b110], vec![0b100]]);
        assert_eq!((within, stopped), (vec![vec![0b001], vec![0b001, 0b011], vec![0b010]], false));
        // Without cell 2, no turn ends.
        let (turns, within, _) = followed(0b100, 9);
        assert_eq!((turns.len(), within.len()), (0, 3));
        assert!(followed(0b000, 2).2);
    }
}
