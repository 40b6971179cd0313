//! The sparse solver and the search against the dense solver and each other, and tables of reached positions.

use std::collections::HashMap;

use proptest::prelude::*;
use tablegen::game::{Family, Parameters, family};
use tablegen::plane::Planes;
use tablegen::rules::{Board, Descriptor, End, Mode, Move, Node, Outcome, Position, Rules, RulesSpec, Start};
use tablegen::solve::dense::scalar;
use tablegen::solve::sparse::{Options, Progress, Solution, SparseError};
use tablegen::solve::{Leaves, Search, sparse};
use tablegen::table::{Finding, Labels, ReachedDraft, Table, TableFault, verify_bytes, verify_labels};

/// Sound rules drawn with `seed`: up to 12 cells and 4 modes, with `full`, `ends`, draws and openings.
fn random_rules(seed: u64) -> Rules {
    let mut draw = fastrand::Rng::with_seed(seed);
    let cells = draw.u32(1..=12);
    let modes = draw.u16(1..=4);
    let full = Board::full(cells).0;
    let sparse_mask = |draw: &mut fastrand::Rng| draw.u64(..) & draw.u64(..) & draw.u64(..) & full;
    let outcome = |draw: &mut fastrand::Rng| Outcome::BEST_FIRST[draw.usize(..3)];
    let position = |draw: &mut fastrand::Rng| Position::new(Mode(draw.u16(..modes)), Board(sparse_mask(draw)));
    let moves = (0..draw.usize(0..30)).map(|_| {
        let cell = 1 << draw.u32(..cells);
        let empty = cell | sparse_mask(&mut draw) & sparse_mask(&mut draw);
        let full = sparse_mask(&mut draw) & sparse_mask(&mut draw) & !empty;
        let fills = cell | sparse_mask(&mut draw);
        Move {
            mode: Mode(draw.u16(..modes)),
            empty: Board(empty),
            full: Board(full),
            fills: Board(fills),
            next: Mode(draw.u16(..modes)),
        }
    });
    let moves = moves.collect();
    let end = |draw: &mut fastrand::Rng| End {
        mode: Mode(draw.u16(..modes)),
        pattern: Board(draw.u64(..) & draw.u64(..) & full),
        outcome: outcome(draw),
    };
    let ends = (0..draw.usize(0..4)).map(|_| end(&mut draw)).collect();
    let start = match draw.bool() {
        true => Start::At(position(&mut draw)),
        false => Start::Opening((0..draw.usize(1..4)).map(|_| position(&mut draw)).collect()),
    };
    let terminal = outcome(&mut draw);
    let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
    RulesSpec { modes, moves, ends, start, terminal, ..RulesSpec::new(format!("random-{seed}"), cells) }
        .build()
        .expect("sound rules")
}

/// What can be reached from `roots`, by the definition.
fn reachable(rules: &Rules, roots: &[Position]) -> Vec<Position> {
    let mut open = roots.to_vec();
    let mut found: Vec<Position> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    while let Some(position) = open.pop() {
        if seen.insert(position) {
            found.push(position);
            open.extend(rules.moves_from(position).map(|m| m.play(position)));
        }
    }
    found
}

/// Solver, scalar twin and search agree on every position that can be reached, and on which those are.
fn agree(rules: &Rules, roots: &[Position]) {
    let solution = sparse(rules, &Options { roots, ..Options::default() }).unwrap();
    let dense = scalar::solve_in(rules, tablegen::plane::Layout::reading_order(rules.cells())).unwrap();
    let planes: Planes<'_> = dense.planes();
    let roots = if roots.is_empty() { rules.start_positions() } else { roots.to_vec() };
    let reachable = reachable(rules, &roots);
    assert_eq!(solution.levels().count(), reachable.len() as u64);
    let mut search = Search::new(rules);
    for &position in &reachable {
        let expected = planes.outcome(position.mode, position.board.0).unwrap();
        assert_eq!(solution.outcome(position), Some(expected), "{position:?} of {rules:?}");
        assert_eq!(search.outcome(Node::At(position)), Ok(expected), "{position:?} of {rules:?}");
    }
    let listed: HashMap<Position, Outcome> = solution.positions().collect();
    assert_eq!(listed.len(), reachable.len());
    let outside =
        (0..rules.modes().len() as u16).flat_map(|m| (0..1 << rules.cells()).map(move |b| (Mode(m), Board(b))));
    for (mode, board) in outside {
        let position = Position::new(mode, board);
        assert_eq!(solution.outcome(position), listed.get(&position).copied());
    }
    // The opening is worth its best choice.
    let by_definition = match rules.start() {
        Start::At(position) => planes.outcome(position.mode, position.board.0).unwrap(),
        Start::Opening(choices) => {
            choices.iter().map(|c| planes.outcome(c.mode, c.board.0).unwrap().flip()).max().unwrap()
        }
    };
    assert_eq!(Search::new(rules).outcome(Node::Opening), Ok(by_definition));
}

