//! Rules in the form that a fast search needs.
//!
//! Moves of a mode that are translations of each other form a [`Shape`], so that the legal ones are found together. For each
//! move, only those terminal patterns are tested that it may complete: they contain a cell that the move fills. All others
//! were tested before, because the search expands no position in which the game is over. Which patterns those are is
//! computed from the rules: see [`absent`].

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::absent::absent;
use super::ending::{Ending, Margin, sign_of};
use super::number::NumberEnd;
use super::patterns::{Blockers, Patterns};
use super::race::Race;
use super::shape::{Shape, shapes};
use super::soonest::Soonest;
use super::taking::Taking;
use super::turning::Turning;
use super::word::Word;
use crate::rules::{Mode, Outcome, Rules, Terminal};

/// Maximum number of pairs of a move and a pattern that are compared to find the tests of each move. Beyond that, all
/// patterns are tested after each move.
const MOST_PAIRS: usize = 1 << 24;

/// Maximum number of distances of cells that block each other.
const MOST_BLOCKERS: usize = 2;

/// The rules of one mode.
pub(super) struct ModeRules<W> {
    pub(super) shapes: Vec<Shape<W>>,
    /// The moves that turn over lines.
    pub(super) turning: Vec<Turning<W>>,
    /// True if positions may repeat, so that no search ends here.
    pub(super) may_repeat: bool,
    /// The outcome for a player without a move.
    pub(super) terminal: Terminal,
    /// How soon the player to move can win and lose.
    pub(super) soonest: Soonest,
    /// The numbers of pieces that end the game in this mode, before any pattern.
    pub(super) number_ends: Vec<NumberEnd<W>>,
    /// The patterns that end the game in this mode and their values for the player to move; the first that matches decides.
    pub(super) ends: Vec<Ending<W>>,
    /// Patterns that must not be on the board of a position in this mode for the tests of moves to be complete.
    pub(super) absent: Vec<W>,
    /// The next mode, if all moves lead to one mode and hand over to the other player, and none turns over lines.
    pub(super) next: Option<usize>,
    /// The value for the player who completes a pattern, if moves end the game only by filling the last cell of a pattern
    /// and all patterns have this value.
    pub(super) goal: Option<i32>,
    /// The patterns of `goal`.
    pub(super) goals: Patterns<W>,
    /// True if no move empties a cell or completes a pattern other than by [`goal`](Self::goal). Then the other player can
    /// still make a winning move if the cells that it fills stay empty.
    pub(super) keeps_wins: bool,
    /// The facts for counting moves, if two modes alternate in a race.
    pub(super) race: Option<Race<W>>,
    /// True if two modes alternate, players complete patterns to win, and play otherwise ends in a draw.
    draws_without_goal: bool,
    /// True if moves of some mode gain points.
    pub(super) gains: bool,
    /// True if no move of this mode changes which cells complete the patterns of the next mode.
    pub(super) keeps_next_goals: bool,
}

/// The rules of a game.
pub(super) struct Compiled<W> {
    pub(super) modes: Vec<ModeRules<W>>,
    /// The patterns that each move may complete: `tests[ranges[number]]`.
    tests: Vec<Ending<W>>,
    ranges: Vec<(u32, u32)>,
    /// The counts that ends name by number.
    margins: Vec<Margin<W>>,
    /// What moves take, by the number that they name.
    pub(super) takes: Vec<Taking<W>>,
    /// The number of moves, for tables by the number of a move.
    pub(super) moves: usize,
}

