//! `tablegen build`: solve a game and write its table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;
use tablegen::game::Game;
use tablegen::rules::{Node, Outcome, Rules};
use tablegen::table::{Table, file_bytes};

use super::failure::{self, Failure};
use super::solving::{self, Bounds, Choice, Solver};
use super::subject::GameOptions;
use super::tables::{self, Places};
use super::{help, info, interrupt, limits, output, target, words};

/// Solve a game and write its table.
///
/// The table goes to DIR/NAME.tb, DIR being the first folder that tables are looked for in and NAME that of the rules.
/// It appears whole or not at all. An older table of the same rules, or a damaged one, is replaced.
#[derive(clap::Args)]
#[command(after_help = help::build())]
pub(super) struct Args {
    /// Name of a game, see 'tablegen list'
    #[arg(value_name = "GAME")]
    game: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// Write the table to FILE
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// What to store of each position; only outcome so far
    #[arg(long, value_name = "LABEL,...", value_delimiter = ',', default_value = "outcome")]
    labels: Vec<String>,
    /// How to solve: every board, or only those that play can reach [default: as the game and its size suggest]
    #[arg(long, value_name = "SOLVER", value_enum)]
    solver: Option<Solver>,
    /// Number of threads [default: one a core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=limits::MOST_THREADS as i64))]
    threads: Option<u16>,
    /// Use at most this much memory, 4GiB for instance [default: what is available]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = limits::parse_size)]
    memory: Option<u64>,
    /// Replace whatever file is there
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How long it took, and with what.
struct Figures {
    seconds: f64,
    sweep_seconds: f64,
    positions: u128,
    threads: usize,
    kernel: &'static str,
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let begun = Instant::now();
    let named = args.options.game(&args.game)?;
    let game = named.game.as_ref();
    let rules = game.rules();
    check_labels(&args.labels)?;

    let path = target(args, places, rules)?;
    target::check_place(&path)?;
    let path = target::resolve(&path);
    if !args.force {
        target::check_content(&path, rules)?;
    }
    let choice = solving::choose(game, args.solver, args.memory);
    if choice.solver == Solver::Dense {
        limits::check_memory(rules, args.memory)?;
    }
    target::remove_abandoned(target::folder_of(&path));
    if choice.solver == Solver::Dense {
        limits::check_disk(&target::nearest_folder(&path), file_bytes(rules, &game.descriptor()), rules)?;
    }
    target::prepare_folder(&path, args.output.is_none())?;

    interrupt::handle();
    let figures = match args.threads {
        None => {
            let threads = limits::start_threads()?;
            solve_and_save(args, game, &choice, &path, threads)
        }
        Some(threads) => {
            let threads = usize::from(threads);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|e| limits::no_threads(threads, &e))?;
            pool.install(|| solve_and_save(args, game, &choice, &path, threads))
        }
    }?;
    let seconds = begun.elapsed().as_secs_f64();
    report(args, game, &choice, &path, &Figures { seconds, ..figures })
}

fn check_labels(labels: &[String]) -> Result<(), Failure> {
    for label in labels {
        match label.trim() {
            "outcome" => {}
            "remoteness" | "nimber" => {
                let message = format!("--labels: this version stores outcome only, found {label}");
                return Err(Failure::usage(message).hint("leave it out"));
            }
            _ => {
                let expected = "--labels: outcome, remoteness or nimber is expected";
                return Err(Failure::usage(format!("{expected}, found {label:?}")).hint("see 'tablegen build --help'"));
            }
        }
    }
    Ok(())
}

/// The file to write.
fn target(args: &Args, places: &Places, rules: &Rules) -> Result<PathBuf, Failure> {
    match (&args.output, places.folders().first()) {
        (Some(file), _) => Ok(file.clone()),
        (None, Some(folder)) => Ok(folder.join(format!("{}.tb", rules.name()))),
        (None, None) => {
            Err(Failure::usage("there is no folder for tables here").hint("name one with --tables, or a file with -o"))
        }
    }
}

fn solve_and_save(
    args: &Args,
    game: &dyn Game,
    choice: &Choice,
    path: &Path,
    threads: usize,
) -> Result<Figures, Failure> {
    let solved = solving::solve(game, choice.solver, Bounds { memory: args.memory, most: None })?;
    solved.save(game, path)?;
    let (sweep_seconds, positions) = (solved.time().as_secs_f64(), solved.positions(game.rules()));
    Ok(Figures { seconds: 0.0, sweep_seconds, positions, threads, kernel: solved.kernel() })
    // The memory is given back here: reading the table takes none.
}

fn report(args: &Args, game: &dyn Game, choice: &Choice, path: &Path, figures: &Figures) -> Result<(), Failure> {
    let table = Table::open(path).map_err(|e| failure::of_reading(&e))?;
    let rules = game.rules();
    let found = tables::Found { game: tables::game_of(&table), table };
    let per_second = figures.positions as f64 / figures.sweep_seconds.max(1e-9);
    if args.json {
        let mut object = info::facts(&found)?;
        object.insert("seconds".into(), json!(figures.seconds));
        object.insert("sweep_seconds".into(), json!(figures.sweep_seconds));
        object.insert("positions_per_second".into(), json!(per_second));
        object.insert("threads".into(), json!(figures.threads));
        object.insert("kernel".into(), json!(figures.kernel));
        object.insert("solver".into(), json!(choice.solver.name()));
        object.insert("solver_reason".into(), json!(choice.why));
        object.insert("peak_bytes".into(), json!(limits::peak_bytes()));
        return output::print_json(&object.into());
    }
    let start = info::start(&found)?.value.outcome;
    let style = words::style(start);
    let opening =
        if rules.start_node() == Node::Opening && start == Outcome::Win { " (he chooses the opening)" } else { "" };
    output::print(&format!(
        "{}\n  table      {}, {}\n  solver     {}: {}\n  positions  {}\n  outcomes   {}\n  start      {style}{}{style:#}{opening}\n  \
         time       {}, of which {} for {}: {} positions/s ({}, {})\n",
        rules.name(),
        words::source(&found.table),
        words::bytes(found.table.file_bytes()),
        choice.solver.name(),
        choice.why,
        info::positions(&found.table),
        info::outcomes(&found.table),
        words::of_start(start),
        words::seconds(figures.seconds),
        words::seconds(figures.sweep_seconds),
        match choice.solver {
            Solver::Dense => "the sweep",
            Solver::Sparse => "finding and labelling",
        },
        words::rate(per_second),
        words::counted(figures.threads as u64, "thread"),
        figures.kernel,
    ))
}
