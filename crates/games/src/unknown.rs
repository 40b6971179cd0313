//! Explanations for an unknown name of a game: the game that the user probably means, or the reason why it is missing.

use std::sync::LazyLock;

use super::{FAMILIES, LIBRARY, nearest};

/// A well-known game that tablegen does not have.
#[derive(Clone, Copy, Debug)]
pub struct AbsentGame {
    /// The names of the game, in lower case.
    pub names: &'static [&'static str],
    /// The reason, as a part of a sentence.
    pub reason: &'static str,
}

/// The well-known games that tablegen does not have.
pub static ABSENT: &[AbsentGame] = &[
    AbsentGame { names: &["chess"], reason: "a side has pieces of six kinds, and here it can have only one kind" },
    AbsentGame {
        names: &["checkers", "draughts"],
        reason: "a side has men and kings, and here it can have only one kind of piece",
    },
    AbsentGame {
        names: &["go", "baduk", "weiqi"],
        reason: "a move may depend on earlier boards (ko), and here only the board counts",
    },
    AbsentGame {
        names: &["quarto"],
        reason: "its pieces differ in four ways, which needs a larger board than there is here",
    },
    AbsentGame {
        names: &["awari", "oware"],
        reason: "the players share the seeds if a position comes again, and here such a game is a draw",
    },
];

/// The other names of every game, each with the name of the game.
pub(super) static ALSO: LazyLock<Vec<(String, &'static str)>> = LazyLock::new(|| {
    let families = FAMILIES.iter().flat_map(|family| family.also.iter().map(|&also| (also.to_owned(), family.name)));
    let library = LIBRARY.iter().flat_map(|game| game.head().also.into_iter().map(|also| (also, game.name)));
    families.chain(library).collect()
});

/// The letters and digits of `name`, in lower case: `connect4` for `Connect-4`.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The game of `known` that `name` probably means: the game with this other name, or with the nearest name. `None` if `name` is
/// a game that is missing on purpose, or nothing is near.
#[must_use]
pub fn game_meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let offered = |(also, game): &'static (String, &'static str)| {
        Some((also.as_str(), *known.iter().find(|known| *known == game)?))
    };
    let others: Vec<(&str, &str)> = ALSO.iter().filter_map(offered).collect();
    let typed = plain(name);
    if let Some(&(_, game)) = others.iter().find(|(also, _)| plain(also) == typed) {
        return Some(game);
    }
    if absent(&typed).is_some() {
        return None;
    }
    nearest(name, known.iter().copied()).or_else(|| {
        let also = nearest(name, others.iter().map(|&(also, _)| also))?;
        others.iter().find(|(known, _)| *known == also).map(|&(_, game)| game)
    })
}

/// The reason why there is no game called `typed`, a plain name, if it is missing on purpose.
fn absent(typed: &str) -> Option<&'static str> {
    ABSENT.iter().find(|game| game.names.contains(&typed)).map(|game| game.reason)
}

/// The text that an error appends to an unknown name: ` (did you mean NAME?)` with the [meant](game_meant) game, or the
/// reason why there is none after a colon, or nothing.
#[must_use]
pub fn about_unknown<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match (game_meant(name, known), absent(&plain(name))) {
        (Some(game), _) => format!(" (did you mean {game}?)"),
        (None, Some(reason)) => format!(": {reason}"),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text about `name` if all games are known.
    fn about(name: &str) -> String {
        about_unknown(name, FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name)))
    }

    #[test]
    fn names_that_people_type_lead_to_a_game() {
        for (name, game) in [
            ("connect4", "connect-four"),
            ("Connect-4", "connect-four"),
            ("conect4", "connect-four"),
            ("four in a row", "connect-four"),
            ("go-moko", "gomoku"),
            ("generalized tic tac toe", "mnk"),
            ("tic-tac-toe", "tictactoe"),
            ("noughts-and-crosses", "tictactoe"),
            ("nine-mans-morris", "nine-mens-morris"),
            ("dots", "dots-and-boxes"),
            ("tatcics", "tactics"),
            ("take-away", "subtraction"),
            ("corner the queen", "wythoff"),
            ("Mancala", "kalah"),
        ] {
            assert_eq!(about(name), format!(" (did you mean {game}?)"), "{name}");
        }
        assert_eq!(about_unknown("connect4", ["nim"]), "", "a game that is not offered is not suggested");
    }

    #[test]
    fn missing_games_have_a_reason() {
        for name in ["checkers", "draughts", "go", "chess", "oware", "Quarto"] {
            assert!(about(name).starts_with(": ") && about(name).len() < 140, "{name}");
        }
        assert_eq!((about("quux"), about("")), (String::new(), String::new()));
    }

    #[test]
    fn other_names_are_unique_and_differ_from_names() {
        let also = ALSO.iter().map(|(also, _)| also.as_str());
        let absent = ABSENT.iter().flat_map(|game| game.names.iter().copied());
        let names = FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name));
        let mut all: Vec<String> = also.chain(absent).chain(names).map(plain).collect();
        all.sort();
        let twice: Vec<_> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
