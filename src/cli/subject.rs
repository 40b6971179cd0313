//! The subject of a command: the game or table in the first argument, and the options of games.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use tablegen::engine::{
    MOST_PARAMETER_BYTES, Meaning, OpenTable, meaning, part_of, rules_file, text_file, text_of, unknown_game,
};
use tablegen::game::{
    FAMILIES, Family, FileGame, Game, GameError, LIBRARY, ParameterKind, Parameters, RulesFileError, about_unknown,
    called, nearest,
};

use super::failure::{Failure, Status, in_options};
use super::game_options::{GameOptions, Given, PART};
use super::session::{Session, Subject};
use super::stdin;
use super::text::shell_word;
use super::usage::as_option;

/// Maximum size in bytes of a file with a position.
pub(super) const MOST_BYTES: u64 = 1 << 20;

/// The arguments that name a game or a table.
#[derive(clap::Args)]
pub(super) struct SubjectArgs {
    /// A game from 'tablegen list', a rules file (*.toml), or a table file (*.tb)
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subject: OsString,
    #[command(flatten)]
    options: GameOptions,
}

impl SubjectArgs {
    /// The game or the table, of which `position` is the file with a position, as in [`Session::subject`].
    pub(super) fn find(&self, session: &Session, position: Option<&PositionFile>) -> Result<Subject, Failure> {
        session.subject(&self.subject, &self.options, position)
    }
}

/// The arguments that name a table.
#[derive(clap::Args)]
pub(super) struct TableArgs {
    /// A table file (*.tb), or a game from 'tablegen list' or a rules file (*.toml) that has a table
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subject: OsString,
    #[command(flatten)]
    options: GameOptions,
}

impl TableArgs {
    /// The table, and the command that builds it again, as in [`Session::open`].
    pub(super) fn open(&self, session: &Session) -> Result<(OpenTable, Option<String>), Failure> {
        session.open(&self.subject, &self.options)
    }
}

/// A file that holds a position.
pub(super) struct PositionFile {
    pub(super) name: String,
    pub(super) content: String,
}

/// A game named on the command line.
pub(super) struct Named {
    /// The game.
    pub(super) game: Box<dyn Game>,
    /// The arguments that name the game, as a user would type them again.
    pub(super) typed: String,
}

impl Named {
    /// The word that names the game, without its options.
    pub(super) fn word(&self) -> &str {
        self.typed.split(" --").next().unwrap_or(&self.typed)
    }
}

impl GameOptions {
    /// The game that `text` names; a table is not accepted.
    pub(super) fn game(&self, text: &OsStr) -> Result<Named, Failure> {
        self.named(text, None)
    }

    /// The game that `text` names. `position` is the file that the position comes from, if there is one. It may set game
    /// options that were not typed.
    pub(super) fn named(&self, text: &OsStr, position: Option<&PositionFile>) -> Result<Named, Failure> {
        if meaning_of(text).is_err()
            && let Some((name, options)) = self.called(text)
        {
            return options.named(name.as_ref(), position);
        }
        let Named { game, typed } = self.whole(text, position)?;
        let of_text = if let Meaning::Part(_, part) = meaning_of(text)? { Some(part) } else { None };
        match (of_text, &self.part) {
            (None, None) => Ok(Named { game, typed }),
            (Some(part), None) => Ok(Named { game: part_of(game, part)?, typed }),
            (None, Some(part)) => Ok(Named { game: part_of(game, part)?, typed }),
            (Some(_), Some(part)) => {
                let found =
                    format!("cannot use --{PART} {part}: expected a whole game, found {}", text.to_string_lossy());
                Err(Failure::usage(found).hint("name the part once"))
            }
        }
    }

    /// The game that `text` names, or of which it names a part.
    fn whole(&self, text: &OsStr, position: Option<&PositionFile>) -> Result<Named, Failure> {
        match meaning_of(text)? {
            Meaning::Family(family) => self.of_family(family, position),
            Meaning::Part(game, _) => {
                let game = Box::new(self.read(game.name, game.text)?);
                Ok(Named { game, typed: shell_word(&text.to_string_lossy()) + &self.typed() })
            }
            Meaning::Bundled(_) | Meaning::RulesFile(_) => {
                let game = Box::new(self.rules_file(text)?);
                Ok(Named { game, typed: shell_word(&text.to_string_lossy()) + &self.typed() })
            }
            Meaning::Table(path) if path.extension().is_some_and(|extension| extension == "tb") => {
                Err(Failure::usage(unknown_game(text)).hint("this command takes a game, not a table"))
            }
            Meaning::Table(_) => Err(unknown_game(text).into()),
        }
    }

