//! The length of a draw: both players delay, as long as they keep the draw. A draw by repetition is the longest.
//!
//! Windows do not find it, because both players want the same. In games such as tic-tac-toe it follows from the rules: a draw comes when all
//! squares are taken, and each move takes one. In other games a search follows all moves that keep the draw.

use rustc_hash::FxHashMap;

use super::General;
use super::descent::Ask;
use crate::Wanted;
use crate::outcome::Effort;
use crate::rules::{Board, Mode, Move, Node, Outcome, Position, Rules, Terminal};
use tablegen_labels::Value;

/// The most positions that are expanded to find the length of a draw, and the most lengths that are remembered.
const MOST_EXPANDED: u64 = 1 << 16;
const MOST_REMEMBERED: usize = 1 << 20;

/// What is known about the length of draws.
pub(super) struct Draws {
    /// If draws come only when all these squares are taken, and each move takes one: the cells of each square.
    squares: Option<Vec<Board>>,
    found: FxHashMap<Position, Length>,
}

/// How long a draw lasts. The longest is the best for both players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Length {
    Plies(u32),
    /// Without end: a draw by repetition.
    Endless,
}

impl Length {
    /// The length of a draw with this value; `None` if it is no draw, or if its length is not known.
    pub(super) fn of(value: Value) -> Option<Self> {
        let length = if value.repetition { Some(Self::Endless) } else { value.remoteness().map(Self::Plies) };
        length.filter(|_| value.outcome == Outcome::Draw)
    }

    /// The value of a draw of this length.
    pub(super) fn value(self) -> Value {
        let draw = Value::from(Outcome::Draw);
        match self {
            Self::Plies(plies) => draw.with_remoteness(Some(plies)),
            Self::Endless => Value { repetition: true, ..draw },
        }
    }

    /// The length one ply before.
    const fn before(self) -> Self {
        match self {
            Self::Plies(plies) => Self::Plies(plies + 1),
            Self::Endless => Self::Endless,
        }
    }
}

impl Draws {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { squares: squares(rules), found: FxHashMap::default() }
    }

    /// The plies of a draw from `position` where they follow from the rules.
    fn by_rule(&self, position: Position) -> Option<Length> {
        let free = |square: &&Board| position.board.is_disjoint(**square);
        self.squares.as_ref().map(|squares| Length::Plies(squares.iter().filter(free).count() as u32))
    }
}

impl General {
    /// The length of the draw at `position`; `None` if too many positions have to be expanded to find it.
    pub(super) fn length_of_draw(&mut self, position: Position, ask: &mut Ask<'_>, end: Effort) -> Option<Length> {
        if let Some(length) = self.draws.by_rule(position) {
            return Some(length);
        }
        if self.draws.found.len() > MOST_REMEMBERED {
            self.draws.found.clear();
        }
        let end = self.effort.end(MOST_EXPANDED).least(end);
        self.longest_draw(position, ask, end)
    }

    /// Each move leads to a higher level, so recursion is no deeper than the number of levels.
    fn longest_draw(&mut self, position: Position, ask: &mut Ask<'_>, end: Effort) -> Option<Length> {
        if let Some(&length) = self.draws.found.get(&position) {
            return Some(length);
        }
        if let Some(length) = ask.known.and_then(|known| known(position, Wanted::Plies)).and_then(Length::of) {
            return Some(length);
        }
        if self.forms.rules().is_over(position) {
            return Some(Length::Plies(0));
        }
        // Positions that may repeat must be known.
        if self.effort.reaches(end) || self.forms.rules().phases().may_repeat(position.mode) {
            return None;
        }
        self.effort.expanded += 1;
        let mut longest = Length::Plies(0);
        for step in self.forms.rules().choices(Node::At(position)) {
            if self.decided(step.to, 0, ask, end)?.outcome == Outcome::Draw {
                longest = longest.max(self.longest_draw(step.to, ask, end)?.before());
            }
        }
        self.draws.found.insert(position, longest);
        Some(longest)
    }

    /// The best move of a draw of this `length`.
    pub(super) fn best_of_draw(
        &mut self,
        position: Position,
        length: Length,
        ask: &mut Ask<'_>,
        end: Effort,
    ) -> Option<Position> {
        for step in self.forms.rules().choices(Node::At(position)) {
            let is_drawn = self.decided(step.to, 0, ask, end)?.outcome == Outcome::Draw;
            if is_drawn && self.length_of_draw(step.to, ask, end)?.before() == length {
                return Some(step.to);
            }
        }
        None
    }
}

