//! `tablegen verify`: check a table, its bytes and its labels.

use std::ffi::OsString;
use std::time::Instant;

use clap::ValueEnum;
use serde_json::{Value, json};
use tablegen::table::{Finding, Labels, Table, verify_bytes, verify_labels};

use super::failure::{Failure, Status};
use super::progress::Progress;
use super::subject::GameOptions;
use super::tables::Places;
use super::{help, interrupt, output, words};

/// Check a table: its bytes against their checksums, its labels against the rules.
///
/// A label is right when it follows from those of the positions its moves lead to. That each of them does proves them
/// all.
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
    /// Recompute N labels only, drawn at random: quick, and no proof
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the draw; the same seed draws the same labels
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "sample")]
    seed: u64,
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
}

impl Level {
    const ALL: [Self; 2] = [Self::Bytes, Self::Labels];

    const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Labels => "labels",
        }
    }
}

/// A check that was made.
struct Check {
    level: Level,
    checked: u64,
    seconds: f64,
    finding: Option<Finding>,
}

pub(super) fn run(args: &Args, places: &Places) -> Result<(), Failure> {
    if args.sample.is_some() && !args.level.is_empty() && !args.level.contains(&Level::Labels) {
        return Err(Failure::usage("--sample is for --level labels, which is not asked for; leave it out"));
    }
    let found = places.open(&args.subject, &args.options)?;
    let table = &found.table;
    interrupt::handle();
    let asked = |level: &Level| args.level.is_empty() || args.level.contains(level);
    let mut checks = Vec::new();
    for level in Level::ALL.into_iter().filter(asked) {
        let check = check(args, table, level);
        let failed = check.finding.is_some();
        checks.push(check);
        if failed {
            break;
        }
    }
    let name = &table.rules().name;
    if args.json {
        let ok = checks.iter().all(|check| check.finding.is_none());
        let checks: Vec<Value> = checks.iter().map(|check| to_json(args, check)).collect();
        output::print_json(&json!({"game": name, "source": found.source(), "ok": ok, "checks": checks}))?;
    } else {
        let mut text = format!("{name}\n  table   {}\n", found.source());
        for check in checks.iter().filter(|check| check.finding.is_none()) {
            let time = words::seconds(check.seconds);
            text += &format!("  {:<7} {}  ({time})\n", check.level.name(), in_words(args, check));
        }
        output::print(&text)?;
    }
    match checks.iter().find_map(|check| Some((check.level, check.finding.as_ref()?))) {
        None => Ok(()),
        Some((level, finding)) => {
            let message = format!("{}: the check of its {} does not hold: {finding}", found.source(), level.name());
            Err(Failure::new(Status::Check, message).hint("build it again with 'tablegen build'"))
        }
    }
}

fn check(args: &Args, table: &Table, level: Level) -> Check {
    let begun = Instant::now();
    let rules = table.rules();
    let (checked, finding) = match level {
        Level::Bytes => {
            let bytes = table.file_bytes();
            let progress = Progress::new(&rules.name, "bytes", bytes);
            (bytes, verify_bytes(table, &|bytes| progress.add(bytes)).err())
        }
        Level::Labels => {
            let every = rules.positions() as u64;
            let (labels, total) = match args.sample {
                None => (Labels::All, every),
                Some(count) => (Labels::Sample { count, seed: args.seed }, count),
            };
            let progress = Progress::new(&rules.name, "labels", total);
            match verify_labels(table, labels, &|labels| progress.add(labels)) {
                Ok(checked) => (checked, None),
                Err(finding) => (total, Some(finding)),
            }
        }
    };
    Check { level, checked, seconds: begun.elapsed().as_secs_f64(), finding }
}

fn in_words(args: &Args, check: &Check) -> String {
    match (check.level, args.sample) {
        (Level::Bytes, _) => format!("right: {} hold their checksums", words::bytes(check.checked)),
        (Level::Labels, None) => {
            format!("right: each of {} follows from its successors", words::counted(check.checked, "label"))
        }
        (Level::Labels, Some(_)) => {
            let labels = words::counted(check.checked, "label");
            format!("right as far as seen: {labels} drawn with seed {}, a sample and no proof", args.seed)
        }
    }
}

fn to_json(args: &Args, check: &Check) -> Value {
    let mut object = json!({
        "level": check.level.name(),
        "ok": check.finding.is_none(),
        "checked": check.checked,
        "seconds": check.seconds,
    });
    if let (Level::Labels, Some(count)) = (check.level, args.sample) {
        object["sample"] = json!({"count": count, "seed": args.seed});
    }
    if let Some(finding) = &check.finding {
        object["finding"] = json!(finding.to_string());
    }
    object
}
