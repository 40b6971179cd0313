//! Names that abbreviate several modes: `"x{0..9}"` is `x0` to `x9`, and `"aims-{X}"` has one mode for each square.
//!
//! In lists of modes, a range expands to all its numbers. A letter denotes a square of the move: `{X}` the square where
//! a piece arrives, `{L}` the square that a piece leaves, `{M}` the square of a piece of the mover that stays, `{F}` that of a
//! piece that stays on a board of one colour. So a mode can remember a square.

use super::expression::{self, Values};
use super::placement::Placement;
use super::squares::Squares;

/// The letters that denote a square of a move, each with the index of that square in a placement.
const LETTERS: [(&str, usize); 4] = [("X", 0), ("L", 1), ("M", 2), ("F", 2)];
/// The largest number of names that one text may expand to.
const MOST: usize = 1 << 10;

/// The names that `text` expands to. Ranges become all their numbers (the last range varies fastest), expressions
/// become their values, and letters stay in braces.
///
/// # Errors
/// A description of the mistake in `text`.
pub(super) fn listed(text: &str, values: &Values) -> Result<Vec<String>, String> {
    let mut names = vec![String::new()];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inner, after) = after.split_once('}').ok_or("expected a } after each {")?;
        let parts: Vec<String> = match inner.split_once("..") {
            _ if LETTERS.iter().any(|(letter, _)| *letter == inner.trim()) => vec![format!("{{{}}}", inner.trim())],
            None => vec![expression::evaluate(inner, values)?.to_string()],
            Some((first, last)) => numbers(first, last, values)?.map(|number| number.to_string()).collect(),
        };
        if names.len() * parts.len() > MOST {
            return Err(format!("expected at most {MOST} names"));
        }
        names = names.iter().flat_map(|name| parts.iter().map(move |part| format!("{name}{before}{part}"))).collect();
        rest = after;
    }
    if rest.contains('}') {
        return Err("expected a { before each }".into());
    }
    names.iter_mut().for_each(|name| name.push_str(rest));
    Ok(names)
}

/// The texts in which each range of `text` has become one of its numbers, in braces: `"a{1..2}"` gives `a{1}` and `a{2}`.
///
/// # Errors
/// A description of the mistake in `text`.
pub(super) fn with_ranges(text: &str, values: &Values) -> Result<Vec<String>, String> {
    let mut texts = vec![String::new()];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inner, after) = after.split_once('}').ok_or("expected a } after each {")?;
        let parts = match inner.split_once("..") {
            None => vec![format!("{{{inner}}}")],
            Some((first, last)) => numbers(first, last, values)?.map(|number| format!("{{{number}}}")).collect(),
        };
        if texts.len() * parts.len() > MOST {
            return Err(format!("expected at most {MOST} names"));
        }
        texts = texts.iter().flat_map(|text| parts.iter().map(move |part| format!("{text}{before}{part}"))).collect();
        rest = after;
    }
    texts.iter_mut().for_each(|text| text.push_str(rest));
    Ok(texts)
}

/// The numbers of a range.
fn numbers(first: &str, last: &str, values: &Values) -> Result<std::ops::RangeInclusive<i64>, String> {
    let (first, last) = (expression::evaluate(first, values)?, expression::evaluate(last, values)?);
    if last.saturating_sub(first) >= MOST as i64 {
        return Err(format!("expected a range of at most {MOST} numbers"));
    }
    Ok(first..=last)
}

/// Returns whether `name` contains a letter that denotes a square.
pub(super) fn has_square(name: &str) -> bool {
    name.contains('{')
}

/// The name with every letter replaced by the name of `square`.
pub(super) fn with_square(name: &str, squares: &Squares, square: usize) -> String {
    LETTERS
        .iter()
        .fold(name.to_owned(), |name, (letter, _)| name.replace(&format!("{{{letter}}}"), &squares.name(square)))
}

/// The name with its letters replaced by the squares of `placement`; `None` if `placement` lacks a square for a letter.
pub(super) fn placed(name: &str, squares: &Squares, placement: &Placement) -> Option<String> {
    let mut placed = name.to_owned();
    for (letter, square) in LETTERS {
        let square = placement.squares[square];
        let letter = format!("{{{letter}}}");
        if placed.contains(&letter) {
            placed = placed.replace(&letter, &squares.name(square?));
        }
    }
    Some(placed)
}

/// The name, or one name for each square of the board in place of its letter.
pub(super) fn of_all_squares(name: String, squares: &Squares) -> Vec<String> {
    if !has_square(&name) {
        return vec![name];
    }
    squares.all().iter().map(|&square| with_square(&name, squares, square)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_written_out() {
        let values = vec![("n".to_owned(), 2)];
        let list = |text: &str| listed(text, &values).map(|names| names.join(" "));
        assert_eq!(list("x"), Ok("x".into()));
        assert_eq!(list("x{0..n}"), Ok("x0 x1 x2".into()));
        assert_eq!(list("x{-1..1}"), Ok("x-1 x0 x1".into()));
        assert_eq!(list("{1..n}-{n}-{n..n+1}!"), Ok("1-2-2! 1-2-3! 2-2-2! 2-2-3!".into()));
        assert_eq!((list("x{1..0}"), list("a-{X}")), (Ok(String::new()), Ok("a-{X}".into())));
        for wrong in ["x{", "x}", "{1..m}", "{1..9999}", "{1..1000}{1..1000}", "{..}", "{0-9223372036854775807..n}"] {
            assert!(list(wrong).is_err(), "{wrong}");
        }
    }
}
