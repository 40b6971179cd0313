//! The rules files in `games/`. They are part of the library and have names.

use super::{FileGame, Game, GameError, Parameters, RulesFileError};

/// A rules file of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryGame {
    /// Its name: that of the file, without the extension.
    pub name: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

impl LibraryGame {
    /// The game, with the parameters in `set` instead of the file's defaults.
    ///
    /// # Errors
    /// If the file has no such parameter, or the parameter cannot have the value.
    pub fn read(&self, set: &Parameters) -> Result<FileGame, RulesFileError> {
        FileGame::read(self.text, set)
    }

    /// What the game is, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        self.read(&Parameters::new()).map(|game| game.summary().to_owned()).unwrap_or_default()
    }
}

macro_rules! library {
    ($($name:literal),* $(,)?) => {
        /// Every rules file of the library, by name.
        pub static LIBRARY: &[LibraryGame] =
            &[$(LibraryGame { name: $name, text: include_str!(concat!("../../games/", $name, ".toml")) }),*];
    };
}

library![
    "achi",
    "amazons",
    "breakthrough",
    "chomp",
    "clobber",
    "col",
    "connect-four",
    "cram",
    "dawsons-chess",
    "dawsons-kayles",
    "dodgem",
    "domineering",
    "dots-and-boxes",
    "hare-and-hounds",
    "hex",
    "kayles",
    "kings",
    "konane",
    "nim",
    "node-kayles",
    "notakto",
    "peg-duotaire",
    "petersen-kayles",
    "quixo",
    "sim",
    "six-mens-morris",
    "snort",
    "three-mens-morris",
    "toads-and-frogs",
    "treblecross",
    "trominoes",
];

/// Every rules file of the library, by name.
#[must_use]
pub fn library() -> &'static [LibraryGame] {
    LIBRARY
}

/// The library's game called `name`, with the parameters in `set`; `None` if there is none.
#[must_use]
pub fn bundled(name: &str, set: &Parameters) -> Option<Result<Box<dyn Game>, GameError>> {
    let game = LIBRARY.iter().find(|game| game.name == name)?;
    Some(game.read(set).map(|game| Box::new(game) as Box<dyn Game>).map_err(GameError::from))
}
