//! `tablegen completions`: completion scripts for shells.

use clap::CommandFactory;
use clap::builder::TypedValueParser;
use clap_complete::Shell;

use super::failure::Failure;
use super::one_of::one_of;
use super::output::Stream;
use super::subject::with_help;
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
    // Written to memory first, because the generator panics if writing fails.
    let mut script = Vec::new();
    // Help hides the options of games, and completion offers them.
    let shown = |command: clap::Command| command.mut_args(|arg| with_help(arg).hide(false));
    clap_complete::generate(args.shell, &mut Cli::command().mut_subcommands(shown), "tablegen", &mut script);
    Stream::new()?.with(|out| out.write_all(&script))
}
