//! The rules as a search reads them: masks of moves and terminal patterns, by mode.

use std::slice::Iter;

use crate::rules::{
    Board, Count, Ending, Line, Mode, Move, Outcome, Player, Position, Rules, RulesSpec, Step, Take, Terminal,
};

/// Moves and terminal patterns by mode. Searches check solvers, so this reads the rules independently: it shares no
/// code with [`step`](tablegen_labels::step()).
pub(super) struct Masks {
    moves: Vec<Vec<Move>>,
    /// The lists of lines that moves name by number.
    lines: Vec<Vec<Line>>,
    /// The conditions that moves name by number.
    counts: Vec<Number>,
    /// The takes that moves name by number.
    takes: Vec<Taking>,
    /// Terminal patterns: the cells that are filled, the cells that are empty, and what they are worth.
    ends: Vec<Vec<(Board, Board, Terminal)>>,
    /// Numbers of pieces that end the game, and the outcome.
    count_ends: Vec<Vec<(Number, Outcome)>>,
    terminals: Vec<Terminal>,
    /// The player of each mode; empty if the players move in turn.
    players: Vec<Player>,
    /// For each mode, true if some of its moves are legal only if no other is.
    ranked: Vec<bool>,
    /// True if boards have more than 64 cells.
    is_wide: bool,
    /// True if no move names lines, a condition or a take.
    is_plain: bool,
    has_count_ends: bool,
}

/// A condition: at least `least` and fewer than `beyond` of `cells` are filled.
struct Number {
    cells: u128,
    least: u32,
    beyond: u32,
}

/// A take: the lines that allow it, the cells of the pieces that can be taken, and the lines that protect pieces.
struct Taking {
    lines: Vec<u128>,
    cells: u128,
    guards: Vec<u128>,
}

impl Number {
    fn holds(&self, board: Board) -> bool {
        let filled = (board.number() & self.cells).count_ones();
        filled >= self.least && filled < self.beyond
    }
}

impl Taking {
    /// The pieces of which one is taken from `board`, the board after the move; 0 if none is.
    fn choices(&self, board: u128) -> u128 {
        if self.lines.iter().all(|line| !board & line != 0) {
            return 0;
        }
        let mut protected = 0;
        for guard in &self.guards {
            if !board & guard == 0 {
                protected |= guard;
            }
        }
        let pieces = board & self.cells;
        if pieces & !protected == 0 { pieces } else { pieces & !protected }
    }
}

impl Masks {
    pub(super) fn new(rules: &Rules) -> Self {
        let count = rules.modes().len();
        let (mut moves, mut ends) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        rules.moves().iter().for_each(|m| moves[usize::from(m.mode.0)].push(*m));
        rules.ends().iter().for_each(|end| ends[usize::from(end.mode.0)].push((end.pattern, end.empty, end.outcome)));
        let RulesSpec { terminal, terminals, players, lines, counts, takes, count_ends: all_ends, .. } =
            rules.spec().clone();
        let number = |count: Count| Number {
            cells: count.cells.number(),
            least: count.least.into(),
            beyond: u32::from(count.most) + 1,
        };
        let mut count_ends: Vec<Vec<(Number, Outcome)>> = (0..count).map(|_| Vec::new()).collect();
        all_ends.iter().for_each(|end| count_ends[usize::from(end.mode.0)].push((number(end.count), end.outcome)));
        let numbers = |cells: Vec<Board>| cells.into_iter().map(Board::number).collect();
        let taking =
            |it: Take| Taking { lines: numbers(it.lines), cells: it.cells.number(), guards: numbers(it.guards) };
        let terminals = if terminals.is_empty() { vec![terminal.into(); count] } else { terminals };
        let ranked = moves.iter().map(|moves| moves.iter().any(|m| m.otherwise)).collect();
        Self {
            moves,
            lines,
            counts: counts.into_iter().map(number).collect(),
            takes: takes.into_iter().map(taking).collect(),
            ends,
            has_count_ends: !all_ends.is_empty(),
            count_ends,
            terminals,
            players,
            ranked,
            is_wide: rules.cells() > u64::BITS,
            is_plain: rules.moves().iter().all(|m| m.lines.is_none() && m.when.is_none() && m.takes.is_none()),
        }
    }

