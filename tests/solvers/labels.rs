//! Remoteness and nimbers by both solvers and every kernel, compared with independent definitions, published values and
//! theorems.

mod published;

use crate::common::games::IMPARTIAL;
use std::collections::HashMap;
use std::sync::OnceLock;

use crate::common::oracle::Oracle;
use crate::common::{assert_twins_in, forge, games, kernels, positions, random, table_bytes};
use proptest::prelude::*;
use tablegen::contents::Contents;
use tablegen::game::{Game, Play, Tactics};
use tablegen::label::{Label, LabelKind, LabelSet, Remoteness, Value, Width};
use tablegen::rules::{Board, Descriptor, Outcome, Position, Rules, RulesSpec};
use tablegen::solve::{Method, Options, Solution, solve};
use tablegen::table::{SaveTable, Table};
use tablegen::verify;

const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);
const NIMBER: LabelSet = LabelSet::OUTCOME.with(LabelKind::Nimber);

/// Solutions by every kernel and by the sparse solver.
fn solved(rules: &Rules, labels: LabelSet) -> Vec<Solution> {
    let sparse = Options::of(Method::Sparse);
    let ways = kernels().into_iter().chain([sparse]);
    ways.map(|way| solve(rules, &Options { labels, ..way }).expect("the rules are small")).collect()
}

/// Labels by their definitions: memoized recursion without the library's code for labels.
struct Definition<'a> {
    rules: &'a Rules,
    oracle: Oracle<'a>,
    plies: HashMap<Position, u32>,
    nimbers: HashMap<Position, u32>,
    misere_nimbers: HashMap<Position, u32>,
}

impl<'a> Definition<'a> {
    fn new(rules: &'a Rules) -> Self {
        Self {
            rules,
            oracle: Oracle::new(rules),
            plies: HashMap::new(),
            nimbers: HashMap::new(),
            misere_nimbers: HashMap::new(),
        }
    }

    fn plies(&mut self, position: Position) -> u32 {
        if let Some(&known) = self.plies.get(&position) {
            return known;
        }
        let outcome = self.oracle.outcome(position);
        let mut best: Option<u32> = None;
        for next in self.oracle.successors(position) {
            let (theirs, plies) = (self.oracle.outcome(next), 1 + self.plies(next));
            best = match (outcome, theirs) {
                // The winner hurries.
                (Outcome::Win, Outcome::Loss) => Some(best.map_or(plies, |best| best.min(plies))),
                // A player who draws or loses delays.
                (Outcome::Draw, Outcome::Draw) | (Outcome::Loss, Outcome::Win) => {
                    Some(best.map_or(plies, |best| best.max(plies)))
                }
                _ => best,
            };
        }
        let plies = best.unwrap_or(0);
        self.plies.insert(position, plies);
        plies
    }

    fn nimber(&mut self, position: Position) -> u32 {
        if let Some(&known) = self.nimbers.get(&position) {
            return known;
        }
        let successors: Vec<u32> = self.oracle.successors(position).into_iter().map(|next| self.nimber(next)).collect();
        let nimber = (0..).find(|n| !successors.contains(n)).expect("a number that is not taken");
        self.nimbers.insert(position, nimber);
        nimber
    }

    fn misere_nimber(&mut self, position: Position) -> u32 {
        if let Some(&known) = self.misere_nimbers.get(&position) {
            return known;
        }
        let successors: Vec<u32> =
            self.oracle.successors(position).into_iter().map(|next| self.misere_nimber(next)).collect();
        let least = (0..).find(|n| !successors.contains(n)).expect("a number that is not taken");
        let nimber = if successors.is_empty() { 1 } else { least };
        self.misere_nimbers.insert(position, nimber);
        nimber
    }

    fn value(&mut self, position: Position, labels: LabelSet) -> Value {
        let has = |kind| labels.contains(kind);
        Value::from(self.oracle.outcome(position))
            .with(LabelKind::Remoteness, has(LabelKind::Remoteness).then(|| self.plies(position).cast_signed()))
            .with(LabelKind::Nimber, has(LabelKind::Nimber).then(|| self.nimber(position).cast_signed()))
            .with(
                LabelKind::MisereNimber,
                has(LabelKind::MisereNimber).then(|| self.misere_nimber(position).cast_signed()),
            )
    }
}

