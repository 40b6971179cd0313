//! `tablegen man`: the manual, generated from the same definitions as the help.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_mangen::Man;

use super::failure::Failure;
use super::output::{Stream, note};
use super::{Cli, help, markdown};

/// Print the manual page, or write a page for each command into a folder.
#[derive(clap::Args)]
#[command(after_help = help::of("man"))]
pub(super) struct Args {
    /// Write tablegen.1 and a page for each command into DIR
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    dir: Option<PathBuf>,
    /// Print the page of the book about all commands
    #[arg(long, hide = true, conflicts_with = "dir")]
    markdown: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.markdown {
        return Stream::new()?.with(|out| out.write_all(markdown::page().as_bytes()));
    }
    let command = Cli::command();
    let Some(folder) = &args.dir else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page).map_err(|e| Failure::writing("memory", &e))?;
        return Stream::new()?.with(|out| out.write_all(&page));
    };
    let write = || -> io::Result<()> {
        fs::create_dir_all(folder)?;
        clap_mangen::generate_to(command, folder)
    };
    let cannot = |e| Failure::writing(&folder.display().to_string(), &e).hint("choose another folder with --dir");
    write().map_err(cannot)?;
    note(&format!("the pages are in {}: 'man -l {}'", folder.display(), folder.join("tablegen.1").display()));
    Ok(())
}