    /// The rules file that `text` names, by its path or by its name in the library.
    pub(super) fn rules_file(&self, text: &OsStr) -> Result<FileGame, Failure> {
        match meaning_of(text) {
            Ok(Meaning::RulesFile(path)) => {
                let content = read_text(path, FileGame::MOST_BYTES as u64).map_err(|found| {
                    Failure::usage(found + &similar(path)).hint("see the library games with 'tablegen list'")
                })?;
                self.read(&shown(path), &content)
            }
            Ok(Meaning::Bundled(game)) => self.read(game.name, game.text),
            Ok(Meaning::Family(family)) => {
                let name = family.name;
                let found = format!("cannot check {name}: expected a rules file, found a built-in game");
                Err(Failure::usage(found).hint(format!("see its options with 'tablegen list {name}'")))
            }
            Ok(Meaning::Table(_) | Meaning::Part(..)) | Err(_) => {
                if let Some((name, options)) = self.called(text) {
                    return options.rules_file(name.as_ref());
                }
                let text = text.to_string_lossy();
                let near = about_unknown(&text, LIBRARY.iter().map(|game| game.name));
                let found =
                    format!("cannot read a rules file: expected a library game or *.toml, found {text:?}{near}");
                Err(Failure::usage(found).hint("see the library games with 'tablegen list'"))
            }
        }
    }

    fn read(&self, name: &str, content: &str) -> Result<FileGame, Failure> {
        let mut set = self.given.iter().filter(|given| given.option.is_none());
        let set = set.try_fold(Parameters::new(), |set, given| set.and(&given.name, &given.value));
        let set = set.map_err(|error| of_rules_file(name, error))?;
        let game = rules_file(content, &set).map_err(|error| of_rules_file(name, error))?;
        let Some(given) = self.given.iter().find(|given| given.option.is_some()) else { return Ok(game) };
        let refused = Failure::usage(format!("cannot use --{} with {name}, which is a rules file", given.name));
        let parameters = || game.parameters().iter().map(|parameter| parameter.name.as_str());
        Err(match &*given.value {
            value if parameters().any(|known| known == given.name) => {
                let value = if value.is_empty() { "VALUE" } else { value };
                refused.hint(format!("use{}", Given::set(given.name.clone(), value.into()).typed()))
            }
            _ if parameters().next().is_none() => refused.hint("the file has no parameters; leave out the option"),
            _ => {
                let set: Vec<String> = parameters().map(|name| format!("--set {name}=VALUE")).collect();
                refused.hint(format!("use {}", set.join(", ")))
            }
        })
    }

    fn of_family(&self, family: &'static Family, position: Option<&PositionFile>) -> Result<Named, Failure> {
        if let Some(Given { name: key, value, .. }) = self.given.iter().find(|given| given.option.is_none()) {
            let found =
                format!("cannot use --set {key}: expected a rules file, found the built-in game {}", family.name);
            if let Some(option) = as_option(family.name.as_ref(), key, value) {
                return Err(Failure::usage(found).hint(format!("use {option}")));
            }
            let near = nearest(key, family.parameters.iter().map(|parameter| parameter.name));
            let near = near.map_or_else(String::new, |near| format!(" (did you mean --{near}?)"));
            return Err(
                Failure::usage(found + &near).hint(format!("see its options with 'tablegen list {}'", family.name))
            );
        }
        let mut parameters = Parameters::new();
        let mut typed = family.name.to_owned() + &self.typed();
        for Given { name, value, option } in &self.given {
            let takes = family.parameters.iter().any(|known| known.name == name);
            let is_file = takes && option.is_some_and(|option| option.kind == ParameterKind::File);
            let value = if is_file {
                read_text(Path::new(value), MOST_PARAMETER_BYTES)
                    .map_err(|e| Failure::usage(format!("--{name}: {e}")))?
            } else {
                value.clone()
            };
            parameters.set(name, value);
        }
        let Some(PositionFile { name: file, content }) = position else {
            let game = family.make(&parameters).map_err(|error| Failure::of_options(&error, family.name))?;
            return Ok(Named { game, typed });
        };
        let game = family.make_for_file(&parameters, content).map_err(|error| match error {
            GameError::Position(error) => Failure::usage(format!("{file}: {error}")),
            error => Failure::of_options(&error, family.name),
        })?;
        // Options from the file count as typed.
        let said = game.descriptor().parameters;
        for (name, value) in said.iter().filter(|(name, _)| parameters.get(name).is_none()) {
            typed += &format!(" --{name} {}", shell_word(value));
        }
        Ok(Named { game, typed })
    }
}

