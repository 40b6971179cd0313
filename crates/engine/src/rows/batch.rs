//! The next rows of each kind of table.

use rayon::prelude::*;

use super::{Row, RowReader, Rows};
use crate::by_board::{Boards, ByBoard};
use crate::numbers::{DRAW, NO_END, NO_NUMBER, WIN, numbers};
use tablegen_index::contents::{ByteLabels, Coloured, Contents, LabelFault, Sparse};
use tablegen_index::symmetry::Group;
use tablegen_labels::{LabelKind, LabelSet, Value};
use tablegen_rules::{Board, Mode, Outcome, Position};

/// The number of positions to examine for a batch. Under symmetry, all positions of the classes are counted.
const BATCH: u64 = 1 << 16;
/// Positions per task.
const TASK: u64 = 1 << 12;

/// A place in a table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    /// The mode of a dense table, or the level of a sparse one.
    part: usize,
    /// The next board, index in the level, or rank.
    next: u64,
    /// The number of positions in earlier levels.
    before: u64,
}

/// Labels of consecutive boards, in array form: those of a piece of a dense table.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// The mode and the first board.
    first: Option<(usize, u64)>,
    labels: Vec<(LabelKind, Vec<u8>)>,
}

impl Piece {
    /// Reads the piece of `boards` that contains `board`, unless it has been read.
    fn load(&mut self, boards: Boards<'_>, labels: LabelSet, mode: usize, board: u64) -> Result<(), LabelFault> {
        if self.first.is_some_and(|(of, first)| of == mode && board - first < self.size()) {
            return Ok(());
        }
        self.first = None;
        self.labels.resize_with(labels.iter().count(), || (LabelKind::Outcome, Vec::new()));
        let kinds: Vec<LabelKind> = labels.iter().collect();
        let firsts = self.labels.par_iter_mut().zip(kinds).map(|((of, read), kind)| {
            let reader = ByBoard::new(boards, kind).unwrap_or_else(|_| unreachable!("the reader of rows checked it"));
            let first = board / reader.piece() as u64 * reader.piece() as u64;
            read.resize(reader.piece(), 0);
            *of = kind;
            reader.read(Mode(mode as u16), first, read).map(|()| first)
        });
        let firsts = firsts.collect::<Result<Vec<u64>, _>>()?;
        self.first = firsts.first().map(|&first| (mode, first));
        Ok(())
    }

    fn size(&self) -> u64 {
        self.labels.first().map_or(0, |(_, labels)| labels.len() as u64)
    }

    /// The labels of `board`, which is in the piece.
    fn value(&self, board: u64) -> Value {
        let at = (board - self.first.map_or(0, |(_, first)| first)) as usize;
        let mut value = Value::from(Outcome::Loss);
        for (kind, labels) in &self.labels {
            set(&mut value, *kind, labels[at]);
        }
        value
    }
}

/// Sets the label `kind` of `value` to `number`, which is in array form.
fn set(value: &mut Value, kind: LabelKind, number: u8) {
    match (kind, number) {
        (LabelKind::Outcome, WIN) => value.outcome = Outcome::Win,
        (LabelKind::Outcome, DRAW) => value.outcome = Outcome::Draw,
        (LabelKind::Outcome, _) => value.outcome = Outcome::Loss,
        (LabelKind::Remoteness, NO_END) => value.repetition = true,
        (LabelKind::Remoteness, number) => value.remoteness = Some(number.into()),
        (LabelKind::Nimber, number) => value.nimber = Some(number.into()),
        (LabelKind::MisereNimber, number) => value.misere_nimber = Some(number.into()),
    }
}

/// Labels of one byte, with the number for each code.
struct Codes<'a> {
    bytes: ByteLabels<'a>,
    kinds: Vec<(LabelKind, [u8; 256])>,
}

impl<'a> Codes<'a> {
    fn new(bytes: ByteLabels<'a>, labels: LabelSet) -> Self {
        Self { bytes, kinds: labels.others().map(|kind| (kind, numbers(kind))).collect() }
    }

    /// The labels of `position`, which are stored at `at`.
    fn value(&self, position: Position, outcome: Outcome, at: usize) -> Result<Value, LabelFault> {
        let mut value = Value::from(outcome);
        for (kind, numbers) in &self.kinds {
            let code = self.bytes.of(*kind).map(|codes| codes.get(at)).transpose()?.flatten();
            match code.map_or(NO_NUMBER, |code| numbers[usize::from(code)]) {
                NO_NUMBER => {
                    return Err(LabelFault::NoLabel { position, label: *kind, number: code.unwrap_or_default() });
                }
                number => set(&mut value, *kind, number),
            }
        }
        Ok(value)
    }
}

