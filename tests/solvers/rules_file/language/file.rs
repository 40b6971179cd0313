//! A rules file as data. Keys and values are those of `docs/reference/rules-keys.md`.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use tablegen::rules::Outcome;

/// A square by row and column, both from 0. A vertex of a graph has row 0.
pub(super) type At = (i32, i32);

/// The key that lists the squares.
pub(super) enum Layout {
    Grid,
    /// A grid with the key `holes`.
    Holes,
    Row,
    Lengths,
    Drawn,
    /// The vertices of each line, two or three.
    Graph(Vec<Vec<i32>>),
    /// A row of lines, each between two points.
    Between(Vec<[i32; 2]>),
}

pub(super) struct Squares {
    /// The rows; true for a square and false for a hole.
    pub(super) rows: Vec<Vec<bool>>,
    pub(super) layout: Layout,
    pub(super) hexagons: bool,
}

/// Numbers of rows or columns, counted from 1.
pub(super) enum Numbers {
    One(i32),
    /// The same, as a formula.
    Formula(i32),
    List(Vec<i32>),
    /// First, last and step.
    Range(i32, i32, i32),
}

pub(super) enum Area {
    Dark,
    Light,
    List(Vec<At>),
    Table(Option<Numbers>, Option<Numbers>),
    Drawing(Vec<At>),
}

/// The keys that say where a move or a pattern lies.
#[derive(Default)]
pub(super) struct Limits {
    pub(super) on: Option<Area>,
    pub(super) rows: Option<Numbers>,
    pub(super) cols: Option<Numbers>,
    pub(super) first_on: Option<Area>,
    /// `each = { n = … }`, with `rows = "n"` if the flag is true, else with `cols = "n"`.
    pub(super) each: Option<(Numbers, bool)>,
}

pub(super) enum Along {
    Rows,
    Columns,
    Diagonals,
    Step(i32, i32),
}

/// The keys that turn a drawing or a line, and those that say where it lies.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) turns: bool,
    /// The value of `flips`, as TOML.
    pub(super) flips: Option<&'static str>,
    pub(super) along: Option<Vec<Along>>,
    pub(super) limits: Limits,
    /// The places of the drawing, once they are found.
    pub(super) places: OnceCell<Vec<Vec<(At, char)>>>,
}

/// A least and a most number.
pub(super) type Span = [i32; 2];

/// A colour and a square.
pub(super) type Cell = (char, At);

pub(super) type Drawing = Vec<Vec<char>>;

pub(super) enum Act {
    Shape(Drawing),
    Line(Span),
    /// With the value of `furthest`.
    Slide(Span, bool),
    Shoot(Span),
    /// With the value of `enters`.
    Push(Span, bool),
    Outflanks,
    Lifts(Drawing),
    /// Numbers of squares; true for `from = "each"`.
    Take(Vec<i32>, bool),
    Cells {
        fills: Vec<Cell>,
        clears: Vec<Cell>,
        empty: Option<Vec<Cell>>,
        full: Vec<Cell>,
    },
    Pass {
        empty: Vec<Cell>,
        full: Vec<Cell>,
    },
}

pub(super) enum Neighbours {
    Sign(char),
    Counts(Vec<(char, Span)>),
}

#[derive(Default)]
pub(super) struct Who {
    /// The key `side`, as a number.
    pub(super) side: Option<usize>,
    pub(super) again: bool,
    /// The modes of `mode` and `next`.
    pub(super) steps: Vec<[ModeName; 2]>,
}

/// The name of a mode in a move, by its number and a letter for a square: `p`, or `p-{X}`.
pub(super) type ModeName = (usize, Option<char>);

pub(super) struct MoveTable {
    pub(super) act: Act,
    pub(super) frame: Frame,
    pub(super) neighbours: Option<Neighbours>,
    pub(super) also: Vec<&'static str>,
    pub(super) completes: Option<Span>,
    pub(super) spares: Option<i32>,
    /// The points of `rests_on`.
    pub(super) rests_on: Vec<i32>,
    pub(super) otherwise: bool,
    /// The key `gains`, if it is not 0.
    pub(super) gains: i32,
    pub(super) who: Who,
}

