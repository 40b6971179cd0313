//! Labels of many boards at once, on all cores.
//!
//! A few boards are looked up one by one, and each block of the table is checked when it is first read. If there are
//! more boards than blocks, all blocks are checked once before the first lookup, and lookups check nothing.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::numbers::{NotHeld, check_held};
use super::{EngineError, ErrorKind, ReadWatch, Source};
use crate::Asked;
use crate::answer::question::numbered;
use tablegen_games::{Game, NotationError};
pub use tablegen_index::contents::LabelNumber;
use tablegen_index::contents::{ByBoard, Numbers};
use tablegen_labels::{LabelKind, Width};
use tablegen_rules::{Board, Mode, Node, Position, Rules};
use tablegen_solvers::SolveError;
use tablegen_tables::table::{Table, TableFault};

/// Boards per task.
const TASK: usize = 1 << 14;
/// Boards per task if labels are compressed: enough that many of them lie in one block.
const COMPRESSED_TASK: usize = 1 << 20;

/// The modes of the boards to look up.
#[derive(Clone, Copy, Debug)]
pub enum Modes<'a> {
    /// One mode for all boards.
    All(Mode),
    /// The mode of each board, by number.
    Each(&'a [u16]),
    /// The mode that each board implies: the only mode of the game, or the mode of the side to move.
    Implied,
}

/// An error of looking up many boards.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BulkError {
    /// The table does not hold the label.
    #[error(transparent)]
    NotHeld(#[from] NotHeld),
    /// The board does not exist in the rules, or its mode is missing.
    #[error("cannot look up board {at} of the list: {reason}")]
    Board {
        /// The index of the board.
        at: usize,
        /// The fault.
        reason: NotationError,
    },
    /// The table holds only reachable positions, and this one is not reachable.
    #[error(
        "cannot look up board {at} of the list: expected a reachable position, found mode {} and board {:#x}, which the \
         table does not hold", position.mode.0, position.board
    )]
    NotStored {
        /// The index of the board.
        at: usize,
        /// The position.
        position: Position,
    },
    /// The list holds boards of at most 64 cells, and the boards of the game have more.
    #[error(
        "cannot look up a list of boards of {name}: expected a game of at most {} cells, found {cells}; give positions as texts",
        u64::BITS
    )]
    TooWide {
        /// The name of the rules.
        name: String,
        /// Cells of a board.
        cells: u32,
    },
    /// The number of modes, or of places for results, differs from the number of boards.
    #[error("cannot look up the boards: expected {expected} {what}, one for each board, found {found}")]
    Length {
        /// The kind of items: modes or places for results.
        what: &'static str,
        /// The number of boards.
        expected: usize,
        /// The number of those items.
        found: usize,
    },
    /// The labels of the table have 16 bits.
    #[error("cannot look up {label} as bytes: the labels of this table have 16 bits")]
    Words {
        /// The label.
        label: LabelKind,
    },
    /// The table is damaged or missing, or the work was stopped.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl BulkError {
    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Engine(error) => error.kind(),
            _ => ErrorKind::Input,
        }
    }
}

impl Source {
    /// Writes the label of each of `boards` to `out` in array form. Outcomes are 1 (win), 0 (draw) and -1 (loss, as a
    /// byte in two's complement), for the player to move; remoteness is in plies, and scores are in two's complement. A draw by repetition has
    /// 254, or 65,534 in a table whose labels have 16 bits ([`Table::label_width`]). These do not fit into an array of bytes.
    ///
    /// A position that the table does not hold gets `missing`, or is an error if that is `None`; nothing is searched.
    /// Works on all cores of the current rayon pool. `watch` is called with the number of boards just looked up, and
    /// may stop the work.
    ///
    /// # Errors
    /// The first board that cannot be looked up, as far as the threads have come. Also if the table lacks the label or
    /// is damaged.
    pub fn look_up_all<N: LabelNumber>(
        &self,
        label: LabelKind,
        modes: Modes<'_>,
        boards: &[u64],
        out: &mut [N],
        missing: Option<N>,
        watch: ReadWatch<'_>,
    ) -> Result<(), BulkError> {
        let rules = self.game().rules();
        let length = |what, found| match found == boards.len() {
            true => Ok(()),
            false => Err(BulkError::Length { what, expected: boards.len(), found }),
        };
        if rules.cells() > u64::BITS {
            return Err(BulkError::TooWide { name: rules.name().into(), cells: rules.cells() });
        }
        length("places", out.len())?;
        if let Modes::Each(modes) = modes {
            length("modes", modes.len())?;
        }
        let mut look_up = self.looking_up(label, missing, boards.len())?;
        let dense = look_up.table.contents().every_board().filter(|_| look_up.is_sound);
        look_up.by_board = dense.and_then(|dense| ByBoard::new(dense, label));
        let is_compressed = look_up.by_board.as_ref().is_some_and(ByBoard::is_compressed);
        let size = if is_compressed { COMPRESSED_TASK } else { TASK };
        let tasks = boards.par_chunks(size).zip(out.par_chunks_mut(size)).enumerate();
        tasks.try_for_each(|(number, (boards, out))| {
            let first = number * size;
            look_up.task(modes, first, boards, out)?;
            watched(watch, boards.len())
        })
    }
}