/// Sets of cells, each a square, such that every move takes one free square by filling one of its cells and changes nothing else, and such
/// that play ends in a draw only if no square is free. `None` if the rules are not of this kind.
fn squares(rules: &Rules) -> Option<Vec<Board>> {
    let draws = |terminal: Terminal| terminal.can_draw();
    let by_count = rules.spec().count_ends.iter().any(|end| end.outcome == Outcome::Draw);
    if by_count || rules.ends().iter().any(|end| draws(end.outcome)) {
        return None;
    }
    let is_plain = |m: &Move| {
        let takes_one = m.fills.count() == 1 && m.empty.contains(m.fills) && m.clears.is_empty();
        takes_one && m.lines.is_none() && m.takes.is_none() && m.when.is_none() && !m.otherwise
    };
    if !rules.moves().iter().all(is_plain) {
        return None;
    }
    let mut squares: Vec<Board> = rules.moves().iter().map(|m| m.empty).collect();
    squares.sort_unstable();
    squares.dedup();
    let is_apart = |(number, square): (usize, &Board)| squares[..number].iter().all(|other| other.is_disjoint(*square));
    if !squares.iter().enumerate().all(is_apart) {
        return None;
    }
    let modes = (0..rules.modes().len() as u16).map(Mode);
    let mut drawing = modes.filter(|&mode| draws(rules.terminal_in(mode)));
    drawing.all(|mode| all_are_taken(rules.moves_of(mode), &squares)).then_some(squares)
}

/// Returns whether no square is free where no move of `moves` is legal. By turns, squares are found that are taken there: a move takes them
/// whatever is on other squares, or one of its moves is legal whatever is on a square that is taken.
fn all_are_taken(moves: &[Move], squares: &[Board]) -> bool {
    let mut taken = vec![false; squares.len()];
    loop {
        let must_be_taken = |square: Board, taken: &[bool]| {
            let needs = || moves.iter().filter(move |m| m.empty == square).map(|m| m.full);
            let follows = |other: Board| other.bits().all(|cell| needs().any(|full| full == Board::bit(cell)));
            let others = squares.iter().zip(taken).filter(|&(&other, &is_taken)| is_taken && other != square);
            needs().any(Board::is_empty) || { others }.any(|(&other, _)| follows(other))
        };
        let found: Vec<usize> =
            (0..squares.len()).filter(|&at| !taken[at] && must_be_taken(squares[at], &taken)).collect();
        if found.is_empty() {
            return taken.iter().all(|&is_taken| is_taken);
        }
        found.into_iter().for_each(|at| taken[at] = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RulesSpec;
    use crate::rules::samples::{Grid, three_in_a_line};

    #[test]
    fn draws_last_until_no_square_is_free() {
        let lines = three_in_a_line(Grid { rows: 2, cols: 3 }).build().unwrap();
        let squares = squares(&lines).unwrap();
        assert_eq!(squares, (0..6).map(|square| Board::from_word(0x41 << square)).collect::<Vec<_>>());
    }

    #[test]
    fn a_square_may_need_another_that_is_taken() {
        // Two colours on a stack of two squares; the upper square needs a piece of some colour below it.
        let put = |square: u32, colour: u32, full: Board| Move {
            mode: Mode(0),
            empty: Board::from_word(0b101 << square),
            full,
            ..Move::fill(Board::bit(square + 2 * colour))
        };
        let of = |below: &[u32], terminal| {
            let upper = below.iter().map(|&colour| put(1, 0, Board::bit(2 * colour)));
            let moves = std::iter::once(put(0, 0, Board::EMPTY)).chain(upper).collect();
            squares(&RulesSpec { moves, terminal, ..RulesSpec::new("stack", 4) }.build().unwrap()).map(|it| it.len())
        };
        assert_eq!(of(&[0, 1], Outcome::Draw), Some(2));
        // A piece of the other colour below leaves the upper square free.
        assert_eq!(of(&[0], Outcome::Draw), None);
        // Then nobody draws.
        assert_eq!(of(&[0], Outcome::Loss), Some(2));
    }
}
