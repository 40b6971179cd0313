//! Finds the move that a text names.

use super::{Notation, columns};
use crate::Game;

/// A move with its texts.
#[derive(Clone, Copy, Debug)]
pub struct NamedMove<'a> {
    /// The text of the move.
    pub text: &'a str,
    /// The text of the position after the move.
    pub position: &'a str,
}

/// The beginnings of a move's text that name the move, if no other move begins so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    /// Every beginning.
    Any,
    /// A beginning that does not end within a word or a number.
    Whole,
}

/// The moves that a text names, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundMove {
    /// One move.
    One(usize),
    /// Several moves; these are the first two.
    Several(usize, usize),
    /// No move.
    None,
}

/// The move of `moves` that `typed` names: by its text, by the position after it, by another name ([`Game::other_names`]) or its column in a
/// game with that notation, by one of these without regard to case, or by the beginning of its text.
pub fn find_move(game: &dyn Game, moves: &[NamedMove<'_>], typed: &str, prefix: Prefix) -> FoundMove {
    let folded = typed.to_lowercase();
    // If a move's text is a whole position, it has no other names.
    let columns = game.notations().contains(&Notation::Columns);
    let others = |m: &NamedMove<'_>| match m.text == m.position {
        true => Vec::new(),
        false => {
            let column = columns.then(|| columns::written(m.text)).flatten();
            game.other_names(m.text).into_iter().chain(column).collect::<Vec<_>>()
        }
    };
    let begins = |text: &str| {
        let text = text.to_lowercase();
        let Some(rest) = text.strip_prefix(&folded) else { return false };
        prefix == Prefix::Any || !rest.starts_with(char::is_alphanumeric)
    };
    let is_meant: [&dyn Fn(&NamedMove<'_>) -> bool; 5] = [
        &|m| m.text == typed,
        &|m| m.position == typed,
        &|m| others(m).iter().any(|name| name == typed),
        &|m| m.text.to_lowercase() == folded || others(m).iter().any(|name| name.to_lowercase() == folded),
        &|m| !folded.is_empty() && begins(m.text),
    ];
    let last = is_meant.len() - 1;
    for (number, is_meant) in is_meant.into_iter().enumerate() {
        let mut found = (0..moves.len()).filter(|&at| is_meant(&moves[at]));
        match (found.next(), found.next()) {
            (Some(found), None) => return FoundMove::One(found),
            // A beginning of several moves names none.
            (Some(first), Some(second)) if number < last => return FoundMove::Several(first, second),
            _ => {}
        }
    }
    FoundMove::None
}
