//! All positions with their labels, piece by piece.

use super::{ByBoard, Coloured, Contents, Dense, LabelFault, LabelNumber, Numbers, RegionLabels, Sparse};
use crate::label::{LabelKind, LabelSet, Value};
use crate::parallel::try_map;
use crate::rules::{Board, Mode, Outcome, Position};
use crate::symmetry::Group;

/// The number of positions to examine for a batch. Under symmetry, all positions of the classes are counted.
const BATCH: u64 = 1 << 16;
/// Positions of a piece.
const PIECE: u64 = 1 << 12;

/// Which positions to read, and with which labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// The labels to read, besides the outcome. They must be there.
    pub labels: LabelSet,
    /// Read unreachable positions as well, if there are labels of them.
    pub every: bool,
    /// Read only the representative of each symmetry class that is stored, and not all its positions. By regions, all positions are read.
    pub stored: bool,
}

/// How far a scan has come; the default is its beginning.
#[derive(Debug, Default)]
pub struct ScanCursor {
    /// The mode of a dense table, or the level of a sparse one.
    part: usize,
    /// The next board, index in the level, rank, or number.
    next: u64,
    /// The number of positions in earlier levels.
    before: u64,
    ahead: Ahead,
}

impl ScanCursor {
    /// True if nothing was read yet.
    #[must_use]
    pub const fn is_at_start(&self) -> bool {
        self.part == 0 && self.next == 0
    }
}

/// Some positions with their labels.
#[derive(Default)]
pub struct Piece {
    positions: Vec<Position>,
    /// True for each position that counts; if it is not known which ones play reaches, all do.
    counts: Vec<bool>,
    /// The numbers of each label.
    columns: Vec<(Numbers, Vec<u16>)>,
    /// The number of positions that were examined for them. In a dense table, these are all boards; in another table,
    /// the reachable positions.
    examined: u64,
}

impl Piece {
    /// The number of positions that were examined for the piece.
    #[must_use]
    pub const fn examined(&self) -> u64 {
        self.examined
    }

    /// Each position, whether it counts, and its labels.
    pub fn rows(&self) -> impl Iterator<Item = (Position, bool, Value)> {
        self.positions.iter().zip(&self.counts).enumerate().map(|(at, (&position, &counts))| {
            let mut value = Value::from(Outcome::Loss);
            self.columns.iter().for_each(|(numbers, column)| numbers.put(&mut value, column[at]));
            (position, counts, value)
        })
    }

    /// The positions with `outcome`.
    pub fn with_outcome(&self, outcome: Outcome) -> impl Iterator<Item = Position> {
        let numbers = self.columns.iter().find(|(numbers, _)| numbers.kind() == LabelKind::Outcome);
        let numbers = numbers.map(|(_, column)| column.as_slice()).unwrap_or_default();
        let found = self.positions.iter().zip(numbers);
        found
            .filter(move |&(_, &number)| number == u16::from(Numbers::of_outcome(outcome)))
            .map(|(&position, _)| position)
    }

    /// An empty piece with these columns.
    fn new(columns: &[Numbers]) -> Self {
        let columns = columns.iter().map(|numbers| (numbers.clone(), Vec::new())).collect();
        Self { columns, ..Self::default() }
    }

    /// Adds the labels of a position: `outcome`, and those at `index` in the bytes of `contents`. They belong to all `images`.
    fn add(
        &mut self,
        contents: &Contents<'_>,
        index: usize,
        outcome: Outcome,
        images: &[Position],
    ) -> Result<(), LabelFault> {
        for (numbers, column) in &mut self.columns {
            let number = match numbers.kind() {
                LabelKind::Outcome => Numbers::of_outcome(outcome).into(),
                _ => numbers.at(contents.bytes(), index, outcome, images[0])?,
            };
            column.resize(column.len() + images.len(), number);
        }
        self.positions.extend_from_slice(images);
        Ok(())
    }
}

/// Labels of consecutive boards that were read together.
#[derive(Debug, Default)]
struct Ahead {
    /// The mode and the first board.
    first: Option<(usize, u64)>,
    /// 1 for each board that counts; empty if all do.
    counts: Vec<u8>,
    columns: Vec<(Numbers, Vec<u16>)>,
}

