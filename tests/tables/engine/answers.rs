//! Sources of answers: a table, a solution that is not saved, and a search.

use super::*;
use tablegen::engine::searched;

#[test]
fn answers_from_a_table_from_a_solution_and_from_a_search() {
    let Place { engine, .. } = &Place::new();
    let source = |game| engine.source(game, LIMIT).expect("a source");
    let table = source(quiz());
    let solved = source(tactics(3, 3, Play::Misere));
    let searched = source(plain(row_of_60()));
    let sources =
        [(&table, Origin::Table, "table"), (&solved, Origin::Solved, "solved"), (&searched, Origin::Search, "search")];
    for (source, origin, name) in sources {
        assert_eq!((source.origin(), origin.name(), source.options()), (origin, name, LIMIT.into()));
    }

    let asked = table.read("XX../XX../..../....").expect("a board");
    let found = table.answer(&asked).expect("a sound table");
    assert_eq!((found.outcome_name(), found.answer.source, found.answer.moves.len()), ("win", AnswerSource::Table, 40));
    let best: Vec<&str> = found.answer.best().map(|m| m.text.as_str()).collect();
    assert_eq!(best, ["c3", "d4"]);
    // A game too large for a table is searched. The search succeeds near the end and reaches its limit at the start.
    let near_the_end = searched.answer(&Asked::Node(Position::of(Board::full(57)).into())).expect("no table is read");
    assert_eq!((near_the_end.outcome_name(), near_the_end.answer.source), ("win", AnswerSource::Search));
    assert_eq!(near_the_end.answer.moves.len(), 3);
    let impatient = engine.source(tactics(6, 7, Play::Misere), 10).expect("a source");
    let start = impatient.answer(&Asked::Node(Position::of(Board::EMPTY).into())).expect("no table is read");
    assert_eq!(start.outcome_name(), "unknown");
    // A missing text means the start.
    let start = solved.answer(&Asked::typed(solved.game(), None).expect("the start")).expect("an answer");
    let expected = dense(solved.game().rules()).outcome(Position::default());
    assert_eq!((start.answer.node, start.answer.outcome()), (Some(Node::from(Position::of(Board::EMPTY))), expected));

    let error = table.read("nonsense").expect_err("no board");
    assert_eq!(EngineError::from(error).kind(), ErrorKind::Input);
    assert!(Asked::in_file(quiz().as_ref(), "nonsense").is_err());
    assert!(Asked::in_file(quiz().as_ref(), "X X . .\nX X . .\n. . . .\n. . . .\n").is_ok());
}

/// A position that the sparse table does not hold is searched. Beyond the limit, its outcome stays unknown.
#[test]
fn a_position_outside_the_table_is_searched() {
    let rules = games::dominoes(4);
    let (solution, all) = (sparse(&rules), dense(&rules));
    // Choose a position such that the table holds neither it nor any of its successors.
    let is_outside = |p: Position| solution.outcome(p).is_none();
    let is_far =
        |&p: &Position| is_outside(p) && !rules.is_over(p) && rules.moves_from(p).all(|m| is_outside(m.play(p)));
    let outside = crate::common::positions(&rules).find(is_far).expect("most sets of tiles cannot be laid as a line");
    let bytes = solution.to_bytes(&Descriptor::default());
    let source = |limit| {
        let open = OpenTable::new(Table::from_bytes(bytes.clone()).expect("a table"));
        Source::of_table(open, limit).expect("sound lists")
    };
    let ask = |source: &Source| source.answer(&Asked::Node(outside.into())).expect("an answer");
    let found = ask(&source(LIMIT));
    assert_eq!((found.answer.source, found.answer.outcome()), (AnswerSource::Search, all.outcome(outside)));
    for m in &found.answer.moves {
        let after = m.to.and_then(|to| all.outcome(to)).expect("a position");
        assert_eq!(m.outcome(), Some(after.flip()));
    }
    let unknown = ask(&source(0));
    assert_eq!((unknown.outcome_name(), unknown.answer.outcome()), ("unknown", None));

    let open = OpenTable::new(Table::from_bytes(bytes.clone()).expect("a table"));
    assert_eq!((open.table.counts(), open.source()), (solution.counts(), "embedded".into()));
    assert_eq!(open.start().expect("a sound table").value.outcome, Outcome::Win);
}

/// A damaged table gives no answer from a changed block, and still answers from other blocks.
#[test]
fn a_damaged_table_is_an_error_of_its_kind() {
    let place = Place::new();
    let path = place.path("damaged.tb");
    let mut bytes = dense(quiz().rules()).to_bytes(&quiz().descriptor());
    bytes[4096 + 77] ^= 0x10;
    fs::write(&path, &bytes).expect("a file");
    let source = Source::of_table(place.engine.open(&path).expect("labels are not read"), LIMIT).expect("sound lists");
    let (kind_of, text) = kind(source.answer(&source.read("0x0").expect("a board")).map(drop));
    assert!(kind_of == ErrorKind::Table && text.contains("damaged.tb"), "{text}");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    let open = place.engine.open(&path).expect("lists are not read");
    assert_eq!(kind(Source::of_table(open, LIMIT).map(drop)).0, ErrorKind::Table);
    bytes[100] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    assert_eq!(kind(place.engine.open(&path).map(drop)).0, ErrorKind::Table);
}

/// The limit may be reached at any point: while the position is decided, or later while its moves are.
#[test]
fn a_win_or_draw_always_has_a_move_that_keeps_it() {
    let check = |game: &dyn Game, node: Node, limit: u64| {
        let found = searched(game, node, limit);
        let Some(outcome) = found.outcome() else { return Outcome::Loss };
        let keeping = found.moves.iter().filter(|m| m.outcome() == Some(outcome)).count();
        assert!(keeping > 0, "{outcome} within {limit} at {}", found.position);
        outcome
    };
    let small = Mnk::new(3, 3, 3, Play::Normal).expect("a small game");
    let outcomes: Vec<Outcome> = (1..1500).map(|limit| check(&small, small.rules().start_node(), limit)).collect();
    assert!(outcomes.contains(&Outcome::Draw));
    let parameters = Parameters::new().with("rows", 6).with("cols", 7);
    let large = game("connect-four", &parameters).expect("a library game");
    let position = "......./......./......./...O.../..XXX../..OXO.. o";
    let node = large.read(position).expect("a position").node;
    let limits = [1 << 14, 1 << 16, 1 << 18, 1 << 20];
    let outcomes = limits.map(|limit| check(large.as_ref(), node, limit));
    assert_eq!(outcomes.last(), Some(&Outcome::Win));
}
