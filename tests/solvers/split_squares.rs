//! Two-colour tables of boards with split squares, whose slices fix the colours of pieces.

use crate::common::labels;
use crate::common::library::named as library;
use crate::two_colour_slices::{Expected, assert_folds_of, assert_slices_of, expected, whole_game};
use tablegen::colourings::{Frame, Squares};
use tablegen::contents::Contents;
use tablegen::symmetry::Group;

/// All labels stay the same, in one piece, in slices and up to symmetry.
#[test]
fn two_colour_games_with_split_squares() {
    let falling = |size| library("connect-four", size);
    let snort = library("snort", "rows=2 cols=4");
    for (game, lefts) in [(falling("rows=3 cols=3"), 0..9), (falling("rows=2 cols=4"), 3..7), (snort, 5..8)] {
        let (rules, roots) = (game.rules(), game.rules().starts_and(&game.roots()));
        let group = Group::of_rules(rules, &roots).expect("symmetries");
        let labels = labels(rules);
        let squares = Squares::symmetric(rules, &roots, &group);
        let whole = Frame::of(rules, &squares, &roots).expect("few squares");
        let expected = expected(&whole_game(&whole, rules, labels));
        for left in lefts.step_by(2) {
            let split = squares.split(rules, &group, left);
            assert!(split.pairs() <= left && split.pairs() < squares.pairs());
            let frame = Frame::of(rules, &split, &roots).expect("few squares");
            let solution = whole_game(&frame, rules, labels);
            let Contents::Coloured(found) = solution.contents() else { panic!("colourings") };
            for Expected { position, outcome, counted, codes } in &expected {
                // With colours in the sets, some positions out of reach have no place.
                let Some(place) = frame.place(*position) else {
                    assert!(!counted, "{position:?}");
                    continue;
                };
                assert_eq!(found.outcome(*position).expect("in memory"), Some(*outcome));
                assert_eq!(found.is_reached(*position).expect("in memory"), *counted);
                for &(kind, code) in codes {
                    let labels = found.bytes().of(kind).expect("a label");
                    assert_eq!(labels.byte(frame.bit(place) as usize).expect("in memory"), code);
                }
            }
            assert_slices_of(&frame, rules, labels, 0..);
            assert!(assert_folds_of(&frame, rules, labels, &group, 3) > 1);
        }
    }
}
