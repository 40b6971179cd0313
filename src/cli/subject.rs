//! The subject of a command: the game or table in the first argument, and the options of games.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use tablegen::engine::{
    MOST_PARAMETER_BYTES, Meaning, OpenTable, meaning, part_of, rules_file, text_file, text_of, unknown_game,
};
use tablegen::game::{
    FAMILIES, Family, FileGame, Game, GameError, LIBRARY, ParameterKind, ParameterSpec, Parameters, RulesFileError,
    about_unknown, called, nearest,
};

use super::failure::{Failure, Status, in_options};
use super::session::{Session, Subject};
use super::stdin;
use super::text::shell_word;
use super::usage::as_option;

/// Maximum size in bytes of a file with a position.
pub(super) const MOST_BYTES: u64 = 1 << 20;

/// A parameter of a game, as given. Parameters of families have options of their own; `--set` sets those of rules files.
#[derive(Clone)]
struct Given {
    name: String,
    value: String,
    /// The option of its own that was used; `None` for `--set`.
    option: Option<&'static ParameterSpec>,
}

impl Given {
    /// The parameter that `--set` sets.
    const fn set(name: String, value: String) -> Self {
        Self { name, value, option: None }
    }

    /// The parameter as typed, after a blank.
    fn typed(&self) -> String {
        let Self { name, value, option } = self;
        match option.map(|option| option.kind) {
            None => format!(" --set {}", shell_word(&format!("{name}={value}"))),
            Some(ParameterKind::Flag) => format!(" --{name}"),
            // A value that begins with a dash must follow an `=`, so that it is not taken for an option.
            Some(_) if value.starts_with('-') => format!(" --{name}={}", shell_word(value)),
            Some(_) => format!(" --{name} {}", shell_word(value)),
        }
    }
}

/// The parameters given for a game. The game decides in which form it takes them.
#[derive(Clone, Default)]
pub(super) struct GameOptions {
    given: Vec<Given>,
    /// The part of the game.
    part: Option<String>,
}

/// The parameters of a rules file, for a command that accepts no other game.
#[derive(Clone, Default, clap::Args)]
pub(super) struct SetOptions {
    /// Set a parameter of the rules file; may be given more than once
    #[arg(long = SET, value_name = "KEY=VALUE", value_parser = parse_set)]
    set: Vec<Given>,
}

impl SetOptions {
    /// The same parameters as options of all games.
    pub(super) fn all(&self) -> GameOptions {
        GameOptions { given: self.set.clone(), part: None }
    }