impl Ahead {
    /// Reads the boards around `board`, unless they have been read.
    fn load(&mut self, dense: Dense<'_>, columns: &[Numbers], mode: usize, board: u64) -> Result<(), LabelFault> {
        if self.first.is_some_and(|(of, first)| of == mode && board - first < self.size()) {
            return Ok(());
        }
        self.first = None;
        self.columns.resize_with(columns.len(), || (columns[0].clone(), Vec::new()));
        self.columns.iter_mut().zip(columns).for_each(|((numbers, _), wanted)| numbers.clone_from(wanted));
        let of_label = self.columns.iter_mut().map(|(numbers, out)| {
            let reader = ByBoard::new(dense, numbers.kind());
            (reader.unwrap_or_else(|| unreachable!("the labels are there")), out)
        });
        let (firsts, reached) = rayon::join(
            || try_map(of_label, |(reader, out)| read_piece(&reader, mode, board, out)),
            || ByBoard::of_reach(dense).map(|reader| read_piece(&reader, mode, board, &mut self.counts)).transpose(),
        );
        reached?;
        self.first = firsts?.first().map(|&first| (mode, first));
        Ok(())
    }

    fn size(&self) -> u64 {
        self.columns.first().map_or(0, |(_, labels)| labels.len() as u64)
    }

    /// The boards from `first` up to but not including `end`, which were read.
    fn piece(&self, first: u64, end: u64, every: bool) -> Piece {
        let (mode, before) = self.first.unwrap_or_default();
        let range = (first - before) as usize..(end - before) as usize;
        let counts = |at: usize| self.counts.is_empty() || self.counts[at] == 1;
        let chosen: Vec<usize> = range.filter(|&at| every || counts(at)).collect();
        let position = |&at: &usize| Position::new(Mode(mode as u16), Board::from_word(before + at as u64));
        let column =
            |(numbers, all): &(Numbers, Vec<u16>)| (numbers.clone(), chosen.iter().map(|&at| all[at]).collect());
        Piece {
            positions: chosen.iter().map(position).collect(),
            counts: chosen.iter().map(|&at| counts(at)).collect(),
            columns: self.columns.iter().map(column).collect(),
            examined: end - first,
        }
    }
}

/// Writes the labels of the piece of `board` in `mode` to `out`. Returns its first board.
fn read_piece<N: LabelNumber>(
    reader: &ByBoard<'_>,
    mode: usize,
    board: u64,
    out: &mut Vec<N>,
) -> Result<u64, LabelFault> {
    let first = board / reader.piece() as u64 * reader.piece() as u64;
    out.resize(reader.piece(), N::default());
    reader.read(Mode(mode as u16), first, out).map(|()| first)
}

/// The results of `piece` for the pieces of the range from `first` to `end`, in order.
fn in_pieces<T: Send>(
    first: u64,
    end: u64,
    piece: impl Fn(u64, u64) -> Result<T, LabelFault> + Sync,
) -> Result<Option<Vec<T>>, LabelFault> {
    let starts = (first..end).step_by(PIECE as usize);
    try_map(starts, |first| piece(first, end.min(first + PIECE))).map(Some)
}

impl Contents<'_> {
    /// Reads the next positions, and returns what `read` makes of each piece of them, in order; `None` after the last. Works on all
    /// cores of the current rayon pool. Checksums are not checked.
    ///
    /// - A dense table is read by mode and board number, another table in the order in which it is stored.
    /// - Under symmetry, all positions of each symmetry class are read, unless only the stored ones are wanted.
    ///
    /// A cursor holds a few MiB, however large the table.
    ///
    /// # Errors
    /// If labels are damaged.
    pub fn scan<T: Send>(
        &self,
        cursor: &mut ScanCursor,
        wanted: Wanted,
        read: impl Fn(&Piece) -> T + Sync,
    ) -> Result<Option<Vec<T>>, LabelFault> {
        let labels = wanted.labels.with(LabelKind::Outcome);
        let columns: Vec<Numbers> = labels.iter().map(|kind| Numbers::of_contents(kind, self)).collect();
        match *self {
            Self::Dense(dense) => cursor.boards(dense, &columns, wanted, read),
            Self::Sparse(sparse) => cursor.level(sparse, &columns, wanted, read),
            Self::Coloured(coloured) => cursor.colourings(coloured, &columns, wanted, read),
            Self::Regions(regions) => cursor.numbers(regions, &columns, read),
        }
    }
}

