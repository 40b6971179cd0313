//! The notation of positions and moves in the game of a rules file.

use std::collections::HashSet;

use super::swap::Swap;
use super::{FAMILY, FileGame, TEXT, Turns, falling, naming};
use crate::error::Fault;
use crate::number::{listed, named_mode, no_mode};
use crate::rules::{Board, Descriptor, Mode, Move, Node, Outcome, Position, Start};
use crate::scene::{Colour, Surface};
use crate::template::write_mode;
use crate::{Game, GamePart, Notation, NotationError, Reading, Scene, lead, position_of, title, turned};

/// What people also write for a pass.
const OTHER_PASSES: [&str; 4] = ["pa", "ps", "--", "@@"];

/// The name of the move that exchanges the sides.
const SWAP: &str = "swap";

impl FileGame {
    /// A drawing of the board of `position`.
    pub(super) fn drawing(&self, position: Position) -> String {
        self.picture(position.board, &[])
    }

    /// The board drawn as it is played on: lines have their names until they are drawn or cut. The squares in `new` have
    /// brackets.
    fn picture(&self, board: Board, new: &[usize]) -> String {
        let squares = &self.squares;
        let (mark, is_new) = (|square| squares.mark(square, board), |square: usize| new.contains(&square));
        if self.looks.surface == Surface::Dots && squares.colours() == 1 {
            return squares.draw_dots(|square| mark(square) != '.', is_new);
        }
        let is_gone = self.looks.takes_away();
        let label = |square| match mark(square) {
            '.' => Some(squares.name(square)),
            _ if is_gone => None,
            mark => Some(mark.to_string()),
        };
        if let Some(drawn) = squares.draw_picture(label, &self.ground) {
            let painted = self.painted(|square| is_gone && mark(square) != '.');
            return std::iter::once(drawn).chain(painted).collect::<Vec<_>>().join("\n");
        }
        let drawn = squares.draw_points(&self.lines, mark, is_new).or_else(|| squares.draw_pairs(label, is_new));
        drawn.unwrap_or_else(|| squares.draw(mark, is_new))
    }

    /// A line for each colour that squares have before they are filled, with the names of those squares. Squares for which
    /// `is_gone` is true are left out.
    fn painted(&self, is_gone: impl Fn(usize) -> bool) -> Vec<String> {
        let squares =
            self.squares.all().iter().enumerate().map(|(place, &square)| (self.looks.paint_of(place), square));
        let all: Vec<(Colour, usize)> = squares.filter_map(|(colour, square)| Some((colour?, square))).collect();
        let named = |colour: Colour| {
            let own = all.iter().filter(|&&(other, square)| other == colour && !is_gone(square));
            let names: String = own.map(|&(_, square)| format!(" {}", self.squares.name(square))).collect();
            format!("{}:{}", colour.name(), if names.is_empty() { " none" } else { &names })
        };
        let is_used = |colour: &&Colour| all.iter().any(|(other, _)| other == *colour);
        Colour::ALL.iter().filter(is_used).map(|&colour| named(colour)).collect()
    }

    /// The cells of the player who moves in `mode`; on a board of one colour, all cells.
    fn pieces_of(&self, mode: Mode) -> Board {
        if self.squares.colours() == 1 {
            return Board::full(self.squares.cells());
        }
        let colour = self.owners.get(usize::from(mode.0)).copied().unwrap_or(mode.0 & 1);
        self.squares.all().iter().filter_map(|&square| self.squares.cell(square, colour.into())).collect()
    }

    /// The side to move on `board`, if the board alone decides it: every move fills the same number of cells, and the
    /// sides take turns from the start.
    fn turn_of(&self, board: Board) -> Option<Mode> {
        let Start::At(start) = self.rules.start() else { return None };
        let (begins, swap) = match self.turns {
            Turns::Sides if self.rules.sweep_obstacle().is_none() => (start.mode, None),
            Turns::Swap(swap) => (swap.opener(), Some(swap)),
            _ => return None,
        };
        let played = board.contains(start.board).then(|| (board & !start.board).count())?;
        if played == 0 && swap.is_none() {
            return Some(start.mode);
        }
        let size = self.rules.moves().first()?.fills.count();
        let plain = |m: &Move| {
            m.fills.count() == size && m.empty.contains(m.fills) && m.clears.is_empty() && self.rules.hands_over(m)
        };
        let mut moves = self.rules.moves().iter().filter(|m| swap.is_none_or(|swap| **m != swap.exchange()));
        if size == 0 || !moves.all(plain) || played % size != 0 {
            return None;
        }
        let plies = played / size;
        if self.squares.colours() == 2 {
            // The cells of the first colour are the upper half of the board number.
            let upper = Board::full(self.squares.count()) << self.squares.count();
            let first = (board & !start.board & upper).count() / size;
            let ahead = if begins == Mode(0) { plies.div_ceil(2) } else { plies / 2 };
            if first != ahead {
                return None;
            }
        }
        let side = Mode(((u32::from(begins.0) + plies) % 2) as u16);
        if swap.is_some() { Swap::mode_after(plies, side) } else { Some(side) }
    }

