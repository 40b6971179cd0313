//! `tablegen verify`: check a table, its bytes, its labels, and against a solver of another kind.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::time::Instant;

use clap::ValueEnum;
use tablegen::engine::{TableCheck, json};
use tablegen::table::Table;
use tablegen::verify::{self, Layer, ORACLE_LIMIT, Options, Scope};

use super::failure::{Failure, Status};
use super::progress::{Bar, Unit};
use super::session::Session;
use super::subject::GameOptions;
use super::{help, interrupt, output, text};

/// Check a table: its bytes against their checksums, its labels against the rules and against a plain search.
///
/// A label is right when it follows from those of the positions its moves lead to. That each of them does proves them
/// all. The oracle shares no code with what made the table: it looks ahead to the end of play. It is asked of every
/// position of a small table, and of a sample of a large one.
#[derive(clap::Args)]
#[command(after_help = help::verify())]
pub(super) struct Args {
    /// Name of a game, see 'tablegen list', or a table file
    #[arg(value_name = "GAME|FILE", value_hint = clap::ValueHint::FilePath)]
    subject: OsString,
    #[command(flatten)]
    options: GameOptions,
    /// What to check; may be given more than once [default: all]
    #[arg(long, value_name = "LEVEL")]
    level: Vec<Level>,
    /// Look at N labels only, drawn at random: quick, and no proof [default: all; for the oracle 2,000 of a large table]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the draw; the same seed draws the same labels
    #[arg(long, value_name = "SEED", default_value_t = 0, allow_negative_numbers = true, requires = "sample")]
    seed: u64,
    /// Ask the oracle of every position, of a large table too
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    /// Every byte has its checksum
    Bytes,
    /// Every label follows from those of its successors
    Labels,
    /// Labels are what a plain search finds
    Oracle,
}

impl From<Level> for Layer {
    fn from(level: Level) -> Self {
        match level {
            Level::Bytes => Self::Bytes,
            Level::Labels => Self::Labels,
            Level::Oracle => Self::Oracle,
        }
    }
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let asked = |layer: &Layer| args.level.is_empty() || args.level.iter().any(|&level| Layer::from(level) == *layer);
    if args.sample.is_some() && !asked(&Layer::Labels) && !asked(&Layer::Oracle) {
        return Err(Failure::usage("--sample is for --level labels and oracle, which are not asked for; leave it out"));
    }
    if args.all && !asked(&Layer::Oracle) {
        return Err(Failure::usage("--all is for --level oracle, which is not asked for; leave it out"));
    }
    let open = session.open(&args.subject, &args.options)?;
    let (table, source) = (&open.table, open.source());
    session.engine()?.start_threads()?;
    interrupt::handle();
    let mut checks = Vec::new();
    for layer in Layer::ALL.into_iter().filter(asked) {
        checks.push(check(args, table, layer));
        if checks.last().is_some_and(|check| check.finding.is_some()) {
            break;
        }
    }
    let name = table.rules().name();
    let printed = if args.json {
        output::print_json(&json::checks(name, &source, &checks))
    } else {
        let mut text = format!("{name}\n  table   {}\n", text::one_line(&source));
        for check in checks.iter().filter(|check| check.finding.is_none()) {
            let time = text::seconds(check.seconds);
            text += &format!("  {:<7} {}  ({time})\n", check.layer.name(), in_words(check));
        }
        output::print(&text)
    };
    match checks.iter().find_map(|check| Some((check.layer, check.finding.as_ref()?))) {
        None => printed,
        // That a check did not hold comes first, whether or not anybody reads which ones did.
        Some((layer, finding)) => {
            let message = format!("{source}: the check of its {} does not hold: {finding}", layer.name());
            Err(Failure::new(Status::Check, message).hint("build it again with 'tablegen build'"))
        }
    }
}

fn check(args: &Args, table: &Table, layer: Layer) -> TableCheck {
    let begun = Instant::now();
    let drawn = args.sample.map(|count| Scope::Sample { count, seed: args.seed });
    let scope = verify::scope(table, layer, if args.all { Some(Scope::All) } else { drawn });
    let (unit, total) = match (layer, scope) {
        (Layer::Bytes, _) => (Unit::Bytes, table.file_bytes()),
        (_, Scope::All) => (Unit::Labels, table.contents().count()),
        (_, Scope::Sample { count, .. }) => (Unit::Labels, count),
    };
    let bar = Bar::new(table.rules().name(), "checking", unit, Some(total));
    let count = |units| {
        bar.add(units);
        ControlFlow::Continue(())
    };
    let options = Options { scope, progress: Some(&count), ..Options::default() };
    let done = match layer {
        Layer::Bytes => verify::bytes(table, &options).map(|bytes| (bytes, 0)),
        Layer::Labels => verify::labels(table, &options).map(|labels| (labels, 0)),
        Layer::Oracle => verify::oracle(table, &options).map(|report| (report.right, report.unknown)),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let (checked, unknown, finding) = match done {
        Ok((checked, unknown)) => (checked, unknown, None),
        Err(finding) => (total, 0, Some(finding)),
    };
    TableCheck { layer, scope, checked, unknown, seconds, finding }
}

fn in_words(check: &TableCheck) -> String {
    let labels = text::counted(check.checked, "label");
    let mut words = match (check.layer, check.scope) {
        (Layer::Bytes, _) => return format!("right: {} hold their checksums", text::bytes(check.checked)),
        (Layer::Labels, Scope::All) => return format!("right: each of {labels} follows from its successors"),
        (Layer::Labels, Scope::Sample { seed, .. }) => {
            return format!("right as far as seen: {labels} drawn with seed {seed}, a sample and no proof");
        }
        (Layer::Oracle, Scope::All) => format!("right: a search finds the same as {labels}"),
        (Layer::Oracle, Scope::Sample { seed, .. }) => {
            format!("right as far as seen: a search finds the same as {labels} drawn with seed {seed}")
        }
    };
    if check.unknown > 0 {
        let unknown = text::counted(check.unknown, "label");
        words += &format!("; of {unknown} it could say nothing within {ORACLE_LIMIT} positions");
    }
    words
}