/// Calls `rows` with each task of the range from `first` to `end`, and joins what it returns.
fn in_tasks(
    first: u64,
    end: u64,
    rows: impl Fn(u64, u64) -> Result<Rows, LabelFault> + Sync,
) -> Result<Option<Rows>, LabelFault> {
    let starts: Vec<u64> = (first..end).step_by(TASK as usize).collect();
    let tasks = starts.into_par_iter().map(|first| rows(first, end.min(first + TASK)));
    let found = tasks.collect::<Result<Vec<Rows>, _>>()?;
    let examined = found.iter().map(|found| found.examined).sum();
    Ok(Some(Rows { rows: found.into_iter().flat_map(|found| found.rows).collect(), examined }))
}

impl RowReader {
    /// The next rows of a dense table.
    pub(super) fn by_board(&mut self, contents: Contents<'_>) -> Result<Option<Rows>, LabelFault> {
        let Some(boards) = Boards::of(contents) else { return Ok(None) };
        let (mode, first) = (self.cursor.part, self.cursor.next);
        if mode as u64 >= u64::from(boards.modes()) {
            return Ok(None);
        }
        self.piece.load(boards, self.labels, mode, first)?;
        // A piece is a power of two, so a batch is whole or in a smaller piece.
        let end = first + BATCH.min(self.piece.size());
        let found = in_tasks(first, end, |first, end| {
            let mut rows = Vec::new();
            for board in first..end {
                let position = Position::new(Mode(mode as u16), Board::from_word(board));
                let reachable = if self.is_marked { Some(contents.is_counted(position)?) } else { None };
                if self.options.every || reachable != Some(false) {
                    let row = Row { position, reachable, value: self.piece.value(board) };
                    rows.extend(Some(row).filter(|row| self.takes(row)));
                }
            }
            Ok(Rows { rows, examined: end - first })
        })?;
        self.cursor.next = end;
        if end >= boards.boards() {
            self.cursor = Cursor { part: mode + 1, ..Cursor::default() };
        }
        Ok(found)
    }

    /// The next rows of a sparse table.
    pub(super) fn by_level(&mut self, sparse: Sparse<'_>) -> Result<Option<Rows>, LabelFault> {
        let group = if self.options.classes.is_none() { sparse.group() } else { Group::trivial() };
        let batch = BATCH / group.order().clamp(1, BATCH);
        loop {
            let Cursor { part, next, before } = self.cursor;
            let Some((level, outcomes)) = sparse.level(part) else { return Ok(None) };
            let size = level.size().count;
            if next >= size {
                self.cursor = Cursor { part: part + 1, next: 0, before: before + size };
                continue;
            }
            let end = size.min(next + batch);
            let codes = Codes::new(sparse.bytes(), self.labels);
            let found = in_tasks(next, end, |first, end| {
                let mut found = Rows::default();
                for at in level.positions(first, end) {
                    let (index, position) = at?;
                    let outcome = outcomes.outcome(index)?.ok_or(LabelFault::NoOutcome { position })?;
                    let value = codes.value(position, outcome, (before + index) as usize)?;
                    let images = group.images(position);
                    found.examined += images.len() as u64;
                    let rows = images.into_iter().map(|position| Row { position, reachable: Some(true), value });
                    found.rows.extend(rows.filter(|row| self.takes(row)));
                }
                Ok(found)
            })?;
            self.cursor.next = end;
            return Ok(found);
        }
    }

    /// The next rows of a two-colour table.
    pub(super) fn by_rank(&mut self, coloured: Coloured<'_>) -> Result<Option<Rows>, LabelFault> {
        let (first, end) = (self.cursor.next, coloured.count().min(self.cursor.next + BATCH));
        if first >= end {
            return Ok(None);
        }
        let (contents, codes) = (Contents::Coloured(coloured), Codes::new(coloured.bytes(), self.labels));
        let found = in_tasks(first, end, |first, end| {
            let mut found = Rows::default();
            for rank in first..end {
                let position = contents.unrank(rank)?;
                let is_reached = coloured.is_reached(position)?;
                if !is_reached && !self.options.every {
                    continue;
                }
                found.examined += u64::from(is_reached);
                let place = coloured.index(position).zip(coloured.outcome(position)?);
                let (at, outcome) = place.ok_or(LabelFault::NoOutcome { position })?;
                let row = Row { position, reachable: Some(is_reached), value: codes.value(position, outcome, at)? };
                found.rows.extend(Some(row).filter(|row| self.takes(row)));
            }
            Ok(found)
        })?;
        self.cursor.next = end;
        Ok(found)
    }
}
