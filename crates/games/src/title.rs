//! The titles of games, as people read them: `Dots and Boxes, 2×3`.

/// Words that a title has in small letters, unless it begins with them.
const SMALL: [&str; 10] = ["a", "an", "and", "at", "for", "in", "of", "on", "or", "the"];

/// A title made from a name: `Dots and Boxes` for `dots-and-boxes-{rows}x{cols}`. Parameters in braces, and what follows
/// them, are left out.
pub(crate) fn of_name(name: &str) -> String {
    let plain = name.split('{').next().unwrap_or(name);
    let words = plain.split(['-', '_']).filter(|word| !word.is_empty()).enumerate();
    let written: Vec<String> = words
        .map(|(at, word)| {
            let mut letters = word.chars();
            match letters.next() {
                Some(first) if at == 0 || !SMALL.contains(&word) => first.to_uppercase().chain(letters).collect(),
                _ => word.to_owned(),
            }
        })
        .collect();
    if written.is_empty() { name.to_owned() } else { written.join(" ") }
}

/// A parameter of a game: its name, its value, and its default if it has one.
pub(crate) type Setting<'a> = (&'a str, &'a str, Option<&'a str>);

/// `title` with the values of `settings`: always the size of the board, and other parameters that differ from their
/// defaults. Values that are whole texts, such as word lists, are left out.
pub(crate) fn with_settings<'a>(title: &str, settings: impl IntoIterator<Item = Setting<'a>>) -> String {
    let mut left: Vec<Setting<'_>> = settings.into_iter().filter(|(_, value, _)| !value.contains('\n')).collect();
    let mut take = |name: &str| {
        let at = left.iter().position(|(known, ..)| *known == name)?;
        Some(left.remove(at).1)
    };
    let mut parts = vec![title.to_owned()];
    match (take("rows"), take("cols"), take("size")) {
        (Some(rows), Some(cols), _) => {
            let sides = [Some(rows), Some(cols), take("layers")];
            parts.push(sides.into_iter().flatten().collect::<Vec<_>>().join("\u{d7}"));
        }
        (.., Some(size)) => parts.push(format!("{size}\u{d7}{size}")),
        _ => {}
    }
    for (name, value, _) in left.into_iter().filter(|(_, value, default)| *default != Some(*value)) {
        parts.push(match (name, value) {
            ("play", "misere") => "mis\u{e8}re play".into(),
            ("play", value) => format!("{value} play"),
            (name, "true") => name.to_owned(),
            (name, value) => format!("{name} {value}"),
        });
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::{FAMILIES, LIBRARY, Parameters, library};
    use super::*;

    #[test]
    fn names_become_titles() {
        let titles = ["dots-and-boxes-{rows}x{cols}", "connect-four-4x4", "the-end", "-"].map(of_name);
        assert_eq!(titles, ["Dots and Boxes", "Connect Four 4x4", "The End", "-"]);
    }

    #[test]
    fn a_title_has_the_size_and_unusual_parameters() {
        let named = |name: &str, set: &str| {
            let set = if set.is_empty() { Parameters::new() } else { Parameters::listed(set).unwrap() };
            super::super::bundled(name, &set).unwrap().unwrap().title()
        };
        assert_eq!(named("hex", ""), "Hex, 3\u{d7}3");
        assert_eq!(named("three-mens-morris", ""), "Three Men\u{2019}s Morris");
        assert_eq!(named("domineering", "rows=2,cols=5,play=misere"), "Domineering, 2\u{d7}5, mis\u{e8}re play");
        assert_eq!(named("quixo", "size=2"), "Quixo, 2\u{d7}2");
        assert_eq!(named("cube", "layers=3"), "Tic-Tac-Toe in Space, 2\u{d7}3\u{d7}3");
        let mnk = super::super::family("mnk").unwrap().make(&Parameters::new().with("k", 2)).unwrap();
        assert_eq!(mnk.title(), "m,n,k-Game, 3\u{d7}3, k 2");
    }

    #[test]
    fn every_game_has_a_title_of_its_own() {
        let mut titles: Vec<String> = library().iter().map(|game| game.head().title).collect();
        titles.extend(FAMILIES.iter().map(|family| family.title.to_owned()));
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), LIBRARY.len() + FAMILIES.len());
        assert!(titles.iter().all(|title| title.chars().next().is_some_and(char::is_alphabetic)), "{titles:?}");
        // Every word and every part of one begins with a capital letter, except small words and lists of variables.
        for title in &titles {
            let words = title.split([' ', '-']).filter(|word| !SMALL.contains(word) && !word.contains(','));
            assert!(words.clone().all(|word| word.starts_with(char::is_uppercase)), "{title}");
        }
    }
}
