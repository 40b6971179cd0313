//! `transcript`: the moves from the start, one after the other, as in `f5d6c3`.

use super::Found;
use super::walk::{PASS, Walk, moves_to};
use crate::Game;
use crate::rules::Node;

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    let folded = text.to_lowercase();
    let mut rest = folded.trim_start_matches(is_between);
    let mut walk = Walk::begin(game);
    while !rest.is_empty() {
        match longest(game, &walk, rest) {
            Some((number, length)) => {
                walk.choose(number);
                rest = rest[length..].trim_start_matches(is_between);
            }
            None if walk.pass() => {}
            None if walk.plies() == 0 && !is_of_squares(&folded) => return None,
            None => {
                let found: String = rest.chars().take(4).collect();
                return Some(Err(walk.fault(&found).after(folded.len() - rest.len())));
            }
        }
    }
    (walk.plies() > 0).then(|| Ok(walk.reading()))
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// Whether `text` consists of names of squares alone, as no position does.
fn is_of_squares(text: &str) -> bool {
    let mut before = None;
    let mut follows = |c: char| {
        let fits = c.is_ascii_lowercase() && before.is_none_or(|it: char| it.is_ascii_digit())
            || c.is_ascii_digit() && before.is_some();
        before = Some(c);
        fits
    };
    text.chars().filter(|&c| !is_between(c)).all(&mut follows) && text.ends_with(|c: char| c.is_ascii_digit())
}

/// The number of the move with the longest name that `text` begins with, and the length of the name.
fn longest(game: &dyn Game, walk: &Walk<'_>, text: &str) -> Option<(usize, usize)> {
    let names = walk.choices().iter().enumerate().flat_map(|(number, (_, name))| {
        let all = game.other_names(name).into_iter().chain([name.clone()]);
        all.map(move |name| (number, name.to_lowercase()))
    });
    let fits = names.filter(|(_, name)| !name.is_empty() && text.starts_with(name));
    fits.map(|(number, name)| (number, name.len())).max_by_key(|&(_, length)| length)
}

/// Passes are left out, except at the end: within a line, they are forced.
pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let moves = moves_to(game, node)?;
    let last = moves.iter().rposition(|text| text != PASS).unwrap_or(0);
    let shown = moves.iter().enumerate().filter(|(at, text)| *at > last || *text != PASS);
    Some(shown.map(|(_, text)| text.as_str()).collect())
}
