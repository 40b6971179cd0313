//! The m,n,k games: the players take turns to mark squares on a board of m rows and n columns. A player with k marks in a
//! line has won (or lost, in misère play). Tic-tac-toe is the 3,3,3 game.
//!
//! Marks are never removed, so a position consists of two bit sets: the squares of X in the high cells, the squares of
//! O in the low cells. Draws need no special rule. Lines are terminal patterns, and a player without a move has drawn.

mod rules;

use super::error::Fault;
use super::side::{SIDES, Side};
use super::{
    Family, Game, GameError, Grid, Kind, Notation, NotationError, ParameterSpec, Parameters, Play, Reading, Scene,
    Template, position_of, winner,
};
use crate::rules::{Board, Descriptor, MAX_CELLS, Mode, Node, Outcome, Position, Rules};
use rules::{DIRECTIONS, rules};

/// The family of tic-tac-toe, which has no parameters.
pub(super) const TICTACTOE: Family = Family {
    name: "tictactoe",
    title: "Tic-Tac-Toe",
    rules_name: "tictactoe",
    also: &["noughts and crosses", "naughts and crosses", "Xs and Os", "OXO", "three in a row", "tic-tac-toe 3x3"],
    summary: "mark a free square on a board of three by three; three in a line win, a full board is a draw",
    rules: "The board has three rows of three squares. X moves first, and the players take turns to mark a free square. The \
            player who has three marks in a line wins: in a row, a column or a diagonal. A full board without a line is a draw.",
    parameters: &[],
    variants: &[],
    large: &[],
    make: |_| Ok(Box::new(Mnk::tictactoe()?)),
    ..FAMILY
};

/// The family of the m,n,k games.
pub(super) const FAMILY: Family = Family {
    name: "mnk",
    title: "m,n,k-Game",
    rules_name: "mnk-{rows}x{cols}-k{k}-{play}",
    kind: Kind::Place,
    also: &["generalized tic-tac-toe", "k in a row"],
    summary: "tic-tac-toe on a board of any size: k in a line win (or lose), a full board is a draw",
    rules: "X moves first, and the players take turns to mark a free square. The player who has k marks or more side by side \
            in a row, a column or a diagonal wins, or loses in mis\u{e8}re play. A full board without a line is a draw.",
    notation: "rows X.O/.X./..O (. _ free); X moves first, so the counts of X and O show whose turn it is",
    example: "X.O/.X./..O",
    parameters: &[
        ParameterSpec::number("rows", "3", "rows of squares"),
        ParameterSpec::number("cols", "3", "columns of squares"),
        ParameterSpec::number("k", "3", "marks that make a line, in a row, a column or a diagonal"),
        ParameterSpec::play(Play::Normal, "the player who makes a line wins (normal) or loses (misere)"),
    ],
    variants: &["play=misere", "rows=3,cols=4", "rows=4,cols=4,k=4"],
    large: &["rows=6,cols=6,k=5"],
    read_file_parameters: None,
    make: |parameters| Ok(Box::new(Mnk::from_parameters(parameters)?)),
};

/// The largest number of squares: each takes two cells.
const MOST_SQUARES: u32 = MAX_CELLS / 2;

/// An m,n,k game: X and O take turns to mark free squares, and X begins. A player with k marks in a line has won, or lost
/// in misère play. If no square is free, the game is a draw.
///
/// ```text
///     a b c
///   1 X . O     X.O/.X./..O: two marks each, so X is to move. X has to stop O at c2, which draws.
///   2 . X .
///   3 . . O     board number 0b100_010_000_001_000_001: the squares of X, then the squares of O
/// ```
///
/// A table holds the reachable positions only. A board of 16 squares has 2^33 pairs of a board and a side to move, but
/// only ten million of them are reachable.
///
/// ```
/// # mod tablegen { pub use tablegen_labels as label; pub use tablegen_search as search; pub use tablegen_rules as rules; pub mod game { pub use tablegen_games::*; } }
/// use tablegen::game::{Game, Mnk};
/// use tablegen::rules::Outcome;
/// use tablegen::search::Search;
///
/// let game = Mnk::tictactoe()?;
/// let node = game.read("X.O/.X./..O")?.node;
/// assert_eq!(Search::new(game.rules()).outcome(node)?, Outcome::Draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mnk {
    grid: Grid,
    k: u32,
    play: Play,
    /// The squares of each line.
    lines: Vec<Board>,
    rules: Rules,
    template: Template,
}

