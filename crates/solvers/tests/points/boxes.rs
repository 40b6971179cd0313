//! Dots and Boxes, with a bit for each line, and its file that kept the lead in modes.

use std::collections::HashMap;

use super::{at, library, score, solved};
use tablegen_games::{FileGame, Game, Parameters};
use tablegen_labels::step;
use tablegen_rules::{Board, Mode, Outcome, Position, Rules};

/// The lines of boxes: first the horizontal ones, row by row, then the vertical ones. `drawn` has a bit for each.
struct Boxes {
    rows: usize,
    cols: usize,
}

impl Boxes {
    fn lines(&self) -> usize {
        (self.rows + 1) * self.cols + self.rows * (self.cols + 1)
    }

    /// The four lines of a box.
    fn around(&self, row: usize, col: usize) -> u32 {
        let upright = (self.rows + 1) * self.cols + row * (self.cols + 1) + col;
        let flat = row * self.cols + col;
        1 << flat | 1 << (flat + self.cols) | 1 << upright | 1 << (upright + 1)
    }

    fn closed(&self, drawn: u32) -> i32 {
        let all = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| self.around(row, col)));
        all.filter(|lines| drawn & lines == *lines).count() as i32
    }

    /// The scores of all boards. A board comes after the boards with more lines, which have greater numbers.
    fn scores(&self) -> Vec<i32> {
        let full = (1u32 << self.lines()) - 1;
        let mut scores = vec![0; full as usize + 1];
        for drawn in (0..full).rev() {
            let open = (0..self.lines()).map(|line| 1 << line).filter(|line| drawn & line == 0);
            let move_to = |line: u32| match self.closed(drawn | line) - self.closed(drawn) {
                0 => -scores[(drawn | line) as usize],
                boxes => boxes + scores[(drawn | line) as usize],
            };
            scores[drawn as usize] = open.map(move_to).max().unwrap();
        }
        scores
    }

    /// The rows of the board, with `#` for dots and boxes.
    fn text(&self, drawn: u32) -> String {
        let sign = |line: usize| if drawn >> line & 1 == 1 { 'X' } else { '.' };
        let square = |row: usize, col: usize| match (row % 2, col % 2) {
            (0, 1) => sign(row / 2 * self.cols + col / 2),
            (1, 0) => sign((self.rows + 1) * self.cols + row / 2 * (self.cols + 1) + col / 2),
            _ => '#',
        };
        let row = |row: usize| (0..=2 * self.cols).map(|col| square(row, col)).collect::<String>();
        (0..=2 * self.rows).map(row).collect::<Vec<_>>().join("/")
    }
}

#[test]
fn dots_and_boxes_of_every_board() {
    for (rows, cols, start) in
        [(1, 1, -1), (1, 2, 0), (1, 3, -1), (3, 1, -1), (1, 4, 0), (1, 5, -1), (2, 2, 2), (2, 3, -2)]
    {
        let (boxes, game) = (Boxes { rows, cols }, library("dots-and-boxes", &format!("rows={rows},cols={cols}")));
        let (solution, scores) = (solved(game.rules()), boxes.scores());
        assert_eq!((scores[0], solution.count()), (start, 1 << boxes.lines()), "{rows}x{cols}");
        for (drawn, &expected) in (0..).zip(&scores) {
            let text = boxes.text(drawn);
            assert_eq!(score(&solution, at(&game, &text)), expected, "{text}");
        }
    }
}

/// The file that kept the lead in its modes: `x-2` where X is to move and two boxes behind, `o-2` where O is to move.
const WITH_MODES: &str = include_str!("../../../../tests/data/frozen/dots-and-boxes.toml");

#[test]
fn leads_have_the_outcomes_that_modes_had() {
    fn outcome(rules: &Rules, at: Position, known: &mut HashMap<Position, Outcome>) -> Outcome {
        if let Some(&outcome) = known.get(&at) {
            return outcome;
        }
        let found = step(rules, at, |next| outcome(rules, next, known));
        known.insert(at, found);
        found
    }
    for size in ["rows=1,cols=1", "rows=1,cols=2", "rows=2,cols=1", "rows=2,cols=2"] {
        let before = FileGame::read(WITH_MODES, &Parameters::listed(size).unwrap()).unwrap();
        let game = library("dots-and-boxes", size);
        let (solution, mut known) = (solved(game.rules()), HashMap::new());
        // Up to this lead, no further box leads to a mode that the file lacks.
        let boxes = before.rules().modes().len() as i32 / 8;
        for board in (0..1 << before.rules().cells()).map(Board::from_word) {
            for (mode, name) in (0..).map(Mode).zip(before.rules().modes()) {
                let (at, number) = (Position::new(mode, board), name[1..].parse::<i32>().unwrap());
                let (text, lead) = (before.write(at.into()), if name.starts_with('x') { number } else { -number });
                let reading = game.read(&text).unwrap();
                assert_eq!((reading.node, reading.lead), (Position::of(board).into(), lead), "{text}");
                if number.abs() <= boxes {
                    let now = Outcome::of_points(lead + score(&solution, Position::of(board)));
                    assert_eq!(outcome(before.rules(), at, &mut known), now, "{size} {text}");
                }
            }
        }
    }
}
