//! Parts of games: tables of some modes, and searches that end there.

use super::*;
use tablegen::engine::{PartFacts, SearchLimit, SearchOptions, part_of};
use tablegen::game::{FileGame, bundled};
use tablegen::label::Value;
use tablegen::rules::Mode;
use tablegen::search::Wanted;

/// A game in which the first player chooses a board for mode `b`, and pairs of neighbours are filled there.
const PAIRS: &str = "name = 'pairs'\nmodes = ['a', 'b']\nboard = { row = 7 }\nparts = { late = 'b' }\n\
    move = [{ shape = 'X', mode = 'a', next = 'b' }, { shape = 'XX', mode = 'b', next = 'b' }]\n";

fn library(name: &str) -> Box<dyn Game> {
    bundled(name, &Parameters::new()).expect("a game of the library").expect("sound parameters")
}

fn built(place: &Place, game: Box<dyn Game>) -> Table {
    let labels = game.usual_labels();
    place.build(game, &BuildOptions { labels, ..BuildOptions::default() }).expect("room for a small table").open.table
}

/// The same position in rules with other numbers of modes.
fn moved(position: Position, from: &Rules, to: &Rules) -> Option<Position> {
    let name = &from.modes()[usize::from(position.mode.0)];
    let mode = to.modes().iter().position(|known| known == name)?;
    Some(Position::new(Mode(mode as u16), position.board))
}

/// The positions that play reaches.
fn reachable(rules: &Rules) -> Vec<Position> {
    let mut open = rules.start_positions();
    let mut seen: std::collections::BTreeSet<Position> = open.iter().copied().collect();
    while let Some(position) = open.pop() {
        if rules.is_over(position) {
            continue;
        }
        open.extend(rules.successors(position).filter(|&to| seen.insert(to)));
    }
    seen.into_iter().collect()
}

fn pairs() -> Box<dyn Game> {
    Box::new(FileGame::read(PAIRS, &Parameters::new()).expect("sound rules"))
}

/// Makes a game.
type Make = fn() -> Box<dyn Game>;

/// Games, each with the name of a part and the solver of its table.
const GAMES: [(Make, &str, Method); 7] = [
    (|| library("three-mens-morris"), "moving", Method::Regions),
    (|| library("six-mens-morris"), "moving", Method::Regions),
    (|| library("achi"), "moving", Method::Regions),
    (|| library("nine-holes"), "moving", Method::Regions),
    (|| library("picaria"), "moving", Method::Regions),
    (|| library("teeko"), "moving", Method::Regions),
    (pairs, "late", Method::Dense),
];

#[test]
fn a_part_has_the_labels_of_the_whole_and_ends_its_search() {
    let mut repetitions = 0;
    for (game, name, method) in GAMES {
        let [of_whole, of_part] = [Place::new(), Place::new()];
        let whole = built(&of_whole, game());
        let part = built(&of_part, part_of(game(), name).expect("a part"));
        let called = format!("{}.{name}", whole.rules().name());
        assert_eq!(
            of_part.names().iter().filter(|it| it.ends_with(".tb")).collect::<Vec<_>>(),
            [&format!("{called}.tb")]
        );
        assert_eq!((part.rules().name(), part.solver()), (&*called, method));
        let facts = PartFacts { name: name.into(), whole: whole.rules().name().into() };
        assert_eq!((PartFacts::of(&part), PartFacts::of(&whole)), (Some(facts), None));
        // The game of the table is that of the part, found by its name.
        let open = of_part.engine.open_named(&called).expect("a sound table").expect("a table");
        assert_eq!(open.game.part().map(|part| part.name), Some(name));

        let source = of_part.engine.source(game(), LIMIT).expect("a source");
        assert!(source.origin() == Origin::Search && source.has_parts());
        let (mut inside, mut outside, mut compared) = (0, 0, 0);
        let all = reachable(whole.rules());
        let step = 1 + all.len() / 20_000;
        for (number, position) in all.into_iter().step_by(step).enumerate() {
            let expected = whole.value(position).expect("a label");
            let text = source.game().write(position.into());
            let asked = || source.read(&text).expect("a position");
            if let Some(inner) = moved(position, whole.rules(), part.rules()) {
                inside += 1;
                assert_eq!(part.value(inner).expect("a label"), expected, "{text}");
                if number % 101 == 0 {
                    let answered = source.answer(&asked()).expect("an answer").answer;
                    assert_eq!((answered.value, source.origin_of(&answered)), (Some(expected), "table"), "{text}");
                }
            } else if outside < 2000 {
                outside += 1;
                let found = source.brief(&asked()).expect("an answer");
                assert_eq!(found.outcome_name(), expected.outcome.name(), "{text}");
                // The labels of the part's table lead to those of the positions before it.
                if number % 11 == 0 {
                    let options = SearchOptions { limit: SearchLimit::Positions(LIMIT), wanted: Wanted::Plies };
                    let answer = source.answer_within(&asked(), options).expect("an answer").answer;
                    let length = |value: Value| (value.outcome, value.remoteness(), value.repetition);
                    // The search for the plies of a draw is short, and may find none.
                    let agrees = |found: Option<Value>, expected: Value| {
                        let (found, expected) = (found.map(length), length(expected));
                        found == Some(expected)
                            || found == Some((Outcome::Draw, None, false)) && expected.0 == Outcome::Draw
                    };
                    assert!(agrees(answer.value, expected), "{text}: {:?}, not {expected:?}", answer.value);
                    repetitions += usize::from(answer.value.is_some_and(|value| value.repetition));
                    let of_moves = whole.probe(position).expect("labels").moves;
                    for m in answer.moves {
                        let of_move = of_moves.iter().find(|choice| Some(choice.to) == m.to).expect("a move");
                        assert!(
                            agrees(m.value, of_move.value),
                            "{text} {}: {:?}, not {:?}",
                            m.text,
                            m.value,
                            of_move.value
                        );
                    }
                    compared += 1;
                }
            }
        }
        assert!(inside > 50 && outside > 0 && compared > 0, "{called}: {inside} {outside} {compared}");
    }
    assert!(repetitions > 50, "{repetitions}");
}

#[test]
fn a_part_has_no_table_of_reachable_positions() {
    for (game, name, _) in GAMES {
        for method in [Method::Sparse, Method::Cyclic, Method::Coloured] {
            let options = BuildOptions { method: Some(method), ..BuildOptions::default() };
            let error = Place::new().build(part_of(game(), name).expect("a part"), &options).err().expect("a refusal");
            assert!(matches!(error, EngineError::PartSolver { .. }), "{error}");
        }
    }
    let (game, name, _) = GAMES.last().expect("games");
    assert!(matches!(part_of(game(), "early"), Err(GameError::UnknownPart { .. })));
    assert!(part_of(game(), name).is_ok());
}

#[test]
fn names_of_parts_mean_parts() {
    assert!(
        matches!(meaning("six-mens-morris.moving".as_ref()), Ok(Meaning::Part(of, "moving")) if of.name == "six-mens-morris")
    );
    assert!(matches!(meaning("six-mens-morris.tb".as_ref()), Ok(Meaning::Table(_))));
    assert_eq!(
        game("nine-mens-morris.moving", &Parameters::new()).unwrap().rules().name(),
        "nine-mens-morris-9-jumps1.moving"
    );
}
