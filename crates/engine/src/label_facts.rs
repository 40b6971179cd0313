//! Facts about remoteness and nimbers: the number of positions with each value, and examples of the extremes.

use super::first::{first_with, is_position};
use super::numbers::NumberCounts;
use super::{EngineError, OpenTable, ValueStats};
use tablegen_labels::with_byte_label;
use tablegen_labels::{ByLabel, Counts, Label, Probe, Remoteness, Value, try_step};
use tablegen_rules::{Node, Outcome, Position};
use tablegen_tables::table::{Table, TableFault};

/// Facts about the labels other than the outcome; `None` for a label that the table does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LabelFacts {
    /// Facts about the plies to the end.
    pub remoteness: Option<RemotenessFacts>,
    /// Facts about each label that is a plain number, such as a nimber.
    pub numbers: ByLabel<NumberFacts>,
    /// Facts about the values of boards.
    pub values: Option<ValueStats>,
}

/// The length of games under best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemotenessFacts {
    /// The number of wins, draws and losses in 0, 1, 2 … plies.
    pub histogram: Vec<Counts>,
    /// The longest win, draw and loss, as far as they occur.
    pub longest: Vec<Longest>,
    /// The number of draws by repetition, which have no plies.
    pub repetitions: u64,
}

/// The longest game with a given outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Longest {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// Plies to the end.
    pub plies: u32,
    /// The position where it begins.
    pub example: Example,
}

/// The numbers that occur as one label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberFacts {
    /// How often each number occurs.
    pub histogram: NumberCounts,
    /// The largest number.
    pub largest: i32,
    /// A position with the largest number.
    pub example: Example,
}

/// The first position with some label. Only reachable positions count if the table records them. Dense tables are
/// searched by board number and then by mode, others in the order in which they are stored. Boards that are not
/// positions of the game are chosen only if there are no others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The position.
    pub position: Position,
    /// Its canonical text; `None` for a board that is not a position of the game.
    pub text: Option<String>,
}

impl RemotenessFacts {
    /// The longest game with `outcome`, if that outcome occurs.
    #[must_use]
    pub fn longest(&self, outcome: Outcome) -> Option<&Longest> {
        self.longest.iter().find(|longest| longest.outcome == outcome)
    }
}

impl LabelFacts {
    /// The facts about an open table. The labels are read once, as fast as memory allows.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub fn of(open: &OpenTable) -> Result<Self, EngineError> {
        let labels = open.table.labels();
        let plain = labels.others().filter(|kind| !kind.about().counts_plies);
        let numbers = plain.map(|kind| Ok((kind, with_byte_label!(kind, L => numbers::<L>(open))?)));
        Ok(Self {
            remoteness: labels.contains(Remoteness::KIND).then(|| remoteness(open)).transpose()?,
            numbers: numbers.collect::<Result<_, EngineError>>()?,
            values: ValueStats::of(open)?,
        })
    }
}

/// The number of wins, draws and losses of `table` in 0, 1, 2 … plies, without draws by repetition; empty if it has no
/// remoteness.
pub(super) fn plies_histogram(table: &Table) -> Vec<Counts> {
    let mut histogram: Vec<Counts> = Vec::new();
    let width = table.label_width(Remoteness::KIND);
    for (place, &count) in table.codes(Remoteness::KIND).iter().enumerate() {
        let Some(label) = Remoteness::at_place(place, width).filter(|_| count > 0) else { continue };
        if label == Remoteness::REPETITION {
            continue;
        }
        let plies = usize::from(label.plies);
        histogram.resize(histogram.len().max(plies + 1), Counts::default());
        histogram[plies] = histogram[plies] + Counts::of(label.outcome, count);
    }
    histogram
}

/// The number of draws by repetition in `table`.
pub(super) fn repetitions(table: &Table) -> u64 {
    let place = Remoteness::REPETITION.place(table.label_width(Remoteness::KIND));
    table.codes(Remoteness::KIND).get(place).copied().unwrap_or(0)
}

fn remoteness(open: &OpenTable) -> Result<RemotenessFacts, EngineError> {
    let histogram = plies_histogram(&open.table);
    let longest = |outcome| {
        let plies = histogram.iter().rposition(|counts| counts.with(outcome) > 0)?;
        Some(Remoteness { outcome, plies: plies as u16 })
    };
    let labels: Vec<Remoteness> = Outcome::BEST_FIRST.into_iter().filter_map(longest).collect();
    let width = open.table.label_width(Remoteness::KIND);
    let places: Vec<usize> = labels.iter().map(|label| label.place(width)).collect();
    let found = first_with(open, Remoteness::KIND, &places)?;
    let longest = labels.into_iter().zip(found).map(|(label, found)| {
        let plies = u32::from(label.plies);
        let example = checked(open, found, |probe| {
            let value = probe.value;
            let best = probe.moves.first().map_or(value, |best| best.value);
            let is = |of: Value| (of.outcome, of.remoteness()) == (label.outcome, Some(plies));
            is(value) && is(best)
        })?;
        Ok(Longest { outcome: label.outcome, plies, example })
    });
    let longest = longest.collect::<Result<_, EngineError>>()?;
    Ok(RemotenessFacts { histogram, repetitions: repetitions(&open.table), longest })
}

/// Facts about the label `L`, which is a plain number.
fn numbers<L: Label>(open: &OpenTable) -> Result<NumberFacts, EngineError> {
    let (width, codes) = (open.table.label_width(L::KIND), open.table.codes(L::KIND));
    let histogram = NumberCounts::of(&open.table, L::KIND).unwrap_or_default();
    let largest = histogram.largest();
    let has_largest = |&place: &usize| L::at_place(place, width).and_then(L::number) == Some(largest);
    let found = match (0..codes.len()).find(has_largest) {
        Some(place) => first_with(open, L::KIND, &[place])?,
        None => Vec::new(),
    };
    let example = checked(open, found.into_iter().next().flatten(), |probe| {
        let Node::At(position) = probe.node else { return false };
        let label = |next| open.table.contents().label::<L>(next).ok().flatten();
        let follows = try_step(open.table.rules(), position, |next| label(next).ok_or(()));
        [probe.value.number(L::KIND), follows.ok().and_then(L::number)] == [Some(largest); 2]
    })?;
    Ok(NumberFacts { histogram, largest, example })
}

/// The example at `found`, if its label follows from its successors. If it does not, or if the header counts such
/// positions but none was found, the table is damaged.
fn checked(
    open: &OpenTable,
    found: Option<Position>,
    follows: impl Fn(&Probe) -> bool,
) -> Result<Example, EngineError> {
    const FAULT: &str = "its counts differ from its labels";
    let damaged = || EngineError::damaged(&open.table, TableFault::Malformed(FAULT));
    let position = found.ok_or_else(damaged)?;
    let probe = open.table.probe(position).map_err(EngineError::Read)?;
    if !follows(&probe) {
        return Err(damaged());
    }
    let text = is_position(open, position).then(|| open.game.write(position.into()));
    Ok(Example { position, text })
}
