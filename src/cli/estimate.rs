//! `tablegen estimate`: the size of a game, before anything is built.

use std::ffi::OsString;

use indicatif::{HumanBytes, HumanCount};
use tablegen::engine::{
    Advice, DiskNeed, Estimate, EstimateOptions, EstimatedPositions, Fits, NumberBytes, Reachable, Resource,
    RulesFacts, Shortage, UseSymmetry, json,
};

use super::counting::Counting;
use super::failure::{self, Failure, in_words};
use super::game_options::GameOptions;
use super::labels::Labels;
use super::report::Report;
use super::session::Session;
use super::solver::{self, Solver};
use super::subject::Named;
use super::{help, interrupt, size, text, words};

/// Estimate the positions, file size, memory and time of a build.
///
/// Nothing is built. The memory is the peak of a build, and the file is the size of its table. For a sparse table, the
/// reachable positions are counted, up to 2^24 of them and for about a second. Beyond that, their number is estimated. The
/// estimate may be too small, for most games by up to a half.
#[derive(clap::Args)]
#[command(after_help = help::of("estimate"))]
pub(super) struct Args {
    /// A game from 'tablegen list', or a rules file (*.toml)
    #[arg(value_name = "GAME")]
    game: OsString,
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    labels: Labels,
    /// Estimate for this solver [default: the solver that 'build' would use]
    #[arg(long, value_name = "SOLVER", value_parser = solver::solvers())]
    solver: Option<&'static Solver>,
    /// Count only one of several symmetric positions (sparse and cyclic tables, tables by regions) or slices (other tables)
    #[arg(long, value_name = "WHICH", value_parser = solver::symmetry(), default_value = "auto")]
    symmetry: UseSymmetry,
    /// Estimate a build with at most SIZE of memory, 4GiB for instance [default: three quarters of the available memory]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size::parse)]
    memory: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let named = args.options.game(&args.game)?;
    let labels = args.labels.set(named.game.as_ref())?;
    let method = args.solver.map(|solver| solver.method);
    interrupt::handle();
    let counting = Counting::new(named.game.rules().name());
    let watch = |progress| counting.tell(progress);
    let options = EstimateOptions { method, symmetry: args.symmetry, labels, values: args.labels.values() };
    let engine = session.engine()?.with_memory(args.memory);
    let estimate = engine.estimate(named.game.as_ref(), &options, Some(&watch))?;
    drop(counting);
    // The arguments of the corresponding build.
    let solver = method.map_or_else(String::new, |method| format!(" --solver {}", method.name()));
    let typed = named.typed.clone() + &args.labels.as_typed(labels) + &solver + &solver::typed_symmetry(args.symmetry);
    let facts = RulesFacts::of(named.game.rules());
    let unknown = <&Solver>::from(estimate.choice.method).unknown_size;
    let size = |bytes: Option<u64>| bytes.map_or_else(|| unknown.into(), text::bytes);
    let (mut slice_facts, mut note, mut time, mut orbits, mut least_file) = (None, "", None, None, None);
    let positions = match &estimate.positions {
        EstimatedPositions::Swept { colourings, compressed, slices, time: sweep } => {
            (slice_facts, time) = (*slices, Some(*sweep));
            note = if *compressed { " before compression" } else { "" };
            match colourings {
                Some(count) => format!("{} (every colouring), not all of them reachable", HumanCount(*count)),
                None => words::positions(&facts),
            }
        }
        EstimatedPositions::Numbered { numbers, boards, regions, compressed, least_file_bytes, time: solving } => {
            (time, least_file) =
                (Some(*solving), least_file_bytes.filter(|_| *least_file_bytes != estimate.file_bytes));
            note = if *compressed { " before compression" } else { "" };
            let regions = text::counted(*regions, "region");
            let stored = if numbers == boards { String::new() } else { format!("; {} stored", HumanCount(*numbers)) };
            format!("{} in {regions}, not all of them reachable{stored}", HumanCount(*boards))
        }
        EstimatedPositions::Found { reachable, representatives } => {
            orbits = *representatives;
            let is_sampled = matches!(reachable, Reachable::About { about, .. } if *about < u64::MAX);
            let note = if is_sampled { "; the true number may be twice as large" } else { "" };
            format!("{} reachable{note}", words::reachable(*reachable))
        }
    };
    let mut report = Report::new(facts.name.clone(), json::estimate(&facts, &estimate));
    report.row("solver", words::solver(&estimate.choice));
    report.row("instead", words::other_solvers(&estimate.choice, time));
    report.row("positions", positions);
    if let Some(group) = &estimate.symmetry {
        report.row("symmetry", words::symmetry(group.name(), group.order(), orbits));
    }
    if let Some((slices, cells)) = slice_facts {
        report.row("slices", words::slice_count(&estimate.choice, slices, cells));
    }
    report.row("labels", estimate.labels.to_string());
    // The plies of a label take one byte or two.
    let least_file = least_file.map_or_else(String::new, |bytes| format!("{} to ", HumanBytes(bytes)));
    report.row("file", least_file + &size(estimate.file_bytes) + note);
    if let Some(values) = estimate.values {
        let least = match values {
            NumberBytes::OfEvery(bytes) => text::bytes(bytes),
            NumberBytes::OfReached => "4 bytes for each reachable board".into(),
        };
        report.row("values", format!("{least} more, and a dictionary whose size is not known before"));
    }
    if let Some(DiskNeed { compressed, free: Some(free), .. }) = &estimate.disk {
        let compressed =
            compressed.map_or_else(String::new, |bytes| format!("about {} after compression; ", HumanBytes(bytes)));
        report.row("disk", format!("{compressed}{} free", HumanBytes(*free)));
    }
    // Positions that were not counted may still be known to be too many.
    let least = match (estimate.memory_bytes, &estimate.shortage) {
        (None, Some(Shortage { resource: Resource::Memory, needed: Some(least), .. })) => {
            format!("at least {}", text::bytes(*least))
        }
        (Some(of_numbers), _) if estimate.values.is_some() => format!("at least {}", text::bytes(of_numbers)),
        (known, _) => size(known),
    };
    report.row("memory", least);
    if let Some(time) = time {
        let time = text::rough_time(time.as_secs_f64());
        let is_swept = matches!(estimate.positions, EstimatedPositions::Swept { .. });
        let work = if is_swept { "sweeping" } else { "solving" };
        let more = if estimate.values.is_some() { "find the values and write the file" } else { "write the file" };
        report.row("time", format!("{time} of {work} on this machine, and the time to {more}"));
    }
    report.row("fits here", fits(&estimate, &named, &typed));
    report.print(args.json)
}