    /// Reads a position without a lead.
    fn read_plain(&self, text: &str) -> Result<Reading, NotationError> {
        if text == "start" {
            return Ok(self.rules.start_node().into());
        }
        let (board, mode) = match text.split_once(char::is_whitespace) {
            Some((board, mode)) if self.rules.modes().len() > 1 => {
                let expected = |modes| match self.modes_in_words(mode.trim()) {
                    Some(form) => format!("{form} after the board"),
                    None => format!("one of {modes} after the board"),
                };
                (board, Some(named_mode(&self.rules, text, mode.trim(), expected)?))
            }
            _ => (text, None),
        };
        let of_text = |error| Fault::from(error).about(text);
        let board = self.squares.read_board(board).map_err(of_text)?;
        let mode = match mode {
            None if self.rules.modes().len() > 1 => self.turn_of(board).ok_or_else(|| {
                let expected = match self.modes_in_words("") {
                    Some(form) => format!("{form} after the board"),
                    None => format!("one of {} after the board, for the side to move", listed(self.rules.modes())),
                };
                NotationError::new(text, expected, "none")
            })?,
            mode => mode.unwrap_or_default(),
        };
        Ok(self.covered(text, Position::new(mode, board))?.into())
    }

    /// Reads a position from a file, without a lead. Each row may stand on a line of its own, with blanks between the squares, and a last
    /// line may name the side to move.
    fn read_plain_file(&self, content: &str) -> Result<Reading, NotationError> {
        let rows = |lines: &[&str]| {
            let row = |line: &&str| line.split_whitespace().collect::<String>();
            lines.iter().map(row).collect::<Vec<_>>().join("/")
        };
        let lines: Vec<&str> = content.trim().lines().map(str::trim).collect();
        match lines.as_slice() {
            [board @ .., mode] if !board.is_empty() && self.rules.modes().iter().any(|name| name == mode) => {
                self.read_plain(&format!("{} {mode}", rows(board)))
            }
            [_, _, ..] => self.read_plain(&rows(&lines)),
            _ => self.read_plain(content.trim()),
        }
    }

    /// Reads a position with a lead from `text`, which has no position without one as `error` says. `between` stands between board and mode
    /// in what `read` reads.
    fn read_lead(
        &self,
        text: &str,
        between: char,
        error: NotationError,
        read: impl Fn(&Self, &str) -> Result<Reading, NotationError>,
    ) -> Result<Reading, NotationError> {
        let Some(split) = lead::split(&self.rules, self.players.as_ref(), text)? else { return Err(error) };
        Ok(Reading { lead: split.lead, mover: split.mover, ..read(self, &split.rest(between))? })
    }
}

impl Game for FileGame {
    fn rules(&self) -> &crate::rules::Rules {
        &self.rules
    }

    /// The text of the file and all parameters, so that a table does not depend on the file.
    fn descriptor(&self) -> Descriptor {
        let mut parameters = vec![(TEXT.to_owned(), self.text.clone())];
        parameters.extend(self.parameters.iter().map(|set| (set.name.clone(), set.value.clone())));
        Descriptor { family: FAMILY.into(), parameters }
    }

    fn read(&self, text: &str) -> Result<Reading, NotationError> {
        self.read_plain(text).or_else(|error| self.read_lead(text, ' ', error, Self::read_plain))
    }

    fn notations(&self) -> &[Notation] {
        &self.notations
    }

    fn modes_in_words(&self, found: &str) -> Option<String> {
        match (&self.turns, &self.sides) {
            (Turns::Hand(hand), Some(sides)) => Some(hand.form(sides, found)),
            _ => None,
        }
    }

