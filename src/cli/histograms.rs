//! Histograms of remoteness, nimbers and scores, with bars and examples of the extremes.

use indicatif::HumanCount;
use tablegen::engine::{Example, NumberCounts, NumberFacts, RemotenessFacts, ValueStats};
use tablegen::game::Game;
use tablegen::label::{About, Counts, Label, LabelKind, Remoteness};
use tablegen::rules::Outcome;

use super::bars::{Bars, grouped, percent};
use super::text::counted;
use super::wrap::{terminal_columns, wrapped};
use super::{drawing, points, words};

/// The sign of each outcome in bars, and its name in the singular and the plural.
pub(super) const SIGNS: [(Outcome, char, [&str; 2]); 3] = [
    (Outcome::Win, '#', ["win", "wins"]),
    (Outcome::Draw, '=', ["draw", "draws"]),
    (Outcome::Loss, '.', ["loss", "losses"]),
];

/// The legend of the signs: `# win, . loss`.
pub(super) fn legend(signs: &[(Outcome, char, [&str; 2])]) -> String {
    let each: Vec<String> = signs.iter().map(|(_, sign, names)| format!("{sign} {}", names[0])).collect();
    each.join(", ")
}

/// The histogram of the plies to the end, with examples. `of` names the counted positions if some are unreachable.
pub(super) fn remoteness(facts: &RemotenessFacts, of: &str) -> String {
    let (title, bars) = plies_bars(&facts.histogram, facts.repetitions);
    let longest = facts.longest.iter().map(|longest| {
        let name = longest.outcome.name();
        (format!("longest {name}"), format!("{}: {}", words::plies(longest.plies), position(&longest.example)))
    });
    let endless = (facts.repetitions > 0).then(|| {
        let count = format!("{}, which have no remoteness", counted(facts.repetitions, "position"));
        ("draws by repetition".to_owned(), count)
    });
    section(&(title + of), bars, &longest.chain(endless).collect::<Vec<_>>())
}

/// The histogram of the label `kind` of `game`, which is a plain number, with an example.
pub(super) fn numbers(game: &dyn Game, kind: LabelKind, facts: &NumberFacts, of: &str) -> String {
    let label = kind.about();
    let example = format!("{} {}: {}", label.noun, facts.largest, position(&facts.example));
    let bars = number_bars(label, &facts.histogram);
    section(&(points::summary(kind, game) + of), bars, &[("largest".to_owned(), example)])
}

/// The title and the table of the numbers of wins, draws and losses in 0, 1, 2 … plies. Shares are of all positions, with the `repetitions`,
/// which have no plies.
pub(super) fn plies_bars(histogram: &[Counts], repetitions: u64) -> (String, Bars) {
    let occurs = |outcome| histogram.iter().any(|counts| counts.with(outcome) > 0);
    let signs: Vec<_> = SIGNS.into_iter().filter(|(outcome, ..)| occurs(*outcome)).collect();
    let rows: Vec<(u32, Counts)> = (0..).zip(histogram.iter().copied()).collect();
    let all = repetitions + rows.iter().map(|(_, counts)| counts.total()).sum::<u64>();
    let rows = grouped(&rows);
    let most = rows.iter().map(|(_, counts)| counts.total()).max().unwrap_or(0);
    let mut bars = Bars::new("plies", rows.iter().map(|(plies, _)| plies.clone()).collect(), most);
    for (outcome, _, names) in &signs {
        bars.column(names[1], 2, rows.iter().map(|(_, counts)| HumanCount(counts.with(*outcome)).to_string()));
    }
    bars.column("all %", 1, rows.iter().map(|(_, counts)| percent(counts.total(), all)));
    bars.bars(
        rows.iter().map(|(_, counts)| signs.iter().map(|(outcome, sign, _)| (*sign, counts.with(*outcome))).collect()),
    );
    (format!("{} ({})", Remoteness::ABOUT.summary, legend(&signs)), bars)
}

/// The table of the numbers of positions with each number as a label.
pub(super) fn number_bars(label: &About, histogram: &NumberCounts) -> Bars {
    let rows: Vec<(i32, u64)> = histogram.rows().collect();
    let all: u64 = histogram.counts.iter().sum();
    let rows = grouped(&rows);
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let mut bars = Bars::new(label.noun, rows.iter().map(|(number, _)| number.clone()).collect(), most);
    bars.column("positions", 2, rows.iter().map(|(_, count)| HumanCount(*count).to_string()));
    bars.column("all %", 1, rows.iter().map(|(_, count)| percent(*count, all)));
    bars.bars(rows.iter().map(|(_, count)| vec![('#', *count)]));
    bars
}

/// The most common values, the hottest board, and the numbers of boards by temperature.
pub(super) fn values(stats: &ValueStats) -> String {
    let columns = terminal_columns();
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "a value with a long name".into());
    let most = stats.common.first().map_or(0, |(_, boards)| *boards);
    let mut common = Bars::new("value", stats.common.iter().map(|(value, _)| name(value)).collect(), most);
    common.column("boards", 1, stats.common.iter().map(|(_, boards)| HumanCount(*boards).to_string()));
    common.column("all %", 2, stats.common.iter().map(|(_, boards)| percent(*boards, stats.boards)));
    common.bars(stats.common.iter().map(|(_, boards)| vec![('#', *boards)]));
    let from = |range: usize| stats.step.times(range as i64).map_or_else(|_| String::new(), |from| from.to_string());
    let negative = ("below 0".to_owned(), stats.numbers);
    let ranges = stats.temperatures.iter().enumerate().map(|(range, boards)| (from(range), *boards));
    let ranges: Vec<(String, u64)> = std::iter::once(negative).chain(ranges).collect();
    let most = ranges.iter().map(|(_, boards)| *boards).max().unwrap_or(0);
    let mut heat = Bars::new("from", ranges.iter().map(|(from, _)| from.clone()).collect(), most);
    heat.column("boards", 1, ranges.iter().map(|(_, boards)| HumanCount(*boards).to_string()));
    heat.column("all %", 2, ranges.iter().map(|(_, boards)| percent(*boards, stats.boards)));
    heat.bars(ranges.iter().map(|(_, boards)| vec![('#', *boards)]));
    let hottest = &stats.hottest;
    let board = || format!("board {:#x}, which is not a position of the game", hottest.board);
    let position = hottest.position.clone().unwrap_or_else(board);
    let value = format!("{position}: temperature {}, value {}", hottest.temperature, name(&hottest.name));
    let table = |title: &str, bars: Bars| {
        format!("{}\n{}", wrapped("", title, columns), bars.lines(drawing::width()).trim_end())
    };
    let titles = [format!("values of {} boards: the most common", HumanCount(stats.boards)), "temperatures".into()];
    let [first, second] = titles;
    format!("{}\n\n{}\n{}", table(&first, common), table(&second, heat), wrapped("  hottest  ", &value, columns))
}

/// The position of an example, or its board if the game's notation has no text for it.
fn position(example: &Example) -> String {
    let board = || format!("board {:#x}, which is not a position of the game", example.position.board);
    example.text.clone().unwrap_or_else(board)
}

/// A title, a table, and named examples.
fn section(title: &str, bars: Bars, examples: &[(String, String)]) -> String {
    let columns = terminal_columns();
    let names = examples.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let examples = examples.iter().map(|(name, text)| wrapped(&format!("  {name:<names$}  "), text, columns));
    let table = bars.lines(drawing::width());
    let examples: Vec<String> = examples.collect();
    format!("{}\n{}\n{}", wrapped("", title, columns), table.trim_end(), examples.join("\n"))
}
