//! Shapes drawn in text, turned and flipped, and where on a board they can lie.
//!
//! | sign | the square there |
//! |---|---|
//! | `X` | is free, and the move fills it (in the colour of who moves) |
//! | `+` | is filled by the move, if there is one; it may be filled already |
//! | `o` | is free, and stays so |
//! | `-` | is not filled, if there is one |
//! | `F` | is filled already |
//! | `M` `m` | two colours: has mine, the mover's; has not, or there is none |
//! | `Y` `y` | two colours: has yours, the other's; has not, or there is none |
//! | `.` | is of no concern |

use super::RulesFileError;
use super::expression::Values;
use super::source::{Item, Keys};
use super::squares::{Squares, lines_of};
use crate::rules::{Board, MAX_CELLS};

/// What a shape says of a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sign {
    Fill,
    Spread,
    Free,
    NotFilled,
    Filled,
    Mine,
    NotMine,
    Yours,
    NotYours,
}

impl Sign {
    const ALL: [(char, Self); 9] = [
        ('X', Self::Fill),
        ('+', Self::Spread),
        ('o', Self::Free),
        ('-', Self::NotFilled),
        ('F', Self::Filled),
        ('M', Self::Mine),
        ('m', Self::NotMine),
        ('Y', Self::Yours),
        ('y', Self::NotYours),
    ];

    /// The sign of `character`; `None` where there is none on a board of so many colours.
    fn of(character: char, colours: u32) -> Option<Self> {
        let (_, sign) = *Self::ALL.iter().find(|(known, _)| *known == character)?;
        let only = match sign {
            Self::Spread | Self::Filled => 1,
            Self::Mine | Self::NotMine | Self::Yours | Self::NotYours => 2,
            Self::Fill | Self::Free | Self::NotFilled => colours,
        };
        (only == colours).then_some(sign)
    }

    /// Whether the square may be missing: then nothing is asked and nothing filled.
    const fn may_be_missing(self) -> bool {
        matches!(self, Self::Spread | Self::NotFilled | Self::NotMine | Self::NotYours)
    }

    /// The signs of `colours`, for an error.
    fn known(colours: u32) -> String {
        let known = Self::ALL.iter().filter(|(character, _)| Self::of(*character, colours).is_some());
        known.map(|(character, _)| format!("{character} ")).collect::<String>() + "."
    }
}

/// Signs at so many rows below and columns right of the first `X` in reading order.
type Stamp = Vec<(i32, i32, Sign)>;

/// The shapes of one `[[move]]` or `[[end]]`, each way it may lie, in the order in which its moves stand.
pub(super) struct Shape {
    stamps: Vec<Stamp>,
    near: Option<Sign>,
    also: [bool; 4],
}

/// A shape in one place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Laid {
    pub(super) empty: Board,
    pub(super) full: Board,
    pub(super) fills: Board,
}

/// Work that may still be done: what bounds the time a file can take.
pub(super) struct Budget(u32);

impl Budget {
    pub(super) const fn new() -> Self {
        Self(1 << 23)
    }

    pub(super) fn spend(&mut self, item: Item<'_>, steps: usize) -> Result<(), RulesFileError> {
        let left = u32::try_from(steps).ok().and_then(|steps| self.0.checked_sub(steps));
        self.0 = left.ok_or_else(|| item.found("shapes that can be laid in reasonable time", "too many, too large"))?;
        Ok(())
    }
}

const WAYS: [&str; 4] = ["right", "below", "left", "above"];
const ALONG: [&str; 3] = ["rows", "columns", "diagonals"];