    /// How the game has ended for a player without a move at `position`.
    pub(super) fn terminal(&self, position: Position) -> Ending {
        worth(self.terminals[usize::from(position.mode.0)], position.board)
    }

    /// Returns whether the same player moves again after `m`.
    #[inline(always)]
    fn is_again(&self, m: &Move) -> bool {
        if self.players.is_empty() {
            return m.again;
        }
        let player = |mode: Mode| self.players.get(usize::from(mode.0));
        player(m.mode) == player(m.next)
    }

    /// How the game has ended at `position`, if a number of pieces or a pattern ends it there.
    #[inline]
    pub(super) fn ended(&self, position: Position) -> Option<Ending> {
        if self.has_count_ends
            && let Some(outcome) = self.ended_by_count(position)
        {
            return Some(outcome.into());
        }
        let low = position.board.low_word();
        let is_filled =
            |pattern: Board| !low & pattern.low_word() == 0 && (!self.is_wide || position.board & pattern == pattern);
        let ends = &self.ends[usize::from(position.mode.0)];
        let found =
            ends.iter().find(|(pattern, empty, _)| is_filled(*pattern) && position.board & *empty == Board::EMPTY);
        found.map(|&(.., terminal)| worth(terminal, position.board))
    }

    #[inline(never)]
    fn ended_by_count(&self, position: Position) -> Option<Outcome> {
        let mut ends = self.count_ends[usize::from(position.mode.0)].iter();
        ends.find(|(number, _)| number.holds(position.board)).map(|&(_, outcome)| outcome)
    }

    /// What each move from `position` leads to, in the order of the rules. The caller checks terminal patterns.
    #[inline]
    pub(super) fn replies(&self, position: Position) -> Replies<'_> {
        let mode = usize::from(position.mode.0);
        let moves = &self.moves[mode];
        // The moves that go first exclude the others: one of these classes is skipped.
        let skips =
            self.ranked[mode] && moves.iter().filter(|m| !m.otherwise).any(|m| self.is_legal(m, position.board));
        Replies { masks: self, board: position.board, moves: moves.iter(), skips, last: Step::default(), taken: 0 }
    }

    #[inline(always)]
    fn is_legal(&self, m: &Move, board: Board) -> bool {
        // The low word decides on a board of up to 64 cells, and usually on a larger one.
        let low = board.low_word();
        let by_low = low & m.empty.low_word() == 0 && !low & m.full.low_word() == 0;
        let fits = by_low && (!self.is_wide || board & m.empty == Board::EMPTY && !board & m.full == Board::EMPTY);
        fits && (self.is_plain || self.allows(m, board))
    }

    /// Returns whether what `m` names by numbers allows it on `board`.
    #[inline(never)]
    fn allows(&self, m: &Move, board: Board) -> bool {
        let turns_one = |list: u16| self.lines[usize::from(list)].iter().any(|line| turns(line, board));
        m.lines.is_none_or(turns_one) && m.when.is_none_or(|number| self.counts[usize::from(number)].holds(board))
    }

    /// The board after the legal move `m` with lines from `board`, where `after` is the board after the move alone.
    #[inline(never)]
    fn turned(&self, m: &Move, board: Board, mut after: Board) -> Board {
        let lines = m.lines.iter().flat_map(|&list| &self.lines[usize::from(list)]);
        for line in lines.filter(|line| turns(line, board)) {
            after = (after | line.fills) & !line.clears;
        }
        after
    }

    /// The numbers of moves and of ends to test at `position`.
    pub(super) fn tests(&self, position: Position) -> [u64; 2] {
        let mode = usize::from(position.mode.0);
        [self.moves[mode].len() as u64, (self.ends[mode].len() + self.count_ends[mode].len()) as u64]
    }
}

/// What an end is worth on `board`.
fn worth(terminal: Terminal, board: Board) -> Ending {
    let points = match terminal {
        Terminal::Always(outcome) => return outcome.into(),
        Terminal::Points(points) => i64::from(points),
        Terminal::Most { own, other } => i64::from((board & own).count()) - i64::from((board & other).count()),
    };
    let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][(points.signum() + 1) as usize];
    Ending { outcome, points: points as i16 }
}