impl Mnk {
    /// The game on `rows` times `cols` squares in which `k` marks make a line.
    ///
    /// # Errors
    /// If a number is zero, the board has more than 64 squares, or no line of `k` fits on it.
    pub fn new(rows: u32, cols: u32, k: u32, play: Play) -> Result<Self, GameError> {
        Self::from_parameters(&Self::parameters(Grid { rows, cols }, k, play))
    }

    fn parameters(Grid { rows, cols }: Grid, k: u32, play: Play) -> Parameters {
        Parameters::new().with("rows", rows).with("cols", cols).with("k", k).with("play", play.name())
    }

    /// Tic-tac-toe: three in a line win on a board of three by three.
    ///
    /// # Errors
    /// Never; the type is that of [`new`](Self::new).
    pub fn tictactoe() -> Result<Self, GameError> {
        Self::new(3, 3, 3, Play::Normal)
    }

    /// The board.
    #[must_use]
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, GameError> {
        let size = |name| parameters.number(name, 3, 1..=u32::MAX);
        let (rows, cols, k) = (size("rows")?, size("cols")?, size("k")?);
        let squares = u64::from(rows) * u64::from(cols);
        if squares > u64::from(MOST_SQUARES) {
            return Err(GameError::TooLarge {
                what: format!("a board of {rows} rows and {cols} columns has {squares} squares"),
                limit: format!("{MOST_SQUARES} squares"),
            });
        }
        if k > rows.max(cols) {
            let fits =
                format!("at most {}, since no longer line fits on {rows} rows and {cols} columns", rows.max(cols));
            return Err(GameError::Value { parameter: "k", expected: fits, found: k.to_string() });
        }
        let (grid, play) = (Grid { rows, cols }, parameters.play(Play::Normal)?);
        let lines = grid.lines(&DIRECTIONS, k..=k);
        let rules = rules(grid, k, play, &lines).build()?;
        Ok(Self { grid, k, play, lines, rules, template: Template::default() })
    }

    /// The squares marked by `side`.
    fn of(&self, side: Side, board: Board) -> Board {
        let squares = self.grid.squares();
        match side {
            Side::First => board >> squares,
            Side::Second => board & Board::full(squares),
        }
    }

    /// The lines that `marks` complete.
    fn lines_in(&self, marks: Board) -> impl Iterator<Item = Board> {
        self.lines.iter().copied().filter(move |&line| marks.contains(line))
    }

    /// The text of `board`.
    fn rows_of(&self, board: Board) -> String {
        self.grid.rows(|square| self.mark_at(board, square))
    }

    /// The character on `square`.
    fn mark_at(&self, board: Board, square: Board) -> char {
        match SIDES.map(|side| self.of(side, board).contains(square)) {
            [false, false] => '.',
            [true, false] => 'X',
            [false, true] => 'O',
            // Both marks on a square: an unreachable board, which no text names.
            [true, true] => '?',
        }
    }

