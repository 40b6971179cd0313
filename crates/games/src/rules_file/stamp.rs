//! Stamps: the signs of a `shape`, rotated and reflected, or of a `line`.
//!
//! | sign | meaning for the square |
//! |---|---|
//! | `X` | is free, and the move fills it (in the mover's colour) |
//! | `+` | the move fills it unless it is filled already; it may lie off the board |
//! | `o` | is free and stays free |
//! | `-` | is not filled, or lies off the board |
//! | `F` | is filled already |
//! | `M` `m` | two colours: has the mover's colour; does not have it, or lies off the board |
//! | `Y` `y` | two colours: has the other colour; does not have it, or lies off the board |
//! | `L` | has a piece of the mover (in one colour: a piece), which leaves it |
//! | `T` | two colours: has a piece of the other side, which is taken |
//! | `C` | two colours: has a piece of the other side, which is taken, and a piece of the mover arrives |
//! | `B` | two colours: is free, and the move blocks it by filling it in both colours |
//! | `#` | must be off the board: beyond an edge, or a hole |
//! | `\|` | is filled, or lies off the board |
//! | `.` | does not matter |
//!
//! A count in braces repeats the sign before it: `o{2}` is `oo`.

use super::error::Read;
use super::expression::{self, Values};
use super::range;
use super::source::{Item, Keys};
use super::squares::{Setup, Squares, lines_of};
use crate::rules::MAX_CELLS;

/// The keys of a drawn shape and of a line.
pub(super) const KEYS: [&str; 5] = ["shape", "turns", "flips", "line", "along"];

/// The requirement of a pattern on a square, and the change that the move makes.
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
    Leave,
    Take,
    Capture,
    Block,
    /// Filled in both colours. No drawing has this sign.
    Blocked,
    NoSquare,
    Stop,
}

impl Sign {
    const ALL: [(char, Self); 15] = [
        ('X', Self::Fill),
        ('+', Self::Spread),
        ('o', Self::Free),
        ('-', Self::NotFilled),
        ('F', Self::Filled),
        ('M', Self::Mine),
        ('m', Self::NotMine),
        ('Y', Self::Yours),
        ('y', Self::NotYours),
        ('L', Self::Leave),
        ('T', Self::Take),
        ('C', Self::Capture),
        ('B', Self::Block),
        ('#', Self::NoSquare),
        ('|', Self::Stop),
    ];

    /// The sign written as `character`; `None` if boards with this number of colours do not have it.
    pub(super) fn of(character: char, colours: u32) -> Option<Self> {
        let (_, sign) = *Self::ALL.iter().find(|(known, _)| *known == character)?;
        let only = match sign {
            Self::Spread | Self::Filled => 1,
            Self::Mine
            | Self::NotMine
            | Self::Yours
            | Self::NotYours
            | Self::Take
            | Self::Capture
            | Self::Block
            | Self::Blocked => 2,
            Self::Fill | Self::Free | Self::NotFilled | Self::Leave | Self::NoSquare | Self::Stop => colours,
        };
        (only == colours).then_some(sign)
    }

    /// Refuses the sign `character` if only boards with another number of colours have it.
    pub(super) fn check_colours(character: char, colours: u32, item: Item<'_>) -> Read<()> {
        if Self::of(character, 3 - colours).is_none() || Self::of(character, colours).is_some() {
            return Ok(());
        }
        let (board, found) = if colours == 1 { ("with", "none") } else { ("without", "two") };
        Err(item.found(format!("a [board] {board} `colours`, which the sign {character:?} needs,"), found))
    }

    /// Returns whether the square may lie off the board. Then nothing is required and nothing is filled.
    pub(super) const fn may_be_missing(self) -> bool {
        matches!(self, Self::Spread | Self::NotFilled | Self::NotMine | Self::NotYours | Self::Stop)
    }

