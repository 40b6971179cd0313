//! Compares labels of the library with those of the independent solver.

use tablegen::game::{Game, read_position};
use tablegen::label;
use tablegen::rules::{Node, Outcome, Position};

use super::drawing::THREE_SQUARES;
use super::rules::{Line, Men, MillRules};
use super::solved::{Placing, Placings, Solved, Value, reachable};
use super::{SMALL, six_mens_morris, three_mens_morris};
use crate::common::library::game;
use crate::model::solved as labels_of;

/// Which labels must agree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compared {
    Outcomes,
    /// Outcomes, plies to the end, and which draws are repetitions.
    Plies,
}

/// A position as the rules of the library see it: `X` is the first player.
pub(crate) struct Place {
    /// The first player is to move.
    pub(crate) is_first: bool,
    /// Men on the board, of the first player and of the second.
    pub(crate) men: Men,
    /// Men in hand, of the first player and of the second.
    pub(crate) hands: Men,
}

/// A position with whether the first player is to move, and its value.
pub(crate) type Valued = (Placing, bool, Value);

/// How many positions of the solver have labels in the library, all of them equal, and how many have none.
#[derive(PartialEq, Eq, Default, Debug)]
pub(crate) struct Agreement {
    pub(crate) equal: u64,
    pub(crate) unlabelled: u64,
}

/// Every reachable position of a game that begins with `men` men of each player in hand.
pub(crate) fn from_the_start(solved: &Solved, men: usize) -> impl Iterator<Item = Valued> {
    let mut placings = Placings::new(solved);
    let all = reachable(&solved.rules, men).into_iter();
    all.map(move |(placing, is_first)| (placing, is_first, placings.value(placing)))
}

/// Every board while men are placed, reachable or not. Both players begin with `men` men in hand, and have at least three men
/// on the board and in hand.
pub(crate) fn while_placing(solved: &Solved, men: usize) -> impl Iterator<Item = Valued> {
    let mut placings = Placings::new(solved);
    // The second player has one man more in hand than the first player in every second turn.
    let turns = (1..=men).flat_map(|hand| [((hand, hand), true), ((hand, hand - 1), false)]);
    let on_board = move |hand: usize| 3usize.saturating_sub(hand)..=men - hand;
    let counts = turns.flat_map(move |(hands, is_first)| {
        on_board(hands.0).flat_map(move |x| on_board(hands.1).map(move |o| (hands, is_first, (x, o))))
    });
    let boards = counts.flat_map(move |(hands, is_first, men)| {
        (0..solved.numbering.count(men)).map(move |rank| ((solved.numbering.board(rank, men), hands), is_first))
    });
    boards.map(move |(placing, is_first)| (placing, is_first, placings.value(placing)))
}

/// Every board after placing, reachable or not, with either player to move.
pub(crate) fn after_placing(solved: &Solved) -> impl Iterator<Item = Valued> {
    let boards = solved.men().into_iter().flat_map(|men| solved.values(men));
    boards.flat_map(|(board, value)| [true, false].map(|is_first| ((board, (0, 0)), is_first, value)))
}

/// Compares `positions`, each with whether the first player is to move, with the labels that `label` finds in the library.
/// `mode` names the mode of a position. A label that differs is a panic.
pub(crate) fn compare(
    game: &dyn Game,
    label: &dyn Fn(Position) -> Option<label::Value>,
    mode: &dyn Fn(&Place) -> String,
    compared: Compared,
    positions: impl Iterator<Item = Valued>,
) -> Agreement {
    let empty = game.write(game.rules().start_node());
    let empty = empty.split(' ').next().expect("a board");
    let mut agreement = Agreement::default();
    for ((board, hands), is_first, value) in positions {
        let (board, hands) = if is_first { (board, hands) } else { (board.swapped(), (hands.1, hands.0)) };
        let mut points = board.points().iter();
        let rows = empty.chars().map(|square| match square {
            '.' => char::from(*points.next().expect("as many points as free squares")),
            other => other,
        });
        let rows: String = rows.collect();
        let place = Place { is_first, men: (board.men(b'X'), board.men(b'O')), hands };
        let text = format!("{rows} {}", mode(&place));
        let node = read_position(game, &text).unwrap_or_else(|e| panic!("{text}: {e}")).node;
        let Node::At(position) = node else { panic!("{text}: no opening has labels") };
        let Some(found) = label(position) else {
            agreement.unlabelled += 1;
            continue;
        };
        let expected = match value {
            Value::Win(plies) => (Outcome::Win, Some(u32::from(plies))),
            Value::Loss(plies) => (Outcome::Loss, Some(u32::from(plies))),
            Value::Repetition => (Outcome::Draw, None),
        };
        assert_eq!(found.outcome, expected.0, "{text}");
        if compared == Compared::Plies {
            assert_eq!((found.remoteness(), found.repetition), (expected.1, value == Value::Repetition), "{text}");
        }
        agreement.equal += 1;
    }
    agreement
}

