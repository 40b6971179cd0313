//! `columns`: the column of each move from the start, as digits or as letters: `4453` or `ddec`. `^4` takes the lowest piece of a column out.

use super::Found;
use super::walk::{Walk, moves_to};
use crate::Game;
use crate::error::Fault;
use crate::grid::column_name;
use crate::rules::Node;

/// The sign before a column from which a piece is taken.
const OUT: char = '^';

pub(super) fn read(game: &dyn Game, text: &str) -> Found {
    let signs: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    let is_column = |c: &char| c.is_ascii_alphanumeric() || *c == OUT;
    // A digit after a letter is the row of a square, as in `d6`.
    let is_mixed = signs.iter().any(char::is_ascii_digit) && signs.iter().any(char::is_ascii_alphabetic);
    // Another line is another position.
    if text.contains('\n') || signs.is_empty() || is_mixed || !signs.iter().all(is_column) {
        return None;
    }
    let mut walk = Walk::begin(game);
    let count = columns(&walk);
    // Where a column has two digits, it would be read as two columns.
    let parts: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty()).collect();
    let is_number = |part: &&&str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_digit());
    if let (10.., [_, _, ..], Some(part)) = (count, &parts[..], parts.iter().find(is_number)) {
        let last = column_name(count - 1);
        let fault = Fault::new(format!("columns as letters from a to {last}"), format!("{part:?}"));
        return Some(Err(fault.after(parts.len())));
    }
    let mut signs = signs.into_iter();
    while let Some(sign) = signs.next() {
        let right = walk.plies();
        let is_out = sign == OUT;
        let Some(column) = (if is_out { signs.next() } else { Some(sign) }) else {
            return Some(Err(Fault::new(format!("a column after {OUT}"), "none")));
        };
        let number = match column.to_digit(10) {
            Some(digit) => digit.checked_sub(1),
            None => Some(u32::from(column.to_ascii_lowercase()) - u32::from('a')),
        };
        let found = number.and_then(|number| in_column(&walk, &column_name(number), is_out));
        match found {
            Some(found) => walk.choose(found),
            // The text may be something else, but digits are not.
            None if walk.plies() == 0 && !sign.is_ascii_digit() => return None,
            None if number.is_none_or(|number| number >= count) => {
                let expected = format!("a column from 1 to {count} as move {}", walk.plies() + 1);
                return Some(Err(Fault::new(expected, format!("{column:?}")).after(right).of_size()));
            }
            None => {
                let mut columns: Vec<String> = walk.choices().iter().filter_map(|(_, text)| written(text)).collect();
                columns.sort_unstable();
                let expected = match &columns[..] {
                    [] => format!("no more than {} moves, which end the game", walk.plies()),
                    _ => format!("one of the columns {} as move {}", columns.join(" "), walk.plies() + 1),
                };
                return Some(Err(Fault::new(expected, format!("{column:?}")).after(right)));
            }
        }
    }
    Some(Ok(walk.reading()))
}

/// The number of columns into which the first move can put a piece.
fn columns(walk: &Walk<'_>) -> u32 {
    let names = walk.choices().iter().map(|(_, text)| text).filter(|text| is_drop(text));
    names.collect::<Vec<_>>().chunk_by(|a, b| split(a).0 == split(b).0).count() as u32
}

/// The letters with which the name of a move begins, and the rest.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len()))
}

/// Returns whether the name of a move is that of a square: a piece arrives there.
fn is_drop(text: &str) -> bool {
    let (letters, row) = split(text);
    !letters.is_empty() && !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of the move that puts a piece into the column with these letters, or takes one out.
fn in_column(walk: &Walk<'_>, letters: &str, is_out: bool) -> Option<usize> {
    walk.choices().iter().position(|(_, text)| split(text).0 == letters && is_drop(text) != is_out)
}

/// The column of the move called `text`: a digit, or a letter from the tenth column on. `None` if one sign cannot name it.
pub(super) fn written(text: &str) -> Option<String> {
    let (letters, _) = split(text);
    let [letter] = letters.as_bytes() else { return None };
    let number = u32::from(letter - b'a') + 1;
    let column = char::from_digit(number, 10).unwrap_or(char::from(*letter));
    Some(if is_drop(text) { column.to_string() } else { format!("{OUT}{column}") })
}

pub(super) fn write(game: &dyn Game, node: Node) -> Option<String> {
    let moves = moves_to(game, node)?;
    let columns: String = moves.iter().map(|text| written(text)).collect::<Option<_>>()?;
    if columns.contains(|c: char| c.is_ascii_alphabetic()) {
        let letters = |text: &String| {
            let out = if is_drop(text) { "" } else { "^" };
            format!("{out}{}", split(text).0)
        };
        return Some(moves.iter().map(letters).collect());
    }
    Some(columns)
}

#[cfg(test)]
mod tests {
    use crate::{Parameters, bundled, read_position};

    #[test]
    fn columns_of_two_digits_are_letters() {
        let set = Parameters::new().with("rows", 2).with("cols", 12);
        let game = bundled("connect-four", &set).unwrap().unwrap();
        let read = |text: &str| read_position(game.as_ref(), text).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!((read("al"), read("a l"), read("112")), (Ok(()), Ok(()), Ok(())));
        for text in ["1,12", "1 12", "11 2"] {
            let error = read(text).unwrap_err();
            assert!(error.contains("expected columns as letters from a to l, found"), "{error}");
        }
    }
}
