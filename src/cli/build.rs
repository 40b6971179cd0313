//! `tablegen build`: solve a game and write its table.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::HumanBytes;
use tablegen::engine::{
    BuildOptions, Built, Compress, DiskNeed, Engine, EngineError, MAX_THREADS, TableFacts, UseSymmetry, json,
};
use tablegen::game::Game;
use tablegen::rules::{Node, Outcome};
use tablegen::table::{Table, TableError, TableFault};

use super::failure::Failure;
use super::game_options::GameOptions;
use super::labels::Labels;
use super::output::note;
use super::progress::Bar;
use super::report::Report;
use super::session::Session;
use super::solver::{self, Solver};
use super::{bus_error, help, interrupt, size, text, words};

/// Solve a game and write its table.
///
/// The table is written to DIR/NAME.tb, where DIR is the first folder searched for tables and NAME is the name of the
/// rules. The file appears only when it is complete, and replaces an older table of the same rules.
///
/// The new table also has the labels of the older table, or of a table embedded in the program whose place it takes.
/// These labels are copied, and only missing labels are solved. If no label is missing, and the compression does not
/// change either, all labels are solved again. With --force, the new table has only the labels asked for.
#[derive(clap::Args)]
#[command(after_help = help::of("build"))]
pub(super) struct Args {
    /// A game from 'tablegen list', or a rules file (*.toml)
    #[arg(value_name = "GAME")]
    game: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// Write the table to FILE [default: DIR/NAME.tb]
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    #[command(flatten)]
    labels: Labels,
    /// Use this solver [default: chosen for the game; 'tablegen estimate' says why]
    #[arg(long, value_name = "SOLVER", value_parser = solver::solvers())]
    solver: Option<&'static Solver>,
    /// Solve and store only one of several symmetric positions (sparse and cyclic tables, tables by regions) or slices (other tables)
    #[arg(long, value_name = "WHICH", value_parser = solver::symmetry(), default_value = "auto")]
    symmetry: UseSymmetry,
    /// Compress the labels with zstd, in blocks that a probe decompresses one by one; alone, it means 'on'
    #[arg(long, value_name = "WHICH", value_parser = solver::compress(), num_args = 0..=1, default_value = "auto", default_missing_value = "on")]
    compress: Compress,
    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Use at most SIZE of memory, 4GiB for instance; a dense or two-colour table that does not fit is solved slice by
    /// slice, on disk [default: three quarters of the available memory]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size::parse)]
    memory: Option<u64>,
    /// Write checkpoints into DIR [default: the folder of the table]
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    scratch: Option<PathBuf>,
    /// Start over instead of resuming a stopped build
    #[arg(long)]
    restart: bool,
    /// Replace an existing file, and reuse none of its labels
    #[arg(long)]
    force: bool,
    /// Do not ask before writing a table of 8 GiB or more
    #[arg(long)]
    yes: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Joins an engine to the other ranks of a build, or returns it as it is.
pub(super) type Join<'a> = &'a dyn Fn(Engine, &dyn Game, &BuildOptions) -> Result<Engine, EngineError>;

/// The game, the engine and the options that `args` describe.
fn requested(args: &Args, session: &Session, join: Join<'_>) -> Result<(Box<dyn Game>, Engine, BuildOptions), Failure> {
    let named = args.options.game(&args.game)?;
    let labels = args.labels.set(named.game.as_ref())?;
    let mut engine = session.solving_engine()?;
    if let Some(threads) = args.threads {
        engine = engine.with_threads(Some(threads.into()));
    }
    let options = BuildOptions {
        output: args.output.clone(),
        method: args.solver.map(|solver| solver.method),
        symmetry: args.symmetry,
        compress: args.compress,
        labels,
        values: args.labels.values(),
        memory: args.memory,
        scratch: args.scratch.clone(),
        restart: args.restart,
        force: args.force,
    };
    let engine = join(engine, named.game.as_ref(), &options)?;
    Ok((named.game, engine, options))
}

/// Helps rank 0 with a build, and returns the exit status of this process.
#[cfg(feature = "mpi")]
pub(super) fn help(args: &Args, session: &Session, join: Join<'_>) -> Result<u8, Failure> {
    let (game, engine, options) = requested(args, session, join)?;
    Ok(engine.help(game.as_ref(), &options)?)
}

/// Builds the table, together with the ranks that the engine joins, if it joins any.
pub(super) fn run(args: &Args, session: &Session, join: Join<'_>) -> Result<(), Failure> {
    let begun = Instant::now();
    let (game, engine, options) = requested(args, session, join)?;
    interrupt::handle();
    // Choosing a solver may also take a while.
    let choosing = Bar::of_phases(game.rules().name());
    let plan = engine.plan(game, &options)?;
    drop(choosing);
    if args.symmetry == UseSymmetry::Always && plan.symmetry().is_trivial() {
        let (name, method) = (plan.game().rules().name(), plan.choice().method.name());
        note(&format!(
            "--symmetry always: the {method} solver can use no symmetry of {name}, so it stores all positions"
        ));
    }
    if let Some(disk) = plan.disk() {
        agree(disk, plan.game().rules().name(), args.yes)?;
    }
    let bar = Bar::of_phases(plan.game().rules().name());
    let older = plan.kept().and_then(Table::path).map(Path::to_path_buf);
    plan.kept().into_iter().for_each(bus_error::watch);
    let checkpoints = plan.checkpoints().map(Path::to_path_buf);
    checkpoints.iter().for_each(|folder| interrupt::keep_checkpoint(folder));
    let watch = |progress| bar.tell(progress);
    let failed = |error| stopped(&error, checkpoints.as_deref());
    let solved = plan.solve(Some(&watch)).map_err(failed)?;
    let built = interrupt::write_guarded(|temporary| solved.save(temporary, Some(&watch))).map_err(failed)?;
    drop(bar);
    if let (Some(path), Some(damage)) = (older, &built.how.damage) {
        note(&format!("{}: {damage}; none of its labels were reused, and all labels were solved", path.display()));
    }
    report(&built, begun.elapsed().as_secs_f64())?.print(args.json)
}

/// The failure of a build, with a note on its checkpoint in the folder `checkpoints`.
fn stopped(error: &EngineError, checkpoints: Option<&Path>) -> Failure {
    let failure = Failure::of(error);
    match error {
        // The other ranks print that as well.
        EngineError::Team(_) => failure,
        // The folder belongs to another build.
        EngineError::Write(TableError { fault: TableFault::Busy { .. }, .. }) => failure,
        _ => failure.hint(interrupt::left(checkpoints)),
    }
}

/// Warns if the table may fill its disk, and asks the user before writing a large table.
fn agree(disk: &DiskNeed, name: &str, yes: bool) -> Result<(), Failure> {
    if disk.may_fill() {
        note(&format!("warning: {name} may not fit on the disk: {}", words::disk(disk)));
    }
    if yes || !disk.is_large() {
        return Ok(());
    }
    let size = HumanBytes(disk.expected());
    let refused = |found: &str| {
        let expected = format!("cannot build {name}: expected permission to write about {size}, found {found}");
        Failure::usage(expected).hint("try --yes, or see the sizes with 'tablegen estimate'")
    };
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Err(refused("no --yes and no terminal"));
    }
    let mut stderr = io::stderr();
    let _ = write!(stderr, "{name}: about {size} will be written to {}; continue? [y/N] ", disk.folder.display());
    let _ = stderr.flush();
    let mut answer = String::new();
    let is_read = io::stdin().read_line(&mut answer).is_ok();
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" if is_read => Ok(()),
        _ => Err(refused("an answer other than yes")),
    }
}

