//! The key `liberties`: a new piece leaves a free neighbour to its own group, and to each group of the other side beside it.
//!
//! A mask says of each square what it has. So the move becomes one move for each way in which the groups have a free neighbour, and no two
//! of them are legal on one board:
//!
//! ```text
//!     . X    a free neighbour of the new piece is enough for its group;
//!     O X    without one, a chain of own pieces leads from it to a free square.
//! ```
//!
//! Other groups keep the free neighbours that they had.

use super::error::Read;
use super::placement::{Budget, Pieces, Placement};
use super::source::Item;
use super::squares::Squares;
use crate::rules::Board;

/// What a case knows of a square after the move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Free,
    Mine,
    Yours,
    /// Free or mine: it does not matter which.
    NotYours,
}

/// What is known of the free neighbours of a group.
enum Liberty {
    Found,
    None,
    /// This square may be one, or have one.
    Open(usize),
}

/// The moves that replace `placement`, which puts one piece of the mover on a free square.
pub(super) fn cases(
    placement: Placement,
    mover: Pieces<'_>,
    item: Item<'_>,
    budget: &mut Budget,
) -> Read<Vec<Placement>> {
    let squares = mover.squares;
    let filled = squares.touched(placement.fills);
    let own = squares.of_colour(mover.colour);
    let is_one_piece = filled.len() == 1 && placement.clears.is_empty() && own.contains(placement.fills);
    let [from] = filled[..] else {
        return Err(item.found("a move that puts one piece on a free square", "another move"));
    };
    let expected = "a move that puts one piece of the mover on a free square, and no blocked squares";
    item.ensure(is_one_piece && !squares.has_blocks, expected, "another move, or blocked squares")?;
    let near = squares.neighbours(from);
    let mut start = vec![Known::Nothing; squares.grid.squares() as usize];
    start[from] = Known::Mine;
    let (mut open, mut found) = (vec![start], Vec::new());
    while let Some(known) = open.pop() {
        budget.spend(item, squares.all().len())?;
        let (square, kinds): (usize, &[Known]) = match next(&known, squares, from, &near) {
            Next::Illegal => continue,
            Next::Legal => {
                found.extend(placement.with(masks(&known, mover, from)));
                continue;
            }
            Next::Group(square) if known[square] == Known::NotYours => (square, &[Known::Mine, Known::Free]),
            Next::Group(square) => (square, &[Known::Yours, Known::Mine, Known::Free]),
            Next::Beside(square) => (square, &[Known::Yours, Known::NotYours]),
        };
        open.extend(kinds.iter().map(|&kind| {
            let mut known = known.clone();
            known[square] = kind;
            known
        }));
    }
    Ok(found)
}

/// How a case goes on.
enum Next {
    Legal,
    Illegal,
    /// A group may have a free neighbour at this square, or beyond it.
    Group(usize),
    /// A group of the other side may stand at this neighbour.
    Beside(usize),
}

fn next(known: &[Known], squares: &Squares, from: usize, near: &[usize]) -> Next {
    let groups = [from].into_iter().chain(near.iter().copied().filter(|&square| known[square] == Known::Yours));
    for group in groups {
        match liberty(known, squares, group, near) {
            Liberty::Found => {}
            Liberty::None => return Next::Illegal,
            Liberty::Open(square) => return Next::Group(square),
        }
    }
    near.iter().find(|&&square| known[square] == Known::Nothing).map_or(Next::Legal, |&square| Next::Beside(square))
}

/// The free neighbours of the group of the piece on `from`. Squares of `near` are decided first, since they matter for several groups.
fn liberty(known: &[Known], squares: &Squares, from: usize, near: &[usize]) -> Liberty {
    let (mut group, mut at, mut unknown) = (vec![from], 0, None);
    while let Some(&square) = group.get(at) {
        at += 1;
        for beside in squares.neighbours(square) {
            match known[beside] {
                Known::Free => return Liberty::Found,
                kind if kind == known[from] && !group.contains(&beside) => group.push(beside),
                Known::Nothing | Known::NotYours
                    if unknown.is_none_or(|it| near.contains(&beside) && !near.contains(&it)) =>
                {
                    unknown = Some(beside);
                }
                _ => {}
            }
        }
    }
    unknown.map_or(Liberty::None, Liberty::Open)
}

/// The cells that are filled and the cells that are empty in this case before the move.
fn masks(known: &[Known], Pieces { squares, colour }: Pieces<'_>, from: usize) -> [Board; 2] {
    let mut masks = [Board::EMPTY; 2];
    for &square in squares.all().iter().filter(|&&square| square != from) {
        let cell = |colour: u32| squares.cell(square, colour).unwrap_or_default();
        let [mine, yours] = [cell(colour), cell(1 - colour)];
        match known[square] {
            Known::Nothing => {}
            Known::Free => masks[1] |= mine | yours,
            // A square that is filled in both colours, which no play reaches, counts as theirs. So the cases of one move allow the same
            // boards whichever squares they look at first, and the rules have the symmetries of the board.
            Known::Mine => {
                masks[0] |= mine;
                masks[1] |= yours;
            }
            Known::Yours => masks[0] |= yours,
            Known::NotYours => masks[1] |= yours,
        }
    }
    masks
}