impl Shape {
    /// Takes the keys of a shape, `shape` or `line` and what goes with them; `None` where there is neither. `pattern`
    /// is a shape that is only looked for: it has but `X`.
    pub(super) fn take<'a>(
        keys: &mut Keys<'a>,
        squares: &Squares,
        values: &Values,
        pattern: bool,
    ) -> Result<Option<(Self, Item<'a>)>, RulesFileError> {
        let (stamps, item) = match (keys.take("shape"), keys.take("line")) {
            (None, None) => return Ok(None),
            (Some(item), Some(_)) => return Err(item.found("one of `shape` and `line`", "both")),
            (Some(item), None) => (drawn(item, keys, squares, pattern)?, item),
            (None, Some(item)) => (lines(item, keys, squares, values)?, item),
        };
        let mut shape = Self { stamps, near: None, also: [false; 4] };
        if pattern {
            return Ok(Some((shape, item)));
        }
        if let Some(item) = keys.take("neighbours") {
            let mut signs = item.text("a sign")?.chars();
            let sign = match (signs.next(), signs.next()) {
                (Some(sign), None) => Sign::of(sign, squares.colours()).filter(|sign| sign.may_be_missing()),
                _ => None,
            };
            let expected = if squares.colours() == 1 { "\"+\" or \"-\"" } else { "\"m\", \"y\" or \"-\"" };
            shape.near = Some(sign.ok_or_else(|| item.wrong(expected))?);
        }
        if let Some(item) = keys.take("also") {
            if squares.colours() == 2 || squares.is_graph() {
                return Err(item.found("`also` on squares of one colour", "two, or a graph"));
            }
            for way in item.list("a list of \"right\", \"below\", \"left\", \"above\"")? {
                shape.also[way.word(&WAYS)?] = true;
            }
        }
        Ok(Some((shape, item)))
    }

    /// Everywhere this shape can lie, by its first square in reading order; there in the order of `stamps`. `mover` is
    /// the colour of who moves.
    pub(super) fn lay(
        &self,
        squares: &Squares,
        mover: u32,
        item: Item<'_>,
        budget: &mut Budget,
    ) -> Result<Vec<Laid>, RulesFileError> {
        let mut all = Vec::new();
        for &anchor in squares.coords() {
            for stamp in &self.stamps {
                let reach = if self.also == [false; 4] { 5 } else { 5 + squares.coords().len() };
                budget.spend(item, stamp.len() * reach)?;
                if squares.is_graph() {
                    self.lay_on_graph(squares, mover, anchor, stamp.len(), &mut all);
                } else {
                    all.extend(self.lay_at(squares, mover, anchor, stamp));
                }
            }
        }
        Ok(all)
    }

    fn lay_at(&self, squares: &Squares, mover: u32, anchor: usize, stamp: &Stamp) -> Option<Laid> {
        let mut laid = Laid::default();
        let mut filled = Vec::new();
        for &(rows, cols, sign) in stamp {
            match squares.beside(anchor, rows, cols) {
                Some(place) => {
                    laid.sign(squares, place, sign, mover)?;
                    if sign == Sign::Fill {
                        filled.push(place);
                    }
                }
                None if sign.may_be_missing() => {}
                None => return None,
            }
        }
        self.around(squares, mover, &filled, laid)
    }

    /// On a graph a shape is one vertex, or two that an edge joins.
    fn lay_on_graph(&self, squares: &Squares, mover: u32, anchor: usize, size: usize, all: &mut Vec<Laid>) {
        let sets: Vec<Vec<usize>> = match size {
            1 => vec![vec![anchor]],
            _ => {
                squares.near(anchor).into_iter().filter(|&near| near > anchor).map(|near| vec![anchor, near]).collect()
            }
        };
        for filled in sets {
            let mut laid = Laid::default();
            let all_there = filled.iter().all(|&place| laid.sign(squares, place, Sign::Fill, mover).is_some());
            all.extend(all_there.then(|| self.around(squares, mover, &filled, laid)).flatten());
        }
    }

    /// What `neighbours` and `also` add around the filled squares; `None` where the whole can never be met.
    fn around(&self, squares: &Squares, mover: u32, filled: &[usize], mut laid: Laid) -> Option<Laid> {
        for &place in filled {
            if let Some(sign) = self.near {
                for near in squares.near(place).into_iter().filter(|near| !filled.contains(near)) {
                    laid.sign(squares, near, sign, mover)?;
                }
            }
            if self.also != [false; 4] {
                let [right, below, left, above] = self.also;
                let cols = squares.grid.cols as usize;
                let (row, col) = (place / cols, place % cols);
                for &other in squares.coords() {
                    let (r, c) = (other / cols, other % cols);
                    let fits = |here: usize, there: usize, after, before| {
                        here == there || (there > here && after) || (there < here && before)
                    };
                    if fits(row, r, below, above) && fits(col, c, right, left) {
                        laid.fills |= squares.cell(other, 0)?;
                    }
                }
            }
        }
        laid.empty.is_disjoint(laid.full).then_some(laid)
    }
}

impl Laid {
    fn sign(&mut self, squares: &Squares, place: usize, sign: Sign, mover: u32) -> Option<()> {
        let any = squares.cell_of_each_colour(place)?;
        // Where there is one colour it is everyone's.
        let mine = squares.cell(place, if squares.colours() == 2 { mover } else { 0 })?;
        let yours = squares.cell(place, if squares.colours() == 2 { 1 - mover } else { 0 })?;
        match sign {
            Sign::Fill => {
                self.empty |= any;
                self.fills |= mine;
            }
            Sign::Spread => self.fills |= mine,
            Sign::Free | Sign::NotFilled => self.empty |= any,
            Sign::Filled | Sign::Mine => self.full |= mine,
            Sign::Yours => self.full |= yours,
            Sign::NotMine => self.empty |= mine,
            Sign::NotYours => self.empty |= yours,
        }
        Some(())
    }
}

