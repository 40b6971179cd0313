//! Explanations for an unknown name of a game: the game that the user probably means, or the reason why it is missing.

use super::{FAMILIES, LIBRARY, nearest};

/// Well-known games that tablegen cannot solve, in groups with the reason.
const ABSENT: &[(&[&str], &str)] = &[
    (&["chess"], "a square of a rules file has one of two colours, which cannot distinguish kinds of pieces"),
    (
        &["checkers", "draughts"],
        "a square of a rules file has one of two colours, which cannot distinguish men from kings",
    ),
    (
        &["go", "baduk", "weiqi"],
        "whether a move is allowed depends on earlier positions (ko), and a table holds only positions",
    ),
    (&["quarto"], "a board of a rules file has 128 cells, and 16 squares for pieces with four attributes need 144"),
    (
        &["awari", "oware"],
        "if positions repeat, each player takes the seeds on their side, and tablegen counts repetition as a draw",
    ),
];

/// The letters and digits of `name`, in lower case: `connect4` for `Connect-4`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The game of `known` that `name` probably means: the game with this alias, or with the nearest name or alias. `None`
/// if `name` is a game that is missing on purpose, or nothing is near.
#[must_use]
pub fn game_meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let families = FAMILIES.iter().map(|family| (family.name, family.aliases));
    let all = families.chain(LIBRARY.iter().map(|game| (game.name, game.aliases)));
    let aliases: Vec<(&str, &str)> = all
        .filter_map(|(game, aliases)| Some((known.iter().find(|&&known| known == game)?, aliases)))
        .flat_map(|(&game, aliases)| aliases.iter().map(move |&alias| (alias, game)))
        .collect();
    let typed = plain(name);
    if let Some(&(_, game)) = aliases.iter().find(|(alias, _)| plain(alias) == typed) {
        return Some(game);
    }
    if absent(&typed).is_some() {
        return None;
    }
    nearest(name, known).or_else(|| {
        let alias = nearest(name, aliases.iter().map(|&(alias, _)| alias))?;
        aliases.iter().find(|(known, _)| *known == alias).map(|&(_, game)| game)
    })
}

/// The reason why there is no game called `typed`, a plain name, if it is missing on purpose.
fn absent(typed: &str) -> Option<&'static str> {
    ABSENT.iter().find(|(names, _)| names.contains(&typed)).map(|(_, reason)| *reason)
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
            ("gomoku", "mnk"),
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
    fn aliases_are_unique_and_differ_from_names() {
        let aliases =
            FAMILIES.iter().flat_map(|family| family.aliases).chain(LIBRARY.iter().flat_map(|game| game.aliases));
        let absent = ABSENT.iter().flat_map(|(names, _)| *names);
        let names = FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name));
        let mut all: Vec<String> = aliases.chain(absent).copied().chain(names).map(plain).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
