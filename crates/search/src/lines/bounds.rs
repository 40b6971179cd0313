//! Bounds on a value from the empty squares alone, in games in which a full board is a draw.
//!
//! A player who has a reply to each move in the chain of that move gets the upper square of each pair of empty squares. If each chain
//! has an even number of empty squares, this is the player who does not move:
//!
//! ```text
//! u u u .        u: the player who replies gets these squares
//! l l l .        l: the player to move gets at most these squares
//! x o x .
//! ```
//!
//! If the player to move completes no pattern even with all squares `l`, the value is at most a draw. If one chain has an odd number, the
//! player to move takes its lowest empty square and is then the player who replies.

use super::game::Game;
use super::layout::Sides;

/// Maximum number of empty squares for the test whether a player can complete a pattern with all of them: with more, it rarely fails.
const FEW: i32 = 12;

/// Bounds on the value of a position for the player to move, who can fill the squares `playable`; `None` if there are none.
#[inline(always)]
pub(super) fn of(game: &Game, sides: Sides, playable: u64, empty: i32) -> Option<(i32, i32)> {
    let layout = &game.layout;
    if layout.full != 0 {
        return None;
    }
    let free = layout.board & !sides.occupied();
    let odd = playable & !layout.lower;
    let (mut low, mut high) = (i32::MIN, i32::MAX);
    if odd & odd.wrapping_sub(1) == 0 {
        let lowers = free & layout.lower;
        if odd == 0 && !game.threats.fit_into(sides.own | lowers) {
            high = 0;
        }
        if odd != 0 && !game.threats.fit_into(sides.other | lowers) {
            low = 0;
        }
    }
    if empty <= FEW {
        if !game.threats.fit_into(sides.own | free) {
            high = 0;
        }
        if !game.threats.fit_into(sides.other | free) {
            low = 0;
        }
    }
    (low == 0 || high == 0).then_some((low, high))
}
