//! Games to begin with.

/// Games that most people know or learn at once, the best known first.
const FEATURED: [&str; 12] = [
    "connect-four",
    "tictactoe",
    "reversi",
    "dots-and-boxes",
    "nine-mens-morris",
    "kalah",
    "hex",
    "nim",
    "three-mens-morris",
    "fox-and-hounds",
    "hare-and-hounds",
    "domineering",
];

/// Sizes that everybody knows and that are too large to be solved in a moment, as parameter lists. A search answers near the end.
const WELL_KNOWN: [(&str, &[&str]); 6] = [
    ("connect-four", &["rows=6,cols=7"]),
    ("cube", &["rows=3,layers=3", "rows=4,cols=4,layers=4,line=4"]),
    ("dots-and-boxes", &["rows=3,cols=3"]),
    ("hex", &["rows=5,cols=5"]),
    ("mnk", &["rows=6,cols=6,k=5"]),
    ("reversi", &["rows=6,cols=6", "rows=8,cols=8"]),
];

/// Well-known sizes of the game called `name` that are too large to be solved in a moment, as parameter lists.
#[must_use]
pub fn well_known_sizes(name: &str) -> &'static [&'static str] {
    WELL_KNOWN.iter().find(|(known, _)| *known == name).map_or(&[], |(_, sizes)| sizes)
}

/// The place of the game called `name` among the games with which a list should begin; `None` for any other game.
#[must_use]
pub fn featured(name: &str) -> Option<usize> {
    FEATURED.iter().position(|featured| *featured == name)
}

#[cfg(test)]
mod tests {
    use super::super::{FAMILIES, LIBRARY, Parameters, bundled, family};
    use super::*;

    #[test]
    fn featured_games_exist() {
        let names = || FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name));
        assert!(FEATURED.iter().all(|featured| names().any(|name| name == *featured)));
        for (name, sizes) in WELL_KNOWN {
            let set = sizes.iter().map(|size| Parameters::listed(size).unwrap());
            let made = |set: Parameters| match bundled(name, &set) {
                Some(game) => game.is_ok(),
                None => family(name).unwrap().make(&set).is_ok(),
            };
            assert!(set.into_iter().all(made), "{name}");
        }
    }
}