/// Returns whether `line` takes effect on `board`.
fn turns(line: &Line, board: Board) -> bool {
    !board & line.full == Board::EMPTY && board & line.empty == Board::EMPTY
}

/// What each move from a position leads to. A move that takes a piece leads to a position for each choice.
pub(super) struct Replies<'a> {
    masks: &'a Masks,
    board: Board,
    moves: Iter<'a, Move>,
    /// True to skip moves that are legal only without others.
    skips: bool,
    /// What the last move leads to before it takes one of the pieces `taken`.
    last: Step,
    taken: u128,
}

impl Iterator for Replies<'_> {
    type Item = Step;

    #[inline(always)]
    fn next(&mut self) -> Option<Step> {
        if self.taken == 0 {
            let (masks, board, skips) = (self.masks, self.board, self.skips);
            let m = self.moves.find(|m| masks.is_legal(m, board) && !(skips && m.otherwise))?;
            let after = (board | m.fills) & !m.clears;
            let to = |board| Step { to: Position { mode: m.next, board }, gain: m.gain, again: masks.is_again(m) };
            if masks.is_plain {
                return Some(to(after));
            }
            let after = masks.turned(m, board, after);
            let choices = m.takes.map_or(0, |number| masks.takes[usize::from(number)].choices(after.number()));
            if choices == 0 {
                return Some(to(after));
            }
            (self.last, self.taken) = (to(after), choices);
        }
        let lowest = self.taken & self.taken.wrapping_neg();
        self.taken ^= lowest;
        let Position { mode, board } = self.last.to;
        Some(Step { to: Position { mode, board: Board::from_number(board.number() ^ lowest) }, ..self.last })
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::alpha_beta::tests::random::motley;
    use super::*;

    /// The same rules on the highest cells of a board of more than 64 cells.
    fn widened(spec: RulesSpec) -> RulesSpec {
        let by = 62;
        let up = |cells: Board| cells << by;
        let mut wide = RulesSpec { cells: spec.cells + by, ..spec };
        for m in &mut wide.moves {
            (m.empty, m.full, m.fills, m.clears) = (up(m.empty), up(m.full), up(m.fills), up(m.clears));
        }
        wide.lines.iter_mut().flatten().for_each(|line| *line = line.moved(up));
        wide.counts.iter_mut().for_each(|count| *count = count.moved(up));
        wide.takes.iter_mut().for_each(|take| *take = take.moved(up));
        wide.count_ends.iter_mut().for_each(|end| *end = end.moved(up));
        wide.ends.iter_mut().for_each(|end| *end = end.moved(up));
        wide.terminals.iter_mut().for_each(|terminal| *terminal = terminal.moved(up));
        wide
    }

    #[test]
    fn masks_say_what_the_rules_say() {
        let mut rng = Rng::with_seed(3);
        for number in 0..300 {
            let spec = motley(&mut rng);
            let (is_wide, cells) = (number % 3 == 0, spec.cells);
            let rules = if is_wide { widened(spec) } else { spec }.build().unwrap();
            let masks = Masks::new(&rules);
            let modes = || (0..rules.modes().len() as u16).map(Mode);
            for (board, mode) in (0..1u64 << cells).flat_map(|board| modes().map(move |mode| (board, mode))) {
                let board = Board::from_word(board);
                let position = Position::new(mode, if is_wide { board << 62 } else { board });
                assert_eq!(masks.ended(position), rules.ending(position));
                assert!(masks.replies(position).eq(rules.steps(position)), "{position:?}");
                assert_eq!(masks.terminal(position), rules.terminal_in(mode).at(position.board));
                let by_count = rules.spec().count_ends.iter().filter(|end| end.mode == mode).count();
                let tests = [rules.moves_of(mode).len(), rules.ends_of(mode).len() + by_count];
                assert_eq!(masks.tests(position), tests.map(|count| count as u64));
            }
        }
    }
}
