//! A notation for any rules whose cells are the squares of a grid.

use super::template::write_mode;
use super::{Game, GameError, Grid, NotationError, Parameters, Reading, Scene, Template, position_of};
use crate::rules::{Board, Descriptor, Mode, Node, Position, Rules};

/// The name of the family in the descriptor of rules on a grid.
const FAMILY: &str = "grid";
/// The signs of a filled square, by colour, and the sign of a square filled in both colours, which no play reaches.
const SIGNS: [char; 2] = ['X', 'O'];
const BOTH: char = '#';

/// Custom rules whose cells are the squares of a grid in reading order. With two colours, the cells are all squares of
/// the first colour, then all squares of the second. Positions are written as rows, `X.O/.X./..O`. If there are several
/// modes, the name of the mode follows.
///
/// ```
/// # mod tablegen { pub use tablegen_labels as label; pub use tablegen_rules as rules; pub mod game { pub use tablegen_games::*; } }
/// use tablegen::game::{Game, OnGrid};
/// use tablegen::rules::{Board, Move, RulesSpec};
///
/// // Fill a square of two by two; who cannot move loses.
/// let moves = (0..4).map(|cell| Move::fill(Board::bit(cell))).collect();
/// let rules = RulesSpec { moves, ..RulesSpec::new("fill-2x2", 4) }.build()?;
/// let game = OnGrid::new(rules, 2, 2)?;
/// let read = game.read("X./..")?;
/// assert_eq!(game.write(read.node), "X./..");
/// assert_eq!(game.draw(read.node), "  a b\n1 X .\n2 . .");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OnGrid {
    rules: Rules,
    grid: Grid,
    colours: u32,
    template: Template,
}

impl OnGrid {
    /// The notation of `rules` on `rows` times `cols` squares.
    ///
    /// # Errors
    /// If the rules have neither one cell per square nor two.
    pub fn new(rules: Rules, rows: u32, cols: u32) -> Result<Self, GameError> {
        let squares = u128::from(rows) * u128::from(cols);
        let colours = (1..=2).find(|colours| squares * u128::from(*colours) == u128::from(rules.cells()));
        let colours = colours.ok_or_else(|| GameError::Value {
            parameter: "rows",
            expected: format!("a grid of {} squares, or of half as many in two colours", rules.cells()),
            found: format!("{rows} rows and {cols} columns"),
        })?;
        Ok(Self { rules, grid: Grid { rows, cols }, colours, template: Template::default() })
    }

    /// The notation that `descriptor` names, if it describes a grid and fits the rules.
    pub(super) fn of_descriptor(rules: &Rules, descriptor: &Descriptor) -> Option<Self> {
        let size = |name| descriptor.get(name)?.parse().ok();
        if descriptor.family != FAMILY || descriptor.parameters.len() != 2 {
            return None;
        }
        Self::new(rules.clone(), size("rows")?, size("cols")?).ok()
    }

    /// The cell of `square` in each colour, the first colour first.
    fn cells(&self, square: Board) -> impl Iterator<Item = (char, Board)> {
        let (squares, colours) = (self.grid.squares(), self.colours);
        (0..colours).zip(SIGNS).map(move |(n, sign)| (sign, square << ((colours - 1 - n) * squares)))
    }

    /// The text of `board`.
    fn rows(&self, board: Board) -> String {
        self.grid.rows(|square| self.sign(square, board))
    }

    fn sign(&self, square: Board, board: Board) -> char {
        let filled = self.cells(square).filter(|(_, cell)| board.contains(*cell));
        filled.map(|(sign, _)| sign).reduce(|_, _| BOTH).unwrap_or('.')
    }

    fn read_mode(&self, text: &str, name: Option<&str>) -> Result<Mode, NotationError> {
        let modes = self.rules.modes();
        let expected = || NotationError::new(text, format!("one of {} after the rows", modes.join(", ")), "none");
        match name {
            None if modes.len() == 1 => Ok(Mode(0)),
            None => Err(expected()),
            Some(name) => {
                let found = modes.iter().position(|mode| mode == name);
                found.map(|mode| Mode(mode as u16)).ok_or_else(|| NotationError { found: name.into(), ..expected() })
            }
        }
    }
}

impl Game for OnGrid {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn descriptor(&self) -> Descriptor {
        grid_descriptor(self.grid.rows, self.grid.cols)
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        if text == "start" {
            return Ok(self.rules.start_node().into());
        }
        let (rows, mode) = match text.split_once(char::is_whitespace) {
            Some((rows, mode)) => (rows, Some(mode.trim())),
            None => (text, None),
        };
        let mut board = Board::EMPTY;
        let legend =
            if self.colours == 1 { "X (filled) or one of . _ - (free)" } else { "X, O, or one of . _ - (free)" };
        self.grid.read_rows(rows, legend, |square, character| {
            let is_both = self.colours == 2 && character == BOTH;
            let filled = self.cells(square).filter(|(sign, _)| is_both || sign.eq_ignore_ascii_case(&character));
            let cells: Board = filled.map(|(_, cell)| cell).collect();
            board |= cells;
            !cells.is_empty() || matches!(character, '.' | '_' | '-')
        })?;
        Ok(Position::new(self.read_mode(text, mode)?, board).into())
    }

    fn write(&self, node: Node) -> String {
        let Node::At(position) = node else { return "start".into() };
        let rows = self.rows(position.board);
        match self.rules.mode_name(position.mode) {
            Some(mode) => format!("{rows} {mode}"),
            None => rows,
        }
    }

    fn write_to(&self, node: Node, out: &mut Vec<u8>) {
        let Node::At(position) = node else { return out.extend_from_slice(b"start") };
        self.template.write(self.rules.cells(), position.board, out, |board| self.rows(board));
        write_mode(&self.rules, position.mode, out);
    }