/// The table of a solution, in memory.
fn table_bytes(rules: &Rules, solution: &Solution) -> Vec<u8> {
    ReachedDraft {
        rules,
        descriptor: &Descriptor::default(),
        roots: solution.roots(),
        levels: solution.levels(),
        keys: solution.keys(),
        outcomes: solution.outcomes(),
        counts: solution.counts_by_mode(),
    }
    .to_bytes()
}

fn tactics(rows: u32, cols: u32, play: &str) -> Rules {
    let tactics: &Family = family("tactics").unwrap();
    let parameters = Parameters::new().with("rows", rows).with("cols", cols).with("play", play);
    tactics.make(&parameters).unwrap().rules().clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_rules_agree(seed: u64) {
        let rules = random_rules(seed);
        agree(&rules, &[]);
    }

    #[test]
    fn other_roots_agree(seed: u64, boards in prop::collection::vec(any::<u64>(), 1..4)) {
        let rules = random_rules(seed);
        let root = |&word: &u64| {
            Position::new(Mode((word >> 32) as u16 % rules.modes().len() as u16), Board(word) & Board::full(rules.cells()))
        };
        let mut roots: Vec<Position> = boards.iter().map(root).collect();
        roots.push(roots[0]);
        agree(&rules, &roots);
    }

    #[test]
    fn tables_of_random_rules_hold(seed: u64) {
        let rules = random_rules(seed);
        let solution = sparse(&rules, &Options::default()).unwrap();
        let table = Table::from_bytes(table_bytes(&rules, &solution)).unwrap().checked().unwrap();
        verify_bytes(&table, &|_| {}).unwrap();
        prop_assert_eq!(verify_labels(&table, Labels::All, &|_| {}).unwrap(), solution.levels().count());
        prop_assert_eq!(verify_labels(&table, Labels::Sample { count: 50, seed: 1 }, &|_| {}).unwrap(), 50);
        for (position, outcome) in solution.positions() {
            prop_assert_eq!(table.outcome(position).unwrap(), outcome);
        }
        prop_assert_eq!(table.counts(), solution.counts());
    }

    #[test]
    fn a_search_with_leaves_or_a_limit_is_right_or_says_nothing(seed: u64, limit in 0u64..60) {
        let rules = random_rules(seed);
        let solution = sparse(&rules, &Options::default()).unwrap();
        let mut search = Search::new(&rules).limit(limit);
        let mut leaves = Leaves(|p: Position| (p.board.0 % 3 == 1).then(|| solution.outcome(p)).flatten());
        for (position, outcome) in solution.positions().take(200) {
            let before = search.expanded();
            match search.outcome_with(Node::At(position), &mut leaves) {
                Ok(found) => prop_assert_eq!(found, outcome),
                Err(unknown) => prop_assert_eq!(unknown.limit, limit),
            }
            prop_assert!(search.expanded() - before <= limit);
        }
    }
}

#[test]
fn tactics_agrees_up_to_sixteen_squares() {
    for (rows, cols) in [(1, 1), (1, 7), (2, 3), (3, 3), (2, 6), (3, 5), (4, 4)] {
        for play in ["normal", "misere"] {
            agree(&tactics(rows, cols, play), &[]);
        }
    }
}

#[test]
fn the_number_of_threads_cannot_be_seen() {
    let rules = tactics(4, 5, "misere");
    let solve = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| table_bytes(&rules, &sparse(&rules, &Options::default()).unwrap()))
    };
    let one = solve(1);
    assert!(one == solve(2) && one == solve(7));
}

#[test]
fn a_flood_that_outgrows_its_memory_stops() {
    let rules = tactics(4, 5, "misere");
    let solve = |memory| sparse(&rules, &Options { memory: Some(memory), ..Options::default() });
    let needed = solve(1 << 30).unwrap().levels().key_bytes();
    // Half of what is stored in the end, and the replies of a group.
    let error = solve(needed / 2 + (4 << 20)).unwrap_err();
    let SparseError::Memory { memory, needed, positions, filled, cells } = error else { panic!("{error}") };
    assert!(needed > memory && positions > 1 && positions < 1 << 20 && filled < 20 && cells == 20);
    assert!(solve(0).unwrap_err().to_string().contains("0 bytes of memory are not enough"));
}

#[test]
fn progress_counts_every_position() {
    let rules = tactics(3, 4, "misere");
    let told = std::sync::Mutex::new(Vec::new());
    let note = |progress| told.lock().unwrap().push(progress);
    let solution = sparse(&rules, &Options { progress: Some(&note), ..Options::default() }).unwrap();
    let (told, of) = (told.into_inner().unwrap(), solution.levels().count());
    assert!(told.contains(&Progress::Found { filled: 12, positions: of }));
    assert_eq!(told.last(), Some(&Progress::Labelled { positions: of, of }));
}

#[test]
fn a_root_outside_the_rules_is_refused() {
    let root = Position::new(Mode(1), Board::EMPTY);
    let error = sparse(&tactics(2, 2, "normal"), &Options { roots: &[root], ..Options::default() }).unwrap_err();
    assert!(matches!(error, SparseError::Root { position, .. } if position == root), "{error}");
}

