//! Lines of best play and examples of the longest games, compared with the labels.

use crate::common::games::IMPARTIAL;
use proptest::prelude::*;
use tablegen::contents::Contents;
use tablegen::engine::{Asked, BestLine, LabelFacts, LineEnd, OpenTable, Source, json};
use tablegen::game::{Coverage, FAMILIES, Game, LIBRARY, Mnk, Parameters, Play, Tactics};
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Descriptor, Node, Outcome, Position, Rules, RulesSpec};
use tablegen::solve::{Method, Options, solve};
use tablegen::table::{SaveTable, Table};

use crate::common::{forge, games, random, stored};

const REMOTENESS: LabelSet = LabelSet::OUTCOME.with(LabelKind::Remoteness);

fn solved(rules: &Rules, descriptor: &Descriptor, labels: LabelSet, method: Method, roots: &[Position]) -> OpenTable {
    let options = Options { labels, roots, ..Options::of(method) };
    let solution = solve(rules, &options).expect("the rules are small");
    OpenTable::new(Table::from_bytes(solution.to_bytes(descriptor)).expect("a table just written"))
}

fn plain(rules: &Rules, labels: LabelSet, method: Method) -> OpenTable {
    solved(rules, &Descriptor::default(), labels, method, &[])
}

fn of_game(game: &dyn Game, labels: LabelSet) -> OpenTable {
    let method = if game.coverage() == Some(Coverage::Reachable) { Method::Sparse } else { Method::Dense };
    solved(game.rules(), &game.descriptor(), labels, method, &game.roots())
}

fn source(open: OpenTable) -> Source {
    Source::of_table(open, 1000).expect("a sound table")
}

fn line(source: &Source, node: Option<Node>) -> BestLine {
    let asked =
        node.map_or_else(|| Asked::typed(source.game(), None).expect("the start"), |node| Asked::Node(node.into()));
    source.line(&asked).expect("a sound table")
}

/// Panics unless the line from `node` keeps the outcome, alternates the players, ends the game and, if the table has
/// remoteness, has that number of plies.
fn assert_best(source: &Source, node: Option<Node>) {
    let line = line(source, node);
    let rules = source.game().rules();
    let mut before = &line.start.answer;
    let plies = before.value.expect("a table knows").remoteness();
    for (number, ply) in line.plies.iter().enumerate() {
        let (chosen, after) = (ply.chosen.value.expect("a table knows"), &ply.after.answer);
        assert_eq!(Some(chosen.outcome), before.outcome(), "{}: ply {number}", rules.name());
        let for_next = if ply.hands_over { chosen.outcome.flip() } else { chosen.outcome };
        assert_eq!(Some(for_next), after.outcome(), "{}: ply {number}", rules.name());
        assert_eq!(ply.chosen.position, after.position);
        if let Some(plies) = plies {
            assert_eq!(after.value.and_then(|value| value.remoteness()), Some(plies - number as u32 - 1));
        }
        before = after;
    }
    assert!(before.over, "{}: {}", rules.name(), before.position);
    assert!(plies.is_none_or(|plies| plies as usize == line.plies.len()), "{}: {plies:?}", rules.name());
    let ended = match before.node {
        Some(Node::At(position)) => rules.ended(position).is_some(),
        _ => false,
    };
    assert_eq!(line.end, if ended { LineEnd::Pattern } else { LineEnd::Stuck });
    let winner = match before.outcome().expect("the game is over") {
        Outcome::Draw => None,
        Outcome::Win => Some(line.players_after(line.plies.len())[0]),
        Outcome::Loss => Some(line.players_after(line.plies.len())[1]),
    };
    assert_eq!(line.winner(), winner);
    let object = json::line(source, &line);
    assert_eq!(object["plies"], line.plies.len());
    assert_eq!(object["line"].as_array().map(Vec::len), Some(line.plies.len()));
}

