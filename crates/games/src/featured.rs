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

/// The place of the game called `name` among the games with which a list should begin; `None` for any other game.
#[must_use]
pub fn featured(name: &str) -> Option<usize> {
    FEATURED.iter().position(|featured| *featured == name)
}

#[cfg(test)]
mod tests {
    use super::super::{FAMILIES, LIBRARY};
    use super::*;

    #[test]
    fn featured_games_exist() {
        let names = || FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name));
        assert!(FEATURED.iter().all(|featured| names().any(|name| name == *featured)));
    }
}