/// Tells whether this machine can build the table of `named`: with which command, or what helps. `typed` are the arguments of the build.
fn fits(estimate: &Estimate, named: &Named, typed: &str) -> String {
    let why = match (&estimate.shortage, estimate.tight_disk(), estimate.fits()) {
        (Some(shortage), ..) => format!("no: {}", in_words(shortage)),
        (None, Some(disk), _) => format!("may not fit: {}", words::disk(disk)),
        (None, None, Fits::Yes) => return format!("yes: 'tablegen build {typed}' builds it"),
        (None, None, _) => {
            return format!(
                "not known before it is built: 'tablegen build {typed}' stops with an error if it does not fit"
            );
        }
    };
    // The best way, and a search, which needs no table.
    let mut ways = estimate.advice(named.game.as_ref());
    let search = ways.pop_if(|last| *last == Advice::Search);
    let ways: Vec<String> = ways.first().copied().into_iter().chain(search).map(|way| in_option(way, named)).collect();
    format!("{why}; {}", ways.join(", or "))
}

/// The advice as an option of this command, or as another command.
fn in_option(advice: Advice, named: &Named) -> String {
    let game = named.game.as_ref();
    match (advice, failure::size_options(game, named.word())) {
        (Advice::Search, _) => "let 'tablegen probe' search positions one by one, without a table".into(),
        (Advice::SmallerGame, Some(options)) => format!("choose a smaller size with {options}"),
        (Advice::Part, _) => {
            let parts: Vec<&str> = game.parts().iter().map(|part| part.name.as_str()).collect();
            format!("choose a part with --part {}", parts.join("|"))
        }
        _ => failure::hint(&[advice]).unwrap_or_default(),
    }
}
