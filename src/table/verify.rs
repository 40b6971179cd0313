//! Checking a table: its bytes against their checksums, its labels against the rules.

use rayon::prelude::*;

use super::{Table, TableFault, verify_reached};
use crate::plane::{Conflict, Counts, Layout, Planes};
use crate::rules::{Board, Mode, Outcome, Position, Rules};

/// What a check found wrong. The first place, where there are several.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// Bytes that changed.
    #[error("{0}")]
    Bytes(TableFault),
    /// A label that the rules do not give.
    #[error("mode {}, board {:#x} is labelled {found}, and its successors make it {expected}", position.mode.0, position.board)]
    Label {
        /// The position.
        position: Position,
        /// The label in the table.
        found: Outcome,
        /// What the rules and the labels of its successors make it.
        expected: Outcome,
    },
    /// A label that is none.
    #[error("mode {}, board {:#x} is marked a win and a loss at once", position.mode.0, position.board)]
    Conflict {
        /// The position.
        position: Position,
    },
    /// A label that is not the outcome which a search finds ([`verify_oracle`](crate::oracle::verify_oracle)).
    #[error("mode {}, board {:#x} is labelled {found}, and looking ahead finds a {expected}", position.mode.0, position.board)]
    Oracle {
        /// The position.
        position: Position,
        /// The label in the table.
        found: Outcome,
        /// What the search finds.
        expected: Outcome,
    },
    /// Counts in the header that are not those of the labels.
    #[error("mode {} has {} wins, {} draws and {} losses, and its header says {}, {} and {}",
        mode.0, found.win, found.draw, found.loss, expected.win, expected.draw, expected.loss)]
    Counts {
        /// The mode.
        mode: Mode,
        /// The counts the header gives.
        expected: Counts,
        /// The counts of the labels.
        found: Counts,
    },
    /// A position that play reaches and the table lacks.
    #[error("mode {}, board {:#x} can be reached, and the table does not hold it", position.mode.0, position.board)]
    Missing {
        /// The position.
        position: Position,
    },
    /// A position that the table holds and play does not reach.
    #[error("mode {}, board {:#x} cannot be reached, and the table holds it", position.mode.0, position.board)]
    Unreached {
        /// The position.
        position: Position,
    },
    /// Set bits that belong to no position.
    #[error("bits of mode {} that belong to no position are set", mode.0)]
    Padding {
        /// The mode.
        mode: Mode,
    },
}

/// Which labels to recompute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labels {
    /// Every one.
    All,
    /// This many, drawn with the seed.
    Sample {
        /// How many.
        count: u64,
        /// Seed of the draw: the same seed draws the same positions.
        seed: u64,
    },
}

/// Indices that one task takes at a time.
const STRETCH: u64 = 1 << 14;

/// Checks that every byte of the table has its checksum. `progress` is told of bytes as they are done.
///
/// # Errors
/// The first block that changed.
pub fn verify_bytes(table: &Table, progress: &(dyn Fn(u64) + Sync)) -> Result<(), Finding> {
    table.check_list().map_err(Finding::Bytes)?;
    let blocks = table.blocks();
    let bytes = table.section_bytes();
    let check = |block| {
        let result = table.check_block(block);
        progress(bytes / blocks.max(1));
        result.err()
    };
    let first = (0..blocks).into_par_iter().find_map_first(check);
    first.map_or(Ok(()), |fault| Err(Finding::Bytes(fault)))
}

