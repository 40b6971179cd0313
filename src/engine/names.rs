//! Which game or table a name refers to.

use std::ffi::OsStr;
use std::path::Path;

use tablegen_games::{FAMILIES, Family, FileGame, Game, GameError, LIBRARY, LibraryGame, Parameters, bundled, family};

/// What a name refers to.
#[derive(Clone, Copy)]
pub enum Meaning<'a> {
    /// A built-in game.
    Family(&'static Family),
    /// A rules file embedded in the library.
    Bundled(&'static LibraryGame),
    /// The path of a rules file.
    RulesFile(&'a Path),
    /// The path of a table.
    Table(&'a Path),
}

/// What `name` refers to: first a built-in game, whatever files exist; then a rules file, by its extension, or one of
/// the library by its name; then a table. No file is opened.
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
    if bytes.ends_with(b".tb") || bytes.iter().any(|&c| std::path::is_separator(c.into())) || path.exists() {
        return Ok(Meaning::Table(path));
    }
    Err(unknown_game(name))
}

/// The error that there is no game called `name`, with a list of those that exist.
#[must_use]
pub fn unknown_game(name: &OsStr) -> GameError {
    let known = FAMILIES.iter().map(|family| family.name).chain(LIBRARY.iter().map(|game| game.name)).collect();
    GameError::Unknown { name: name.to_string_lossy().into(), known }
}

/// The game of a rules file, with the parameters in `set`. Its name must not be one that a built-in game gives to its
/// tables: one of the two would then stand in the place of the other.
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

/// The game called `name`, either built in or a rules file of the library, with `parameters` replacing its defaults.
///
/// # Errors
/// If there is no game with that name, or a parameter is not one of its own or has an invalid value.
pub fn game(name: &str, parameters: &Parameters) -> Result<Box<dyn Game>, GameError> {
    if let Ok(family) = family(name) {
        return family.make(parameters);
    }
    bundled(name, parameters).unwrap_or_else(|| Err(unknown_game(name.as_ref())))
}
