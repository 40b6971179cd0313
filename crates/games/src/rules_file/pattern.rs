//! Patterns: the requirements and fills of a `shape` or a `line`, and all their placements on a board.

use super::RulesFileError;
use super::area::Area;
use super::counting::Counts;
use super::expression::Values;
use super::placement::{Budget, Placement};
use super::source::{Item, Keys};
use super::squares::Squares;
use super::stamp::{self, Sign, Stamp};

/// The pattern of one `[[move]]` or `[[end]]`.
pub(super) struct Pattern<'a> {
    /// The stamps, one for each orientation or length, in the order of the moves.
    stamps: Vec<Stamp>,
    /// `neighbours`: the sign of each square next to a filled one.
    neighbours: Option<Sign>,
    /// `neighbours` as a table: how many squares next to filled ones have a sign.
    counts: Option<(Counts, Item<'a>)>,
    /// `also`: the directions of [`DIRECTIONS`] in which all further squares are filled.
    also: [bool; 4],
    /// `on`, `rows`, `cols`, `first_on`: the area in which the filled squares must lie.
    area: Area,
}

const DIRECTIONS: [&str; 4] = ["right", "below", "left", "above"];

impl<'a> Pattern<'a> {
    /// Returns whether the area in which the pattern must lie has no square.
    pub(super) fn is_nowhere(&self) -> bool {
        self.area.is_empty()
    }

