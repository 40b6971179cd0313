//! `tablegen info`: the facts that a table records about itself.

use tablegen::engine::{LabelFacts, OpenTable, TableFacts, json, rules_in_words};
use tablegen::label::LabelSet;

use super::failure::{self, Failure};
use super::histograms;
use super::output::{Stream, note};
use super::report::Report;
use super::session::Session;
use super::subject::TableArgs;
use super::{help, text, words};

/// Show the facts about a table: its game, labels, counts and format.
#[derive(clap::Args)]
#[command(after_help = help::of("info"))]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Print only the rules: the rules file that the table contains, or else its list of moves
    #[arg(long, conflicts_with = "json")]
    rules: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let (open, rebuild) = args.table.open(session)?;
    if args.rules {
        return print_rules(&open);
    }
    let facts = TableFacts::of(&open).map_err(|error| failure::of_table(error, rebuild.as_ref()))?;
    if facts.labels != LabelSet::OUTCOME {
        session.engine()?.start_threads()?;
    }
    let more = LabelFacts::of(&open).map_err(|error| failure::of_table(error, rebuild.as_ref()))?;
    let mut object = json::table(&facts);
    object.extend(json::labels(open.table.rules(), &more));
    let mut report = Report::new(facts.rules.name.clone(), object);
    report.row("table", format!("{}, {}", text::one_line(&facts.source), text::bytes(facts.file_bytes)));
    report.row("part", words::part(facts.part.as_ref()));
    report.row("compressed", words::compression(&facts));
    report.row("cells", facts.rules.cells.to_string());
    report.row("modes", facts.rules.mode_names.join(", "));
    report.row("moves", facts.rules.moves.to_string());
    report.row("positions", words::held(&facts.rules, facts.reachable, facts.regions));
    report.row("regions", words::regions(&facts));
    report.row("left out", words::left_out(facts.regions));
    report.row("solver", facts.solver);
    report.row("symmetry", words::symmetry_classes(&facts));
    report.row("labels", words::labels(&facts));
    if let Some((boards, values)) = facts.values {
        report.row("values", words::value_counts(boards, values));
    }
    report.row("outcomes", words::counts(&facts));
    report.row("all", words::every(&facts));
    report.row("start", words::start_value(&facts));
    report.row("class", words::class(&facts));
    report.row("rules", &facts.rules_hash);
    report.row("written by", format!("{}, format version {}", text::one_line(&facts.tool), facts.format_version));
    let of = words::every_board(&facts);
    if let Some(remoteness) = &more.remoteness {
        report.paragraph(&histograms::remoteness(remoteness, of));
    }
    for (kind, facts) in more.numbers.iter() {
        report.paragraph(&histograms::numbers(open.game.as_ref(), kind, facts, of));
    }
    if let Some(values) = &more.values {
        report.paragraph(&histograms::values(values));
    }
    report.print(args.json)
}

/// Prints the rules file unchanged, or the rules as data. The file does not contain the values of its parameters, so
/// they are printed to stderr.
fn print_rules(open: &OpenTable) -> Result<(), Failure> {
    let Some((file, set)) = open.rules_file() else {
        return Stream::new()?.with(|out| out.write_all(rules_in_words(open.table.rules()).as_bytes()));
    };
    Stream::new()?.with(|out| out.write_all(file.as_bytes()))?;
    let set: Vec<String> = set.iter().map(|(key, value)| format!(" --set {key}={value}")).collect();
    if !set.is_empty() {
        note(&format!("the table was built with{}", set.concat()));
    }
    Ok(())
}
