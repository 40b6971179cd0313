//! The search equals its reference implementation on random rules, with small tables and with limits.

use fastrand::Rng;

pub(crate) mod random;
mod values;

use random::{lines, motley, placing};

use crate::outcome::WORK;
use crate::rules::{Board, CountEnd, End, Mode, Move, Outcome, Position, Rules, RulesSpec};
use crate::{AlphaBeta, Iteration, Search, Wanted};
use tablegen_labels::Value;

/// `search` by one thread, or now and then by two or three, which join it at once although the game is small.
fn helped(search: AlphaBeta, rng: &mut Rng) -> AlphaBeta {
    if rng.u8(..4) == 0 { search.threads(rng.usize(2..=3)).joined_after(rng.u64(1..5)) } else { search }
}

/// Every position of `rules`, in random order.
fn positions(rules: &Rules, rng: &mut Rng) -> Vec<Position> {
    let modes = 0..rules.modes().len() as u16;
    let of_mode =
        |mode| (0..1u64 << rules.cells()).map(move |board| Position::new(Mode(mode), Board::from_word(board)));
    let mut positions: Vec<Position> = modes.flat_map(of_mode).collect();
    rng.shuffle(&mut positions);
    positions
}

/// Panics unless both searches agree on every position of `rules`. Returns the number of positions compared.
fn compare(rules: &Rules, rng: &mut Rng) -> usize {
    // One table is so small that entries are replaced, and one search is interrupted again and again.
    let bytes = [1 << 11, 1 << 20][rng.usize(..2)];
    // The plain search answers nothing if positions may repeat.
    let Some(mut search) = AlphaBeta::only_general(rules, bytes).filter(|_| rules.potential().is_some()) else {
        return 0;
    };
    if rng.u8(..4) == 0 {
        search = search.with_symmetries();
    }
    search = helped(search, rng);
    let mut reference = Search::new(rules);
    let is_interrupted = rng.u8(..4) == 0;
    let mut compared = 0;
    for position in positions(rules, rng) {
        search.set_limit(if is_interrupted { rng.u64(1..50) } else { u64::MAX });
        let expected = reference.outcome(position.into());
        let found = search.outcome(position.into());
        assert!(
            found == expected || is_interrupted && found.is_err(),
            "{position:?} {found:?} {expected:?} of {rules:?}"
        );
        compared += usize::from(found.is_ok());
    }
    compared
}

/// Compares `count` random rules of each kind. Returns the numbers of positions compared: the least of a kind, those of rules with moves that
/// take pieces, and those of rules with moves that have conditions.
fn compare_random(seed: u64, count: usize) -> [usize; 3] {
    let mut rng = Rng::with_seed(seed);
    let [mut least, mut with_takes, mut with_conditions] = [usize::MAX, 0, 0];
    for make in [motley, lines, placing] {
        let mut compared = 0;
        for _ in 0..count {
            let rules = make(&mut rng).build().expect("sound rules");
            let count = compare(&rules, &mut rng);
            let has = |what: fn(&Move) -> bool| rules.moves().iter().any(what);
            with_takes += if has(|m| m.takes.is_some()) { count } else { 0 };
            with_conditions += if has(|m| m.when.is_some()) { count } else { 0 };
            compared += count;
        }
        least = least.min(compared);
    }
    [least, with_takes, with_conditions]
}

#[test]
fn outcomes_equal_those_of_the_plain_search() {
    let [least, with_takes, with_conditions] = compare_random(1, 1_000);
    assert!(
        least > 100_000 && with_takes > 10_000 && with_conditions > 50_000,
        "{least} {with_takes} {with_conditions}"
    );
}

#[test]
#[ignore = "takes minutes"]
fn outcomes_of_many_random_rules_equal_those_of_the_plain_search() {
    let [least, ..] = compare_random(5, 20_000);
    assert!(least > 2_000_000, "{least}");
}

