//! The end `connects`: minimal sets of squares that join two parts of the board.
//!
//! A minimal connecting set is a path without chords. Consecutive squares are neighbours, and no other two squares are.
//! Only the first square lies in the first part, and only the last in the second. A board connects the parts exactly if
//! it contains one of these paths, so the paths are the terminal patterns.

use super::error::Read;
use super::placement::Budget;
use super::source::Item;
use super::squares::Setup;
use crate::rules::MAX_CELLS;

/// The sides of a board.
const SIDES: [&str; 4] = ["left", "right", "top", "bottom"];

/// Every minimal set of squares that connects the two parts of the board in `item`: sides of a grid or areas. More than
/// `most` sets are an error.
pub(super) fn paths(item: Item<'_>, setup: Setup<'_>, most: usize, budget: &mut Budget) -> Read<Vec<Vec<usize>>> {
    let squares = setup.squares;
    let expected = "two parts of the board, as in [\"left\", \"right\"],";
    let [from, to] = item.list(expected)?[..] else { return Err(item.wrong(expected)) };
    let near: Vec<Set> = (0..squares.grid.squares() as usize)
        .map(|square| if squares.all().contains(&square) { set(&squares.neighbours(square)) } else { 0 })
        .collect();
    let ends = [part(from, setup)?, part(to, setup)?];
    let mut search = Search { near, ends, most, paths: Vec::new(), budget, item };
    for &first in squares.all().iter().filter(|&&square| has(ends[0], square)) {
        search.extend(&mut vec![first], 0)?;
    }
    Ok(search.paths)
}

/// A set of squares, one bit for each.
pub(super) type Set = u128;

const _: () = assert!(MAX_CELLS <= Set::BITS, "a set has a bit for each square");

/// The set of `squares`.
pub(super) fn set(squares: &[usize]) -> Set {
    squares.iter().fold(0, |set, square| set | 1 << square)
}

/// Returns whether `square` is in `set`.
pub(super) const fn has(set: Set, square: usize) -> bool {
    set >> square & 1 == 1
}

/// The squares of a side of the board, or of an area.
fn part(item: Item<'_>, setup: Setup<'_>) -> Read<Set> {
    let squares = setup.squares;
    let Some(side) = item.as_text().and_then(|text| SIDES.iter().position(|&side| side == text)) else {
        let is_word = item.as_text().is_some_and(|text| text.chars().all(|c| c.is_ascii_lowercase()));
        if is_word && !["dark", "light"].contains(&item.as_text().unwrap_or_default()) {
            return Err(
                item.wrong("\"left\", \"right\", \"top\", \"bottom\", a list of names, or a drawing of the board")
            );
        }
        return setup.choose(item).map(|list| set(&list));
    };
    if squares.is_graph() {
        return Err(item.found("lists of vertices, since the board is a graph,", item.described()));
    }
    let (rows, cols) = (squares.grid.rows as usize, squares.grid.cols as usize);
    let lies = |&square: &usize| match SIDES[side] {
        "left" => square % cols == 0,
        "right" => square % cols == cols - 1,
        "top" => square / cols == 0,
        _ => square / cols == rows - 1,
    };
    Ok(set(&squares.all().iter().copied().filter(lies).collect::<Vec<_>>()))
}

struct Search<'a, 'b> {
    /// The neighbours of each square.
    near: Vec<Set>,
    /// The two parts to connect.
    ends: [Set; 2],
    most: usize,
    paths: Vec<Vec<usize>>,
    budget: &'b mut Budget,
    item: Item<'a>,
}

impl Search<'_, '_> {
    /// Adds every path that begins with `path`. `barred` holds the neighbours of all squares of the path but the last.
    /// A step to a barred square would make a chord.
    fn extend(&mut self, path: &mut Vec<usize>, barred: Set) -> Read<()> {
        let last = path[path.len() - 1];
        if has(self.ends[1], last) {
            if self.paths.len() == self.most {
                let expected = format!("a board with at most {} minimal paths between the two parts", self.most);
                return Err(self.item.found(expected, "more; make the board smaller"));
            }
            self.paths.push(path.clone());
            return Ok(());
        }
        let steps = self.near[last] & !barred & !self.ends[0] & !set(path);
        self.budget.spend(self.item, 1 + steps.count_ones() as usize)?;
        for next in (0..self.near.len()).filter(|&next| has(steps, next)) {
            path.push(next);
            let more = self.extend(path, barred | self.near[last] | 1 << last);
            path.pop();
            more?;
        }
        Ok(())
    }
}