fn report(built: &Built, seconds: f64) -> Result<Report, Failure> {
    let facts = TableFacts::of(&built.open)?;
    let chooses = built.open.game.rules().start_node() == Node::Opening && facts.start.outcome == Outcome::Win;
    let opening = if chooses { " (and chooses the opening)" } else { "" };
    let mut report = Report::new(facts.rules.name.clone(), json::built(built, &facts, seconds));
    report.row("table", format!("{}, {}", text::one_line(&facts.source), text::bytes(facts.file_bytes)));
    report.row("part", words::part(facts.part.as_ref()));
    report.row("compressed", words::compression(&facts));
    report.row("solver", words::solver(&built.choice));
    report.row("instead", words::other_solvers(&built.choice, None));
    report.row("positions", words::held(&facts.rules, facts.reachable, facts.regions));
    report.row("regions", words::regions(&facts));
    report.row("symmetry", words::symmetry_classes(&facts));
    if let Some(slices) = &built.how.slices {
        report.row("slices", words::slices(&built.choice, slices));
    }
    report.row("levels", words::levels_kept(built.how.levels));
    report.row("resumed", words::regions_kept(built.how.resumed_regions));
    if let Some(ranks) = &built.how.ranks {
        report.row("ranks", words::ranks(ranks));
    }
    report.row("labels", labels(built, &facts));
    if let Some((boards, values)) = facts.values {
        let time = built.how.value_time.map(|time| format!(", found in {}", text::seconds(time.as_secs_f64())));
        report.row("values", words::value_counts(boards, values) + &time.unwrap_or_default());
    }
    report.row("outcomes", words::counts(&facts));
    report.row("all", words::every(&facts));
    if facts.part.is_none() {
        report.row("start", words::start_value(&facts) + opening);
    }
    report.row("class", words::class(&facts));
    report.row("time", time(built, &facts, seconds));
    Ok(report)
}

/// The time of the whole build, and how much of it labelling took, if any label was solved.
fn time(built: &Built, facts: &TableFacts, seconds: f64) -> String {
    let all = text::seconds(seconds);
    if built.solved().is_empty() {
        return all;
    }
    let work = <&Solver>::from(built.choice.method).work;
    let positions = match facts.symmetry.as_ref().is_some_and(|symmetry| symmetry.orbits.is_some()) {
        true => "representatives",
        false => "positions",
    };
    let rate = Some(built.positions_per_second()).filter(|&rate| rate > 0.0);
    format!(
        "{all}, of which {} for {work}{} ({}, {})",
        text::seconds(built.how.solve_time.as_secs_f64()),
        rate.map(|rate| format!(": {} {positions}/s", text::rate(rate))).unwrap_or_default(),
        text::counted(built.how.threads as u64, "thread"),
        built.how.program,
    )
}

/// The labels of the table. If some were kept, the text also says which labels were kept and which were solved.
fn labels(built: &Built, facts: &TableFacts) -> String {
    let all = words::labels(facts);
    if built.how.kept.is_empty() {
        return all;
    }
    if built.solved().is_empty() {
        return format!("{all} (kept)");
    }
    format!("{all} ({} kept, {} solved)", built.how.kept.join(" and "), built.solved().join(" and "))
}
