//! Which cells lie inside a block, chosen so that a block costs the kernel little.
//!
//! The kernel meets a move in one of two ways:
//!
//! - A move that fills a cell outside the block costs one load, and only in the blocks whose outer cells allow it. If the
//!   move names k outer cells, that is one block in 2^k.
//! - A move that fills only cells inside the block is applied in every block, once a round until nothing changes.
//!
//! The [`cost`] of a choice, in loads a block, is therefore
//!
//! ```text
//! sum over moves that leave the block of 2^-(outer cells they name)
//!   + ROUNDS * sum over moves within the block of 2^-(outer cells they name)
//! ```
//!
//! The best low cells are cells that few moves name: corners and edges, no two of them adjacent. The four cells that
//! choose a block within its tile minimise the same cost. The cells above them are ordered so that little is read from
//! far away. Tactics on 6x6 squares with runs of up to 6; `#` marks the low cells, `+` the cells that choose the block:
//!
//! ```text
//! # . . # . #
//! . + . . # .
//! . . . . . +
//! # . . + . .
//! . # . . . #
//! # . + . # .
//! ```

use super::block::{LOW, TILE};
use crate::plane::Layout;
use crate::rules::{Board, Rules};

/// How many times, on average, a move within a block is applied, where a move that leaves it costs one load.
const ROUNDS: f64 = 3.0;

/// The layout in which `rules` are solved. It is the same on every machine, is found in milliseconds, and by the
/// [`cost`] above is never worse than reading order.
#[must_use]
pub fn choose(rules: &Rules) -> Layout {
    if rules.cells() <= LOW {
        return Layout::reading_order(rules.cells());
    }
    with_top(rules, Board::EMPTY, &[])
}

/// Like [`choose`], with the cells of `top` at the highest places. Cells of each of `groups` lie together, except those
/// with low places. No cell of a block is in `top`.
pub(super) fn with_top(rules: &Rules, top: Board, groups: &[Board]) -> Layout {
    let masks = MoveMasks::new(rules);
    let free = !top & Board::full(rules.cells());
    let lowest: Board = free.bits().take(LOW as usize).map(Board::bit).collect();
    let low = exchange(lowest, free, |low| masks.cost(low));
    // The cells that choose a block minimise the same cost for the tile as a whole. A move between blocks of one tile
    // costs more than a move that leaves it, though each is applied once.
    let mut tile = low;
    while tile.count() < TILE.min(free.count()) {
        let outside = (!tile & free).bits();
        let best = outside.min_by(|&a, &b| {
            let cost = |bit| masks.cost(tile | Board::bit(bit));
            cost(a).total_cmp(&cost(b))
        });
        tile |= best.map_or(Board::EMPTY, Board::bit);
    }
    // Group by group, as long as groups fit whole; first the groups with which the sweep reads fewer streams.
    let (mut above, mut order) = (Board::EMPTY, Vec::new());
    for part in [top, free & !tile] {
        let mut whole: Vec<Board> = groups.iter().copied().filter(|group| part.contains(*group)).collect();
        while !whole.is_empty() {
            let with = |group: Board| streams(rules, above | group);
            let least = (0..whole.len()).min_by(|&a, &b| with(whole[a]).total_cmp(&with(whole[b])));
            let group = whole.swap_remove(least.unwrap_or(0));
            order.extend(from_the_top(rules, above, group));
            above |= group;
        }
        let rest = part & !above;
        order.extend(from_the_top(rules, above, rest));
        above |= rest;
    }
    let places = low.bits().chain((tile & !low).bits()).chain(order.into_iter().rev());
    in_order(places, rules.cells())
}

/// An order of the cells of `outer` for the places below the cells of `top`, from the highest down. Each cell is chosen
/// so that the sweep reads the fewest streams.
///
/// The bit planes of a large game do not fit into a cache. While the cells of the k highest places keep their values,
/// the sweep walks through one part of a plane. It also reads one other part, a *stream*, for each distinct set of
/// those cells that some move names. A set of n cells counts 2^-n, the share of the time in which such a move is legal.
fn from_the_top(rules: &Rules, mut top: Board, outer: Board) -> Vec<u32> {
    let mut order = Vec::new();
    while let Some(next) = (outer & !top).bits().min_by(|&a, &b| {
        let streams = |bit| streams(rules, top | Board::bit(bit));
        streams(a).total_cmp(&streams(b))
    }) {
        top |= Board::bit(next);
        order.push(next);
    }
    order
}