    /// The side to move.
    ///
    /// A board without a line can be reached by any order of its marks. On a board with a line, all lines must belong to
    /// the player who moved last and share the square marked by that move.
    fn turn(&self, board: Board) -> Result<Side, Fault> {
        let [xs, os] = SIDES.map(|side| self.of(side, board).count());
        let to_move = match xs.checked_sub(os) {
            Some(0) => Side::First,
            Some(1) => Side::Second,
            _ => {
                let expected = "equal counts of X and O, or one more X, since X moves first and the players alternate";
                return Err(Fault::new(expected, format!("{xs} X and {os} O")));
            }
        };
        let (last, k) = (to_move.other(), self.k);
        let [moved, moves] = [last, to_move].map(|side| self.lines_in(self.of(side, board)).collect::<Vec<_>>());
        let (mine, other) = (mark(to_move), mark(last));
        if !moves.is_empty() {
            let found = if moved.is_empty() {
                format!("a line of {mine} and a later move of {other} ({xs} X, {os} O)")
            } else {
                "a line of X and a line of O".into()
            };
            return Err(Fault::new(format!("a board on which play ended with the first line of {k}"), found));
        }
        let shared = moved.iter().fold(Board::full(self.grid.squares()), |shared, &line| shared & line);
        if shared.is_empty() {
            let expected = format!("a board on which one last {other} made every line of {k}");
            return Err(Fault::new(expected, format!("{} lines of {other} without a common square", moved.len())));
        }
        Ok(to_move)
    }
}

impl Game for Mnk {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn is_partisan(&self) -> bool {
        true
    }

    fn notations(&self) -> &[Notation] {
        &[Notation::Flat]
    }

    fn sides(&self) -> Option<[String; 2]> {
        Some(SIDES.map(|side| mark(side).into()))
    }

    fn descriptor(&self) -> Descriptor {
        if self.rules.name() == TICTACTOE.name {
            return Parameters::new().describing(TICTACTOE.name);
        }
        Self::parameters(self.grid, self.k, self.play).describing(FAMILY.name)
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        let squares = self.grid.squares();
        let mut board = Board::EMPTY;
        self.grid.read_rows(text, "X, the letter O, or one of . _ - (free)", |square, character| {
            match character {
                'X' | 'x' => board |= square << squares,
                'O' | 'o' => board |= square,
                _ => {}
            }
            matches!(character, 'X' | 'x' | 'O' | 'o' | '.' | '_' | '-')
        })?;
        let to_move = self.turn(board).map_err(|fault| fault.about(text))?;
        Ok(Position::new(to_move.mode(), board).into())
    }

    fn of_number(&self, text: &str, mode: Option<Mode>, board: Board) -> Result<Position, NotationError> {
        let wrong = |expected: String, found: String| NotationError::new(text, expected, found);
        let both = self.of(Side::First, board) & self.of(Side::Second, board);
        if let Some((row, col)) = self.grid.coords(both).next() {
            let found = format!("two marks at {}", Grid::name(row, col));
            return Err(wrong("a board whose squares have one mark each".into(), found));
        }
        let turn = self.turn(board).map_err(|fault| fault.about(text))?.mode();
        match mode.filter(|&mode| mode != turn) {
            None => Ok(Position::new(turn, board)),
            Some(mode) => {
                let name = |mode| self.rules.mode_name(mode).unwrap_or_default().to_owned();
                Err(wrong(format!("{0} before the colon, since it is {0}'s turn", name(turn)), name(mode)))
            }
        }
    }

    /// Reads a position in the game's notation, or one row per line. Blanks between the squares are optional.
    fn read_file(&self, content: &str) -> Result<Reading, NotationError> {
        self.read(&Grid::rows_of_lines(content))
    }

    fn write(&self, node: Node) -> String {
        self.rows_of(position_of(node).board)
    }

    fn write_to(&self, node: Node, out: &mut Vec<u8>) {
        self.template.write(self.rules.cells(), position_of(node).board, out, |board| self.rows_of(board));
    }

    fn write_move(&self, from: Node, to: Position) -> String {
        let marked = to.board & !position_of(from).board;
        let squares = self.of(Side::First, marked) | self.of(Side::Second, marked);
        self.grid.coords(squares).map(|(row, col)| Grid::name(row, col)).collect()
    }

