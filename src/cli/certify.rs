//! `tablegen certify`: a proof of an outcome that anybody can check.

use std::path::{Path, PathBuf};

use indicatif::HumanBytes;
use tablegen::certificate::{Aim, Bounds, Certificate, CertificateError, Choice, Claim};
use tablegen::engine::{Asked, EngineError, json};
use tablegen::label::LabelKind;
use tablegen::rules::Rules;
use tablegen::solve::{Method, check_method};
use tablegen::table::{TableError, TableFault};

use super::failure::{self, Failure};
use super::labels::Labels;
use super::out_file::{OutFile, is_stdout};
use super::output::note;
use super::probe::{LabelSource, One, PlaceArgs};
use super::progress::{Bar, Unit};
use super::report::Report;
use super::session::Session;
use super::text::shell_word;
use super::{help, interrupt, text};

/// A table of every board has at most this many cells: with more, it takes hundreds of gigabytes.
const MOST_CELLS: u32 = 40;

/// Write the winner's strategy as a certificate.
///
/// A certificate proves the outcome of a position, for people who trust no table. It lists positions such that the winner can
/// always move back to one of them, and wins where the game is over. For a draw it has a strategy of each player that does
/// not lose. Where moves gain points, or with --score, it proves the score: one strategy for each player. The program
/// certify-check, which comes with a release and stands in tools/certify-check, checks it, and shares no code with tablegen.
#[derive(clap::Args)]
#[command(after_help = help::of("certify"))]
pub(super) struct Args {
    #[command(flatten)]
    place: PlaceArgs,
    /// Write to OUT, - for standard output [default: standard output]
    #[arg(short, long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Prove the score, the net points still to come for the player to move [default where moves gain points]
    #[arg(long)]
    score: bool,
    /// Prove only that the score is at least S
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    at_least: Option<i32>,
    /// Prove only that the score is at most S
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    at_most: Option<i32>,
    /// Look at no more than N positions, or fewer if each has thousands of moves or hundreds of symmetries
    #[arg(long, value_name = "N", default_value_t = 100_000_000, allow_negative_numbers = true)]
    limit: u64,
    /// Print one JSON object about the certificate; needs -o
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if args.json && is_stdout(&args.output) {
        let message = "cannot print the certificate and --json: both write to standard output";
        return Err(Failure::usage(message).hint("choose a file with -o"));
    }
    let file = OutFile::at(&args.output, "-o")?;
    let One { from: LabelSource { source, rebuild, build, .. }, asked } = args.place.find_in_table(session)?;
    interrupt::handle();
    let name = source.game().rules().name().to_owned();
    let Some(table) = source.table() else {
        return Err(Failure::resources(format!("cannot certify {name}: expected a table, found none")));
    };
    let node = source.node_of(&asked).map_err(|error| failure::of_table(error, rebuild.as_ref()))?;
    let Some(node) = node else {
        let found = if let Asked::Text(Some(text)) = &asked { text::one_line(text) } else { "another".into() };
        let message = format!("cannot certify {name}: expected a position of the rules in the table, found {found}");
        return Err(Failure::usage(message).hint("see these rules with 'tablegen info TABLE --rules'"));
    };
    if source.game().is_reduced() {
        note("the certificate is about the rules in the table: they leave out moves that cancel each other");
    }
    // A lead changes who wins, so such a position has a score and no outcome of its own.
    let lead = if let Asked::Node(reading) = &asked { reading.lead } else { 0 };
    let bar = Bar::new(&name, "certifying", Unit::Looks, None);
    let watch = |positions| bar.count(positions);
    let bounds = match (args.at_least, args.at_most) {
        (None, None) => None,
        (Some(least), None) => Some(Bounds::AtLeast(least)),
        (None, Some(most)) => Some(Bounds::AtMost(most)),
        (Some(least), Some(most)) => Some(Bounds::Between(least, most)),
    };
    let certificate = match args.score || bounds.is_some() || lead != 0 || table.rules().has_gains() {
        true => Certificate::of_score(table, node, bounds, args.limit, &watch),
        false => Certificate::of(table, node, &Choice::ALL, args.limit, &watch),
    };
    drop(bar);
    let certificate = certificate.map_err(|error| match error {
        CertificateError::Table(TableError { fault: TableFault::NotReached { .. }, .. }) => {
            let position = source.game().write_with_lead(node, lead);
            let message = format!("cannot certify {name}: expected a position that play can reach, found {position}");
            let build = rebuild.as_ref().or(build.as_ref());
            Failure::table(message).hint(of_every_board(table.rules(), build))
        }
        CertificateError::Table(error) => failure::of_table(EngineError::Read(error), rebuild.as_ref()),
        CertificateError::NoScores => {
            let labels = Labels::typed(table.labels().with(LabelKind::Score));
            let hint = build.as_ref().map_or_else(
                || "build the table with '--labels score'".into(),
                |build| format!("'{build}{labels}' adds them"),
            );
            Failure::table(format!("cannot certify {name}: {error}")).hint(&hint)
        }
        CertificateError::Gains
        | CertificateError::MovesAgain
        | CertificateError::Undefined(_)
        | CertificateError::Bounds { .. } => Failure::usage(format!("cannot certify {name}: {error}")),
        CertificateError::Contradiction => Failure::table(format!("cannot certify {name}: {error}")),
        _ => Failure::resources(format!("cannot certify {name}: {error}")).hint("raise --limit"),
    })?;
    let mut bytes = 0;
    file.write(0, |out| {
        let mut counted = Counted { out, bytes: &mut bytes };
        certificate.write(&mut counted)
    })?;
    if is_stdout(&args.output) {
        return Ok(());
    }
    report(args, &name, &source.game().write_with_lead(node, lead), &certificate, bytes).print(args.json)
}