    /// The term for `game` with these parameters in brackets, as expressions have them.
    pub(super) fn in_brackets(&self, game: &str) -> String {
        let set: Vec<String> = self.set.iter().map(|given| format!("{}={}", given.name, given.value)).collect();
        if set.is_empty() { game.into() } else { format!("{game}({})", set.join(",")) }
    }
}

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
    /// Refuses game options for the table that `text` names.
    pub(super) fn none_for_table(&self, text: &OsStr) -> Result<(), Failure> {
        let set = self.given.first().map(|given| given.option.map_or(SET, |option| option.name));
        set.or(self.part.as_ref().map(|_| PART)).map_or(Ok(()), |option| {
            let table = text.to_string_lossy();
            let found = format!("cannot use --{option}: expected a game, found the table {table}");
            Err(Failure::usage(found).hint("leave out the options, which the table contains"))
        })
    }

    /// The part of the game, and the other options; `None` without a part.
    pub(super) fn split_part(&self) -> Option<(&str, Self)> {
        Some((self.part.as_deref()?, Self { part: None, ..self.clone() }))
    }

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

    /// The name of the game that `text` means in other words, and these options with the parameters that `text` names.
    pub(super) fn called(&self, text: &OsStr) -> Option<(&'static str, Self)> {
        let (name, set) = called(text.to_str()?)?;
        let is_built_in = FAMILIES.iter().any(|family| family.name == name);
        let option = |key: &str| union().into_iter().find(|option| is_built_in && option.name == key);
        let is_typed = |key: &str| self.given.iter().any(|given| given.name == key);
        let named = set.iter().filter(|(key, _)| !is_typed(key));
        let named = named.map(|(key, value)| Given { name: key.into(), value: value.into(), option: option(key) });
        Some((name, Self { given: named.chain(self.given.iter().cloned()).collect(), part: self.part.clone() }))
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

    /// All parameters as typed, each after a blank.
    fn typed(&self) -> String {
        let part = self.part.iter().map(|part| format!(" --{PART} {part}"));
        self.given.iter().map(Given::typed).chain(part).collect()
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

/// The option that sets the parameters of rules files.
const SET: &str = "set";
/// The option that names a part of the game.
const PART: &str = "part";

fn parse_set(text: &str) -> Result<Given, String> {
    let (key, value) = text.split_once('=').unwrap_or_default();
    match (key.trim(), value.trim()) {
        (_, value) if value.contains(',') && value.contains('=') => {
            Err("expected one KEY=VALUE, such as rows=5".into())
        }
        ("", _) | (_, "") => Err("expected KEY=VALUE, such as rows=5".into()),
        (key, value) => Ok(Given::set(key.to_owned(), value.to_owned())),
    }
}

/// Every option of any game, without duplicates, in the order of the games.
fn union() -> Vec<&'static ParameterSpec> {
    let mut union: Vec<&ParameterSpec> = Vec::new();
    for option in FAMILIES.iter().flat_map(|family| family.parameters) {
        if union.iter().all(|known| known.name != option.name) {
            union.push(option);
        }
    }
    union
}

/// The option with its help if it is one of a game. The help takes long to write, and only completions show it.
pub(super) fn with_help(option: Arg) -> Arg {
    let help = help(option.get_id().as_str());
    if help.is_empty() { option } else { option.help(help) }
}

/// The help for the option `name`: its meaning in each game that has it.
fn help(name: &str) -> String {
    let of = |family: &tablegen::game::Family| {
        let option = family.parameters.iter().find(|option| option.name == name)?;
        let default = option.default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
        Some(format!("{}: {}{default}", family.name, option.help))
    };
    FAMILIES.iter().filter_map(of).collect::<Vec<_>>().join("; ")
}

/// Hidden from the help of each command: 'tablegen list GAME' shows the options of one game.
impl clap::Args for GameOptions {
    fn augment_args(command: Command) -> Command {
        let arg = |option: &'static ParameterSpec| {
            let arg = Arg::new(option.name).long(option.name).hide(true);
            match option.kind {
                ParameterKind::Flag => {
                    let arg = arg.value_name("true|false").action(ArgAction::Set);
                    arg.num_args(0..=1).require_equals(true).default_missing_value("true")
                }
                ParameterKind::File => arg.value_name(option.value).value_hint(clap::ValueHint::FilePath),
                ParameterKind::Text => arg.value_name(option.value).allow_negative_numbers(true),
            }
        };
        let set = Arg::new(SET).long(SET).value_name("KEY=VALUE").action(ArgAction::Append).value_parser(parse_set);
        let set = set.help("rules files: set a parameter; may be given more than once").hide(true);
        let part = Arg::new(PART).long(PART).value_name("NAME");
        let part = part.help("Only this part of the game: modes that its rules file names under 'parts'");
        command.args(union().into_iter().map(arg)).arg(set).arg(part)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GameOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |option: &'static ParameterSpec| {
            let value = matches.try_get_one::<String>(option.name).ok().flatten()?.clone();
            Some(Given { name: option.name.to_owned(), value, option: Some(option) })
        };
        let set = matches.try_get_many::<Given>(SET).ok().flatten().into_iter().flatten().cloned();
        let part = matches.try_get_one::<String>(PART).ok().flatten().cloned();
        Ok(Self { given: union().into_iter().filter_map(given).chain(set).collect(), part })
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
    fn every_option_is_offered_once_and_names_its_games() {
        let union = union();
        for family in FAMILIES {
            for option in family.parameters {
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
                for name in FAMILIES.iter().map(|family| family.name) {
                    assert!(!source.contains(name), "{} names {name}", path.display());
                }
            }
        }
        assert!(files > 10);
    }
}