/// The streams that the sweep reads while the cells of `top` keep their values.
fn streams(rules: &Rules, top: Board) -> f64 {
    let mut parts: Vec<Board> = rules.moves().iter().map(|m| (m.empty | m.full) & top).collect();
    parts.sort_unstable();
    parts.dedup();
    parts.iter().map(|part| one_in(part.count())).sum::<f64>()
}

/// The share of boards that have `cells` cells as a move requires them.
fn one_in(cells: u32) -> f64 {
    1.0 / (1u64 << cells.min(63)) as f64
}

/// The cost of `layout` for `rules`, in loads a block.
#[must_use]
pub fn cost(rules: &Rules, layout: &Layout) -> f64 {
    let low = (0..rules.cells().min(LOW)).fold(Board::EMPTY, |low, place| low | layout.board(1 << place));
    MoveMasks::new(rules).cost(low)
}

/// For each move, the cells that it names and the cells that it fills.
struct MoveMasks(Vec<(Board, Board)>);

impl MoveMasks {
    fn new(rules: &Rules) -> Self {
        Self(rules.moves().iter().map(|m| (m.empty | m.full, m.fills & !m.full)).collect())
    }

    /// Loads a block if its cells are `inside`: the moves that leave it, each weighted by how often it is allowed.
    fn loads(&self, inside: Board) -> f64 {
        let leaving = self.0.iter().filter(|(_, fills)| !inside.contains(*fills));
        leaving.map(|(named, _)| one_in((*named & !inside).count())).sum()
    }

    fn cost(&self, low: Board) -> f64 {
        let within = self.0.iter().filter(|(_, fills)| low.contains(*fills));
        let rounds = within.map(|(named, _)| ROUNDS * one_in((*named & !low).count())).sum::<f64>();
        self.loads(low) + rounds
    }
}

/// Exchanges one cell of `set` for another one of `among` while that lowers the cost, the best exchange first.
fn exchange(mut set: Board, among: Board, cost: impl Fn(Board) -> f64) -> Board {
    let mut least = cost(set);
    loop {
        let mut best = set;
        for (out, into) in set.bits().flat_map(|out| (!set & among).bits().map(move |into| (out, into))) {
            let candidate = (set ^ Board::bit(out)) | Board::bit(into);
            let found = cost(candidate);
            // Sums of powers of two are exact, so equal costs compare equal on every machine.
            if found < least {
                (least, best) = (found, candidate);
            }
        }
        if best == set {
            return set;
        }
        set = best;
    }
}

/// The layout that gives the cells `bits` the places 0, 1, 2 and so on.
fn in_order(bits: impl Iterator<Item = u32>, cells: u32) -> Layout {
    let mut places = vec![0; cells as usize];
    for (place, bit) in (0..).zip(bits) {
        places[bit as usize] = place;
    }
    Layout::new(places).unwrap_or_else(|_| unreachable!("the sets are the cells, each once"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, runs};

    #[test]
    fn never_worse_than_reading_order() {
        for (rows, cols, run) in
            [(4, 4, 4), (2, 5, 2), (1, 16, 3), (5, 5, 4), (5, 6, 6), (6, 6, 6), (1, 40, 40), (3, 3, 3)]
        {
            let rules = &runs(Grid { rows, cols }, run).build().unwrap();
            let (chosen, plain) = (choose(rules), Layout::reading_order(rules.cells()));
            assert!(cost(rules, &chosen) <= cost(rules, &plain), "{rows}x{cols}");
            assert_eq!(chosen, choose(rules));
        }
    }

    #[test]
    fn the_layout_in_the_docs_is_chosen() {
        let grid = Grid { rows: 6, cols: 6 };
        let layout = choose(&runs(grid, 6).build().unwrap());
        let mark = |square: Board| match layout.index(square).trailing_zeros() {
            0..LOW => '#',
            LOW..TILE => '+',
            _ => '.',
        };
        let row = |row: u32| (0..grid.cols).map(|col| mark(grid.cell(row, col)).to_string()).collect::<Vec<_>>();
        let rows: Vec<String> = (0..grid.rows).map(|number| format!("//! {}", row(number).join(" "))).collect();
        let drawn = rows.join("\n");
        assert!(include_str!("layout.rs").contains(&drawn), "the choice is\n{drawn}");
    }
}
