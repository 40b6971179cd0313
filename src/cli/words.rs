//! Numbers and outcomes in words.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{HumanBytes, HumanCount};
use tablegen::engine::{
    Choice, DiskNeed, Figures, LevelFacts, PartFacts, RankFacts, Reachable, RegionFacts, RulesFacts, SliceFacts,
    SolverCost, SymmetryFacts, TableFacts,
};
use tablegen::game::OutcomeClass;
use tablegen::label::{Counts, LabelKind, Value};
use tablegen::rules::Outcome;

use super::solver::Solver;
use super::text::{self, counted};

/// The style of an outcome.
pub(super) fn style(outcome: Outcome) -> Style {
    let color = match outcome {
        Outcome::Win => AnsiColor::Green,
        Outcome::Draw => AnsiColor::Yellow,
        Outcome::Loss => AnsiColor::Red,
    };
    Style::new().bold().fg_color(Some(color.into()))
}

/// The outcome of a position as a sentence.
pub(super) const fn sentence(over: bool, outcome: Outcome) -> &'static str {
    match (over, outcome) {
        (false, Outcome::Win) => "the player to move can force a win",
        (false, Outcome::Draw) => "neither player can force a win",
        (false, Outcome::Loss) => "the player to move loses against perfect play",
        (true, Outcome::Win) => "the game is over, and the player to move has won",
        (true, Outcome::Draw) => "the game is over, and neither player has won",
        (true, Outcome::Loss) => "the game is over, and the player to move has lost",
    }
}

/// What a move with `outcome` does: `winning`.
pub(super) const fn participle(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "winning",
        Outcome::Draw => "drawing",
        Outcome::Loss => "losing",
    }
}

/// A number of plies: `1 ply`, `2 plies`.
pub(super) fn plies(count: u32) -> String {
    format!("{count} {}", if count == 1 { "ply" } else { "plies" })
}

/// The remoteness of a position in words: `a loss in 15 plies: the winner hurries, the loser delays`. `None` if the
/// game is over or the remoteness is not known.
pub(super) fn remoteness(value: Value) -> Option<String> {
    if value.repetition {
        return Some("a draw by repetition: neither player gains by leaving the cycle".into());
    }
    let count = value.remoteness().filter(|&plies| plies > 0)?;
    let why = match (count, value.outcome) {
        (1, _) => "",
        (_, Outcome::Draw) => ": both players delay",
        (_, Outcome::Win | Outcome::Loss) => ": the winner hurries, the loser delays",
    };
    Some(format!("a {} in {}{why}", value.outcome, plies(count)))
}

/// The reason why a table of a game whose positions may repeat has no remoteness.
pub(super) const NO_PLIES: &str =
    "no remoteness: best play from some positions lasts more than 63 plies, the most that a label holds";

/// The labels of a table, the values of boards among them.
pub(super) fn labels(facts: &TableFacts) -> String {
    let values = facts.values.map(|_| ", value").unwrap_or_default();
    let without = if facts.lacks_plies { format!(" ({NO_PLIES})") } else { String::new() };
    format!("{}{values}{without}", facts.labels)
}

/// How many boards have how many values: `717 different ones of 65,536 boards`.
pub(super) fn value_counts(boards: u64, values: u32) -> String {
    format!("{} different ones of {} boards", HumanCount(values.into()), HumanCount(boards))
}

/// The labels of a position that are plain numbers, each in words: `nimber 3`.
pub(super) fn numbers(value: Value) -> impl Iterator<Item = String> {
    value.plain_numbers().map(|(kind, number)| format!("{} {}", kind.about().noun, signed(kind, number)))
}

/// Like [`numbers`], without the score, where other words say it.
pub(super) fn numbers_but_score(value: Value) -> impl Iterator<Item = String> {
    let others = value.numbers.iter().filter(|(kind, _)| *kind != LabelKind::Score);
    numbers(Value { numbers: others.map(|(kind, &number)| (kind, number)).collect(), ..value })
}

/// A number of a label, with its sign if the label can be negative.
pub(super) fn signed(kind: LabelKind, number: i32) -> String {
    if kind.about().is_signed && number != 0 { format!("{number:+}") } else { number.to_string() }
}

