//! Certificates of scores: the checker accepts those of every bound that holds, and no other.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fastrand::Rng;
use indicatif::HumanCount;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use tablegen::certificate::{Bounds, Certificate, CertificateError, Claim};
use tablegen::engine::{Engine, TableDirs};
use tablegen::game::Game;
use tablegen::label::{LabelKind, LabelSet, Undefined};
use tablegen::rules::{Board, Move, Node, Outcome, Position, Rules, RulesSpec, Symmetry};
use tablegen::solve::{Method, Options, Solution, solve};
use tablegen::table::Table;

use super::forged::change;
use super::{check, game, row, text};
use crate::common::points::{counting, gaining, times};
use crate::common::{held, random, sparse, table};
use crate::fuzzed::certificate::is_proved;

/// A table of all reachable positions, with scores.
fn scored(rules: &Rules) -> Table {
    table(&solved(rules))
}

fn solved(rules: &Rules) -> Solution {
    solved_by(rules, Method::Sparse)
}

fn solved_by(rules: &Rules, method: Method) -> Solution {
    let options = Options { labels: LabelSet::OUTCOME.with(LabelKind::Score), ..Options::of(method) };
    solve(rules, &options).unwrap()
}

fn of_score(table: &Table, root: Node, bounds: Option<Bounds>) -> Result<String, CertificateError> {
    let certificate = Certificate::of_score(table, root, bounds, 1 << 22, &|_| ControlFlow::Continue(()))?;
    Ok(String::from_utf8(text(&certificate)).unwrap())
}

fn checked(text: &str) -> Result<String, String> {
    check(text.as_bytes(), 1 << 24)
}

/// The certificate of the start of a game: its claim, its positions and its text.
fn of_start(game: Box<dyn Game>) -> (Claim, usize, String) {
    let source = Engine::new(TableDirs::none()).source(game, 0).unwrap();
    source.decide(None).unwrap();
    let table = source.table().unwrap();
    let root = table.rules().start_node();
    let certificate = Certificate::of_score(table, root, None, 1 << 24, &|_| ControlFlow::Continue(())).unwrap();
    (certificate.claim, certificate.positions(), String::from_utf8(text(&certificate)).unwrap())
}

/// The text with another claim.
fn claiming(text: &str, claim: &str) -> String {
    let (head, tail) = text.split_once("\nscore ").unwrap();
    let (_, members) = tail.split_once('\n').unwrap();
    format!("{head}\nscore {claim}\n{members}")
}

/// The values are published ones: see `games/dots-and-boxes.toml` and `games/reversi.toml`.
#[test]
fn scores_of_known_games_are_proved() {
    for (name, options, score) in [
        ("dots-and-boxes", "rows=1 cols=1", -1),
        ("dots-and-boxes", "rows=1 cols=3", -1),
        ("dots-and-boxes", "", 2),
        ("reversi", "", -8),
    ] {
        let (claim, positions, text) = of_start(game(name, options));
        assert_eq!(claim, Claim::Score(Bounds::Between(score, score)));
        for part in [1 << 24, 5 + positions as u64 / 3] {
            let proved = check(text.as_bytes(), part).unwrap();
            assert!(proved.starts_with(&format!("proved: score {score} at ")), "{name}: {proved}");
            assert!(proved.contains(&format!("with {positions} positions; rules: {name}")), "{name}: {proved}");
        }
        for [least, most] in [[score + 1, score + 1], [score - 1, score - 1], [score, score - 1], [score + 1, score]] {
            let error = checked(&claiming(&text, &format!("{least} {most}"))).unwrap_err();
            assert!(error.contains("no member follows") || error.contains("the game ends"), "{name}: {error}");
        }
    }
}