    /// The signs of which a square of the board meets one if it meets this sign, if no mask says that at once. Each of them makes a
    /// placement of its own.
    pub(super) fn cases(self, squares: &Squares) -> Option<&'static [Self]> {
        match self {
            Self::Stop if squares.colours() == 1 => Some(&[Self::Filled]),
            Self::Stop if squares.has_blocks => Some(&[Self::Mine, Self::Yours, Self::Blocked]),
            Self::Stop => Some(&[Self::Mine, Self::Yours]),
            // A blocked square has no piece.
            Self::NotMine if squares.has_blocks => Some(&[Self::NotMine, Self::Blocked]),
            Self::NotYours if squares.has_blocks => Some(&[Self::NotYours, Self::Blocked]),
            _ => None,
        }
    }

    /// Returns whether the move changes the square.
    pub(super) const fn changes(self) -> bool {
        matches!(self, Self::Fill | Self::Leave | Self::Take | Self::Capture | Self::Block)
    }

    /// Returns whether the move puts a piece of the mover, or a block, on the square.
    pub(super) const fn arrives(self) -> bool {
        matches!(self, Self::Fill | Self::Capture | Self::Block)
    }

    /// A list of the signs for a board with this number of colours, for an error.
    fn known(colours: u32) -> String {
        let known = Self::ALL.iter().filter(|(character, _)| Self::of(*character, colours).is_some());
        known.map(|(character, _)| format!("{character} ")).collect::<String>() + "."
    }
}

/// Signs with their offsets (rows down, columns right) from the first `X` in reading order.
pub(super) type Stamp = Vec<(i32, i32, Sign)>;

/// The most rows and columns of a shape.
const MOST: usize = MAX_CELLS as usize;

/// The stamps of a drawn shape, one for each orientation. If `only_fills`, every sign must be `X` or `#`.
pub(super) fn drawn(item: Item<'_>, keys: &mut Keys<'_>, setup: Setup<'_>, only_fills: bool) -> Read<Vec<Stamp>> {
    let squares = setup.squares;
    let (turns, flips) = (keys.take("turns"), keys.take("flips"));
    let turns = turns.map_or(Ok(false), |item| item.flag())?;
    let flips = flips.map_or(Ok(Flips::default()), Flips::read)?;
    let rows = rows_of(item, setup.values)?;
    let mut stamp = Stamp::new();
    for (row, signs) in (0..).zip(&rows) {
        for (col, &character) in (0..).zip(signs) {
            let known = Sign::of(character, squares.colours());
            let known = known.filter(|sign| !only_fills || [Sign::Fill, Sign::NoSquare].contains(sign));
            match known {
                Some(sign) => stamp.push((row, col, sign)),
                None if character == '.' => {}
                None => {
                    if !only_fills {
                        Sign::check_colours(character, squares.colours(), item)?;
                    }
                    let signs = if only_fills { "X # .".into() } else { Sign::known(squares.colours()) };
                    let found = format!("{character:?} in row {}", row + 1);
                    return Err(item.found(format!("a drawing with the signs {signs}"), found));
                }
            }
        }
    }
    item.ensure(stamp.len() <= 4 * MOST, format!("at most {} signs", 4 * MOST), stamp.len().to_string())?;
    item.ensure(
        stamp.iter().any(|&(.., sign)| sign.changes()),
        "at least one sign that changes a square, such as X,",
        "none",
    )?;
    if squares.is_graph() {
        // The signs follow each other along a line of the graph, and each means a vertex.
        let is_row = rows.len() == 1 && rows[0].len() == stamp.len();
        let is_vertex = |&(.., sign): &(i32, i32, Sign)| !sign.may_be_missing() && sign != Sign::NoSquare;
        if !is_row || !stamp.iter().all(is_vertex) {
            let known = "one row of signs that mean a vertex each, such as \"X\" (a vertex), \"XX\" or \"LX\" (along an edge) \
                         or \"LYX\" (along a line of three vertices), since the board is a graph,";
            return Err(item.wrong(known));
        }
    }
    Ok(symmetric(stamp, turns, flips))
}

