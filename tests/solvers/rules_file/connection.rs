//! Ends by connection.

use crate::rules_file::{game, read};
use tablegen::game::{FileGame, Game};
use tablegen::rules::Outcome;
use tablegen::rules::{Board, Position};
use tablegen::search::Search;

fn of(board: &str, connects: &str) -> Result<FileGame, String> {
    read(&format!("name = 'g'\nboard = {board}\nmove = [{{ shape = 'X' }}]\nend = [{{ connects = {connects} }}]"), "")
}

/// Every pattern is minimal. `language` says that they are all.
#[test]
fn the_patterns_are_the_smallest_connections() {
    for tiling in ["squares", "hexagons"] {
        let game = of(&format!("{{ rows = 3, cols = 4, tiling = '{tiling}' }}"), "['left', 'right']").unwrap();
        let patterns: Vec<Board> = game.rules().ends().iter().map(|end| end.pattern).collect();
        let spare = |a: &Board| patterns.iter().any(|b| a != b && a.contains(*b));
        assert!(!patterns.iter().any(spare), "{tiling}");
        let different: std::collections::HashSet<&Board> = patterns.iter().collect();
        assert_eq!(different.len(), patterns.len());
    }
}

/// A board with too many patterns is refused quickly, in one line with the reason.
#[test]
fn too_many_connections_are_refused() {
    let begun = std::time::Instant::now();
    let refusal = of("{ rows = 8, cols = 8 }", "['left', 'right']").unwrap_err();
    let paths = "line 4, column 21: expected a board with at most 131072 minimal paths between the two parts for `connects`, found more";
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
