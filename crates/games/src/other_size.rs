//! Boards of other sizes that a text fits.

use super::{FileGame, Game, GameError, LIBRARY, NotationError, Parameters, family, number, read_position};

/// Makes a game with its parameters.
pub type Make<'m> = &'m dyn Fn(&Parameters) -> Result<Box<dyn Game>, GameError>;

/// The parameters with which the board of the game has as many rows and columns as `board`, the text of a board without a mode. `None` if
/// its parameters are no such sizes.
#[must_use]
pub fn size_of_text(make: Make<'_>, board: &str) -> Option<Parameters> {
    let rows: Vec<&str> = board.split(['/', '|']).collect();
    let cols = rows[0].chars().count();
    let parameters = make(&Parameters::new()).ok()?.descriptor().parameters;
    if ["rows", "cols"].iter().all(|size| parameters.iter().any(|(name, _)| name == size)) {
        return Some(Parameters::new().with("rows", rows.len()).with("cols", cols));
    }
    if rows.len() == 1 { of_row(make, cols) } else { None }
}

/// The parameters with which the board of the game has one row of `squares` squares. If several parameters make its length, the others
/// are as small as possible, since a position replaces the start. `None` if the game has no such board.
fn of_row(make: Make<'_>, squares: usize) -> Option<Parameters> {
    let game = make(&Parameters::new()).ok()?;
    let usual = row(game.as_ref())?;
    let length = |set: &Parameters| row(make(set).ok()?.as_ref());
    let known = game.descriptor().parameters;
    // A parameter that makes the length changes it if it is one greater.
    let greater = |(name, value): &(String, String)| {
        let value: usize = value.parse().ok()?;
        let set = Parameters::new().with(name, value + 1);
        (length(&set)? == usual + 1).then(|| (name.clone(), value))
    };
    let sizes: Vec<(String, usize)> = known.iter().filter_map(greater).collect();
    let (last, _) = sizes.first()?;
    let least = sizes.iter().skip(1).fold(Parameters::new(), |set, (name, _)| set.with(name, 1));
    let rest = length(&least.clone().with(last, 1)).map(|found| squares.checked_sub(found - 1));
    let usual = || Some(squares + sizes[0].1).map(|most| most.checked_sub(usual));
    let tries = [
        rest.flatten().map(|value| least.with(last, value)),
        usual().flatten().map(|value| Parameters::new().with(last, value)),
    ];
    tries.into_iter().flatten().find(|set| length(set) == Some(squares))
}

/// The length of the board of `game`, if it is one row.
fn row(game: &dyn Game) -> Option<usize> {
    let start = *game.rules().start_positions().first()?;
    let text = game.write(start.into());
    let board = text.split(' ').next().unwrap_or_default();
    (!board.contains(['/', '{', ',', ':'])).then(|| board.chars().count())
}

impl NotationError {
    /// The same error about `text`, with the [size](Self::size) of `game` at which it is a position.
    #[must_use]
    pub fn with_size(self, game: &dyn Game, text: &str) -> Self {
        let Some(size) = fitting(game, text) else { return self };
        let listed: Vec<String> = size.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Self {
            also: format!("; with {} it is a position", listed.join(", ")).into(),
            size: Some(Box::new(size)),
            ..self
        }
    }
}

