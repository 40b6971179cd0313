//! The rules as a search reads them: masks of moves and terminal patterns, by mode.

use crate::rules::{Board, Line, Move, Outcome, Player, Position, Rules, RulesSpec, Terminal};

/// Moves and terminal patterns by mode. Searches check solvers, so this reads the rules independently: it shares no
/// code with [`step`](tablegen_labels::step()).
pub(super) struct Masks {
    moves: Vec<Vec<Move>>,
    /// The lists of lines that moves name by number.
    lines: Vec<Vec<Line>>,
    /// Terminal patterns: the cells that are filled, the cells that are empty, and the outcome.
    ends: Vec<Vec<(Board, Board, Outcome)>>,
    terminals: Vec<Terminal>,
    /// The player of each mode; empty if the players move in turn.
    players: Vec<Player>,
    /// For each mode, true if some of its moves are legal only if no other is.
    ranked: Vec<bool>,
    /// True if boards have more than 64 cells.
    is_wide: bool,
}

impl Masks {
    pub(super) fn new(rules: &Rules) -> Self {
        let mut moves = vec![Vec::new(); rules.modes().len()];
        let mut ends = vec![Vec::new(); rules.modes().len()];
        rules.moves().iter().for_each(|m| moves[usize::from(m.mode.0)].push(*m));
        rules.ends().iter().for_each(|end| ends[usize::from(end.mode.0)].push((end.pattern, end.empty, end.outcome)));
        let RulesSpec { terminal, terminals, players, lines, .. } = rules.spec().clone();
        let terminals = if terminals.is_empty() { vec![terminal.into(); rules.modes().len()] } else { terminals };
        let ranked = moves.iter().map(|moves| moves.iter().any(|m| m.otherwise)).collect();
        Self { moves, lines, ends, terminals, players, ranked, is_wide: rules.cells() > u64::BITS }
    }

    /// The outcome for a player without a move at `position`.
    pub(super) fn terminal(&self, position: Position) -> Outcome {
        let board = position.board;
        match self.terminals[usize::from(position.mode.0)] {
            Terminal::Always(outcome) => outcome,
            Terminal::Most { own, other } => {
                let lead = i64::from((board & own).count()) - i64::from((board & other).count());
                [Outcome::Loss, Outcome::Draw, Outcome::Win][(lead.signum() + 1) as usize]
            }
        }
    }

    /// The outcome for the player who moves from `position` to `reply`, if `outcome` is that of the player to move at
    /// `reply`.
    pub(super) fn for_mover(&self, position: Position, reply: Position, outcome: Outcome) -> Outcome {
        let player = |position: Position| self.players.get(usize::from(position.mode.0));
        let is_same = !self.players.is_empty() && player(position) == player(reply);
        if is_same { outcome } else { outcome.flip() }
    }

    /// The outcome of `position` if a pattern ends the game there.
    pub(super) fn ended(&self, position: Position) -> Option<Outcome> {
        let ends = &self.ends[usize::from(position.mode.0)];
        let low = position.board.low_word();
        let is_filled =
            |pattern: Board| !low & pattern.low_word() == 0 && (!self.is_wide || position.board & pattern == pattern);
        let found =
            ends.iter().find(|(pattern, empty, _)| is_filled(*pattern) && position.board & *empty == Board::EMPTY);
        found.map(|&(.., outcome)| outcome)
    }

    /// The positions after each move from `position`, in the order of the rules. The caller checks terminal patterns.
    pub(super) fn replies(&self, position: Position) -> impl Iterator<Item = Position> + '_ {
        let (board, low) = (position.board, position.board.low_word());
        // The low word decides on a board of up to 64 cells, and usually on a larger one.
        let is_wide = self.is_wide;
        let turns = move |line: &&Line| !board & line.full == Board::EMPTY && board & line.empty == Board::EMPTY;
        let is_legal = move |m: &&Move| {
            let by_low = low & m.empty.low_word() == 0 && !low & m.full.low_word() == 0;
            let fits = by_low && (!is_wide || board & m.empty == Board::EMPTY && !board & m.full == Board::EMPTY);
            fits && m.lines.is_none_or(|list| self.lines[usize::from(list)].iter().any(|line| turns(&line)))
        };
        let play = move |m: &Move| {
            let mut after = (board | m.fills) & !m.clears;
            for line in m.lines.iter().flat_map(|&list| &self.lines[usize::from(list)]).filter(turns) {
                after = (after | line.fills) & !line.clears;
            }
            Position { mode: m.next, board: after }
        };
        let mode = usize::from(position.mode.0);
        // The moves that go first exclude the others: one of these classes is skipped.
        let skipped = self.ranked[mode].then(|| self.moves[mode].iter().filter(|m| !m.otherwise).any(|m| is_legal(&m)));
        let is_allowed = move |m: &&Move| !(m.otherwise && skipped == Some(true));
        self.moves[mode].iter().filter(is_allowed).filter(is_legal).map(play)
    }

    /// The numbers of moves and of terminal patterns to test at `position`.
    pub(super) fn tests(&self, position: Position) -> [u64; 2] {
        let mode = usize::from(position.mode.0);
        [self.moves[mode].len() as u64, self.ends[mode].len() as u64]
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::alpha_beta::tests::motley;
    use super::*;
    use crate::rules::Mode;

    /// The same rules on the highest cells of a board of more than 64 cells.
    fn widened(spec: RulesSpec) -> RulesSpec {
        let by = 62;
        let up = |cells: Board| cells << by;
        let mut wide = RulesSpec { cells: spec.cells + by, ..spec };
        for m in &mut wide.moves {
            (m.empty, m.full, m.fills, m.clears) = (up(m.empty), up(m.full), up(m.fills), up(m.clears));
        }
        wide.lines.iter_mut().flatten().for_each(|line| *line = line.moved(up));
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
                assert_eq!(masks.ended(position), rules.ended(position));
                assert!(masks.replies(position).eq(rules.successors(position)), "{position:?}");
                assert_eq!(masks.terminal(position), rules.terminal_in(mode).on(position.board));
                for next in modes() {
                    let found = masks.for_mover(position, Position::new(next, position.board), Outcome::Win);
                    assert_eq!(found == Outcome::Loss, rules.turns_over(mode, next));
                }
                let tests = [rules.moves_of(mode).len(), rules.ends_of(mode).len()];
                assert_eq!(masks.tests(position), tests.map(|count| count as u64));
            }
        }
    }
}