/// Each row of the page has the score, the number of positions, and of bytes.
#[test]
fn the_page_has_the_sizes_of_scores() {
    const PAGE: &str = include_str!("../../../docs/reference/certificates.md");
    let lines: Vec<&str> = PAGE.lines().filter(|line| line.starts_with("| score of `")).collect();
    let row = |line: &&str| {
        let rules = line.split('`').nth(1).unwrap();
        let (name, options) = rules.split_once(' ').unwrap_or((rules, ""));
        let (claim, positions, text) = of_start(game(name, options));
        let Claim::Score(bounds) = claim else { panic!("{claim:?}") };
        let [positions, bytes] = [positions, text.len()].map(|n| HumanCount(n as u64).to_string());
        format!("| score of `{rules}` | {bounds} | {positions} | {bytes} |")
    };
    let found: Vec<String> = lines.iter().map(row).collect();
    assert!(found == lines && found.len() > 2, "{}", found.join("\n"));
}

/// The first player fills cell 0, or cell 1 for two points and another move. The other player has what is left.
#[test]
fn bounds_are_proved_one_by_one() {
    let moves = vec![Move::fill(Board::bit(0)), Move { gain: 2, again: true, ..Move::fill(Board::bit(1)) }];
    let rules = RulesSpec { moves, ..row(2, 0, Outcome::Draw) }.build().unwrap();
    let (table, root) = (scored(&rules), rules.start_node());
    let proved = |bounds| checked(&of_score(&table, root, Some(bounds)).unwrap()).unwrap();
    assert!(proved(Bounds::AtLeast(2)).starts_with("proved: score at least 2 at 0 0, with "));
    assert!(proved(Bounds::AtLeast(-3)).starts_with("proved: score at least -3 at "));
    assert!(proved(Bounds::AtMost(2)).starts_with("proved: score at most 2 at "));
    assert!(proved(Bounds::Between(0, 5)).starts_with("proved: score at least 0, at most 5 at "));
    for bounds in [Bounds::AtLeast(3), Bounds::AtMost(1), Bounds::Between(3, 5), Bounds::Between(0, 1)] {
        let refused = of_score(&table, root, Some(bounds)).unwrap_err();
        assert_eq!(refused.to_string(), format!("expected a score {bounds}, found +2"));
    }
    let one = of_score(&table, root, Some(Bounds::AtLeast(2))).unwrap();
    assert!(one.contains("\nscore 2 -\nstrategy mover score ") && !one.contains("strategy other"), "{one}");
    let error = checked(&claiming(&one, "3 -")).unwrap_err();
    assert!(error.contains("no member follows"), "{error}");
    assert!(checked(&claiming(&one, "- -")).unwrap_err().contains("cannot read \"score - -\""));
    assert!(checked(&claiming(&one, "- 2")).unwrap_err().contains("expected \"strategy other score\""));
}

#[test]
fn games_without_scores_have_no_such_certificates() {
    let of = |rules: &Rules, table: &Table| of_score(table, rules.start_node(), None).unwrap_err();
    let dots = game("dots-and-boxes", "rows=1 cols=1").rules().clone();
    let nothing_counts = row(3, 0, Outcome::Draw).build().unwrap();
    let error = of(&nothing_counts, &table(&sparse(&nothing_counts)));
    assert!(matches!(error, CertificateError::Undefined(Undefined::NoPoints)), "{error}");
    let reversi = game("reversi", "rows=3 cols=3").rules().clone();
    assert!(matches!(of(&reversi, &table(&sparse(&reversi))), CertificateError::NoScores));
    let table = scored(&dots);
    let stopped = Certificate::of_score(&table, Node::Opening, None, 1, &|_| ControlFlow::Continue(()));
    assert!(matches!(stopped, Err(CertificateError::Limit { limit: 1 })));
    let stopped = Certificate::of_score(&table, Node::Opening, None, 1 << 20, &|_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(CertificateError::Cancelled)));
}

