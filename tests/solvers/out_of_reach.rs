//! Proofs that play does not reach a position never concern a position that play reaches.

use fastrand::Rng;
use tablegen::game::{FAMILIES, LIBRARY, Parameters};
use tablegen::rules::Rules;

/// Random play from each start.
const PLAYOUTS: usize = 20;
/// Positions repeat in some games.
const MOST_MOVES: usize = 300;

/// The number of positions of random play that `rules` say play does not reach.
fn denied(rules: &Rules) -> usize {
    let mut draw = Rng::with_seed(9);
    let mut denied = 0;
    for start in rules.start_positions().into_iter().take(PLAYOUTS) {
        for _ in 0..PLAYOUTS {
            let mut position = start;
            for _ in 0..MOST_MOVES {
                denied += usize::from(rules.cannot_reach(position));
                let next: Vec<_> = rules.successors(position).collect();
                let Some(&chosen) = draw.choice(&next) else { break };
                position = chosen;
            }
        }
    }
    denied
}

#[test]
fn random_play_of_every_game_stays_within_reach() {
    for game in LIBRARY {
        let read = game.read(&Parameters::new()).expect("a game of the library");
        assert_eq!(denied(tablegen::game::Game::rules(&read)), 0, "{}", game.name);
    }
    for family in FAMILIES {
        let game = family.make(&family.samples()).expect("a built-in game");
        assert_eq!(denied(game.rules()), 0, "{}", family.name);
    }
}
