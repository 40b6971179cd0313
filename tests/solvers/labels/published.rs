//! Nimbers of impartial games that others published.

use std::collections::HashMap;

use super::{NIMBER, of};
use crate::common::games;
use crate::common::library;
use tablegen::game::Game;
use tablegen::label::{LabelKind, LabelSet};
use tablegen::rules::{Board, Position};
use tablegen::solve::{Method, Options, solve};

fn nimber_of(name: &str, set: &str) -> u32 {
    of(library::game(name, set).rules(), NIMBER, LabelKind::Nimber).0.nimber().expect("a nimber")
}

/// OEIS A002186 (Kayles) and A002187 (Dawson's Kayles, shifted by one); Cram on 3xn and 4xn (Schneider 2009); Nim by
/// exclusive or (Bouton 1901); Node Kayles on 3xn, OEIS A316632.
#[test]
fn nimbers_of_small_boards() {
    let kayles: Vec<u32> = (1..=20).map(|pins| nimber_of("kayles", &format!("pins={pins}"))).collect();
    assert_eq!(kayles, [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1]);
    let dawson: Vec<u32> = (1..=20).map(|pins| nimber_of("dawsons-kayles", &format!("pins={pins}"))).collect();
    assert_eq!(dawson, [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3]);
    // Misère Kayles and Dawson's Chess: Winning Ways, chapter 13.
    let kayles: Vec<u32> = (1..=15).map(|pins| misere_nimber_of("kayles", &format!("pins={pins}"))).collect();
    assert_eq!(kayles, [0, 2, 3, 0, 1, 3, 2, 1, 0, 2, 4, 0, 1, 2, 5]);
    let dawson: Vec<u32> = (1..=15).map(|files| misere_nimber_of("dawsons-chess", &format!("files={files}"))).collect();
    assert_eq!(dawson, [0, 0, 2, 1, 3, 0, 0, 1, 1, 3, 0, 2, 1, 1, 0]);
    assert_eq!((3..=8).map(|cols| cram(3, cols)).collect::<Vec<_>>(), [0, 1, 1, 4, 1, 3]);
    assert_eq!([cram(4, 4), cram(4, 5), cram(4, 6), cram(5, 5)], [0, 2, 0, 0]);
    for (a, b, c) in [(3, 4, 5), (1, 2, 3), (7, 7, 0), (6, 2, 1)] {
        assert_eq!(nimber_of("nim", &format!("a={a} b={b} c={c} d=0")), a ^ b ^ c, "{a} {b} {c}");
    }
    let node_kayles = |cols| nimber_of("node-kayles", &format!("rows=3 cols={cols}"));
    assert_eq!((1..=7).map(node_kayles).collect::<Vec<_>>(), [2, 1, 1, 0, 3, 3, 2]);
    assert_eq!(nimber_of("node-kayles", "rows=5 cols=5"), 3);
    // Few boards of the longer grids are reachable.
    assert_eq!((7..=10).map(node_kayles_reached).collect::<Vec<_>>(), [2, 2, 2, 3]);
}

fn misere_nimber_of(name: &str, set: &str) -> u32 {
    let labels = LabelSet::OUTCOME.with(LabelKind::MisereNimber);
    let value = of(library::game(name, set).rules(), labels, LabelKind::MisereNimber).0;
    value.misere_nimber().expect("a misère nimber")
}

fn cram(rows: u32, cols: u32) -> u32 {
    nimber_of("cram", &format!("rows={rows} cols={cols}"))
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
