//! `tablegen build`: solve a game and write its table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;
use tablegen::game::Game;
use tablegen::rules::{Place, Rules};
use tablegen::solve::dense::Kernel;
use tablegen::solve::{self, Options, Solution};
use tablegen::table::{Draft, Table, TableError, TableFault, file_bytes};

use super::failure::{self, Failure};
use super::progress::Progress;
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
    #[arg(long, value_name = "LABEL,…", value_delimiter = ',', default_value = "outcome")]
    labels: Vec<String>,
    /// Number of threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Use at most this much memory, 4GiB for instance [default: what is available]
    #[arg(long, value_name = "SIZE", value_parser = limits::parse_size)]
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
    if !args.force {
        target::check_content(&path, rules)?;
    }
    limits::check_memory(rules, args.memory)?;
    let descriptor = game.descriptor();
    limits::check_disk(&target::nearest_folder(&path), file_bytes(rules, &descriptor), rules)?;
    target::prepare_folder(&path, args.output.is_none())?;

    interrupt::handle();
    let figures = match args.threads {
        None => solve_and_save(game, &path, default_threads()),
        Some(threads) => {
            let threads = usize::from(threads);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|e| Failure::resources(format!("cannot start {threads} threads: {e}")))?;
            pool.install(|| solve_and_save(game, &path, threads))
        }
    }?;
    let seconds = begun.elapsed().as_secs_f64();
    report(args, game, &path, &Figures { seconds, ..figures })
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
        (None, Some(folder)) => Ok(folder.join(format!("{}.tb", rules.name))),
        (None, None) => {
            Err(Failure::usage("there is no folder for tables here").hint("name one with --tables, or a file with -o"))
        }
    }
}

/// Threads that the global pool has, or would have: asking the pool itself would start them.
fn default_threads() -> usize {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok()).filter(|&n| n > 0);
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn solve_and_save(game: &dyn Game, path: &Path, threads: usize) -> Result<Figures, Failure> {
    let solution = solve(game)?;
    let sweep_seconds = solution.sweep_time().as_secs_f64();
    save(game, &solution, path).map_err(|e| of_writing(&e))?;
    Ok(Figures { seconds: 0.0, sweep_seconds, threads, kernel: solution.kernel() })
    // The memory is given back here: reading the table takes none.
}

/// Solves `game`, with a progress bar.
fn solve(game: &dyn Game) -> Result<Solution, Failure> {
    let rules = game.rules();
    let progress = Progress::new(&rules.name, "positions", rules.positions() as u64);
    let told = |positions| progress.add(positions);
    let options = Options { progress: Some(&told), kernel: Kernel::asked_for()?, ..Options::default() };
    Ok(solve::dense(rules, &options)?)
}

fn save(game: &dyn Game, solution: &Solution, path: &Path) -> Result<(), TableError> {
    let (rules, descriptor) = (game.rules(), game.descriptor());
    let draft = Draft { rules, descriptor: &descriptor, layout: solution.layout(), planes: solution.planes() };
    interrupt::guarding(|temporary| draft.save_with(path, temporary))
}

/// A table that cannot be written: for want of room, or because its place is no place for one.
fn of_writing(error: &TableError) -> Failure {
    if error.is_storage_full() {
        return Failure::resources(error).hint("make room, or name another place with -o; nothing was left behind");
    }
    match error.fault {
        TableFault::Io(_) => Failure::usage(error).hint("name another place with -o"),
        _ => failure::of_reading(error),
    }
}

fn report(args: &Args, game: &dyn Game, path: &Path, figures: &Figures) -> Result<(), Failure> {
    let table = Table::open(path).map_err(|e| failure::of_reading(&e))?;
    let rules = game.rules();
    let found = tables::Found { game: tables::game_of(&table), table };
    let per_second = rules.positions() as f64 / figures.sweep_seconds.max(1e-9);
    if args.json {
        let mut object = info::facts(&found)?;
        object.insert("seconds".into(), json!(figures.seconds));
        object.insert("sweep_seconds".into(), json!(figures.sweep_seconds));
        object.insert("positions_per_second".into(), json!(per_second));
        object.insert("threads".into(), json!(figures.threads));
        object.insert("kernel".into(), json!(figures.kernel));
        object.insert("peak_bytes".into(), json!(limits::peak_bytes()));
        return output::print_json(&object.into());
    }
    let start = info::start(&found)?.value.outcome;
    let style = words::style(start);
    let opening = if rules.first_place() == Place::Opening { " (any opening)" } else { "" };
    output::print(&format!(
        "{}\n  table      {}, {}\n  positions  {}\n  outcomes   {}\n  start      {style}{}{style:#}{opening}\n  \
         time       {}, of which {} for the sweep: {} positions/s ({}, {})\n",
        rules.name,
        path.display(),
        words::bytes(found.table.file_bytes()),
        words::positions(rules),
        info::outcomes(&found.table),
        words::of_start(start),
        words::seconds(figures.seconds),
        words::seconds(figures.sweep_seconds),
        words::rate(per_second),
        words::counted(figures.threads as u64, "thread"),
        figures.kernel,
    ))
}
