//! Names of moves, as short as possible while all moves of a position have different names.

use std::collections::HashMap;

use super::squares::Squares;
use crate::rules::{Board, Mode, Move, Rules};

/// The parts of a move's name in one game. They are the same for all positions of the game, so a move has one name
/// everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Naming {
    /// Name every square that the move fills, not only the squares that it requires to be free, or where no piece turns over.
    pub(super) whole: bool,
    /// Name the colour of each square.
    pub(super) colour: bool,
    /// Name the mode to which the move leads.
    pub(super) next: bool,
    /// Name the squares that the move empties: the square it leaves, and the pieces it takes.
    pub(super) clears: bool,
}

/// The cells that a short name mentions: the corner of a bite in Chomp, or a vertex without its neighbours.
pub(super) fn own(m: &Move) -> Board {
    m.fills & m.empty
}

/// The name of a move that changes no square.
pub(super) const PASS: &str = "pass";

/// The filled cells of `m` that name it in a game whose moves empty cells. If pieces turn over beside a new piece, the new piece alone
/// names the move.
pub(super) fn arriving(squares: &Squares, m: &Move) -> Board {
    let all = squares.all().iter().filter_map(|&square| squares.cells_of(square));
    let turned = all.filter(|cells| !cells.is_disjoint(m.fills) && !cells.is_disjoint(m.clears)).collect::<Board>();
    if (m.fills & !turned).is_empty() { m.fills } else { m.fills & !turned }
}

/// The largest number of moves with one name that are compared with each other.
const MOST_ALIKE: usize = 1 << 10;

/// Returns whether both moves are legal on some board.
fn may_meet(a: &Move, b: &Move) -> bool {
    a.empty.is_disjoint(b.full) && b.empty.is_disjoint(a.full)
}

impl Naming {
    pub(super) fn of<'a>(rules: &'a Rules, squares: &Squares) -> Self {
        let mut alike: HashMap<(Mode, Board, Board), Vec<&'a Move>> = HashMap::new();
        // Whether some move with the name of `m` fills other squares, or leads to another mode, and can be legal on the same
        // board.
        let mut others = |m: &'a Move, own: Board| {
            let others = alike.entry((m.mode, own, m.clears)).or_default();
            if others.len() >= MOST_ALIKE {
                return (others[0].fills != m.fills, others.iter().any(|other| other.next != m.next));
            }
            let met = || others.iter().filter(|other| may_meet(m, other));
            let found = (met().any(|other| other.fills != m.fills), met().any(|other| other.next != m.next));
            others.push(m);
            found
        };
        let mut by_mode: HashMap<Mode, (Board, Mode)> = HashMap::new();
        let mut naming = Self { whole: false, colour: false, next: false, clears: rules.clears() };
        if naming.clears {
            for m in rules.moves() {
                let (fills_others, leads_elsewhere) = others(m, arriving(squares, m));
                naming.whole |= fills_others;
                naming.next |= leads_elsewhere;
            }
            return naming;
        }
        // True if some moves of one mode lead to different modes.
        let mut parts = false;
        for m in rules.moves() {
            let (fills_others, leads_elsewhere) = others(m, own(m));
            naming.whole |= fills_others;
            naming.next |= leads_elsewhere;
            let (filled, next) = by_mode.entry(m.mode).or_insert((m.fills, m.next));
            *filled |= m.fills;
            parts |= *next != m.next;
        }
        // Whole names list all squares that become filled, and different moves may fill the same squares.
        naming.next |= naming.whole && parts;
        let of_colour = |colour| squares.all().iter().filter_map(move |&square| squares.cell(square, colour));
        let touches = |board: Board, colour| !of_colour(colour).collect::<Board>().is_disjoint(board);
        let mut filled = by_mode.values().map(|(filled, _)| *filled);
        naming.colour = squares.colours() == 2 && filled.any(|filled| touches(filled, 0) && touches(filled, 1));
        naming
    }

    /// The name of a move in a game whose moves empty cells: `a1>b1` leaves a1 for b1, `a1>b1xc1` also takes c1, `a1>`
    /// leaves the board, and `b1` enters the board. `mine` are the cells of the mover: pieces on them leave, other
    /// pieces are taken.
    pub(super) fn of_moved(self, squares: &Squares, m: &Move, mine: Board) -> String {
        let list = |board: Board| squares.touched(board);
        let names = |list: &[usize]| list.iter().map(|&square| squares.name(square)).collect::<Vec<_>>().join("+");
        let (leaves, fills) = (list(m.clears & mine), list(m.fills));
        let arrives = if self.whole { fills.clone() } else { list(arriving(squares, m)) };
        if m.is_pass() {
            return PASS.into();
        }
        // A piece taken where a piece arrives needs no mention, nor does the other colour of a neutral piece that leaves.
        let is_taken = |square: &usize| !fills.contains(square) && !leaves.contains(square);
        let taken: Vec<usize> = list(m.clears & !mine).into_iter().filter(is_taken).collect();
        let mut name = names(&leaves);
        if !leaves.is_empty() {
            name.push('>');
        }
        name += &names(&arrives);
        if !taken.is_empty() {
            name.push('x');
            name += &names(&taken);
        }
        name
    }

    /// The name of the cells of `board`: their squares, after their colour and a colon if names have colours.
    pub(super) fn name(self, squares: &Squares, board: Board) -> String {
        let filled = |colours: std::ops::Range<u32>| {
            let is_filled = |square: usize| {
                colours.clone().any(|c| squares.cell(square, c).is_some_and(|cell| board.contains(cell)))
            };
            squares.all().iter().copied().filter(|&square| is_filled(square)).collect::<Vec<usize>>()
        };
        if board.is_empty() {
            return PASS.into();
        }
        if !self.colour {
            return joined(squares, &filled(0..squares.colours()));
        }
        let of_colour = |(colour, mark): (u32, &char)| {
            let list = filled(colour..colour + 1);
            (!list.is_empty()).then(|| format!("{mark}:{}", joined(squares, &list)))
        };
        (0..).zip(&squares.marks).filter_map(of_colour).collect::<Vec<_>>().join("+")
    }
}

