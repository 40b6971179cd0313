//! Every solver either refuses rules or labels them by the definition, whatever the rules have: moves that empty cells, positions that
//! repeat, passes, moves that are legal only without others, openings, and outcomes by the board.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tablegen::rules::{Board, Move, Outcome, Position, Rules};
use tablegen::solve::{Method, Options, solve};

use crate::common::{positions, random};

/// `rules` with moves that need one more cell filled and empty it, by the bits of `chosen`, and with moves that undo the first of them.
fn emptying(rules: Rules, chosen: u64) -> Rules {
    let mut spec = rules.into_spec();
    for (at, m) in (0..).zip(&mut spec.moves).filter(|(at, _)| chosen >> (at % 64) & 1 == 1) {
        m.clears = Board::bit(at % spec.cells) & !m.empty & !m.fills;
        m.full |= m.clears;
    }
    let back = |m: &Move| Move {
        mode: m.next,
        next: m.mode,
        empty: m.clears,
        full: m.fills,
        fills: m.clears,
        clears: m.fills,
        ..*m
    };
    let chosen = (0..).zip(&spec.moves).filter(|(at, _)| chosen >> (at % 64) & 1 == 1);
    let back: Vec<Move> = chosen.take(2).map(|(_, m)| back(m)).collect();
    spec.moves.extend(back);
    spec.build().expect("sound rules")
}

/// The outcome of every position, in the order of [`positions`], by value iteration: a draw where neither player can force an end.
fn outcomes(rules: &Rules) -> Vec<Outcome> {
    let all: Vec<Position> = positions(rules).collect();
    let place = |position: Position| all.binary_search_by_key(&key(position), |&at| key(at)).expect("a position");
    let next: Vec<Vec<usize>> =
        all.iter().map(|&at| rules.moves_from(at).map(|m| place(m.play(at))).collect()).collect();
    let ended = |at: Position| rules.ended(at).unwrap_or_else(|| rules.terminal_in(at.mode).on(at.board));
    let mut known: Vec<Option<Outcome>> =
        all.iter().zip(&next).map(|(&at, next)| next.is_empty().then(|| ended(at))).collect();
    loop {
        let mut has_changed = false;
        for (at, next) in next.iter().enumerate().filter(|(_, next)| !next.is_empty()) {
            let replies = || next.iter().map(|&to| known[to].map(Outcome::flip));
            let found = if replies().any(|reply| reply == Some(Outcome::Win)) {
                Some(Outcome::Win)
            } else {
                replies().all(|reply| reply == Some(Outcome::Loss)).then_some(Outcome::Loss)
            };
            if known[at].is_none() && found.is_some() {
                (known[at], has_changed) = (found, true);
            }
        }
        if !has_changed {
            return known.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Draw)).collect();
        }
    }
}

fn key(position: Position) -> (u16, u64) {
    (position.mode.0, position.board.low_word())
}

#[test]
fn every_solver_refuses_rules_or_labels_them_by_the_definition() {
    let strategy = (random::small(), random::with_passes(), proptest::num::u64::ANY);
    let (mut runner, mut solved) = (TestRunner::deterministic(), Method::ALL.map(|method| (method, 0)));
    for number in 0..400 {
        let (plain, with_passes, chosen) = strategy.new_tree(&mut runner).expect("rules").current();
        let rules =
            emptying(if number % 2 == 0 { plain } else { with_passes }, if number % 4 < 2 { 0 } else { chosen });
        if rules.cells() > 9 {
            continue;
        }
        let expected = outcomes(&rules);
        for (method, solved) in &mut solved {
            let Ok(solution) = solve(&rules, &Options::of(*method)) else { continue };
            *solved += 1;
            for (position, &expected) in positions(&rules).zip(&expected) {
                if let Some(found) = solution.outcome(position) {
                    assert_eq!(found, expected, "{method:?}: {position:?} of {rules:?}");
                }
            }
        }
    }
    let rare = solved.iter().find(|(method, solved)| *solved < 20 && *method != Method::Coloured);
    assert!(rare.is_none(), "{solved:?}");
}
