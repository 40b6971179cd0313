//! The key `swap`: after the first turn, the other player may take over the side of the player who made it, in place of a move.
//!
//! The board stays, and the players exchange sides. So the same side is to move, and the other player moves it. Two more modes say
//! that a swap is still to come:
//!
//! ```text
//! x-opens --move of x--> o-may-swap --move of o--> x --move--> o --move--> x ...
//!                             \-------swap-------> o
//! ```

use super::RulesFileError;
use super::error::Read;
use super::source::Item;
use super::turns::{Sides, Turns};
use crate::rules::{Board, Mode, Move};

/// The modes of a game with `swap`: the two sides, and the two modes before them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swap {
    /// The side that begins.
    opener: u16,
}

impl Swap {
    /// The mode before the first move.
    pub(super) const OPENS: Mode = Mode(2);
    /// The mode in which a swap is possible.
    pub(super) const MAY_SWAP: Mode = Mode(3);

    /// The modes in which `side` moves, or either side, each with the mode after a move.
    pub(super) fn ways(self, side: Option<u16>) -> Vec<(Mode, Mode)> {
        let [opener, other] = [self.opener, 1 - self.opener].map(Mode);
        let ways = [(opener, other), (other, opener), (Self::OPENS, Self::MAY_SWAP), (Self::MAY_SWAP, opener)];
        let moves = |mode: Mode| {
            if mode == Self::OPENS {
                opener
            } else if mode == Self::MAY_SWAP {
                other
            } else {
                mode
            }
        };
        ways.into_iter().filter(|(mode, _)| side.is_none_or(|side| moves(*mode) == Mode(side))).collect()
    }

    /// The swap as a move.
    pub(super) fn exchange(self) -> Move {
        Move { mode: Self::MAY_SWAP, next: Mode(1 - self.opener), ..Move::fill(Board::EMPTY) }
    }

    /// The mode on a board after `plies` moves of pieces, if `side` is to move. After the first, a swap is to come or was made.
    pub(super) const fn mode_after(plies: u32, side: Mode) -> Option<Mode> {
        match plies {
            0 => Some(Self::OPENS),
            1 => None,
            _ => Some(side),
        }
    }

    /// The side that begins.
    pub(super) const fn opener(self) -> Mode {
        Mode(self.opener)
    }
}

/// The modes of the sides in `read` with a swap, if `swap` is true. `hand` and `start` are those keys of the file.
pub(super) fn read(swap: Item<'_>, hand: Option<Item<'_>>, start: Option<Item<'_>>, read: Sides) -> Read<Sides> {
    if !swap.flag()? {
        return Ok(read);
    }
    let clash = |found: &str| -> RulesFileError {
        swap.clash("`swap` in a file with `sides` and a `[start]` of one position", found)
    };
    if hand.is_some() {
        return Err(clash("`hand`"));
    }
    if matches!(read.turns, Turns::Modes) {
        return Err(clash("`modes`"));
    }
    let (Turns::Sides, [first, second]) = (&read.turns, &read.modes[..]) else { return Err(clash("no `sides`")) };
    if start.is_some_and(|item| item.is_list()) {
        return Err(clash("a list of positions"));
    }
    let names = [first.clone(), second.clone()];
    let side = start.and_then(|item| item.any_keys("[start]").ok()?.take("side")?.as_text());
    // A name that no side has is an error of `[start]`.
    let opener = u16::from(side == Some(second));
    let [opens, may_swap] = [opener, 1 - opener].map(|side| &names[usize::from(side)]);
    let modes = vec![first.clone(), second.clone(), format!("{opens}-opens"), format!("{may_swap}-may-swap")];
    if modes[2..].iter().any(|mode| names.contains(mode)) {
        return Err(clash("a side whose name is that of a mode"));
    }
    Ok(Sides { turns: Turns::Swap(Swap { opener }), modes, owners: vec![0, 1, opener, 1 - opener], sides: Some(names) })
}
