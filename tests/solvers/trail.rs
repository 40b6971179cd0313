//! Edge geography, compared with a theorem about grids and with a recursion that does not use boards.

use std::collections::HashMap;

use crate::common::{dense, outcome};
use fastrand::Rng;
use proptest::prelude::*;
use tablegen::game::{Family, Game, Graph, ParameterKind, Parameters, Play, Trail, family, of_table};
use tablegen::rules::{Board, Mode, Node, Outcome, Position};

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The grid graph with `rows` times `cols` vertices, in which `a.b` is the vertex in row a and column b, counted from
/// 1.
fn grid(rows: usize, cols: usize) -> Graph {
    let mut graph = Graph::undirected();
    for a in 1..=rows {
        for b in 1..=cols {
            let from = format!("{a}.{b}");
            for (to, inside) in [(format!("{a}.{}", b + 1), b < cols), (format!("{}.{b}", a + 1), a < rows)] {
                if inside {
                    graph.add_edge(format!("{from}-{to}"), &from, &to);
                }
            }
        }
    }
    graph
}

/// On the grid of m times n vertices, let d = gcd(m + 1, n + 1). The player to move at (a, b) loses exactly when d
/// divides neither a nor b (arXiv 2504.12148). A grid of one vertex has no edge and thus no rules, but agrees with the
/// theorem.
#[test]
fn the_theorem_of_the_greatest_common_divisor() {
    let (mut grids, mut losses) = (0, 0);
    for rows in 1..=18 {
        for cols in 1..=18 {
            let edges = rows * (cols - 1) + cols * (rows - 1);
            if !(1..=17).contains(&edges) {
                continue;
            }
            let game = Trail::new(grid(rows, cols), None, Play::Normal).unwrap();
            assert_eq!(game.rules().cells() as usize, edges);
            let solution = dense(game.rules());
            let divisor = gcd(rows + 1, cols + 1);
            for a in 1..=rows {
                for b in 1..=cols {
                    let Node::At(start) = game.read(&format!("{{}} {a}.{b}")).unwrap().node else {
                        panic!("a position")
                    };
                    let lost = a % divisor != 0 && b % divisor != 0;
                    let expected = if lost { Outcome::Loss } else { Outcome::Win };
                    assert_eq!(outcome(&solution, start), expected, "{rows} x {cols}, start {a}, {b}");
                    losses += usize::from(lost);
                }
            }
            grids += 1;
        }
    }
    // Grids 1 x 2 to 1 x 18, 2 x 3 to 2 x 6 and 3 x 4, each in both orientations, and 2 x 2 and 3 x 3.
    assert_eq!((grids, losses), (2 * (17 + 4 + 1) + 2, 117));
}

/// The player to move at `at` wins with the edges in `left`. A plain recursion over lists of edges.
fn wins(
    edges: &[(usize, usize)],
    directed: bool,
    misere: bool,
    at: usize,
    left: u32,
    memo: &mut HashMap<(usize, u32), bool>,
) -> bool {
    if let Some(&known) = memo.get(&(at, left)) {
        return known;
    }
    let mut stuck = true;
    let mut won = false;
    for (number, &(from, to)) in edges.iter().enumerate() {
        if left & (1 << number) == 0 {
            continue;
        }
        let mut ends = Vec::new();
        if from == at {
            ends.push(to);
        }
        if to == at && !directed {
            ends.push(from);
        }
        for end in ends {
            stuck = false;
            won |= !wins(edges, directed, misere, end, left & !(1 << number), memo);
        }
    }
    let won = if stuck { misere } else { won };
    memo.insert((at, left), won);
    won
}

#[test]
fn random_multigraphs_agree_with_a_plain_recursion() {
    let mut rng = Rng::with_seed(17);
    for _ in 0..400 {
        let (vertices, count) = (rng.usize(1..=5), rng.usize(1..=10));
        let (directed, misere) = (rng.bool(), rng.bool());
        let edges: Vec<_> = (0..count).map(|_| (rng.usize(..vertices), rng.usize(..vertices))).collect();
        // Read the graph from the text of a graph file, so that the parser is checked as well.
        let file: String = edges.iter().map(|(from, to)| format!("v{from} v{to}\n")).collect();
        let play = if misere { Play::Misere } else { Play::Normal };
        let parameters = Parameters::new().with("graph", &file).with("directed", directed).with("play", play.name());
        let game = family("trail").unwrap().make(&parameters).unwrap();
        let solution = dense(game.rules());
        let mut memo = HashMap::new();
        for (mode, name) in game.rules().modes().iter().enumerate() {
            let at = name[1..].parse().unwrap();
            for board in 0..1u64 << count {
                // The first edge is the most significant bit of the board, but bit 0 of the recursion's mask.
                let left = (0..count)
                    .filter(|edge| board >> (count - 1 - edge) & 1 == 0)
                    .fold(0, |left, edge| left | 1 << edge);
                let expected =
                    if wins(&edges, directed, misere, at, left, &mut memo) { Outcome::Win } else { Outcome::Loss };
                let position = Position::new(Mode(mode as u16), Board::from_word(board));
                assert_eq!(outcome(&solution, position), expected, "{file}directed {directed}, {play:?}, {position:?}");
            }
        }
    }
}

