//! `tablegen stats`: the outcomes by filled cells, and histograms of remoteness, nimbers and scores.

use std::path::PathBuf;

use indicatif::HumanCount;
use tablegen::engine::{RegionFacts, RegionStats, Source, Stats, json, picture};
use tablegen::game::Game;
use tablegen::label::{Counts, LabelSet};
use tablegen::rules::{Outcome, Rules};
use tablegen::solve::Method;
use tablegen::table::Table;

use super::bars::{Bars, MOST_ROWS, grouped, percent};
use super::failure::{self, Failure};
use super::histograms::{SIGNS, legend, number_bars, plies_bars};
use super::labels::Labels;
use super::out_file::Svg;
use super::probe::{self, LabelSource};
use super::progress::{Bar, Unit};
use super::report::Report;
use super::session::Session;
use super::subject::SubjectArgs;
use super::wrap::{terminal_columns, wrapped};
use super::{drawing, help, histograms, interrupt, points, text, words};

/// Show the outcomes by number of filled cells, and histograms of remoteness, nimbers and scores.
///
/// Counts cover all reachable positions, or all positions if the table does not say which are reachable. If there is no
/// table and the game is small, it is solved in memory first.
#[derive(clap::Args)]
#[command(after_help = help::of("stats"))]
pub(super) struct Args {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Also write the statistics as an SVG picture to OUT; - prints only the picture
    #[arg(long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let picture = Svg::at(&args.svg, args.json)?;
    let LabelSource { source, rebuild, build, .. } = probe::labelled(session, &args.subject)?;
    let open = source.open_table().unwrap_or_else(|| unreachable!("without a table there is no source"));
    let table = &open.table;
    interrupt::handle();
    session.engine()?.start_threads()?;
    let bar = Bar::new(table.rules().name(), "counting", Unit::Bytes, Some(Stats::work(table)));
    let stats =
        Stats::of(open, &|bytes| bar.count(bytes)).map_err(|error| failure::of_table(error, rebuild.as_ref()))?;
    drop(bar);
    let stats = stats.unwrap_or_else(|| unreachable!("the progress function never stops the count"));
    if picture.write(|| picture::svg(&stats))? {
        return Ok(());
    }
    let left_out = words::left_out(RegionFacts::of(table));
    let mut report = report(source.game(), &stats, uncounted(&stats, source.game().rules()), left_out);
    if let Some(hint) = lacking(&source, build) {
        report.paragraph(&wrapped("", &hint, terminal_columns()));
    }
    report.print(args.json)
}

/// A hint about labels that the game has and its table lacks, with the command that adds them: `build` and the labels.
/// `None` if no label is missing, or if the command is not known.
fn lacking(source: &Source, build: Option<String>) -> Option<String> {
    let held = source.table().map_or(LabelSet::OUTCOME, Table::labels);
    let all = source.game().usual_labels().union(held);
    let missing: Vec<&str> = source.lacks(all).others().map(|label| label.name()).collect();
    let build = build.filter(|_| !missing.is_empty())?;
    let adds = if missing.len() == 1 { "adds it" } else { "adds them" };
    Some(format!("no {} in the table: '{build}{}' {adds}", missing.join(", no "), Labels::typed(all)))
}

