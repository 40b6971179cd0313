//! Tables that count several times or not at all, and moves that have names or conditions of their own.

use crate::rules_file::{game, read};
use proptest::prelude::*;
use tablegen::game::Game;
use tablegen::rules::Move;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A table with `each` equals the tables for its values.
    #[test]
    fn tables_for_several_values(first in 1u32..=4, last in 1u32..=4, step in 1usize..=2, more in 0u32..=2) {
        let head = "name = 'g'\nboard = { rows = 4, cols = 6 }\n";
        let short = format!("{head}[[move]]\neach = {{ r = '{first}..{last} by {step}', c = [1, 'r + {more}'] }}\nfills = ['{{c}}{{r}}', 'f4']\n");
        let mut long = head.to_owned();
        for r in (first..=last).step_by(step) {
            for c in [1, r + more] {
                let col = char::from(b'a' + c as u8 - 1);
                long += &format!("[[move]]\nfills = ['{col}{r}', 'f4']\n");
            }
        }
        let moves = |file: &str| -> Vec<Move> { read(file, "").expect("sound").rules().moves().to_vec() };
        prop_assert_eq!(moves(&short), moves(&long));
    }
}

/// A neutral piece has both colours and leaves its square in both. A pass has a name too.
#[test]
fn names_of_neutral_pieces_and_passes() {
    let game = game("l-game", "");
    let from = game.read("*.XX/.O.X/.O.X/.OO* x-neutral").unwrap().node;
    let names: Vec<String> = game.rules().replies(from).into_iter().map(|to| game.write_move(from, to)).collect();
    assert_eq!((names.len(), names[0].as_str(), names[12].as_str()), (13, "a1>b1", "pass"));
}

/// An empty range of rows makes no move, whatever its ends are, and an empty range of modes makes no end.
#[test]
fn empty_ranges_make_nothing() {
    let ends = [("2", "1"), ("9223372036854775807", "0-9223372036854775807")];
    for (first, last) in ends {
        let file = format!("name = 'g'\nboard = {{ row = 2 }}\n[[move]]\nshape = 'X'\ncols = '{first}..{last}'");
        assert_eq!(read(&file, "").unwrap().rules().moves(), []);
    }
    let file = "name = 'g'\nsides = ['x', 'o']\nmodes = { x = 'x', o = 'o' }\nboard = { row = 2, colours = 'XO' }\n\
                [[move]]\nmode = ['x', 'o']\nnext = ['o', 'x']\nshape = 'X'\n\
                [[end]]\nmode = 'x{1..0}'\nsurrounded = true";
    assert_eq!(read(file, "").unwrap().rules().ends(), []);
}
