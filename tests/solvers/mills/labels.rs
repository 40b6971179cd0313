//! Compares labels of the library with those of the independent solver.

use tablegen::game::{Game, read_position};
use tablegen::label::{LabelSet, Value as Label};
use tablegen::rules::{Node, Outcome, Position};
use tablegen::solve::{Options, Solution, Solver, solve};
use tablegen::symmetry::Group;

use super::drawing::THREE_SQUARES;
use super::rules::{Line, Men, MillRules};
use super::solved::{Placing, Placings, Solved, Value, reachable};
use super::{SMALL, six_mens_morris, three_mens_morris};
use crate::common::library::game;

/// A position as the rules of the library see it: `X` is the first player.
pub(crate) struct Place {
    /// The first player is to move.
    pub(crate) is_first: bool,
    /// Men in hand, of the first player and of the second.
    pub(crate) hands: Men,
}

/// A position with whether the first player is to move, and its value.
pub(crate) type Valued = (Placing, bool, Value);

/// How many positions of the solver have labels in the library, all of them equal, and how many have none.
#[derive(PartialEq, Eq, Default, Debug)]
pub(crate) struct Agreement {
    /// Wins, draws and losses.
    pub(crate) equal: [u64; 3],
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

/// Compares `positions`, each with whether the first player is to move, with the labels that `label` finds in the library: outcomes,
/// plies to the end, and which draws are repetitions. A label that differs is a panic.
pub(crate) fn compare(
    game: &dyn Game,
    label: &dyn Fn(Position) -> Option<Label>,
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
        let place = Place { is_first, hands };
        let text = format!("{rows} {}", mode_of(&place));
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
        assert_eq!((found.remoteness(), found.repetition), (expected.1, value == Value::Repetition), "{text}");
        let kind = [Outcome::Win, Outcome::Draw, Outcome::Loss].iter().position(|kind| *kind == expected.0);
        agreement.equal[kind.expect("one of three")] += 1;
    }
    agreement
}

/// The mode of a position: while men are placed, with the men in hand of the first player and of the second.
pub(crate) fn mode_of(place: &Place) -> String {
    let side = if place.is_first { "x" } else { "o" };
    if place.hands == (0, 0) { side.to_owned() } else { format!("{side}-{}-{}", place.hands.0, place.hands.1) }
}

/// The labels of all boards of `game`, with plies.
fn labels_of(game: &dyn Game) -> Solution {
    let group = Group::of_rules(game.rules(), &[]).expect("symmetries");
    let options = Options { labels: LabelSet::BEST_PLAY, ..Options::of(Solver::Regions { symmetry: &group }) };
    solve(game.rules(), &options).expect("a game with regions")
}

/// Every reachable position of Three Men's Morris.
#[test]
fn labels_of_three_mens_morris() {
    let (solved, game) = (three_mens_morris(), game("three-mens-morris", ""));
    let solution = labels_of(&game);
    let positions = from_the_start(&solved, 3);
    let agreement = compare(&game, &|at| solution.value(at), positions);
    assert_eq!(agreement, Agreement { equal: [2_997, 1_208, 1_185], unlabelled: 0 });
}

/// Every position of Six Men's Morris with three men of each player, reachable or not.
#[test]
fn labels_of_six_mens_morris() {
    let game = game("six-mens-morris", "men=3");
    let solution = labels_of(&game);
    let label = |at| solution.value(at);
    let found = compare(&game, &label, from_the_start(&SMALL, 3));
    assert_eq!(found, Agreement { equal: [166_220, 142_581, 59_712], unlabelled: 0 });
    let found = compare(&game, &label, while_placing(&SMALL, 3));
    assert_eq!((found.equal.iter().sum::<u64>(), found.unlabelled), (55_913 + 8 * 78, 0));
}

/// Four to six men of each player, and three men of each on the board of Nine Men's Morris, without jumps.
#[test]
#[ignore = "ten minutes"]
fn labels_of_more_points_and_men() {
    let nine = Solved::new(MillRules::new(THREE_SQUARES, Line::Takes, false), (3, 3));
    let six = six_mens_morris((6, 6));
    for (solved, set, men, from_start) in [
        (&nine, "rings=3 men=3", 3, 5_798_245),
        (&six, "men=4", 4, 4_111_151),
        (&six, "men=5", 5, 17_844_721),
        (&six, "men=6", 6, 42_372_745),
    ] {
        let game = game("six-mens-morris", set);
        let solution = labels_of(&game);
        let label = |at| solution.value(at);
        let found = compare(&game, &label, from_the_start(solved, men));
        assert_eq!((found.equal.iter().sum::<u64>(), found.unlabelled), (from_start, 0), "{set}");
        let within = |&((board, _), ..): &Valued| board.men(b'X').max(board.men(b'O')) <= men;
        let found = compare(&game, &label, after_placing(solved).filter(within));
        assert_eq!(found.unlabelled, 0, "{set}");
    }
}