/// Recomputes labels from those of their successors by the definition itself ([`Rules::step`](crate::rules::Rules::step)),
/// sharing no code with the kernels, and compares the counts of the header. Returns how many labels were recomputed;
/// `progress` is told of them as they are done.
///
/// That every label follows from its successors' proves them all right: the full boards have no successors, and every
/// other follows by induction.
///
/// # Errors
/// The first label found wrong (in a sample, any one of them).
pub fn verify_labels(table: &Table, labels: Labels, progress: &(dyn Fn(u64) + Sync)) -> Result<u64, Finding> {
    let rules = table.rules();
    if let Some(reached) = table.reached() {
        return match labels {
            Labels::All => verify_reached::verify_all(table, reached, progress),
            Labels::Sample { count, seed } => verify_reached::verify_sample(table, reached, count, seed, progress),
        };
    }
    let Some((planes, layout)) = table.planes() else { return Ok(0) };
    match labels {
        Labels::All => {
            for mode in 0..rules.modes().len() as u16 {
                verify_mode(table, planes, layout, Mode(mode), progress)?;
            }
            Ok(rules.positions() as u64)
        }
        Labels::Sample { count, seed } => {
            let recompute = Recompute::new(table, planes, layout);
            let check = |n| {
                let mut draw = fastrand::Rng::with_seed(seed.wrapping_add(n));
                let mode = Mode(draw.u16(..rules.modes().len() as u16));
                let finding = recompute.check(mode, draw.u64(..) >> (64 - rules.cells())).err();
                progress(1);
                finding
            };
            (0..count).into_par_iter().find_map_any(check).map_or(Ok(count), Err)
        }
    }
}

fn verify_mode(
    table: &Table,
    planes: Planes<'_>,
    layout: &Layout,
    mode: Mode,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), Finding> {
    let positions = 1u64 << table.rules().cells();
    let recompute = Recompute::new(table, planes, layout);
    let stretches = positions.div_ceil(STRETCH);
    let check = |stretch: u64| {
        let mut counts = Counts::default();
        let indices = stretch * STRETCH..positions.min((stretch + 1) * STRETCH);
        progress(indices.end - indices.start);
        for index in indices {
            counts.add(recompute.check(mode, index)?);
        }
        Ok(counts)
    };
    // The first finding in order, whatever the number of threads: collecting would keep every stretch's counts.
    let add = |a: Result<Counts, Finding>, b: Result<Counts, Finding>| Ok(a? + b?);
    let found = (0..stretches).into_par_iter().map(check).reduce(|| Ok(Counts::default()), add)?;
    let expected = table.counts_by_mode()[usize::from(mode.0)];
    if found != expected {
        return Err(Finding::Counts { mode, expected, found });
    }
    let stray = |loss| {
        let bytes = planes.shape().plane_bytes() as usize;
        let start = planes.shape().plane(mode, loss) as usize * bytes;
        let plane = &planes.bytes()[start..start + bytes];
        (positions..bytes as u64 * 8).any(|bit| plane[(bit / 8) as usize] >> (bit % 8) & 1 == 1)
    };
    if stray(false) || planes.shape().draws() && stray(true) {
        return Err(Finding::Padding { mode });
    }
    Ok(())
}

/// Recomputes labels in the numbering of the planes: the same game with its cells renumbered, so that a successor's
/// index is its board number.
struct Recompute<'a> {
    planes: Planes<'a>,
    layout: &'a Layout,
    rules: Rules,
}

impl<'a> Recompute<'a> {
    fn new(table: &Table, planes: Planes<'a>, layout: &'a Layout) -> Self {
        Self { planes, layout, rules: layout.apply(table.rules()) }
    }

    /// The label at `index` in `mode`, where it is right.
    fn check(&self, mode: Mode, index: u64) -> Result<Outcome, Finding> {
        let label = |p: Position| self.planes.outcome(p.mode, p.board.0);
        let at = |mode, index| Position::new(mode, self.layout.board(index));
        let renumbered = Position::new(mode, Board(index));
        let judge = || Ok((label(renumbered)?, self.rules.try_step(renumbered, label)?));
        match judge() {
            Ok((found, expected)) if found == expected => Ok(found),
            Ok((found, expected)) => Err(Finding::Label { position: at(mode, index), found, expected }),
            Err(Conflict { mode, index }) => Err(Finding::Conflict { position: at(mode, index) }),
        }
    }
}
