//! The move `take`: each row is a heap, and a player takes some of its free squares, those on the right first.
//!
//! No free square lies to the right of a filled one: starts and positions with such a gap are refused, and so are other moves that make
//! one. So the number of free squares is the size of the heap, and a move
//! has a placement for each size from which it can be made.

use super::area::Area;
use super::error::Read;
use super::placement::{Budget, Pieces, Placement};
use super::range::numbers;
use super::reader::MOST_MOVES;
use super::source::{Item, Keys};
use super::squares::{Setup, Squares};
use super::stamp::Sign;
use crate::rules::{Board, MAX_CELLS, Move};

/// The squares of a heap, and how many of them are free.
type Heap<'a> = (&'a [usize], usize);

/// The move `take`.
pub(super) struct Taking<'a> {
    /// The numbers of squares that a move may take, ascending.
    numbers: Vec<usize>,
    /// True if a move takes that many squares from each heap, false if from one.
    from_each: bool,
    area: Area,
    item: Item<'a>,
}

impl<'a> Taking<'a> {
    /// Takes the keys of the move, if the table has it.
    pub(super) fn take(keys: &mut Keys<'a>, setup: Setup<'_>) -> Read<Option<Self>> {
        let Setup { squares, values } = setup;
        let Some(item) = keys.take("take") else { return Ok(None) };
        if squares.is_graph() || squares.colours() > 1 {
            let found = if squares.is_graph() { "a graph" } else { "two colours" };
            return Err(item.found("a [board] of squares in one colour", found));
        }
        let numbers = numbers(item, values, &(1..=MAX_CELLS.into()))?;
        let mut numbers: Vec<usize> = numbers.into_iter().map(|number| number as usize).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let from_each = keys.take("from").map_or(Ok(0), |item| item.word(&["one", "each"]))? == 1;
        Ok(Some(Self { numbers, from_each, area: Area::take(keys, setup)?, item }))
    }

    /// The moves.
    pub(super) fn placements(&self, squares: &Squares, budget: &mut Budget) -> Read<Vec<Placement>> {
        let heaps = heaps(squares);
        let mut all = Vec::new();
        for &number in &self.numbers {
            // The heaps from which a move takes squares, each with its size.
            let mut choices: Vec<Vec<Heap<'_>>> = if self.from_each { vec![Vec::new()] } else { Vec::new() };
            for heap in &heaps {
                let sizes: Vec<Heap<'_>> = (number..=heap.len()).map(|size| (heap.as_slice(), size)).collect();
                if self.from_each {
                    let pairs =
                        choices.iter().flat_map(|one| sizes.iter().map(move |&last| [&one[..], &[last]].concat()));
                    choices = pairs.collect();
                } else {
                    choices.extend(sizes.into_iter().map(|only| vec![only]));
                }
                self.item.ensure(choices.len() <= MOST_MOVES, format!("at most {MOST_MOVES} moves in all"), "more")?;
            }
            budget.spend(self.item, choices.len() * heaps.len() * number)?;
            all.extend(choices.iter().filter_map(|from| self.placement(squares, from, number)));
        }
        Ok(all)
    }

    /// The move that takes `number` squares from each of these heaps with their sizes, if all squares lie in the area.
    fn placement(&self, squares: &Squares, from: &[Heap<'_>], number: usize) -> Option<Placement> {
        let taken: Vec<usize> = from.iter().flat_map(|(heap, size)| &heap[size - number..*size]).copied().collect();
        let (mut placement, pieces) = (Placement::default(), Pieces { squares, colour: 0 });
        for &square in &taken {
            placement.add(pieces, square, Sign::Fill)?;
        }
        for &beyond in from.iter().filter_map(|(heap, size)| heap.get(*size)) {
            placement.add(pieces, beyond, Sign::Filled)?;
        }
        self.area.admits(&taken).then_some(placement)
    }
}

/// The first free square of a heap that has a filled square to its left, on `board`.
pub(super) fn gap(squares: &Squares, heaps: &[Vec<usize>], board: Board) -> Option<usize> {
    let is_free = |square: usize| squares.cell(square, 0).is_some_and(|cell| !board.contains(cell));
    heaps.iter().find_map(|heap| heap.windows(2).find(|pair| !is_free(pair[0]) && is_free(pair[1])).map(|pair| pair[1]))
}

/// Returns whether `m` leaves the free squares of each heap on the left of its filled squares, if they are there before.
pub(super) fn keeps_heaps(squares: &Squares, heaps: &[Vec<usize>], m: &Move) -> bool {
    let has = |board: Board, square: usize| squares.cell(square, 0).is_some_and(|cell| board.contains(cell));
    let (filled, free) = (m.full & !m.clears | m.fills, m.empty & !m.fills | m.clears);
    heaps
        .iter()
        .flat_map(|heap| heap.windows(2))
        .all(|pair| (!has(m.fills, pair[0]) || has(filled, pair[1])) && (!has(m.clears, pair[1]) || has(free, pair[0])))
}

impl Taking<'_> {
    /// The heaps from which a move can take.
    pub(super) fn heaps(&self, squares: &Squares) -> Vec<Vec<usize>> {
        // A move that takes from each heap may begin in the area and end elsewhere.
        let is_meant = |heap: &Vec<usize>| self.from_each || heap.iter().any(|&square| self.area.admits(&[square]));
        heaps(squares).into_iter().filter(is_meant).collect()
    }
}

/// The squares of each heap, from left to right: a row, or its parts between holes.
fn heaps(squares: &Squares) -> Vec<Vec<usize>> {
    let beside = |square: usize, cols: i32| squares.beside(square, 0, cols);
    let first = squares.all().iter().copied().filter(|&square| beside(square, -1).is_none());
    first.map(|square| std::iter::successors(Some(square), |&square| beside(square, 1)).collect()).collect()
}
