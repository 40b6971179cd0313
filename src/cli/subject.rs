//! Which game or which table is meant: the first argument, and the options of the games.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use tablegen::game::{FAMILIES, Game, GameError, GameOption, OptionKind, Parameters, family};

use super::failure::Failure;
use super::words::shell_word;

/// Most bytes of a file that is given for an option or a position.
const MOST_BYTES: u64 = 1 << 20;

/// The options of every game together. Which of them a game takes is for its family to say.
#[derive(Clone, Default)]
pub(super) struct GameOptions(Vec<(&'static GameOption, String)>);

/// A game, or a table with a game inside.
pub(super) enum Subject {
    /// A game that was named, with its options.
    Game(Named),
    /// A table file.
    File(PathBuf),
}

/// A game that was named.
pub(super) struct Named {
    /// The game.
    pub(super) game: Box<dyn Game>,
    /// What was said to name it, as it would be typed again.
    pub(super) typed: String,
}

impl GameOptions {
    /// The game or the table that `text` names.
    ///
    /// A built-in game first, whatever files there are; then rules files by their ending; then files. Where the position
    /// comes from a file, `position` is its content: it may say what was not typed of the game's options.
    pub(super) fn subject(&self, text: &OsStr, position: Option<&str>) -> Result<Subject, Failure> {
        let unknown = match text.to_str().map(family) {
            Some(Ok(_)) => return self.named(text, position).map(Subject::Game),
            Some(Err(error)) => error,
            None => GameError::Unknown { name: text.to_string_lossy().into(), known: names() },
        };
        let path = Path::new(text);
        let bytes = text.as_encoded_bytes();
        if bytes.ends_with(b".toml") {
            return Err(no_rules_files(text));
        }
        if !(bytes.ends_with(b".tb") || bytes.iter().any(|&c| std::path::is_separator(c.into())) || path.exists()) {
            return Err(unknown.into());
        }
        match self.0.first() {
            None => Ok(Subject::File(path.into())),
            Some((option, _)) => Err(Failure::usage(format!(
                "--{} is for a game, and {} is a table, which has its options inside; leave them out",
                option.name,
                path.display()
            ))),
        }
    }

    /// The game that `text` names; a table is none.
    pub(super) fn game(&self, text: &OsStr) -> Result<Named, Failure> {
        self.named(text, None)
    }

    fn named(&self, text: &OsStr, position: Option<&str>) -> Result<Named, Failure> {
        if text.as_encoded_bytes().ends_with(b".toml") {
            return Err(no_rules_files(text));
        }
        let name = text.to_string_lossy();
        let family = match family(&name) {
            Ok(family) => family,
            Err(error) if name.ends_with(".tb") => {
                return Err(Failure::usage(error).hint("this command takes a game, not a table"));
            }
            Err(error) => return Err(error.into()),
        };
        let mut parameters = Parameters::new();
        let mut typed = family.name.to_owned();
        for (option, value) in &self.0 {
            typed += &match option.kind {
                OptionKind::Flag => format!(" --{}", option.name),
                OptionKind::Text | OptionKind::File => format!(" --{} {}", option.name, shell_word(value)),
            };
            let takes = family.options.iter().any(|known| known.name == option.name);
            let value = if takes && option.kind == OptionKind::File {
                let path = Path::new(value);
                read_text(path).map_err(|e| Failure::usage(format!("--{}: {e}", option.name)))?
            } else {
                value.clone()
            };
            parameters.set(option.name, value);
        }
        let Some(content) = position else { return Ok(Named { game: family.make(&parameters)?, typed }) };
        let game = family.make_for_file(&parameters, content)?;
        // What the file says of the options is as good as typed.
        let said = game.descriptor().parameters;
        for (name, value) in said.iter().filter(|(name, _)| parameters.get(name).is_none()) {
            typed += &format!(" --{name} {}", shell_word(value));
        }
        Ok(Named { game, typed })
    }
}

fn names() -> Vec<&'static str> {
    FAMILIES.iter().map(|family| family.name).collect()
}

fn no_rules_files(text: &OsStr) -> Failure {
    Failure::usage(format!(
        "{}: rules files are not read by this version, a built-in game is expected: {}",
        Path::new(text).display(),
        names().join(", ")
    ))
}

/// The content of a small text file.
///
/// # Errors
/// In words: what was expected of `path` and what was found there.
pub(super) fn read_text(path: &Path) -> Result<String, String> {
    use std::io::Read;
    let at = |what: String| format!("{}: {what}", path.display());
    if path.is_dir() {
        return Err(at("a text file is expected, found a folder".into()));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| at(format!("a text file is expected: {e}")))?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|e| at(e.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(at("a text file of at most 1 MiB is expected, found a larger one".into()));
    }
    String::from_utf8(bytes).map_err(|e| at(format!("text in UTF-8 is expected, found byte {:#04x}", bad_byte(&e))))
}

fn bad_byte(error: &std::string::FromUtf8Error) -> u8 {
    error.as_bytes().get(error.utf8_error().valid_up_to()).copied().unwrap_or_default()
}

/// Every option that any game has, once, in the order of the games.
fn union() -> Vec<&'static GameOption> {
    let mut union: Vec<&GameOption> = Vec::new();
    for option in FAMILIES.iter().flat_map(|family| family.options) {
        if union.iter().all(|known| known.name != option.name) {
            union.push(option);
        }
    }
    union
}

/// What `name` is to each game that takes it.
fn help(name: &str) -> String {
    let of = |family: &tablegen::game::Family| {
        let option = family.options.iter().find(|option| option.name == name)?;
        let default = option.default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
        Some(format!("{}: {}{default}", family.name, option.help))
    };
    FAMILIES.iter().filter_map(of).collect::<Vec<_>>().join("; ")
}

impl clap::Args for GameOptions {
    fn augment_args(command: Command) -> Command {
        let arg = |option: &'static GameOption| {
            let arg = Arg::new(option.name).long(option.name).help(help(option.name)).help_heading("Game options");
            match option.kind {
                OptionKind::Flag => {
                    arg.action(ArgAction::Set).num_args(0..=1).require_equals(true).default_missing_value("true")
                }
                OptionKind::File => arg.value_name(option.value).value_hint(clap::ValueHint::FilePath),
                OptionKind::Text => arg.value_name(option.value).allow_negative_numbers(true),
            }
        };
        command.args(union().into_iter().map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GameOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |option: &'static GameOption| {
            let value = matches.try_get_one::<String>(option.name).ok().flatten()?;
            Some((option, value.clone()))
        };
        Ok(Self(union().into_iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_offered_once_and_says_whose_it_is() {
        let union = union();
        for family in FAMILIES {
            for option in family.options {
                assert_eq!(union.iter().filter(|known| known.name == option.name).count(), 1, "{}", option.name);
                assert!(help(option.name).contains(&format!("{}: {}", family.name, option.help)));
            }
        }
    }

    #[test]
    fn the_command_line_knows_no_game() {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli")];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                files += 1;
                let source = std::fs::read_to_string(&path).unwrap();
                for name in names() {
                    assert!(!source.contains(name), "{} names {name}", path.display());
                }
            }
        }
        assert!(files > 10);
    }
}
