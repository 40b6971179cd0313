//! Mistakes in an expression, in its own words. The parser of games sees the value of each term in place of the term.

use super::ValueError;
use super::terms::{Part, Term};
use tablegen_cgt::Error;
use tablegen_games::called;

/// An expression, with the values of its terms in their places.
#[derive(Default)]
pub(super) struct Valued<'t> {
    /// The text to parse.
    pub(super) text: String,
    /// The number of characters of the expression so far.
    read: usize,
    terms: Vec<Place<'t>>,
}

/// Where a term stands, in characters: in the text to parse, and in the expression.
struct Place<'t> {
    in_text: [usize; 2],
    in_expression: [usize; 2],
    term: &'t str,
}

impl<'t> Valued<'t> {
    /// Appends a part that is no term.
    pub(super) fn push_text(&mut self, part: &str) {
        self.text += part;
        self.read += part.chars().count();
    }

    /// Appends the value called `name` of `term`.
    pub(super) fn push_value(&mut self, term: Term<'t>, name: &str) {
        let begin = self.text.chars().count();
        self.text += &format!("({name})");
        let end = self.read + term.text.chars().count();
        let in_text = [begin, self.text.chars().count()];
        self.terms.push(Place { in_text, in_expression: [self.read, end], term: term.text });
        self.read = end;
    }

    /// `error`, which the parser found, about `expression`.
    pub(super) fn explained(&self, error: Error, expression: &str) -> ValueError {
        let Error::Text { column, expected, found } = error else { return error.into() };
        let at = column.saturating_sub(1);
        if let Some(place) = self.terms.iter().find(|place| (place.in_text[0]..place.in_text[1]).contains(&at)) {
            let found = format!("`{}`", place.term);
            return Error::Text { column: place.in_expression[0] + 1, expected, found }.into();
        }
        let before = self.terms.iter().rfind(|place| place.in_text[1] <= at);
        let at = before.map_or(at, |place| at - place.in_text[1] + place.in_expression[1]);
        let rest: String = expression.chars().skip(at).collect();
        let (expected, found) = about_word(&rest).unwrap_or((expected, found));
        Error::Text { column: at + 1, expected, found }.into()
    }
}

/// What was expected and found where `rest` begins with a word that is no term; `None` if it begins with anything else.
fn about_word(rest: &str) -> Option<(&'static str, String)> {
    let is_word = |c: char| c.is_alphanumeric() || "-_".contains(c);
    let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
    if !word.starts_with(char::is_alphabetic) {
        return None;
    }
    Some(("a game", format!("`{word}`{}", meant(word))))
}

/// Refuses options of a game without a closing bracket, as in `nim(a=3`.
pub(super) fn refuse_open_options(expression: &str) -> Result<(), Error> {
    let Some((before, options)) = expression.rsplit_once('(') else { return Ok(()) };
    let is_name =
        before.ends_with(|c: char| c.is_ascii_lowercase()) && !before.ends_with("Tiny") && !before.ends_with("Miny");
    if !is_name || options.contains(')') {
        return Ok(());
    }
    let (column, expected) = (expression.chars().count() + 1, "`)` after the options of a game");
    Err(Error::Text { column, expected, found: "the end".into() })
}

/// The game that `word` means by another name, as ` (did you mean NAME?)`; otherwise an empty text.
pub(super) fn meant(word: &str) -> String {
    called(word).map_or_else(String::new, |(name, _)| format!(" (did you mean {name}?)"))
}

/// Refuses a mode after the term `before`: the `part` behind it is a word that names one.
pub(super) fn refuse_mode(before: Term<'_>, part: Term<'_>) -> Result<(), ValueError> {
    let game = before.game()?;
    if part.is_word() && game.rules().modes().iter().any(|mode| mode == part.text) {
        return Err(ValueError::Mode { term: before.text.into(), mode: part.text.into() });
    }
    Ok(())
}

/// The terms in `parts` with nothing but blanks between them, in pairs.
pub(super) fn beside<'t>(parts: &[Part<'t>]) -> impl Iterator<Item = [Term<'t>; 2]> {
    parts.windows(3).filter_map(|window| match window {
        [Part::Term(before), Part::Text(between), Part::Term(after)] if between.trim().is_empty() => {
            Some([*before, *after])
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::{SumFacts, ValueFacts};

    fn error(expression: &str) -> String {
        ValueFacts::of(expression, 1 << 16).expect_err(expression).to_string()
    }

    #[test]
    fn errors_have_the_words_of_the_expression() {
        let within = |at: usize, expected: &str, found: &str| {
            format!("cannot read the game at column {at}: expected {expected}, found {found}")
        };
        let operator = "an operator or the end";
        assert_eq!(error("domineering:../.. clobber:XO"), within(19, operator, "`clobber:XO`"));
        assert_eq!(error("1 + domineering:../.. )"), within(23, operator, "`)`"));
        assert_eq!(error("Domineering:../.."), within(1, "a game", "`Domineering` (did you mean domineering?)"));
        assert_eq!(error("1 + Foo"), within(5, "a game", "`Foo`"));
        assert_eq!(error("nim(a=3,b=5"), within(12, "`)` after the options of a game", "the end"));
        assert_eq!(error("{kayles(pins=5):|"), within(18, "a game", "the end"));
    }

    #[test]
    fn a_mode_after_a_term_is_named() {
        let found = error("domineering:.../.../... left");
        assert!(
            found.starts_with("cannot value \"domineering:.../.../... left\": expected a position without a mode"),
            "{found}"
        );
        assert_eq!(
            SumFacts::of("domineering:.../... right + 1", 1 << 16)
                .unwrap_err()
                .to_string()
                .matches("without a mode")
                .count(),
            1
        );
        // A word that is no mode of the game is no game either.
        assert!(error("domineering:.../... up").contains("there is no game called \"up\""));
    }
}