/// The name of a mode, shortened if it is long.
fn short(name: &str) -> String {
    const LONGEST: usize = 16;
    let name = text::one_line(name);
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

/// Why the reachable positions are not counted, and which solver counts them; empty if they are, or if no solver of `rules` counts them.
fn uncounted(stats: &Stats, rules: &Rules) -> String {
    if stats.by_region.is_empty() {
        return String::new();
    }
    let why = "not counted, because a table by regions does not say which boards play reaches";
    match Method::of_reachable(rules) {
        _ if rules.counts_pieces() || stats.part.is_some() => why.into(),
        method => format!("{why}; a table of 'tablegen build --solver {}' does", method.name()),
    }
}

/// The report, with the rows `reachable` and `left out` unless they are empty.
fn report(game: &dyn Game, stats: &Stats, reachable: String, left_out: &str) -> Report {
    let mut report = Report::new(stats.name.clone(), json::stats(stats));
    report.row("part", words::part(stats.part.as_ref()));
    report.row("positions", HumanCount(stats.counts.total()).to_string());
    report.row("outcomes", words::outcomes(stats.counts, stats.can_draw, stats.counts_every_board));
    report.row("reachable", reachable);
    report.row("left out", left_out);
    let columns = drawing::width();
    let mut section = |title: &str, bars: Bars| {
        report.paragraph(format!("{}\n{}", wrapped("", title, Some(columns)), bars.lines(columns)).trim_end());
    };
    let signs: Vec<_> = SIGNS.into_iter().filter(|&(outcome, ..)| stats.can_draw || outcome != Outcome::Draw).collect();
    let legend = legend(&signs);
    let parts =
        |counts: Counts| signs.iter().map(|&(outcome, sign, _)| (sign, counts.with(outcome))).collect::<Vec<_>>();
    // Rows of outcomes: the number of positions, the count of each outcome, and its share.
    let outcomes = |heading: &str, rows: &[(String, Counts)]| {
        let mut bars = Bars::new(heading, rows.iter().map(|(name, _)| name.clone()).collect(), 0);
        bars.column("positions", 2, rows.iter().map(|(_, counts)| HumanCount(counts.total()).to_string()));
        for &(outcome, _, [name, names]) in &signs {
            bars.column(names, 3, rows.iter().map(|(_, counts)| HumanCount(counts.with(outcome)).to_string()));
            let share = |(_, counts): &(String, Counts)| percent(counts.with(outcome), counts.total());
            bars.column(&format!("{name} %"), 1, rows.iter().map(share));
        }
        bars.bars(rows.iter().map(|(_, counts)| parts(*counts)));
        bars
    };
    // A table of more modes than fit on a screen is hard to read. JSON output lists them all.
    if (1..=MOST_ROWS).contains(&stats.by_mode.len()) {
        let rows: Vec<(String, Counts)> = stats.by_mode.iter().map(|(mode, counts)| (short(mode), *counts)).collect();
        section(&format!("outcomes by mode ({legend})"), outcomes("mode", &rows));
    }
    if (1..=MOST_ROWS).contains(&stats.by_region.len()) {
        let name = |region: &RegionStats| {
            let [first, second, other] = region.pieces.map(|count| count.to_string());
            let other = if region.pieces[2] == 0 { String::new() } else { format!("+{other}") };
            let mode = region.mode.as_deref().map_or_else(String::new, |mode| format!("{} ", short(mode)));
            format!("{mode}{first}-{second}{other}")
        };
        let rows: Vec<(String, Counts)> = stats.by_region.iter().map(|region| (name(region), region.counts)).collect();
        let mirrored = stats.by_region.iter().find_map(|region| region.mode.as_deref().zip(region.mirrored.as_deref()));
        let mirrored = mirrored.map_or_else(String::new, |(mode, of)| {
            format!("; rows of {} also count {} with the colours exchanged", short(mode), short(of))
        });
        section(&format!("outcomes by mode and numbers of pieces ({legend}){mirrored}"), outcomes("region", &rows));
    }
    let rows: Vec<(u32, Counts)> = stats.by_filled.iter().map(|level| (level.filled, level.counts)).collect();
    section(&format!("outcomes by number of filled cells ({legend})"), outcomes("filled", &grouped(&rows)));
    if let Some(plies) = &stats.remoteness {
        let (title, bars) = plies_bars(plies, stats.repetitions);
        section(&title, bars);
    }
    for (kind, counts) in stats.numbers.iter() {
        section(&points::summary(kind, game), number_bars(kind.about(), counts));
    }
    if let Some(values) = &stats.values {
        report.paragraph(&histograms::values(values));
    }
    report
}