/// What helps if a table lacks a position that play cannot reach: a table of every board, by the command `build`, or a search.
fn of_every_board(rules: &Rules, build: Option<&String>) -> String {
    match build {
        Some(build) if check_method(rules, Method::Dense).is_ok() && rules.cells() <= MOST_CELLS => {
            format!("'{build} --solver dense' makes a table of every board")
        }
        _ => "'tablegen probe' searches for its outcome".into(),
    }
}

fn report(args: &Args, name: &str, position: &str, certificate: &Certificate<'_>, bytes: u64) -> Report {
    let path = args.output.as_deref().unwrap_or(Path::new("-")).display().to_string();
    let facts = json::certified(name, position, certificate, &path, bytes);
    let mut report = Report::new(format!("{name}  {position}"), facts);
    match certificate.claim {
        Claim::Outcome(outcome) => report.row("outcome", outcome.name().to_uppercase()),
        Claim::Score(bounds) => report.row("score", bounds.to_string()),
    };
    for strategy in &certificate.strategies {
        let player = if strategy.is_movers { "the player to move" } else { "the other player" };
        let aim = match strategy.aim {
            Aim::Win => "wins".into(),
            Aim::Draw => "does not lose".into(),
            Aim::Score(least) => format!("gets {}", Bounds::AtLeast(least)),
        };
        let positions = text::counted(strategy.members.len() as u64, "position");
        report.row("strategy", format!("{player} {aim}: {positions}"));
    }
    report.row(
        "symmetry",
        match certificate.symmetries() {
            1 => String::new(),
            count => format!("each position stands for up to {count}"),
        },
    );
    report.row("output", format!("{path}, {}", HumanBytes(bytes)));
    report.row("check", format!("certify-check {}", shell_word(&path)));
    report
}

/// A writer that counts bytes.
struct Counted<'a> {
    out: &'a mut dyn std::io::Write,
    bytes: &'a mut u64,
}

impl std::io::Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes)?;
        *self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