impl Source {
    /// Like [`look_up_all`](Self::look_up_all), for positions as texts, on boards of any size. Where `modes` gives a mode, the text is a
    /// board number; otherwise it is a position as `probe` reads it.
    ///
    /// # Errors
    /// As [`look_up_all`](Self::look_up_all).
    pub fn look_up_texts<N: LabelNumber>(
        &self,
        label: LabelKind,
        modes: Modes<'_>,
        texts: &[impl AsRef<str> + Sync],
        out: &mut [N],
        missing: Option<N>,
        watch: ReadWatch<'_>,
    ) -> Result<(), BulkError> {
        let length = |what, found| match found == texts.len() {
            true => Ok(()),
            false => Err(BulkError::Length { what, expected: texts.len(), found }),
        };
        length("places", out.len())?;
        if let Modes::Each(modes) = modes {
            length("modes", modes.len())?;
        }
        let look_up = self.looking_up(label, missing, texts.len())?;
        let tasks = texts.par_chunks(TASK).zip(out.par_chunks_mut(TASK)).enumerate();
        tasks.try_for_each(|(number, (texts, out))| {
            for (offset, (text, out)) in texts.iter().zip(out).enumerate() {
                let at = number * TASK + offset;
                let position = self.position_of(text.as_ref(), modes.of(at))?;
                let position = position.map_err(|reason| BulkError::Board { at, reason })?;
                *out = look_up.found(at, position)?;
            }
            watched(watch, texts.len())
        })
    }

    /// The position that `text` names: a board number if there is a mode.
    fn position_of(&self, text: &str, mode: Option<Mode>) -> Result<Result<Position, NotationError>, EngineError> {
        let wrong = |expected: &str, found: &str| Ok(Err(NotationError::new(text, expected, found)));
        if let Some(mode) = mode {
            let digits = text.strip_prefix("0x").map_or_else(|| text.parse(), |hex| u128::from_str_radix(hex, 16));
            let Ok(number) = digits else { return wrong("a board number beside a mode", "another text") };
            return Ok(numbered(self.game(), text, Some(mode), Board::from_number(number)));
        }
        let asked = match self.read(text) {
            Ok(asked) => asked,
            Err(error) => return Ok(Err(error)),
        };
        let node = match &asked {
            Asked::Node(reading) if reading.lead != 0 => return wrong("a position without a lead", "one with a lead"),
            Asked::Node(reading) => Some(reading.node),
            Asked::Text(_) => self.node_of(&asked)?,
        };
        match node {
            Some(Node::At(position)) => Ok(Ok(position)),
            _ => wrong("a position of the rules", "another one"),
        }
    }

    /// What looks up `count` labels.
    fn looking_up<N: LabelNumber>(
        &self,
        label: LabelKind,
        missing: Option<N>,
        count: usize,
    ) -> Result<LookUp<'_, N>, BulkError> {
        let (game, rules) = (self.game(), self.game().rules());
        let none = || EngineError::Missing { name: rules.name().into() };
        let table = self.table().ok_or_else(none)?;
        check_held(table.contents().bytes(), label)?;
        let numbers = Numbers::of_contents(label, &table.contents());
        if numbers.width() == Width::Sixteen && N::BITS < u16::BITS {
            return Err(BulkError::Words { label });
        }
        let is_sound = count as u64 >= table.blocks_to_check(label);
        if is_sound {
            table.check_label(label).map_err(EngineError::Read)?;
        }
        Ok(LookUp { game, rules, table, numbers, missing, is_sound, by_board: None })
    }
}

