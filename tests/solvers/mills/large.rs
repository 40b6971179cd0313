//! Boards of mill games that take longer to solve: counts, and outcomes by another program.

use super::drawing::TWO_SQUARES;
use super::rules::{Board, Line, Men, MillRules};
use super::solved::{Placings, Solved, Tally, Value, reachable};
use super::{OUTCOMES, assert_rows_agree, nine_mens_morris, rows, six_mens_morris};

/// Checks the number of wins, draws and losses, and the plies of the longest win, for each number of men; the values of all
/// boards against those of their moves; and `agreeing` outcomes by another program.
fn assert_solved(solved: &Solved, expected: &[(Men, [u64; 3], u16)], agreeing: usize) {
    let tally = |men| {
        let Tally { wins, draws, losses, longest_win } = solved.tally(men);
        (men, [wins, draws, losses], longest_win)
    };
    let found: Vec<_> = solved.men().into_iter().map(tally).collect();
    assert_eq!(found, expected);
    assert_eq!(assert_rows_agree(solved, &rows(OUTCOMES)), agreeing);
    solved.men().into_iter().for_each(|men| solved.assert_follows_from_moves(men));
}

/// Six Men's Morris after placing, three to six men of each player: 19 million boards.
#[test]
#[ignore = "two minutes"]
fn six_mens_morris_after_placing() {
    let expected = [
        ((3, 3), [70_696, 58_952, 30_512], 15),
        ((3, 4), [65_368, 0, 335_032], 13),
        ((4, 3), [379_328, 0, 21_072], 25),
        ((3, 5), [27_384, 0, 693_336], 15),
        ((4, 4), [526_380, 127_556, 246_964], 37),
        ((5, 3), [715_648, 0, 5_072], 13),
        ((3, 6), [1_704, 0, 959_256], 15),
        ((4, 5), [314_856, 31_952, 1_094_632], 25),
        ((5, 4), [1_339_952, 7_192, 94_296], 73),
        ((6, 3), [960_928, 0, 32], 9),
        ((4, 6), [56_808, 48, 1_624_824], 21),
        ((5, 5), [1_198_704, 301_800, 517_512], 31),
        ((6, 4), [1_673_252, 0, 8_428], 23),
        ((5, 6), [409_512, 107_360, 1_501_144], 25),
        ((6, 5), [1_866_664, 34_176, 117_176], 119),
        ((6, 6), [983_804, 266_512, 431_364], 37),
    ];
    assert_solved(&six_mens_morris((6, 6)), &expected, 163);
}

/// Nine Men's Morris after placing, three or four men of each player: 78 million boards.
#[test]
#[ignore = "a quarter of an hour"]
fn nine_mens_morris_after_placing() {
    let expected = [
        ((3, 3), [2_232_160, 4_112, 455_648], 25),
        ((3, 4), [1_629_336, 10_484_304, 0], 33),
        ((4, 3), [1_201_560, 10_863_360, 48_720], 1),
        ((4, 4), [2_456, 51_480_175, 339], 9),
    ];
    assert_solved(&nine_mens_morris((4, 4)), &expected, 33);
}

/// B. Liou published the numbers of reachable positions, without and with jumps of three men, and the draws, as "Morris
/// tablebases v1" of his program game-solver (2026).
#[test]
#[ignore = "two minutes"]
fn published_counts_of_six_mens_morris() {
    for (men, jumps, positions) in [(4, false, 4_111_151), (4, true, 4_111_327), (5, false, 17_844_721)] {
        let rules = || MillRules::new(TWO_SQUARES, Line::Takes, jumps);
        assert_eq!(reachable(&rules(), men).len(), positions, "{men} men, jumps: {jumps}");
        let solved = Solved::new(rules(), (men, men));
        let start = Placings::new(&solved).value((Board::empty(16), (men, men)));
        assert_eq!(start, Value::Repetition, "{men} men, jumps: {jumps}");
    }
}