/// Threads share tables whose entries have 128 bits: on boards of more than 64 cells, most of which no move uses here.
#[test]
fn threads_agree_on_wide_boards() {
    let (mut rng, mut compared) = (Rng::with_seed(6), [0; 3]);
    for make in [motley, lines, placing] {
        for _ in 0..60 {
            let spec = make(&mut rng);
            let all = positions(&spec.clone().build().expect("sound rules"), &mut rng);
            let rules = RulesSpec { cells: 70, ..spec }.build().expect("sound rules");
            // The plain search answers nothing if positions may repeat.
            if rules.potential().is_none() {
                continue;
            }
            let mut reference = Search::new(&rules);
            for threads in 1..=3 {
                let bytes = [1 << 11, 1 << 20][rng.usize(..2)];
                let Some(search) = AlphaBeta::only_general(&rules, bytes) else { continue };
                let mut search = search.threads(threads).joined_after(rng.u64(1..5));
                for &position in all.iter().take(40) {
                    let expected = reference.outcome(position.into());
                    assert_eq!(search.outcome(position.into()), expected, "{threads} {position:?} of {rules:?}");
                    compared[threads - 1] += 1;
                }
            }
        }
    }
    assert!(compared[0] > 4_000 && compared == [compared[0]; 3], "{compared:?}");
}

/// `rules` with `phases` copies of their modes. A move either stays in its copy or leads to the next one; those that stay are few before the
/// last copy, in which all of them may be made.
fn in_phases(rng: &mut Rng, rules: RulesSpec, phases: u16) -> RulesSpec {
    let count = rules.modes.len() as u16;
    let of = |phase: u16, mode: Mode| Mode(phase * count + mode.0);
    let mut moves = Vec::new();
    for m in &rules.moves {
        for phase in 0..phases {
            let stays = phase + 1 == phases || rng.u8(..5) == 0;
            let next = of(if stays { phase } else { phase + 1 }, m.next);
            moves.push(Move { mode: of(phase, m.mode), next, ..*m });
        }
    }
    let copies = || (0..phases).flat_map(|phase| (0..count).map(move |mode| (phase, Mode(mode))));
    let all =
        |ends: &[End], phase| ends.iter().map(|end| End { mode: of(phase, end.mode), ..*end }).collect::<Vec<_>>();
    let counted = |phase| rules.count_ends.iter().map(move |end| CountEnd { mode: of(phase, end.mode), ..*end });
    let at = |mode: Mode| usize::from(mode.0);
    RulesSpec {
        modes: copies().map(|(phase, mode)| format!("{phase}-{}", mode.0)).collect(),
        moves,
        ends: (0..phases).flat_map(|phase| all(&rules.ends, phase)).collect(),
        count_ends: (0..phases).flat_map(counted).collect(),
        terminals: copies().filter_map(|(_, mode)| rules.terminals.get(at(mode)).copied()).collect(),
        players: copies().filter_map(|(_, mode)| rules.players.get(at(mode)).copied()).collect(),
        ..rules
    }
}

/// A step of a piece there and back, so that positions repeat.
fn with_steps(mut rules: RulesSpec) -> RulesSpec {
    let step = |from: u32, to: u32| {
        let from = Board::bit(from);
        Move { full: from, clears: from, ..Move::fill(Board::bit(to)) }
    };
    for mode in (0..rules.modes.len() as u16).map(Mode) {
        rules.moves.extend([step(0, 1), step(1, 0)].map(|m| Move { mode, next: mode, ..m }));
    }
    rules
}

/// What value iteration knows of a position.
fn known_value(truth: &Iteration, position: Position, wanted: Wanted) -> Value {
    let label = truth.label(position).unwrap();
    let value = Value::from(label.outcome);
    match wanted {
        Wanted::Plies => Value { repetition: label.end().is_none(), ..value.with_remoteness(label.end()) },
        Wanted::Outcome | Wanted::Score => value,
    }
}