/// Checks lines from the start and from a sample of the positions of `rules`.
fn assert_lines(rules: &Rules, labels: LabelSet, method: Method) {
    let source = source(plain(rules, labels, method));
    assert_best(&source, None);
    let contents = source.table().expect("a table").contents();
    let step = (contents.count() / 40).max(1) as usize;
    for rank in (0..contents.count()).step_by(step) {
        assert_best(&source, Some(contents.unrank(rank).expect("a position").into()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn lines_of_random_rules(rules in random::small()) {
        assert_lines(&rules, REMOTENESS, Method::Dense);
        assert_lines(&rules, REMOTENESS, Method::Sparse);
        assert_lines(&rules, LabelSet::OUTCOME, Method::Dense);
    }

    #[test]
    fn examples_of_random_rules(rules in random::small()) {
        for method in [Method::Dense, Method::Sparse] {
            assert_examples(&plain(&rules, REMOTENESS, method));
        }
        let spec = RulesSpec { ends: Vec::new(), terminal: Outcome::Loss, ..rules.into_spec() };
        for method in [Method::Dense, Method::Sparse] {
            assert_examples(&plain(&spec.clone().build().expect("sound rules"), IMPARTIAL, method));
        }
    }
}

#[test]
fn lines_of_games_of_every_kind() {
    for rules in games::of_every_kind() {
        assert_lines(&rules, REMOTENESS, Method::Dense);
        assert_lines(&rules, LabelSet::OUTCOME, Method::Sparse);
    }
}

/// Every built-in game and every rules file whose default size is small.
#[test]
fn lines_of_the_games_of_the_library() {
    let graph = Parameters::new().with("graph", "a b\nb c 1:2\nc a 7\nc d");
    let small = Parameters::new().with("n", 4);
    let families = FAMILIES.iter().filter_map(|family| {
        let made = [&small, &graph, &Parameters::new()].into_iter().find_map(|p| family.make(p).ok());
        made.filter(|game| game.off_table().is_none())
    });
    let files = LIBRARY.iter().map(|game| -> Box<dyn Game> { Box::new(game.read(&Parameters::new()).expect("rules")) });
    let mut lines = 0;
    // These games have a label for every board. The session `moving` checks lines of games in which pieces move.
    let is_small = |game: &dyn Game| game.rules().positions() <= 1 << 20 && game.rules().sweep_obstacle().is_none();
    for game in families.chain(files).filter(|game| is_small(game.as_ref())) {
        for labels in [REMOTENESS, LabelSet::OUTCOME] {
            let labels = labels.intersection(game.labels()).needed_by(game.rules());
            assert_best(&source(of_game(game.as_ref(), labels)), None);
        }
        lines += 1;
    }
    assert!(lines > 15, "{lines}");
}

/// If a search reaches its limit, the line stops and says so.
#[test]
fn a_line_stops_where_the_search_reaches_its_limit() {
    let game = Tactics::new(4, 4, 4, Play::Misere).expect("a board");
    let roots = [game.read("0xfff0").expect("a position").node];
    let [Node::At(root)] = roots else { panic!("a position") };
    let open = solved(game.rules(), &game.descriptor(), REMOTENESS, Method::Sparse, &[root]);
    let source = Source::of_table(open, 1).expect("a sound table");
    let line = line(&source, Some(game.rules().start_node()));
    assert!(line.plies.is_empty() && line.end == LineEnd::Unknown && line.end.rule().is_none());
    assert_eq!(json::line(&source, &line)["end"]["over"], false);
}

/// Compares the longest games and the largest nimber, each with its first position, with a plain scan.
fn assert_examples(open: &OpenTable) {
    let (table, rules) = (&open.table, open.table.rules());
    let facts = LabelFacts::of(open).expect("a sound table");
    let mut all = stored(rules, table.contents());
    if matches!(table.contents(), Contents::Dense(_)) {
        all.sort_by_key(|position| (position.board, position.mode));
    }
    let value = |position: &Position| table.value(*position).expect("a position of the table");
    let proper = |p: &&Position| open.game.of_number("", Some(p.mode), p.board).is_ok();
    let first = |has: &dyn Fn(&Position) -> bool| {
        let with = || all.iter().filter(|position| has(position));
        with().find(proper).or_else(|| with().next()).copied()
    };
    if let Some(facts) = &facts.remoteness {
        for outcome in Outcome::BEST_FIRST {
            let of =
                |p: &Position| Some(value(p)).filter(|value| value.outcome == outcome).and_then(|v| v.remoteness());
            let most = all.iter().filter_map(of).max();
            let longest = facts.longest(outcome);
            assert_eq!(longest.map(|longest| longest.plies), most, "{}", rules.name());
            let expected = first(&|position| of(position) == most);
            assert_eq!(longest.map(|longest| longest.example.position), expected.filter(|_| most.is_some()));
            let counted: u64 = facts.histogram.iter().map(|counts| counts.with(outcome)).sum();
            assert_eq!(counted, all.iter().filter(|position| of(position).is_some()).count() as u64);
        }
    }
    if let Some(facts) = facts.numbers.of(LabelKind::Nimber) {
        let most = all.iter().filter_map(|position| value(position).nimber()).max().expect("a position");
        assert_eq!((facts.largest, facts.histogram.counts.len()), (most.cast_signed(), most as usize + 1));
        let expected = first(&|position| value(position).nimber() == Some(most));
        assert_eq!(Some(facts.example.position), expected, "{}", rules.name());
        assert_eq!(facts.histogram.counts.iter().sum::<u64>(), all.len() as u64);
    }
}

#[test]
fn examples_of_games_of_every_kind() {
    for rules in games::of_every_kind() {
        assert_examples(&plain(&rules, REMOTENESS, Method::Dense));
        assert_examples(&plain(&rules, REMOTENESS, Method::Sparse));
    }
    // The labels have several chunks, scattered by the layout.
    let tactics = Tactics::new(4, 5, 4, Play::Normal).expect("a board");
    assert_examples(&of_game(&tactics, IMPARTIAL));
}

/// Unreachable boards are not examples.
#[test]
fn examples_are_positions_of_the_game() {
    let game = Mnk::tictactoe().expect("a board");
    let open = solved(game.rules(), &game.descriptor(), REMOTENESS, Method::Dense, &[]);
    assert_examples(&open);
    let facts = LabelFacts::of(&open).expect("a sound table").remoteness.expect("a label");
    let texts: Vec<Option<&str>> = facts.longest.iter().map(|longest| longest.example.text.as_deref()).collect();
    assert_eq!(texts.len(), 3);
    assert!(texts.iter().flatten().all(|text| open.game.read(text).is_ok()), "{texts:?}");
    // The longest draw begins at the start. The longest loss is only on an unreachable board, so it has no example.
    assert!(texts[1] == Some(".../.../...") && texts.contains(&None), "{texts:?}");
}

/// A label that contradicts its successors is no example, nor is a code that is counted but absent.
#[test]
fn a_wrong_label_is_no_example() {
    let rules = games::node_kayles(12, Outcome::Loss);
    let right = solve(&rules, &Options { labels: REMOTENESS, ..Options::default() }).expect("small rules");
    let bytes = right.to_bytes(&Descriptor::default());
    let longest = LabelFacts::of(&plain(&rules, REMOTENESS, Method::Dense)).expect("a sound table");
    let longest = longest.remoteness.and_then(|facts| facts.longest(Outcome::Win).cloned()).expect("a win");
    let section = forge::sections(&bytes).into_iter().next_back().expect("a section");
    let code = (254 - longest.plies) as u8;
    for replaced in [0, 254] {
        let mut wrong = bytes.clone();
        for label in wrong[section.clone()].iter_mut().filter(|label| **label == code) {
            *label = replaced;
        }
        forge::seal_all(&mut wrong);
        let open = OpenTable::new(Table::from_bytes(wrong).expect("a table whose checksums hold"));
        let error = LabelFacts::of(&open).expect_err("a wrong label").to_string();
        assert!(error.contains("damaged"), "{error}");
    }
}
