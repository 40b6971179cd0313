//! What the `[[end]]` tables say: one pattern of each on the board, and the outcome in words.

use std::ops::RangeInclusive;

use super::advice::draw;
use super::{FileGame, FilePlace};
use crate::rules::{Board, End, Mode, Move, Outcome, Terminal};

/// The largest number of examples. A file may list its patterns one by one.
const MOST: usize = 64;

/// An `[[end]]` of the file, with one of its patterns on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EndExample {
    /// The place where the `[[end]]` begins.
    pub place: FilePlace,
    /// The number of patterns that the `[[end]]` makes; 0 if no pattern ends the game here.
    pub patterns: usize,
    /// The mode of the example, if there are sides or modes.
    pub mode: Option<String>,
    /// When the game ends, and with which outcome, in words.
    pub says: String,
    /// A drawing of the example; `None` if there is no pattern. A piece marks a square that must be filled, and `o` a square that must be
    /// free.
    pub drawing: Option<String>,
}

/// The points that a file counts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FilePoints {
    /// What points are called.
    pub unit: String,
    /// True if the player with fewer points wins.
    pub fewest: bool,
    /// The least and the most that a move gains, of moves that gain or lose points; `None` if there is no such move.
    pub gains: Option<RangeInclusive<i16>>,
}

/// What an `[[end]]` is about.
#[derive(Clone, Debug)]
pub(super) enum EndKind {
    /// Patterns, of which this is the first that can occur.
    Pattern(Option<End>),
    /// A player without a move. There is no outcome if the table has no mode.
    Stuck(Option<Terminal>),
    /// A number of pieces.
    Number(Outcome),
}

/// An `[[end]]` of the file.
#[derive(Clone, Debug)]
pub(super) struct EndTable {
    pub(super) place: FilePlace,
    pub(super) patterns: usize,
    pub(super) kind: EndKind,
    /// Whether it has patterns that fit nowhere on the board.
    pub(super) fits_nowhere: bool,
}

impl EndTable {
    /// Adds what the table says for another value of its `each`.
    pub(super) fn add(&mut self, patterns: usize, kind: EndKind, fits_nowhere: bool) {
        self.patterns += patterns;
        self.fits_nowhere &= fits_nowhere;
        if matches!(self.kind, EndKind::Pattern(None) | EndKind::Stuck(None)) {
            self.kind = kind;
        }
    }
}

impl FileGame {
    /// The examples of the `[[end]]` tables, drawn.
    pub(super) fn end_examples(&self) -> Vec<EndExample> {
        self.end_tables.iter().take(MOST).map(|table| self.end_example(table)).collect()
    }

    fn end_example(&self, table: &EndTable) -> EndExample {
        let (end, says) = match &table.kind {
            EndKind::Pattern(end) => (*end, end.map(|end| self.outcome_in_words(end.outcome))),
            EndKind::Stuck(terminal) => {
                (None, terminal.map(|terminal| format!("without a move, {}", self.outcome_in_words(terminal))))
            }
            EndKind::Number(outcome) => {
                (None, Some(format!("with such a number of pieces, {}", self.outcome_in_words((*outcome).into()))))
            }
        };
        let mode = end.and_then(|end| self.rules.mode_name(end.mode)).map(str::to_owned);
        let pattern = |end: End| Move { full: end.pattern, empty: end.empty, ..pass(end.mode) };
        let drawing = end.filter(|end| end.pattern != Board::EMPTY).map(|end| draw(&self.squares, &pattern(end)));
        EndExample { place: table.place, patterns: table.patterns, mode, says: says.unwrap_or_default(), drawing }
    }

    /// An outcome for the player to move, in words.
    fn outcome_in_words(&self, terminal: Terminal) -> String {
        let unit = &self.unit;
        match terminal {
            Terminal::Always(Outcome::Win) => "the player to move wins".into(),
            Terminal::Always(Outcome::Draw) => "the game is a draw".into(),
            Terminal::Always(Outcome::Loss) => "the player to move loses".into(),
            Terminal::Most { .. } => {
                format!("the player with {} {unit} wins", if self.fewest { "fewer" } else { "more" })
            }
            Terminal::Points(points) => match if self.fewest { -points } else { points } {
                0 => format!("nobody gets {unit}"),
                points @ ..0 => format!("the player to move loses {} {unit}", points.unsigned_abs()),
                points => format!("the player to move gets {points} {unit}"),
            },
        }
    }

    /// The points that the file counts; `None` if it counts none.
    pub(super) fn counted_points(&self) -> Option<FilePoints> {
        if !self.rules.counts_points() {
            return None;
        }
        let gains =
            || self.rules.moves().iter().map(|m| if self.fewest { -m.gain } else { m.gain }).filter(|&gain| gain != 0);
        let gains = gains().min().zip(gains().max()).map(|(least, most)| least..=most);
        Some(FilePoints { unit: self.unit.clone(), fewest: self.fewest, gains })
    }
}

/// A move in `mode` without any condition.
fn pass(mode: Mode) -> Move {
    Move { mode, ..Move::fill(Board::EMPTY) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LIBRARY, Parameters};

    fn report(name: &str) -> crate::FileReport {
        let game = LIBRARY.iter().find(|game| game.name == name).unwrap();
        game.read(&Parameters::new()).unwrap().report()
    }

    /// The words of each `[[end]]`, with the number of its patterns.
    fn ends(name: &str) -> Vec<(usize, String)> {
        report(name).end_examples.into_iter().map(|end| (end.patterns, end.says)).collect()
    }

    #[test]
    fn every_kind_of_end_has_words() {
        let [loses, wins] = ["loses", "wins"].map(|does| format!("the player to move {does}"));
        // Two lengths of lines on a board of 3x4, for either side.
        let of_lines = ends("squava");
        assert_eq!([&of_lines[0].1, &of_lines[1].1], [&loses, &wins]);
        assert!(of_lines.iter().all(|(patterns, _)| *patterns > 0), "{of_lines:?}");
        assert_eq!(ends("reversi"), [(0, "without a move, the player with more discs wins".into())]);
        let numbers = ends("six-mens-morris");
        assert!(numbers.iter().any(|end| *end == (0, format!("with such a number of pieces, {loses}"))), "{numbers:?}");
        assert_eq!(ends("cram"), []);
    }

    #[test]
    fn a_pattern_is_drawn_with_its_pieces() {
        let end = &report("picaria").end_examples[0];
        let drawing = end.drawing.as_ref().unwrap();
        assert_eq!(
            (drawing.matches('X').count() + drawing.matches('O').count(), drawing.contains('(')),
            (3, false),
            "{drawing}"
        );
        assert!(end.mode.is_some());
    }

    #[test]
    fn points_are_those_of_the_file() {
        let points = |name: &str| report(name).points;
        let boxes = FilePoints { unit: "boxes".into(), fewest: false, gains: Some(1..=2) };
        let discs = FilePoints { unit: "discs".into(), fewest: false, gains: None };
        assert_eq!([points("dots-and-boxes"), points("reversi"), points("cram")], [Some(boxes), Some(discs), None]);
    }
}
