//! `tablegen estimate`: how large a game is, before anything is built.

use std::ffi::OsString;

use indicatif::HumanCount;
use tablegen::engine::{
    COUNTED, Estimate, RulesFacts, Shortage, available_memory, check_dense_memory, check_disk, json, nearest_folder,
};
use tablegen::rules::Rules;
use tablegen::solve::Method;

use super::failure::{Failure, in_words};
use super::report::Report;
use super::session::Session;
use super::solver::Solver;
use super::subject::GameOptions;
use super::{help, text, words};

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

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let named = args.options.game(&args.game)?;
    let rules = named.game.rules();
    let method = args.solver.map(Method::from);
    let estimate = session.engine()?.estimate(named.game.as_ref(), method)?;
    // What a build of the same would be asked.
    let typed = named.typed.clone() + &method.map_or_else(String::new, |method| format!(" --solver {}", method.name()));
    let facts = RulesFacts::of(rules);
    let unknown = match estimate.choice.method {
        Method::Dense => "more than any machine has",
        Method::Sparse => "known once it is built",
    };
    let size = |bytes: Option<u64>| bytes.map_or_else(|| unknown.into(), text::bytes);
    let positions = match &estimate.reachable {
        None => words::positions(&facts),
        Some(reachable) => {
            let count = reachable.positions.map(|count| HumanCount(count).to_string());
            let count = count.unwrap_or_else(|| format!("more than {}", HumanCount(COUNTED)));
            format!("{count}, those that play can reach")
        }
    };
    let mut report = Report::new(facts.name.clone(), json::estimate(&facts, &estimate));
    report.row("solver", format!("{}: {}", estimate.choice.method.name(), estimate.choice.reason));
    report.row("positions", positions);
    report.row("file", size(estimate.file_bytes));
    report.row("memory", size(estimate.memory_bytes));
    report.row("fits here", fits(&estimate, rules, session, &typed));
    report.print(args.json)
}

/// Whether this machine can build it, and how.
fn fits(estimate: &Estimate, rules: &Rules, session: &Session, typed: &str) -> String {
    let yes = format!("yes: 'tablegen build {typed}' builds it");
    match (estimate.choice.method, estimate.memory_bytes) {
        (Method::Dense, _) => match dense_room(estimate, rules, session) {
            Ok(()) => yes,
            Err(shortage) => format!("no: {}", in_words(&shortage)),
        },
        (Method::Sparse, Some(needed)) if available_memory().is_some_and(|had| needed > had) => {
            "no: not enough memory".into()
        }
        (Method::Sparse, Some(_)) => yes,
        (Method::Sparse, None) => {
            format!("'tablegen build {typed} --memory SIZE' tries, and stops cleanly where it does not")
        }
    }
}

fn dense_room(estimate: &Estimate, rules: &Rules, session: &Session) -> Result<(), Shortage> {
    check_dense_memory(rules, None)?;
    match session.folders().first() {
        Some(folder) => check_disk(&nearest_folder(&folder.join("table")), estimate.file_bytes, rules),
        None => Ok(()),
    }
}
