//! The end `surrounded`: a group of pieces of one colour without a free neighbour, as a capture in Go.
//!
//! A group is surrounded if all its neighbours are filled. Those of its own colour belong to the group, so the others have the other
//! colour. So there is a pattern for each connected set of squares: the set in one colour, and its neighbours in the other.

use super::connection::{Set, set};
use super::error::Read;
use super::placement::Budget;
use super::source::Item;
use super::squares::Squares;

/// Every connected set of squares, with the set of its neighbours. More than `most` are an error.
pub(super) fn groups(item: Item<'_>, squares: &Squares, most: usize, budget: &mut Budget) -> Read<Vec<(Set, Set)>> {
    let near = |square: usize| set(&squares.neighbours(square));
    let mut found = Vec::new();
    for &first in squares.all() {
        // Sets whose first square is `first`. Each step decides about one neighbour: it joins the set, or never does.
        let mut open: Vec<(Set, Set, Set)> = vec![(1 << first, near(first), (1 << first) - 1)];
        while let Some((group, around, barred)) = open.pop() {
            budget.spend(item, 1)?;
            let edge = around & !group & !barred;
            if edge == 0 {
                if found.len() == most {
                    return Err(item
                        .found(format!("a board with at most {most} connected sets"), "more; make the board smaller"));
                }
                found.push((group, around & !group));
                continue;
            }
            let next = edge.trailing_zeros() as usize;
            open.push((group | 1 << next, around | near(next), barred));
            open.push((group, around, barred | 1 << next));
        }
    }
    Ok(found)
}
