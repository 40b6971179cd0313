//! Groups of symmetries, compared with definitions: representatives, symmetry classes, and the symmetries that are
//! found.

mod tables;

use std::collections::{HashMap, HashSet};

use crate::common::forge;
use crate::common::library::named;
use rayon::prelude::*;
use tablegen::contents::Contents;
use tablegen::engine::Stats;
use tablegen::game::{Dominoes, Game, Mnk, Plain, Play, Tactics, library};
use tablegen::label::{Counts, LabelKind, LabelSet};
use tablegen::rules::{Board, Descriptor, End, Mode, Move, Outcome, Position, Rules, RulesSpec, Start, Symmetry};
use tablegen::solve::{Options, Solution, Solver, count_reachable, solve};
use tablegen::symmetry::{Group, find};
use tablegen::table::{SaveTable, Table};
use tablegen::verify;

/// Every element of the group that `generators` generate, by multiplying until no new element appears.
fn elements(rules: &Rules, generators: &[Symmetry]) -> Vec<Symmetry> {
    let mut all = vec![Symmetry::identity(rules.cells(), rules.modes().len())];
    let mut seen: HashSet<Symmetry> = all.iter().cloned().collect();
    let mut next = 0;
    while next < all.len() {
        for generator in generators {
            let product = all[next].then(generator);
            if seen.insert(product.clone()) {
                all.push(product);
            }
        }
        next += 1;
    }
    all
}

/// The least image in the order of the group, and the number of elements that fix the position.
fn plain(group: &Group, elements: &[Symmetry], position: Position) -> (Position, u64) {
    let rank = |position: Position| {
        let mode = group.order_of_modes().iter().position(|&mode| mode == position.mode.0);
        let cells = group.order_of_cells().iter();
        let board = cells.fold(0u128, |board, &bit| board << 1 | u128::from(position.board.low_word() >> bit & 1));
        (mode, board)
    };
    let images = elements.iter().map(|element| element.of(position));
    let least = images.clone().min_by_key(|&image| rank(image)).unwrap();
    (least, images.filter(|&image| image == position).count() as u64)
}

fn group(rules: &Rules) -> Group {
    Group::of_rules(rules, &rules.start_positions()).unwrap()
}

fn random(draw: &mut fastrand::Rng, rules: &Rules) -> Position {
    let board = match draw.u8(..3) {
        0 => draw.u64(..) & draw.u64(..),
        1 => draw.u64(..) | draw.u64(..),
        _ => draw.u64(..),
    };
    Position::new(Mode(draw.u16(..rules.modes().len() as u16)), Board::from_word(board) & Board::full(rules.cells()))
}

#[test]
fn representatives_of_dominoes_are_the_least_images() {
    for (values, order) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        let game = Dominoes::new(values, Play::Normal).unwrap();
        let (rules, group) = (game.rules(), group(game.rules()));
        assert_eq!(group.order(), order);
        let elements = elements(rules, group.generators());
        assert_eq!(elements.len() as u64, order);
        let mut orbits = HashMap::new();
        for (mode, board) in (0..values as u16).flat_map(|mode| (0..1u64 << rules.cells()).map(move |b| (mode, b))) {
            let position = Position::new(Mode(mode), Board::from_word(board));
            let found = group.representative_and_stabilizer(position);
            assert_eq!((found.position, found.stabilizer), plain(&group, &elements, position), "{position:?}");
            assert_eq!(group.representative(position), found.position);
            *orbits.entry(found.position).or_insert(0u64) += 1;
        }
        for (&position, &count) in &orbits {
            assert_eq!(group.orbit(position), count);
        }
        // Burnside's lemma: the number of symmetry classes is the average number of positions that an element fixes.
        let fixed = elements.iter().map(|element| {
            let cycles = cycles(element.cells());
            let modes = (0..).zip(element.modes()).filter(|(from, to)| from == *to).count() as u64;
            modes << cycles
        });
        assert_eq!(fixed.sum::<u64>(), orbits.len() as u64 * order);
    }
}

