//! Rules of walks along directed edges, none twice: cells are edges, modes are where the walk stands.

use super::net::{Counts, Ends};
use crate::rules::{Board, Mode, Move, Outcome, Position, Rules, Start};

/// Where the cells of the edges with the same ends are: their copies stand side by side, in the order they are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class {
    pub(super) ends: Ends,
    /// The place of the first copy, in reading order.
    pub(super) first: u32,
    pub(super) copies: u32,
}

/// Directed edges, and the cell of each. Edges with the same ends are interchangeable: the k-th is used after the k−1
/// before it, so that positions that differ in nothing but which of them were used are one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Trail {
    pub(super) classes: Vec<Class>,
    pub(super) cells: u32,
}

impl Trail {
    /// The edges of `counts`, in the order of their ends; `None` where they are more than 64.
    pub(super) fn new(counts: &Counts) -> Option<Self> {
        let mut cells = 0u32;
        let mut classes = Vec::with_capacity(counts.len());
        for (&ends, &copies) in counts {
            classes.push(Class { ends, first: cells, copies });
            cells = cells.checked_add(copies).filter(|&cells| cells <= crate::rules::MAX_CELLS)?;
        }
        Some(Self { classes, cells })
    }

    /// The cells of the first `used` copies of `class`.
    pub(super) fn used(&self, class: &Class, used: u32) -> Board {
        // With no edge at all the rules still need a cell; no move fills it.
        let cells = self.cells.max(1);
        (0..used.min(class.copies)).fold(Board::EMPTY, |sum, copy| sum | Board::at(class.first + copy, cells))
    }

    /// The class of the edges with these ends.
    pub(super) fn class(&self, ends: Ends) -> Option<&Class> {
        self.classes.binary_search_by_key(&ends, |class| class.ends).ok().map(|number| &self.classes[number])
    }

    /// The rules of walking along these edges among `modes`.
    pub(super) fn rules(&self, name: String, modes: Vec<String>, stuck: Outcome, start: Start) -> Rules {
        let copies = self.classes.iter().flat_map(|class| (0..class.copies).map(move |copy| (class, copy)));
        let moves = copies.map(|(class, copy)| {
            let (full, upto) = (self.used(class, copy), self.used(class, copy + 1));
            let (mode, next) = (Mode(class.ends.0), Mode(class.ends.1));
            Move { mode, next, empty: upto & !full, full, fills: upto & !full }
        });
        Rules { moves: moves.collect(), modes, stuck, start, ..Rules::new(name, self.cells.max(1)) }
    }

    /// The positions after one edge: what whoever chooses the first edge may leave.
    pub(super) fn first_steps(&self) -> Vec<Position> {
        let step = |class: &Class| Position::new(Mode(class.ends.1), self.used(class, 1));
        self.classes.iter().map(step).collect()
    }
}
