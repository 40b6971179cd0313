//! The positions in an expression: `domineering:../..`, `clobber(rows=1,cols=4):XOXO`, or `domineering`, which is the start.

use std::path::Path;

use super::ValueError;
use super::turns::no_sides;
use crate::{game, rules_file, text_file};
use tablegen_games::{FileGame, Game, GameError, Make, Parameters, size_of_text};
use tablegen_rules::NoSides;

/// The end of the name of a table, which is no game.
const TABLE: &str = ".tb";

/// A part of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part<'t> {
    /// Anything but a position.
    Text(&'t str),
    Term(Term<'t>),
}

/// A position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Term<'t> {
    /// The whole term.
    pub(super) text: &'t str,
    game: &'t str,
    /// The parameters in brackets.
    set: &'t str,
    /// The position, which ends at a blank or a bracket, and within braces at a bar or a comma.
    pub(super) position: &'t str,
}

impl<'t> Term<'t> {
    /// The same game at `position`.
    pub(super) const fn at(self, position: &'t str) -> Self {
        Self { position, ..self }
    }

    /// The game with its parameters.
    pub(super) fn game(&self) -> Result<Box<dyn Game>, ValueError> {
        if self.game.ends_with(TABLE) {
            return Err(ValueError::Table { path: self.game.into() });
        }
        let named = |error| ValueError::Game { name: self.game.into(), error: Box::new(error) };
        if !self.game.ends_with(".toml") {
            let make = |set: &Parameters| game(self.game, set);
            return self.parameters(&make).and_then(|set| make(&set)).map_err(named);
        }
        let text = text_file(Path::new(self.game), FileGame::MOST_BYTES as u64)?;
        let read = |set: &Parameters| rules_file(&text, set).map(|game| Box::new(game) as Box<dyn Game>);
        self.parameters(&read).and_then(|set| read(&set)).map_err(named)
    }

    /// Returns whether the term is a word, without parameters and without a colon.
    pub(super) fn is_word(&self) -> bool {
        self.text == self.game
    }

    /// `error`, with a term for the start of `game` if it is about the position.
    pub(super) fn with_example(&self, error: ValueError, game: &dyn Game) -> ValueError {
        let ValueError::Notation { error, .. } = error else { return error };
        let start = game.rules().start_positions().first().map(|&start| game.write(start.into()));
        // A blank before the mode ends a term.
        let start = start.and_then(|text| text.split(' ').next().map(str::to_owned)).filter(|text| !text.is_empty());
        let set = if self.set.is_empty() { String::new() } else { format!("({})", self.set) };
        let example = start.map_or_else(String::new, |start| format!("{}{set}:{start}", self.game));
        ValueError::Notation { error, example }
    }

    /// `error`, with the same game in normal play if the game has values only then.
    pub(super) fn in_normal_play(&self, error: ValueError) -> ValueError {
        match error {
            ValueError::NoValues { name, reason: reason @ NoSides::Convention, .. } => {
                let is_kept = |set: &&str| {
                    !set.trim().is_empty() && set.split('=').next().is_none_or(|name| name.trim() != "play")
                };
                let set: Vec<&str> = self.set.split(',').filter(is_kept).chain(["play=normal"]).collect();
                let set = set.join(",");
                let normal = Term { set: &set, ..*self };
                let has_values = normal.game().is_ok_and(|game| no_sides(game.as_ref()).is_none());
                let instead = has_values.then(|| format!("{}({set})", self.game));
                ValueError::NoValues { name, reason, instead }
            }
            error => error,
        }
    }

    /// The parameters of the game that `make` makes. If none is given, the position tells the size.
    fn parameters(&self, make: Make<'_>) -> Result<Parameters, GameError> {
        // A mode may follow after a blank.
        let board = self.position.split_whitespace().next().filter(|_| self.set.is_empty());
        if let Some(set) = board.and_then(|board| size_of_text(make, board)) {
            return Ok(set);
        }
        // A word without a value is refused, as a parameter with an empty value or as an unknown parameter.
        let set = self.set.split(',').map(|each| each.split_once('=').unwrap_or((each, "")));
        let mut set = set.filter(|(name, _)| !name.trim().is_empty());
        set.try_fold(Parameters::new(), |all, (name, value)| all.and(name.trim(), value.trim()))
    }
}

/// The parts of `text`, in order.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest, mut from) = (Vec::new(), text, 0);
    while let Some(at) = rest[from..].find(|c: char| c.is_ascii_alphabetic() || "./".contains(c)).map(|at| from + at) {
        // Outside of braces, a bar can only stand between rows.
        let before = &text[..text.len() - rest.len() + at];
        let in_braces = before.matches('{').count() > before.matches('}').count();
        if let Some((term, end)) =
            term(&rest[at..], in_braces).filter(|_| !rest[..at].ends_with(|c: char| c.is_ascii_alphabetic()))
        {
            parts.push(Part::Text(&rest[..at]));
            parts.push(Part::Term(term));
            (rest, from) = (&rest[at + end..], 0);
        } else {
            from = at + 1;
        }
    }
    parts.push(Part::Text(rest));
    parts
}