/// The labels of a position other than the outcome, each in words: `15 plies`, `nimber 3`.
pub(super) fn other_labels(value: Value) -> impl Iterator<Item = String> {
    length(value).into_iter().chain(numbers(value))
}

/// Like [`other_labels`], without the score.
pub(super) fn labels_but_score(value: Value) -> impl Iterator<Item = String> {
    length(value).into_iter().chain(numbers_but_score(value))
}

/// How long play from a position lasts.
fn length(value: Value) -> Option<String> {
    if value.repetition { Some("by repetition".to_owned()) } else { value.remoteness().map(plies) }
}

/// The number of positions of a game: `65,536 (2^16 boards)`.
pub(super) fn positions(facts: &RulesFacts) -> String {
    let modes = match facts.modes {
        1 => String::new(),
        modes => format!(" in {modes} modes"),
    };
    let count = facts.positions;
    // A larger count does not fit into the number.
    if count == u128::MAX {
        return format!("2^{} boards{modes}", facts.cells);
    }
    format!("{} (2^{} boards{modes})", text::large(count), facts.cells)
}

/// The solver, the reason for the choice, and the numbers behind it: `sparse: few positions are reachable (161,029 of
/// 8,589,934,592)`. A two-colour table has colourings, so reachable positions are compared with these.
pub(super) fn solver(choice: &Choice) -> String {
    let Choice { method, reason, figures } = choice;
    let figures = figures.as_ref().map(|Figures { all, colourings, reached, .. }| {
        match (<&Solver>::from(*method).among, colourings) {
            (Some(what), Some(count)) => format!(" ({} of {} {what})", reachable(*reached), text::large(*count)),
            _ => format!(" ({} of {})", reachable(*reached), text::large(*all)),
        }
    });
    format!("{}: {reason}{}", method.name(), figures.unwrap_or_default())
}

/// The other solvers, with their work: `dense: 120 times the work, 13.00 GiB of labels; sparse: 2 times the work, 1.20 GiB of memory`.
/// `time` is the time that the chosen solver takes, if it is known. Then longer times are named: `27 times the work (28 min)`.
pub(super) fn other_solvers(choice: &Choice, time: Option<Duration>) -> String {
    let Some(figures) = &choice.figures else { return String::new() };
    let other = |(cost, times): (&SolverCost, f64)| {
        let takes = <&Solver>::from(cost.method).takes;
        let bytes = cost
            .bytes
            .map_or_else(|| "more than any disk has".into(), |bytes| format!("{} of {takes}", HumanBytes(bytes)));
        let work = match times {
            ..0.7 => "less work".into(),
            ..1.5 => "as much work".into(),
            _ => {
                let seconds = time.map(|time| time.as_secs_f64() * times).filter(|&seconds| seconds >= 1.0);
                let time = seconds.map_or_else(String::new, |seconds| format!(" ({})", text::rough_time(seconds)));
                format!("{} times the work{time}", HumanCount(rounded(times.round() as u64)))
            }
        };
        format!("{}: {work}, {bytes}", cost.method.name())
    };
    figures.instead(choice.method).map(other).collect::<Vec<_>>().join("; ")
}

/// The number of reachable positions: `161,029`, `about 16,800,000` or `more than 1,048,576`.
pub(super) fn reachable(reached: Reachable) -> String {
    match reached {
        Reachable::Exactly(positions) => HumanCount(positions).to_string(),
        Reachable::About { about: u64::MAX, .. } => format!("more than {}", text::large(u64::MAX.into())),
        Reachable::About { about, at_least } => format!("about {}", text::large(rounded(about).max(at_least).into())),
        Reachable::AtLeast(at_least) => format!("more than {}", HumanCount(at_least - 1)),
        Reachable::Unknown => "an unknown number".into(),
    }
}

/// The space that a table takes on a disk that may be too small for it.
pub(super) fn disk(disk: &DiskNeed) -> String {
    let compressed = disk.compressed.map(|bytes| format!(", about {} after compression", HumanBytes(bytes)));
    let free = disk.free.map(|free| format!("; {} are free", HumanBytes(free)));
    let (compressed, free) = (compressed.unwrap_or_default(), free.unwrap_or_default());
    format!("its labels take {}{compressed}{free} in {}", HumanBytes(disk.bytes), disk.folder.display())
}