/// The names of `list`: the two ends of a straight run of neighbours, or all squares joined by `+`.
fn joined(squares: &Squares, list: &[usize]) -> String {
    let name = |&square: &usize| squares.name(square);
    match list {
        [first, .., last] if !squares.is_graph() && is_run(list, squares.grid.cols as usize) => {
            format!("{}-{}", name(first), name(last))
        }
        _ => list.iter().map(name).collect::<Vec<_>>().join("+"),
    }
}

/// Returns whether the squares, in reading order, form a run: each is a neighbour of the next along one row, column or
/// diagonal.
fn is_run(list: &[usize], cols: usize) -> bool {
    let step = |pair: &[usize]| {
        let [(r, c), (row, col)] = [pair[0], pair[1]].map(|square| (square / cols, square % cols));
        (row - r, col as isize - c as isize)
    };
    let mut steps = list.windows(2).map(step);
    let first = steps.next();
    first.is_some_and(|(rows, cols)| rows <= 1 && cols.abs() <= 1) && steps.all(|step| Some(step) == first)
}

#[cfg(test)]
mod tests {
    use super::is_run;

    #[test]
    fn runs_on_boards_of_any_width() {
        assert!(is_run(&[0, 1, 2], 3) && is_run(&[0, 3], 3) && is_run(&[0, 4, 8], 3) && is_run(&[2, 4, 6], 3));
        assert!(!is_run(&[0, 2], 3) && !is_run(&[2, 3], 3) && !is_run(&[0, 1, 3], 3) && !is_run(&[0], 3));
        assert!(is_run(&[0, 1, 2], 1) && !is_run(&[0, 2], 1), "a single column");
        assert!(is_run(&[1, 2], 2) && is_run(&[0, 3], 2) && !is_run(&[1, 4], 2), "two columns");
    }
}