/// Wide boards take codes of more than 64 bits: 64 cells in 3 modes, filled one by one from the left.
#[test]
fn codes_of_more_than_a_word() {
    let moves = (0..64u32).flat_map(|bit| {
        (0..3u16).map(move |mode| Move {
            mode: Mode(mode),
            empty: Board::bit(bit),
            full: Board::full(bit),
            fills: Board::bit(bit),
            next: Mode((mode + 1 + (bit % 2) as u16) % 3),
        })
    });
    let rules = RulesSpec {
        modes: ["a", "b", "c"].map(String::from).to_vec(),
        moves: moves.collect(),
        ends: vec![End { mode: Mode(1), pattern: Board::full(60), outcome: Outcome::Draw }],
        start: Start::Opening((0..3).map(|mode| Position::new(Mode(mode), Board::EMPTY)).collect()),
        ..RulesSpec::new("wide", 64)
    }
    .build()
    .expect("sound rules");
    let solution = sparse(&rules, &Options::default()).unwrap();
    let mut search = Search::new(&rules);
    assert_eq!(solution.positions().count() as u64, solution.levels().count());
    for (position, outcome) in solution.positions() {
        assert_eq!(search.outcome(position.into()), Ok(outcome));
    }
    let table = Table::from_bytes(table_bytes(&rules, &solution)).unwrap();
    verify_labels(&table, Labels::All, &|_| {}).unwrap();
    let outside = Position::new(Mode(0), Board(2));
    assert!(
        matches!(table.outcome(outside).unwrap_err().fault, TableFault::NotReached { position } if position == outside)
    );
    assert_eq!(table.find(outside).unwrap(), None);
}

/// Whatever bytes change, what is said is an error or true, and never a panic.
#[test]
fn damage_is_an_error_and_never_a_panic() {
    let rules = tactics(3, 4, "misere");
    let solution = sparse(&rules, &Options::default()).unwrap();
    let bytes = table_bytes(&rules, &solution);
    let sound: Vec<(Position, Outcome)> = solution.positions().collect();
    let mut draw = fastrand::Rng::with_seed(7);
    for round in 0..300 {
        let mut damaged = bytes.clone();
        let header = 4096..damaged.len();
        for _ in 0..=round % 4 {
            damaged[draw.usize(header.clone())] ^= 1 << draw.u32(..8);
        }
        if damaged == bytes {
            continue;
        }
        let table = Table::from_bytes(damaged.clone()).unwrap();
        assert!(verify_bytes(&table, &|_| {}).is_err());
        let _ = verify_labels(&table, Labels::All, &|_| {});
        let _ = verify_labels(&table, Labels::Sample { count: 20, seed: round }, &|_| {});
        for &(position, _) in &sound {
            let _ = table.outcome(position);
        }
        if let Ok(checked) = table.checked() {
            for &(position, outcome) in &sound {
                assert!(checked.outcome(position).map_or(true, |found| found == outcome));
            }
        }
    }
    for length in 0..bytes.len() {
        assert!(Table::from_bytes(bytes[..length].to_vec()).is_err());
    }
}

/// Tables that are whole, and wrong: checksums hold, and the labels level finds it.
#[test]
fn what_checksums_cannot_see_is_found() {
    let rules = tactics(2, 3, "misere");
    let solution = sparse(&rules, &Options::default()).unwrap();
    let draft = |keys: &[Vec<u8>], outcomes: &[Vec<u8>], roots: &[Position]| {
        let descriptor = Descriptor::default();
        let draft = ReachedDraft {
            rules: &rules,
            descriptor: &descriptor,
            roots,
            levels: solution.levels(),
            keys,
            outcomes,
            counts: solution.counts_by_mode(),
        };
        let table = Table::from_bytes(draft.to_bytes()).unwrap();
        verify_bytes(&table, &|_| {}).unwrap();
        verify_labels(&table, Labels::All, &|_| {})
    };
    let (keys, outcomes, roots) = (solution.keys(), solution.outcomes(), solution.roots());
    draft(keys, outcomes, roots).unwrap();
    for (level, byte) in (0..outcomes.len()).flat_map(|level| (0..outcomes[level].len()).map(move |byte| (level, byte)))
    {
        let mut wrong = outcomes.to_vec();
        wrong[level][byte] ^= 1;
        assert!(matches!(draft(keys, &wrong, roots), Err(Finding::Label { .. } | Finding::Counts { .. })));
    }
    for (level, byte) in (0..keys.len()).flat_map(|level| (0..keys[level].len()).map(move |byte| (level, byte))) {
        let mut wrong = keys.to_vec();
        wrong[level][byte] ^= 1 << (byte % 8);
        assert!(draft(&wrong, outcomes, roots).is_err(), "level {level}, byte {byte}");
    }
    // Every other root leaves positions that nothing reaches.
    let error = draft(keys, outcomes, &[Position::of(Board(1))]).unwrap_err();
    assert!(matches!(error, Finding::Unreached { position } if position == Position::default()), "{error}");
}
