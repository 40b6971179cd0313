//! The columns that rows of a table may have.

use std::fmt::{self, Display};
use std::str::FromStr;

use tablegen_labels::{LabelKind, LabelSet};

/// A column of rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColumnName {
    /// The name of the mode; missing in games with one mode.
    Mode,
    /// The board number.
    Board,
    /// The text that `probe` reads; missing for a board that is not a position of the game.
    Position,
    /// True if the position is reachable; missing if the table does not record it.
    Reachable,
    /// A label. A draw by repetition has no remoteness.
    Label(LabelKind),
    /// The mode of the representative of the symmetry class.
    ClassMode,
    /// The board number of that representative.
    ClassBoard,
    /// The number of positions in the symmetry class.
    ClassSize,
    /// The number of pieces in the game's first colour.
    PiecesFirst,
    /// The number of pieces in the second colour.
    PiecesSecond,
    /// The number of moves; moves to the same position count as one. Missing for a board that is not a position of the game.
    Moves,
    /// The move that `probe` lists first; missing if there is none.
    BestMove,
    /// The name of the value of the board; missing if it is too long, or if the table has no value of the board.
    Value,
    /// The numerator of the mean of that value, in lowest terms.
    MeanNumerator,
    /// The denominator of the mean.
    MeanDenominator,
    /// The numerator of the temperature of the value, in lowest terms.
    TemperatureNumerator,
    /// The denominator of the temperature.
    TemperatureDenominator,
}

/// A text that names no column.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected one of {}", names().join(", "))]
pub struct UnknownColumn {
    /// The text.
    pub found: String,
}

impl ColumnName {
    /// The columns of the symmetry class.
    pub const CLASS: [Self; 3] = [Self::ClassMode, Self::ClassBoard, Self::ClassSize];
    /// The columns of the value of the board.
    pub const VALUE: [Self; 5] = [
        Self::Value,
        Self::MeanNumerator,
        Self::MeanDenominator,
        Self::TemperatureNumerator,
        Self::TemperatureDenominator,
    ];
    const FIRST: [Self; 4] = [Self::Mode, Self::Board, Self::Position, Self::Reachable];
    const ON_REQUEST: [Self; 4] = [Self::PiecesFirst, Self::PiecesSecond, Self::Moves, Self::BestMove];

    /// All columns.
    pub fn all() -> impl Iterator<Item = Self> {
        let labels = LabelKind::ALL.into_iter().map(Self::Label);
        Self::FIRST.into_iter().chain(labels).chain(Self::CLASS).chain(Self::ON_REQUEST).chain(Self::VALUE)
    }

    /// The columns by default of rows with `labels`, without those of the symmetry class.
    #[must_use]
    pub fn usual(labels: LabelSet) -> Vec<Self> {
        Self::FIRST.into_iter().chain(labels.iter().map(Self::Label)).collect()
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mode => "mode",
            Self::Board => "board",
            Self::Position => "position",
            Self::Reachable => "reachable",
            Self::Label(label) => label.about().key,
            Self::ClassMode => "class_mode",
            Self::ClassBoard => "class_board",
            Self::ClassSize => "class_size",
            Self::PiecesFirst => "pieces_first",
            Self::PiecesSecond => "pieces_second",
            Self::Moves => "moves",
            Self::BestMove => "best_move",
            Self::Value => "value",
            Self::MeanNumerator => "mean_numerator",
            Self::MeanDenominator => "mean_denominator",
            Self::TemperatureNumerator => "temperature_numerator",
            Self::TemperatureDenominator => "temperature_denominator",
        }
    }

    /// The label of the column, if it has one.
    #[must_use]
    pub const fn label(self) -> Option<LabelKind> {
        if let Self::Label(label) = self { Some(label) } else { None }
    }

    /// True for a column of the symmetry class.
    #[must_use]
    pub fn is_of_class(self) -> bool {
        Self::CLASS.contains(&self)
    }

    /// True for a column of the value of the board.
    #[must_use]
    pub fn is_of_value(self) -> bool {
        Self::VALUE.contains(&self)
    }
}

fn names() -> Vec<&'static str> {
    ColumnName::all().map(ColumnName::name).collect()
}

impl Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ColumnName {
    type Err = UnknownColumn;

    fn from_str(text: &str) -> Result<Self, UnknownColumn> {
        // Options name labels with hyphens.
        let name = text.replace('-', "_");
        Self::all().find(|column| column.name() == name).ok_or_else(|| UnknownColumn { found: text.into() })
    }
}

/// How board numbers are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Keys {
    /// As numbers of 64 bits; as decimal texts in games of more than 64 cells.
    #[default]
    Numbers,
    /// As texts `0x…` of equal length.
    Hex,
    /// As decimal texts.
    Texts,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_are_different_and_read_back() {
        for column in ColumnName::all() {
            assert_eq!(column.name().parse(), Ok(column));
            assert!(!column.name().contains('-'), "{column}");
        }
        for kind in LabelKind::ALL {
            assert_eq!(kind.name().parse(), Ok(ColumnName::Label(kind)));
        }
        assert!("colour".parse::<ColumnName>().unwrap_err().to_string().starts_with("expected one of mode, board,"));
    }
}
