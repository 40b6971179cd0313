//! `pits`: the seeds of all pits in the order of sowing, as in `2,2,2,0,2,2,2,0 first`.
//!
//! The numbers begin with the first house of the first player, or of the player who is named before them: `second: 2,2,2,0,2,2,2,0`. The
//! player to move is named after them; otherwise it is the player from whose side they are written.

use super::Found;
use crate::Game;
use crate::error::Fault;
use crate::rules::Node;
use crate::side::SIDES;

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    let start = *game.rules().start_positions().first()?;
    let count = numbers(&game.write(start.into())).len();
    let words: Vec<&str> = text.split([' ', '\t', ',', ':']).filter(|word| !word.is_empty()).collect();
    let side = |word: &str| SIDES.iter().position(|side| side.name().eq_ignore_ascii_case(word));
    let from = words.first().and_then(|word| side(word));
    let words = if from.is_some() { &words[1..] } else { &words[..] };
    let turn = words.last().and_then(|word| side(word));
    let words = if turn.is_some() { &words[..words.len() - 1] } else { words };
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    if count == 0 || words.len() < 2 || !words.iter().all(is_number) || text.contains('/') {
        return None;
    }
    if words.len() != count {
        let fault = Fault::new(format!("the seeds of {count} pits"), words.len().to_string()).of_size();
        // Few numbers may rather be moves.
        let are_pits = from.or(turn).is_some() || 2 * words.len() > count;
        return Some(Err(fault.after(if are_pits { text.len() } else { 0 })));
    }
    let mut pits = words.to_vec();
    if from == Some(1) {
        pits.rotate_left(count / 2);
    }
    let row = |row: &[&str]| format!("{}:{}", row[..row.len() - 1].join(","), row[row.len() - 1]);
    let (first, second) = pits.split_at(count / 2);
    let own = format!("{}/{} {}", row(first), row(second), SIDES[turn.or(from).unwrap_or(0)].name());
    Some(game.read(&own).map_err(|error| Fault::from(error).after(text.len())))
}

/// The numbers in a text of the game's own notation.
fn numbers(text: &str) -> Vec<&str> {
    let board = text.split(' ').next().unwrap_or_default();
    board.split([',', ':', '/']).collect()
}

pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let text = game.write(node);
    let (_, side) = text.split_once(' ')?;
    Some(format!("{} {side}", numbers(&text).join(",")))
}