    fn sides(&self) -> Option<[String; 2]> {
        self.named_sides()
    }

    fn rules_file(&self) -> Option<&str> {
        Some(&self.text)
    }

    fn parts(&self) -> &[GamePart] {
        &self.parts
    }

    fn title(&self) -> String {
        let settings = self.parameters.iter().map(|set| (set.name.as_str(), set.value.as_str(), Some(&*set.default)));
        title::with_settings(self.base_title(), settings)
    }

    fn reads_numbers(&self) -> bool {
        true
    }

    fn of_number(&self, text: &str, mode: Option<Mode>, board: Board) -> Result<Position, NotationError> {
        match mode.or_else(|| self.turn_of(board)) {
            None if self.rules.modes().len() > 1 => Err(no_mode(&self.rules, text)),
            mode => self.covered(text, Position::new(mode.unwrap_or_default(), board)),
        }
    }

    /// Reads a position in the game's notation. Each row may also stand on a line of its own, with blanks between the
    /// squares. A last line may name the side to move, and may have a lead.
    fn read_file(&self, content: &str) -> Result<Reading, NotationError> {
        self.read_plain_file(content).or_else(|error| self.read_lead(content, '\n', error, Self::read_plain_file))
    }

    fn unit(&self) -> &str {
        &self.unit
    }

    fn counts_fewest(&self) -> bool {
        self.fewest
    }

    fn named_players(&self) -> Option<&[String; 2]> {
        self.players.as_ref()
    }

    fn write(&self, node: Node) -> String {
        let Node::At(position) = node else { return "start".into() };
        let board = self.squares.write(position.board);
        match self.rules.mode_name(position.mode) {
            Some(mode) => format!("{board} {mode}"),
            None => board,
        }
    }

    fn write_to(&self, node: Node, out: &mut Vec<u8>) {
        let Node::At(position) = node else { return out.extend_from_slice(b"start") };
        self.squares.write_to(position.board, out);
        write_mode(&self.rules, position.mode, out);
    }

