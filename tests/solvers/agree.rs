//! Every solver agrees on every position of games of up to 20 cells.
//!
//! Compared are the dense and the sparse solver, every kernel, the reference implementation and the search. An
//! independent search that shares no code with them checks all but the largest boards.

use crate::common::{assert_twins, games};
use crate::oracle::agree;
use tablegen::game::{Dominoes, Game, Graph, Play, Tactics, Trail};
use tablegen::rules::Outcome;

const PLAYS: [Play; 2] = [Play::Normal, Play::Misere];

/// Draws, terminal patterns, moves with conditions, cells that are filled twice, several modes, openings.
#[test]
fn games_written_by_hand() {
    for rules in games::of_every_kind() {
        agree(&rules);
    }
}

/// Games on boards of many blocks.
#[test]
fn wide_games_written_by_hand() {
    for rules in [
        games::chomp(4, 5),
        games::tictactoe(),
        games::drawn_kayles(20),
        games::domineering(4, 4),
        games::node_kayles(20, Outcome::Win),
    ] {
        agree(&rules);
    }
}

fn tactics_of(rows: u32, cols: u32, play: Play) {
    let game = Tactics::new(rows, cols, 4, play).expect("an ordinary board");
    // Moves can fill any single square, so every board is reachable.
    assert_eq!(agree(game.rules()).1, 0);
}

/// Every Tactics board of up to 16 squares, with `rows <= cols`, in both plays. On boards of 17 to 20 squares, which
/// span many blocks, every kernel equals the reference implementation. Two of these also run the slower comparison.
#[test]
fn tactics() {
    for rows in 1..=4 {
        for cols in rows..=20 / rows {
            for play in PLAYS {
                if rows * cols <= 16 || [(3, 6, Play::Normal), (4, 5, Play::Misere)].contains(&(rows, cols, play)) {
                    tactics_of(rows, cols, play);
                } else {
                    assert_twins(Tactics::new(rows, cols, 4, play).expect("an ordinary board").rules());
                }
            }
        }
    }
}

/// The full comparison on every board of 17 to 20 squares.
#[test]
#[ignore = "half a minute"]
fn tactics_of_up_to_twenty_squares() {
    for rows in 1..=4 {
        for cols in 16 / rows + 1..=20 / rows {
            PLAYS.into_iter().for_each(|play| tactics_of(rows, cols, play));
        }
    }
}

/// Long runs cross the boundaries of blocks, and runs of two chain inside a block.
#[test]
fn tactics_with_other_runs() {
    for (rows, cols, most) in [(3, 5, 5), (2, 8, 5), (4, 4, 4)] {
        for run in 1..=most {
            agree(Tactics::new(rows, cols, run, Play::Misere).expect("an ordinary board").rules());
        }
    }
}

#[test]
fn dominoes() {
    for values in 1..=5 {
        for play in PLAYS {
            let (reachable, others) = agree(Dominoes::new(values, play).expect("a small set").rules());
            // For three values and more, many sets of tiles cannot be laid in a line, so they are unreachable.
            assert!(values < 3 || others > reachable / 4);
        }
    }
}

/// Trails on random multigraphs with loops, directed and undirected, starting at one vertex or at any edge.
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