/// The term, if `text` is nothing else.
pub(super) fn only_term(text: &str) -> Option<Term<'_>> {
    match &parts(text)[..] {
        [Part::Text(""), Part::Term(term), Part::Text("")] => Some(*term),
        _ => None,
    }
}

/// The term at the beginning of `text`, and its length. Its game is a name, a rules file, or a table, which is refused later. Names of `v` alone are downs, which may
/// stand before a colon as well.
fn term(text: &str, in_braces: bool) -> Option<(Term<'_>, usize)> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_path = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let (game, after) = text.split_at(text.find(|c| !is_path(c)).unwrap_or(text.len()));
    if ![".toml", TABLE].iter().any(|file| game.ends_with(file)) && !game.chars().all(is_name)
        || !game.contains(|c: char| c.is_ascii_alphabetic() && c != 'v')
    {
        return None;
    }
    let (set, after) = match after.strip_prefix('(') {
        Some(after) => after.split_once(')')?,
        None => ("", after),
    };
    let position = after.strip_prefix(':').unwrap_or_default();
    let end = position
        .find(|c: char| c.is_whitespace() || "(){}".contains(c) || ",|".contains(c) && in_braces)
        .unwrap_or(position.len());
    let length = match after.starts_with(':') {
        true => text.len() - position.len() + end,
        false => text.len() - after.len(),
    };
    Some((Term { text: &text[..length], game, set, position: &position[..end] }, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_among_games() {
        let term = |text, game, set, position| Part::Term(Term { text, game, set, position });
        let text = |text| Part::Text(text);
        assert_eq!(parts("{1|*} - v:1 + Tiny(2)"), [text("{1|*} - v:1 + Tiny(2)")]);
        assert_eq!(
            parts("2*col:../.X - {snort(rows=1,cols=2):..|1}"),
            [
                text("2*"),
                term("col:../.X", "col", "", "../.X"),
                text(" - {"),
                term("snort(rows=1,cols=2):..", "snort", "rows=1,cols=2", ".."),
                text("|1}")
            ]
        );
        assert_eq!(parts("cram:"), [text(""), term("cram:", "cram", "", ""), text("")]);
        let start = term("cram", "cram", "", "");
        assert_eq!(parts("{cram|2} - v-vv"), [text("{"), start, text("|2} - v-vv")]);
        assert_eq!(parts("nim(a=2) + 1"), [text(""), term("nim(a=2)", "nim", "a=2", ""), text(" + 1")]);
        let file = term("./My_games/x.toml(a=1):../X", "./My_games/x.toml", "a=1", "../X");
        assert_eq!(parts("1/2:1 + ./My_games/x.toml(a=1):../X"), [text("1/2:1 + "), file, text("")]);
        let sized = |text: &str| match &parts(text)[1] {
            Part::Term(term) => term.parameters(&|set| game(term.game, set)).unwrap(),
            Part::Text(_) => Parameters::new(),
        };
        assert_eq!(sized("col:../.X/.."), Parameters::new().with("rows", 3).with("cols", 2));
        assert_eq!(sized("clobber:xo|ox|xo"), Parameters::new().with("rows", 3).with("cols", 2));
        assert_eq!(sized("nim(a=2):"), Parameters::new().with("a", 2));
        assert_eq!(sized("nim(a=2,b):"), Parameters::new().with("a", 2).with("b", ""));
        assert_eq!(sized("kayles:.X..X"), Parameters::new().with("pins", 5));
        assert_eq!(sized("hackenbush:.."), Parameters::new());
        // In braces, a bar and a comma end the position.
        assert_eq!(parts("{col:..|1}")[1], term("col:..", "col", "", ".."));
        assert_eq!(parts("{nim:1,2|}")[1], term("nim:1", "nim", "", "1"));
        assert_eq!(parts("nim:1,2,3 + 1")[1], term("nim:1,2,3", "nim", "", "1,2,3"));
    }

    #[test]
    fn a_position_of_one_row_sets_the_length() {
        for (text, length) in [
            ("toads-and-frogs:T.F", 3),
            ("toads-and-frogs:TT..F.", 6),
            ("toppling-dominoes:LRLR", 4),
            ("kayles:X..", 3),
            ("elephants-and-rhinos:E.R.", 4),
            ("treblecross:......", 6),
            ("dawsons-kayles:...", 3),
        ] {
            let [_, Part::Term(term), _] = parts(text)[..] else { panic!("{text}") };
            let game = term.game().unwrap_or_else(|error| panic!("{text}: {error}"));
            let start = game.write(game.rules().start_positions()[0].into());
            assert_eq!(start.split(' ').next().unwrap().len(), length, "{text}: {start}");
        }
    }
}
