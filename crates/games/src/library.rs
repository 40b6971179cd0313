//! The rules files in `games/`, which are part of the library and have names.

use super::{FileGame, FileHead, Game, GameError, Kind, Parameters, RulesFileError};

/// A rules file of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryGame {
    /// The name of the game: the name of the file without its extension.
    pub name: &'static str,
    /// The kind of the game.
    pub kind: Kind,
    /// The text of the file.
    pub text: &'static str,
    /// Usual sizes beside the defaults, each quick to solve. Each is a parameter list such as `rows=3,cols=4`.
    pub variants: &'static [&'static str],
    /// Sizes that everybody knows and that are too large to be solved in a moment, as in [`variants`](Self::variants). A search answers near
    /// the end.
    pub large: &'static [&'static str],
}

impl LibraryGame {
    /// The game, with the parameters in `set` instead of the file's defaults.
    ///
    /// # Errors
    /// If the file lacks one of the parameters, or a parameter cannot have its value.
    pub fn read(&self, set: &Parameters) -> Result<FileGame, RulesFileError> {
        FileGame::read(self.text, set)
    }

    /// What lists of games show of the file. It is read much faster than the whole game.
    ///
    /// # Panics
    /// Never: a test reads the head of every file of the library.
    #[must_use]
    pub fn head(&self) -> FileHead {
        FileHead::read(self.text).expect("the files of the library can be read")
    }
}

macro_rules! library {
    ($($name:literal: $kind:ident [$($variant:literal),*] $(large [$($large:literal),*])?),* $(,)?) => {
        /// Every rules file of the library, by name.
        pub static LIBRARY: &[LibraryGame] = &[$(LibraryGame {
            name: $name,
            kind: Kind::$kind,
            text: include_str!(concat!("../../../games/", $name, ".toml")),
            variants: &[$($variant),*],
            large: &[$($($large),*)?],
        }),*];
    };
}

