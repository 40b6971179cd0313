//! Ends by connection.

use crate::rules_file::{game, read};
use tablegen::game::{FileGame, Game};
use tablegen::rules::Outcome;
use tablegen::rules::{Board, Position};
use tablegen::search::Search;

fn of(board: &str, connects: &str) -> Result<FileGame, String> {
    read(&format!("name = 'g'\nboard = {board}\nmove = [{{ shape = 'X' }}]\nend = [{{ connects = {connects} }}]"), "")
}

/// A board contains one of the patterns exactly if its squares connect the two parts, and every pattern is minimal.
#[test]
fn the_patterns_are_the_smallest_connections() {
    let connected = |board: Board, hexagons: bool| {
        let has = |row: i32, col: i32| {
            (0..3).contains(&row) && (0..4).contains(&col) && board.contains(Board::at((row * 4 + col) as u32, 12))
        };
        let mut reached: Vec<(i32, i32)> = (0..3).map(|row| (row, 0)).filter(|&(row, col)| has(row, col)).collect();
        let mut next = 0;
        while let Some(&(row, col)) = reached.get(next) {
            next += 1;
            let sides = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)];
            for (r, c) in sides.into_iter().take(if hexagons { 6 } else { 4 }) {
                let at = (row + r, col + c);
                if has(at.0, at.1) && !reached.contains(&at) {
                    reached.push(at);
                }
            }
        }
        reached.iter().any(|&(_, col)| col == 3)
    };
    for (tiling, hexagons) in [("squares", false), ("hexagons", true)] {
        let board = format!("{{ rows = 3, cols = 4, tiling = '{tiling}' }}");
        let game = of(&board, "['left', 'right']").unwrap();
        let patterns: Vec<Board> = game.rules().ends().iter().map(|end| end.pattern).collect();
        for board in (0..1 << 12).map(Board::from_word) {
            let contains = patterns.iter().any(|&pattern| board.contains(pattern));
            assert_eq!(contains, connected(board, hexagons), "{tiling} {board:?}");
        }
        let spare = |a: &Board| patterns.iter().any(|b| a != b && a.contains(*b));
        assert!(!patterns.iter().any(spare), "{tiling}");
        let different: std::collections::HashSet<&Board> = patterns.iter().collect();
        assert_eq!(different.len(), patterns.len());
    }
}

#[test]
fn parts_of_the_board() {
    let count = |board: &str, connects: &str| of(board, connects).unwrap().rules().ends().len();
    assert_eq!(count("{ rows = 3, cols = 1 }", "['top', 'bottom']"), 1);
    assert_eq!(count("{ rows = 3, cols = 1 }", "['left', 'right']"), 3, "a square on both sides");
    assert_eq!(count("{ rows = 2, cols = 2 }", "[['a1'], ['b2']]"), 2);
    assert_eq!(count("{ edges = ['a b', 'b c', 'c d', 'd a'] }", "[['a'], ['c']]"), 2);
    assert_eq!(count("{ drawn = '.#.' }", "['left', 'right']"), 0, "a hole parts them");
}

/// A board with too many patterns is refused quickly, in one line with the reason.
#[test]
fn too_many_connections_are_refused() {
    let begun = std::time::Instant::now();
    let refusal = of("{ rows = 8, cols = 8 }", "['left', 'right']").unwrap_err();
    let paths = "line 4, column 21: expected a board with at most 32768 minimal paths between the two parts for `connects`, found more";
    assert!(refusal.contains(paths) || refusal.contains("in reasonable time"), "{refusal}");
    // Dead ends take time to explore too.
    let walled = "{ drawn = '''\n........\n........\n........\n........\n........\n........\n########\n........''' }";
    let walled = of(walled, "['top', 'bottom']");
    assert!(walled.map_or_else(|e| e.contains("reasonable time"), |game| game.rules().ends().is_empty()));
    assert!(begun.elapsed() < std::time::Duration::from_secs(20));
}

/// The player who moves first wins (Nash).
#[test]
fn hex() {
    for size in 1..=3 {
        let game = game("hex", &format!("rows={size} cols={size}"));
        let solution = crate::common::sparse_of(&game);
        assert_eq!(solution.outcome(Position::default()), Some(Outcome::Win), "{size}");
        assert_eq!(solution.counts().draw, 0, "no full board is without a chain");
    }
    let game = game("hex", "rows=4 cols=4");
    let mut search = Search::new(game.rules());
    search.set_limit(20_000_000);
    assert_eq!(search.outcome(Position::default().into()).ok(), Some(Outcome::Win));
}
