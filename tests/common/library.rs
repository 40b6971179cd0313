//! Games of rules files, from the library and from texts.

use tablegen::engine;
use tablegen::game::{FileGame, Game, Parameters, library};

/// Any game with a name, with `set` written as in [`game`].
pub(crate) fn named(name: &str, set: &str) -> Box<dyn Game> {
    engine::game(name, &parameters(set)).unwrap_or_else(|e| panic!("{name} {set}: {e}"))
}

/// The game called `name` in the library, with `set` written as on a command line: `rows=5 play=misere`.
pub(crate) fn game(name: &str, set: &str) -> FileGame {
    let file = library().iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no {name} in games/"));
    read(file.text, set).unwrap_or_else(|e| panic!("games/{name}.toml: {e}"))
}

/// Reads `text` with the parameters in `set`; an error is a text.
pub(crate) fn read(text: &str, set: &str) -> Result<FileGame, String> {
    FileGame::read(text, &parameters(set)).map_err(|e| e.to_string())
}

fn parameters(set: &str) -> Parameters {
    let pairs = set.split_whitespace().map(|pair| pair.split_once('=').expect("KEY=VALUE"));
    pairs.fold(Parameters::new(), |set, (key, value)| set.with(key, value))
}
