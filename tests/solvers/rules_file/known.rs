//! Published results, and results that follow from theorems.

use crate::common::{dense, sparse_of};
use crate::rules_file::{at_start, class, game};
use tablegen::game::Game;
use tablegen::rules::{Node, Outcome, Position};

/// The number of losses over all 2^N boards, in normal and misère play.
#[test]
fn cram() {
    let known = [(3, 3, 199, 222), (4, 4, 21_452, 22_111), (4, 5, 314_178, 327_349), (5, 5, 9_129_683, 9_862_424)];
    for (rows, cols, normal, misere) in known {
        let solved = |play| dense(game("cram", &format!("rows={rows} cols={cols} play={play}")).rules());
        let losses = |play| solved(play).counts().loss;
        assert_eq!((losses("normal"), losses("misere")), (normal, misere), "{rows}x{cols}");
    }
}

/// The number of reachable bars that the player to move loses. The single poisoned square is one of them, and the empty
/// bar is not.
#[test]
fn chomp_bars() {
    for (rows, cols, losing) in [(4, 5, 16), (5, 5, 23), (6, 6, 48)] {
        let solution = sparse_of(&game("chomp", &format!("rows={rows} cols={cols}")));
        assert_eq!(solution.counts().loss, losing, "{rows}x{cols}");
        // A bar corresponds to a staircase path: there are C(rows + cols, rows), less the empty bar.
        let ways = (1..=rows).fold(1, |ways, k| ways * (cols + k) / k);
        assert_eq!(solution.counts().win + losing, ways - 1, "{rows}x{cols}");
    }
}

/// The winning first bite, by its square: row 2, column 3 on 3x4; row 3, column 3 on 4x5; row 3, column 4 on 5x6.
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

/// The losses of Dawson's Chess up to 20 files (OEIS A002187). Dawson's Kayles is the same game with one more pin.
#[test]
fn dawson() {
    const ZEROS: [u32; 4] = [4, 8, 14, 20];
    for files in 1..=20 {
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

/// The first player wins Notakto on one board by playing in the middle (Plambeck and Whitehead).
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

/// Sim: the second player wins, and no game ends in a draw (Mead, Rosa and Huang).
#[test]
fn sim() {
    let game = game("sim", "");
    let solution = sparse_of(&game);
    assert_eq!(solution.outcome(Position::default()), Some(Outcome::Loss));
    assert_eq!(solution.counts().draw, 0);
    let twenty_triangles_a_side = 40;
    assert_eq!((game.rules().moves().len(), game.rules().ends().len()), (30, twenty_triangles_a_side));
}

/// The numbers of reachable positions and the outcomes (J. Tromp, John's Connect Four Playground). 5x5 has 69,763,700
/// positions and is a draw too, which takes a minute to find.
#[test]
fn connect_four() {
    for (rows, cols, positions) in [(4, 4, 161_029), (5, 4, 1_706_255)] {
        let game = game("connect-four", &format!("rows={rows} cols={cols}"));
        let solution = sparse_of(&game);
        assert_eq!(solution.count(), positions, "{rows}x{cols}");
        assert_eq!(solution.outcome(Position::default()), Some(Outcome::Draw), "{rows}x{cols}");
    }
}

/// Col has no fuzzy values other than x and x*. So an empty board that a symmetry maps to itself with exchanged colours
/// is 0 or *. The player who moves first wins Snort on a board with a middle square, by taking it and mirroring
/// (Winning Ways).
#[test]
fn col_and_snort() {
    for (rows, cols) in [(1, 1), (1, 3), (3, 3), (1, 5)] {
        let size = format!("rows={rows} cols={cols}");
        assert_eq!(class(&game("snort", &size)), "N", "{size}");
        assert!(["N", "P"].contains(&class(&game("col", &size)).as_str()), "{size}: no side is favoured");
    }
}
