//! The game or table that a name refers to.

use std::ffi::OsStr;
use std::path::Path;

use crate::names::part::part_of;
use tablegen_games::{
    FAMILIES, Family, FileGame, Game, GameError, LIBRARY, LibraryGame, Parameters, bundled, called, family,
};

/// The game or table that a name refers to.
#[derive(Clone, Copy)]
pub enum Meaning<'a> {
    /// A built-in game.
    Family(&'static Family),
    /// A rules file embedded in the library.
    Bundled(&'static LibraryGame),
    /// A part of a game of the library, `GAME.PART`.
    Part(&'static LibraryGame, &'a str),
    /// The path of a rules file.
    RulesFile(&'a Path),
    /// The path of a table.
    Table(&'a Path),
}

/// Finds what `name` refers to. A built-in game comes first, whatever files exist. Then comes a rules file, by its
/// extension, or a library rules file, by its name; then a part of one, `GAME.PART`; then a table. No file is opened.
///
/// # Errors
/// If it is none of these. The error lists the names of all games.
pub fn meaning(name: &OsStr) -> Result<Meaning<'_>, GameError> {
    let (text, path) = (name.to_string_lossy(), Path::new(name));
    if let Ok(family) = family(&text) {
        return Ok(Meaning::Family(family));
    }
    let bytes = name.as_encoded_bytes();
    if bytes.ends_with(b".toml") {
        return Ok(Meaning::RulesFile(path));
    }
    if let Some(game) = LIBRARY.iter().find(|game| game.name == text) {
        return Ok(Meaning::Bundled(game));
    }
    if !bytes.ends_with(b".tb")
        && !path.exists()
        && let Some((game, part)) = name.to_str().and_then(part_named)
    {
        return Ok(Meaning::Part(game, part));
    }
    if bytes.ends_with(b".tb") || bytes.iter().any(|&c| std::path::is_separator(c.into())) || path.exists() {
        return Ok(Meaning::Table(path));
    }
    Err(unknown_game(name))
}

/// The game of the library and the name of its part in `GAME.PART`.
fn part_named(name: &str) -> Option<(&'static LibraryGame, &str)> {
    let (game, part) = name.split_once('.')?;
    Some((LIBRARY.iter().find(|known| known.name == game)?, part))
}

/// The error that there is no game called `name`, with a list of the existing games.
#[must_use]
pub fn unknown_game(name: &OsStr) -> GameError {
    let known = FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name)).collect();
    GameError::Unknown { name: name.to_string_lossy().into(), known }
}

/// The game of a rules file, with the parameters in `set`. Its name must not be one that a built-in game gives to its
/// tables: both tables would have the same file name.
///
/// # Errors
/// If the text is not a rules file, or has the name of a built-in game.
pub fn rules_file(text: &str, set: &Parameters) -> Result<FileGame, GameError> {
    let game = FileGame::read(text, set)?;
    let name = game.rules().name();
    match FAMILIES.iter().find(|family| family.may_name(name)) {
        Some(family) => Err(GameError::Reserved { name: name.into(), family: family.name }),
        None => Ok(game),
    }
}

/// The game called `name`, built in, a library rules file or a part of one (`GAME.PART`), or the one that is [`called`] so, with `parameters` replacing its defaults.
///
/// # Errors
/// If there is no game with that name, or a parameter is unknown or has an invalid value.
pub fn game(name: &str, parameters: &Parameters) -> Result<Box<dyn Game>, GameError> {
    if let Ok(family) = family(name) {
        return family.make(parameters);
    }
    if let Some((game, part)) = part_named(name) {
        return part_of(Box::new(game.read(parameters)?), part);
    }
    bundled(name, parameters).unwrap_or_else(|| match called(name) {
        Some((name, of_name)) => game(name, &parameters.iter().fold(of_name, |all, (key, value)| all.with(key, value))),
        None => Err(unknown_game(name.as_ref())),
    })
}
