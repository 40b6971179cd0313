//! Kinds of moves: what a move does to the mode and to the number of pieces in each plane.

use std::collections::HashMap;

use super::{Planes, Portable};
use crate::rules::{Board, Count, Move, Rules};

/// The modes and the change of counts that moves share: from one region, all moves of a kind lead to one region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kind {
    /// The mode before the move.
    pub mode: u16,
    /// The mode after it.
    pub next: u16,
    /// The change of the number of filled cells of the first colour, of the second colour, and outside of squares.
    pub more: [i32; 3],
    /// The number of the condition that the move names.
    pub when: Option<u16>,
    /// True if the same player moves again.
    pub again: bool,
}

/// The kinds of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveKinds {
    /// Its kind if it takes nothing, and if all [`open`](Self::open) cells are filled already. Each open cell that it fills makes it the next
    /// kind.
    pub plain: u32,
    /// Its kind if it takes a piece of the first colour, of the second, or outside of squares; only where `plain` has no open cells.
    pub taking: [u32; 3],
    /// The cells that the move fills whether they are empty or not.
    pub open: Board,
}

/// The kinds of the moves of some rules.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// Each kind once.
    pub list: Vec<Kind>,
    known: HashMap<(Kind, u32), u32>,
}

/// The reason why the moves have no kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoKinds {
    /// A condition counts some pieces of one colour, and not all.
    Condition,
    /// A move that takes a piece may also fill cells that are filled already.
    OpenTake,
}

impl Kinds {
    /// The number of the first of `open + 1` kinds that begin with `kind`.
    fn number(&mut self, kind: Kind, open: u32) -> u32 {
        let list = &mut self.list;
        *self.known.entry((kind, open)).or_insert_with(|| {
            let number = list.len() as u32;
            let each = |filled: u32| Kind { more: [kind.more[0], kind.more[1], kind.more[2] + filled as i32], ..kind };
            list.extend((0..=open).map(each));
            number
        })
    }

    /// Adds the kinds of `m`, a move of `rules`.
    ///
    /// # Errors
    /// If it cannot have kinds.
    pub fn of(&mut self, rules: &Rules, planes: &Planes, m: &Move) -> Result<MoveKinds, NoKinds> {
        if let Some(number) = m.when {
            is_whole(planes, &rules.spec().counts[usize::from(number)])?;
        }
        // The partner of a filled cell is always empty, even if the move does not ask for that.
        let empty = m.empty | Board::from_word(planes.partners(Portable, m.full.low_word())) & !m.full;
        let open = m.fills & !empty & !m.full;
        let of = |cells: Board| planes.split(Portable, cells.low_word()).counts().map(|count| count as i32);
        let (filled, emptied) = (of(m.fills & empty), of(m.clears));
        let more = [0, 1, 2].map(|plane| filled[plane] - emptied[plane]);
        let kind = Kind { mode: m.mode.0, next: m.next.0, more, when: m.when, again: !rules.hands_over(m) };
        let plain = self.number(kind, open.count());
        let mut taking = [u32::MAX; 3];
        if let Some(number) = m.takes {
            if !open.is_empty() {
                return Err(NoKinds::OpenTake);
            }
            let cells = rules.spec().takes[usize::from(number)].cells.low_word();
            for plane in (0..3).filter(|&plane| cells & planes.masks()[plane] != 0) {
                let mut more = more;
                more[plane] -= 1;
                taking[plane] = self.number(Kind { more, ..kind }, 0);
            }
        }
        Ok(MoveKinds { plain, taking, open })
    }
}

/// Checks that `count` counts whole planes. Cells that no move changes count as well.
fn is_whole(planes: &Planes, count: &Count) -> Result<(), NoKinds> {
    let cells = count.cells.low_word();
    let is_all = |mask: u64| cells & mask == 0 || cells & mask == mask;
    if planes.masks().into_iter().all(is_all) { Ok(()) } else { Err(NoKinds::Condition) }
}

/// Returns whether `count`, which counts whole planes, fits a board with `counts` pieces in each plane.
pub(super) fn fits(planes: &Planes, count: &Count, counts: [u32; 3]) -> bool {
    let cells = count.cells.low_word();
    let counted = (0..3).filter(|&plane| planes.masks()[plane] & cells != 0).map(|plane| counts[plane]).sum::<u32>();
    let always = (cells & planes.fixed()).count_ones();
    (u32::from(count.least)..=count.most.into()).contains(&(counted + always))
}

/// Checks the ends by a number of pieces.
pub(super) fn check_ends(rules: &Rules, planes: &Planes) -> Result<(), NoKinds> {
    rules.spec().count_ends.iter().try_for_each(|end| is_whole(planes, &end.count))
}