library![
    "achi": Move ["play=misere"],
    "amazons": Move ["rows=3,cols=4"],
    "breakthrough": Move ["rows=5,cols=3"] large ["rows=8,cols=8,ranks=2"],
    "cannibal-clobber": Move ["rows=3,cols=4"],
    "capture-go": Place ["rows=2,cols=4", "rows=3,cols=4"],
    "chomp": Fill ["rows=2,cols=5", "rows=4,cols=5"],
    "clobber": Move ["rows=4,cols=4"] large ["rows=5,cols=6"],
    "col": Place ["rows=3,cols=4", "rows=4,cols=4"],
    "connect-four": Place ["rows=4,cols=5", "rows=5,cols=4"] large ["rows=6,cols=7"],
    "cram": Fill ["rows=4,cols=5", "rows=5,cols=5"],
    "cube": Place ["rows=3", "rows=2,cols=2,line=2"] large ["rows=3,layers=3", "rows=4,cols=4,layers=4,line=4"],
    "dao": Move [],
    "dawsons-chess": Fill ["files=20"],
    "dawsons-kayles": Fill ["pins=20"],
    "dodgem": Move ["play=normal"],
    "domineering": Place ["rows=4,cols=5", "rows=5,cols=5"] large ["rows=8,cols=8"],
    "dots-and-boxes": Lines ["rows=1,cols=3", "rows=2,cols=3"] large ["rows=3,cols=3", "rows=5,cols=5"],
    "elephants-and-rhinos": Move ["elephants=3,gap=6,rhinos=3"],
    "fission": Move ["rows=5,cols=5"],
    "fox-and-hounds": Move ["size=8"],
    "gomoku": Place ["rows=2,cols=5", "rows=3,cols=3"],
    "hackenbush": Lines ["play=misere"],
    "hare-and-hounds": Move [],
    "hex": Place ["rows=3,cols=4"] large ["rows=5,cols=5"],
    "hexapawn": Move ["rows=4,cols=4", "rows=5,cols=4"],
    "isolation": Move ["rows=3,cols=4"] large ["rows=8,cols=6"],
    "kayles": Fill ["pins=9", "pins=20"],
    "kings": Fill ["rows=5,cols=5"],
    "knights": Fill ["rows=5,cols=5"],
    "konane": Move ["rows=4,cols=4"] large ["rows=6,cols=6", "rows=8,cols=8"],
    "l-game": Move [],
    "lasker-morris": Move ["men=3"],
    "morabaraba": Move ["men=3"],
    "mu-torere": Move [],
    "nim": Fill ["a=1,b=2,c=3", "a=1,b=3,c=5,d=7"],
    "nimstring": Lines ["rows=2,cols=3"],
    "nine-holes": Move [],
    "nine-mens-morris": Move ["men=3", "men=4"],
    "node-kayles": Fill ["rows=5,cols=5"],
    "nogo": Place ["rows=2,cols=4", "rows=3,cols=4"],
    "northcott": Move ["cols=4", "cols=6"],
    "notakto": Fill ["rows=3,cols=4", "rows=4,cols=4"],
    "octal": Fill ["code=770000", "code=70000,coins=20", "code=333000,coins=20"],
    "peg-duotaire": Move ["holes=16"],
    "petersen-kayles": Fill [],
    "picaria": Move [],
    "pong-hau-ki": Move [],
    "pop-out": Move ["rows=4,cols=4,line=4"] large ["rows=6,cols=7,line=4"],
    "queens": Fill ["rows=5,cols=5"] large ["rows=8,cols=8"],
    "quixo": Move ["size=2"] large ["size=5"],
    "reversi": Move ["rows=3,cols=4", "rows=3,cols=5"] large ["rows=6,cols=6", "rows=8,cols=8"],
    "score-lines": Place ["line=2", "rows=2,cols=4"],
    "shisima": Move [],
    "silver-dollar": Move ["squares=9"],
    "sim": Lines [],
    "six-mens-morris": Move ["men=4"] large ["men=6"],
    "ski-jumps": Move ["rows=3"],
    "slimetrail": Place ["rows=3,cols=4", "rows=4,cols=5"],
    "snort": Place ["rows=3,cols=4", "rows=4,cols=4"],
    "squava": Place ["rows=3,cols=3"] large ["rows=5,cols=5"],
    "subtraction": Fill ["a=1,b=2,c=3,beans=20", "a=2,b=3,c=5,beans=20"],
    "teeko": Move ["rows=4,cols=4", "rows=4,cols=4,men=4"] large ["rows=5,cols=5,men=4"],
    "three-mens-morris": Move ["play=misere"],
    "tippy": Place ["rows=3,cols=4"],
    "toads-and-frogs": Move ["toads=2,gap=1,frogs=2", "toads=4,gap=3,frogs=4"],
    "toppling-dominoes": Place ["dominoes=12"],
    "treblecross": Fill ["squares=9", "squares=20"],
    "triangles": Lines [],
    "triangulation": Lines [],
    "trominoes": Fill ["rows=4,cols=5", "rows=5,cols=5"],
    "tsoro-yematatu": Move [],
    "turning-turtles": Move ["coins=8"],
    "welter": Move ["squares=9", "squares=12,coins=5"],
    "wild-tic-tac-toe": Place ["play=misere"],
    "wythoff": Move ["rows=5,cols=8", "rows=8,cols=8", "rows=11,cols=11"],
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
    fn heads_and_kinds_are_those_of_the_whole_games() {
        for library in LIBRARY {
            let game = library.read(&Parameters::new()).unwrap();
            let head = library.head();
            assert_eq!(
                (&*head.title, &*head.summary, &head.parameters[..], library.kind),
                (game.base_title(), game.summary(), game.parameters(), Kind::of(&game)),
                "{}",
                library.name
            );
        }
        for family in FAMILIES {
            let game = family.make(&family.samples()).unwrap();
            assert_eq!(family.kind, Kind::of(game.as_ref()), "{}", family.name);
        }
    }

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