impl Modes<'_> {
    /// The mode of board `at` of the list; `None` if it is implied.
    fn of(&self, at: usize) -> Option<Mode> {
        match *self {
            Self::All(mode) => Some(mode),
            Self::Each(modes) => modes.get(at).copied().map(Mode),
            Self::Implied => None,
        }
    }
}

/// Reports `count` boards to `watch`, which may stop the work.
fn watched(watch: ReadWatch<'_>, count: usize) -> Result<(), BulkError> {
    match watch(count as u64) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(EngineError::from(SolveError::Cancelled).into()),
    }
}

/// The data that every task needs.
struct LookUp<'a, N> {
    game: &'a dyn Game,
    rules: &'a Rules,
    table: &'a Table,
    numbers: Numbers,
    missing: Option<N>,
    /// The checksums of all blocks were checked before.
    is_sound: bool,
    /// The labels by board number, if that is so and there are labels of all boards.
    by_board: Option<ByBoard<'a>>,
}

impl<N: LabelNumber> LookUp<'_, N> {
    /// Looks up `boards`; the first has index `first` among all.
    fn task(&self, modes: Modes<'_>, first: usize, boards: &[u64], out: &mut [N]) -> Result<(), BulkError> {
        let mode = |at: usize| modes.of(first + at);
        let implied = (self.rules.modes().len() == 1).then_some(Mode(0));
        let fast = |reader: &ByBoard<'_>| reader.look_up(|at| mode(at).or(implied), boards, &mut *out);
        let done = self.by_board.as_ref().map_or(0, fast);
        // The fast way stops at the first board that it cannot look up. The rest is done one by one, or is an error.
        for (offset, (&board, out)) in boards.iter().zip(out).enumerate().skip(done) {
            let at = first + offset;
            let position = match (mode(offset), Board::from_word(board)) {
                (Some(mode), board) if self.rules.has(Position::new(mode, board)) => Position::new(mode, board),
                (mode, board) => numbered(self.game, &format!("{board:#x}"), mode, board)
                    .map_err(|reason| BulkError::Board { at, reason })?,
            };
            *out = self.found(at, position)?;
        }
        Ok(())
    }

    /// The label of `position`, number `at` of the list, or what stands for a missing one.
    fn found(&self, at: usize, position: Position) -> Result<N, BulkError> {
        match self.label(position)? {
            Some(label) => Ok(label),
            None => self.missing.ok_or(BulkError::NotStored { at, position }),
        }
    }

    /// The label of `position`; `None` if the table does not hold it.
    fn label(&self, position: Position) -> Result<Option<N>, EngineError> {
        if self.is_sound {
            let number = self.numbers.of(&self.table.contents(), position);
            return Ok(number.map_err(|fault| EngineError::damaged(self.table, fault))?.and_then(N::of));
        }
        if self.numbers.kind() == LabelKind::Outcome {
            let outcome = self.table.find(position).map_err(EngineError::Read)?;
            return Ok(outcome.and_then(|outcome| N::of(Numbers::of_outcome(outcome).into())));
        }
        match self.table.value(position) {
            Ok(value) => Ok(self.numbers.of_value(&value).and_then(N::of)),
            Err(error) if matches!(error.fault, TableFault::NotReached { .. }) => Ok(None),
            Err(error) => Err(EngineError::Read(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ColumnKind, ColumnName, ColumnReader, ColumnValues, Condition, Engine, Keys, RowOptions, SolveOptions,
        TableDirs, game,
    };
    use tablegen_games::{Parameters, Plain};
    use tablegen_rules::{Descriptor, Move, RulesSpec};
    use tablegen_solvers::Method;

    const ON: ReadWatch<'static> = &|_| ControlFlow::Continue(());

    fn source(name: &str, parameters: &Parameters, method: Method) -> Source {
        let options = SolveOptions { method: Some(method), ..SolveOptions::default() };
        Engine::new(TableDirs::none()).solve_in_memory(game(name, parameters).unwrap(), &options, None).unwrap()
    }

    /// The label from the table's own lookup, for comparison.
    fn one_by_one(source: &Source, label: LabelKind, mode: u16, board: u64) -> u8 {
        let value = match source.table().unwrap().value(Position::new(Mode(mode), Board::from_word(board))) {
            Ok(value) => value,
            Err(error) if matches!(error.fault, TableFault::NotReached { .. }) => return 99,
            Err(error) => panic!("{error}"),
        };
        match label {
            LabelKind::Outcome => Numbers::of_outcome(value.outcome),
            kind => value.number(kind).unwrap() as u8,
        }
    }

    #[test]
    fn bulk_lookups_equal_single_lookups() {
        let small = Parameters::new().with("rows", 2).with("cols", 3).with("k", 3);
        let cases = [
            ("kayles", Parameters::new(), Method::Dense),
            ("kayles", Parameters::new(), Method::Sparse),
            ("mnk", small.clone(), Method::Dense),
            ("mnk", small.clone(), Method::Coloured),
            ("mnk", small, Method::Sparse),
            ("domineering", Parameters::new().with("rows", 3).with("cols", 3), Method::Dense),
        ];
        let mut random = fastrand::Rng::with_seed(5);
        for (name, parameters, method) in cases {
            let source = source(name, &parameters, method);
            let (rules, labels) = (source.game().rules(), source.table().unwrap().labels());
            let modes = rules.modes().len() as u16;
            for (label, count) in labels.iter().flat_map(|label| [(label, 3), (label, 2 * TASK + 5)]) {
                let boards: Vec<u64> = (0..count).map(|_| random.u64(..1 << rules.cells())).collect();
                let each: Vec<u16> = (0..count).map(|_| random.u16(..modes)).collect();
                let mut out = vec![7; count];
                let look_up = |modes, out: &mut [u8]| source.look_up_all(label, modes, &boards, out, Some(99), ON);
                for mode in 0..modes {
                    look_up(Modes::All(Mode(mode)), &mut out).unwrap();
                    let expected = boards.iter().map(|&board| one_by_one(&source, label, mode, board));
                    assert!(out.iter().copied().eq(expected), "{name} {method:?} {label}");
                }
                look_up(Modes::Each(&each), &mut out).unwrap();
                let expected = boards.iter().zip(&each).map(|(&board, &mode)| one_by_one(&source, label, mode, board));
                assert!(out.iter().copied().eq(expected), "{name} {method:?} {label}");
            }
        }
    }

    /// A binary counter: play lasts 2^7 - 1 plies, which takes 16 bits.
    fn counter() -> Source {
        let add = |cell: u32| {
            let below = Board::full(cell);
            Move { full: below, clears: below, ..Move::fill(Board::bit(cell)) }
        };
        let spec = RulesSpec { moves: (0..7).map(add).collect(), ..RulesSpec::new("counter", 7) };
        let game = Box::new(Plain::new(spec.build().unwrap(), Descriptor::default()));
        let options = SolveOptions { method: Some(Method::Regions), ..SolveOptions::default() };
        Engine::new(TableDirs::none()).solve_in_memory(game, &options, None).unwrap()
    }

    #[test]
    fn labels_of_two_bytes_need_numbers_of_two_bytes() {
        let source = counter();
        let boards: Vec<u64> = (0..128).collect();
        for boards in [&boards[..3], &boards] {
            let mut words = vec![0u16; boards.len()];
            source.look_up_all(LabelKind::Remoteness, Modes::Implied, boards, &mut words, None, ON).unwrap();
            assert!(words.iter().zip(boards).all(|(&plies, &board)| u64::from(plies) == 127 - board));
            let mut outcomes = vec![0u8; boards.len()];
            source.look_up_all(LabelKind::Outcome, Modes::Implied, boards, &mut outcomes, None, ON).unwrap();
            assert!(
                outcomes.iter().zip(boards).all(|(&outcome, &board)| outcome == if board % 2 == 0 { 1 } else { 255 })
            );
            let mut bytes = vec![0u8; boards.len()];
            let error = source.look_up_all(LabelKind::Remoteness, Modes::Implied, boards, &mut bytes, None, ON);
            assert!(matches!(error, Err(BulkError::Words { label: LabelKind::Remoteness })));
        }
        let open = source.open_table().unwrap();
        let condition = Some(Condition::read("remoteness > 124", open.table.rules()).unwrap());
        let options = RowOptions { condition, ..RowOptions::default() };
        let columns = ColumnName::usual(open.table.labels());
        let mut reader = ColumnReader::new(open, options, &columns, Keys::Numbers).unwrap();
        let columns = reader.next(open, 1, &|_| {}).unwrap().unwrap();
        let at = reader.fields().iter().position(|field| field.name() == "remoteness").unwrap();
        let ColumnValues::U16(mut plies) = columns.columns[at].values.clone() else { panic!("two bytes each") };
        plies.sort_unstable();
        assert_eq!((plies, reader.fields()[at].kind), (vec![125, 126, 127], ColumnKind::U16));
    }

    #[test]
    fn texts_name_the_same_positions_as_numbers() {
        let source = source("mnk", &Parameters::new(), Method::Sparse);
        let game = source.game();
        let boards = [0, 0x2000, 0x2001];
        let mut expected = [0u8; 3];
        source.look_up_all(LabelKind::Remoteness, Modes::Implied, &boards, &mut expected, Some(99), ON).unwrap();
        let numbers = boards.map(|board| format!("{board:#x}"));
        let positions = boards.map(|board| {
            let position = numbered(game, "", None, Board::from_word(board)).unwrap();
            game.write(position.into())
        });
        for texts in [numbers.clone(), positions, boards.map(|board| board.to_string())] {
            let mut found = [0u8; 3];
            source.look_up_texts(LabelKind::Remoteness, Modes::Implied, &texts, &mut found, Some(99), ON).unwrap();
            assert_eq!(found, expected, "{texts:?}");
        }
        let mut found = [0u8; 3];
        let modes = Modes::Each(&[0, 1, 0]);
        source.look_up_texts(LabelKind::Remoteness, modes, &numbers, &mut found, None, ON).unwrap();
        assert_eq!(found, expected);
        let mut ask = |modes, texts: &[&str]| {
            let out = &mut found[..texts.len()];
            source.look_up_texts(LabelKind::Remoteness, modes, texts, out, None, ON).unwrap_err().to_string()
        };
        let error = ask(Modes::Implied, &["0", "X.O"]);
        assert!(error.starts_with("cannot look up board 1 of the list: \"X.O\" is not a position"), "{error}");
        assert!(ask(Modes::All(Mode(0)), &[".../.../..."]).contains("expected a board number beside a mode"));
    }

    #[test]
    fn errors_name_the_board() {
        let game = source("mnk", &Parameters::new(), Method::Sparse);
        let ask = |modes, boards: &[u64], missing| {
            let mut out = vec![0u8; boards.len()];
            let asked = game.look_up_all(LabelKind::Outcome, modes, boards, &mut out, missing, ON);
            asked.map(|()| out).map_err(|error| error.to_string())
        };
        // X is in the middle, so it is O's turn.
        assert_eq!(ask(Modes::Implied, &[0, 0x2000], None), Ok(vec![0, 0]));
        let error = ask(Modes::All(Mode(1)), &[0x2000, 0], None).unwrap_err();
        assert!(error.starts_with("cannot look up board 1 of the list: expected a reachable position"), "{error}");
        assert_eq!(ask(Modes::All(Mode(1)), &[0x2000, 0], Some(5)), Ok(vec![0, 5]));
        assert!(ask(Modes::Implied, &[3 << 62], None).unwrap_err().contains("expected a board from 0 to 0x3ffff,"));
        assert!(ask(Modes::All(Mode(9)), &[0], None).unwrap_err().contains("expected a mode from 0 to 1, found 9"));
        assert!(ask(Modes::Each(&[0]), &[0, 1], None).unwrap_err().contains("expected 2 modes"));
        let few = source("kayles", &Parameters::new(), Method::Dense);
        let beyond = few.look_up_all(LabelKind::Nimber, Modes::Implied, &[1, 2, 1 << 12], &mut [0u8; 3], None, ON);
        assert!(beyond.unwrap_err().to_string().starts_with("cannot look up board 2 of the list"));
        let misere = source("tactics", &Parameters::new(), Method::Dense);
        let held = misere.look_up_all(LabelKind::Nimber, Modes::Implied, &[1], &mut [0u8], None, ON).unwrap_err();
        assert_eq!((held.kind(), matches!(held, BulkError::NotHeld(_))), (ErrorKind::Input, true));
    }
}
