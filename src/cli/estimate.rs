//! `tablegen estimate`: how large a game is, before anything is built.

use std::ffi::OsString;

use serde_json::json;
use tablegen::solve::sparse::SparseError;
use tablegen::table::{file_bytes, reached_file_bytes};

use super::failure::Failure;
use super::solving::{self, Choice, Solver};
use super::subject::{GameOptions, Named};
use super::tables::Places;
use super::{help, info, limits, output, target, words};

/// Say how large a game is; nothing is built.
///
/// The memory is what a build takes at its peak, the disk what its table takes. Where a table holds only what play can
/// reach, that is counted, up to 2^24 positions.
#[derive(clap::Args)]
#[command(after_help = help::estimate())]
pub(super) struct Args {
    /// Name of a game, see 'tablegen list'
    #[arg(value_name = "GAME")]
    game: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// The solver to estimate for [default: the one that 'build' would take]
    #[arg(long, value_name = "SOLVER", value_enum)]
    solver: Option<Solver>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let named = args.options.game(&args.game)?;
    let (game, rules) = (named.game.as_ref(), named.game.rules());
    let choice = solving::choose(game, args.solver, None);
    if choice.solver == Solver::Sparse {
        return reachable(args, &named, &choice);
    }
    let file = file_bytes(rules, &game.descriptor());
    let memory = limits::memory_bytes(rules);
    if args.json {
        let mut object = info::of_rules(rules);
        object.insert("file_bytes".into(), json!(file));
        object.insert("memory_bytes".into(), json!(memory));
        object.insert("solver".into(), json!(choice.solver.name()));
        return output::print_json(&object.into());
    }
    let folder = places.folders().first().map(|folder| target::nearest_folder(&folder.join("table")));
    let disk = folder.map_or(Ok(()), |folder| limits::check_disk(&folder, file, rules));
    let here = match limits::check_memory(rules, None).and(disk) {
        Ok(()) => format!("yes: 'tablegen build {}' builds it", typed(args, &named)),
        Err(Failure::Message { message, .. }) => format!("no: {message}"),
        Err(Failure::BrokenPipe) => String::new(),
    };
    let size = |bytes: Option<u64>| bytes.map_or_else(|| "more than any machine has".into(), words::bytes);
    output::print(&format!(
        "{}\n  solver     dense: {}\n  positions  {}\n  file       {}\n  memory     {}\n  fits here  {here}\n",
        rules.name(),
        choice.why,
        words::positions(rules),
        size(file),
        size(memory),
    ))
}

/// What a build of the same would be asked.
fn typed(args: &Args, named: &Named) -> String {
    let solver = args.solver.map_or_else(String::new, |solver| format!(" --solver {}", solver.name()));
    named.typed.clone() + &solver
}

/// Most positions that are counted.
const COUNTED: u64 = 1 << 24;

/// The estimate of a table that holds only what play can reach: those positions are counted.
fn reachable(args: &Args, named: &Named, choice: &Choice) -> Result<(), Failure> {
    let (game, rules) = (named.game.as_ref(), named.game.rules());
    limits::start_threads()?;
    // Before anything is counted, which takes memory of its own.
    let beside = limits::beside();
    let census = match solving::census(game, COUNTED) {
        Ok(census) => Some(census),
        Err(SparseError::Most { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let positions = census.as_ref().map(|census| census.levels.count());
    let file = census.as_ref().and_then(|c| reached_file_bytes(rules, &game.descriptor(), &c.levels, &c.roots));
    let memory = census.as_ref().map(|census| solving::memory_of_sparse(census.peak_bytes, beside));
    if args.json {
        let mut object = info::of_rules(rules);
        object.insert("positions".into(), json!(positions));
        object.insert("positions_at_least".into(), json!(positions.unwrap_or(COUNTED + 1)));
        object.insert("coverage".into(), json!("reachable"));
        object.insert("file_bytes".into(), json!(file));
        object.insert("memory_bytes".into(), json!(memory));
        object.insert("solver".into(), json!(choice.solver.name()));
        return output::print_json(&object.into());
    }
    let size = |bytes: Option<u64>| bytes.map_or_else(|| "known once it is built".into(), words::bytes);
    let counted = positions.map(|count| format!("{}, those that play can reach", indicatif::HumanCount(count)));
    let typed = typed(args, named);
    let here = match memory {
        Some(needed) if limits::available_memory().is_some_and(|had| needed > had) => "no: not enough memory".into(),
        Some(_) => format!("yes: 'tablegen build {typed}' builds it"),
        None => format!("'tablegen build {typed} --memory SIZE' tries, and stops cleanly where it does not"),
    };
    output::print(&format!(
        "{}\n  solver     sparse: {}\n  positions  {}\n  file       {}\n  memory     {}\n  fits here  {here}\n",
        rules.name(),
        choice.why,
        counted.unwrap_or_else(|| format!("{}, those that play can reach", solving::more_than(COUNTED))),
        size(file),
        size(memory),
    ))
}