/// Positions of phases in which they may repeat are known from value iteration over all positions, or only some of them are.
#[test]
fn a_search_ends_at_known_positions_of_games_that_repeat() {
    let mut rng = Rng::with_seed(4);
    let [mut searched, mut unknown, mut guessed, mut endless] = [0; 4];
    for _ in 0..400 {
        let rules = motley(&mut rng);
        let rules = in_phases(&mut rng, with_steps(rules), 3).build().unwrap();
        let phases = rules.phases();
        assert!(rules.potential().is_none());
        let Some(mut search) = AlphaBeta::only_general(&rules, 1 << 16) else { continue };
        let all = positions(&rules, &mut rng);
        let truth = Iteration::new(&rules, &all, u64::MAX, || true).unwrap();
        let outcome = |position: Position| truth.label(position).unwrap().outcome;
        let lacks = if rng.bool() { 0 } else { rng.usize(..16) };
        let holds = |position: Position, wanted: Wanted| {
            let is_lacking = (position.board.low_word() as usize * 7 + usize::from(position.mode.0)) % 16 < lacks;
            (phases.may_repeat(position.mode) && !is_lacking).then(|| known_value(&truth, position, wanted))
        };
        for &position in all.iter().take(100).filter(|it| !phases.may_repeat(it.mode)) {
            let found = search.outcome_with(position.into(), Some(&holds), &mut |_| true);
            match found {
                Ok(found) => assert_eq!(found, outcome(position), "{position:?} of {rules:?}"),
                Err(_) => assert!(lacks > 0, "{position:?} of {rules:?}"),
            }
            let value = search.value_with(position.into(), Wanted::Plies, Some(&holds), &mut |_| true);
            match value {
                // The length of a draw may depend on positions that are not known.
                Ok(value) if lacks > 0 && !value.has_length() => assert_eq!(value, Outcome::Draw.into()),
                Ok(value) => {
                    assert_eq!(value, known_value(&truth, position, Wanted::Plies), "{position:?} of {rules:?}");
                    endless += usize::from(value.repetition);
                    let best = search.best_with(Some(&holds), &mut |_| true);
                    let best = best.map(|best| known_value(&truth, best, Wanted::Plies));
                    let steps = rules.choices(position.into());
                    assert_eq!(best.is_none(), steps.is_empty());
                    let before = |after: Value| after.remoteness().map(|plies| plies + 1);
                    assert!(best.is_none_or(|best| before(best) == value.remoteness()), "{position:?} of {rules:?}");
                }
                Err(_) => assert!(lacks > 0, "{position:?} of {rules:?}"),
            }
            *if found.is_ok() { &mut searched } else { &mut unknown } += 1;
            guessed += usize::from(found.is_ok() && lacks > 8);
        }
    }
    assert!(
        searched > 5_000 && unknown > 100 && guessed > 100 && endless > 100,
        "{searched} {unknown} {guessed} {endless}"
    );
}

#[test]
fn limits_bound_the_positions_expanded() {
    // Tic-tac-toe on a board of four by four with three in a row.
    let rules = crate::rules::samples::three_in_a_line(crate::rules::samples::Grid { rows: 4, cols: 4 });
    let rules = RulesSpec { terminal: Outcome::Win, ..rules }.build().expect("sound rules");
    let mut search = AlphaBeta::only_general(&rules, 1 << 16).expect("no position repeats").limit(10);
    let whole =
        AlphaBeta::only_general(&rules, 1 << 20).expect("no position repeats").outcome(Position::default().into());
    let mut found = search.outcome(Position::default().into());
    assert!(found.is_err() && search.expanded() == 10 && search.spent() >= 10);
    for _ in 0..1000 {
        found = search.outcome(Position::default().into());
    }
    assert_eq!(found.is_ok().then_some(found), Some(whole));
}