impl ScanCursor {
    /// The next boards of a mode.
    fn boards<T: Send>(
        &mut self,
        dense: Dense<'_>,
        columns: &[Numbers],
        wanted: Wanted,
        read: impl Fn(&Piece) -> T + Sync,
    ) -> Result<Option<Vec<T>>, LabelFault> {
        let (mode, first, shape) = (self.part, self.next, dense.planes().shape());
        if mode >= shape.modes() as usize {
            return Ok(None);
        }
        self.ahead.load(dense, columns, mode, first)?;
        // Boards are read ahead by powers of two, so a batch is whole or in fewer boards.
        let end = first + BATCH.min(self.ahead.size());
        let found = in_pieces(first, end, |first, end| Ok(read(&self.ahead.piece(first, end, wanted.every))))?;
        (self.part, self.next) = if end >> shape.cells() == 0 { (mode, end) } else { (mode + 1, 0) };
        Ok(found)
    }

    /// The next positions of a level.
    fn level<T: Send>(
        &mut self,
        sparse: Sparse<'_>,
        columns: &[Numbers],
        wanted: Wanted,
        read: impl Fn(&Piece) -> T + Sync,
    ) -> Result<Option<Vec<T>>, LabelFault> {
        let group = if wanted.stored { Group::trivial() } else { sparse.group() };
        let batch = BATCH / group.order().clamp(1, BATCH);
        loop {
            let Some((level, outcomes)) = sparse.level(self.part) else { return Ok(None) };
            let size = level.size().count;
            if self.next >= size {
                (self.part, self.next, self.before) = (self.part + 1, 0, self.before + size);
                continue;
            }
            let end = size.min(self.next + batch);
            let found = in_pieces(self.next, end, |first, end| {
                let mut piece = Piece::new(columns);
                for at in level.positions(first, end) {
                    let (index, position) = at?;
                    let outcome = outcomes.outcome(index)?.ok_or(LabelFault::NoOutcome { position })?;
                    let images = if group.is_trivial() { Vec::new() } else { group.images(position) };
                    let images = if images.is_empty() { std::slice::from_ref(&position) } else { &images };
                    piece.add(&Contents::Sparse(sparse), (self.before + index) as usize, outcome, images)?;
                }
                piece.examined = piece.positions.len() as u64;
                piece.counts.resize(piece.positions.len(), true);
                Ok(read(&piece))
            })?;
            self.next = end;
            return Ok(found);
        }
    }

    /// All positions of the next numbers.
    fn numbers<T: Send>(
        &mut self,
        regions: RegionLabels<'_>,
        columns: &[Numbers],
        read: impl Fn(&Piece) -> T + Sync,
    ) -> Result<Option<Vec<T>>, LabelFault> {
        let index = regions.regions();
        let images = 2 * index.folds().map_or(1, |folds| folds.order() as u64);
        let (first, end) = (self.next, regions.count().min(self.next + BATCH / images.clamp(1, BATCH)));
        if first >= end {
            return Ok(None);
        }
        let found = in_pieces(first, end, |first, end| {
            let mut piece = Piece::new(columns);
            for number in first..end {
                let images = index.images(number);
                piece.add(&Contents::Regions(regions), number as usize, regions.outcome_at(number)?, &images)?;
            }
            piece.examined = piece.positions.len() as u64;
            piece.counts.resize(piece.positions.len(), true);
            Ok(read(&piece))
        })?;
        self.next = end;
        Ok(found)
    }

    /// The next colourings.
    fn colourings<T: Send>(
        &mut self,
        coloured: Coloured<'_>,
        columns: &[Numbers],
        wanted: Wanted,
        read: impl Fn(&Piece) -> T + Sync,
    ) -> Result<Option<Vec<T>>, LabelFault> {
        let (first, end) = (self.next, coloured.count().min(self.next + BATCH));
        if first >= end {
            return Ok(None);
        }
        let contents = Contents::Coloured(coloured);
        let found = in_pieces(first, end, |first, end| {
            let mut piece = Piece::new(columns);
            for rank in first..end {
                let position = contents.unrank(rank)?;
                let Some(place) = coloured.frame().place(position) else { continue };
                let bit = coloured.frame().bit(place);
                let counts = coloured.reached().bit(bit)?;
                if counts || wanted.every {
                    let outcome = coloured.outcome_at(place, position)?;
                    piece.add(&contents, bit as usize, outcome, &[position])?;
                    piece.counts.push(counts);
                    piece.examined += u64::from(counts);
                }
            }
            Ok(read(&piece))
        })?;
        self.next = end;
        Ok(found)
    }
}
