//! Boards of more than 64 cells: a game with few cells, spread over a wide board, keeps its labels.

use crate::common::games::IMPARTIAL;
use proptest::prelude::*;
use tablegen::compressed::Compression;
use tablegen::engine::{Asked, Engine, TableDirs, game, rules_file};
use tablegen::game::{Game, Parameters, Plain, read_position};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Board, Descriptor, End, Mode, Move, Node, Outcome, Position, Rules, RulesSpec, Start, Symmetry};
use tablegen::search::Search;
use tablegen::solve::{Method, Options, SolveError, Solver, count_reachable, sampled_count, solve};
use tablegen::symmetry::Group;
use tablegen::table::{SaveTable, Table};
use tablegen::verify;

use crate::common::script::labels_of;
use crate::common::{games, random, reachable, table, table_bytes};

/// `rules` on a board of `cells` cells: cell `i` becomes cell `to[i]`, and the other cells are unused.
fn spread(rules: &Rules, cells: u32, to: &[u32]) -> Rules {
    let of = |board: Board| board.bits().map(|bit| Board::bit(to[bit as usize])).collect::<Board>();
    let spec = rules.clone().into_spec();
    let at = |position: &Position| Position::new(position.mode, of(position.board));
    let moved =
        |m: &Move| Move { empty: of(m.empty), full: of(m.full), fills: of(m.fills), clears: of(m.clears), ..*m };
    let start = match &spec.start {
        Start::At(position) => Start::At(at(position)),
        Start::Opening(choices) => Start::Opening(choices.iter().map(at).collect()),
    };
    let moves = spec.moves.iter().map(moved).collect();
    let ends = spec.ends.iter().map(|end| End { pattern: of(end.pattern), ..*end }).collect();
    RulesSpec { cells, moves, ends, start, ..spec }.build().expect("sound rules on a wide board")
}

/// Random places on a wide board for the cells of `rules`, in ascending order, so that positions keep their order.
fn places(rules: &Rules, cells: u32, seed: u64) -> Vec<u32> {
    let mut draw = fastrand::Rng::with_seed(seed);
    let mut places = draw.choose_multiple(0..cells, rules.cells() as usize);
    places.sort_unstable();
    places
}

/// The labels that `rules` can have.
fn labels(rules: &Rules) -> LabelSet {
    [LabelKind::Outcome, LabelKind::Remoteness, LabelKind::Nimber]
        .into_iter()
        .filter(|kind| kind.undefined_by(rules).is_none())
        .collect()
}

/// Panics unless `rules`, spread over `cells` cells, have the labels of the game with few cells: solved with and without
/// symmetry, written to tables, and read back.
fn assert_spreads(rules: &Rules, cells: u32, seed: u64) {
    let to = places(rules, cells, seed);
    let wide = spread(rules, cells, &to);
    let method = Method::of_reachable(rules);
    assert_eq!(Method::of_reachable(&wide), method);
    let options = Options { labels: labels(rules), ..Options::of(method) };
    let plain = solve(rules, &options).expect("small rules");
    let solution = solve(&wide, &options).expect("small rules");
    let packing = Compression { block: 1 << 10, ..Compression::default() };
    let packed = solution.to_packed_bytes(&Descriptor::default(), Some(packing));
    let tables = [table(&solution), Table::from_bytes(packed).expect("a table just written")];
    let of = |board: Board| board.bits().map(|bit| Board::bit(to[bit as usize])).collect::<Board>();
    let narrow: Vec<(Position, Outcome)> =
        reachable(plain.contents()).positions().map(|found| found.expect("sound keys")).collect();
    for table in tables {
        assert_eq!(table.rules(), &wide);
        assert_eq!(reachable(table.contents()).positions().count(), narrow.len());
        for &(position, _) in &narrow {
            let at = Position::new(position.mode, of(position.board));
            assert_eq!(table.value(at).expect("a reachable position"), plain.value(position).expect("its labels"));
        }
        verify::labels(&table, &verify::Options::default()).expect("right labels");
    }
    let count = count_reachable(&wide, &Options::of(method)).expect("few positions");
    assert_eq!(count.positions, narrow.len() as u64);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn a_game_spread_over_a_wide_board_keeps_its_labels(rules in random::small(), cells in 65u32..=125, seed: u64) {
        assert_spreads(&rules, cells, seed);
    }
}

