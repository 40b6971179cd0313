//! Games by other words than their own name: a title, another name, or the name that their rules have.

use std::sync::LazyLock;

use super::unknown::{ALSO, plain};
use super::{FAMILIES, LIBRARY, Parameters, bundled, family};

/// The titles and other names of all games without blanks, hyphens and capitals, each with the name of the game.
static WORDS: LazyLock<Vec<(String, &'static str)>> = LazyLock::new(|| {
    let families =
        FAMILIES.iter().flat_map(|family| [(family.name, plain(family.name)), (family.name, plain(family.title))]);
    let library =
        LIBRARY.iter().flat_map(|game| [(game.name, plain(game.name)), (game.name, plain(&game.head().title))]);
    let also = ALSO.iter().map(|(also, game)| (*game, plain(also)));
    families.chain(library).chain(also).map(|(game, words)| (words, game)).collect()
});

/// The only game with this title or other name, whatever its blanks, hyphens and capitals are; or the game whose rules have this name, with the
/// parameters in it, as in `connect-four-6x7-4`.
#[must_use]
pub fn called(name: &str) -> Option<(&'static str, Parameters)> {
    let typed = plain(name);
    let mut found = WORDS.iter().filter(|(words, _)| *words == typed && !typed.is_empty()).map(|(_, game)| *game);
    match found.next() {
        Some(game) => found.all(|other| other == game).then(|| (game, Parameters::new())),
        None => of_rules(name),
    }
}

/// The game whose rules have this name, with the parameters in it.
fn of_rules(name: &str) -> Option<(&'static str, Parameters)> {
    let families = FAMILIES.iter().map(|family| (family.name, family.rules_name.to_owned()));
    let library = LIBRARY.iter().filter(|game| name.starts_with(game.name)).map(|game| (game.name, game.head().name));
    families.chain(library).find_map(|(game, template)| {
        let set = values(&template, name)?;
        let made = match family(game) {
            Ok(family) => family.make(&set).ok()?,
            Err(_) => bundled(game, &set)?.ok()?,
        };
        (made.rules().name() == name).then_some((game, set))
    })
}

/// The values in `name` of the parameters that stand in braces in `template`. A value ends before the text that follows it.
fn values(template: &str, name: &str) -> Option<Parameters> {
    let (mut values, mut name) = (Parameters::new(), name);
    let mut parts = template.split('{');
    name = name.strip_prefix(parts.next()?)?;
    for part in parts {
        let (parameter, after) = part.split_once('}')?;
        let end = if after.is_empty() { name.len() } else { name.find(after)? };
        values.set(parameter, &name[..end]);
        name = &name[end + after.len()..];
    }
    name.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn games_are_called_by_titles_and_other_names() {
        for (name, game) in [
            ("connect4", "connect-four"),
            ("connectfour", "connect-four"),
            ("Connect Four", "connect-four"),
            ("CONNECT-FOUR", "connect-four"),
            ("Othello", "reversi"),
            ("tic-tac-toe", "tictactoe"),
            ("M\u{fc}hle", "nine-mens-morris"),
        ] {
            assert_eq!(called(name), Some((game, Parameters::new())), "{name}");
        }
        for name in ["", "-", "chess", "conect4", "four", "connect-four-6x7", "connect-four-6x7-4-4"] {
            assert_eq!(called(name), None, "{name:?}");
        }
    }

    /// No two games share a title or another name, so each of them names its game.
    #[test]
    fn every_title_names_its_game() {
        for (words, game) in WORDS.iter() {
            assert_eq!(called(words).map(|(game, _)| game), Some(*game), "{words}");
        }
    }

    #[test]
    fn names_of_rules_have_their_parameters() {
        let mut made: Vec<Box<dyn Game>> = Vec::new();
        let sets = |variants: &[&str]| -> Vec<Parameters> {
            let listed = variants.iter().map(|set| Parameters::listed(set).unwrap());
            [Parameters::new()].into_iter().chain(listed).collect()
        };
        for family in FAMILIES.iter().filter(|family| !family.rules_name.is_empty()) {
            made.extend(sets(family.variants).iter().map(|set| family.make(set).unwrap()));
        }
        for game in LIBRARY {
            made.extend(sets(game.variants).iter().map(|set| bundled(game.name, set).unwrap().unwrap()));
        }
        for game in &made {
            let name = game.rules().name();
            let Some((found, set)) = called(name) else { panic!("{name}") };
            let again = bundled(found, &set).unwrap_or_else(|| family(found).unwrap().make(&set)).unwrap();
            assert_eq!(again.rules(), game.rules(), "{name}");
        }
        let (game, set) = called("connect-four-6x7-4").unwrap();
        assert_eq!((game, set), ("connect-four", Parameters::listed("rows=6,cols=7,line=4").unwrap()));
    }
}