#[test]
fn what_is_written_is_read() {
    let mut rng = Rng::with_seed(1);
    for directed in [false, true] {
        for start in [None, Some("v0")] {
            let file: String = std::iter::once((0, 1))
                .chain((0..7).map(|_| (rng.u8(..4), rng.u8(..4))))
                .map(|(a, b)| format!("v{a} v{b}\n"))
                .collect();
            let mut parameters = Parameters::new().with("graph", file).with("directed", directed);
            if let Some(start) = start {
                parameters.set("start", start);
            }
            let game = family("trail").unwrap().make(&parameters).unwrap();
            for board in 0..256 {
                for mode in 0..game.rules().modes().len() as u16 {
                    let place = Node::At(Position::new(Mode(mode), Board::from_word(board)));
                    assert_eq!(game.read(&game.write(place)).unwrap().node, place);
                }
            }
            let first = game.rules().start_node();
            assert_eq!((game.read("").unwrap().node, game.read(&game.write(first)).unwrap().node), (first, first));
        }
    }
}

/// The texts of the moves, joined to a line, lead to the same position as the moves. Starts are given; edges are
/// directed or undirected.
#[test]
fn the_texts_of_moves_make_a_line() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..500 {
        let directed = rng.bool();
        let file: String =
            (0..8).map(|_| format!("v{} v{}\n", rng.u8(..4), rng.u8(..4))).collect::<String>() + "v0 v1 first\n";
        let parameters = Parameters::new().with("graph", file).with("directed", directed).with("start", "v0");
        let game = family("trail").unwrap().make(&parameters).unwrap();
        let Node::At(mut position) = game.rules().start_node() else { panic!("a start") };
        let mut line = String::new();
        loop {
            let moves: Vec<_> = game.rules().moves_from(position).collect();
            let Some(chosen) = rng.choice(&moves) else { break };
            let next = chosen.play(position);
            line = line + " " + &game.write_move(position.into(), next);
            assert_eq!(game.read(&line).unwrap().node, next.into(), "{line}");
            position = next;
        }
        assert!(!game.remarks(position.into(), Outcome::Loss).iter().any(|remark| remark.contains("Unreachable")));
    }
}

/// The descriptor in a table gives back the whole game, including the graph.
#[test]
fn a_descriptor_brings_the_game_back() {
    let parameters = Parameters::new().with("graph", "# x\na b\na b\nb c d\n\nc c\n").with("start", "b");
    for directed in ["true", "false"] {
        let game = family("trail").unwrap().make(&parameters.clone().with("directed", directed)).unwrap();
        let again = of_table(game.rules(), &game.descriptor());
        assert_eq!(again.descriptor(), game.descriptor());
        assert_eq!(again.read("{a-b#1} c").unwrap().node, game.read("{a-b#1} c").unwrap().node);
    }
    let game = family("dominoes").unwrap().make(&Parameters::new().with("n", 3)).unwrap();
    assert_eq!(of_table(game.rules(), &game.descriptor()).write(Node::Opening), "{}");
    // The command line reads the file, and the game gets its text.
    let Family { parameters, .. } = family("trail").unwrap();
    let kinds: Vec<_> = parameters.iter().map(|parameter| (parameter.name, parameter.kind)).collect();
    assert_eq!(kinds[..2], [("graph", ParameterKind::File), ("directed", ParameterKind::Flag)]);
}

proptest! {
    #[test]
    fn no_graph_panics(text in "[ab#\\-\n \t]{0,60}", noise: String, start in prop::option::of("[ab]{0,2}")) {
        for graph in [text, noise] {
            let mut parameters = Parameters::new().with("graph", graph);
            if let Some(start) = &start {
                parameters.set("start", start.as_str());
            }
            if let Ok(game) = family("trail").unwrap().make(&parameters) {
                prop_assert!(of_table(game.rules(), &game.descriptor()).descriptor() == game.descriptor());
            }
        }
    }
}
