//! Two solvers and a search that share no labelling: they agree position by position on games of up to 20 cells.
//!
//! The dense solver sweeps every board; the sparse one floods from the start and holds what play reaches; the search looks
//! ahead from each position. What is reached is compared three ways, and everything else with the search.

use crate::common::{dense, games, outcome, random, reached};
use proptest::prelude::*;
use tablegen::game::{Dominoes, Game, Graph, Play, Tactics, Trail};
use tablegen::rules::{Board, Mode, Node, Outcome, Position, Rules};
use tablegen::solve::Search;

const PLAYS: [Play; 2] = [Play::Normal, Play::Misere];

/// What was compared.
#[derive(Default)]
struct Compared {
    reached: u64,
    others: u64,
}

/// Panics at the first position on which two of the three differ.
fn agree(rules: &Rules) -> Compared {
    assert!(rules.cells() <= 20);
    let (every, reached) = (dense(rules), reached(rules));
    let mut search = Search::new(rules);
    let mut compared = Compared::default();
    // From the full board down, so that the search remembers what each position leads to.
    for board in (0..1u64 << rules.cells()).rev() {
        for mode in 0..rules.modes().len() as u16 {
            let position = Position::new(Mode(mode), Board(board));
            let expected = outcome(&every, position);
            assert_eq!(search.outcome(Node::At(position)), Ok(expected), "{}: {position:?}", rules.name());
            match reached.outcome(position) {
                Some(found) => {
                    assert_eq!(found, expected, "{}: {position:?}", rules.name());
                    compared.reached += 1;
                }
                None => compared.others += 1,
            }
        }
    }
    assert_eq!(compared.reached, reached.levels().count());
    assert_eq!(u128::from(compared.reached + compared.others), rules.positions());
    compared
}

/// Every board of Tactics of at most 20 squares, up to turning it over.
#[test]
fn tactics() {
    for rows in 1..=4 {
        for cols in rows..=20 / rows {
            for play in PLAYS {
                let game = Tactics::new(rows, cols, 4, play).expect("an ordinary board");
                // Squares can be filled one by one, so every board is reached.
                assert_eq!(agree(game.rules()).others, 0);
            }
        }
    }
}

#[test]
fn runs_of_other_lengths() {
    for run in 1..=5 {
        for (rows, cols) in [(3, 5), (2, 8)] {
            agree(Tactics::new(rows, cols, run, Play::Misere).expect("an ordinary board").rules());
        }
    }
}

#[test]
fn dominoes() {
    for values in 1..=5 {
        for play in PLAYS {
            let compared = agree(Dominoes::new(values, play).expect("a small set").rules());
            // Most sets of tiles are no line of play.
            assert!(values < 3 || compared.others > compared.reached / 4);
        }
    }
}

/// Trails on random multigraphs with loops, both kinds of edges, from one vertex and from any edge.
#[test]
fn trails() {
    let mut draw = fastrand::Rng::with_seed(5);
    for round in 0..40 {
        let mut graph = if draw.bool() { Graph::directed() } else { Graph::undirected() };
        let vertices = draw.u32(1..=5);
        let vertex = |draw: &mut fastrand::Rng| draw.u32(..vertices).to_string();
        for edge in 0..draw.u32(1..=15) {
            let (from, to) = (vertex(&mut draw), vertex(&mut draw));
            graph.add_edge(format!("e{edge}"), &from, &to);
        }
        let start = graph.edges()[0].from;
        let start = draw.bool().then(|| graph.vertices()[start].clone());
        let game = Trail::new(graph, start.as_deref(), PLAYS[round % 2]).expect("a small graph");
        agree(game.rules());
    }
}

/// Draws, ends, conditions, cells that are filled twice, two sides.
#[test]
fn games_written_by_hand() {
    agree(&games::motley());
    agree(&games::chomp(4, 5));
    agree(&games::tictactoe());
    agree(&games::drawn_kayles(20));
    agree(&games::domineering(4, 4));
    agree(&games::node_kayles(20, Outcome::Win));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_rules_with_draws_and_ends(rules in random::small()) {
        agree(&rules);
    }

    #[test]
    fn crowded_random_rules(rules in random::crowded()) {
        agree(&rules);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn large_random_rules(rules in random::large()) {
        agree(&rules);
    }

    #[test]
    fn wide_random_rules(rules in random::wide()) {
        agree(&rules);
    }
}
