//! An independent solver for the tests: memoized recursion over `Rules`, from a position to the end of the game.
//!
//! It shares no code with the library except the masks. It implements legal moves, their results and the order of
//! outcomes a second time, and works in the opposite order: depth first, on demand.

use tablegen::rules::{Board, Mode, Outcome, Position, Rules, Start, Terminal};

/// A solver with the results so far.
pub(crate) struct Oracle<'a> {
    rules: &'a Rules,
    memo: Vec<Option<i8>>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(rules: &'a Rules) -> Self {
        Self { rules, memo: vec![None; rules.modes().len() << rules.cells()] }
    }

    /// The outcome for the player to move.
    pub(crate) fn outcome(&mut self, position: Position) -> Outcome {
        named(self.score(position.mode.0, position.board.low_word()))
    }

    /// The successors of `position` by legal moves, in the order of the rules.
    pub(crate) fn successors(&self, position: Position) -> Vec<Position> {
        let (mode, board) = (position.mode.0, position.board.low_word());
        if self.end(mode, board).is_some() {
            return Vec::new();
        }
        // The moves that go first, and the others, which are legal only without them.
        for otherwise in [false, true] {
            let mut found = Vec::new();
            for m in self.rules.moves() {
                let is_allowed = m.mode.0 == mode && (!m.otherwise || otherwise);
                if is_allowed && board & m.empty.low_word() == 0 && !board & m.full.low_word() == 0 {
                    found.push(Position::new(Mode(m.next.0), Board::from_word(board | m.fills.low_word())));
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The expected moves of a probe at `position`: each successor with the outcome for the player who moves there,
    /// best first, and in the order of the rules among equals.
    pub(crate) fn choices(&mut self, position: Position) -> Vec<(Position, Outcome)> {
        let successors = self.successors(position);
        self.best_first(&successors)
    }

    /// The outcome of the opening, and the expected moves of a probe there.
    pub(crate) fn opening(&mut self) -> (Outcome, Vec<(Position, Outcome)>) {
        match self.rules.start() {
            Start::At(position) => (self.outcome(*position), self.choices(*position)),
            Start::Opening(first) => {
                let choices = self.best_first(first);
                (choices[0].1, choices)
            }
        }
    }

    fn best_first(&mut self, successors: &[Position]) -> Vec<(Position, Outcome)> {
        let scored: Vec<_> = successors.iter().map(|&p| (p, -self.score(p.mode.0, p.board.low_word()))).collect();
        // Three passes replace a sort, and so keep the order among equals.
        let with = |wanted| scored.iter().filter(move |(_, score)| *score == wanted);
        [1, 0, -1].into_iter().flat_map(with).map(|&(p, score)| (p, named(score))).collect()
    }

    fn end(&self, mode: u16, board: u64) -> Option<i8> {
        let end = self.rules.ends().iter().find(|end| end.mode.0 == mode && !board & end.pattern.low_word() == 0)?;
        Some(worth(end.outcome, board))
    }

    /// The score of a player without a move.
    fn without_move(&self, mode: u16, board: u64) -> i8 {
        worth(self.rules.terminal_in(Mode(mode)), board)
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    fn score(&mut self, mode: u16, board: u64) -> i8 {
        let slot = (usize::from(mode) << self.rules.cells()) + board as usize;
        if let Some(known) = self.memo[slot] {
            return known;
        }
        let score = match self.end(mode, board) {
            Some(score) => score,
            None => {
                let successors = self.successors(Position::new(Mode(mode), Board::from_word(board)));
                let replies = successors.iter().map(|p| -self.score(p.mode.0, p.board.low_word()));
                replies.max().unwrap_or_else(|| self.without_move(mode, board))
            }
        };
        self.memo[slot] = Some(score);
        score
    }
}

/// The score where the game is over on `board`.
fn worth(terminal: Terminal, board: u64) -> i8 {
    match terminal {
        Terminal::Always(outcome) => score_of(outcome),
        Terminal::Points(points) => points.signum() as i8,
        Terminal::Most { own, other } => {
            let lead = |bit: u32| i32::from(own.has(bit)) - i32::from(other.has(bit));
            (0..64).filter(|bit| board >> bit & 1 == 1).map(lead).sum::<i32>().signum() as i8
        }
    }
}

fn score_of(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

fn named(score: i8) -> Outcome {
    match score {
        1 => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}
