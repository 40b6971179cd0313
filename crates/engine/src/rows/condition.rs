//! Conditions that choose positions of a table, such as `outcome=loss and filled<6`.

use super::Row;
use tablegen_labels::{LabelKind, LabelSet};
use tablegen_rules::{Mode, Outcome};

/// The fields that a condition may name, in the order in which errors list them.
pub(super) const FIELDS: [(&str, Field); LabelKind::BYTE_LABELS + 5] = {
    let mut fields = [("reachable", Field::Reachable); LabelKind::BYTE_LABELS + 5];
    (fields[0], fields[1]) = (("mode", Field::Mode), ("outcome", Field::Outcome));
    let mut at = 2;
    while at < LabelKind::ALL.len() + 1 {
        let kind = LabelKind::ALL[at - 1];
        fields[at] = (kind.name(), Field::Number(Number::Label(kind)));
        at += 1;
    }
    fields[at] = ("filled", Field::Number(Number::Filled));
    fields[at + 1] = ("free", Field::Number(Number::Free));
    fields
};

/// A field of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Mode,
    Outcome,
    Number(Number),
    Reachable,
}

/// A field whose values are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    /// A label of one byte.
    Label(LabelKind),
    /// Filled cells.
    Filled,
    /// Cells that are not filled.
    Free,
}

/// A comparison of a field with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    /// All comparisons as they are written. A longer one stands before its own beginning.
    pub(super) const ALL: [(&str, Self); 6] = [
        ("!=", Self::Unequal),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    fn holds<T: Ord>(self, found: T, asked: T) -> bool {
        match self {
            Self::Equal => found == asked,
            Self::Unequal => found != asked,
            Self::Less => found < asked,
            Self::AtMost => found <= asked,
            Self::Greater => found > asked,
            Self::AtLeast => found >= asked,
        }
    }
}

/// A condition as a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Test {
    Mode { is: bool, mode: Mode },
    Outcome(Comparison, Outcome),
    Number(Number, Comparison, i32),
    Repetition { is: bool },
    Reachable,
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
}

impl Test {
    /// Calls `visit` with each comparison in the tree.
    fn each(&self, visit: &mut dyn FnMut(&Self)) {
        match self {
            Self::Not(test) => test.each(visit),
            Self::All(tests) | Self::Any(tests) => tests.iter().for_each(|test| test.each(visit)),
            leaf => visit(leaf),
        }
    }

    fn holds(&self, row: &Row, cells: u32) -> bool {
        match self {
            Self::Mode { is, mode } => (row.position.mode == *mode) == *is,
            Self::Outcome(comparison, outcome) => comparison.holds(row.value.outcome, *outcome),
            Self::Number(number, comparison, asked) => match number.of(row, cells) {
                Some(found) => comparison.holds(found, *asked),
                // A draw by repetition has no number of plies.
                None => *comparison == Comparison::Unequal,
            },
            Self::Repetition { is } => row.value.repetition == *is,
            Self::Reachable => row.reachable == Some(true),
            Self::Not(test) => !test.holds(row, cells),
            Self::All(tests) => tests.iter().all(|test| test.holds(row, cells)),
            Self::Any(tests) => tests.iter().any(|test| test.holds(row, cells)),
        }
    }
}

impl Number {
    fn of(self, row: &Row, cells: u32) -> Option<i32> {
        match self {
            Self::Label(kind) => row.value.number(kind),
            Self::Filled => Some(row.position.board.count() as i32),
            Self::Free => Some((cells - row.position.board.count()) as i32),
        }
    }

    pub(super) const fn label(self) -> Option<LabelKind> {
        match self {
            Self::Label(kind) => Some(kind),
            Self::Filled | Self::Free => None,
        }
    }
}

/// A condition on positions of one game.
///
/// A condition compares fields of a position with values, and joins comparisons with `not`, `and`, `or` and
/// parentheses. `not` binds most tightly, then `and`. The fields are `mode`, `outcome` (`loss` < `draw` < `win`),
/// `remoteness` in plies, `nimber`, `misere-nimber`, `filled` and `free` (numbers of cells), and `reachable`, which
/// stands alone.
///
/// A draw by repetition has no number of plies: `remoteness=repetition` holds, and comparisons of its remoteness with
/// numbers do not, except `!=`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub(super) test: Test,
    /// The number of cells of a board.
    pub(super) cells: u32,
}

impl Condition {
    /// The labels that the condition needs.
    #[must_use]
    pub fn labels(&self) -> LabelSet {
        let mut labels = LabelSet::OUTCOME;
        self.test.each(&mut |test| match test {
            Test::Number(number, ..) => labels = number.label().map_or(labels, |label| labels.with(label)),
            Test::Repetition { .. } => labels = labels.union(LabelSet::BEST_PLAY),
            _ => {}
        });
        labels
    }

    /// True if the condition names `reachable`. Then unreachable boards may satisfy it.
    #[must_use]
    pub fn names_reachable(&self) -> bool {
        let mut names = false;
        self.test.each(&mut |test| names |= *test == Test::Reachable);
        names
    }

    /// True if `row`, which has the [labels](Self::labels) that it needs, satisfies the condition.
    #[must_use]
    pub fn holds(&self, row: &Row) -> bool {
        self.test.holds(row, self.cells)
    }
}
