//! Positions by board number, which every game accepts: `NUMBER`, or `MODE:NUMBER` if there are several modes.
//!
//! The game's own notation has precedence: a text that it accepts is never read as a number.

use super::error::Fault;
use super::{Game, NotationError, Reading, lead, notations};
use crate::rules::{Board, Mode, Rules};

/// Reads a position of `game`, in the game's own notation or by its board number. Blanks around the text are ignored. In a game that counts
/// points, a lead may follow.
///
/// ```
/// # mod tablegen { pub use tablegen_labels as label; pub use tablegen_rules as rules; pub mod game { pub use tablegen_games::*; } }
/// use tablegen::game::{Game, Mnk, read_position};
///
/// let game = Mnk::tictactoe()?;
/// let center = read_position(&game, " 8192 ")?.node;
/// assert_eq!(game.write(center), ".../.X./...");
/// assert_eq!(read_position(&game, "o:0x2000")?.node, center);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `text` is neither. The error gives the expected and the found value.
pub fn read_position(game: &dyn Game, text: &str) -> Result<Reading, NotationError> {
    let text = text.trim();
    notations::read(game, text, || or_numbered(game, text, game.read(text)))
}

/// Reads a position of `game` from the content of a file: in the game's own format, or in any notation that [`read_position`] reads.
///
/// # Errors
/// As [`read_position`].
pub fn read_position_file(game: &dyn Game, content: &str) -> Result<Reading, NotationError> {
    let text = content.trim();
    notations::read(game, text, || or_numbered(game, text, game.read_file(content)))
}

/// The word for the start, which a game may also use for something else.
const START: &str = "start";

/// The result `read` of the game's own notation, or, if that is an error, the position with the board number `text`, or the start for
/// the word `start` and for no text.
pub fn or_numbered(
    game: &dyn Game,
    text: &str,
    read: Result<Reading, NotationError>,
) -> Result<Reading, NotationError> {
    let start = |text: &str| (text.is_empty() || text == START).then(|| Ok(game.rules().start_node().into()));
    let numbered_or = |text: &str, own| numbered(game, text).or_else(|| start(text)).unwrap_or(Err(own));
    read.or_else(|own| numbered_or(text, own)).or_else(|error| {
        let Some(split) = lead::split(game.rules(), game.named_players(), text)? else { return Err(error) };
        let rest = split.rest(' ');
        let reading = game.read(&rest).or_else(|own| numbered_or(&rest, own))?;
        Ok(Reading { lead: split.lead, mover: split.mover, ..reading })
    })
}

/// The position with the board number `text`. `None` if `text` does not look like a number, or if the game itself reads
/// such texts.
fn numbered(game: &dyn Game, text: &str) -> Option<Result<Reading, NotationError>> {
    let (rules, text) = (game.rules(), text.trim());
    let (mode, digits) = match text.rsplit_once(':') {
        // A slash separates rows, and the number after the last colon is then part of a row.
        Some((mode, _)) if mode.contains('/') && !rules.modes().iter().any(|name| name == mode) => return None,
        Some((mode, digits)) => (Some(mode), digits),
        None if game.reads_numbers() => return None,
        None => (None, text),
    };
    // The error describes the fault in the number but quotes the whole text.
    let board = read(digits, rules.cells(), "cells")?.map_err(|e| NotationError::new(text, e.expected, e.found));
    let before = |modes| format!("one of the modes {modes} before the colon");
    let mode = mode.map(|name| named_mode(rules, text, name, before)).transpose();
    let position = board.and_then(|board| game.of_number(text, mode?, board));
    Some(position.map(Reading::from))
}

/// The mode called `name`. `expected` describes the valid names in the error, from a list of them.
pub(super) fn named_mode(
    rules: &Rules,
    text: &str,
    name: &str,
    expected: impl FnOnce(String) -> String,
) -> Result<Mode, NotationError> {
    let found = rules.modes().iter().position(|mode| mode == name);
    let expected = || expected(listed(rules.modes()));
    found.map(|mode| Mode(mode as u16)).ok_or_else(|| NotationError::new(text, expected(), format!("{name:?}")))
}

/// The error that `text` lacks the mode.
pub(super) fn no_mode(rules: &Rules, text: &str) -> NotationError {
    let modes: Vec<String> = rules.modes().iter().map(|mode| format!("{mode}:{text}")).collect();
    NotationError::new(text, format!("a mode before the number, one of {}", listed(&modes)), "none")
}

/// The most names that an error lists.
const MOST_LISTED: usize = 6;

/// `names` in a list; of many, the first few and their number.
pub(super) fn listed(names: &[String]) -> String {
    if names.len() <= MOST_LISTED {
        return names.join(", ");
    }
    format!("{} and {} more", names[..MOST_LISTED / 2].join(", "), names.len() - MOST_LISTED / 2)
}