impl<W: Word> Compiled<W> {
    /// Compiles `rules`. If `any_board` is true, positions may contain patterns that end the game in another mode. If `counts` is true,
    /// the search is for points, and knows nothing that holds for outcomes alone.
    pub(super) fn new(rules: &Rules, any_board: bool, counts: bool) -> Self {
        let count = rules.modes().len();
        let mut margins = Vec::new();
        let mut ends = |mode: usize| -> Vec<Ending<W>> {
            rules.ends_of(Mode(mode as u16)).iter().map(|end| Ending::new(end, &mut margins)).collect()
        };
        let soonest = Soonest::by_parity(rules).into_iter().map(Soonest::of_any);
        let mut absent = absent(rules, any_board).into_iter();
        let mut compiled = Self {
            modes: Vec::with_capacity(count),
            tests: Vec::new(),
            ranges: Vec::new(),
            margins: Vec::new(),
            takes: Taking::all(rules),
            moves: 0,
        };
        for (mode, soonest) in soonest.enumerate() {
            let (shapes, moves) = shapes(rules, mode, compiled.moves);
            compiled.moves += moves;
            let turning = Turning::all(rules, mode, compiled.moves);
            compiled.moves += turning.len();
            let first_next = shapes.first().filter(|shape| shape.hands_over).map(|shape| shape.next);
            compiled.modes.push(ModeRules {
                next: first_next.filter(|&next| {
                    turning.is_empty() && shapes.iter().all(|shape| shape.next == next && shape.hands_over)
                }),
                shapes,
                turning,
                may_repeat: rules.phases().may_repeat(Mode(mode as u16)),
                terminal: rules.terminal_in(Mode(mode as u16)),
                soonest,
                number_ends: NumberEnd::all(rules, Mode(mode as u16)),
                ends: ends(mode),
                absent: absent.next().unwrap_or_default(),
                goal: None,
                goals: Patterns::none(),
                keeps_wins: false,
                race: None,
                draws_without_goal: false,
                keeps_next_goals: false,
                gains: counts && rules.has_gains(),
            });
        }
        compiled.margins = margins;
        // Goals and races rest on moves that do not depend on each other, nor on numbers of pieces.
        let depends = counts || rules.has_otherwise() || rules.counts_pieces();
        if !depends {
            compiled.add_goals();
        }
        compiled.add_tests();
        for of in &mut compiled.modes {
            of.keeps_wins =
                of.turning.is_empty() && of.shapes.iter().all(|shape| shape.clears.is_empty() && !shape.is_tested);
        }
        let draws = |mode: &ModeRules<W>| mode.goal == Some(1) && mode.terminal == Terminal::Always(Outcome::Draw);
        for mode in 0..compiled.modes.len() {
            let of = &compiled.modes[mode];
            let next = of.next.map(|next| &compiled.modes[next]);
            let is_pair = next.is_some_and(|next| next.next == Some(mode) && draws(next));
            compiled.modes[mode].draws_without_goal = is_pair && draws(of);
            let of = &compiled.modes[mode];
            let other = of.next.map(|next| &compiled.modes[next]).filter(|other| other.next == Some(mode));
            let ends_in_loss = Terminal::Always(Outcome::Loss);
            let is_normal = |mode: &ModeRules<W>| mode.terminal == ends_in_loss && mode.ends.is_empty();
            let other = other.filter(|_| !depends);
            let other = other.filter(|other| of.next != Some(mode) && is_normal(of) && is_normal(other));
            compiled.modes[mode].race = other.and_then(|other| Race::new(&of.shapes, &other.shapes));
        }
        compiled
    }

    /// Finds the modes in which single cells complete patterns.
    fn add_goals(&mut self) {
        for mode in 0..self.modes.len() {
            let of = &self.modes[mode];
            let Some(next) = of.next.map(|next| &self.modes[next]) else { continue };
            let Some(value) = next.ends.first().and_then(Ending::sign) else { continue };
            let is_single = of.shapes.iter().all(|shape| shape.single.is_some());
            let is_one_value = next.ends.iter().all(|end| end.sign() == Some(value));
            if !is_single || !is_one_value || !next.ends.iter().all(|end| of.is_absent(end.pattern)) {
                continue;
            }
            if let Some(goals) = Patterns::new(next.ends.iter().map(|end| end.pattern)) {
                let blockers = blockers(self.modes.iter().flat_map(|mode| &mode.shapes));
                let of = &mut self.modes[mode];
                (of.goal, of.goals) = (Some(-value), goals.with_blockers(blockers));
            }
        }
        for mode in 0..self.modes.len() {
            let Some(next) = self.modes[mode].next else { continue };
            let goals = self.modes[next].goals.cells();
            let shapes = self.modes[mode].shapes.iter();
            let mut changed =
                shapes.flat_map(|shape| shape.anchors.bits().map(|anchor| (shape.fills | shape.clears) << anchor));
            self.modes[mode].keeps_next_goals = changed.all(|cells| (cells & goals).is_empty());
        }
    }

