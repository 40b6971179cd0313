//! Tactics (Ruby Quiz 18), also known as Piet Hein's TacTix: fill a run of squares. The last move loses in misère play.

use super::{
    Coverage, Family, Game, GameError, Grid, Kind, NotationError, ParameterSpec, Parameters, Play, Reading, Scene,
    Template, position_of, turned,
};
use crate::rules::{Board, Descriptor, Move, Node, Position, Rules, RulesSpec};

/// The family of Tactics.
pub(super) const FAMILY: Family = Family {
    name: "tactics",
    title: "Tactics",
    rules_name: "tactics-{rows}x{cols}-run{run}-{play}",
    kind: Kind::Fill,
    also: &["TacTix", "Bulo"],
    summary: "fill 1 to k empty squares in a line; the player who fills the last square loses (Ruby Quiz 18, TacTix)",
    rules: "The players take turns to fill free squares. A move fills one to four squares that lie side by side in a row or a \
            column, with no filled square between them. The player who fills the last square loses. With another value of \
            run, a move may fill up to that many squares.",
    notation: "rows XX../XX../..../.... (X filled, . _ 0 free), 0b1100_1100_0000_0000, 0xcc00 or 52224",
    example: "XX../XX../..../....",
    parameters: &[
        ParameterSpec::number("rows", "4", "rows of squares"),
        ParameterSpec::number("cols", "4", "columns of squares"),
        ParameterSpec::number("run", "4", "most squares that a move may fill"),
        ParameterSpec::play(Play::Misere, "the player who makes the last move loses (misere) or wins (normal)"),
    ],
    variants: &["rows=3,cols=3", "rows=3,cols=4", "rows=4,cols=5"],
    large: &[],
    read_file_parameters: None,
    make: |parameters| Ok(Box::new(Tactics::from_parameters(parameters)?)),
};

/// The largest number of squares: 2^49 positions, 64 TiB before symmetry and compression.
const MOST_SQUARES: u32 = 49;

/// Tactics on a board of any size: a move fills 1 to `run` adjacent empty squares in a row or a column.
///
/// ```text
///     a b c d
///   1 X X X X     The sample game of the quiz after the second turn: c3-c4 was the second move, a2-b2 the third,
///   2 X X . X     d2-d3 the fourth.
///   3 . . X X
///   4 . . X .
/// ```
pub struct Tactics {
    grid: Grid,
    run: u32,
    play: Play,
    rules: Rules,
    template: Template,
}

impl Tactics {
    /// Tactics on `rows` times `cols` squares with runs of at most `run` squares. A `run` longer than the board is
    /// shortened to the longer side.
    ///
    /// # Errors
    /// If a number is zero or the board has more than 49 squares.
    pub fn new(rows: u32, cols: u32, run: u32, play: Play) -> Result<Self, GameError> {
        Self::from_parameters(&Self::parameters(Grid { rows, cols }, run, play))
    }

    fn parameters(Grid { rows, cols }: Grid, run: u32, play: Play) -> Parameters {
        Parameters::new().with("rows", rows).with("cols", cols).with("run", run).with("play", play.name())
    }

    /// The board.
    #[must_use]
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, GameError> {
        let size = |name| parameters.number(name, 4, 1..=u32::MAX);
        let (rows, cols, run) = (size("rows")?, size("cols")?, size("run")?);
        let squares = u64::from(rows) * u64::from(cols);
        if squares > u64::from(MOST_SQUARES) {
            return Err(GameError::TooLarge {
                what: format!(
                    "a board of {rows} rows and {cols} columns has {squares} squares and 2^{squares} positions"
                ),
                limit: format!("{MOST_SQUARES} squares (2^{MOST_SQUARES} positions, about 563 trillion)"),
            });
        }
        let (grid, run) = (Grid { rows, cols }, run.min(rows.max(cols)));
        let play = parameters.play(Play::Misere)?;
        let rules = RulesSpec {
            moves: grid.lines(&[(0, 1), (1, 0)], 1..=run).into_iter().map(Move::fill).collect(),
            terminal: play.terminal(),
            symmetries: grid.symmetries(1, 1),
            ..RulesSpec::new(format!("tactics-{rows}x{cols}-run{run}-{}", play.name()), grid.squares())
        }
        .build()?;
        Ok(Self { grid, run, play, rules, template: Template::default() })
    }

    /// The text of `board`.
    fn rows(&self, board: Board) -> String {
        self.grid.rows(|square| mark(square, board))
    }
}

impl Game for Tactics {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn descriptor(&self) -> Descriptor {
        Self::parameters(self.grid, self.run, self.play).describing(FAMILY.name)
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(Coverage::Every)
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        let is_free = |character| matches!(character, '.' | '_' | '-' | '0');
        let is_filled = |character| matches!(character, 'X' | 'x');
        let rows = || {
            let mut board = Board::EMPTY;
            self.grid.read_rows(text, "X (filled) or one of . _ - 0 (free)", |square, character| {
                if is_filled(character) {
                    board |= square;
                }
                is_filled(character) || is_free(character)
            })?;
            Ok(board)
        };
        let is_mark = |character| is_filled(character) || is_free(character);
        let board = self.grid.read_rows_or_number(text, self.grid.squares(), is_mark, rows)?;
        Ok(Position::of(board).into())
    }

    fn reads_numbers(&self) -> bool {
        true
    }

    /// Reads a position in the game's notation, or one row per line. Blanks between the squares are optional.
    fn read_file(&self, content: &str) -> Result<Reading, NotationError> {
        self.read(&Grid::rows_of_lines(content))
    }

