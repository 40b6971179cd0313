//! The rules of mill games on drawn boards.

use super::drawing::Drawing;

/// The largest number of points of a board here.
const MOST_POINTS: usize = 24;

/// Men of the player to move, and of the other player.
pub(crate) type Men = (usize, usize);

/// A board as its player to move sees it: `X` is a man of that player, `O` of the other player, and `.` a free point.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    points: [u8; MOST_POINTS],
    len: usize,
}

impl Board {
    pub(crate) fn empty(points: usize) -> Self {
        Self { points: [b'.'; MOST_POINTS], len: points }
    }

    /// Reads rows such as `X#.#O/#...#`, in which only `X`, `O` and `.` are points.
    pub(crate) fn read(rows: &str) -> Self {
        let mut board = Self::empty(0);
        for point in rows.bytes().filter(|point| b"XO.".contains(point)) {
            board.points[board.len] = point;
            board.len += 1;
        }
        board
    }

    pub(crate) fn points(&self) -> &[u8] {
        &self.points[..self.len]
    }

    pub(crate) fn men(&self, side: u8) -> usize {
        self.points().iter().filter(|&&point| point == side).count()
    }

    pub(crate) fn with(mut self, point: usize, content: u8) -> Self {
        self.points[point] = content;
        self
    }

    /// The same board as the other player sees it.
    pub(crate) fn swapped(mut self) -> Self {
        for at in 0..self.len {
            self.points[at] = match self.points[at] {
                b'X' => b'O',
                b'O' => b'X',
                free => free,
            };
        }
        self
    }

    fn all(&self, content: u8) -> impl Iterator<Item = usize> {
        self.points().iter().enumerate().filter(move |point| *point.1 == content).map(|point| point.0)
    }
}

/// What a full line of three men does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// The player who closes it wins.
    Wins,
    /// The player who closes it takes a man: outside of all lines, or any man if all are in lines.
    Takes,
}

/// The rules of one mill game.
pub(crate) struct MillRules {
    pub(crate) drawing: Drawing,
    pub(crate) line: Line,
    /// A player with exactly three men, none in hand, may move a man to any free point.
    pub(crate) jumps: bool,
}

impl MillRules {
    pub(crate) fn new(drawing: &str, line: Line, jumps: bool) -> Self {
        Self { drawing: Drawing::read(drawing), line, jumps }
    }

    /// Returns whether the man of `side` at `point` stands in a full line.
    fn is_in_line(&self, board: &Board, point: usize, side: u8) -> bool {
        self.drawing.partners[point].iter().any(|others| others.iter().all(|&other| board.points[other] == side))
    }

    /// Returns whether the player who moved last has won by a full line.
    pub(crate) fn is_won(&self, board: &Board) -> bool {
        let is_full = |line: &[usize; 3]| line.iter().all(|&point| board.points[point] == b'O');
        self.line == Line::Wins && self.drawing.lines.iter().any(is_full)
    }

    /// Calls `visit` with the board after each move of a man on the board, as the other player sees it, and with
    /// whether the move took a man.
    pub(crate) fn moves(&self, board: &Board, mut visit: impl FnMut(&Board, bool)) {
        let may_jump = self.jumps && board.men(b'X') == 3;
        for from in board.all(b'X') {
            let lifted = board.with(from, b'.');
            self.free_points(board, from, may_jump, |to| self.arrive(&lifted, to, &mut visit));
        }
    }

    /// [`moves`](Self::moves) of a man from the hand.
    pub(crate) fn placements(&self, board: &Board, mut visit: impl FnMut(&Board, bool)) {
        board.all(b'.').for_each(|to| self.arrive(board, to, &mut visit));
    }

    /// Calls `visit` with the free points to which, or from which, a man at `point` can move.
    fn free_points(&self, board: &Board, point: usize, may_jump: bool, mut visit: impl FnMut(usize)) {
        if may_jump {
            return board.all(b'.').for_each(visit);
        }
        for &next in &self.drawing.next[point] {
            if board.points[next] == b'.' {
                visit(next);
            }
        }
    }

    /// A man of the player to move arrives at `to`.
    fn arrive(&self, board: &Board, to: usize, visit: &mut impl FnMut(&Board, bool)) {
        let board = board.with(to, b'X');
        // There may be no man to take while men are placed.
        let takes = self.line == Line::Takes && self.is_in_line(&board, to, b'X') && board.men(b'O') > 0;
        if !takes {
            return visit(&board.swapped(), false);
        }
        let is_safe = |man: usize| self.is_in_line(&board, man, b'O');
        let all_are_safe = board.all(b'O').all(is_safe);
        for man in board.all(b'O').filter(|&man| all_are_safe || !is_safe(man)) {
            visit(&board.with(man, b'.').swapped(), true);
        }
    }

    /// Calls `visit` with each board from which a move that takes no man leads to `board`.
    pub(crate) fn moves_back(&self, board: &Board, mut visit: impl FnMut(&Board)) {
        let may_jump = self.jumps && board.men(b'O') == 3;
        for to in board.all(b'O') {
            if self.line == Line::Takes && self.is_in_line(board, to, b'O') {
                continue;
            }
            let lifted = board.with(to, b'.');
            self.free_points(board, to, may_jump, |from| visit(&lifted.with(from, b'O').swapped()));
        }
    }
}