    /// Names the squares of the move in the short form: the corner of a bite, a vertex without its neighbours. Moves to
    /// the same position share a name, `c1/d1`. If short names would be ambiguous, the name lists all filled squares,
    /// with their colours or the mode to which the move leads.
    fn write_move(&self, from: Node, to: Position) -> String {
        let Node::At(before) = from else { return self.write(to.into()) };
        let leading = self.rules.moves_from(before).filter(|m| m.play(before) == to);
        if let Turns::Swap(swap) = self.turns
            && before.mode == Swap::MAY_SWAP
            && to == swap.exchange().play(before)
        {
            return SWAP.into();
        }
        let mut names: Vec<String> = Vec::new();
        if self.naming.clears {
            for m in leading {
                let name = match self.pushes.get(&m) {
                    Some(ends) => ends.map(|square| self.squares.name(square)).join(">"),
                    None => self.naming.of_moved(&self.squares, &m, self.pieces_of(before.mode)),
                };
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        } else {
            let mut seen = HashSet::new();
            let mut named: Vec<Board> = leading.map(|m| naming::own(&m)).filter(|&board| seen.insert(board)).collect();
            if named.is_empty() {
                return self.write(to.into());
            }
            if self.naming.whole && to.board != before.board {
                named = vec![to.board & !before.board];
            }
            names.extend(named.into_iter().map(|board| self.naming.name(&self.squares, board)));
        }
        let names = names.join("/");
        match self.rules.mode_name(to.mode).filter(|_| self.naming.next) {
            Some(mode) => format!("{names} to {mode}"),
            None => names,
        }
    }

    /// Accepts each of the joined names of moves to one position, a run from its other end, and a dash for a piece
    /// that moves.
    fn other_names(&self, text: &str) -> Vec<String> {
        let parts: Vec<&str> = text.split('/').collect();
        let runs = parts.iter().filter(|part| !self.squares.is_graph() && !part.contains(['+', ':', ' ', '>']));
        let turned = runs.filter_map(|part| turned(part));
        let own = if parts.len() > 1 { parts.as_slice() } else { &[] };
        // People also write `a1-a4` for a piece that leaves a1 for a4.
        let leaves = (text.contains('>') && parts.len() == 1).then(|| text.replace('>', "-"));
        let passes = if text == naming::PASS { &OTHER_PASSES[..] } else { &[] };
        let passes = passes.iter().map(|&pass| pass.to_owned());
        own.iter().map(|&part| part.to_owned()).chain(turned).chain(leaves).chain(passes).collect()
    }

    fn draw(&self, node: Node) -> String {
        self.drawing(position_of(node))
    }

    fn colours(&self) -> Option<[char; 2]> {
        self.squares.marks.as_slice().try_into().ok()
    }

    fn scene(&self) -> Scene {
        let scene = match self.looks.surface {
            Surface::Dots => self.squares.between_dots(&self.areas),
            _ => self.squares.scene(),
        };
        let lines = if self.lines.is_empty() { scene.lines } else { self.lines.clone() };
        let (ground, blocks) = (self.ground.clone(), self.squares.has_blocks);
        Scene { lines, ground, blocks, sides: self.named_sides(), looks: self.looks.clone(), ..scene }
    }

    /// A push is chosen by its two ends, a piece that falls by any square above its own. A piece that moves is chosen
    /// by its new square, alone or with its old square.
    fn pointed_at(&self, m: &Move) -> Vec<Board> {
        if let Some(ends) = self.pushes.get(m) {
            return vec![ends.iter().filter_map(|&square| self.squares.cells_of(square)).collect()];
        }
        if let Some(fall) = self.fall {
            return falling::above(&self.squares, m, fall);
        }
        let left = if m.fills.is_empty() { Board::EMPTY } else { m.clears & self.pieces_of(m.mode) };
        // Pieces that turn over beside the new piece are not pointed at.
        let mut own = if m.fills.is_empty() { m.own() } else { naming::arriving(&self.squares, m) & m.empty };
        if !self.rules.spec().takes.is_empty() {
            // One of several pieces is taken, which the player chooses.
            own |= m.clears & !self.pieces_of(m.mode);
        }
        if left.is_empty() { vec![own] } else { vec![own, own | left] }
    }

    fn draw_move(&self, from: Node, to: Position) -> Option<String> {
        let new = self.squares.touched(to.board & !position_of(from).board);
        Some(self.picture(to.board, &new))
    }

    fn roots(&self) -> Vec<Position> {
        match self.rules.start_node() {
            Node::At(start) => self.either_side(start).map_or(Vec::new(), Vec::from),
            Node::Opening => Vec::new(),
        }
    }

    /// The names of the two sides, if the modes are sides or belong to sides. Sides that players may exchange are no names of players.
    fn players(&self, node: Node) -> Option<[String; 2]> {
        if matches!(self.turns, Turns::Swap(_)) {
            return None;
        }
        if let (Some([first, second]), Node::At(position)) = (&self.sides, node) {
            let owner = self.owners.get(usize::from(position.mode.0))?;
            return Some(if *owner == 0 { [first, second] } else { [second, first] }.map(String::clone));
        }
        let modes = self.rules.modes();
        let (Node::At(position), [first, second], true) = (node, modes, self.is_partisan()) else { return None };
        let players = if position.mode == Mode(0) { [first, second] } else { [second, first] };
        Some(players.map(String::clone))
    }

    fn in_hand(&self, node: Node) -> Option<[u32; 2]> {
        match (&self.turns, node) {
            (Turns::Hand(hand), Node::At(position)) => Some(hand.left(position.mode)),
            _ => None,
        }
    }

    fn remarks(&self, node: Node, _: Outcome) -> Vec<String> {
        match node {
            Node::At(position) => match (&self.turns, &self.sides) {
                (Turns::Hand(hand), Some(sides)) => Some(hand.remark(position.mode, sides)),
                (Turns::Swap(_), Some(sides)) => {
                    let side = &sides[usize::from(self.owners[usize::from(position.mode.0)])];
                    let may_swap =
                        if position.mode == Swap::MAY_SWAP { "; the player may swap sides instead" } else { "" };
                    Some(format!("{side} to move{may_swap}"))
                }
                _ => self.rules.mode_name(position.mode).map(|mode| format!("{mode} to move")),
            },
            Node::Opening => None,
        }
        .into_iter()
        .collect()
    }

    fn is_partisan(&self) -> bool {
        self.is_partisan()
    }

    fn either_side(&self, position: Position) -> Option<[Position; 2]> {
        let either = matches!(self.turns, Turns::Sides) && !self.begins;
        either.then(|| [0, 1].map(|mode| Position::new(Mode(mode), position.board)))
    }
}