/// Games in which positions may repeat or pieces move, and a game with nimbers.
#[test]
fn games_of_every_kind_keep_their_labels_on_a_wide_board() {
    let library = ["three-mens-morris", "dodgem", "hare-and-hounds", "clobber"]
        .map(|name| game(name, &Parameters::new()).expect("a game of the library").rules().clone());
    for (seed, rules) in (0..).zip(games::of_every_kind().iter().chain(&library)) {
        assert_spreads(rules, 65 + seed as u32 * 5 % 50, seed);
        assert_spreads(rules, 120, seed);
    }
}

#[test]
fn symmetries_find_the_same_representatives_on_a_wide_board() {
    for rules in [games::tictactoe(), game("three-mens-morris", &Parameters::new()).unwrap().rules().clone()] {
        let to = places(&rules, 100, 5);
        let wide = spread(&rules, 100, &to);
        let group = Group::of_rules(&rules, &rules.start_positions()).expect("symmetries of the rules");
        let spread_one = |symmetry: &Symmetry| {
            let mut cells: Vec<u8> = (0..100).collect();
            for (from, &image) in symmetry.cells().iter().enumerate() {
                cells[to[from] as usize] = to[usize::from(image)] as u8;
            }
            Symmetry::new(cells, symmetry.modes().to_vec()).expect("a permutation")
        };
        let generators: Vec<Symmetry> = group.generators().iter().map(spread_one).collect();
        let wide_group = Group::new(&wide, &wide.start_positions(), &generators).expect("symmetries");
        assert_eq!((wide_group.order(), wide_group.name()), (group.order(), group.name()));
        let options = |group| Options::of(Solver::of_reachable(&rules, group));
        let plain = solve(&rules, &options(&group)).expect("small rules");
        let wide = solve(&wide, &options(&wide_group)).expect("small rules");
        let of = |board: Board| board.bits().map(|bit| Board::bit(to[bit as usize])).collect::<Board>();
        let mut count = 0;
        for found in reachable(plain.contents()).positions() {
            let (position, outcome) = found.expect("sound keys");
            let at = Position::new(position.mode, of(position.board));
            assert_eq!(wide_group.representative_and_stabilizer(at).position, at);
            assert_eq!(wide.outcome(at), Some(outcome));
            count += 1;
        }
        assert_eq!(reachable(wide.contents()).positions().count(), count);
        let image = spread_one(&group.generators()[0]);
        let any = Position::new(Mode(0), of(Board::from_word(0b1011)));
        assert_eq!(wide_group.representative(image.of(any)), wide_group.representative(any));
    }
}

/// A row of 100 cells in which play only happens at its two ends.
fn row() -> Rules {
    let pair = |cell: u32| Move::fill(Board::bit(cell) | Board::bit(cell + 1));
    let moves = (0..6).chain(93..99).map(pair).collect();
    RulesSpec { moves, ..RulesSpec::new("row-100", 100) }.build().expect("sound rules")
}

#[test]
fn python_reads_a_wide_table() {
    let rules = row();
    let options = Options { labels: IMPARTIAL.without(LabelKind::MisereNimber), ..Options::of(Method::Sparse) };
    let solution = solve(&rules, &options).expect("few positions");
    let output = labels_of(&table_bytes(&solution));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("text");
    let full = Board::bit(99) | Board::bit(98);
    let nimber = solution.value(Position::of(full)).unwrap().nimber().unwrap();
    assert!(
        lines
            .lines()
            .any(|line| line.starts_with(&format!("0,{},", full.number())) && line.ends_with(&format!(",{nimber}")))
    );
    assert_eq!(lines.lines().count() as u64, count_reachable(&rules, &options).unwrap().positions);
    // Both ends are Dawson's Kayles with seven pins.
    let ends = RulesSpec {
        moves: (0..6).map(|cell| Move::fill(Board::bit(cell) | Board::bit(cell + 1))).collect(),
        ..RulesSpec::new("end", 7)
    };
    let end = solve(&ends.build().unwrap(), &options).expect("few positions");
    assert_eq!(solution.value(Position::default()).unwrap().nimber(), Some(0));
    for board in (0..128).map(Board::from_word) {
        let Some(one) = end.value(Position::of(board)) else { continue };
        let both = solution.value(Position::of(board | board << 93)).expect("a reachable position");
        assert_eq!(
            (both.nimber(), solution.value(Position::of(board << 93)).unwrap().nimber()),
            (Some(0), one.nimber().map(|n| n ^ end.value(Position::default()).unwrap().nimber().unwrap()))
        );
    }
}