/// The rows of a drawing, in which a count in braces repeats the sign before it.
fn rows_of(item: Item<'_>, values: &Values) -> Read<Vec<Vec<char>>> {
    let mut rows = lines_of(item.text("a drawing of the shape")?);
    for (number, row) in (1..).zip(&mut rows) {
        let (mut signs, mut rest) = (Vec::<char>::new(), row.as_slice());
        while let [sign, after @ ..] = rest {
            rest = after;
            if *sign != '{' {
                signs.push(*sign);
                continue;
            }
            let expected = format!("a count from 0 to {MOST} in braces after a sign");
            let wrong = |fault: String| item.found(&*expected, format!("{fault} in row {number}"));
            let last = rest.iter().position(|&sign| sign == '}').ok_or_else(|| wrong("no } after {".into()))?;
            let count = expression::evaluate(&rest[..last].iter().collect::<String>(), values).map_err(wrong)?;
            let sign = signs.pop().ok_or_else(|| wrong("no sign before {".into()))?;
            let count = usize::try_from(count).ok().filter(|&count| count <= MOST);
            let count = count.ok_or_else(|| wrong("another number".into()))?;
            signs.extend(std::iter::repeat_n(sign, count));
            rest = &rest[last + 1..];
            item.ensure(signs.len() <= MOST, format!("a shape of at most {MOST} rows and columns"), "a larger one")?;
        }
        *row = signs;
    }
    let fits = rows.len() <= MOST && rows.iter().all(|row| row.len() <= MOST);
    item.ensure(fits, format!("a shape of at most {MOST} rows and columns"), "a larger one")?;
    Ok(rows)
}

/// The reflections of a shape that also count.
#[derive(Clone, Copy, Default)]
struct Flips {
    left_right: bool,
    top_bottom: bool,
}

impl Flips {
    /// Reads `flips`. `true` means left to right only, so that pieces that move up the board still do.
    fn read(item: Item<'_>) -> Read<Self> {
        let (left_right, top_bottom) = match (item.as_text(), item.flag()) {
            (Some("left-right"), _) => (true, false),
            (Some("top-bottom"), _) => (false, true),
            (Some("both"), _) => (true, true),
            (_, Ok(flag)) => (flag, false),
            _ => return Err(item.wrong("true, false, \"left-right\", \"top-bottom\" or \"both\"")),
        };
        Ok(Self { left_right, top_bottom })
    }
}