/// An estimate, rounded down to its two significant digits.
fn rounded(estimate: u64) -> u64 {
    let unit = 10u64.pow(estimate.checked_ilog10().unwrap_or(0).saturating_sub(1));
    estimate / unit * unit
}

/// The number of positions in a table, and whether they are all positions, only the reachable ones, or those of `regions`.
pub(super) fn held(facts: &RulesFacts, reachable: Option<u64>, regions: Option<RegionFacts>) -> String {
    match (reachable, regions) {
        (Some(count), _) => format!("{} reachable", HumanCount(count)),
        (None, Some(RegionFacts { boards, .. })) => format!("{}, not all of them reachable", HumanCount(boards)),
        (None, None) => positions(facts),
    }
}

/// The regions of a table by regions, and the number of stored boards; an empty text for any other table.
pub(super) fn regions(facts: &TableFacts) -> String {
    let Some(RegionFacts { regions, groups, boards, numbers, .. }) = facts.regions else { return String::new() };
    let stored = if numbers == boards { String::new() } else { format!("; {} stored", counted(numbers, "position")) };
    format!("{} in {}{stored}", counted(regions, "region"), counted(groups, "group"))
}

/// The positions that a table by regions leaves out; an empty text if there are none.
pub(super) fn left_out(regions: Option<RegionFacts>) -> &'static str {
    match regions {
        Some(RegionFacts { ended: 1.., .. }) => {
            "positions where a number of pieces has ended the game: the rules give their outcome"
        }
        _ => "",
    }
}

/// The symmetries of a game, and the number of symmetry classes if it is known: `D4, 8 symmetries: 765 classes`.
pub(super) fn symmetry(group: &str, order: u64, orbits: Option<u64>) -> String {
    let orbits = orbits.map_or_else(String::new, |orbits| format!(": {} classes", HumanCount(orbits)));
    format!("{group}, {} symmetries{orbits}", HumanCount(order))
}

/// The symmetries of a table with one position per symmetry class, and the outcomes of the classes. For a table solved
/// by slices, the number of stored positions instead. An empty text for a table with all positions.
pub(super) fn symmetry_classes(facts: &TableFacts) -> String {
    let Some(SymmetryFacts { group, order, stored, orbits }) = &facts.symmetry else { return String::new() };
    let Some(orbits) = orbits else {
        return format!("{}: {} stored", symmetry(group, *order, None), counted(*stored, "position"));
    };
    let of = outcomes(*orbits, facts.rules.can_draw, false);
    format!("{} ({of})", symmetry(group, *order, Some(orbits.total())))
}

/// The number of slices of a game that is solved as in `choice`, and the number of cells (or squares) that select a slice.
pub(super) fn slice_count(choice: &Choice, slices: u64, cells: u32) -> String {
    let what = <&Solver>::from(choice.method).slice_cell;
    format!("{}, selected by {}", HumanCount(slices), counted(cells.into(), what))
}

/// The slices of a table that was solved by slices, and the share that an earlier run had finished.
pub(super) fn slices(choice: &Choice, facts: &SliceFacts) -> String {
    let all = slice_count(choice, facts.slices, facts.slice_cells);
    if facts.resumed == 0 {
        return all;
    }
    let share = facts.resumed as f64 * 100.0 / facts.parts as f64;
    format!("{all}; an earlier build finished {share:.0} % of the work")
}

/// The part of a table that an earlier build had found and kept, level by level; otherwise an empty text.
pub(super) fn levels_kept(facts: LevelFacts) -> String {
    let LevelFacts { found, labelled } = facts;
    let labelled = if labelled > 0 { format!(" and labelled {labelled}") } else { String::new() };
    if found == 0 { String::new() } else { format!("an earlier build found {}{labelled}", counted(found, "level")) }
}

/// The number of regions that an earlier build had finished; empty if it had none.
pub(super) fn regions_kept(count: u64) -> String {
    if count == 0 { String::new() } else { format!("an earlier build had finished {}", counted(count, "region")) }
}