/// An older reader refuses the version, and this one reads no gains without it.
#[test]
fn lines_of_scores_that_a_reader_could_misread_are_refused() {
    let (_, _, dots) = of_start(game("dots-and-boxes", "rows=1 cols=1"));
    assert!(dots.starts_with("certificate 2\n") && dots.contains(" gains 1\n"));
    let with = |from: &str, to: &str| {
        assert!(dots.contains(from), "{from}");
        checked(&dots.replacen(from, to, 1)).unwrap_err()
    };
    let weights = dots.lines().find(|line| line.starts_with("weights ")).unwrap();
    for (error, reason) in [
        (with("certificate 2", "certificate 1"), "cannot read \"move "),
        (with("certificate 2", "certificate 3"), "expected version 1 or 2"),
        (with("stuck 0 draw", "stuck 0 loss"), "expected points at every end"),
        (with("score -1 -1", "outcome loss"), "cannot read \"outcome loss\""),
        (with("score -1 -1", "score -1"), "cannot read \"score -1\""),
        (with("score -1 -1", "score -1 -1 0"), "cannot read \"score -1 -1 0\""),
        (with(" gains 1\n", " gains x\n"), "cannot read"),
        (with(" gains 1\n", " gains\n"), "cannot read"),
        (with(" gains 1\n", " gains 1 1\n"), "cannot read"),
        (with("strategy mover score ", "strategy mover draw "), "expected \"strategy mover score\""),
        (with("end of certificate", "1 0 0\nend of certificate"), "expected the end of the certificate"),
        (with(&format!("{weights}\n"), ""), "expected weights that every move raises"),
    ] {
        assert!(error.contains(reason), "{error}: {reason}");
    }
    let ranked: Vec<String> = dots
        .lines()
        .map(|line| if line.starts_with("strategy") { format!("{line} ranks") } else { line.to_owned() })
        .collect();
    assert!(checked(&(ranked.join("\n") + "\n")).unwrap_err().contains("expected \"strategy mover score\""));
}

/// Every word of every line of a certificate is changed to others. What is still proved is true of the rules in the text.
#[test]
fn no_changed_word_proves_a_false_score() {
    let (_, _, text) = of_start(game("dots-and-boxes", "rows=1 cols=1"));
    let (lines, mut proved, mut refused): (Vec<&str>, _, _) = (text.lines().collect(), 0, 0);
    for at in 0..lines.len() {
        let words: Vec<&str> = lines[at].split(' ').collect();
        for place in 0..words.len() {
            let number = words[place].parse::<i64>().unwrap_or(0);
            for new in [number + 1, number - 1, -number, 0].map(|number| number.to_string()) {
                let mut words = words.clone();
                words[place] = &new;
                let (words, mut lines) = (words.join(" "), lines.clone());
                lines[at] = &words;
                match is_proved((lines.join("\n") + "\n").as_bytes()) {
                    true => proved += 1,
                    false => refused += 1,
                }
            }
        }
    }
    assert!(proved > 20 && refused > 200, "{proved} {refused}");
}

/// The score of each of some reachable positions is proved, and no greater one.
fn accepted(rules: &Rules, roots: usize) {
    if LabelKind::Score.undefined_by(rules).is_some() {
        return;
    }
    let found: Vec<Node> = held(&solved(rules)).map(|(position, _)| position.into()).collect();
    // A dense table, where a sweep solves the rules.
    let dense = rules.sweep_obstacle().is_none().then(|| table(&solved_by(rules, Method::Dense)));
    let table = dense.unwrap_or_else(|| scored(rules));
    let step = found.len().div_ceil(roots);
    for root in found.into_iter().step_by(step).chain([rules.start_node()]) {
        let score = table.probe(root).unwrap().value.score().unwrap();
        let text = of_score(&table, root, None).unwrap();
        let proved = checked(&text).unwrap_or_else(|error| panic!("{root:?}: {error}\n{rules:?}"));
        assert!(proved.starts_with(&format!("proved: score {score} at ")), "{proved}");
        for claim in [[score + 1, score], [score, score - 1]].map(|[least, most]| format!("{least} {most}")) {
            assert!(checked(&claiming(&text, &claim)).is_err(), "{claim} of {text}");
        }
    }
}

/// The same rules, in which the players take turns.
fn in_turns(rules: Rules) -> Rules {
    let spec = rules.into_spec();
    let moves = spec.moves.iter().map(|m| Move { again: false, ..*m }).collect();
    RulesSpec { moves, ..spec }.build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn scores_of_random_rules_are_proved(rules in random::small(), seed in any::<u64>(), times in times()) {
        let (gaining, counting) = (gaining(rules.clone(), seed, times), counting(rules, seed, times));
        for rules in [gaining, counting] {
            accepted(&in_turns(rules.clone()), 2);
            accepted(&rules, 2);
        }
    }
}