    fn draw(&self, node: Node) -> String {
        let board = position_of(node).board;
        self.grid.draw(|square| self.mark_at(board, square))
    }

    fn colours(&self) -> Option<[char; 2]> {
        Some(SIDES.map(mark))
    }

    fn scene(&self) -> Scene {
        let squares = self.grid.squares();
        let cell = |square, side| Board::at(square as u32, squares) << if side == Side::First { squares } else { 0 };
        let squares =
            Scene::grid(self.grid, SIDES.map(mark).into(), |square| Some(SIDES.map(|side| cell(square, side)).into()));
        Scene { sides: Some(SIDES.map(|side| mark(side).into())), ..squares }
    }

    fn draw_move(&self, from: Node, to: Position) -> Option<String> {
        let before = position_of(from).board;
        let is_new = |square| self.mark_at(before, square) != self.mark_at(to.board, square);
        Some(self.grid.draw_new(|square| self.mark_at(to.board, square), is_new))
    }

    fn players(&self, node: Node) -> Option<[String; 2]> {
        let mover = Side::of_mode(position_of(node).mode);
        Some([mover, mover.other()].map(|side| mark(side).into()))
    }

    fn remarks(&self, node: Node, outcome: Outcome) -> Vec<String> {
        let position = position_of(node);
        let mover = Side::of_mode(position.mode);
        let (mine, other) = (mark(mover), mark(mover.other()));
        let winner = winner(outcome, [mine, other]).map(|mark| format!("{mark} wins"));
        let marked = position.board.count();
        let many = if marked == 1 { "" } else { "s" };
        let turn = if self.rules.ended(position).is_some() {
            format!("{other} has {} in a line: the game is over", self.k)
        } else if marked == self.grid.squares() {
            "no square is free: the game is over".into()
        } else {
            format!("{marked} square{many} marked: it is {mine}'s turn")
        };
        winner.into_iter().chain([turn]).collect()
    }
}

