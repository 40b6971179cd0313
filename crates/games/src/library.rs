//! The rules files in `games/`, which are part of the library and have names.

use super::{FileGame, Game, GameError, Parameters, RulesFileError};

/// A rules file of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryGame {
    /// The name of the game: the name of the file without its extension.
    pub name: &'static str,
    /// Other names that people type for the game. No game has these names, but an error suggests this game for them.
    pub aliases: &'static [&'static str],
    /// The text of the file.
    pub text: &'static str,
    /// Usual sizes beside the defaults, each quick to solve. Each is a parameter list such as `rows=3,cols=4`.
    pub variants: &'static [&'static str],
}

impl LibraryGame {
    /// The game, with the parameters in `set` instead of the file's defaults.
    ///
    /// # Errors
    /// If the file lacks one of the parameters, or a parameter cannot have its value.
    pub fn read(&self, set: &Parameters) -> Result<FileGame, RulesFileError> {
        FileGame::read(self.text, set)
    }

    /// The title of the game, without its parameters.
    #[must_use]
    pub fn title(&self) -> String {
        self.read(&Parameters::new()).map_or_else(|_| self.name.to_owned(), |game| game.base_title().to_owned())
    }

    /// A summary of the game in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        self.read(&Parameters::new()).map(|game| game.summary().to_owned()).unwrap_or_default()
    }
}

macro_rules! library {
    ($($name:literal: [$($variant:literal),*] $(aka [$($alias:literal),*])?),* $(,)?) => {
        /// Every rules file of the library, by name.
        pub static LIBRARY: &[LibraryGame] = &[$(LibraryGame {
            name: $name,
            aliases: &[$($($alias),*)?],
            text: include_str!(concat!("../../../games/", $name, ".toml")),
            variants: &[$($variant),*],
        }),*];
    };
}

library![
    "achi": ["play=misere"],
    "amazons": ["rows=3,cols=4"],
    "breakthrough": ["rows=5,cols=3"],
    "cannibal-clobber": ["rows=3,cols=4"],
    "capture-go": ["rows=2,cols=4", "rows=3,cols=4"] aka ["atari-go", "ponnuki-go", "first-capture-go"],
    "chomp": ["rows=2,cols=5", "rows=4,cols=5"],
    "clobber": ["rows=4,cols=4"],
    "col": ["rows=3,cols=4", "rows=4,cols=4"],
    "connect-four": ["rows=4,cols=5", "rows=5,cols=4"] aka ["connect4", "four-in-a-row"],
    "cram": ["rows=4,cols=5", "rows=5,cols=5"],
    "cube": ["rows=3", "rows=2,cols=2,line=2"] aka ["qubic", "3d-tic-tac-toe", "tic-tac-toe-3d", "3x3x3", "4x4x4"],
    "dawsons-chess": ["files=20"],
    "dawsons-kayles": ["pins=20"],
    "dodgem": ["play=normal"],
    "domineering": ["rows=4,cols=5", "rows=5,cols=5"] aka ["crosscram"],
    "dots-and-boxes": ["rows=1,cols=3", "rows=2,cols=3"] aka ["boxes"],
    "elephants-and-rhinos": ["elephants=3,gap=6,rhinos=3"],
    "fission": ["rows=5,cols=5"],
    "fox-and-hounds": ["size=8"],
    "hackenbush": ["play=misere"],
    "hare-and-hounds": [],
    "hex": ["rows=3,cols=4"],
    "hexapawn": ["rows=4,cols=4", "rows=5,cols=4"],
    "isolation": ["rows=3,cols=4"] aka ["isola"],
    "kayles": ["pins=9", "pins=20"],
    "kings": ["rows=5,cols=5"] aka ["obstruction"],
    "knights": ["rows=5,cols=5"],
    "konane": ["rows=4,cols=4"],
    "l-game": [],
    "mu-torere": [],
    "nim": ["a=1,b=2,c=3", "a=1,b=3,c=5,d=7"],
    "nimstring": ["rows=2,cols=3"],
    "nine-holes": [],
    "node-kayles": ["rows=5,cols=5"],
    "nogo": ["rows=2,cols=4", "rows=3,cols=4"] aka ["anti-atari-go"],
    "northcott": ["cols=4", "cols=6"],
    "notakto": ["rows=3,cols=4", "rows=4,cols=4"],
    "octal": ["code=770000", "code=70000,coins=20", "code=333000,coins=20"],
    "peg-duotaire": ["holes=16"],
    "petersen-kayles": [],
    "picaria": [],
    "pong-hau-ki": [],
    "pop-out": ["rows=4,cols=4,line=4"] aka ["connect-four-pop-out"],
    "queens": ["rows=5,cols=5"],
    "quixo": ["size=2"],
    "reversi": ["rows=3,cols=4", "rows=3,cols=5"] aka ["othello"],
    "shisima": [],
    "silver-dollar": ["squares=9"],
    "sim": [],
    "six-mens-morris": ["men=4"] aka ["mill", "mills", "merels"],
    "slimetrail": ["rows=3,cols=4", "rows=4,cols=5"] aka ["rastros"],
    "snort": ["rows=3,cols=4", "rows=4,cols=4"],
    "subtraction": ["a=1,b=2,c=3,beans=20", "a=2,b=3,c=5,beans=20"] aka ["take-away", "bachet"],
    "teeko": ["rows=4,cols=4", "rows=4,cols=4,men=4"],
    "three-mens-morris": ["play=misere"] aka ["tapatan"],
    "tippy": ["rows=3,cols=4"],
    "toads-and-frogs": ["toads=2,gap=1,frogs=2", "toads=4,gap=3,frogs=4"],
    "toppling-dominoes": ["dominoes=12"],
    "treblecross": ["squares=9", "squares=20"],
    "triangles": [],
    "trominoes": ["rows=4,cols=5", "rows=5,cols=5"],
    "turning-turtles": ["coins=8"],
    "welter": ["squares=9", "squares=12,coins=5"],
    "wild-tic-tac-toe": ["play=misere"],
    "wythoff": ["rows=5,cols=8", "rows=8,cols=8", "rows=11,cols=11"] aka ["corner-the-queen"],
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

#[cfg(test)]
mod tests {
    use super::super::FAMILIES;
    use super::*;

    #[test]
    fn usual_sizes_are_sizes_of_their_games() {
        for game in LIBRARY {
            let default = game.read(&Parameters::new()).unwrap().rules().name().to_owned();
            for &variant in game.variants {
                let made = game.read(&Parameters::listed(variant).unwrap());
                let made = made.unwrap_or_else(|error| panic!("{} {variant}: {error}", game.name));
                assert_ne!(made.rules().name(), default, "{variant}");
            }
        }
        for family in FAMILIES {
            for &variant in family.variants {
                let made = family.make(&Parameters::listed(variant).unwrap());
                assert!(made.is_ok_and(|made| made.rules().name() != family.name), "{} {variant}", family.name);
            }
        }
    }
}
