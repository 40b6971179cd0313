//! How people write the positions and moves of a rules file's game.

use std::collections::HashSet;

use super::{FAMILY, FileGame, TEXT, Turns};
use crate::game::{Game, NotationError, OutcomeClass, Reading};
use crate::rules::{Board, Descriptor, Mode, Move, Node, Outcome, Position, Start};

impl FileGame {
    /// The board of `position` drawn.
    pub(super) fn drawing(&self, position: Position) -> String {
        self.squares.draw(|place| self.squares.mark(place, position.board))
    }

    fn position_of(&self, node: Node) -> Position {
        match node {
            Node::At(position) => position,
            Node::Opening => Position::default(),
        }
    }

    /// The squares that are filled, in either colour, in `board`.
    fn squares_of(&self, board: Board) -> Vec<usize> {
        let cells = |place: usize| self.squares.cell_of_each_colour(place);
        let filled = |place: &usize| cells(*place).is_some_and(|cells| !cells.is_disjoint(board));
        self.squares.coords().iter().copied().filter(filled).collect()
    }

    /// The names of `squares`: the ends of a straight run of neighbours, or each with a `+` between.
    fn names(&self, squares: &[usize]) -> String {
        let name = |&place: &usize| self.squares.name(place);
        match squares {
            [first, second, .., last] | [first, second @ last] if !self.squares.is_graph() => {
                let cols = self.squares.grid.cols as usize;
                let step = second - first;
                let sideways = step == 1 && first / cols == last / cols;
                let slanted = step.abs_diff(cols) <= 1 && step > 1 && (first % cols).abs_diff(second % cols) <= 1;
                let straight = (sideways || slanted)
                    && squares
                        .windows(2)
                        .all(|pair| pair[1] - pair[0] == step && (pair[0] % cols).abs_diff(pair[1] % cols) <= 1);
                if straight {
                    return format!("{}-{}", name(first), name(last));
                }
                squares.iter().map(name).collect::<Vec<_>>().join("+")
            }
            _ => squares.iter().map(name).collect::<Vec<_>>().join("+"),
        }
    }

    /// Whose turn it is after so many plies, where every move fills the same number of cells and play has begun with
    /// the first side: then a board alone says it.
    fn turn_of(&self, board: Board) -> Option<Mode> {
        let (Turns::Sides, Start::At(start)) = (&self.turns, &self.rules.start()) else { return None };
        let played = board.contains(start.board).then(|| (board & !start.board).count())?;
        if played == 0 {
            return Some(start.mode);
        }
        let size = self.rules.moves().first()?.fills.count();
        let plain = |m: &Move| m.fills.count() == size && m.empty.contains(m.fills);
        if !self.rules.moves().iter().all(plain) || played % size != 0 {
            return None;
        }
        let plies = played / size;
        if self.squares.colours() == 2 {
            // The first colour's cells come first: they are the upper half of the board number.
            let upper = Board(Board::full(self.squares.count()).0 << self.squares.count());
            let first = (board & !start.board & upper).count() / size;
            let ahead = if start.mode == Mode(0) { plies.div_ceil(2) } else { plies / 2 };
            if first != ahead {
                return None;
            }
        }
        Some(Mode(((u32::from(start.mode.0) + plies) % 2) as u16))
    }

    fn read_mode(&self, text: &str, name: &str) -> Result<Mode, NotationError> {
        let modes = self.rules.modes();
        let found = modes.iter().position(|mode| mode == name);
        let expected = || format!("one of {} behind the board", modes.join(", "));
        found.map(|mode| Mode(mode as u16)).ok_or_else(|| NotationError::new(text, expected(), format!("{name:?}")))
    }
}

impl Game for FileGame {
    fn rules(&self) -> &crate::rules::Rules {
        &self.rules
    }