/// The number of ranks that built a table together, and the amount of data they exchanged.
pub(super) fn ranks(facts: &RankFacts) -> String {
    let all = format!("{}, which exchanged {}", facts.ranks, HumanBytes(facts.traffic.bytes));
    match facts.traffic.slices {
        0 => all,
        slices => format!("{all}, including {}", counted(slices, "slice")),
    }
}

/// The outcomes of all positions that a table labels, if it also labels unreachable ones and says which they are; otherwise an empty text.
pub(super) fn every(facts: &TableFacts) -> String {
    let of = |every: Counts| {
        let of = outcomes(every, facts.rules.can_draw, false);
        format!("{}, reachable or not: {of}", counted(every.total(), "position"))
    };
    facts.colourings.or(facts.boards).map_or_else(String::new, of)
}

/// The counts of the outcomes, with a note if they include unreachable positions.
pub(super) fn counts(facts: &TableFacts) -> String {
    outcomes(facts.counts, facts.rules.can_draw, facts.counts_every_board)
}

/// The counts of outcomes, with a note if they cover all positions, including unreachable ones.
pub(super) fn outcomes(counts: Counts, can_draw: bool, every_board: bool) -> String {
    let Counts { win, draw, loss } = counts;
    let draws = if can_draw { format!("{}, ", counted(draw, "draw")) } else { String::new() };
    let losses = if loss == 1 { "loss" } else { "losses" };
    format!("{}, {draws}{} {losses}{}", counted(win, "win"), HumanCount(loss), of_every_board(every_board))
}

/// The note for counts that include unreachable positions.
pub(super) const fn every_board(facts: &TableFacts) -> &'static str {
    of_every_board(facts.counts_every_board)
}

const fn of_every_board(every_board: bool) -> &'static str {
    if every_board { ", over all positions, reachable or not" } else { "" }
}

/// The value of the start: the outcome in its colour, and the other labels.
pub(super) fn start_value(facts: &TableFacts) -> String {
    // Play of a part may begin in any of its regions.
    if facts.part.is_some() {
        return String::new();
    }
    let labels: Vec<String> = other_labels(facts.start).collect();
    if labels.is_empty() { start(facts) } else { format!("{} ({})", start(facts), labels.join(", ")) }
}

/// What a table is a part of; an empty text for a table of a whole game.
pub(super) fn part(facts: Option<&PartFacts>) -> String {
    facts.map_or_else(String::new, |PartFacts { name, whole }| format!("{name}, of {whole}"))
}

/// The outcome of the start, in its colour. If either side could begin, it names the side that begins here.
fn start(facts: &TableFacts) -> String {
    let outcome = facts.start.outcome;
    let why = match (outcome, &facts.class) {
        (Outcome::Win, None) => "the first player can force a win".into(),
        (Outcome::Win, Some((_, [left, _]))) => format!("with {left} to begin, {left} can force a win"),
        (Outcome::Draw, _) => "neither player can force a win".into(),
        (Outcome::Loss, None) => "the second player can force a win".into(),
        (Outcome::Loss, Some((_, [left, right]))) => format!("with {left} to begin, {right} can force a win"),
    };
    let style = style(outcome);
    format!("{style}{}: {why}{style:#}", outcome.name().to_uppercase())
}

/// The outcome class, in a game in which either side may begin; otherwise an empty text.
pub(super) fn class(facts: &TableFacts) -> String {
    let of = |(class, [left, right]): &(OutcomeClass, [String; 2])| format!("{class}: {}", class.words(left, right));
    facts.class.as_ref().map_or_else(String::new, of)
}

/// The compression of a table's labels; an empty text if they are not compressed.
pub(super) fn compression(facts: &TableFacts) -> String {
    let Some(compression) = facts.compressed else { return String::new() };
    let part = compression.stored as f64 / compression.raw.max(1) as f64;
    let (raw, block) = (HumanBytes(compression.raw), HumanBytes(compression.block.into()));
    format!("to {:.0} % of {raw}, in blocks of {block}", part * 100.0)
}