    /// Lists the patterns that each move may complete.
    fn add_tests(&mut self) {
        // All patterns of each mode come first, once for all moves after which each of them is tested.
        let whole: Vec<(u32, u32)> =
            self.modes.iter().map(|of| append(&mut self.tests, of.ends.iter().copied())).collect();
        self.ranges = vec![(0, 0); self.moves];
        for mode in 0..self.modes.len() {
            if self.modes[mode].goal.is_some() {
                continue;
            }
            for number in 0..self.modes[mode].shapes.len() {
                let (of, shape) = (&self.modes[mode], &self.modes[mode].shapes[number]);
                let ends = &self.modes[shape.next].ends;
                let anchors: Vec<u32> = shape.anchors.bits().collect();
                let is_few = anchors.len().saturating_mul(ends.len()) <= MOST_PAIRS && self.tests.len() <= MOST_PAIRS;
                let is_known: Vec<bool> = ends.iter().map(|end| of.is_absent(end.pattern)).collect();
                let mut is_tested = !self.modes[shape.next].number_ends.is_empty();
                for anchor in anchors {
                    let fills = shape.fills << anchor;
                    let may = |at: &usize| !is_known[*at] || !(ends[*at].pattern & fills).is_empty();
                    let range = if is_few {
                        append(&mut self.tests, (0..ends.len()).filter(may).map(|at| ends[at]))
                    } else {
                        whole[shape.next]
                    };
                    is_tested |= range.0 < range.1;
                    self.ranges[shape.number(anchor)] = range;
                }
                self.modes[mode].shapes[number].is_tested = is_tested;
            }
            for turning in &self.modes[mode].turning {
                self.ranges[turning.number] = whole[turning.next];
            }
        }
    }

    /// What the end is worth for the player to move in mode `next` after the move with this number, if the game ends on `board`. Adds the
    /// number of tests to `work`.
    #[inline]
    pub(super) fn ended(&self, number: usize, next: usize, board: W, work: &mut u64) -> Option<i32> {
        if let Some(worth) = self.modes[next].ended_by_number(board) {
            return Some(worth);
        }
        let (first, last) = self.ranges[number];
        *work += u64::from(last - first);
        let mut tests = self.tests[first as usize..last as usize].iter();
        tests.find(|test| test.matches(board)).map(|test| self.worth(test, board))
    }

    #[inline]
    fn worth(&self, end: &Ending<W>, board: W) -> i32 {
        end.worth(&self.margins, board)
    }

    /// What the end is worth if a number of pieces or a pattern ends the game on `board` in this mode.
    pub(super) fn ended_at(&self, mode: usize, board: W) -> Option<i32> {
        let of = &self.modes[mode];
        let by_pattern = || of.ends.iter().find(|end| end.matches(board)).map(|end| self.worth(end, board));
        of.ended_by_number(board).or_else(by_pattern)
    }
}

impl<W: Word> ModeRules<W> {
    fn is_absent(&self, pattern: W) -> bool {
        self.absent.binary_search(&pattern).is_ok()
    }

    /// What the end is worth if a number of pieces ends the game on `board`.
    #[inline]
    fn ended_by_number(&self, board: W) -> Option<i32> {
        self.number_ends.iter().find(|end| end.number.fits(board)).map(|end| end.worth)
    }

    /// What it is worth to have no move on `board`.
    pub(super) fn without_move(&self, board: W) -> i32 {
        match self.terminal {
            Terminal::Always(outcome) => sign_of(outcome),
            Terminal::Points(points) => points.into(),
            Terminal::Most { .. } => self.terminal.points(board.board()).unwrap_or(0),
        }
    }

    /// A value that settles a window, if patterns that can no longer be completed give one: where two players in turn complete
    /// patterns to win and play otherwise ends in a draw, a player who cannot complete a pattern does not win.
    #[inline(always)]
    pub(super) fn bound(&self, modes: &[Self], board: W, alpha: i32, beta: i32) -> Option<i32> {
        let next = self.next.filter(|_| self.draws_without_goal).map(|next| &modes[next])?;
        let cannot_win = alpha >= 0 && !self.goals.can_complete(board);
        let cannot_lose = beta <= 0 && !next.goals.can_complete(board);
        (cannot_win || cannot_lose).then_some(0)
    }