/// The meaning of `text`. `-` is a rules file on standard input.
pub(super) fn meaning_of(text: &OsStr) -> Result<Meaning<'_>, GameError> {
    if text == stdin::PATH { Ok(Meaning::RulesFile(Path::new(text))) } else { meaning(text) }
}

/// The meaning of `text`, which may call a game by other words than its name.
pub(super) fn meaning_in_words(text: &OsStr) -> Result<Meaning<'_>, GameError> {
    let other = || called(text.to_str()?).map(|(name, _)| name);
    meaning_of(text).or_else(|error| other().map_or(Err(error), |name| meaning(name.as_ref())))
}

/// The arguments of `build` that rebuild the table of `open`, if they suffice: the parameters of its family, or a rules
/// file on standard input.
pub(super) fn arguments_of(open: &OpenTable) -> Option<String> {
    let descriptor = open.game.descriptor();
    if let Some((_, set)) = open.rules_file() {
        let given = set.into_iter().map(|(name, value)| Given::set(name, value)).collect();
        let part = open.game.part().map(|part| part.name.to_owned());
        return Some(format!("-{}", GameOptions { given, part }.typed()));
    }
    let family = FAMILIES.iter().find(|family| family.name == descriptor.family)?;
    let mut typed = family.name.to_owned();
    for (name, value) in &descriptor.parameters {
        let parameter = family.parameters.iter().find(|parameter| parameter.name == name)?;
        match parameter.kind {
            ParameterKind::File => return None,
            _ if parameter.default == Some(value) => {}
            ParameterKind::Text => typed += &format!(" --{name} {}", shell_word(value)),
            ParameterKind::Flag => typed += &format!(" --{name}={}", shell_word(value)),
        }
    }
    Some(typed)
}

/// The failure to read the rules file called `name`, with a line for each mistake.
fn of_rules_file(name: &str, error: GameError) -> Failure {
    let GameError::RulesFile(file) = &error else {
        return Failure::usage(format!("{name}: {}", in_options(&error)));
    };
    let told = |mistake: &RulesFileError| format!("{name}: {}", in_options(&mistake.clone().into()));
    let failure = Failure::lines(Status::Usage, file.mistakes().iter().map(told).collect());
    let failure =
        if file.more() == 0 { failure } else { failure.hint(format!("{} more mistakes are not shown", file.more())) };
    // The documentation of the keys does not help with a wrong parameter.
    let is_of_text = file.mistakes().iter().any(|mistake| mistake.place().is_some());
    let is_of_set = |mistake: &RulesFileError| {
        matches!(mistake, RulesFileError::Value { .. } | RulesFileError::UnknownParameter { .. })
    };
    match LIBRARY.iter().any(|game| game.name == name) && file.mistakes().iter().all(is_of_set) {
        _ if is_of_text => failure.hint("'tablegen help rules-keys' lists all keys"),
        true => failure.hint(format!("see its parameters with 'tablegen list {name}'")),
        false => failure,
    }
}

/// The content of a text file of at most `most` bytes, or of standard input if `path` is `-`.
///
/// # Errors
/// Returns a message with the expected and the found content of `path`.
pub(super) fn read_text(path: &Path, most: u64) -> Result<String, String> {
    let read = match path.as_os_str() == stdin::PATH {
        true => text_of(&shown(path), &mut stdin::take()?, most),
        false => text_file(path, most),
    };
    read.map_err(|error| error.to_string())
}

/// The library game whose name is similar to that of `path`, if no file is there.
fn similar(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if path.exists() { String::new() } else { about_unknown(&stem, LIBRARY.iter().map(|game| game.name)) }
}

/// The name of `path` in messages.
pub(super) fn shown(path: &Path) -> String {
    if path.as_os_str() == stdin::PATH { "standard input".into() } else { path.display().to_string() }
}
