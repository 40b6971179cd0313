//! The moves of a position, and the positions before it.
//!
//! A strategy looks at many positions of the same modes, so the masks of all moves of a mode are tested at once ([`Tests`]). The
//! tests only choose the moves that may be legal: the rules say what they do.

use crate::reach::{TEST_ROOM, Test, Tests};
use crate::rules::{Ending, Mode, Move, Outcome, Position, Rules};

/// A move that may fill this many cells whether they are empty or not has too many positions before it to list them.
const OPEN: u32 = 4;

/// The moves of some rules, by mode.
pub(super) struct Moves<'a> {
    rules: &'a Rules,
    modes: Vec<OfMode<'a>>,
    /// The moves that lead to each mode; `None` if they cannot be undone.
    before: Option<Vec<Before<'a>>>,
}

/// The moves and the terminal patterns of a mode.
struct OfMode<'a> {
    moves: &'a [Move],
    /// Masks alone say which moves are legal and what they do.
    is_plain: bool,
    tests: Tests<u128>,
    ends: Tests<u128>,
}

/// The moves that lead to a mode, and the tests of the boards after them.
struct Before<'a> {
    moves: Vec<&'a Move>,
    tests: Tests<u128>,
}

/// The numbers of the tests that a board passes, in order.
#[derive(Clone)]
struct Passed<'t> {
    tests: &'t Tests<u128>,
    board: u128,
    /// The next word of tests, and the tests of the last one that are still to come.
    next: usize,
    left: u64,
}

impl<'t> Passed<'t> {
    const fn of(tests: &'t Tests<u128>, position: Position) -> Self {
        Self { tests, board: position.board.number(), next: 0, left: 0 }
    }
}

impl Iterator for Passed<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            if self.next == self.tests.words() {
                return None;
            }
            self.left = self.tests.passed(self.next, self.board);
            self.next += 1;
        }
        let bit = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(64 * (self.next - 1) + bit)
    }
}

/// A move that masks allow at a position.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The position after the move.
    pub(super) after: Position,
    /// The points that it gains.
    pub(super) gain: i16,
    otherwise: bool,
    /// True if the same player moves again.
    pub(super) again: bool,
}

/// Whether the masks of a move alone say when it is legal and what it does.
const fn is_plain(m: &Move) -> bool {
    m.lines.is_none() && m.when.is_none() && m.takes.is_none()
}

/// The moves that masks allow in a mode whose moves are all plain, and in any other.
#[derive(Clone)]
enum Allowed<P, A> {
    Plain(P),
    Any(A),
}

impl<P: Iterator<Item = Step>, A: Iterator<Item = Step>> Iterator for Allowed<P, A> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        match self {
            Self::Plain(steps) => steps.next(),
            Self::Any(steps) => steps.next(),
        }
    }
}

impl<'a> Moves<'a> {
    pub(super) fn new(rules: &'a Rules) -> Self {
        let mut room = TEST_ROOM;
        let mut prepare = |tests: Vec<Test<u128>>| Tests::new(tests, rules.cells(), &mut room);
        let modes = || (0..rules.modes().len() as u16).map(Mode);
        let of_mode = |mode: Mode| {
            let (moves, ends) = (rules.moves_of(mode), rules.ends_of(mode));
            let tests = prepare(moves.iter().map(|m| Test::new(m.empty, m.full)).collect());
            let is_plain = moves.iter().all(is_plain);
            OfMode {
                moves,
                is_plain,
                tests,
                ends: prepare(ends.iter().map(|end| Test::new(end.empty, end.pattern)).collect()),
            }
        };
        let all = modes().map(of_mode).collect();
        let open = |m: &Move| (m.fills & !m.empty & !m.full).count();
        let is_undone = !rules.has_lines() && !rules.counts_pieces() && rules.moves().iter().all(|m| open(m) <= OPEN);
        let before = |mode: Mode| {
            let moves: Vec<&Move> = rules.moves().iter().filter(|m| m.next == mode).collect();
            let after = |m: &&Move| Test::new(m.clears | m.empty & !m.fills, m.fills | m.full & !m.clears);
            Before { tests: prepare(moves.iter().map(after).collect()), moves }
        };
        Self { rules, modes: all, before: is_undone.then(|| modes().map(before).collect()) }
    }

