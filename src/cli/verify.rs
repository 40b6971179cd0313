//! `tablegen verify`: check a table, its bytes, its labels, and against a solver of another kind.

use std::ffi::OsString;
use std::time::Instant;

use clap::ValueEnum;
use serde_json::{Value, json};
use tablegen::oracle::{self, verify_oracle};
use tablegen::table::{Finding, Labels, Table, verify_bytes, verify_labels};

use super::failure::{Failure, Status};
use super::progress::Progress;
use super::subject::GameOptions;
use super::tables::Places;
use super::{help, interrupt, limits, output, words};

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

impl Level {
    const ALL: [Self; 3] = [Self::Bytes, Self::Labels, Self::Oracle];

    const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Labels => "labels",
            Self::Oracle => "oracle",
        }
    }
}

/// Most positions of a table whose every label the oracle is asked of unasked, and how many it is of a larger one.
const ALL_OF: u64 = 1 << 20;
const SAMPLE: u64 = 2_000;

/// A check that was made.
struct Check {
    level: Level,
    checked: u64,
    /// Labels that the oracle could say nothing of.
    unknown: u64,
    /// Where they were drawn, how many and from which seed.
    sample: Option<(u64, u64)>,
    seconds: f64,
    finding: Option<Finding>,
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    let asked = |level: &Level| args.level.is_empty() || args.level.contains(level);
    if args.sample.is_some() && !asked(&Level::Labels) && !asked(&Level::Oracle) {
        return Err(Failure::usage("--sample is for --level labels and oracle, which are not asked for; leave it out"));
    }
    if args.all && !asked(&Level::Oracle) {
        return Err(Failure::usage("--all is for --level oracle, which is not asked for; leave it out"));
    }
    let found = places.open(&args.subject, &args.options)?;
    let table = &found.table;
    limits::start_threads()?;
    interrupt::handle();
    let mut checks = Vec::new();
    for level in Level::ALL.into_iter().filter(asked) {
        let check = check(args, table, level);
        let failed = check.finding.is_some();
        checks.push(check);
        if failed {
            break;
        }
    }
    let name = &table.rules().name();
    let printed = if args.json {
        let ok = checks.iter().all(|check| check.finding.is_none());
        let checks: Vec<Value> = checks.iter().map(to_json).collect();
        output::print_json(&json!({"game": name, "source": found.source(), "ok": ok, "checks": checks}))
    } else {
        let mut text = format!("{name}\n  table   {}\n", words::source(table));
        for check in checks.iter().filter(|check| check.finding.is_none()) {
            let time = words::seconds(check.seconds);
            text += &format!("  {:<7} {}  ({time})\n", check.level.name(), in_words(check));
        }
        output::print(&text)
    };
    match checks.iter().find_map(|check| Some((check.level, check.finding.as_ref()?))) {
        None => printed,
        // That a check did not hold comes first, whether or not anybody reads which ones did.
        Some((level, finding)) => {
            let message = format!("{}: the check of its {} does not hold: {finding}", found.source(), level.name());
            Err(Failure::new(Status::Check, message).hint("build it again with 'tablegen build'"))
        }
    }
}

fn check(args: &Args, table: &Table, level: Level) -> Check {
    let begun = Instant::now();
    let name = &table.rules().name();
    let every = table.counts().total();
    let drawn = args.sample.map(|count| (count, args.seed));
    let sample = match level {
        Level::Bytes => None,
        Level::Labels => drawn,
        // To look ahead from every position is as quick as from as many draws, and more.
        Level::Oracle if args.all || drawn.map_or(every <= ALL_OF, |(count, _)| count >= every) => None,
        Level::Oracle => drawn.or(Some((SAMPLE, args.seed))),
    };
    let (labels, total) = match sample {
        None => (Labels::All, every),
        Some((count, seed)) => (Labels::Sample { count, seed }, count),
    };
    let mut unknown = 0;
    let (checked, finding) = match level {
        Level::Bytes => {
            let bytes = table.file_bytes();
            let progress = Progress::new(name, "bytes", bytes);
            (bytes, verify_bytes(table, &|bytes| progress.add(bytes)).err())
        }
        Level::Labels => {
            let progress = Progress::new(name, "labels", total);
            match verify_labels(table, labels, &|labels| progress.add(labels)) {
                Ok(checked) => (checked, None),
                Err(finding) => (total, Some(finding)),
            }
        }
        Level::Oracle => {
            let progress = Progress::new(name, "labels", total);
            match verify_oracle(table, labels, oracle::LIMIT, &|labels| progress.add(labels)) {
                Ok(checked) => {
                    unknown = checked.unknown;
                    (checked.right, None)
                }
                Err(finding) => (total, Some(finding)),
            }
        }
    };
    Check { level, checked, unknown, sample, seconds: begun.elapsed().as_secs_f64(), finding }
}

fn in_words(check: &Check) -> String {
    let labels = words::counted(check.checked, "label");
    let mut text = match (check.level, check.sample) {
        (Level::Bytes, _) => return format!("right: {} hold their checksums", words::bytes(check.checked)),
        (Level::Labels, None) => return format!("right: each of {labels} follows from its successors"),
        (Level::Labels, Some((_, seed))) => {
            return format!("right as far as seen: {labels} drawn with seed {seed}, a sample and no proof");
        }
        (Level::Oracle, None) => format!("right: a search finds the same as {labels}"),
        (Level::Oracle, Some((_, seed))) => {
            format!("right as far as seen: a search finds the same as {labels} drawn with seed {seed}")
        }
    };
    if check.unknown > 0 {
        let unknown = words::counted(check.unknown, "label");
        text += &format!("; of {unknown} it could say nothing within {} positions", oracle::LIMIT);
    }
    text
}

fn to_json(check: &Check) -> Value {
    let mut object = json!({
        "level": check.level.name(),
        "ok": check.finding.is_none(),
        "checked": check.checked,
        "seconds": check.seconds,
    });
    if check.level == Level::Oracle {
        object["unknown"] = json!(check.unknown);
    }
    if let Some((count, seed)) = check.sample {
        object["sample"] = json!({"count": count, "seed": seed});
    }
    if let Some(finding) = &check.finding {
        object["finding"] = json!(finding.to_string());
    }
    object
}