    /// The text of the file and every parameter, so that a table needs nothing else.
    fn descriptor(&self) -> Descriptor {
        let mut parameters = vec![(TEXT.to_owned(), self.text.clone())];
        parameters.extend(self.parameters.iter().map(|set| (set.name.clone(), set.value.clone())));
        Descriptor { family: FAMILY.into(), parameters }
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        if text == "start" {
            return Ok(self.rules.start_node().into());
        }
        let (board, mode) = match text.split_once(char::is_whitespace) {
            Some((board, mode)) if self.rules.modes().len() > 1 => (board, Some(self.read_mode(text, mode.trim())?)),
            _ => (text, None),
        };
        let board = self.squares.read_board(board).map_err(|e| NotationError::new(text, e.expected, e.found))?;
        let mode = match mode {
            None if self.rules.modes().len() > 1 => self.turn_of(board).ok_or_else(|| {
                let expected = format!("one of {} behind the board, whose turn it is,", self.rules.modes().join(", "));
                NotationError::new(text, expected, "none")
            })?,
            mode => mode.unwrap_or_default(),
        };
        Ok(Position::new(mode, board).into())
    }

    /// A position as a person writes it; its rows may stand on lines of their own, with blanks between the squares, and
    /// whose turn it is on a line behind them.
    fn read_file(&self, content: &str) -> Result<Reading, NotationError> {
        let rows = |lines: &[&str]| {
            let row = |line: &&str| line.split_whitespace().collect::<String>();
            lines.iter().map(row).collect::<Vec<_>>().join("/")
        };
        let lines: Vec<&str> = content.trim().lines().map(str::trim).collect();
        match lines.as_slice() {
            [board @ .., mode] if !board.is_empty() && self.rules.modes().iter().any(|name| name == mode) => {
                self.read(&format!("{} {mode}", rows(board)))
            }
            [_, _, ..] => self.read(&rows(&lines)),
            _ => self.read(content.trim()),
        }
    }

    fn write(&self, node: Node) -> String {
        let Node::At(position) = node else { return "start".into() };
        let board = self.squares.write(position.board);
        match self.rules.mode_name(position.mode) {
            Some(mode) => format!("{board} {mode}"),
            None => board,
        }
    }

    /// The squares that the move itself names (a bite by its corner, a vertex without its neighbours); where another move
    /// names the same, all the squares it fills. Moves that leave one position are named together, `c1/d1`.
    fn write_move(&self, from: Node, to: Position) -> String {
        let Node::At(before) = from else { return self.write(to.into()) };
        let own = |m: &Move| m.fills & m.empty;
        let (leading, others): (Vec<&Move>, Vec<&Move>) =
            self.rules.moves_from(before).partition(|m| m.play(before) == to);
        let mut named: Vec<Board> = leading.into_iter().map(own).collect();
        let mut seen = HashSet::new();
        named.retain(|&board| seen.insert(board));
        if named.is_empty() {
            return self.write(to.into());
        }
        if !others.into_iter().any(|m| seen.contains(&own(m))) {
            let names = named.iter().map(|&board| self.names(&self.squares_of(board)));
            return names.collect::<Vec<_>>().join("/");
        }
        let all = self.names(&self.squares_of(to.board & !before.board));
        match (&self.turns, self.rules.mode_name(to.mode)) {
            (Turns::Modes, Some(mode)) => format!("{all} to {mode}"),
            _ => all,
        }
    }

    fn draw(&self, node: Node) -> String {
        self.drawing(self.position_of(node))
    }

    fn draw_move(&self, from: Node, to: Position) -> Option<String> {
        let before = self.position_of(from).board;
        let new = self.squares_of(to.board & !before);
        Some(self.squares.draw(|place| if new.contains(&place) { '*' } else { self.squares.mark(place, before) }))
    }

    fn roots(&self) -> Vec<Position> {
        self.starts().map_or(Vec::new(), Vec::from)
    }

    fn remarks(&self, node: Node, _: Outcome) -> Vec<String> {
        match node {
            Node::At(position) => self.rules.mode_name(position.mode).map(|mode| format!("{mode} to move")),
            Node::Opening => None,
        }
        .into_iter()
        .collect()
    }

    fn outcome_class(&self, look_up: &mut dyn FnMut(Position) -> Option<Outcome>) -> Option<OutcomeClass> {
        let [first, second] = self.starts()?;
        OutcomeClass::of(look_up(first)?, look_up(second)?)
    }
}