/// Reads a board number: `0b` and `cells` binary digits, `0x` and hexadecimal digits, or decimal digits. Digits may be
/// separated by `_`. `None` if the text is not a number at all. Errors call the cells `noun`.
pub(super) fn read(text: &str, cells: u32, noun: &str) -> Option<Result<Board, NotationError>> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0'..=b'9', ..] if text.bytes().all(|c| c.is_ascii_digit() || c == b'_') => (10, text),
        _ => return None,
    };
    let found = of_digits(radix, digits, cells, noun);
    Some(found.map_err(|fault| fault.about(text)))
}

/// The board whose number has these digits, or the expected and the found value. Success allocates no memory, because a
/// batch reads millions of numbers.
fn of_digits(radix: u32, digits: &str, cells: u32, noun: &str) -> Result<Board, Fault> {
    let of_radix = match radix {
        2 => "binary digits",
        16 => "hexadecimal digits",
        _ => "digits",
    };
    let (mut number, mut count) = (Some(0u128), 0u32);
    for character in digits.chars().filter(|&c| c != '_') {
        let digit = character.to_digit(radix).ok_or_else(|| Fault::new(of_radix, format!("{character:?}")))?;
        number = number.and_then(|number| number.checked_mul(radix.into())?.checked_add(digit.into()));
        count += 1;
    }
    if count == 0 {
        return Err(Fault::new(of_radix, "none"));
    }
    if radix == 2 && count != cells {
        return Err(Fault::new(format!("a binary digit for each of the {cells} {noun}"), format!("{count} digits")));
    }
    let full = Board::full(cells);
    let fits = number.map(Board::from_number).filter(|&board| full.contains(board));
    fits.ok_or_else(|| {
        Fault::new(format!("a number from 0 to {} = {full:#x} (the full board)", full.number()), "a larger one")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Node, Position};
    use crate::{Dominoes, FAMILIES, LIBRARY, Mnk, Parameters, Play, Shiritori, Tactics};

    fn refusal(game: &dyn Game, text: &str) -> String {
        read_position(game, text).map(|reading| game.write(reading.node)).expect_err(text).to_string()
    }

    #[test]
    fn every_game_reads_its_board_numbers() {
        let mut games: Vec<Box<dyn Game>> = vec![Box::new(
            Shiritori::new(include_str!("../../../tests/data/shiritori/medium.txt"), Play::Normal).unwrap(),
        )];
        let graph = Parameters::new().with("graph", "a b\nb c 1:2\nc a 7");
        for family in FAMILIES {
            games.extend(family.make(&Parameters::new()).or_else(|_| family.make(&graph)));
        }
        for game in LIBRARY {
            games.push(Box::new(game.read(&Parameters::new()).unwrap()));
        }
        assert!(games.len() > 18);
        for game in &games {
            let rules = game.rules();
            let starts: Vec<Position> = rules.start_positions();
            for at in starts.into_iter().flat_map(|start| [vec![start], rules.replies(start.into())].concat()) {
                let (mode, board) = (&rules.modes()[usize::from(at.mode.0)], at.board.number());
                for text in [format!("{mode}:{board}"), format!(" {mode}:{board:#x} ")] {
                    let read = game.off_table().map_or_else(
                        || read_position(game.as_ref(), &text),
                        |_| numbered(game.as_ref(), &text).expect("a number"),
                    );
                    let read = read.unwrap_or_else(|e| panic!("{}: {e}", rules.name()));
                    assert_eq!(read.node, Node::At(at), "{}: {text}", rules.name());
                }
            }
        }
    }

    #[test]
    fn a_number_without_its_mode_says_how_to_name_one() {
        let dominoes = Dominoes::new(3, Play::Normal).unwrap();
        assert!(refusal(&dominoes, "5").contains("expected a mode before the number, one of 0:5, 1:5, 2:5, found"));
        assert!(refusal(&dominoes, "3:5").contains("one of the modes 0, 1, 2 before the colon"));
        assert!(refusal(&dominoes, "0:64").contains("from 0 to 63 = 0x3f"));
        assert!(
            refusal(&dominoes, "0:0b101").contains("expected a binary digit for each of the 6 cells, found 3 digits")
        );
        assert!(refusal(&dominoes, "x").contains("expected a tile, such as 0-1, found"));
        let tactics = Tactics::new(2, 2, 2, Play::Misere).unwrap();
        assert_eq!(read_position(&tactics, "-:0xf").unwrap().node, Position::of(Board::from_word(15)).into());
    }

    #[test]
    fn the_marks_say_whose_turn_it_is() {
        let game = Mnk::tictactoe().unwrap();
        let read = |text| read_position(&game, text).map(|reading| game.write(reading.node)).map_err(|e| e.to_string());
        assert_eq!(read("8192"), Ok(".../.X./...".into()));
        assert_eq!(read("0b000_010_000_001_000_000"), Ok("..O/.X./...".into()));
        assert!(read("x:8192").unwrap_err().contains("expected o before the colon, since it is o's turn, found x"));
        assert!(read("1").unwrap_err().contains("found 0 X and 1 O"));
        assert!(read("513").unwrap_err().contains("found two marks at c3"), "{:?}", read("513"));
    }
}
