//! What a row has in each column.

use rayon::prelude::*;

use super::layout::{Column, add, flags, numbers, texts, words};
use super::{ColumnField, ColumnKind, ColumnName, Keys, TASK};
use crate::answer::assembly::distinct;
use crate::first::is_position;
use crate::value::board_values::{BoardSummaries, BoardSummary};
use crate::{EngineError, OpenTable, Row};
use tablegen_games::{Game, ScenePlace};
use tablegen_index::symmetry::Group;
use tablegen_labels::LabelKind;
use tablegen_rules::{Mode, Node, Position};
use tablegen_tables::table::TableError;

/// What several columns of some rows need.
pub(super) struct Shared<'a> {
    pub(super) open: &'a OpenTable,
    pub(super) rows: &'a [Row],
    /// The representatives of the symmetry classes, and the sizes of the classes; empty if no column needs them.
    classes: Vec<(Position, u64)>,
    /// The places of the board, likewise.
    places: Vec<ScenePlace>,
    /// The values of boards, and the number of the value of each row, likewise.
    values: &'a BoardSummaries,
    numbers: Vec<Option<u32>>,
}

impl<'a> Shared<'a> {
    /// What `fields` need for `rows` of `open`. The game has the symmetries `group`, and `values` keeps values of boards.
    ///
    /// # Errors
    /// If the table is damaged where it is read.
    pub(super) fn new(
        open: &'a OpenTable,
        fields: &[ColumnField],
        group: Option<&Group>,
        values: &'a mut BoardSummaries,
        rows: &'a [Row],
    ) -> Result<Self, EngineError> {
        let class = |group: &Group| {
            let class_of = |row: &Row| {
                let found = group.representative_and_stabilizer(row.position);
                (found.position, group.order() / found.stabilizer)
            };
            rows.par_iter().with_min_len(TASK).map(class_of).collect()
        };
        let has = |column: fn(ColumnName) -> bool| fields.iter().any(|field| column(field.column));
        let counts_pieces = has(|column| matches!(column, ColumnName::PiecesFirst | ColumnName::PiecesSecond));
        let mut numbers = Vec::new();
        if has(ColumnName::is_of_value) {
            let positions: Vec<Position> = rows.iter().map(|row| row.position).collect();
            numbers = values.read(open, &positions)?;
        }
        Ok(Self {
            open,
            rows,
            classes: group.map_or_else(Vec::new, class),
            places: if counts_pieces { open.game.scene().places } else { Vec::new() },
            values,
            numbers,
        })
    }

    /// The column `field`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(super) fn column(&self, field: &ColumnField) -> Result<Column, EngineError> {
        let (open, rows, classes) = (self.open, self.rows, &self.classes[..]);
        let kind = field.kind;
        let mode = |mode: Mode| open.table.rules().mode_name(mode);
        let keys = |positions: &[Position]| keys(positions, field, open.table.rules().cells());
        Ok(match field.column {
            ColumnName::Mode => texts(rows, |row, out| add(mode(row.position.mode), out)),
            ColumnName::Board => keys(&rows.iter().map(|row| row.position).collect::<Vec<_>>()),
            ColumnName::Position => texts(rows, |row, out| {
                let before = out.len();
                if is_of_game(open, row) {
                    open.game.write_to(row.position.into(), out);
                }
                out.len() > before
            }),
            ColumnName::Reachable => flags(rows.iter().map(|row| row.reachable)),
            ColumnName::Label(LabelKind::Outcome) => texts(rows, |row, out| add(Some(row.value.outcome.name()), out)),
            ColumnName::Label(label) => numbers(kind, rows.iter().map(|row| row.value.number(label).map(i64::from))),
            ColumnName::ClassMode => texts(classes, |(class, _), out| add(mode(class.mode), out)),
            ColumnName::ClassBoard => keys(&classes.iter().map(|(class, _)| *class).collect::<Vec<_>>()),
            ColumnName::ClassSize => words(classes.iter().map(|(_, size)| *size)),
            ColumnName::PiecesFirst => numbers(kind, rows.iter().map(|row| Some(self.pieces(row, 1)))),
            ColumnName::PiecesSecond => numbers(kind, rows.iter().map(|row| Some(self.pieces(row, 2)))),
            ColumnName::Moves => {
                let moves = |row: &Row| is_of_game(open, row).then(|| moves(open, row.position));
                numbers(kind, rows.par_iter().with_min_len(TASK).map(moves).collect::<Vec<_>>().into_iter())
            }
            ColumnName::BestMove => {
                let best = |row: &Row| best_move(open, row);
                let found: Result<Vec<_>, _> = rows.par_iter().with_min_len(TASK).map(best).collect();
                texts(&found.map_err(EngineError::Read)?, |text, out| add(text.as_deref(), out))
            }
            ColumnName::Value => texts(&self.numbers, |number, out| {
                add(number.and_then(|number| self.values.get(number)?.name.as_deref()), out)
            }),
            ColumnName::MeanNumerator => self.of_values(|value| value.mean[0]),
            ColumnName::MeanDenominator => self.of_values(|value| value.mean[1]),
            ColumnName::TemperatureNumerator => self.of_values(|value| value.temperature[0]),
            ColumnName::TemperatureDenominator => self.of_values(|value| value.temperature[1]),
        })
    }

    /// A column of `part` of the values of boards.
    fn of_values(&self, part: impl Fn(&BoardSummary) -> i64) -> Column {
        let of = |number: &Option<u32>| number.and_then(|number| self.values.get(number).map(&part));
        numbers(ColumnKind::I64, self.numbers.iter().map(of))
    }

    /// The number of places in this state on the board of `row`.
    fn pieces(&self, row: &Row, state: u8) -> i64 {
        self.places.iter().filter(|place| place.state(row.position.board) == state).count() as i64
    }
}

/// The board numbers of `positions` on boards of `cells` cells.
fn keys(positions: &[Position], field: &ColumnField, cells: u32) -> Column {
    let digits = cells.div_ceil(4) as usize;
    match (field.kind, field.keys) {
        (ColumnKind::Text, Keys::Hex) => {
            texts(positions, |at, out| add(Some(&format!("0x{:0digits$x}", at.board.number())), out))
        }
        (ColumnKind::Text, _) => texts(positions, |at, out| add(Some(&at.board.number().to_string()), out)),
        _ => words(positions.iter().map(|at| at.board.low_word())),
    }
}

/// True if `row` is a position of the game, and not just of its rules. A reachable position is one.
fn is_of_game(open: &OpenTable, row: &Row) -> bool {
    row.reachable == Some(true) || is_position(open, row.position)
}

/// The number of different positions after a move from `position`.
fn moves(open: &OpenTable, position: Position) -> i64 {
    distinct(open.game.rules().choices(Node::At(position))).len() as i64
}

/// The text of the best move; `None` at the end of play, and on a board that is not a position of the game.
fn best_move(open: &OpenTable, row: &Row) -> Result<Option<String>, TableError> {
    if !is_of_game(open, row) {
        return Ok(None);
    }
    let probe = open.table.probe(row.position)?;
    Ok(probe.moves.first().map(|best| open.game.write_move(probe.node, best.to)))
}

/// True if the pieces of `game` have two colours.
pub(super) fn has_two_colours(game: &dyn Game) -> bool {
    game.scene().signs.len() == 2
}
