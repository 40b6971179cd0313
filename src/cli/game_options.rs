//! The options of games on the command line: an option for each parameter of a family, `--set` and `--part`.

use std::ffi::OsStr;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use tablegen::game::{FAMILIES, ParameterKind, ParameterSpec, called};

use super::failure::Failure;
use super::text::shell_word;

/// A parameter of a game, as given. Parameters of families have options of their own; `--set` sets those of rules files.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) name: String,
    pub(super) value: String,
    /// The option of its own that was used; `None` for `--set`.
    pub(super) option: Option<&'static ParameterSpec>,
}

impl Given {
    /// The parameter that `--set` sets.
    pub(super) const fn set(name: String, value: String) -> Self {
        Self { name, value, option: None }
    }

    /// The parameter as typed, after a blank.
    pub(super) fn typed(&self) -> String {
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
    pub(super) given: Vec<Given>,
    /// The part of the game.
    pub(super) part: Option<String>,
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

    /// All parameters as typed, each after a blank.
    pub(super) fn typed(&self) -> String {
        let part = self.part.iter().map(|part| format!(" --{PART} {part}"));
        self.given.iter().map(Given::typed).chain(part).collect()
    }
}

/// The option that sets the parameters of rules files.
const SET: &str = "set";
/// The option that names a part of the game.
pub(super) const PART: &str = "part";

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
    use std::path::Path;

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
