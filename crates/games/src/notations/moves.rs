//! `moves`: the moves from the start, with blanks or commas between them, as in `d4 d5 e4`.

use super::Found;
use super::walk::{Walk, moves_to};
use crate::Game;
use crate::rules::Node;

/// The most words of the name of a move, as in `b2 to left`.
const MOST_WORDS: usize = 3;

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    read_with(game, text, |walk, words| {
        (1..=MOST_WORDS.min(words.len())).rev().find_map(|count| Some((walk.named(&words[..count].join(" "))?, count)))
    })
}

/// `word` without the number of a move before it, as in `1.`, `1.e4` and `1...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// Reads a line of words. `find` gives the number of the move with which the words begin, and the number of its words. Forced passes may
/// be left out.
pub(super) fn read_with(
    game: &dyn Game,
    text: &str,
    find: impl Fn(&Walk<'_>, &[&str]) -> Option<(usize, usize)>,
) -> Found {
    let words = text.split([' ', '\t', '\r', '\n', ',']).map(without_number);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // Words are parts of the text.
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let mut rest = &words[..];
    let mut walk = Walk::begin(game);
    while let Some(first) = rest.first() {
        match find(&walk, rest) {
            Some((number, count)) => {
                walk.choose(number);
                rest = &rest[count..];
            }
            None if walk.pass() => {}
            // Rows and pits that begin like a line of moves are a position with a mistake.
            None if text.contains(['/', ':']) => return None,
            // A line of squares is a line of moves, even if the first one is wrong.
            None if walk.plies() == 0 && !are_squares(game, &words) => return None,
            None => return Some(Err(walk.fault(first).after(place(first)))),
        }
    }
    (walk.plies() > 0).then(|| Ok(walk.reading()))
}

/// Returns whether each of `words` is the name of a square.
fn are_squares(game: &dyn Game, words: &[&str]) -> bool {
    let scene = game.scene();
    words.iter().all(|word| scene.places.iter().any(|place| place.name.eq_ignore_ascii_case(word)))
}

pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let moves = moves_to(game, node)?;
    let between = if moves.iter().any(|text| text.contains(' ')) { ", " } else { " " };
    Some(moves.join(between))
}
