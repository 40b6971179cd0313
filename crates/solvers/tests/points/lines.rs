//! Games of lines: own marks in a line, and lines between points on a circle.

use std::collections::HashMap;

use super::{at, library, score, solved};
use tablegen_games::Game;

/// Lines of `length` squares, each as the bits of its squares.
fn lines(rows: i32, cols: i32, length: i32) -> Vec<u32> {
    let mut lines = Vec::new();
    for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let squares: Vec<(i32, i32)> = (0..length).map(|far| (row + far * down, col + far * right)).collect();
            if squares.iter().all(|&(row, col)| row < rows && (0..cols).contains(&col)) {
                lines.push(squares.iter().map(|(row, col)| 1 << (row * cols + col)).sum());
            }
        }
    }
    lines
}

/// The score for the player with the marks `own`, with the scores of all positions that follow.
fn marks(lines: &[u32], squares: u32, [own, other]: [u32; 2], known: &mut HashMap<[u32; 2], i32>) -> i32 {
    if let Some(&score) = known.get(&[own, other]) {
        return score;
    }
    let full = |own: u32| lines.iter().filter(|&&line| line & own == line).count() as i32;
    let free = (0..squares).map(|square| 1 << square).filter(|square| (own | other) & square == 0);
    let mark = |square: u32| full(own | square) - full(own) - marks(lines, squares, [other, own | square], known);
    let most = free.map(mark).max().unwrap_or(0);
    known.insert([own, other], most);
    most
}

#[test]
fn score_lines_counts_lines() {
    // The last two scores are half the alternating sum of the numbers of neighbours.
    for (rows, cols, line, start) in [(3, 3, 3, 0), (2, 4, 3, 0), (3, 3, 2, 4), (2, 4, 2, 0), (1, 4, 4, 0)] {
        let game = library("score-lines", &format!("rows={rows},cols={cols},line={line}"));
        let (solution, mut known) = (solved(game.rules()), HashMap::new());
        let squares = (rows * cols) as u32;
        assert_eq!(marks(&lines(rows, cols, line), squares, [0, 0], &mut known), start, "{rows}x{cols} {line}");
        for (&[own, other], &expected) in &known {
            let x_moves = own.count_ones() == other.count_ones();
            let [x, o] = if x_moves { [own, other] } else { [other, own] };
            let sign = |square: u32| match (x >> square & 1, o >> square & 1) {
                (0, 0) => '.',
                (0, _) => 'O',
                _ => 'X',
            };
            let row = |row: u32| (0..cols as u32).map(|col| sign(row * cols as u32 + col)).collect::<String>();
            let board: Vec<String> = (0..rows as u32).map(row).collect();
            let text = format!("{} {}", board.join("/"), if x_moves { "x" } else { "o" });
            assert_eq!(score(&solution, at(&game, &text)), expected, "{text}");
        }
        // The table also has positions where O began.
        assert!(known.len() as u64 <= solution.count(), "{} {}", known.len(), solution.count());
    }
}

/// A line between two of the points 0 to 5 on a circle, the first one less than the second.
type Chord = [u8; 2];

/// The lines in the order of the board.
fn chords() -> Vec<Chord> {
    (0..6).flat_map(|a| (a + 1..6).map(move |b| [a, b])).collect()
}

fn cross([a, b]: Chord, [c, d]: Chord) -> bool {
    a < c && c < b && b < d || c < a && a < d && d < b
}

/// The number of triangles whose sides are among `drawn`.
fn triangles(drawn: &[Chord]) -> i32 {
    let has = |a: u8, b: u8| drawn.contains(&[a, b]);
    let all = (0..6).flat_map(|a| (a + 1..6).flat_map(move |b| (b + 1..6).map(move |c| (a, b, c))));
    all.filter(|&(a, b, c)| has(a, b) && has(b, c) && has(a, c)).count() as i32
}

fn triangulate(chords: &[Chord], drawn: u32, known: &mut HashMap<u32, i32>) -> i32 {
    if let Some(&score) = known.get(&drawn) {
        return score;
    }
    let of = |drawn: u32| (0..).zip(chords).filter(|(n, _)| drawn >> n & 1 == 1).map(|(_, &it)| it).collect::<Vec<_>>();
    let before = of(drawn);
    let mut most = None;
    for (number, &chord) in chords.iter().enumerate() {
        if before.iter().any(|&other| other == chord || cross(chord, other)) {
            continue;
        }
        let after = drawn | 1 << number;
        let (gain, score) = (triangles(&of(after)) - triangles(&before), triangulate(chords, after, known));
        most = most.max(Some(if gain > 0 { gain + score } else { -score }));
    }
    known.insert(drawn, most.unwrap_or(0));
    most.unwrap_or(0)
}

#[test]
fn triangulation_counts_triangles() {
    let (chords, game, mut known) = (chords(), library("triangulation", ""), HashMap::new());
    // An even number of points is a draw.
    assert_eq!((triangulate(&chords, 0, &mut known), known.len()), (0, 2880));
    let solution = solved(game.rules());
    assert_eq!(solution.count(), 2880);
    for (&drawn, &expected) in &known {
        let text: String = (0..15).map(|number| if drawn >> number & 1 == 1 { 'X' } else { '.' }).collect();
        assert_eq!(score(&solution, at(&game, &text)), expected, "{text}");
    }
}
