//! Which game or table a name means.

use std::ffi::OsStr;
use std::path::Path;

use crate::game::{FAMILIES, Family, Game, GameError, LIBRARY, LibraryGame, Parameters, family};

/// What a name means.
#[derive(Clone, Copy)]
pub enum Meaning<'a> {
    /// A game that is built in.
    Family(&'static Family),
    /// A rules file that is inside the library.
    Bundled(&'static LibraryGame),
    /// The path of a rules file.
    RulesFile(&'a Path),
    /// The path of a table.
    Table(&'a Path),
}

/// What `name` means: a built-in game first, whatever files there are; then rules files by their ending, and those of the
/// library by name; then tables. Nothing is opened.
///
/// # Errors
/// If it is none of these: the names of the games that there are.
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
    if bytes.ends_with(b".tb") || bytes.iter().any(|&c| std::path::is_separator(c.into())) || path.exists() {
        return Ok(Meaning::Table(path));
    }
    Err(unknown_game(name))
}

/// That there is no game called `name`, and those there are.
#[must_use]
pub fn unknown_game(name: &OsStr) -> GameError {
    let known = FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name)).collect();
    GameError::Unknown { name: name.to_string_lossy().into(), known }
}

/// The game that is called `name`, built in or a rules file of the library, with `parameters` in place of its defaults.
///
/// # Errors
/// If there is no game of that name, or a parameter is not one of its own or has a value that cannot be used.
pub fn game(name: &str, parameters: &Parameters) -> Result<Box<dyn Game>, GameError> {
    if let Ok(family) = family(name) {
        return family.make(parameters);
    }
    let bundled = LIBRARY.iter().find(|game| game.name == name).ok_or_else(|| unknown_game(name.as_ref()))?;
    Ok(Box::new(bundled.read(parameters)?))
}