    fn of(&self, position: Position) -> &OfMode<'a> {
        &self.modes[usize::from(position.mode.0)]
    }

    /// The outcome and the points that a terminal pattern gives `position`.
    fn ended(&self, position: Position) -> Option<Ending> {
        if !self.rules.spec().count_ends.is_empty() {
            return self.rules.ending(position);
        }
        let ends = self.rules.ends_of(position.mode);
        let mut matching = Passed::of(&self.of(position).ends, position).map(|number| &ends[number]);
        matching.find(|end| end.matches(position.board)).map(|end| end.outcome.at(position.board))
    }

    /// The moves that masks allow, even where a terminal pattern has ended the game.
    #[inline]
    fn allowed(&self, position: Position) -> impl Iterator<Item = Step> + Clone {
        let (of_mode, rules) = (self.of(position), self.rules);
        let moves = Passed::of(&of_mode.tests, position).map(|number| &of_mode.moves[number]);
        let step =
            move |m: &Move, after| Step { after, gain: m.gain, otherwise: m.otherwise, again: !rules.hands_over(m) };
        if of_mode.is_plain {
            return Allowed::Plain(moves.map(move |m| step(m, m.play(position))));
        }
        Allowed::Any(moves.flat_map(move |m| {
            let plain = is_plain(m).then(|| m.play(position));
            let others = (!is_plain(m)).then(|| rules.applied(m, position)).into_iter().flatten();
            let all = plain.into_iter().chain(others.map(move |applied| applied.play(position)));
            all.map(move |after| step(m, after))
        }))
    }

    /// The legal moves, in the order of the rules.
    #[inline]
    pub(super) fn from(&self, position: Position) -> impl Iterator<Item = Step> {
        let mut moves = Some(self.allowed(position)).filter(|_| self.ended(position).is_none());
        let waits = moves.is_some() && self.has_first(position);
        std::iter::from_fn(move || moves.as_mut()?.find(|step| !(waits && step.otherwise)))
    }

    /// Returns whether moves with [`Move::otherwise`] are not legal, because others are.
    fn has_first(&self, position: Position) -> bool {
        self.rules.has_otherwise() && self.allowed(position).any(|step| !step.otherwise)
    }

    /// The outcome for the player to move, if the game is over.
    pub(super) fn outcome_if_over(&self, position: Position) -> Option<Outcome> {
        self.ending(position).map(|ending| ending.outcome)
    }

    /// The outcome and the points for the player to move, if the game is over.
    pub(super) fn ending(&self, position: Position) -> Option<Ending> {
        let stuck = || self.rules.terminal_in(position.mode).at(position.board);
        self.ended(position).or_else(|| self.allowed(position).next().is_none().then(stuck))
    }

    /// As [`Rules::is_over`].
    pub(super) fn is_over(&self, position: Position) -> bool {
        self.ended(position).is_some() || self.allowed(position).next().is_none()
    }

    /// Calls `each` with the positions from which a legal move leads to `position`, whether play reaches them or not. A position may come
    /// several times. Returns `false` if moves cannot be undone.
    pub(super) fn each_before(&self, position: Position, mut each: impl FnMut(Position)) -> bool {
        let Some(modes) = &self.before else { return false };
        let Before { moves, tests } = &modes[usize::from(position.mode.0)];
        for m in Passed::of(tests, position).map(|number| moves[number]) {
            let legal = |&before: &Position| self.ended(before).is_none() && !(m.otherwise && self.has_first(before));
            m.undo(position).filter(legal).for_each(&mut each);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, men, runs};
    use crate::rules::{Board, End, RulesSpec};

    /// Random moves of two modes, some of them only legal where no others are, and random terminal patterns.
    fn random(draw: &mut fastrand::Rng, cells: u32) -> RulesSpec {
        let mut some = |share: u32| (0..cells).filter(|_| draw.u32(..share) == 0).map(Board::bit).collect::<Board>();
        let mut moves = Vec::new();
        for number in 0..24 {
            let [empty, full, open] = [some(3), some(3), some(4)];
            let (full, mode) = (full & !empty, Mode(number % 2));
            let fills = if number < 8 { empty } else { empty | open };
            let clears = full & !fills & some(2);
            let otherwise = number % 5 == 0;
            moves.push(Move { mode, next: Mode(1 - mode.0), full, fills, clears, otherwise, ..Move::fill(empty) });
        }
        moves.sort_unstable();
        moves.dedup();
        let end = |number: u16, pattern: Board, empty: Board| {
            let outcome = [Outcome::Win, Outcome::Draw][usize::from(number / 2)];
            End { mode: Mode(number % 2), pattern, empty: empty & !pattern, outcome: outcome.into() }
        };
        let ends = (0..4).map(|number| end(number, some(3), some(4))).collect();
        RulesSpec { moves, ends, modes: vec!["a".into(), "b".into()], ..RulesSpec::new("random", cells) }
    }

    /// Legal moves, ends of play and moves undone are those of the rules, at every position.
    #[test]
    fn moves_equal_the_rules() {
        let mut draw = fastrand::Rng::with_seed(66);
        let grid = Grid { rows: 2, cols: 3 };
        let mut specs = vec![runs(grid, 2), men(grid, 2)];
        specs.extend((0..40).map(|_| random(&mut draw, 7)));
        let (mut undone, mut ended) = (0, 0);
        for rules in specs.into_iter().filter_map(|spec| spec.build().ok()) {
            let moves = Moves::new(&rules);
            let modes = 0..rules.modes().len() as u16;
            let boards =
                |mode| (0..1 << rules.cells()).map(move |board| Position::new(Mode(mode), Board::from_word(board)));
            let (mut forward, mut backward) = (Vec::new(), Vec::new());
            for position in modes.flat_map(boards) {
                let plain: Vec<Position> = rules.moves_from(position).map(|m| m.play(position)).collect();
                let found: Vec<Position> = moves.from(position).map(|step| step.after).collect();
                assert_eq!(found, plain, "{position:?} {rules:?}");
                assert_eq!(moves.is_over(position), plain.is_empty());
                let stuck = rules.terminal_in(position.mode).on(position.board);
                let outcome = rules.ended(position).or(plain.is_empty().then_some(stuck));
                assert_eq!(moves.outcome_if_over(position), outcome);
                ended += usize::from(outcome.is_some());
                forward.extend(plain.into_iter().map(|after| (position, after)));
                if moves.each_before(position, |before| backward.push((before, position))) {
                    undone += 1;
                }
            }
            if moves.before.is_some() {
                forward.sort_unstable();
                backward.sort_unstable();
                assert_eq!(backward, forward, "{rules:?}");
            }
        }
        assert!(undone > 1000 && ended > 1000, "{undone} {ended}");
    }
}