    fn write(&self, node: Node) -> String {
        self.rows(position_of(node).board)
    }

    fn write_to(&self, node: Node, out: &mut Vec<u8>) {
        self.template.write(self.rules.cells(), position_of(node).board, out, |board| self.rows(board));
    }

    fn write_move(&self, from: Node, to: Position) -> String {
        let filled = self.grid.coords(to.board & !position_of(from).board);
        let names: Vec<String> = filled.map(|(row, col)| Grid::name(row, col)).collect();
        match names.as_slice() {
            [first, .., last] => format!("{first}-{last}"),
            _ => names.concat(),
        }
    }

    /// Accepts a run from its other end.
    fn other_names(&self, text: &str) -> Vec<String> {
        turned(text).into_iter().collect()
    }

    fn draw(&self, node: Node) -> String {
        let board = position_of(node).board;
        self.grid.draw(|square| mark(square, board))
    }

    fn scene(&self) -> Scene {
        let squares = self.grid.squares();
        Scene::grid(self.grid, vec!['X'], |square| Some(vec![Board::at(square as u32, squares)]))
    }

    fn draw_move(&self, from: Node, to: Position) -> Option<String> {
        let new = to.board & !position_of(from).board;
        Some(self.grid.draw_new(|square| mark(square, to.board), |square| new.contains(square)))
    }
}

/// The sign of `square` on `board`.
fn mark(square: Board, board: Board) -> char {
    if board.contains(square) { 'X' } else { '.' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moves_of_a_small_board_in_their_order() {
        let game = Tactics::new(2, 2, 4, Play::Misere).unwrap();
        let moves: Vec<u64> = game.rules().moves().iter().map(|m| m.fills.low_word()).collect();
        assert_eq!(moves, [0b1000, 0b1100, 0b1010, 0b0100, 0b0101, 0b0010, 0b0011, 0b0001]);
        assert_eq!(game.rules().name(), "tactics-2x2-run2-misere");
    }

    #[test]
    fn the_number_of_moves_is_that_of_the_runs() {
        // 4x4: 16 single squares, and in each of 8 lines 3 runs of two, 2 of three and 1 of four.
        let count = |rows, cols, run| Tactics::new(rows, cols, run, Play::Normal).unwrap().rules().moves().len();
        assert_eq!([1, 2, 3, 4, 9].map(|run| count(4, 4, run)), [16, 40, 56, 64, 64]);
        assert_eq!((count(5, 6, 6), count(1, 40, 40), count(1, 1, 1)), (165, 820, 1));
    }

    #[test]
    fn sizes_that_are_refused() {
        let refusal = |rows, cols, run| Tactics::new(rows, cols, run, Play::Misere).err().expect("refused").to_string();
        assert!(refusal(7, 8, 4).contains("7 rows and 8 columns has 56 squares"));
        assert!(refusal(u32::MAX, u32::MAX, 4).contains("49 squares"));
        assert!(refusal(0, 4, 4).contains("rows") && refusal(4, 0, 4).contains("cols"));
        assert!(refusal(4, 4, 0).contains("run"));
    }

    #[test]
    fn the_forms_of_a_position() {
        let game = Tactics::new(4, 4, 4, Play::Misere).unwrap();
        let read = |text| game.read(text).map(|reading| reading.node).map_err(|e| e.to_string());
        let expected = Ok(Node::from(Position::of(Board::from_word(0x33ff))));
        for text in ["0b0011_0011_1111_1111", "0b0011001111111111", "0x33ff", "0x33FF", "13311", "..XX/__XX/XXXX/XXXX"]
        {
            assert_eq!(read(text), expected, "{text}");
        }
        for text in [
            "",
            "X",
            "0b0",
            "0b00110011111111112",
            "65536",
            "0x1ffff",
            "XXXX/XXXX/XXXX/XXX",
            "XXXX/XXXX/XXXX/XXX1",
            "-1",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let drawn = "X X X X\n_ _ _ _\n_ _ X _\r\n_ _ X _\n";
        assert_eq!(game.read_file(drawn).unwrap().node, Node::from(Position::of(Board::from_word(0xf022))));
        assert_eq!(game.read_file(" 0xf022\n").unwrap().node, Node::from(Position::of(Board::from_word(0xf022))));
    }

    #[test]
    fn moves_are_named_by_their_ends() {
        let game = Tactics::new(4, 4, 4, Play::Misere).unwrap();
        let text =
            |from, to| game.write_move(Position::of(Board::from_word(from)).into(), Position::of(Board::from_word(to)));
        assert_eq!((text(0, 0xf000), text(0, 0x0022), text(0, 1)), ("a1-d1".into(), "c3-c4".into(), "d4".into()));
        let drawn = game
            .draw_move(Position::of(Board::from_word(0xf000)).into(), Position::of(Board::from_word(0xf022)))
            .unwrap();
        assert_eq!(drawn, "  a b c d\n1 X X X X\n2 . . . .\n3 . .(X).\n4 . .(X).");
    }

    proptest! {
        #[test]
        fn written_positions_read_back(rows in 1u32..=5, cols in 1u32..=8, word: u64) {
            let game = Tactics::new(rows, cols, 4, Play::Misere).unwrap();
            let node = Node::from(Position::of(Board::from_word(word) & Board::full(rows * cols)));
            prop_assert_eq!(game.read(&game.write(node)).unwrap().node, node);
        }
    }
}