pub(super) enum Pattern {
    Shape(Drawing),
    Line(Span),
    /// Only in a group.
    Squares(Area),
    // The others are only in an end.
    Connects([Part; 2]),
    Surrounded,
    /// A cell without a colour has the colour of the pattern.
    Full(Vec<(Option<char>, At)>),
    Stuck,
}

pub(super) enum Part {
    Named(&'static str),
    Area(Area),
}

pub(super) enum Verdict {
    Default,
    Completer(Outcome),
    ToMove(Outcome),
    Most,
    /// Points of the player to move.
    Points(i32),
}

pub(super) struct EndTable {
    pub(super) pattern: Pattern,
    pub(super) frame: Frame,
    /// The key `exactly` of a line.
    pub(super) exactly: bool,
    pub(super) verdict: Verdict,
    /// The key `of`: true for the player to move.
    pub(super) of_mover: Option<bool>,
    pub(super) side: Option<usize>,
    pub(super) modes: Vec<ModeName>,
}

pub(super) enum Turns {
    /// No key: both players have the same moves.
    None,
    Sides,
    /// Two sides, the number of the side that begins, and the key `swap`.
    Swap(usize),
    /// A list of so many modes.
    List(usize),
    /// The side of each mode. Each mode has another mode for each of these squares, if there are any: first those of the
    /// first square.
    Table(Vec<usize>, Vec<String>),
}

pub(super) struct Start {
    pub(super) board: Vec<Vec<char>>,
    /// Written by `filled` and not by `board`.
    pub(super) filled: bool,
    /// The side or the mode.
    pub(super) mode: Option<usize>,
}

pub(super) struct File {
    pub(super) squares: Squares,
    pub(super) two_colours: bool,
    pub(super) turns: Turns,
    /// The outcome of a player without a move.
    pub(super) play: Outcome,
    /// The key `aim`: true for the fewest points.
    pub(super) fewest: bool,
    pub(super) groups: Vec<(Pattern, Frame)>,
    /// The different groups, once they are found.
    pub(super) sets: OnceCell<BTreeSet<BTreeSet<At>>>,
    pub(super) moves: Vec<MoveTable>,
    pub(super) ends: Vec<EndTable>,
    /// No table, one, or an opening.
    pub(super) starts: Vec<Start>,
    pub(super) cells: CellsAs,
}

/// How a file writes cells.
#[derive(Clone, Copy)]
pub(super) enum CellsAs {
    Names,
    Numbers,
    Rows,
    Board,
}

pub(super) const SIDES: [&str; 2] = ["west", "east"];
pub(super) const COLOURS: [char; 2] = ['X', 'O'];
const MODES: [&str; 4] = ["p", "q", "r", "s"];

impl File {
    /// Whether a move or an end has points.
    pub(super) fn counts_points(&self) -> bool {
        let of_ends = self.ends.iter().any(|end| matches!(end.verdict, Verdict::Most | Verdict::Points(_)));
        of_ends || self.moves.iter().any(|table| table.gains != 0)
    }
}

impl Turns {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::None => 1,
            Self::Sides => 2,
            Self::Swap(_) => 4,
            Self::List(count) => *count,
            Self::Table(owners, squares) => owners.len() * (1 + squares.len()),
        }
    }

    /// The number of modes without a square.
    pub(super) fn plain(&self) -> usize {
        if let Self::Table(owners, _) = self { owners.len() } else { self.count() }
    }

    /// The name of a mode in the file.
    pub(super) fn key(&self, mode: usize) -> String {
        match self {
            Self::Sides => SIDES[mode].into(),
            Self::Swap(opener) => match mode {
                2 => format!("{}-opens", SIDES[*opener]),
                3 => format!("{}-may-swap", SIDES[1 - opener]),
                side => SIDES[side].into(),
            },
            Self::Table(owners, squares) if mode >= owners.len() => {
                format!("{}-{}", MODES[mode % owners.len()], squares[mode / owners.len() - 1])
            }
            _ => MODES[mode].into(),
        }
    }

    /// The name of a mode in a position; empty if there is only one.
    pub(super) fn name(&self, mode: usize) -> String {
        if self.count() == 1 { String::new() } else { self.key(mode) }
    }
}

/// The name of a mode in a move or an end.
pub(super) fn mode_name((mode, letter): ModeName) -> String {
    MODES[mode].to_owned() + &letter.map_or(String::new(), |letter| format!("-{{{letter}}}"))
}
