//! The names of a label, and its kind.

/// The names of a label, and its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// The number that represents the label in files. It also gives the label its bit in sets.
    pub number: u8,
    /// The name in options and messages.
    pub name: &'static str,
    /// The key in JSON objects, and the name of the column.
    pub key: &'static str,
    /// The name in sentences.
    pub noun: &'static str,
    /// A description, for the help of a command.
    pub help: &'static str,
    /// The same in more words, for the help of `--labels`; empty if the name is enough.
    pub option: &'static str,
    /// The heading of the text of its counts.
    pub summary: &'static str,
    /// The heading of the picture of its counts.
    pub heading: &'static str,
    /// The name of the axis of that picture.
    pub axis: &'static str,
    /// A table gets the label unless its labels are named, and JSON objects have its key even where the label is unknown.
    pub usual: bool,
    /// Only impartial games have the label.
    pub impartial: bool,
    /// The label counts plies to the end, and says the outcome too. Otherwise it is a plain number, which is its code.
    pub counts_plies: bool,
    /// The outcome of a position follows from its label.
    pub decides: bool,
    /// The label is a number that may be negative.
    pub is_signed: bool,
}

impl About {
    /// A usual label of any game without a name, which decides the outcome.
    pub(super) const USUAL: Self = Self {
        number: 0,
        name: "",
        key: "",
        noun: "",
        help: "",
        option: "",
        summary: "",
        heading: "",
        axis: "",
        usual: true,
        impartial: false,
        counts_plies: false,
        decides: true,
        is_signed: false,
    };
}