/// Players take some of up to three squares that lie side by side, and gain points for them. The mirror image of a row gains as much
/// if `is_mirrored`.
fn runs(rng: &mut Rng, is_mirrored: bool) -> Rules {
    let cells = rng.u8(2..=6);
    let mirror = Symmetry::new((0..cells).rev().collect(), vec![0]).unwrap();
    let mut moves: BTreeMap<Board, Move> = BTreeMap::new();
    for (length, first) in (1..=3.min(cells)).flat_map(|length| (0..=cells - length).map(move |first| (length, first)))
    {
        let run: Board = (first..first + length).map(|cell| Board::bit(cell.into())).collect();
        let image = if is_mirrored { mirror.of_board(run) } else { run };
        if rng.u32(..4) > 0 && !moves.contains_key(&run) {
            let gain = rng.i16(-3..=5);
            moves.extend([run, image].map(|run| (run, Move { gain, ..Move::fill(run) })));
        }
    }
    let symmetries = if is_mirrored { vec![mirror] } else { Vec::new() };
    let terminal = Outcome::Draw;
    let spec = RulesSpec { moves: moves.into_values().collect(), terminal, symmetries, ..row(1, 0, Outcome::Draw) };
    RulesSpec { cells: cells.into(), ..spec }.build().unwrap()
}

/// In one mode, moves fill one, two or three squares, so either player may be on move at the same position. The score of every
/// position is proved, and bounds around it. [`is_proved`] compares them with the true score.
#[test]
fn scores_are_proved_where_either_player_may_be_on_move() {
    let mut rng = Rng::with_seed(68);
    for number in 0..24 {
        let rules = runs(&mut rng, number % 2 == 1);
        let table = table(&solved_by(&rules, Method::Dense));
        for board in 0..1 << rules.cells() {
            let root = Position::of(Board::from_word(board)).into();
            let score = table.probe(root).unwrap().value.score().unwrap();
            let (below, above) = (score - rng.i32(0..4), score + rng.i32(0..4));
            let all = [Bounds::Between(score, score), Bounds::AtLeast(below), Bounds::AtMost(above)];
            for bounds in all.into_iter().chain([Bounds::Between(below, above)]) {
                let text = of_score(&table, root, Some(bounds)).unwrap_or_else(|error| panic!("{error} {rules:?}"));
                assert!(is_proved(text.as_bytes()), "{bounds} at {board:x}: {:?}\n{text}", checked(&text));
            }
            for bounds in [Bounds::AtLeast(score + 1), Bounds::AtMost(score - 1)] {
                assert!(matches!(of_score(&table, root, Some(bounds)), Err(CertificateError::Bounds { .. })));
            }
        }
    }
}

/// Certificates of small random rules, with changed lines: what is proved is true.
#[test]
fn nothing_false_is_proved_of_small_scores() {
    let mut rng = Rng::with_seed(67);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut proved, mut changed, mut refused) = (0, 0, 0);
    let mut games = 0;
    while games < 60 {
        let rules = random::rules(1u32..=5, 1..=10).new_tree(&mut runner).unwrap().current();
        let rules = counting(rules, rng.u64(..), 1);
        if LabelKind::Score.undefined_by(&rules).is_some() || rules.modes().len() > 8 {
            continue;
        }
        games += 1;
        let text = of_score(&scored(&rules), rules.start_node(), None).unwrap();
        for changes in [0, 1, 1, 1, 1, 1, 2, 3, 3, 4] {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            (0..changes).for_each(|_| change(&mut lines, &mut rng));
            match is_proved((lines.join("\n") + "\n").as_bytes()) {
                true => (proved, changed) = (proved + 1, changed + u32::from(changes > 0)),
                false => refused += 1,
            }
        }
    }
    assert!(proved > 60 && changed > 10 && refused > 100, "{proved} {changed} {refused}");
}