/// The modes of today's rules of Six Men's Morris, which count the men placed and the men lost; both players begin with `men`.
pub(crate) fn counting_mode(place: &Place, men: usize) -> String {
    let side = if place.is_first { "x" } else { "o" };
    let lost = |on_board, hand| men - hand - on_board;
    let (x, o) = (lost(place.men.0, place.hands.0), lost(place.men.1, place.hands.1));
    let hand = if place.is_first { place.hands.0 } else { place.hands.1 };
    if hand == 0 { format!("{side}-{x}-{o}") } else { format!("{side}{}-{x}-{o}", men - hand + 1) }
}

/// The modes of today's rules of Three Men's Morris, which count the men placed.
pub(crate) fn plain_mode(place: &Place) -> String {
    let (side, hand) = if place.is_first { ("x", place.hands.0) } else { ("o", place.hands.1) };
    if hand == 0 { side.to_owned() } else { format!("{side}{}", 4 - hand) }
}

/// Every reachable position of Three Men's Morris, with plies.
#[test]
fn labels_of_three_mens_morris() {
    let (solved, game) = (three_mens_morris(), game("three-mens-morris", ""));
    let solution = labels_of(&game);
    let positions = from_the_start(&solved, 3);
    let agreement = compare(&game, &|at| solution.value(at), &plain_mode, Compared::Plies, positions);
    assert_eq!(agreement, Agreement { equal: solution.count(), unlabelled: 0 });
}

/// Every reachable position of Six Men's Morris with three men of each player. In the library a man is taken in a ply of its own.
#[test]
fn labels_of_six_mens_morris() {
    let game = game("six-mens-morris", "men=3");
    let solution = labels_of(&game);
    let mode = |place: &Place| counting_mode(place, 3);
    let label = |at| solution.value(at);
    let found = compare(&game, &label, &mode, Compared::Outcomes, from_the_start(&SMALL, 3));
    assert_eq!(found, Agreement { equal: 368_513, unlabelled: 0 });
    // Play does not reach the boards on which X has a mill that took no man: eight mills, and two men on the other 13 points.
    let found = compare(&game, &label, &mode, Compared::Outcomes, while_placing(&SMALL, 3));
    assert_eq!(found, Agreement { equal: 55_913, unlabelled: 8 * 78 });
}

/// Four men of each player, and three men of each on the board of Nine Men's Morris, without jumps.
#[test]
#[ignore = "three minutes"]
fn labels_of_more_points_and_men() {
    let nine = Solved::new(MillRules::new(THREE_SQUARES, Line::Takes, false), (3, 3));
    let four = six_mens_morris((4, 4));
    for (solved, set, men, from_start, unreachable) in
        [(four, "men=4", 4, 4_111_151, 221_818), (nine, "rings=3 men=3", 3, 5_798_245, 84_736)]
    {
        let game = game("six-mens-morris", set);
        let solution = labels_of(&game);
        let mode = |place: &Place| counting_mode(place, men);
        let label = |at| solution.value(at);
        let found = compare(&game, &label, &mode, Compared::Outcomes, from_the_start(&solved, men));
        assert_eq!(found, Agreement { equal: from_start, unlabelled: 0 }, "{set}");
        let found = compare(&game, &label, &mode, Compared::Outcomes, after_placing(&solved));
        assert_eq!(found.unlabelled, unreachable, "{set}");
    }
}