    /// Returns whether a move of this mode ends the game with a win, where `goals` are the cells that complete a pattern.
    #[inline(always)]
    pub(super) fn wins_at_once(&self, board: W, goals: W) -> bool {
        let wins = |shape: &Shape<W>| {
            let reached = goals >> shape.single.unwrap_or(0);
            !(reached & shape.anchors).is_empty() && !(reached & shape.legal(board)).is_empty()
        };
        self.goal == Some(1) && !goals.is_empty() && self.shapes.iter().any(wins)
    }
}

/// Appends `more` to `tests`, and returns where it lies.
fn append<T>(tests: &mut Vec<T>, more: impl Iterator<Item = T>) -> (u32, u32) {
    let first = tests.len() as u32;
    tests.extend(more);
    (first, tests.len() as u32)
}

/// The cells that each cell needs empty in every move that fills it, if no move empties a cell and there are few distances.
fn blockers<'a, W: Word>(shapes: impl Iterator<Item = &'a Shape<W>>) -> Vec<Blockers<W>> {
    let mut needed: BTreeMap<u32, W> = BTreeMap::new();
    for shape in shapes {
        let Some(cell) = shape.single else { return Vec::new() };
        for anchor in shape.anchors.bits() {
            let empties = shape.empties << anchor;
            needed.entry(cell + anchor).and_modify(|needed| *needed &= empties).or_insert(empties);
        }
    }
    let mut by_distance: BTreeMap<i32, W> = BTreeMap::new();
    for (cell, needed) in needed {
        for other in needed.bits().filter(|&other| other != cell) {
            *by_distance.entry(other as i32 - cell as i32).or_default() |= W::bit(cell);
        }
    }
    let all = by_distance.into_iter().map(|(by, cells)| Blockers { cells, by });
    // The cells of most blockers first; each costs a shift.
    let mut all: Vec<Blockers<W>> = all.collect();
    all.sort_by_key(|blockers| Reverse(blockers.cells.count()));
    all.truncate(MOST_BLOCKERS);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::{Grid, three_in_a_line};
    use crate::rules::{Board, End, Move, RulesSpec};

    fn compiled<W: Word>(spec: RulesSpec) -> Compiled<W> {
        Compiled::new(&spec.build().expect("sound rules"), false, false)
    }

    /// Two players mark squares in a row. Three in a row win; the marks of the second player are the upper half of the board.
    fn row(squares: u32) -> Compiled<u64> {
        compiled(three_in_a_line(Grid { rows: 1, cols: squares }))
    }

    /// Every move fills one of the cells `used`; the game is over once one of `patterns` is filled.
    fn fill_one(used: std::ops::Range<u32>, patterns: impl IntoIterator<Item = (Board, Outcome)>) -> RulesSpec {
        let end = |(pattern, outcome): (_, Outcome)| End {
            mode: Mode(0),
            pattern,
            outcome: outcome.into(),
            empty: Board::EMPTY,
        };
        let ends = patterns.into_iter().map(end).collect();
        let cells = used.end;
        let moves = used.map(|cell| Move::fill(Board::bit(cell))).collect();
        RulesSpec { moves, ends, ..RulesSpec::new("fill-one", cells) }
    }

    #[test]
    fn moves_test_the_patterns_that_contain_their_cell() {
        // The outcome depends on the pattern. Cell 6 is in none.
        let outcome = |at: u32| if at.is_multiple_of(2) { Outcome::Loss } else { Outcome::Draw };
        let rules = compiled::<u64>(fill_one(0..7, (0..4).map(|at| (Board::from_word(0b111 << at), outcome(at)))));
        for cell in 0..7 {
            let mut work = 0;
            assert_eq!(rules.ended(cell, 0, 0, &mut work), None);
            assert_eq!(work, (0..4).filter(|&at| (at..at + 3).contains(&cell)).count() as u64, "{cell}");
        }
        assert_eq!([1, 2].map(|at| rules.ended(2, 0, 0b111 << at, &mut 0)), [Some(0), Some(-1)]);
        assert!(!rules.modes[0].keeps_wins && compiled::<u64>(fill_one(0..7, [])).modes[0].keeps_wins);
    }

    #[test]
    fn moves_test_all_of_many_patterns() {
        let triples = (0..128).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| [a, b, c])));
        let triples: Vec<Board> =
            triples.map(|cells| cells.map(Board::bit).into_iter().collect()).take(MOST_PAIRS / 127 + 1).collect();
        let mut spec = fill_one(0..128, triples.iter().map(|&triple| (triple, Outcome::Loss)));
        // Moves of another shape.
        spec.moves.extend((0..127).map(|cell| Move::fill(Board::bit(cell) | Board::bit(cell + 1))));
        let rules = compiled::<u128>(spec);
        assert!(rules.modes[0].goal.is_none() && rules.modes[0].shapes.len() == 2);
        assert_eq!(rules.tests.len(), triples.len());
        for (at, number) in [(0, 0), (triples.len() - 1, 127)] {
            let mut work = 0;
            assert_eq!(rules.ended(number, 0, triples[at].number(), &mut work), Some(-1));
            assert_eq!(work, triples.len() as u64);
        }
    }

    #[test]
    fn goals_change_with_the_cells_of_patterns() {
        // A player's marks are in no pattern of the other player.
        assert!(row(5).modes.iter().all(|of| of.goal == Some(1) && of.keeps_next_goals));
        // Both players fill the same cells.
        let pattern = Board::from_word(0b110);
        let of = &compiled::<u64>(fill_one(1..3, [(pattern, Outcome::Loss)])).modes[0];
        assert!(of.goal == Some(1) && !of.keeps_next_goals);
        // One player moves a piece from cell 0 to cell 1, and the other player puts a piece on cell 0.
        let [from, to] = [0, 1].map(Board::bit);
        let shift = Move { next: Mode(1), full: from, clears: from, ..Move::fill(to) };
        let put = Move { mode: Mode(1), ..Move::fill(from) };
        let ends = [0, 1]
            .map(|mode| End {
                mode: Mode(mode),
                pattern: from | to,
                outcome: Outcome::Loss.into(),
                empty: Board::EMPTY,
            })
            .to_vec();
        let modes = ["shift", "put"].map(String::from).to_vec();
        let rules = RulesSpec { moves: vec![shift, put], ends, modes, ..RulesSpec::new("shift", 2) };
        let of = compiled::<u64>(rules).modes;
        assert!(of[1].goal == Some(1) && !of[0].keeps_next_goals);
    }

    #[test]
    fn blockers_must_be_empty_in_every_move() {
        // Each cell, and the other cells that a move needs empty. Cells 0 and 1 can be filled in two ways.
        let moves: [(u32, &[u32]); 5] = [(0, &[1, 2]), (0, &[1, 3]), (1, &[2, 3]), (1, &[2, 4]), (3, &[2])];
        let fill = |(cell, others): (u32, &[u32])| {
            let fills = Board::bit(cell);
            Move { empty: others.iter().copied().map(Board::bit).collect::<Board>() | fills, ..Move::fill(fills) }
        };
        let rules = compiled::<u64>(RulesSpec { moves: moves.map(fill).to_vec(), ..RulesSpec::new("blocked", 5) });
        let found = blockers(rules.modes[0].shapes.iter());
        let found: Vec<(i32, u64)> = found.iter().map(|blockers| (blockers.by, blockers.cells)).collect();
        assert_eq!(found, [(1, 0b0011), (-1, 0b1000)]);
    }

    #[test]
    fn legal_goals_win_at_once() {
        let of = &row(5).modes[0];
        assert!(of.wins_at_once(0b00011, 0b00100));
        // The second player has marked the square.
        assert!(!of.wins_at_once(0b00100_00011, 0b00100));
        assert!(!of.wins_at_once(0b00011, 0));
    }

    #[test]
    fn blocked_lines_settle_windows() {
        let modes = row(3).modes;
        let bounds = |board| [(0, 1), (-1, 0)].map(|(alpha, beta)| modes[0].bound(&modes, board, alpha, beta));
        assert_eq!(bounds(0), [None, None]);
        // Only the second player has a mark, or only the first, or both.
        assert_eq!(bounds(0b010_000), [Some(0), None]);
        assert_eq!(bounds(0b000_010), [None, Some(0)]);
        assert_eq!(bounds(0b010_001), [Some(0), Some(0)]);
    }
}
