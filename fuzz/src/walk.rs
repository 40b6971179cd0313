//! Random play, in which every position must read back from its own text.

use fastrand::Rng;
use tablegen::game::Game;
use tablegen::rules::Node;

/// The most plies of a game that are played.
const PLIES: usize = 24;

/// Panics unless the text of `node` reads back as `node`.
pub fn assert_read_back(game: &dyn Game, node: Node) {
    let text = game.write(node);
    match game.read(&text) {
        Ok(reading) => assert_eq!(reading.node, node, "{}: {text:?}", game.rules().name()),
        Err(error) => panic!("{}: {text:?}: {error}", game.rules().name()),
    }
    // Drawings have no other promise than that they exist.
    let _ = game.draw(node);
}

/// Plays moves at random from the start of `game`.
pub fn play(game: &dyn Game, seed: u64) {
    let (rules, mut rng) = (game.rules(), Rng::with_seed(seed));
    let mut node = rules.start_node();
    for _ in 0..PLIES {
        assert_read_back(game, node);
        let replies = rules.replies(node);
        let Some(&next) = rng.choice(&replies) else { break };
        let _ = (game.write_move(node, next), game.draw_move(node, next));
        node = next.into();
    }
    assert_read_back(game, node);
}
