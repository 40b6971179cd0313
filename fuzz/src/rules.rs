//! Rules files: every text is refused or defines a game whose positions read back.

use super::walk;
use tablegen::game::{FileGame, Game, Parameters, of_table};

/// Most moves of a game that is played: drawings and texts of larger games take long.
const MOST_MOVES: usize = 1 << 12;

pub fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let game = match FileGame::read(text, &Parameters::new()) {
        Ok(game) => game,
        Err(error) => {
            // Front ends print an error as one line.
            assert!(!error.to_string().contains('\n'), "{error}");
            return;
        }
    };
    if game.rules().moves().len() > MOST_MOVES {
        return;
    }
    let _ = (game.report(), game.scene(), game.labels());
    let again = of_table(game.rules(), &game.descriptor());
    assert_eq!((again.rules(), again.descriptor()), (game.rules(), game.descriptor()));
    let seed = data.iter().fold(0, |seed: u64, &byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    walk::play(&game, seed);
}
