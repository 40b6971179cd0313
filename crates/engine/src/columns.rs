//! The rows of a table as columns, in the memory layout of Apache Arrow.

use rayon::prelude::*;

use super::export::text_of;
use super::{EngineError, OpenTable, Row, RowOptions, RowReader, RowsError};
use tablegen_index::contents::LabelFault;
use tablegen_index::symmetry::Group;
use tablegen_labels::{LabelKind, Width};
use tablegen_rules::{Mode, Position};

/// Rows of a batch of columns for a file or a stream, at least, unless it is the last.
pub const COLUMN_BATCH: usize = 1 << 16;
/// Rows per task.
const TASK: usize = 1 << 10;

/// The type of the values in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// One bit each.
    Bits,
    /// One byte each.
    U8,
    /// One byte with a sign each.
    I8,
    /// Two bytes each.
    U16,
    /// Eight bytes each.
    U64,
    /// Texts in UTF-8.
    Text,
}

/// The name and the type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnField {
    /// Its name.
    pub name: &'static str,
    /// The type of its values.
    pub kind: ColumnKind,
    /// True if values may be missing.
    pub is_nullable: bool,
    content: Content,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Mode,
    Board,
    Position,
    Reachable,
    Label(LabelKind),
    ClassMode,
    ClassBoard,
    ClassSize,
}

/// The values of a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ColumnValues {
    /// Bits, the first one least significant.
    Bits(Vec<u8>),
    /// Bytes.
    U8(Vec<u8>),
    /// Bytes with a sign.
    I8(Vec<i8>),
    /// Pairs of bytes.
    U16(Vec<u16>),
    /// Words.
    U64(Vec<u64>),
    /// Texts, one after the other.
    Text {
        /// The offset of each text, and then the number of all bytes.
        offsets: Vec<i32>,
        /// The bytes of all texts.
        bytes: Vec<u8>,
    },
}

/// A column of some rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The values. A missing value is 0 or empty.
    pub values: ColumnValues,
    /// A bit for each value, 0 if it is missing; and the number of missing values. `None` if no value is missing.
    pub valid: Option<(Vec<u8>, usize)>,
}

/// Columns of some rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    /// The number of rows.
    pub rows: usize,
    /// The columns, one for each [field](ColumnReader::fields).
    pub columns: Vec<Column>,
}

/// Reads the rows of a table as columns, in batches. A reader holds some tens of MiB, however large the table.
///
/// The columns are `mode` (missing in games with one mode), `board`, `position` (as `probe` reads it; missing for a board
/// that is not a position of the game), `reachable` (missing if the table does not record it), those of `outcome`,
/// `remoteness`, `nimber` and `misere_nimber` that the [options](RowOptions::labels) name, and, if requested, the symmetry class: the mode and
/// the board of its representative, `class_mode` and `class_board`, and its size, `class_size`. Board numbers of more
/// than 64 bits are texts. A draw by repetition has no remoteness.
#[derive(Debug)]
pub struct ColumnReader {
    rows: RowReader,
    fields: Vec<ColumnField>,
    /// The symmetries, if there are columns of classes.
    group: Option<Group>,
}

/// The reason why there are no columns.
#[derive(Debug, thiserror::Error)]
pub enum ColumnsError {
    /// The table does not have the rows.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// The symmetries of the game are wrong.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl ColumnReader {
    /// A reader of the rows of `open` that `options` choose, with their labels and the symmetry class. Checksums are not
    /// checked.
    ///
    /// # Errors
    /// If the table does not have the rows, or the game declares a symmetry that it does not have.
    pub fn new(open: &OpenTable, options: RowOptions) -> Result<Self, ColumnsError> {
        let group = options.classes.clone().map_or_else(|| open.classes(), Ok)?;
        let mut reader = Self::without_classes(open, options)?;
        let number = reader.fields[1].kind;
        let field = |name, kind, is_nullable, content| ColumnField { name, kind, is_nullable, content };
        reader.fields.extend([
            field("class_mode", ColumnKind::Text, true, Content::ClassMode),
            field("class_board", number, false, Content::ClassBoard),
            field("class_size", ColumnKind::U64, false, Content::ClassSize),
        ]);
        Ok(Self { group: Some(group), ..reader })
    }