/// The mark of `side`.
const fn mark(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(rows: u32, cols: u32, k: u32) -> Mnk {
        Mnk::new(rows, cols, k, Play::Normal).unwrap()
    }

    #[test]
    fn equal_games_have_one_name() {
        let (short, long) = (Mnk::tictactoe().unwrap(), game(3, 3, 3));
        assert_eq!((short.rules(), short.descriptor()), (long.rules(), long.descriptor()));
        assert_eq!((short.rules().name(), short.descriptor().family.as_str()), ("tictactoe", "tictactoe"));
        assert_eq!(Mnk::new(3, 3, 3, Play::Misere).unwrap().rules().name(), "mnk-3x3-k3-misere");
        assert_eq!(game(3, 4, 3).rules().name(), "mnk-3x4-k3-normal");
        assert_eq!(game(8, 8, 4).rules().cells(), 128);
    }

    #[test]
    fn sizes_that_are_refused() {
        let refusal = |rows, cols, k| Mnk::new(rows, cols, k, Play::Normal).err().expect("refused").to_string();
        assert!(refusal(5, 13, 3).contains("has 65 squares: the limit is 64 squares"), "{}", refusal(5, 13, 3));
        assert!(refusal(u32::MAX, u32::MAX, 3).contains("64 squares"));
        assert!(refusal(3, 4, 5).contains("k: expected at most 4, since no longer line fits on 3 rows and 4 columns"));
        assert!(refusal(0, 3, 3).contains("rows") && refusal(3, 0, 3).contains("cols"));
        assert!(refusal(3, 3, 0).contains("k"));
    }

    #[test]
    fn the_forms_of_a_position() {
        let game = game(3, 3, 3);
        let read = |text| game.read(text).unwrap().node;
        let expected = Node::At(Position::new(Mode(0), Board::from_word(0b100_010_000_001_000_001)));
        for text in ["X.O/.X./..O", "x_o/_x_/__o", "X.o/_X./..O"] {
            assert_eq!(read(text), expected, "{text}");
            assert_eq!(game.write(read(text)), "X.O/.X./..O");
        }
        let lines = "X . O\n. X .\r\n_ _ O\n";
        assert_eq!(game.read_file(lines).unwrap().node, expected);
        assert_eq!(read("X../.../..."), Node::At(Position::new(Mode(1), Board::from_word(1 << 17))));
        assert_eq!(
            (read(".../.../..."), game.write(Node::Opening)),
            (Position::default().into(), ".../.../...".into())
        );
    }

    #[test]
    fn unreachable_boards_are_refused_with_the_reason() {
        let game = game(3, 3, 3);
        let refusal = |text: &str| game.read(text).map(|_| ()).expect_err(text).to_string();
        assert!(
            refusal("XX./.../...").contains("expected equal counts of X and O, or one more X")
                && refusal("XX./.../...").contains("2 X and 0 O")
        );
        assert!(refusal("O../.../...").contains("found 0 X and 1 O"));
        assert!(refusal("XXX/OOO/...").contains(
            "expected a board on which play ended with the first line of 3, found a line of X and a line of O"
        ));
        assert!(refusal("XXX/OOO/X..").contains("found a line of X and a line of O"));
        assert!(refusal("XXX/OO./O..").contains("found a line of X and a later move of O (3 X, 3 O)"));
        assert!(refusal("OOO/XX./X.X").contains("found a line of O and a later move of X (4 X, 3 O)"));
        assert!(refusal("X.O/.0./...").contains("expected X, the letter O, or one of . _ - (free), found '0' at b2"));
        assert!(refusal("X.O/...").contains("3 rows"));
        // One move can complete two lines that cross in a square, but not two that lie side by side.
        assert!(game.read("XXX/OXO/XOO").is_ok() && game.read("XXX/XOO/XOO").is_ok());
        let wide = Mnk::new(3, 4, 3, Play::Misere).unwrap();
        let two = wide.read("OXXX/OO.O/XXXO").map(|_| ()).unwrap_err().to_string();
        assert!(two.contains(
            "expected a board on which one last X made every line of 3, found 2 lines of X without a common square"
        ));
        // Four in a row are two lines of three, which one move on a shared square completes.
        assert!(wide.read("XXXX/OO.O/....").is_ok());
    }

    #[test]
    fn moves_drawings_and_remarks() {
        let game = game(3, 3, 3);
        let node = game.read("X.O/.X./..O").unwrap().node;
        let from = position_of(node);
        let moves: Vec<_> = game.rules().moves_from(from).map(|m| game.write_move(node, m.play(from))).collect();
        assert_eq!(moves, ["b1", "a2", "c2", "a3", "b3"]);
        assert_eq!(game.draw(node), "  a b c\n1 X . O\n2 . X .\n3 . . O");
        let after = game.rules().moves_from(from).nth(2).unwrap().play(from);
        assert_eq!(game.draw_move(node, after).unwrap(), "  a b c\n1 X . O\n2 . X(X)\n3 . . O");
        let remarks = |text, outcome| game.remarks(game.read(text).unwrap().node, outcome);
        assert_eq!(remarks("X.O/.X./..O", Outcome::Draw), ["4 squares marked: it is X's turn"]);
        assert_eq!(remarks("X../.../...", Outcome::Win), ["O wins", "1 square marked: it is O's turn"]);
        assert_eq!(remarks("XXX/OO./...", Outcome::Loss), ["X wins", "X has 3 in a line: the game is over"]);
        assert_eq!(remarks("XOX/XOO/OXX", Outcome::Draw), ["no square is free: the game is over"]);
        let misere = Mnk::new(3, 3, 3, Play::Misere).unwrap();
        let lost = misere.read("XXX/OO./...").unwrap().node;
        assert_eq!(misere.remarks(lost, Outcome::Win)[0], "O wins");
    }
}
