//! `tablegen completions`: completion scripts for shells.
//!
//! The generator writes the options and the commands. The words of positions in a line, such as names of games, are added here: the generator
//! leaves them out for fish, and for zsh it offers either words or files.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use tablegen::engine::VALUE;
use tablegen::game::{FAMILIES, LIBRARY};
use tablegen::label::LabelSet;

use super::failure::Failure;
use super::game_options::with_help;
use super::one_of::one_of;
use super::output::Stream;
use super::topics::TOPICS;
use super::{Cli, help};

/// Print a completion script for a shell.
#[derive(clap::Args)]
#[command(after_help = help::completions())]
pub(super) struct Args {
    /// The shell
    #[arg(value_name = "SHELL", value_parser = shells())]
    shell: Shell,
}

/// The shells with supported scripts.
fn shells() -> impl TypedValueParser<Value = Shell> {
    one_of(vec![("bash", Shell::Bash, ""), ("zsh", Shell::Zsh, ""), ("fish", Shell::Fish, "")])
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let script = script(args.shell);
    Stream::new()?.with(|out| out.write_all(script.as_bytes()))
}

/// The words that complete an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Games,
    LibraryGames,
    Topics,
    Labels,
}

impl Words {
    /// The words for `arg`, by the name of its value.
    fn of(arg: &Arg) -> Option<Self> {
        match arg.get_value_names()?.first()?.as_str() {
            "GAME" | "GAME|FILE" | "GAME|EXPRESSION" | "EXPRESSION" => Some(Self::Games),
            "RULES.toml" => Some(Self::LibraryGames),
            "COMMAND|TOPIC" => Some(Self::Topics),
            "LABEL,..." | "LABELS" => Some(Self::Labels),
            _ => None,
        }
    }

    /// Returns whether files complete the argument as well.
    const fn has_files(self) -> bool {
        matches!(self, Self::Games | Self::LibraryGames)
    }

    /// The words, each with what it means, in a few words.
    fn listed(self) -> Vec<(&'static str, String)> {
        let library = || LIBRARY.iter().map(|game| (game.name, game.head().summary));
        match self {
            Self::Games => FAMILIES.iter().map(|game| (game.name, game.summary.into())).chain(library()).collect(),
            Self::LibraryGames => library().collect(),
            Self::Topics => {
                let topics = TOPICS.iter().map(|topic| (topic.name, topic.summary.into()));
                topics.chain(commands()).collect()
            }
            Self::Labels => LabelSet::ALL.names().chain([VALUE]).map(|name| (name, String::new())).collect(),
        }
    }

    fn parser(self) -> PossibleValuesParser {
        let value = |(name, help): (&'static str, String)| match help.is_empty() {
            true => PossibleValue::new(name),
            false => PossibleValue::new(name).help(help),
        };
        PossibleValuesParser::new(self.listed().into_iter().map(value).collect::<Vec<_>>())
    }

    /// The name of the function for zsh that completes words and files.
    const fn function(self) -> &'static str {
        match self {
            Self::Games => "_tablegen_games",
            Self::LibraryGames => "_tablegen_library_games",
            Self::Topics | Self::Labels => "",
        }
    }
}

/// The commands, each with what it does.
fn commands() -> Vec<(&'static str, String)> {
    // A word of a parser must live as long as the program, which ends soon.
    let name = |command: &Command| &*Box::leak(command.get_name().to_owned().into_boxed_str());
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    Cli::command().get_subcommands().map(|command| (name(command), about(command))).collect()
}

/// The script for `shell`.
fn script(shell: Shell) -> String {
    // Help hides the options of games, and completion offers them.
    let shown = |arg: Arg| {
        let arg = with_help(arg).hide(false);
        match Words::of(&arg) {
            Some(words) if shell == Shell::Zsh && words.has_files() => arg.value_parser([words.function()]),
            Some(words) => arg.value_parser(words.parser()),
            None => arg,
        }
    };
    let mut command = Cli::command().mut_subcommands(|command| command.mut_args(&shown));
    // Written to memory first, because the generator panics if writing fails.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "tablegen", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Zsh => [Words::Games, Words::LibraryGames].into_iter().fold(script, with_zsh_function),
        Shell::Fish => script + &fish_positionals(&command),
        _ => script,
    }
}

/// `script` for zsh, which completes words and files where it has the name of the function that does it as a word.
fn with_zsh_function(script: String, words: Words) -> String {
    let function = words.function();
    let listed: Vec<String> =
        words.listed().iter().map(|(name, help)| format!("        '{name}:{}'", help.replace('\'', r"'\''"))).collect();
    let body = format!(
        "{function}() {{\n    local -a games\n    games=(\n{}\n    )\n    _describe -t games game games\n    \
         _files -g '*.(toml|tb)'\n}}\n\n",
        listed.join("\n")
    );
    // The last lines of the script call the function that completes.
    const LAST: &str = "if [ \"$funcstack[1]\"";
    script.replace(&format!("({function})"), function).replacen(LAST, &(body + LAST), 1)
}

/// The words of the positions in a line, for fish.
fn fish_positionals(command: &Command) -> String {
    let quoted = |text: &str| text.replace('\\', r"\\").replace('\'', r"\'").replace('"', "\\\"").replace('$', r"\$");
    let mut lines = String::new();
    for command in command.get_subcommands() {
        for arg in command.get_positionals().filter(|arg| !arg.get_possible_values().is_empty()) {
            let word = |value: &PossibleValue| {
                let help = value.get_help().map(ToString::to_string).unwrap_or_default();
                format!("{}\\t'{}'", value.get_name(), quoted(&help))
            };
            let words = arg.get_possible_values().iter().map(word).collect::<Vec<_>>().join("\n");
            let no_files = if Words::of(arg).is_some_and(Words::has_files) { "" } else { " -f" };
            let name = command.get_name();
            lines += &format!(
                "complete -c tablegen -n \"__fish_tablegen_using_subcommand {name}\"{no_files} -a \"{words}\"\n"
            );
        }
    }
    lines
}