/// Compares every label of every position with its definition, in each solution and its table. The tables must pass
/// their checks, and every kernel must give the bytes of the reference implementation.
fn assert_defined(rules: &Rules, labels: LabelSet) {
    assert_twins_in(rules, labels);
    let mut definition = Definition::new(rules);
    let expected: Vec<Value> = positions(rules).map(|position| definition.value(position, labels)).collect();
    let mut bytes: Option<Vec<u8>> = None;
    for solution in solved(rules, labels) {
        let table = Table::from_bytes(table_bytes(&solution)).expect("a table just written");
        assert_eq!(table.labels(), labels);
        let is_dense = matches!(solution.contents(), Contents::Dense(_));
        for (position, &expected) in positions(rules).zip(&expected) {
            let found = solution.value(position);
            let name = || format!("{}, {} at {position:?} of {:?}", definition.rules.name(), solution.program(), rules);
            match found {
                Some(found) => assert_eq!(found, expected, "{}", name()),
                None => assert!(!is_dense, "{}", name()),
            }
            assert_eq!(table.value(position).ok(), found, "{}", name());
        }
        verify::bytes(&table, &verify::Options::default()).expect("a table just written");
        verify::labels(&table, &verify::Options::default()).expect("right labels");
        if is_dense {
            let bytes = bytes.get_or_insert_with(|| table_bytes(&solution));
            assert!(*bytes == table_bytes(&solution), "{}: every kernel writes the same bytes", rules.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn remoteness_of_random_rules(rules in random::small()) {
        assert_defined(&rules, REMOTENESS);
    }

    /// Nimbers need rules without terminal patterns, in normal play.
    #[test]
    fn nimbers_of_random_rules(rules in random::small()) {
        let spec = RulesSpec { ends: Vec::new(), terminal: Outcome::Loss, ..rules.into_spec() };
        assert_defined(&spec.build().expect("sound rules"), REMOTENESS.with(LabelKind::Nimber));
    }

    /// Misère nimbers depend on the moves alone, so they are defined in normal and in misère play.
    #[test]
    fn misere_nimbers_of_random_rules(rules in random::small(), misere: bool) {
        let terminal = if misere { Outcome::Win } else { Outcome::Loss };
        let spec = RulesSpec { ends: Vec::new(), terminal, ..rules.into_spec() };
        assert_defined(&spec.build().expect("sound rules"), LabelSet::OUTCOME.with(LabelKind::MisereNimber));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn remoteness_of_larger_random_rules(rules in random::large()) {
        assert_defined(&rules, REMOTENESS);
    }

    #[test]
    fn remoteness_of_crowded_rules(rules in random::crowded()) {
        assert_defined(&rules, REMOTENESS);
    }
}

#[test]
fn games_of_every_kind() {
    for rules in [games::motley(), games::chomp(3, 4), games::domineering(3, 4), games::drawn_kayles(9)] {
        assert_defined(&rules, REMOTENESS);
    }
    assert_defined(&games::dominoes(4), REMOTENESS.with(LabelKind::Nimber));
}

fn tactics(rows: u32, cols: u32, run: u32, play: Play) -> Rules {
    Tactics::new(rows, cols, run, play).expect("a board of ordinary size").rules().clone()
}

/// The value of the start, and the largest code of `kind` among all positions.
fn of(rules: &Rules, labels: LabelSet, kind: LabelKind) -> (Value, u8) {
    let solution = solve(rules, &Options { labels, ..Options::default() }).expect("the rules are small");
    let contents = solution.contents();
    let codes = contents.bytes().of(kind).and_then(|codes| codes.plain()).expect("the label asked for");
    let value = solution.value(Position::default()).expect("the start");
    (value, codes.iter().copied().max().expect("a position"))
}

/// The outcome and the plies of the start, and the plies of the longest game from any position.
fn longest(rules: &Rules) -> (Outcome, Option<u32>, u8) {
    let solution = solve(rules, &Options { labels: REMOTENESS, ..Options::default() }).expect("rules that fit");
    let start = solution.value(Position::default()).expect("the start");
    let contents = solution.contents();
    let mut seen = [false; 256];
    let bytes =
        contents.bytes().of(LabelKind::Remoteness).and_then(|codes| codes.plain()).expect("the label asked for");
    bytes.iter().for_each(|&code| seen[usize::from(code)] = true);
    let codes = (0..=u8::MAX).filter(|&code| seen[usize::from(code)]);
    let plies = codes.map(|code| Remoteness::decode(code, Width::Eight).expect("a label").plies).max();
    (start.outcome, start.remoteness(), plies.expect("a position") as u8)
}

/// 2^30 boards: 1.2 GiB of memory and about ten seconds.
#[test]
#[ignore = "takes 1.2 GiB of memory"]
fn remoteness_of_tactics_5x6() {
    assert_eq!(longest(&tactics(5, 6, 6, Play::Misere)), (Outcome::Win, Some(24), 26));
}

/// Every label of the 2^20 boards of 4x5, by every kernel and by the sparse solver, equals the reference
/// implementation. So do the labels of boards with draws and two modes.
#[test]
fn every_kernel_equals_the_reference_implementation() {
    let rules = tactics(4, 5, 5, Play::Normal);
    let dense = assert_twins_in(&rules, IMPARTIAL);
    // Moves fill single squares, so every board is reachable.
    let options = Options { labels: IMPARTIAL, ..Options::of(Method::Sparse) };
    let sparse = solve(&rules, &options).expect("the rules are small");
    assert_eq!(sparse.count(), dense.count());
    for position in positions(&rules) {
        assert_eq!(sparse.value(position), dense.value(position), "{position:?}");
    }
    assert_twins_in(&tactics(4, 4, 3, Play::Misere), REMOTENESS);
    assert_twins_in(&games::tictactoe(), REMOTENESS);
    assert_twins_in(&games::domineering(3, 5), REMOTENESS);
}

/// A nimber is 0 exactly at a loss (Sprague 1935, Grundy 1939), at every position.
#[test]
fn nimber_0_is_a_loss() {
    let kayles = games::node_kayles(15, Outcome::Loss);
    let boards = [tactics(4, 4, 4, Play::Normal), games::dominoes(4), games::chomp(3, 5), kayles];
    for rules in boards {
        for method in [Method::Dense, Method::Sparse] {
            let solution = solve(&rules, &Options { labels: NIMBER, ..Options::of(method) });
            let solution = solution.expect("small rules");
            let mut zeros = 0;
            for value in positions(&rules).filter_map(|position| solution.value(position)) {
                assert_eq!(value.nimber() == Some(0), value.outcome == Outcome::Loss, "{}", rules.name());
                zeros += u64::from(value.nimber() == Some(0));
            }
            assert_eq!(zeros, solution.counts_by_mode().iter().map(|counts| counts.loss).sum::<u64>());
        }
    }
}

/// Tactics in normal play, runs of any length, on every board of up to 4 by 5 squares.
fn boards_of_tactics() -> Vec<Vec<Solution>> {
    let solution = |rows, cols| {
        let rules = tactics(rows, cols, 5, Play::Normal);
        solve(&rules, &Options { labels: NIMBER, ..Options::default() }).expect("small rules")
    };
    (1..=4).map(|rows| (1..=5).map(|cols| solution(rows, cols)).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    /// A filled row or column divides a board of Tactics into two: the nimber of the board is the exclusive or of the
    /// nimbers of the parts (Sprague, Grundy).
    #[test]
    fn a_filled_line_cuts_a_board_in_two(fills in prop::collection::vec(0u64..1 << 20, 200), across: bool, line in 0usize..5) {
        static BOARDS: OnceLock<Vec<Vec<Solution>>> = OnceLock::new();
        let boards = BOARDS.get_or_init(boards_of_tactics);
        const ROWS: usize = 4;
        const COLS: usize = 5;
        let line = if across { line % ROWS } else { line };
        let bit = |row: usize, col: usize, cols: usize| row * cols + col;
        // The nimber of the part of the board with these rows and columns.
        let part = |board: u64, (top, rows): (usize, usize), (left, cols): (usize, usize)| {
            if rows == 0 || cols == 0 {
                return 0;
            }
            let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
            let filled = |&(row, col): &(usize, usize)| board >> bit(top + row, left + col, COLS) & 1 == 1;
            let part = squares.filter(filled).map(|(row, col)| Board::bit(bit(row, col, cols) as u32)).collect();
            let value = boards[rows - 1][cols - 1].value(Position::of(part)).expect("a dense solution");
            value.nimber().expect("a nimber")
        };
        for fill in fills {
            let cut = |&at: &usize| if across { at / COLS == line } else { at % COLS == line };
            let board = (0..ROWS * COLS).filter(cut).fold(fill, |board, at| board | 1 << at);
            let whole = part(board, (0, ROWS), (0, COLS));
            let [one, other] = if across {
                [(0, line), (line + 1, ROWS - line - 1)].map(|rows| part(board, rows, (0, COLS)))
            } else {
                [(0, line), (line + 1, COLS - line - 1)].map(|cols| part(board, (0, ROWS), cols))
            };
            prop_assert_eq!(whole, one ^ other, "{:#x}, {} {}", board, if across { "row" } else { "column" }, line);
        }
    }
}

/// In normal play a win lasts an odd number of plies and a loss an even number, because the winner makes the last move.
/// In misère play it is the reverse. This holds in every impartial game without terminal patterns.
#[test]
fn remoteness_tells_who_makes_the_last_move() {
    let misere = |rules: Rules| {
        let name = format!("{}-misere", rules.name());
        RulesSpec { terminal: Outcome::Win, name, ..rules.into_spec() }.build().expect("sound rules")
    };
    let normal = || {
        let kayles = games::node_kayles(14, Outcome::Loss);
        [tactics(3, 5, 4, Play::Normal), games::dominoes(4), games::chomp(3, 4), kayles]
    };
    let of_misere = normal().map(misere).into_iter().chain([tactics(4, 4, 4, Play::Misere)]);
    for (rules, last_is_winner) in normal().into_iter().map(|rules| (rules, true)).chain(of_misere.map(|r| (r, false)))
    {
        for method in [Method::Dense, Method::Sparse] {
            let options = Options { labels: REMOTENESS, ..Options::of(method) };
            let solution = solve(&rules, &options).expect("small rules");
            for position in positions(&rules) {
                let Some(value) = solution.value(position) else { continue };
                let winner_is_next = value.outcome == Outcome::Win;
                let last_is_next = value.remoteness().expect("a label") % 2 == 1;
                assert_eq!(winner_is_next == last_is_next, last_is_winner, "{}: {position:?}", rules.name());
            }
        }
    }
}

/// A wrong byte of either label is found, even under valid checksums.
#[test]
fn one_wrong_byte_is_found() {
    let rules = tactics(3, 4, 4, Play::Normal);
    for method in [Method::Dense, Method::Sparse] {
        let options = Options { labels: IMPARTIAL, ..Options::of(method) };
        let right = solve(&rules, &options).expect("small rules").to_bytes(&Descriptor::default());
        let labels = forge::sections(&right);
        for section in &labels[labels.len() - 2..] {
            for at in [section.start, section.start + 1234, section.end - 1] {
                let mut wrong = right.clone();
                wrong[at] ^= 1;
                forge::seal_all(&mut wrong);
                let table = Table::from_bytes(wrong).expect("a table whose checksums hold");
                verify::bytes(&table, &verify::Options::default()).expect("checksums that hold");
                let found = verify::labels(&table, &verify::Options::default());
                assert!(found.is_err(), "{method:?}: byte {at} is wrong, and nobody sees it");
            }
        }
    }
}