    /// As [`new`](Self::new), without the symmetry class.
    ///
    /// # Errors
    /// If the table does not have the rows.
    pub fn without_classes(open: &OpenTable, options: RowOptions) -> Result<Self, RowsError> {
        let labels = options.labels;
        let rows = RowReader::new(open, options)?;
        let rules = open.table.rules();
        let number = if rules.cells() > u64::BITS { ColumnKind::Text } else { ColumnKind::U64 };
        let field = |name, kind, is_nullable, content| ColumnField { name, kind, is_nullable, content };
        let mut fields = vec![
            field("mode", ColumnKind::Text, true, Content::Mode),
            field("board", number, false, Content::Board),
            field("position", ColumnKind::Text, true, Content::Position),
            field("reachable", ColumnKind::Bits, true, Content::Reachable),
        ];
        fields.extend(labels.iter().map(|label| {
            let kind = match (label, open.table.label_width(label)) {
                (LabelKind::Outcome, _) => ColumnKind::Text,
                (_, Width::Sixteen) => ColumnKind::U16,
                (label, _) if label.about().is_signed => ColumnKind::I8,
                _ => ColumnKind::U8,
            };
            field(label.about().key, kind, label.about().counts_plies, Content::Label(label))
        }));
        Ok(Self { rows, fields, group: None })
    }

    /// The columns.
    #[must_use]
    pub fn fields(&self) -> &[ColumnField] {
        &self.fields
    }

    /// The next rows of `open`, the table that the reader was made for: at least `at_least`, unless they are the last.
    /// `None` after the last. `done` is called with the number of positions just examined. Works on all cores of the
    /// current rayon pool.
    ///
    /// # Errors
    /// If labels are damaged.
    pub fn next(
        &mut self,
        open: &OpenTable,
        at_least: usize,
        done: &dyn Fn(u64),
    ) -> Result<Option<Columns>, LabelFault> {
        let mut rows: Option<Vec<Row>> = None;
        while rows.as_ref().is_none_or(|rows| rows.len() < at_least) {
            let Some(found) = self.rows.next(open)? else { break };
            done(found.examined);
            match &mut rows {
                None => rows = Some(found.rows),
                Some(rows) => rows.extend(found.rows),
            }
        }
        Ok(rows.map(|rows| self.columns(open, &rows)))
    }

    /// The columns of `rows`, which are rows of `open`.
    #[must_use]
    pub fn columns(&self, open: &OpenTable, rows: &[Row]) -> Columns {
        let class = |rows: &[Row]| rows.iter().filter_map(|row| self.class_of(row.position)).collect::<Vec<_>>();
        let classes: Vec<(Position, u64)> = rows.par_chunks(TASK).flat_map_iter(class).collect();
        let column = |field: &ColumnField| column(open, field, rows, &classes);
        Columns { rows: rows.len(), columns: self.fields.par_iter().map(column).collect() }
    }

    /// The representative of the symmetry class of `position`, and the size of the class.
    fn class_of(&self, position: Position) -> Option<(Position, u64)> {
        let group = self.group.as_ref()?;
        let found = group.representative_and_stabilizer(position);
        Some((found.position, group.order() / found.stabilizer))
    }
}

fn column(open: &OpenTable, field: &ColumnField, rows: &[Row], classes: &[(Position, u64)]) -> Column {
    let mode = |mode: Mode| open.table.rules().mode_name(mode);
    let boards = |boards: Vec<Position>| match field.kind {
        ColumnKind::Text => texts(&boards, |at, out| out(Some(&at.board.number().to_string()))),
        _ => Column { values: ColumnValues::U64(boards.iter().map(|at| at.board.low_word()).collect()), valid: None },
    };
    match field.content {
        Content::Mode => texts(rows, |row, out| out(mode(row.position.mode))),
        Content::Board => boards(rows.iter().map(|row| row.position).collect()),
        Content::Position => {
            texts(rows, |row, out| out(Some(text_of(open, row.position).as_str()).filter(|text| !text.is_empty())))
        }
        Content::Reachable => {
            let values = ColumnValues::Bits(bits(rows.iter().map(|row| row.reachable == Some(true))));
            Column { values, valid: validity(rows.iter().map(|row| row.reachable.is_some())) }
        }
        Content::Label(LabelKind::Outcome) => texts(rows, |row, out| out(Some(row.value.outcome.name()))),
        Content::Label(kind) => numbers(rows, field.kind, |row| row.value.number(kind)),
        Content::ClassMode => texts(classes, |(class, _), out| out(mode(class.mode))),
        Content::ClassBoard => boards(classes.iter().map(|(class, _)| *class).collect()),
        Content::ClassSize => {
            Column { values: ColumnValues::U64(classes.iter().map(|(_, size)| *size).collect()), valid: None }
        }
    }
}

