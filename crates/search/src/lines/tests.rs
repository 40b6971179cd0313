//! The search equals the plain searches on every position of small games.

use fastrand::Rng;

use super::*;
use crate::rules::{Board, End, Mode, Move, Node, RulesSpec};
use crate::{LabelSearch, Search};
use tablegen_labels::Remoteness;

/// A game on a grid in which `line` pieces in a line win, with the cells of rules files: squares in reading order, for each colour.
pub(super) fn grid(rows: u32, cols: u32, line: u32, falls: bool) -> RulesSpec {
    let squares = rows * cols;
    let cell = |row: u32, col: u32, colour: u32| Board::bit(row * cols + col + colour * squares);
    let mut moves = Vec::new();
    let mut ends = Vec::new();
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        for colour in 0..2 {
            let both = cell(row, col, 0) | cell(row, col, 1);
            let (mode, next) = (Mode(colour as u16), Mode(1 - colour as u16));
            let put = Move { mode, next, empty: both, ..Move::fill(cell(row, col, colour)) };
            if falls && row + 1 < rows {
                moves.extend([0, 1].map(|under| Move { full: cell(row + 1, col, under), ..put }));
            } else {
                moves.push(put);
            }
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let at = |step: i32| {
                    let (row, col) = (row as i32 + step * down, col as i32 + step * right);
                    let is_in = (0..rows as i32).contains(&row) && (0..cols as i32).contains(&col);
                    is_in.then(|| cell(row as u32, col as u32, colour))
                };
                if let Some(pattern) = (0..line as i32).map(at).collect::<Option<Board>>() {
                    ends.push(End { mode: next, pattern, outcome: Outcome::Loss.into(), empty: Board::EMPTY });
                }
            }
        }
    }
    let modes = ["x", "o"].map(String::from).to_vec();
    RulesSpec { moves, ends, modes, terminal: Outcome::Draw, ..RulesSpec::new("grid", 2 * squares) }
}

/// Random rules of this kind: random chains, patterns that are copies of a few shapes, and any outcome of a full board.
fn random(rng: &mut Rng) -> RulesSpec {
    let squares = rng.u32(3..=6);
    // The cells of a square lie anywhere.
    let mut order: Vec<u32> = (0..2 * squares).collect();
    rng.shuffle(&mut order);
    let cell = |square: u32, colour: u32| Board::bit(order[(2 * square + colour) as usize]);
    let is_flat = rng.u8(..3) == 0;
    let mut moves = Vec::new();
    for square in 0..squares {
        let falls = square > 0 && !is_flat && rng.u8(..4) > 0;
        for colour in 0..2 {
            let (mode, next) = (Mode(colour as u16), Mode(1 - colour as u16));
            let put = Move { mode, next, empty: cell(square, 0) | cell(square, 1), ..Move::fill(cell(square, colour)) };
            if falls {
                moves.extend([0, 1].map(|under| Move { full: cell(square - 1, under), ..put }));
            } else {
                moves.push(put);
            }
        }
    }
    let mut patterns = Vec::new();
    for _ in 0..rng.u32(1..4) {
        let shape: u32 = (0..rng.u32(1..5)).fold(0, |shape, _| shape | 1 << rng.u32(..squares));
        patterns.extend((0..squares).filter(|_| rng.u8(..3) > 0).map(|by| shape << by).filter(|it| it >> squares == 0));
    }
    let mut ends = Vec::new();
    for pattern in patterns {
        for colour in 0..2 {
            let cells = (0..squares).filter(|square| pattern >> square & 1 == 1).map(|square| cell(square, colour));
            let mode = Mode(1 - colour as u16);
            ends.push(End { mode, pattern: cells.collect(), outcome: Outcome::Loss.into(), empty: Board::EMPTY });
        }
    }
    let modes = ["a", "b"].map(String::from).to_vec();
    let terminal = Outcome::BEST_FIRST[rng.usize(..3)];
    RulesSpec { moves, ends, modes, terminal, ..RulesSpec::new("random", 2 * squares) }
}

/// Every position of `rules`, in random order.
fn positions(rules: &Rules, rng: &mut Rng) -> Vec<Position> {
    let of_mode =
        |mode| (0..1u64 << rules.cells()).map(move |board| Position::new(Mode(mode), Board::from_word(board)));
    let mut positions: Vec<Position> = (0..2).flat_map(of_mode).collect();
    rng.shuffle(&mut positions);
    positions
}

/// The positions that follow from `from`, with `mode` to move there.
fn reachable(rules: &Rules, from: Position) -> Vec<Position> {
    let mut seen = std::collections::BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(position) = open.pop() {
        open.extend(
            rules.steps(position).map(|step| step.to).filter(|&to| !rules.is_over(position) && seen.insert(to)),
        );
    }
    seen.into_iter().collect()
}

/// The plain searches of one game.
struct Reference {
    outcomes: Search,
    plies: LabelSearch<Remoteness>,
}

impl Reference {
    fn new(rules: &Rules) -> Self {
        Self { outcomes: Search::new(rules), plies: LabelSearch::new(rules, u64::MAX) }
    }