/// The stamps of a drawn shape.
fn drawn(item: Item<'_>, keys: &mut Keys<'_>, squares: &Squares, pattern: bool) -> Result<Vec<Stamp>, RulesFileError> {
    let (turns, flips) = (keys.take("turns"), keys.take("flips"));
    let flag = |item: Option<Item<'_>>| item.map_or(Ok(false), |item| item.flag());
    let (turns, flips) = (flag(turns)?, flag(flips)?);
    let rows = lines_of(item.text("a drawing of the shape")?);
    let most = MAX_CELLS as usize;
    if rows.len() > most || rows.iter().any(|row| row.len() > most) {
        return Err(item.found(format!("a shape of at most {most} rows and columns"), "a larger one"));
    }
    let mut stamp = Stamp::new();
    for (row, signs) in (0..).zip(&rows) {
        for (col, &character) in (0..).zip(signs) {
            let known = Sign::of(character, squares.colours()).filter(|&sign| !pattern || sign == Sign::Fill);
            match known {
                Some(sign) => stamp.push((row, col, sign)),
                None if character == '.' => {}
                None => {
                    let signs = if pattern { "X .".into() } else { Sign::known(squares.colours()) };
                    let found = format!("{character:?} in row {}", row + 1);
                    return Err(item.found(format!("a drawing with the signs {signs}"), found));
                }
            }
        }
    }
    if stamp.len() > 4 * most {
        return Err(item.found(format!("at most {} signs", 4 * most), stamp.len().to_string()));
    }
    if !stamp.iter().any(|&(.., sign)| sign == Sign::Fill) {
        return Err(item.found("an X at least", "none"));
    }
    if squares.is_graph() && (stamp.iter().any(|&(.., sign)| sign != Sign::Fill) || stamp.len() > 2) {
        return Err(item.wrong("\"X\" (a vertex) or \"XX\" (two that an edge joins), on a graph,"));
    }
    let quarter = |stamp: &Stamp| stamp.iter().map(|&(row, col, sign)| (col, -row, sign)).collect::<Stamp>();
    let mirror = |stamp: &Stamp| stamp.iter().map(|&(row, col, sign)| (row, -col, sign)).collect::<Stamp>();
    let mut all = vec![stamp];
    if flips {
        all.push(mirror(&all[0]));
    }
    if turns {
        let mut turned = Vec::new();
        for stamp in all {
            let [once, twice] = [quarter(&stamp), quarter(&quarter(&stamp))];
            let thrice = quarter(&twice);
            turned.extend([stamp, once, twice, thrice]);
        }
        all = turned;
    }
    let mut stamps: Vec<Stamp> = Vec::new();
    for stamp in all.into_iter().map(anchored) {
        if !stamps.contains(&stamp) {
            stamps.push(stamp);
        }
    }
    Ok(stamps)
}

/// The stamps of `line`: so many squares in a row, a column or a diagonal.
fn lines(
    item: Item<'_>,
    keys: &mut Keys<'_>,
    squares: &Squares,
    values: &Values,
) -> Result<Vec<Stamp>, RulesFileError> {
    let limits = 1..=MAX_CELLS;
    let lengths = if item.is_list() {
        match item.list("")?[..] {
            [least, most] => {
                let least_length = least.number(values, limits.clone())?;
                least_length..=most.number(values, least_length..=MAX_CELLS)?
            }
            ref list => {
                return Err(item.found("a length, or a list of the least and the most,", list.len().to_string()));
            }
        }
    } else {
        let length = item.number(values, limits)?;
        length..=length
    };
    let along = match keys.take("along") {
        None => [true, true, false],
        Some(item) => {
            let mut along = [false; 3];
            for way in item.list("a list of \"rows\", \"columns\", \"diagonals\"")? {
                along[way.word(&ALONG)?] = true;
            }
            along
        }
    };
    if squares.is_graph() {
        return Err(item.found("`shape` on a graph", "`line`"));
    }
    let ways = [(0, (0, 1)), (1, (1, 0)), (2, (1, 1)), (2, (1, -1))];
    let ways = ways.into_iter().filter(|&(which, _)| along[which]);
    let stamp = |(rows, cols): (i32, i32), length: u32| -> Stamp {
        (0..length as i32).map(|step| (rows * step, cols * step, Sign::Fill)).collect()
    };
    Ok(ways.flat_map(|(_, way)| lengths.clone().map(move |length| stamp(way, length))).collect())
}

/// The stamp in reading order, counted from its first `X`.
fn anchored(mut stamp: Stamp) -> Stamp {
    stamp.sort_unstable();
    let first = stamp.iter().find(|&&(.., sign)| sign == Sign::Fill).copied();
    let (row, col) = first.map_or((0, 0), |(row, col, _)| (row, col));
    stamp.iter_mut().for_each(|at| *at = (at.0 - row, at.1 - col, at.2));
    stamp
}