/// A column of numbers of `kind`: below 2^16, below 256, or of one byte with a sign.
fn numbers(rows: &[Row], kind: ColumnKind, number: impl Fn(&Row) -> Option<i32>) -> Column {
    let all = rows.iter().map(|row| number(row).unwrap_or(0));
    let values = match kind {
        ColumnKind::U16 => ColumnValues::U16(all.map(|number| number as u16).collect()),
        ColumnKind::I8 => ColumnValues::I8(all.map(|number| number as i8).collect()),
        _ => ColumnValues::U8(all.map(|number| number as u8).collect()),
    };
    Column { values, valid: validity(rows.iter().map(|row| number(row).is_some())) }
}

/// A column of texts. `write` passes the text of an item, if it has one, to its second argument.
fn texts<T: Sync>(items: &[T], write: impl Fn(&T, &mut dyn FnMut(Option<&str>)) + Sync) -> Column {
    let part = |items: &[T]| {
        let (mut bytes, mut found) = (Vec::new(), Vec::with_capacity(items.len()));
        for item in items {
            write(item, &mut |text| {
                bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
                found.push((bytes.len(), text.is_some()));
            });
        }
        (bytes, found)
    };
    let parts: Vec<_> = items.par_chunks(TASK).map(part).collect();
    let (mut offsets, mut bytes) = (vec![0], Vec::with_capacity(parts.iter().map(|(bytes, _)| bytes.len()).sum()));
    for (of_part, found) in &parts {
        offsets.extend(found.iter().map(|(end, _)| (bytes.len() + end) as i32));
        bytes.extend_from_slice(of_part);
    }
    let valid = validity(parts.iter().flat_map(|(_, found)| found).map(|&(_, is_text)| is_text));
    Column { values: ColumnValues::Text { offsets, bytes }, valid }
}

/// The bits of `values`, and how many are 0; `None` if there are none.
fn validity(values: impl Iterator<Item = bool> + Clone) -> Option<(Vec<u8>, usize)> {
    let missing = values.clone().filter(|is_valid| !is_valid).count();
    (missing > 0).then(|| (bits(values), missing))
}

fn bits(values: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut bits = Vec::new();
    for (at, value) in values.enumerate() {
        if at % 8 == 0 {
            bits.push(0);
        }
        bits[at / 8] |= u8::from(value) << (at % 8);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Condition, Engine, SolveOptions, TableDirs, game};
    use tablegen_games::Parameters;
    use tablegen_solvers::Method;

    #[test]
    fn columns_are_laid_out_as_arrow_says() {
        assert_eq!(bits([true, false, true, true, false, false, false, false, true].into_iter()), [0b1101, 1]);
        assert_eq!(validity([true, true].into_iter()), None);
        let column = texts(&[Some("ab"), None, Some("c")], |text, out| out(*text));
        let values = ColumnValues::Text { offsets: vec![0, 2, 2, 3], bytes: b"abc".to_vec() };
        assert_eq!(column, Column { values, valid: Some((vec![0b101], 1)) });
    }

    /// The sizes of symmetry classes count each position once, in a table with symmetry and in one without.
    #[test]
    fn classes_partition_the_positions() {
        let board = Parameters::new().with("rows", 3).with("cols", 3);
        for method in [Method::Dense, Method::Sparse] {
            let options = SolveOptions { method: Some(method), ..SolveOptions::default() };
            let cram = game("cram", &board).unwrap();
            let source = Engine::new(TableDirs::none()).solve_in_memory(cram, &options, None).unwrap();
            let open = source.open_table().unwrap();
            let condition = Some(Condition::read("filled=2 and reachable", open.table.rules()).unwrap());
            let options = RowOptions { condition, labels: open.table.labels(), ..RowOptions::default() };
            let mut reader = ColumnReader::new(open, options).unwrap();
            let found = reader.next(open, COLUMN_BATCH, &|_| {}).unwrap().unwrap();
            assert_eq!(reader.next(open, 0, &|_| {}).unwrap(), None);
            // Twelve places for a domino: eight at the edge and four in the centre of the board.
            assert_eq!(found.rows, 12);
            let of = |name: &str| {
                let at = reader.fields().iter().position(|field| field.name == name).unwrap();
                found.columns[at].values.clone()
            };
            let ColumnValues::U64(mut sizes) = of("class_size") else { panic!("numbers") };
            sizes.sort_unstable();
            assert_eq!(sizes, [[4; 4].as_slice(), &[8; 8]].concat());
            let ColumnValues::U64(mut classes) = of("class_board") else { panic!("numbers") };
            classes.sort_unstable();
            classes.dedup();
            assert_eq!(classes.len(), 2);
        }
    }
}
