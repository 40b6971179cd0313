//! Results that others have published, or that follow from a theorem.

use crate::common::{dense, sparse_of};
use crate::rules_file::{at_start, class, game};
use tablegen::game::Game;
use tablegen::rules::{Node, Outcome, Position};

/// Losses over all 2^N sets of squares, in normal and misère play.
#[test]
fn cram() {
    let known = [(3, 3, 199, 222), (4, 4, 21_452, 22_111), (4, 5, 314_178, 327_349), (5, 5, 9_129_683, 9_862_424)];
    for (rows, cols, normal, misere) in known {
        let solved = |play| dense(game("cram", &format!("rows={rows} cols={cols} play={play}")).rules());
        let losses = |play| solved(play).counts().loss;
        assert_eq!((losses("normal"), losses("misere")), (normal, misere), "{rows}x{cols}");
    }
}

/// Bars that play reaches and the player to bite loses; the bare poison is one of them, and a bar with nothing left is not.
#[test]
fn chomp_bars() {
    for (rows, cols, losing) in [(4, 5, 16), (5, 5, 23), (6, 6, 48)] {
        let solution = sparse_of(&game("chomp", &format!("rows={rows} cols={cols}")));
        assert_eq!(solution.counts().loss, losing, "{rows}x{cols}");
        // A bar is a way down its staircase: C(rows + cols, rows) of them, less the one with nothing left.
        let ways = (1..=rows).fold(1, |ways, k| ways * (cols + k) / k);
        assert_eq!(solution.counts().win + losing, ways - 1, "{rows}x{cols}");
    }
}

/// The first bite that wins, by its square: 3x4 in row 2, column 3; 4x5 in 3, 3; 5x6 in 3, 4.
#[test]
fn chomp_first_bites() {
    for (size, bite) in [("rows=3 cols=4", "c2"), ("rows=4 cols=5", "c3"), ("rows=5 cols=6", "d3")] {
        let game = game("chomp", size);
        let solution = sparse_of(&game);
        let start = Position::default();
        let wins = |to: &Position| solution.outcome(*to) == Some(Outcome::Loss);
        let winning = game.rules().moves_from(start).map(|m| m.play(start)).filter(wins);
        let names: Vec<String> = winning.map(|to| game.write_move(Node::At(start), to)).collect();
        assert_eq!(names, [bite], "{size}");
    }
}

/// Kayles is a win for the player who begins, on any row: strike so that two equal rows are left.
#[test]
fn kayles() {
    for pins in 1..=22 {
        assert_eq!(at_start(&game("kayles", &format!("pins={pins}"))), Outcome::Win, "{pins}");
    }
}

/// The zeros of Dawson's Chess up to 24 files, OEIS A002187; Dawson's Kayles is the same with one pin more.
#[test]
fn dawson() {
    const ZEROS: [u32; 6] = [4, 8, 14, 20, 24, 28];
    for files in 1..=24 {
        let expected = if ZEROS.contains(&files) { Outcome::Loss } else { Outcome::Win };
        assert_eq!(at_start(&game("dawsons-chess", &format!("files={files}"))), expected, "{files}");
        assert_eq!(at_start(&game("dawsons-kayles", &format!("pins={}", files + 1))), expected, "{files}");
    }
}

/// Two rows of Domineering up to 13 columns, and the squares: D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den
/// Herik, Solving 8x8 Domineering, Theoretical Computer Science 230 (2000) 195-206; M. Lachmann, C. Moore and I. Rapaport,
/// Who wins Domineering on rectangular boards?, in More Games of No Chance (2002) 307-315. Left is the vertical player.
#[test]
fn domineering() {
    let class_of = |rows: u32, cols: u32| class(&game("domineering", &format!("rows={rows} cols={cols}")));
    let two_rows: String = (1..=13).map(|cols| class_of(2, cols)).collect();
    assert_eq!(two_rows, "LNNRLNNRLNNRP");
    assert_eq!([2, 3, 4].map(|n| class_of(n, n)), ["N", "N", "N"]);
    assert_eq!((class_of(4, 5), class_of(5, 4)), ("L".into(), "R".into()), "4 rows, 5 columns: vertical");
    assert_eq!(class_of(5, 5), "P");
    assert_eq!((class_of(1, 1), class_of(1, 7), class_of(7, 1)), ("P".into(), "R".into(), "L".into()));
}

/// On one board of Notakto the first player wins, by the middle (Plambeck and Whitehead).
#[test]
fn notakto() {
    let game = game("notakto", "");
    let solution = sparse_of(&game);
    let start = Position::default();
    let wins = |to: &Position| solution.outcome(*to) == Some(Outcome::Loss);
    let winning: Vec<Position> = game.rules().moves_from(start).map(|m| m.play(start)).filter(wins).collect();
    let names: Vec<String> = winning.iter().map(|&to| game.write_move(Node::At(start), to)).collect();
    assert_eq!(names, ["b2"]);
}

/// Sim: the second player wins, and no play ends in a draw (Mead, Rosa and Huang).
#[test]
fn sim() {
    let game = game("sim", "");
    let solution = sparse_of(&game);
    assert_eq!(solution.outcome(Position::default()), Some(Outcome::Loss));
    assert_eq!(solution.counts().draw, 0);
    let twenty_triangles_a_side = 40;
    assert_eq!((game.rules().moves().len(), game.rules().ends().len()), (30, twenty_triangles_a_side));
}

/// The numbers of positions that play reaches and the outcomes of the boards (J. Tromp, John's Connect Four Playground). 5x5
/// has 69,763,700, a draw too; that takes a minute.
#[test]
fn connect_four() {
    for (rows, cols, positions) in [(4, 4, 161_029), (5, 4, 1_706_255)] {
        let game = game("connect-four", &format!("rows={rows} cols={cols}"));
        let solution = sparse_of(&game);
        assert_eq!(solution.count(), positions, "{rows}x{cols}");
        assert_eq!(solution.outcome(Position::default()), Some(Outcome::Draw), "{rows}x{cols}");
    }
}

/// Col has no fuzzy values but x and x*, so the player who begins wins or loses for one side; an empty board that maps to
/// itself with colours changed is 0 or *. Snort on a board with a middle is won by the player who begins there and mirrors
/// (Winning Ways).
#[test]
fn col_and_snort() {
    for (rows, cols) in [(1, 1), (1, 3), (3, 3), (1, 5)] {
        let size = format!("rows={rows} cols={cols}");
        assert_eq!(class(&game("snort", &size)), "N", "{size}");
        assert!(["N", "P"].contains(&class(&game("col", &size)).as_str()), "{size}: no side is favoured");
    }
}