    fn value(&mut self, position: Position, wanted: Wanted) -> Value {
        if wanted == Wanted::Outcome {
            self.outcomes.set_limit(u64::MAX);
            return self.outcomes.outcome(Node::At(position)).expect("no limit").into();
        }
        let found = self.plies.label(position, &mut self.outcomes).expect("no limit");
        Value::from(found.outcome).with_remoteness(Some(found.plies.into()))
    }
}

/// Panics unless the searches agree on `positions`. Returns the numbers of positions that the search has, and of those it answered.
fn compare(rules: &Rules, lines: &mut Lines, positions: &[Position], rng: &mut Rng) -> [usize; 2] {
    let mut reference = Reference::new(rules);
    let is_limited = rng.u8(..4) == 0;
    let mut counts = [0; 2];
    let mut effort = Effort::default();
    for &position in positions {
        if !lines.has(position) {
            continue;
        }
        let wanted = [Wanted::Outcome, Wanted::Plies][rng.usize(..2)];
        let limit = if is_limited { rng.u64(..20) } else { u64::MAX };
        let (before, end) = (effort.expanded, effort.end(limit));
        let found = lines.value(position, wanted, None, &mut effort, end);
        assert!(effort.expanded - before <= limit);
        assert!(is_limited || found.is_some());
        counts[0] += 1;
        if let Some(found) = found {
            counts[1] += 1;
            assert_eq!(found, reference.value(position, wanted), "{position:?} {wanted:?} of {rules:?}");
            // A best move keeps what is known of the value.
            let best = lines.best(position, found, None, &mut effort, Effort::default().end(u64::MAX));
            assert_eq!(best.is_none(), rules.is_over(position));
            if let Some(best) = best {
                let after = reference.value(best, wanted);
                assert!(rules.steps(position).any(|step| step.to == best), "{position:?} {best:?} of {rules:?}");
                assert_eq!(after.outcome.flip(), found.outcome, "{position:?} {best:?} of {rules:?}");
                assert_eq!(after.remoteness().map(|plies| plies + 1), found.remoteness());
            }
        }
    }
    counts
}

/// Compares all positions of random rules. Returns the numbers of games and of positions that were compared.
fn compare_random(seed: u64, rules: usize) -> [usize; 2] {
    let mut rng = Rng::with_seed(seed);
    let (mut games, mut compared) = (0, 0);
    for _ in 0..rules {
        let rules = random(&mut rng).build().expect("sound rules");
        let bytes = [1 << 8, 1 << 20][rng.usize(..2)];
        let Some(mut lines) = Lines::new(&rules, bytes) else { continue };
        lines.set_threads(rng.usize(1..4));
        // Other threads join at once now and then, although the game is small.
        if let Form::Narrow(solver) = &mut lines.form
            && rng.bool()
        {
            solver.alone = 4;
        }
        games += 1;
        let positions = positions(&rules, &mut rng);
        compared += compare(&rules, &mut lines, &positions, &mut rng)[1];
    }
    [games, compared]
}

#[test]
fn values_of_random_rules_equal_those_of_the_plain_searches() {
    let [games, compared] = compare_random(1, 200);
    assert!(games > 150 && compared > 30_000, "{games} {compared}");
}

#[test]
#[ignore = "takes minutes"]
fn values_of_many_random_rules_equal_those_of_the_plain_searches() {
    let [games, compared] = compare_random(4, 20_000);
    assert!(games > 15_000 && compared > 3_000_000, "{games} {compared}");
}

/// Compares all positions that follow from the empty board of a grid, with either player to move there.
fn compare_grid(rows: u32, cols: u32, line: u32, falls: bool) {
    let mut rng = Rng::with_seed(2);
    let rules = grid(rows, cols, line, falls).build().expect("sound rules");
    let mut lines = Lines::new(&rules, 1 << 20).expect("a game of lines");
    let mut positions: Vec<Position> =
        [0, 1].into_iter().flat_map(|mode| reachable(&rules, Position::new(Mode(mode), Board::EMPTY))).collect();
    rng.shuffle(&mut positions);
    let counts = compare(&rules, &mut lines, &positions, &mut rng);
    assert_eq!(counts[0], positions.len());
}

#[test]
fn values_of_grids_equal_those_of_the_plain_searches() {
    for (rows, cols, line, falls) in
        [(3, 3, 3, false), (2, 4, 3, false), (3, 4, 3, true), (4, 3, 3, true), (3, 5, 4, true)]
    {
        compare_grid(rows, cols, line, falls);
    }
}

#[test]
#[ignore = "takes minutes"]
fn values_of_connect_four_4x4_equal_those_of_the_plain_searches() {
    compare_grid(4, 4, 4, true);
    compare_grid(4, 4, 3, true);
    compare_grid(3, 4, 3, false);
}