fn cycles(permutation: &[u8]) -> u32 {
    let mut seen = vec![false; permutation.len()];
    let mut cycles = 0;
    for first in 0..permutation.len() {
        cycles += u32::from(!seen[first]);
        let mut at = first;
        while !std::mem::replace(&mut seen[at], true) {
            at = permutation[at].into();
        }
    }
    cycles
}

/// Checks `pairs` random pairs of positions of each large set. A pair is a position and its image, or two positions
/// with equally many tiles.
fn check_pairs(pairs: u32) {
    let mut draw = fastrand::Rng::with_seed(15);
    for values in 6..=10 {
        let game = Dominoes::new(values, Play::Misere).unwrap();
        let (rules, group) = (game.rules(), group(game.rules()));
        assert_eq!((group.order(), group.name()), ((1..=u64::from(values)).product(), format!("S{values}").as_str()));
        // Generate all elements only for six values; larger groups are too large.
        let all = if values == 6 { elements(rules, group.generators()) } else { Vec::new() };
        for number in 0..pairs {
            let position = random(&mut draw, rules);
            let found = group.representative_and_stabilizer(position);
            if values == 6 && number % 16 == 0 {
                assert_eq!((found.position, found.stabilizer), plain(&group, &all, position));
            }
            let mut image = position;
            for _ in 0..20 {
                image = draw.choice(group.generators()).unwrap().of(image);
            }
            assert_eq!(group.representative_and_stabilizer(image), found, "{position:?} and {image:?}");
            if values == 6 {
                // One tile is moved, so the pair is mostly in different classes.
                let (on, off) = (draw.u32(..rules.cells()), draw.u32(..rules.cells()));
                let [on, off] = [on, off].map(Board::bit);
                let moved = if position.board.contains(off) && position.board.is_disjoint(on) {
                    on | off
                } else {
                    Board::EMPTY
                };
                let other = Position::new(image.mode, image.board ^ moved);
                let is_image = all.iter().any(|element| element.of(position) == other);
                assert_eq!(group.representative(other) == found.position, is_image);
            }
        }
        let position = random(&mut draw, rules);
        let representative = group.representative(position);
        assert_eq!(group.representative(representative), representative);
        assert_eq!(representative.board.count(), position.board.count());
    }
}

#[test]
fn representatives_of_large_sets_of_dominoes() {
    check_pairs(3_000);
}

#[test]
#[ignore = "a million pairs, some against every relabelling: a minute"]
fn a_million_pairs() {
    check_pairs(200_000);
}

#[test]
fn turns_and_flips_of_grids() {
    let of = |game: &dyn Game| {
        let (rules, roots) = (game.rules(), game.rules().start_positions());
        let group = |generators: &[Symmetry]| Group::new(rules, &roots, generators).unwrap();
        let (offered, found) = (group(rules.symmetries()), group(&find(rules, &roots)));
        (offered.name().to_owned(), offered.order(), found.order())
    };
    assert_eq!(of(&Tactics::new(4, 4, 3, Play::Misere).unwrap()), ("D4".into(), 8, 8));
    assert_eq!(of(&Tactics::new(4, 5, 3, Play::Misere).unwrap()), ("C2xC2".into(), 4, 4));
    assert_eq!(of(&Mnk::new(3, 4, 3, Play::Misere).unwrap()), ("C2xC2".into(), 4, 4));
    // For lines of four on 4x4 there are more symmetries, such as exchanging the middle rows together with the middle
    // columns.
    assert_eq!(of(&Mnk::new(4, 4, 4, Play::Normal).unwrap()), ("D4".into(), 8, 32));
}

#[test]
fn known_symmetry_groups_are_found() {
    let of = |name: &str, set: &str| {
        let game = named(name, set);
        let roots = if game.roots().is_empty() { game.rules().start_positions() } else { game.roots() };
        let group = Group::of_rules(game.rules(), &roots).unwrap();
        (group.name().to_owned(), group.order())
    };
    assert_eq!(of("cram", "rows=4 cols=4"), ("D4".into(), 8));
    assert_eq!(of("hex", "rows=4 cols=4"), ("C2".into(), 2));
    assert_eq!(of("petersen-kayles", ""), ("S5".into(), 120));
    assert_eq!(of("sim", ""), ("S6".into(), 720));
    assert_eq!(of("domineering", "rows=4 cols=4").1, 8);
}