/// The parameters that `game` must have instead of its own, so that `text` is a position: those of the rows that `text` shows, or of a
/// usual size, the largest one first. `None` if none of them does, and if `text` is the number of a board, which fits all larger boards.
fn fitting(game: &dyn Game, text: &str) -> Option<Parameters> {
    let text = text.trim();
    let has_digits = || {
        text.bytes().all(|c| c.is_ascii_digit())
            && game.notations().iter().any(|it| it.has_digits(game.rules().modes().len()))
    };
    let last = text.rsplit(':').next()?;
    let is_number = !text.contains('/') && number::read(last, game.rules().cells(), "cells").is_some() && !has_digits();
    if is_number || game.part().is_some() {
        return None;
    }
    let descriptor = game.descriptor();
    let own = Parameters::from(descriptor.parameters.clone());
    let family = family(&descriptor.family).ok();
    let file = game.rules_file();
    let of_library = file.and_then(|file| LIBRARY.iter().find(|known| known.text == file));
    let make = |set: &Parameters| -> Result<Box<dyn Game>, GameError> {
        match (file, family) {
            (Some(file), _) => Ok(Box::new(FileGame::read(file, set)?)),
            (None, Some(family)) => family.make(set),
            (None, None) => Err(GameError::Unknown { name: descriptor.family.clone(), known: Vec::new() }),
        }
    };
    let (large, small) = match (of_library, family) {
        (Some(game), _) => (game.large, game.variants),
        (None, Some(family)) => (family.large, family.variants),
        (None, None) => (&[][..], &[][..]),
    };
    let known = large.iter().rev().chain(small).filter_map(|size| Parameters::listed(size));
    // Where boards have several rows, one row may hold all squares.
    let has_rows = text.contains(['/', '|']) || row(game).is_some();
    let shown = text.split_whitespace().next().filter(|_| has_rows).and_then(|board| size_of_text(&make, board));
    let fits = |set: Parameters| {
        // The rule for the last move is no size.
        let set =
            own.get("play").filter(|_| set.get("play").is_none()).map_or(set.clone(), |play| set.with("play", play));
        read_position(make(&set).ok()?.as_ref(), text).ok()?;
        let differs = |(name, value): &(&str, &str)| own.get(name).is_some_and(|own| own != *value);
        let differing = set.iter().filter(differs).map(|(name, value)| (name.to_owned(), value.to_owned()));
        let differing: Vec<_> = differing.collect();
        (!differing.is_empty()).then(|| differing.into())
    };
    shown.into_iter().chain(known).find_map(fits)
}

#[cfg(test)]
mod tests {
    use super::super::{FAMILIES, Parameters, bundled, read_position};
    use super::*;

    fn made(name: &str, set: &Parameters) -> Box<dyn Game> {
        let family = FAMILIES.iter().find(|family| family.name == name);
        family.map_or_else(|| bundled(name, set).unwrap(), |family| family.make(set)).unwrap()
    }

    /// A text that is no position at the default size names the size that people know.
    #[test]
    fn usual_sizes_are_named_for_their_positions() {
        for (name, text, size) in [
            ("reversi", "f5d6c3", "rows=8,cols=8"),
            ("reversi", "f5 d6 c3", "rows=8,cols=8"),
            ("connect-four", "4455", "rows=6,cols=7"),
            ("connect-four", "ddee", "rows=6,cols=7"),
            ("hex", "e5 d4", "rows=5,cols=5"),
            ("reversi", "---------------------------OX------XO--------------------------- X", "rows=8,cols=8"),
            ("fox-and-hounds", "d8>e7 e1>d2", "size=8"),
            ("cram", "XX../XX../....", "rows=3"),
            ("tactics", "XXX./..../....", "rows=3"),
            ("kayles", "X.X.X", "pins=5"),
            ("kalah", "1,1,1,1:0/1,1,1,1:0 first", "houses=4,seeds=1"),
        ] {
            let game = made(name, &Parameters::new());
            let error = read_position(game.as_ref(), text).expect_err(text).with_size(game.as_ref(), text);
            assert_eq!(error.size.as_deref(), Parameters::listed(size).as_ref(), "{name} {text}: {error}");
            assert!(
                error.to_string().ends_with(&format!("; with {} it is a position", size.replace(',', ", "))),
                "{error}"
            );
        }
    }

    #[test]
    fn no_size_is_named_for_other_texts() {
        for (name, text) in [
            ("reversi", "zz"),
            ("reversi", "0xffffffffff"),
            ("tactics", "70000"),
            ("dominoes", "3:0xffffffffff"),
            ("cram", "XX/X"),
            ("dominoes", "9-9"),
        ] {
            let game = made(name, &Parameters::new());
            let error = read_position(game.as_ref(), text).expect_err(text);
            assert_eq!(error.clone().with_size(game.as_ref(), text), error, "{name} {text}");
        }
    }
}