    /// Takes the keys of a pattern: `shape`, `line`, `slide` or `shoot`, and the keys that belong to it. `None` if
    /// there is no pattern. The pattern of an end (`is_end`) has no sign but `X` and `#`, and no keys for its
    /// surroundings.
    pub(super) fn take(
        keys: &mut Keys<'a>,
        squares: &Squares,
        values: &Values,
        is_end: bool,
    ) -> Result<Option<(Self, Item<'a>)>, RulesFileError> {
        let given = ["shape", "line", "slide", "shoot"].map(|key| Some((key, keys.take(key)?)));
        let mut given = given.into_iter().flatten();
        let Some((key, item)) = given.next() else { return Ok(None) };
        if let Some((other, _)) = given.next() {
            return Err(item.found(format!("one of `{key}` and `{other}`"), "both"));
        }
        let stamps = match key {
            "shape" => stamp::drawn(item, keys, squares, is_end)?,
            "line" => stamp::lines(item, keys, squares, values)?,
            _ => stamp::slides(item, keys, squares, values, key == "shoot")?,
        };
        let area = Area::take(keys, squares, values)?;
        let mut pattern = Self { stamps, neighbours: None, counts: None, also: [false; 4], area };
        if is_end {
            return Ok(Some((pattern, item)));
        }
        let neighbours = keys.take("neighbours");
        if let Some(item) = neighbours.filter(Item::is_table) {
            pattern.counts = Some((Counts::read(item, squares, values)?, item));
        } else if let Some(item) = neighbours {
            let mut signs = item.text("a sign")?.chars();
            let sign = match (signs.next(), signs.next()) {
                (Some(sign), None) => {
                    if let Some(error) = Sign::needs_other_colours(sign, squares.colours(), item) {
                        return Err(error);
                    }
                    Sign::of(sign, squares.colours()).filter(|sign| sign.may_be_missing())
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
        Ok(Some((pattern, item)))
    }

    /// Every placement, ordered by the first square in reading order and then by stamp. `mover` is the colour of the
    /// player who moves.
    pub(super) fn placements(
        &self,
        squares: &Squares,
        mover: u32,
        item: Item<'_>,
        budget: &mut Budget,
    ) -> Result<Vec<Placement>, RulesFileError> {
        let mut all = Vec::new();
        for &anchor in squares.all() {
            for stamp in &self.stamps {
                let reach = if self.also == [false; 4] { 5 } else { 5 + squares.all().len() };
                budget.spend(item, stamp.len() * reach)?;
                let before = all.len();
                if squares.is_graph() {
                    self.place_on_graph(squares, mover, anchor, stamp, &mut all);
                } else {
                    all.extend(self.place(squares, mover, anchor, stamp));
                }
                if let Some((counts, item)) = &self.counts {
                    for placement in all.split_off(before) {
                        let around = placement.neighbours(squares);
                        all.extend(counts.cases(placement, &around, (squares, mover), *item, budget)?);
                    }
                }
            }
        }
        Ok(all)
    }

    fn place(&self, squares: &Squares, mover: u32, anchor: usize, stamp: &Stamp) -> Option<Placement> {
        let mut placement = Placement::default();
        // If no piece arrives, the squares that the move empties must lie in the area.
        let nothing_arrives = !stamp.iter().any(|&(.., sign)| sign.arrives());
        let mut filled = Vec::new();
        for &(rows, cols, sign) in stamp {
            match squares.beside(anchor, rows, cols) {
                Some(_) if sign == Sign::NoSquare => return None,
                None if sign == Sign::NoSquare => {}
                Some(square) => {
                    placement.add(squares, square, sign, mover)?;
                    if sign.arrives() || nothing_arrives && sign.changes() {
                        filled.push(square);
                    }
                }
                None if sign.may_be_missing() => {}
                None => return None,
            }
        }
        self.surround(squares, mover, &filled, placement)
    }

    /// Places a pattern on a graph, where it is one vertex, or two joined by an edge: both filled, or one left for the
    /// other.
    fn place_on_graph(&self, squares: &Squares, mover: u32, anchor: usize, stamp: &Stamp, all: &mut Vec<Placement>) {
        let signs: Vec<Sign> = stamp.iter().map(|&(.., sign)| sign).collect();
        let neighbours = || squares.neighbours(anchor).into_iter();
        let sets: Vec<Vec<usize>> = match signs[..] {
            [_] => vec![vec![anchor]],
            [Sign::Fill, _] => neighbours().filter(|&other| other > anchor).map(|other| vec![anchor, other]).collect(),
            _ => neighbours().map(|other| vec![anchor, other]).collect(),
        };
        for set in sets {
            let mut placement = Placement::default();
            let exists =
                set.iter().zip(&signs).all(|(&square, &sign)| placement.add(squares, square, sign, mover).is_some());
            let nothing_arrives = !signs.iter().any(|sign| sign.arrives());
            let arrives = set.iter().zip(&signs).filter(|(_, sign)| sign.arrives() || nothing_arrives);
            let filled: Vec<usize> = arrives.map(|(&square, _)| square).collect();
            all.extend(exists.then(|| self.surround(squares, mover, &filled, placement)).flatten());
        }
    }

    /// Adds the requirements of `neighbours` and `also` around the squares `filled`. `None` if no board can meet them,
    /// or a square lies outside the area.
    fn surround(&self, squares: &Squares, mover: u32, filled: &[usize], mut placement: Placement) -> Option<Placement> {
        if !self.area.admits(filled) {
            return None;
        }
        for &square in filled {
            if let Some(sign) = self.neighbours {
                let neighbours = squares.neighbours(square).into_iter();
                for neighbour in neighbours.filter(|neighbour| !filled.contains(neighbour)) {
                    placement.add(squares, neighbour, sign, mover)?;
                }
            }
            if self.also != [false; 4] {
                let [right, below, left, above] = self.also;
                let cols = squares.grid.cols as usize;
                let (row, col) = (square / cols, square % cols);
                for &other in squares.all() {
                    let (r, c) = (other / cols, other % cols);
                    let fits = |here: usize, there: usize, after, before| {
                        here == there || (there > here && after) || (there < here && before)
                    };
                    if fits(row, r, below, above) && fits(col, c, right, left) {
                        placement.fills |= squares.cell(other, 0)?;
                    }
                }
            }
        }
        placement.empty.is_disjoint(placement.full).then_some(placement)
    }
}
