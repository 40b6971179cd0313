//! Squares: pairs of cells, one for each colour.

use std::collections::BTreeMap;

use crate::rules::{Board, Mode, Rules};

/// The cells of squares.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// The two cells of each square, by colour.
    pub(super) pairs: Vec<[u32; 2]>,
    /// The square and the colour of each cell.
    pub(super) places: Vec<(u8, usize)>,
}

impl Cells {
    /// The cells of the squares of `rules`; `None` if the masks do not pair all cells.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let pairs = if rules.has_lines() { of_lines(rules) } else { of_listed(rules) }?;
        let mut places = vec![(0, 0); rules.cells() as usize];
        for (square, pair) in pairs.iter().enumerate() {
            for colour in 0..2 {
                places[pair[colour] as usize] = (square as u8, colour);
            }
        }
        Some(Self { pairs, places })
    }

    /// The squares of the cells of `board`, by colour.
    pub(super) fn by_colour(&self, board: Board) -> [u64; 2] {
        let mut of = [0; 2];
        for cell in board.bits() {
            let (square, colour) = self.places[cell as usize];
            of[colour] |= 1 << square;
        }
        of
    }
}

/// The cells of each square, by colour, where moves name lines.
fn of_lines(rules: &Rules) -> Option<Vec<[u32; 2]>> {
    let mut partner = [None; 128];
    let mut first = Board::EMPTY;
    let mut pair = |a: u32, b: u32| {
        let fits = [(a, b), (b, a)].into_iter().all(|(a, b)| *partner[a as usize].get_or_insert(b) == b);
        fits && a != b
    };
    let placing = || rules.moves().iter().filter(|m| m.lines.is_some());
    let mode = placing().next()?.mode;
    for m in placing() {
        let fills = m.fills.lowest()?;
        let other = (m.empty & !m.fills).lowest()?;
        if m.empty.count() != 2 || !pair(fills, other) {
            return None;
        }
        first |= if m.mode == mode { m.fills } else { Board::EMPTY };
    }
    let mode_of_list: BTreeMap<u16, Mode> = placing().filter_map(|m| Some((m.lines?, m.mode))).collect();
    for (&list, &of) in &mode_of_list {
        for line in rules.spec().lines[usize::from(list)].iter().filter(|line| line.fills.count() == 1) {
            if line.clears.count() != 1 || !pair(line.fills.lowest()?, line.clears.lowest()?) {
                return None;
            }
            first |= if of == mode { line.fills } else { Board::EMPTY };
        }
    }
    let pairs: Vec<[u32; 2]> = first.bits().map(|cell| Some([cell, partner[cell as usize]?])).collect::<Option<_>>()?;
    let second: Board = pairs.iter().map(|pair| Board::bit(pair[1])).collect();
    (first.is_disjoint(second) && first | second == Board::full(rules.cells())).then_some(pairs)
}

/// The same, where a move is listed for each combination of lines. It may find wrong pairs in games of another kind. `None` where several cells
/// could be the partner of a cell, as on a board of one row.
fn of_listed(rules: &Rules) -> Option<Vec<[u32; 2]>> {
    let of = rules.moves_of(Mode(0));
    let first: Board = of.iter().map(|m| m.fills).collect();
    let mut partners = vec![Board::full(rules.cells()) & !first; 128];
    for m in of {
        // A cell is filled where a piece is put, on a free square, and where a piece turns over.
        for cell in m.fills.bits() {
            partners[cell as usize] &= m.empty | m.clears;
        }
    }
    let partner = |cell: u32| {
        let partner = partners[cell as usize];
        (partner.count() == 1).then_some([cell, partner.lowest()?])
    };
    let pairs: Vec<[u32; 2]> = first.bits().map(partner).collect::<Option<_>>()?;
    let all: Board = pairs.iter().map(|pair| Board::bit(pair[0]) | Board::bit(pair[1])).collect();
    (all == Board::full(rules.cells()) && 2 * pairs.len() as u32 == rules.cells()).then_some(pairs)
}
