//! `tablegen estimate`: how large a game is, before anything is built.

use std::ffi::OsString;

use serde_json::json;
use tablegen::table::file_bytes;

use super::failure::Failure;
use super::subject::GameOptions;
use super::tables::Places;
use super::{help, info, limits, output, target, words};

/// Say how large a game is; nothing is built.
///
/// The memory is what a build takes at its peak, the disk what its table takes.
#[derive(clap::Args)]
#[command(after_help = help::estimate())]
pub(super) struct Args {
    /// Name of a game, see 'tablegen list'
    #[arg(value_name = "GAME")]
    game: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let named = args.options.game(&args.game)?;
    let rules = named.game.rules();
    let file = file_bytes(rules, &named.game.descriptor());
    let memory = limits::memory_bytes(rules);
    if args.json {
        let mut object = info::of_rules(rules);
        object.insert("file_bytes".into(), json!(file));
        object.insert("memory_bytes".into(), json!(memory));
        return output::print_json(&object.into());
    }
    let folder = places.folders().first().map(|folder| target::nearest_folder(&folder.join("table")));
    let disk = folder.map_or(Ok(()), |folder| limits::check_disk(&folder, file, rules));
    let here = match limits::check_memory(rules, None).and(disk) {
        Ok(()) => format!("yes: 'tablegen build {}' builds it", named.typed),
        Err(Failure::Told { message, .. }) => format!("no: {message}"),
        Err(Failure::NobodyReads) => String::new(),
    };
    let size = |bytes: Option<u64>| bytes.map_or_else(|| "more than any machine has".into(), words::bytes);
    output::print(&format!(
        "{}\n  positions  {}\n  file       {}\n  memory     {}\n  fits here  {here}\n",
        rules.name,
        words::positions(rules),
        size(file),
        size(memory),
    ))
}
