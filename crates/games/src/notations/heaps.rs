//! `heaps`: the free squares of each row, as in `3,4,5`. Each row is a heap, whose free squares stand on the left of its filled ones.

use super::Found;
use super::shape::{HOLE, Shape};
use crate::Game;
use crate::error::Fault;
use crate::rules::Node;

/// The rows of a board of heaps.
struct Heaps<'g> {
    game: &'g dyn Game,
    filled: char,
    /// For each row, its squares, and the holes behind them.
    rows: Vec<[usize; 2]>,
}

impl<'g> Heaps<'g> {
    /// `None` if the board of `game` is not rows of squares in one colour, aligned at the left.
    fn of(game: &'g dyn Game) -> Option<Self> {
        let shape = Shape::of(game)?;
        let [filled] = shape.signs[..] else { return None };
        let start = game.write((*game.rules().start_positions().first()?).into());
        let row = |row: &str| {
            let squares = row.trim_end_matches(HOLE);
            let [squares, all] = [squares, row].map(|part| part.chars().count());
            (!row[..squares].contains(HOLE)).then_some([squares, all - squares])
        };
        let rows: Option<Vec<[usize; 2]>> = start.split(' ').next()?.split('/').map(row).collect();
        Some(Self { game, filled, rows: rows? })
    }

    /// The sizes of the rows that have squares.
    fn sizes(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(|[squares, _]| *squares).filter(|squares| *squares > 0)
    }
}

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    let words: Vec<&str> = text.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
    if words.is_empty() || !words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let heaps = Heaps::of(game)?;
    let count = heaps.sizes().count();
    let is_short = words.len() == count;
    let are_rest_empty =
        || heaps.rows.get(words.len()..).is_some_and(|rest| rest.iter().all(|[squares, _]| *squares == 0));
    if !is_short && !are_rest_empty() {
        let mut expected = format!("{count} heaps");
        if let (1, Some(mode)) = (words.len(), game.rules().modes().first()) {
            expected += &format!(", or {mode}:{text} for the number of a board");
        }
        return Some(Err(Fault::new(expected, words.len().to_string()).after(text.len()).of_size()));
    }
    // Rows without squares may be left out, all of them or the last.
    let mut words = words.into_iter();
    let mut rows = Vec::new();
    for (number, [squares, holes]) in (1..).zip(&heaps.rows) {
        let word = if is_short && *squares == 0 { "0" } else { words.next().unwrap_or("0") };
        let Some(free) = word.parse().ok().filter(|free| free <= squares) else {
            let fault = Fault::new(format!("at most {squares} in heap {number}"), word);
            return Some(Err(fault.after(text.len()).of_size()));
        };
        let filled = heaps.filled.to_string();
        rows.push(".".repeat(free) + &filled.repeat(squares - free) + &HOLE.to_string().repeat(*holes));
    }
    Some(heaps.game.read(&rows.join("/")).map_err(|error| Fault::from(error).after(text.len())))
}

pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let heaps = Heaps::of(game)?;
    let text = game.write(node);
    let size = |row: &str| {
        let free = row.trim_end_matches(HOLE).trim_end_matches(heaps.filled);
        free.chars().all(|sign| sign == '.').then(|| free.len().to_string())
    };
    let rows = text.split('/').zip(&heaps.rows).filter(|(_, [squares, _])| *squares > 0);
    let sizes: Option<Vec<String>> = rows.map(|(row, _)| size(row)).collect();
    sizes.map(|sizes| sizes.join(","))
}
