//! Search in lists of games.

use super::unknown::{ABSENT, plain};
use super::{AbsentGame, Family, LibraryGame};

/// Returns whether each word of `words` is part of one of `texts`. Only letters and digits count, in either case.
fn is_found<'a>(words: &str, texts: impl IntoIterator<Item = &'a str>) -> bool {
    let texts: Vec<String> = texts.into_iter().map(plain).collect();
    let mut words = words.split_whitespace().map(plain).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(|word| texts.iter().any(|text| text.contains(&word)))
}

impl Family {
    /// Returns whether `words` describe the game: its name, its title, another name or its kind.
    #[must_use]
    pub fn is_found(&self, words: &str) -> bool {
        is_found(words, [self.name, self.title, self.kind.name()].into_iter().chain(self.also.iter().copied()))
    }
}

impl LibraryGame {
    /// Returns whether `words` describe the game: its name, its title, another name or its kind.
    #[must_use]
    pub fn is_found(&self, words: &str) -> bool {
        let head = self.head();
        is_found(
            words,
            [self.name, &head.title, self.kind.name()].into_iter().chain(head.also.iter().map(String::as_str)),
        )
    }
}

/// The well-known games that tablegen does not have and that `words` name.
#[must_use]
pub fn absent_found(words: &str) -> Vec<&'static AbsentGame> {
    /// A beginning of a name must have as many letters.
    const LEAST: usize = 4;
    let typed = plain(words);
    let is_meant = |name: &str| name == typed || (typed.len() >= LEAST && name.starts_with(&typed));
    ABSENT.iter().filter(|game| game.names.iter().any(|name| is_meant(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{FAMILIES, LIBRARY};
    use super::*;

    fn found(words: &str) -> Vec<&'static str> {
        let families = FAMILIES.iter().filter(|family| family.is_found(words)).map(|family| family.name);
        families.chain(LIBRARY.iter().filter(|game| game.is_found(words)).map(|game| game.name)).collect()
    }

    #[test]
    fn games_are_found_by_other_names() {
        for (words, game) in [
            ("othello", "reversi"),
            ("Mancala", "kalah"),
            ("four in a row", "connect-four"),
            ("connect 4", "connect-four"),
            ("noughts and crosses", "tictactoe"),
            ("mill", "nine-mens-morris"),
            ("mill", "six-mens-morris"),
            ("M\u{fc}hle", "nine-mens-morris"),
            ("dots", "dots-and-boxes"),
            ("puissance 4", "connect-four"),
            ("3x3", "tictactoe"),
            ("battle of numbers", "subtraction"),
            ("men\u{2019}s morris", "three-mens-morris"),
            ("lines", "sim"),
        ] {
            assert!(found(words).contains(&game), "{words}: {:?}", found(words));
        }
        assert_eq!(found("othello"), ["reversi"]);
        assert!(found("quux").is_empty() && found("").is_empty() && found("-").is_empty());
    }

    #[test]
    fn absent_games_are_found_by_their_names() {
        for (words, name) in [("Draughts", "checkers"), ("checker", "checkers"), ("chess", "chess"), ("go", "go")] {
            assert!(absent_found(words).iter().any(|game| game.names.contains(&name)), "{words}");
        }
        assert!(absent_found("").is_empty() && absent_found("che").is_empty());
    }

    #[test]
    fn every_game_has_its_rules_in_words() {
        for family in FAMILIES {
            assert!(family.rules.chars().count() > 100, "{}", family.name);
        }
        for game in LIBRARY {
            let (head, whole) = (game.head(), game.read(&crate::Parameters::new()).unwrap());
            assert!(head.rules.chars().count() > 100, "{}", game.name);
            assert_eq!((&*head.rules, &head.also[..]), (whole.rules_in_words(), whole.also()), "{}", game.name);
            assert!(head.rules.ends_with('.') && !head.rules.contains("  "), "{}", game.name);
        }
    }
}
