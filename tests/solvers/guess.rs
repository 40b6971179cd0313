//! Guesses at the best move: far better than random play, and the better the longer they take.

use tablegen::game::{FileGame, Game, LIBRARY, Parameters};
use tablegen::rules::{Outcome, Position, Rules};
use tablegen::search::{Guess, Strength};

fn game(name: &str, parameters: &[(&str, &str)]) -> FileGame {
    let game = LIBRARY.iter().find(|game| game.name == name).expect("a game of the library");
    let parameters = parameters.iter().fold(Parameters::new(), |all, &(key, value)| all.with(key, value));
    game.read(&parameters).expect("a game of the library")
}

/// The result of a game between two numbers of tries, for the one who moves first. No move that `rules` has lets a player move twice.
fn result(rules: &Rules, tries: [u64; 2], seed: u64) -> Outcome {
    let mut guess = Guess::new(rules);
    let mut position: Position = rules.start_positions()[0];
    for ply in 0.. {
        let mover = ply % 2;
        let strength = Strength { tries: tries[mover], seed: seed * 1000 + ply as u64 };
        let Some(next) = guess.best(position.into(), 0, strength, None, &mut |_| true) else {
            let outcome = rules.ended(position).unwrap_or_else(|| rules.terminal_in(position.mode).on(position.board));
            return if mover == 0 { outcome } else { outcome.flip() };
        };
        position = next;
    }
    unreachable!("play ends")
}

/// The wins of `tries[0]` in `games` games, in which the players begin in turn.
fn wins(rules: &Rules, tries: [u64; 2], games: u64) -> u64 {
    let is_won = |seed: &u64| match seed % 2 {
        0 => result(rules, tries, *seed) == Outcome::Win,
        _ => result(rules, [tries[1], tries[0]], *seed) == Outcome::Loss,
    };
    (0..games).filter(is_won).count() as u64
}

const SEVEN_BY_SIX: &[(&str, &str)] = &[("rows", "6"), ("cols", "7")];

#[test]
fn few_tries_beat_random_play() {
    for (name, parameters) in [("connect-four", SEVEN_BY_SIX), ("hex", &[("rows", "4"), ("cols", "4")])] {
        let game = game(name, parameters);
        let won = wins(game.rules(), [40, 0], 12);
        assert!(won >= 10, "{name}: {won}");
    }
}

#[test]
#[ignore = "minutes in a debug build"]
fn hundred_games() {
    let six: &[(&str, &str)] = &[("rows", "6"), ("cols", "6")];
    for (name, parameters) in
        [("connect-four", SEVEN_BY_SIX), ("reversi", six), ("hex", &[("rows", "4"), ("cols", "4")])]
    {
        let game = game(name, parameters);
        let against = |tries| wins(game.rules(), tries, 100);
        let (random, weaker) = (against([100, 0]), against([400, 40]));
        println!("{name}: {random} of 100 against random play, {weaker} of 100 with 400 tries against 40");
        assert!(random >= 90 && weaker >= 60, "{name}: {random} {weaker}");
    }
}