#[test]
fn limits_include_work() {
    // 2^13 moves, none of which is a translation of another, and none is legal.
    let moves = (0..1 << 13).map(|cells| Move { full: Board::bit(20), ..Move::fill(Board::from_word(2 * cells + 1)) });
    let rules = RulesSpec { moves: moves.collect(), ..RulesSpec::new("illegal", 21) }.build().unwrap();
    let (mut search, mut plain) = (AlphaBeta::only_general(&rules, 1 << 16).unwrap(), Search::new(&rules));
    let outcomes = [search.outcome(rules.start_node()), plain.outcome(rules.start_node())];
    assert_eq!(outcomes, [Ok(Outcome::Loss); 2]);
    assert_eq!([search.expanded(), search.spent()], [1, (1 << 13) / WORK]);
    assert_eq!([plain.expanded(), plain.spent()], [1, (1 << 13) / WORK]);
    // Any two of 64 cells: the 2,016 positions after the first move take as much work as 16 positions of the limit, and the
    // first positions of a line of play about as much.
    let pairs = (0..64).flat_map(|a| (0..a).map(move |b| Move::fill(Board::bit(a) | Board::bit(b))));
    let rules = RulesSpec { moves: pairs.collect(), ..RulesSpec::new("two", 64) }.build().unwrap();
    let mut search = AlphaBeta::only_general(&rules, 1 << 16).unwrap().limit(100);
    assert!(search.outcome(rules.start_node()).is_err());
    assert!((6..12).contains(&search.expanded()) && (100..116).contains(&search.spent()), "{}", search.expanded());
}

#[test]
fn a_win_ends_the_plain_search_of_a_position() {
    // One or two neighbours of ten squares in a row.
    let moves = (0..10).flat_map(|at| [1, 3].map(|fills| Board::from_word(fills << at)));
    let moves = moves.filter(|&fills| Board::full(10).contains(fills)).map(Move::fill).collect();
    let rules = RulesSpec { moves, ..RulesSpec::new("row-10", 10) }.build().unwrap();
    let mut search = Search::new(&rules);
    assert_eq!(search.outcome(rules.start_node()), Ok(Outcome::Win));
    assert!(search.expanded() < 1 << 9, "{}", search.expanded());
}

/// Both players of Domineering on a board of `rows` by `cols`: the first puts upright dominoes.
pub(super) fn domineering(rows: u32, cols: u32) -> Rules {
    let square = |row: u32, col: u32| Board::bit(row * cols + col);
    let squares = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let put = |mode: u16, pair: Board| Move { mode: Mode(mode), next: Mode(1 - mode), ..Move::fill(pair) };
    let upright = squares().filter(|it| it.0 + 1 < rows).map(|(row, col)| square(row, col) | square(row + 1, col));
    let level = squares().filter(|it| it.1 + 1 < cols).map(|(row, col)| square(row, col) | square(row, col + 1));
    let moves = upright.map(|pair| put(0, pair)).chain(level.map(|pair| put(1, pair))).collect();
    let modes = ["upright", "level"].map(String::from).to_vec();
    RulesSpec { modes, moves, ..RulesSpec::new("domineering", rows * cols) }.build().unwrap()
}

/// The outcome of an empty board by one thread and by more, with the time of each.
#[test]
#[ignore = "measures"]
fn threads_on_domineering() {
    let number = |name, usual| std::env::var(name).map_or(usual, |it| it.parse().expect("a number"));
    let rules = domineering(number("ROWS", 6), number("COLS", 6));
    for _ in 0..number("TIMES", 3) {
        for threads in 1..=number("THREADS", 2) as usize {
            let mut search = AlphaBeta::only_general(&rules, 1 << 28).unwrap().threads(threads);
            let begun = std::time::Instant::now();
            let found = search.outcome(rules.start_node());
            println!("{threads} {found:?} {:?} {}", begun.elapsed(), search.expanded());
        }
    }
}