    /// The squares that the move fills, each with its sign if there are two colours. If another move leads to the same
    /// board in another mode, the name of the new mode follows.
    fn write_move(&self, from: Node, to: Position) -> String {
        let new = to.board & !position_of(from).board;
        let squares = self.grid.coords(Board::full(self.grid.squares()));
        let name = |(row, col)| {
            let cells = self.cells(self.grid.square(row, col)).filter(|(_, cell)| new.contains(*cell));
            let name = Grid::name(row, col);
            let named = |(sign, _)| if self.colours == 1 { name.clone() } else { format!("{sign}{name}") };
            cells.map(named).collect::<Vec<_>>()
        };
        let names = squares.flat_map(name).collect::<Vec<_>>().join("+");
        if names.is_empty() {
            // A choice of an opening may fill nothing.
            return self.write(to.into());
        }
        let alike = |reply: &Position| reply.board == to.board && reply.mode != to.mode;
        match self.rules.mode_name(to.mode) {
            Some(mode) if self.rules.replies(from).iter().any(alike) => format!("{names} to {mode}"),
            _ => names,
        }
    }

    fn draw(&self, node: Node) -> String {
        let board = position_of(node).board;
        self.grid.draw(|square| self.sign(square, board))
    }

    fn colours(&self) -> Option<[char; 2]> {
        (self.colours == 2).then_some(SIGNS)
    }

    fn scene(&self) -> Scene {
        let squares = self.grid.squares();
        let cells = |square| self.cells(Board::at(square as u32, squares)).map(|(_, cell)| cell).collect();
        Scene::grid(self.grid, SIGNS[..self.colours as usize].into(), |square| Some(cells(square)))
    }

    fn draw_move(&self, from: Node, to: Position) -> Option<String> {
        let new = to.board & !position_of(from).board;
        let is_new = |square| self.cells(square).any(|(_, cell)| new.contains(cell));
        Some(self.grid.draw_new(|square| self.sign(square, to.board), is_new))
    }
}

/// The descriptor of custom rules on a grid of `rows` times `cols` squares. A table saved with it reads and writes its
/// positions as rows.
#[must_use]
pub fn grid_descriptor(rows: u32, cols: u32) -> Descriptor {
    Parameters::new().with("rows", rows).with("cols", cols).describing(FAMILY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::of_table;
    use crate::rules::{Move, RulesSpec, Start};

    fn rules(cells: u32, modes: &[&str]) -> RulesSpec {
        let modes: Vec<String> = modes.iter().map(|&mode| mode.into()).collect();
        let next = |cell: u32, to| Move { next: Mode(to), ..Move::fill(Board::bit(cell)) };
        let moves = (0..cells).flat_map(|cell| (0..modes.len() as u16).map(move |to| next(cell, to))).collect();
        RulesSpec { moves, modes, ..RulesSpec::new("by-hand", cells) }
    }

    #[test]
    fn written_positions_read_back_in_one_and_two_colours() {
        for (cells, modes) in [(6, &["-"][..]), (6, &["left", "right"]), (12, &["x", "o"])] {
            let game = OnGrid::new(rules(cells, modes).build().unwrap(), 2, 3).unwrap();
            for (mode, board) in (0..modes.len() as u16).flat_map(|mode| (0..1u64 << cells).map(move |b| (mode, b))) {
                let node = Node::At(Position::new(Mode(mode), Board::from_word(board)));
                assert_eq!(game.read(&game.write(node)).unwrap().node, node);
            }
            let found = of_table(game.rules(), &grid_descriptor(2, 3));
            assert_eq!((found.descriptor(), found.draw(Node::Opening)), (game.descriptor(), game.draw(Node::Opening)));
        }
    }

    #[test]
    fn moves_that_differ_have_names_that_differ() {
        let game = OnGrid::new(rules(4, &["left", "right"]).build().unwrap(), 2, 2).unwrap();
        let start = game.rules().start_node();
        let names: Vec<String> = game.rules().replies(start).into_iter().map(|to| game.write_move(start, to)).collect();
        assert_eq!(names[..3], ["b2 to left", "b2 to right", "a2 to left"]);
        assert_eq!(game.draw_move(start, game.rules().replies(start)[0]).unwrap(), "  a b\n1 . .\n2 .(X)");
        assert!(game.read("X./..").is_err() && game.read("X./.. up").is_err() && game.read("X. left").is_err());
    }

    #[test]
    fn a_square_filled_in_both_colours_says_both() {
        let either = |fills: &[u32]| Move::fill(fills.iter().map(|&cell| Board::at(cell, 4)).collect());
        let moves = vec![either(&[0]), either(&[2]), either(&[0, 2]), either(&[1, 2])];
        let start = Start::Opening(vec![Position::default(), Position::of(Board::at(0, 4))]);
        let game =
            OnGrid::new(RulesSpec { moves, start, ..RulesSpec::new("by-hand", 4) }.build().unwrap(), 1, 2).unwrap();
        let names = |from: Node| {
            game.rules().replies(from).into_iter().map(|to| game.write_move(from, to)).collect::<Vec<String>>()
        };
        assert_eq!(names(Position::default().into()), ["Xa1", "Oa1", "Xa1+Oa1", "Oa1+Xb1"]);
        assert_eq!(names(Node::Opening), ["..", "Xa1"]);
    }

    #[test]
    fn a_grid_must_have_the_cells_of_the_rules() {
        let new = |rows, cols| OnGrid::new(rules(12, &["-"]).build().unwrap(), rows, cols).is_ok();
        assert!(new(3, 4) && new(2, 3) && !new(2, 4) && !new(u32::MAX, u32::MAX));
    }
}