/// All different stamps that quarter turns and reflections make of `stamp`.
fn symmetric(stamp: Stamp, turns: bool, flips: Flips) -> Vec<Stamp> {
    let quarter = |stamp: &Stamp| stamp.iter().map(|&(row, col, sign)| (col, -row, sign)).collect::<Stamp>();
    let flipped = |stamp: &Stamp, rows: i32, cols: i32| -> Stamp {
        stamp.iter().map(|&(row, col, sign)| (rows * row, cols * col, sign)).collect()
    };
    let mut all = vec![stamp];
    if flips.left_right {
        all.push(flipped(&all[0], 1, -1));
    }
    if flips.top_bottom {
        all.extend(all.clone().iter().map(|stamp| flipped(stamp, -1, 1)));
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
    stamps
}

/// The stamps of `line`: one for each direction and length. If `exactly`, the line does not go on at either end.
///
/// On a graph, the stamp of a length says only how many vertices in a row the line has.
pub(super) fn lines(item: Item<'_>, keys: &mut Keys<'_>, setup: Setup<'_>, exactly: bool) -> Read<Vec<Stamp>> {
    if !setup.squares.is_graph() {
        let stamps = lines_of_lengths(item, keys, setup, 0)?;
        // A line may run to the left. Its first square is still the first one in reading order.
        let whole = |((rows, cols), mut line): ((i32, i32), Stamp)| {
            if exactly {
                let sign = if setup.squares.colours() == 1 { Sign::NotFilled } else { Sign::NotMine };
                let length = line.len() as i32;
                line.extend([-1, length].map(|far| (far * rows, far * cols, sign)));
                return anchored(line);
            }
            line.sort_unstable();
            line
        };
        return Ok(stamps.into_iter().map(whole).collect());
    }
    let lengths = range::bounds(item, setup.values, MAX_CELLS, "a length")?;
    item.ensure(*lengths.start() > 0 && lengths.start() <= lengths.end(), "a length of at least 1", item.described())?;
    Ok(lengths.map(|length| (0..length as i32).map(|col| (0, col, Sign::Fill)).collect()).collect())
}

/// The stamps of lines that are `more` squares longer than `item` says, each with its step.
fn lines_of_lengths(
    item: Item<'_>,
    keys: &mut Keys<'_>,
    setup: Setup<'_>,
    more: u32,
) -> Read<Vec<((i32, i32), Stamp)>> {
    let Setup { squares, values } = setup;
    let limits = 1..=MAX_CELLS;
    let lengths = if item.is_list() {
        match item.list("")?[..] {
            [least, most] => {
                let least_length = least.number(values, limits.clone())?;
                least_length..=most.number(values, least_length..=MAX_CELLS)?
            }
            ref list => {
                let expected = "a length, or a list of the smallest and the largest length,";
                return Err(item.found(expected, list.len().to_string()));
            }
        }
    } else if item.as_text().is_some_and(|text| text.contains("..")) {
        let lengths = range::bounds(item, values, MAX_CELLS, "a length")?;
        (*lengths.start()).max(1)..=*lengths.end()
    } else {
        let length = item.number(values, limits)?;
        length..=length
    };
    let directions = directions(keys, values, &["rows", "columns"])?;
    item.ensure(!squares.is_graph(), "`shape`, since the board is a graph,", "a line")?;
    let stamp = |(rows, cols): (i32, i32), length: u32| {
        let line = (0..(length + more) as i32).map(|step| (rows * step, cols * step, Sign::Fill));
        ((rows, cols), line.collect::<Stamp>())
    };
    Ok(directions.into_iter().flat_map(|way| lengths.clone().map(move |length| stamp(way, length))).collect())
}

/// Takes `along`: steps of rows and columns, one for each direction and not for its opposite. A direction is a word,
/// or such a step as a list of two numbers. `default` are the words without the key.
pub(super) fn directions(keys: &mut Keys<'_>, values: &Values, default: &[&str]) -> Read<Vec<(i32, i32)>> {
    const ALONG: [(&str, &[(i32, i32)]); 3] =
        [("rows", &[(0, 1)]), ("columns", &[(1, 0)]), ("diagonals", &[(1, 1), (1, -1)])];
    let Some(item) = keys.take("along") else {
        let default = ALONG.iter().filter(|(word, _)| default.contains(word));
        return Ok(default.flat_map(|(_, steps)| steps.iter().copied()).collect());
    };
    let mut directions = Vec::new();
    for direction in item.list("a list of \"rows\", \"columns\", \"diagonals\", or steps such as [1, 2]")? {
        if !direction.is_list() {
            directions.extend(ALONG[direction.word(&ALONG.map(|(word, _)| word))?].1);
            continue;
        }
        let limits = 1 - i64::from(MAX_CELLS)..=i64::from(MAX_CELLS) - 1;
        let [rows, cols] = direction.list("")?[..] else {
            return Err(direction.found("a step of two numbers, rows and columns,", direction.described()));
        };
        let step = (rows.signed(values, &limits)? as i32, cols.signed(values, &limits)? as i32);
        direction.ensure(step != (0, 0), "a step to another square", "[0, 0]")?;
        directions.push(step);
    }
    // The words come in a fixed order, whatever the order in the file, so that equal rules have equal moves.
    let words = ALONG.iter().flat_map(|(_, steps)| steps.iter().copied());
    let rank = |step: &(i32, i32)| words.clone().position(|known| known == *step).unwrap_or(usize::MAX);
    directions.sort_by_key(|step| (rank(step), *step));
    directions.dedup();
    Ok(directions)
}

/// The stamps of `slide` or `shoot`, one for each direction and distance. In a slide, a piece of the mover moves along
/// a line of free squares; with `furthest`, it stops only where the next square is filled or does not exist. In a shot, the piece
/// stays, and the last square is blocked.
pub(super) fn slides(item: Item<'_>, keys: &mut Keys<'_>, setup: Setup<'_>, shoots: bool) -> Read<Vec<Stamp>> {
    let [begin, end] = if shoots { [Sign::Mine, Sign::Block] } else { [Sign::Leave, Sign::Fill] };
    if shoots {
        Sign::check_colours('B', setup.squares.colours(), item)?;
    }
    let furthest = if shoots { None } else { keys.take("furthest") };
    let is_furthest = furthest.map_or(Ok(false), |item| item.flag())?;
    // A piece that moves by `n` squares touches `n + 1` squares.
    let lines = lines_of_lengths(item, keys, setup, 1)?;
    let slide = |((rows, cols), line): ((i32, i32), Stamp)| {
        let last = line.len() - 1;
        let sign = move |from: usize, at: usize| match at {
            _ if at == from => begin,
            _ if at == last - from => end,
            _ => Sign::Free,
        };
        // Both directions along the line.
        [0, last].map(|from| {
            let signs = line.iter().enumerate().map(|(at, &(row, col, _))| (row, col, sign(from, at)));
            let beyond = if from == 0 { last as i32 + 1 } else { -1 };
            let stop = is_furthest.then_some((beyond * rows, beyond * cols, Sign::Stop));
            signs.chain(stop).collect::<Stamp>()
        })
    };
    Ok(lines.into_iter().flat_map(slide).map(anchored).collect())
}

/// The stamp in reading order, with offsets from its first `X`, or else from the first square that the move changes.
fn anchored(mut stamp: Stamp) -> Stamp {
    stamp.sort_unstable();
    let find = |is: fn(Sign) -> bool| stamp.iter().find(|&&(.., sign)| is(sign)).copied();
    let first = find(|sign| sign == Sign::Fill).or_else(|| find(Sign::changes));
    let (row, col) = first.map_or((0, 0), |(row, col, _)| (row, col));
    stamp.iter_mut().for_each(|at| *at = (at.0 - row, at.1 - col, at.2));
    stamp
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_has_as_many_stamps_as_orientations() {
        let fills =
            |offsets: &[(i32, i32)]| offsets.iter().map(|&(row, col)| (row, col, Sign::Fill)).collect::<Stamp>();
        let [none, across, down, both] = [(false, false), (true, false), (false, true), (true, true)]
            .map(|(left_right, top_bottom)| Flips { left_right, top_bottom });
        let count = |offsets: &[(i32, i32)]| {
            let unturned = [none, across, down, both].map(|flips| symmetric(fills(offsets), false, flips).len());
            let turned = [none, across, down, both].map(|flips| symmetric(fills(offsets), true, flips).len());
            (unturned, turned)
        };
        assert_eq!(count(&[(0, 0)]), ([1, 1, 1, 1], [1, 1, 1, 1]), "monomino");
        assert_eq!(count(&[(0, 0), (0, 1)]), ([1, 1, 1, 1], [2, 2, 2, 2]), "domino");
        assert_eq!(count(&[(0, 0), (1, 0), (1, 1)]), ([1, 2, 2, 4], [4, 4, 4, 4]), "L tromino");
        assert_eq!(count(&[(0, 0), (1, 0), (2, 0), (2, 1)]), ([1, 2, 2, 4], [4, 8, 8, 8]), "L tetromino");
    }
}
