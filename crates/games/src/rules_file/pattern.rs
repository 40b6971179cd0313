//! Patterns: the requirements and fills of a `shape` or a `line`, and all their placements on a board.

use super::area::Area;
use super::counting::Counts;
use super::error::Read;
use super::placement::{Budget, Pieces, Placement, split};
use super::source::{Item, Keys};
use super::squares::{Setup, Squares};
use super::stamp::{self, Sign, Stamp};
use crate::rules::Board;

/// The pattern of one `[[move]]` or `[[end]]`.
pub(super) struct Pattern<'a> {
    /// The shape or line, which errors name.
    item: Item<'a>,
    /// The stamps, one for each orientation or length, in the order of the moves.
    stamps: Vec<Stamp>,
    /// `neighbours`: the sign of each square next to a filled one.
    neighbours: Option<Sign>,
    /// `neighbours` as a table: how many squares next to filled ones have a sign.
    counts: Option<Counts<'a>>,
    /// `also`: the directions of [`DIRECTIONS`] in which all further squares are filled.
    also: [bool; 4],
    /// `on`, `rows`, `cols`, `first_on`: the area in which the filled squares must lie.
    area: Area,
}

/// The work of making one more case of a placement: it limits the cases of a stamp to some tens of thousands.
const WORK_OF_CASE: usize = 64;

const DIRECTIONS: [&str; 4] = ["right", "below", "left", "above"];

impl<'a> Pattern<'a> {
    /// Returns whether the area in which the pattern must lie has no square.
    pub(super) fn is_nowhere(&self) -> bool {
        self.area.is_empty()
    }

    /// Takes the keys of a pattern: `shape`, `line`, `slide` or `shoot`, and the keys that belong to it. `None` if
    /// there is no pattern. The pattern of an end (`is_end`) has no sign but `X` and `#`, and no keys for its
    /// surroundings.
    pub(super) fn take(keys: &mut Keys<'a>, setup: Setup<'_>, is_end: bool) -> Read<Option<Self>> {
        let squares = setup.squares;
        let given = ["shape", "line", "slide", "shoot"].map(|key| Some((key, keys.take(key)?)));
        let mut given = given.into_iter().flatten();
        let Some((key, item)) = given.next() else { return Ok(None) };
        if let Some((other, _)) = given.next() {
            return Err(item.found(format!("one of `{key}` and `{other}`"), "both"));
        }
        let stamps = match key {
            "shape" => stamp::drawn(item, keys, setup, is_end)?,
            "line" => {
                let exactly = if is_end { keys.take("exactly") } else { None };
                let is_exact = exactly.map_or(Ok(false), |item| item.flag())?;
                if let Some(item) = exactly.filter(|_| squares.is_graph()) {
                    return Err(item.found("a board of squares", "a graph"));
                }
                stamp::lines(item, keys, setup, is_exact)?
            }
            _ => stamp::slides(item, keys, setup, key == "shoot")?,
        };
        let area = Area::take(keys, setup)?;
        let mut pattern = Self { item, stamps, neighbours: None, counts: None, also: [false; 4], area };
        if is_end {
            return Ok(Some(pattern));
        }
        let neighbours = keys.take("neighbours");
        if let Some(item) = neighbours.filter(Item::is_table) {
            pattern.counts = Some(Counts::read(item, setup)?);
        } else if let Some(item) = neighbours {
            let mut signs = item.text("a sign")?.chars();
            let sign = match (signs.next(), signs.next()) {
                (Some(sign), None) => {
                    Sign::check_colours(sign, squares.colours(), item)?;
                    Sign::of(sign, squares.colours()).filter(|sign| sign.may_be_missing() && *sign != Sign::Stop)
                }
                _ => None,
            };
            let expected = if squares.colours() == 1 { "\"+\" or \"-\"" } else { "\"m\", \"y\" or \"-\"" };
            pattern.neighbours = Some(sign.ok_or_else(|| item.wrong(expected))?);
        }
        if let Some(item) = keys.take("also") {
            if squares.colours() == 2 || squares.is_graph() {
                return Err(item.found("a board of squares in one colour", "two colours, or a graph"));
            }
            for direction in item.list("a list of \"right\", \"below\", \"left\", \"above\"")? {
                pattern.also[direction.word(&DIRECTIONS)?] = true;
            }
        }
        Ok(Some(pattern))
    }

    /// Every placement, ordered by the first square in reading order and then by stamp. `mover` are the pieces of the
    /// player who moves.
    pub(super) fn placements(&self, mover: Pieces<'_>, budget: &mut Budget) -> Read<Vec<Placement>> {
        let (squares, mut all) = (mover.squares, Vec::new());
        for &anchor in squares.all() {
            for stamp in &self.stamps {
                let reach = if self.also == [false; 4] { 5 } else { 5 + squares.all().len() };
                budget.spend(self.item, stamp.len() * reach)?;
                all.extend(if squares.is_graph() {
                    self.place_on_graph(mover, anchor, stamp, budget)?
                } else {
                    self.place(mover, anchor, stamp, budget)?
                });
            }
        }
        Ok(all)
    }

