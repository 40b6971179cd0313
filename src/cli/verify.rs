//! `tablegen verify`: checks the bytes and the labels of a table, and compares the labels with an independent search.

use clap::builder::TypedValueParser;
use indicatif::HumanCount;
use tablegen::engine::{PartFacts, TableCheck, json};
use tablegen::label::LabelSet;
use tablegen::table::Table;
use tablegen::verify::{Finding, Layer, Scope};

use super::failure::{Failure, Status, build_again};
use super::one_of::one_of;
use super::progress::{Bar, Unit};
use super::session::Session;
use super::subject::TableArgs;
use super::wrap::{terminal_columns, wrapped};
use super::{help, interrupt, output, text, words};

/// Verify a table: its checksums, its labels against the rules, and its labels against an independent search.
///
/// There are three levels. 'bytes' compares the file with its checksums. 'labels' checks that each label follows from
/// the labels of the successors; if all do, all are right. 'oracle' compares labels with a search to the end of the
/// game: all labels of a small table, a sample of a large one. For outcomes, it shares no code with the solvers.
#[derive(clap::Args)]
#[command(after_help = help::of("verify"))]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Run only this check; may be given more than once [default: all levels]
    #[arg(long, value_name = "LEVEL", value_parser = levels())]
    level: Vec<Layer>,
    /// Check only N random positions, and the start, its next two plies and a line of best play: fast, but not a proof.
    /// Tables of at most N positions are checked in full [default: all; for the oracle, 2,000 of a large table]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the sample: the same seed draws the same positions
    #[arg(long, value_name = "SEED", default_value_t = 0, allow_negative_numbers = true, requires = "sample")]
    seed: u64,
    /// Check every position with the oracle, even in a large table
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Let the oracle look at no more than N positions: for each label, or for all labels together in a game whose positions may
    /// repeat [default: 100,000; 2,000,000 if positions may repeat]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The levels of the check.
fn levels() -> impl TypedValueParser<Value = Layer> {
    one_of(vec![
        ("bytes", Layer::Bytes, "Every byte matches its checksum"),
        ("labels", Layer::Labels, "Every label follows from the labels of its successors"),
        ("oracle", Layer::Oracle, "Every label agrees with an independent search"),
    ])
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let requested = |layer: &Layer| args.level.is_empty() || args.level.contains(layer);
    if args.sample.is_some() && !requested(&Layer::Labels) && !requested(&Layer::Oracle) {
        return Err(Failure::usage(
            "cannot use --sample: expected --level labels or --level oracle, found neither; leave it out",
        ));
    }
    for (option, is_given) in [("--all", args.all), ("--limit", args.limit.is_some())] {
        if is_given && !requested(&Layer::Oracle) {
            let message = format!("cannot use {option}: expected --level oracle, found other levels; leave it out");
            return Err(Failure::usage(message));
        }
    }
    interrupt::handle();
    let (open, rebuild) = args.table.open(session)?;
    let (table, source) = (&open.table, open.source());
    session.engine()?.start_threads()?;
    let mut checks = Vec::new();
    for layer in Layer::ALL.into_iter().filter(requested) {
        checks.push(check(args, table, layer));
        if checks.last().is_some_and(|check| check.finding.is_some()) {
            break;
        }
    }
    let name = table.rules().name();
    let printed = if args.json {
        output::print_json(&json::checks(&open, &checks))
    } else {
        let columns = terminal_columns();
        let mut text = format!("{name}\n{}\n", wrapped("  table   ", &text::one_line(&source), columns));
        if let Some(part) = PartFacts::of(table) {
            text += &(wrapped("  part    ", &words::part(Some(&part)), columns) + "\n");
        }
        for check in checks.iter().filter(|check| check.finding.is_none()) {
            let time = text::seconds(check.seconds);
            let row = format!("{}  ({time})", in_words(check));
            text += &(wrapped(&format!("  {:<7} ", check.layer.name()), &row, columns) + "\n");
        }
        output::print(&text)
    };
    match checks.iter().find_map(|check| Some((check.layer, check.finding.as_ref()?))) {
        None => printed,
        // A failed check has precedence over a failure to print the report.
        Some((layer, finding)) => {
            let message = format!("{source}: the check '{}' failed: {finding}", layer.name());
            let hint = match finding {
                // Only value iteration needs as many positions as are reachable.
                Finding::Undecided { .. } if table.rules().potential().is_none() => {
                    format!("try --limit {}", table.counts().total())
                }
                Finding::Undecided { .. } => "raise --limit".into(),
                _ => build_again(rebuild),
            };
            Err(Failure::new(Status::Check, message).hint(hint))
        }
    }
}

fn check(args: &Args, table: &Table, layer: Layer) -> TableCheck {
    let drawn = args.sample.map(|count| Scope::Sample { count, seed: args.seed });
    let requested = if args.all { Some(Scope::All) } else { drawn };
    let unit = if layer == Layer::Bytes { Unit::Bytes } else { Unit::Labels };
    let bar = Bar::new(table.rules().name(), "checking", unit, Some(TableCheck::work(table, layer, requested)));
    let check = TableCheck::of(table, layer, requested, args.limit, &|units| bar.count(units));
    // Without --level, the other levels prove the table right.
    if args.level.is_empty() { check } else { check.decided() }
}

/// The labels that every sample contains besides the random ones.
const NAMED: &str = "the labels of the first plies and of best play";

fn in_words(check: &TableCheck) -> String {
    let mut labels = text::counted(check.checked + check.unknown, "label");
    if check.labels != LabelSet::OUTCOME || check.values {
        labels += &format!(" ({}{})", check.labels, if check.values { ", value" } else { "" });
    }
    let drawn = match check.scope {
        Scope::Sample { seed, .. } => format!(" drawn with seed {seed}, and {NAMED}"),
        Scope::All => String::new(),
    };
    match (check.layer, check.scope) {
        (Layer::Bytes, _) => format!("right: {} match their checksums", text::bytes(check.checked)),
        (Layer::Labels, Scope::All) if check.lacks_plies => {
            format!("right: each of {labels} follows from its successors, and every win and loss is forced")
        }
        (Layer::Labels, Scope::All) => format!("right: each of {labels} follows from its successors"),
        (Layer::Labels, Scope::Sample { .. }) => {
            format!("right as far as checked: {labels}{drawn} (a sample, not a proof)")
        }
        (Layer::Oracle, _) if check.unknown > 0 => {
            let (checked, limit) = (HumanCount(check.checked), text::counted(check.limit, "position"));
            let agrees = match check.checked {
                0 => "none is".to_owned(),
                _ => format!("a search agrees with them{drawn}; the others are not"),
            };
            format!("checked {checked} of {labels}: {agrees} decided within {limit}; --limit raises the limit")
        }
        (Layer::Oracle, Scope::All) => format!("right: a search agrees with {labels}"),
        (Layer::Oracle, Scope::Sample { .. }) => {
            format!("right as far as checked: a search agrees with {labels}{drawn}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen::verify::{ORACLE_LIMIT, ORACLE_POSITIONS};

    #[test]
    fn the_help_has_the_limits() {
        let limits = format!("{}; {} if positions may repeat", HumanCount(ORACLE_LIMIT), HumanCount(ORACLE_POSITIONS));
        let command = <Args as clap::Args>::augment_args(clap::Command::new("verify"));
        let limit = command.get_arguments().find(|argument| argument.get_id() == "limit").expect("the option");
        assert!(limit.get_help().expect("a text").to_string().contains(&limits), "{limits}");
    }
}