/// Late positions of boards that are too large for keys of one word.
#[test]
fn values_on_large_boards_equal_those_of_the_plain_searches() {
    let mut rng = Rng::with_seed(3);
    for (rows, cols, line, falls, is_wide) in [(6, 6, 5, false, true), (8, 8, 5, true, true), (6, 7, 4, true, false)] {
        let rules = grid(rows, cols, line, falls).build().expect("sound rules");
        let mut lines = Lines::new(&rules, 1 << 22).expect("a game of lines");
        assert_eq!(matches!(lines.form, Form::Wide(_)), is_wide);
        let mut found = Vec::new();
        while found.len() < 100 {
            let mut position = Position::default();
            for _ in 0..rows * cols - 8 {
                let steps: Vec<Position> =
                    rules.steps(position).map(|step| step.to).filter(|&to| !rules.is_over(to)).collect();
                position = steps.get(rng.usize(..steps.len().max(1))).copied().unwrap_or_default();
            }
            if position.board.count() == rows * cols - 8 {
                found.push(position);
            }
        }
        assert_eq!(compare(&rules, &mut lines, &found, &mut rng)[0], found.len());
    }
}

/// A limit holds for each call, and a search that is told to stop does.
#[test]
fn searches_stop_and_resume() {
    let rules = grid(4, 5, 4, true).build().expect("sound rules");
    let start = Position::default();
    let mut reference = Lines::new(&rules, 1 << 22).expect("a game of lines");
    let mut effort = Effort::default();
    let value = reference.value(start, Wanted::Plies, None, &mut effort, Effort::default().end(u64::MAX));
    assert_eq!(value, Some(Value::from(Outcome::Draw).with_remoteness(Some(20))));
    let whole = effort.expanded;
    for threads in [1, 2] {
        let mut lines = Lines::new(&rules, 1 << 22).expect("a game of lines");
        lines.set_threads(threads);
        let (mut effort, mut calls) = (Effort::default(), 0);
        let found = loop {
            let (before, end) = (effort.expanded, effort.end(whole / 4));
            let found = lines.value(start, Wanted::Plies, None, &mut effort, end);
            assert!(effort.expanded - before <= whole / 4);
            calls += 1;
            if found.is_some() || calls == 100 {
                break found;
            }
        };
        assert!(found == value && calls > 2, "{calls}");
        let mut told = Vec::new();
        let mut lines = Lines::new(&rules, 1 << 22).expect("a game of lines");
        let mut stop = |expanded| {
            told.push(expanded);
            told.len() < 3
        };
        let mut effort = Effort::default();
        let end = effort.end(u64::MAX);
        assert_eq!(lines.value(start, Wanted::Plies, Some(&mut stop), &mut effort, end), None);
        assert!(told.len() == 3 && told.is_sorted() && effort.expanded < whole, "{told:?} {whole}");
    }
}

/// Measures: the positions of the file that LINES names, at most MOST of them. Each line has the columns of Connect Four that were played and
/// Pons's score: 22 less the number of pieces that the winner has at the end, negative if the player to move loses.
#[test]
#[ignore = "measures"]
fn published_file() {
    let rules = grid(6, 7, 4, true).build().expect("sound rules");
    let text = std::fs::read_to_string(std::env::var("LINES").expect("a file")).expect("text");
    let number = |name, usual| std::env::var(name).map_or(usual, |it| it.parse().expect("a number"));
    let wanted = if std::env::var("WANTED").is_ok_and(|it| it == "outcome") { Wanted::Outcome } else { Wanted::Plies };
    let mut lines = Lines::new(&rules, number("MEGABYTES", 64) << 20).expect("a game of lines");
    lines.set_threads(number("THREADS", 1));
    let (mut effort, start) = (Effort::default(), std::time::Instant::now());
    let mut count = 0;
    for line in text.lines().take(number("MOST", usize::MAX)) {
        let (columns, score) = line.rsplit_once(char::is_whitespace).expect("columns and a score");
        let Ok(score) = score.parse::<i32>() else { continue };
        let mut position = Position::default();
        for column in columns.bytes().filter(u8::is_ascii_digit) {
            let column = u32::from(column - b'1');
            let lands = |m: &&Move| m.is_legal(position) && m.fills.lowest().is_some_and(|cell| cell % 7 == column);
            let drop = rules.moves_of(position.mode).iter().find(lands);
            position = drop.expect("a legal column").play(position);
        }
        let filled = position.board.count();
        // The player to move has the odd pieces of the rest if an even number of squares is filled.
        let winner_is_first = (score > 0) == filled.is_multiple_of(2);
        let pieces = 22 - score.unsigned_abs();
        let end = if score == 0 { 42 } else { 2 * pieces - u32::from(winner_is_first) };
        let plies = (wanted == Wanted::Plies).then_some(end - filled);
        let value = lines.value(position, wanted, None, &mut effort, Effort::default().end(u64::MAX));
        let expected = Value::from(Outcome::of_points(score)).with_remoteness(plies);
        assert_eq!(value, Some(expected), "{line}");
        count += 1;
    }
    println!("{count} positions, {} searched, {:.3?}", effort.expanded, start.elapsed());
}