    fn place(&self, mover: Pieces<'_>, anchor: usize, stamp: &Stamp, budget: &mut Budget) -> Read<Vec<Placement>> {
        // If no piece arrives, the squares that the move empties must lie in the area.
        let nothing_arrives = !stamp.iter().any(|&(.., sign)| sign.arrives());
        let (mut signs, mut filled) = (Vec::new(), Vec::new());
        for &(rows, cols, sign) in stamp {
            match mover.squares.beside(anchor, rows, cols) {
                Some(_) if sign == Sign::NoSquare => return Ok(Vec::new()),
                None if sign == Sign::NoSquare => {}
                Some(square) => {
                    signs.push((square, sign));
                    if sign.arrives() || nothing_arrives && sign.changes() {
                        filled.push(square);
                    }
                }
                None if sign.may_be_missing() => {}
                None => return Ok(Vec::new()),
            }
        }
        self.with_signs(mover, signs, &filled, budget)
    }

    /// Places a pattern on a graph, where it is one vertex, or two joined by an edge, or more vertices in a row on one of the graph's
    /// lines.
    fn place_on_graph(
        &self,
        mover: Pieces<'_>,
        anchor: usize,
        stamp: &Stamp,
        budget: &mut Budget,
    ) -> Read<Vec<Placement>> {
        let signs: Vec<Sign> = stamp.iter().map(|&(.., sign)| sign).collect();
        if signs.len() > 2 {
            budget.spend(self.item, mover.squares.size_of_lines())?;
        }
        let mut sets: Vec<Vec<usize>> = match signs[..] {
            [_] => vec![vec![anchor]],
            [_, _] => mover.squares.neighbours(anchor).into_iter().map(|other| vec![anchor, other]).collect(),
            _ if signs.iter().all(|&sign| sign == Sign::Fill) => mover.squares.lines_from(anchor, signs.len()),
            _ => mover.squares.ways_from(anchor, signs.len()),
        };
        if signs.len() == 2 || signs.iter().any(|&sign| sign != Sign::Fill) {
            // A pattern that is the same from its other end has one placement there, and not two.
            let is_symmetric = signs.iter().eq(signs.iter().rev());
            sets.retain(|set| !is_symmetric || set.first() <= set.last());
        }
        let mut all = Vec::new();
        for set in sets {
            let signs: Vec<(usize, Sign)> = set.into_iter().zip(signs.iter().copied()).collect();
            let nothing_arrives = !signs.iter().any(|(_, sign)| sign.arrives());
            let arrives = signs.iter().filter(|(_, sign)| sign.arrives() || nothing_arrives);
            let filled: Vec<usize> = arrives.map(|&(square, _)| square).collect();
            all.extend(self.with_signs(mover, signs, &filled, budget)?);
        }
        Ok(all)
    }

    /// The placements with these signs, and with the requirements of `neighbours` and `also` around the squares
    /// `filled`. None if no board can meet them, or a square lies outside the area.
    fn with_signs(
        &self,
        mover: Pieces<'_>,
        mut signs: Vec<(usize, Sign)>,
        filled: &[usize],
        budget: &mut Budget,
    ) -> Read<Vec<Placement>> {
        let squares = mover.squares;
        if !self.area.admits(filled) {
            return Ok(Vec::new());
        }
        for (&square, sign) in filled.iter().flat_map(|square| self.neighbours.map(|sign| (square, sign))) {
            let neighbours = squares.neighbours(square).into_iter();
            signs.extend(neighbours.filter(|neighbour| !filled.contains(neighbour)).map(|near| (near, sign)));
        }
        let mut found = vec![Placement::default()];
        for (square, sign) in signs {
            let cases = sign.cases(squares).unwrap_or(std::slice::from_ref(&sign));
            let add = |placement: &Placement, case: &Sign| {
                let mut placement = *placement;
                let named = placement.squares;
                placement.add(mover, square, *case)?;
                if sign == Sign::Stop {
                    // The name of a mode never means this square.
                    placement.squares = named;
                }
                (cases.len() == 1 || placement.is_possible()).then_some(placement)
            };
            if cases.len() > 1 {
                budget.spend(self.item, found.len() * WORK_OF_CASE)?;
            }
            found = found.iter().flat_map(|found| cases.iter().filter_map(move |sign| add(found, sign))).collect();
        }
        for placement in &mut found {
            placement.fills |= self.also_filled(squares, filled);
        }
        found.retain(Placement::is_possible);
        let Some(counts) = &self.counts else { return Ok(found) };
        split(found, |placement| counts.cases(placement, &placement.neighbours(squares, filled), mover, budget))
    }

    /// The cells that `also` fills around the squares `filled`.
    fn also_filled(&self, squares: &Squares, filled: &[usize]) -> Board {
        if self.also == [false; 4] {
            return Board::EMPTY;
        }
        let [right, below, left, above] = self.also;
        let cols = squares.grid.cols as usize;
        let is_filled = |other: usize| {
            let (r, c) = (other / cols, other % cols);
            filled.iter().any(|&square| {
                let (row, col) = (square / cols, square % cols);
                let fits = |here: usize, there: usize, after, before| {
                    here == there || (there > here && after) || (there < here && before)
                };
                fits(row, r, below, above) && fits(col, c, right, left)
            })
        };
        squares.all().iter().filter(|&&other| is_filled(other)).filter_map(|&other| squares.cell(other, 0)).collect()
    }
}
