//! Nimbers of impartial games that others published. The session `published` has those of smaller boards.

use std::collections::HashMap;

use super::{NIMBER, of};
use crate::common::games;
use crate::common::library;
use tablegen::game::Game;
use tablegen::label::LabelKind;
use tablegen::rules::{Board, Position};
use tablegen::solve::{Method, Options, solve};

fn cram(rows: u32, cols: u32) -> u32 {
    let game = library::game("cram", &format!("rows={rows} cols={cols}"));
    of(game.rules(), NIMBER, LabelKind::Nimber).0.nimber().expect("a nimber")
}

fn node_kayles_reached(cols: u32) -> u32 {
    let game = library::game("node-kayles", &format!("rows=3 cols={cols}"));
    let options = Options { labels: NIMBER, ..Options::of(Method::Sparse) };
    let solution = solve(game.rules(), &options).expect("rules that fit");
    solution.value(Position::default()).and_then(|value| value.nimber()).expect("a nimber")
}

/// Boards of 27 to 30 squares, and later terms of A316632, which take more time.
#[test]
#[ignore = "takes 1.2 GiB of memory"]
fn nimbers_of_large_boards() {
    assert_eq!([cram(3, 9), cram(4, 7), cram(5, 6)], [1, 3, 2]);
    assert_eq!([11, 12].map(node_kayles_reached), [3, 5]);
}

/// The nimber of a rectangle or another Young diagram of Chomp, by recursion on the lengths of its rows. No player
/// bites the poisoned top left square.
fn chomp_nimber(rows: &[usize], known: &mut HashMap<Vec<usize>, u32>) -> u32 {
    if let Some(&nimber) = known.get(rows) {
        return nimber;
    }
    let mut taken = Vec::new();
    for (row, &length) in rows.iter().enumerate() {
        for col in (0..length).filter(|&col| (row, col) != (0, 0)) {
            let left: Vec<usize> =
                rows.iter().enumerate().map(|(r, &length)| if r < row { length } else { length.min(col) }).collect();
            taken.push(chomp_nimber(&left, known));
        }
    }
    let nimber = (0..).find(|n| !taken.contains(n)).expect("a number that is not taken");
    known.insert(rows.to_vec(), nimber);
    nimber
}

#[test]
fn nimbers_of_every_diagram_of_chomp() {
    let (rows, cols) = (4, 5);
    let rules = games::chomp(rows, cols);
    let mut known = HashMap::new();
    chomp_nimber(&vec![cols as usize; rows as usize], &mut known);
    assert_eq!(known.len(), 125, "C(9, 4) diagrams but the empty one");
    for method in [Method::Dense, Method::Sparse] {
        let solution = solve(&rules, &Options { labels: NIMBER, ..Options::of(method) }).expect("small rules");
        for (diagram, &nimber) in &known {
            let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
            let eaten = squares.filter(|&(row, col)| col as usize >= diagram[row as usize]);
            let board = eaten.map(|(row, col)| Board::bit(row * cols + col - 1)).collect();
            let found = solution.value(Position::of(board)).expect("a position that play reaches").nimber();
            assert_eq!(found, Some(nimber), "{diagram:?}");
        }
    }
}