#[test]
fn searches_agree_on_a_wide_board() {
    let rules = row();
    let solution = solve(&rules, &Options::of(Method::Sparse)).expect("few positions");
    let mut search = Search::new(&rules);
    for found in reachable(solution.contents()).positions() {
        let (position, outcome) = found.expect("sound keys");
        assert_eq!(search.outcome(Node::At(position)), Ok(outcome));
    }
}

#[test]
fn boards_without_codes_are_refused() {
    let rules = |cells, modes| {
        let modes = (0..modes).map(|mode| format!("m{mode}")).collect();
        RulesSpec { modes, moves: vec![Move::fill(Board::bit(0))], ..RulesSpec::new("wide", cells) }.build().unwrap()
    };
    for (cells, modes, is_possible) in
        [(127, 1, true), (128, 1, false), (126, 2, true), (127, 2, false), (116, 4096, false)]
    {
        let rules = rules(cells, modes);
        let options = Options::of(Method::Sparse);
        match solve(&rules, &options) {
            Ok(solution) if is_possible => {
                assert_eq!(solution.outcome(Position::of(Board::bit(0))), Some(Outcome::Loss))
            }
            Err(SolveError::TooWide { found, most: 127, .. }) if !is_possible => assert!(found > 127),
            other => panic!("{cells} cells: {:?}", other.err()),
        }
        assert_eq!(count_reachable(&rules, &options).is_ok(), is_possible);
        assert_eq!(sampled_count(&rules, &[], None).unwrap().is_some(), is_possible);
        assert!(matches!(solve(&rules, &Options::default()), Err(SolveError::TooLarge { .. })));
    }
}

#[test]
fn rules_files_and_numbers_use_every_cell() {
    let file = "name = \"row-100\"\nsummary = \"a row\"\n[board]\nrow = 100\n[[move]]\nshape = \"XX\"\n";
    let game = rules_file(file, &Parameters::new()).expect("a rules file of 100 cells");
    assert_eq!((game.rules().cells(), game.rules().moves().len()), (100, 99));
    let text = format!("XX{}", ".".repeat(98));
    let node = game.read(&text).expect("a row of 100 squares").node;
    assert_eq!(node, Node::At(Position::of(Board::bit(99) | Board::bit(98))));
    assert_eq!(read_position(&game, &format!("{:#x}", 3u128 << 98)).expect("a board number").node, node);
    assert_eq!(game.write(node), text);
    let plain = Plain::new(RulesSpec::new("wide", 128).build().unwrap(), Descriptor::default());
    let full = read_position(&plain, &format!("0x{}", "f".repeat(32))).expect("32 hexadecimal digits").node;
    assert_eq!(full, Node::At(Position::of(Board::full(128))));
    assert!(read_position(&plain, &format!("0x1{}", "0".repeat(32))).is_err());
    assert!(rules_file(&file.replace("row = 100", "row = 129"), &Parameters::new()).is_err());
}

/// Connect Four on the board that people know: a position near the end is searched.
#[test]
fn connect_four_is_searched_near_the_end() {
    let size = Parameters::new().with("rows", 6).with("cols", 7);
    let game = game("connect-four", &size).expect("a game of the library");
    assert_eq!((game.rules().cells(), game.rules().moves().len(), game.rules().ends().len()), (84, 154, 138));
    let engine = Engine::new(TableDirs::none());
    let source = engine.source(game, 1 << 20).expect("a search");
    // X threatens a row of four at d6, and O cannot stop it.
    let text = "......./......./......./OO...../OOX..../OXXX..O x";
    let asked = Asked::typed(source.game(), Some(text)).expect("a position");
    let answered = source.answer(&asked).expect("a search");
    assert_eq!(answered.answer.value.map(|value| value.outcome), Some(Outcome::Win));
    // At the start the outcome is unknown.
    let start = Asked::typed(source.game(), None).expect("the start");
    let answered = source.answer_within(&start, 1000).expect("a search");
    assert!(answered.answer.value.is_none() && !source.remedy().build);
}
