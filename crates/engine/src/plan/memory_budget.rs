//! Memory and disk: the need of a build, the available amount, and the largest size that would fit.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::plan::machine::{address_room, available_memory, free_space, peak_bytes, resident_bytes};
use tablegen_index::plane::Shape;
use tablegen_labels::{LabelSet, Width};
use tablegen_rules::Rules;

/// Memory that a build adds to the labels and to what the process already uses: threads, buffers, and program pages
/// that only a build touches.
const GROWTH: u64 = 4 << 20;
/// The memory besides the labels, if the system does not report the memory of the process: 6.25 MiB.
const BASELINE: u64 = 25 << 18;
/// The variation of the baseline from one run to the next.
const SLACK: u64 = 3 << 19;
/// Memory kept free besides the bit planes of a large game. A small game needs the size of its bit planes once more,
/// and at least [`LEAST_ROOM`].
const ROOM: u64 = 256 << 20;
const LEAST_ROOM: u64 = 16 << 20;
/// The fraction of the available memory that a build uses by default. The rest keeps the machine responsive, and keeps
/// the written table in the page cache.
const DEFAULT_FRACTION: (u64, u64) = (3, 4);
/// Address space kept free if it is limited: for threads, small allocations, and the table that is opened at the end.
const ADDRESSES: u64 = 16 << 20;

/// A resource that may be insufficient.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Memory.
    Memory,
    /// Disk.
    Disk,
}

/// The source of a limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The caller.
    Requested,
    /// The default: three quarters of the available memory.
    Default,
    /// The memory available on the machine, or within the limits of the process and of its control group.
    Available,
    /// The disk of a folder.
    Folder(PathBuf),
    /// The rank with the least memory in a job.
    Rank(usize),
}

/// A shortage of memory or disk space, found before any work is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortage {
    /// The insufficient resource.
    pub resource: Resource,
    /// The name of the rules that need it, if rules do.
    pub name: Option<String>,
    /// Bytes needed; `None` if it is more than any machine has.
    pub needed: Option<u64>,
    /// Bytes available.
    pub available: u64,
    /// The source of the limit.
    pub limit: Limit,
    /// Cells of the largest board of the same kind that would fit, or 0 if none would; `None` if the size of the
    /// board is not the cause.
    pub largest_board: Option<u32>,
}

impl Shortage {
    /// The shortage of disk space for `needed` bytes, of the rules called `name` or of a file, in `folder`.
    fn of_disk(name: Option<&str>, needed: Option<u64>, available: u64, folder: &Path) -> Self {
        let (resource, name, limit) = (Resource::Disk, name.map(str::to_owned), Limit::Folder(folder.to_owned()));
        Self { resource, name, needed, available, limit, largest_board: None }
    }
}

/// The memory that a build may use, and the source of that limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Allowance {
    pub(crate) bytes: u64,
    pub(crate) limit: Limit,
}

impl Allowance {
    /// The memory that a build may use that is given `requested` bytes. It has no limit if there is no request and the
    /// system does not report available memory.
    pub(crate) fn of(requested: Option<u64>) -> Self {
        match (requested, available_memory()) {
            (requested, Some(available)) => Self::on_machine(requested, available),
            (Some(requested), None) => Self { bytes: requested, limit: Limit::Requested },
            (None, None) => Self { bytes: u64::MAX, limit: Limit::Available },
        }
    }

    /// Like [`of`](Self::of), on a machine with `available` bytes.
    pub(crate) fn on_machine(requested: Option<u64>, available: u64) -> Self {
        match requested {
            // A limit above the available memory does not add memory.
            Some(requested) if available < requested => Self { bytes: available, limit: Limit::Available },
            Some(requested) => Self { bytes: requested, limit: Limit::Requested },
            None => Self { bytes: default_limit(available), limit: Limit::Default },
        }
    }

    /// Checks that `needed` bytes of `rules` are no more; `None` is more than any machine has.
    ///
    /// # Errors
    /// If they are more.
    pub(crate) fn check(self, rules: &Rules, needed: Option<u64>) -> Result<(), Shortage> {
        if needed.unwrap_or(u64::MAX) <= self.bytes { Ok(()) } else { Err(self.shortage(rules, needed)) }
    }

    /// The shortage of memory if `rules` need `needed` bytes.
    pub(crate) fn shortage(self, rules: &Rules, needed: Option<u64>) -> Shortage {
        self.shortage_on_machine(rules, needed, available_memory())
    }

    /// Like [`shortage`](Self::shortage), on a machine with `machine` bytes. They are the limit instead of a default if they do not
    /// suffice either.
    fn shortage_on_machine(self, rules: &Rules, needed: Option<u64>, machine: Option<u64>) -> Shortage {
        let is_too_small =
            |machine: &u64| self.limit == Limit::Default && needed.is_none_or(|needed| needed > *machine);
        let Self { bytes: available, limit } = match machine.filter(is_too_small) {
            Some(machine) => Self { bytes: machine, limit: Limit::Available },
            None => self,
        };
        let (resource, name) = (Resource::Memory, Some(rules.name().to_owned()));
        Shortage { resource, name, needed, available, limit, largest_board: None }
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.resource {
            Resource::Memory => "memory",
            Resource::Disk => "disk",
        };
        let name = self.name.as_deref().unwrap_or("the file");
        write!(f, "not enough {what}: {name} needs ")?;
        match self.needed {
            Some(needed) => write!(f, "{needed} bytes")?,
            None => f.write_str("more than any machine has")?,
        }
        write!(f, ", {} bytes are available", self.available)
    }
}

impl std::error::Error for Shortage {}

/// Bytes of memory that a build takes besides the labels. The system decides how much of the program is resident, so
/// its figure is used.
pub(crate) fn baseline_bytes() -> u64 {
    peak_bytes().map_or(BASELINE, |now| now + GROWTH)
}

/// Peak memory in bytes of a sparse build that holds at most `held` bytes, with `baseline` bytes besides.
pub(crate) const fn sparse_memory_bytes(held: u64, baseline: u64) -> u64 {
    // A build also stops at a limit on resident memory, so that limit must be slightly above `held`. The resident part
    // of the program also varies from run to run.
    held + held / 32 + baseline + 2 * SLACK
}

const fn default_limit(available: u64) -> u64 {
    available / DEFAULT_FRACTION.1 * DEFAULT_FRACTION.0
}

/// Like [`baseline_bytes`], for a build that solves reachable positions or regions of `rules`. It writes the rules into the table, and
/// reads them again. That counts, because rules may have a hundred thousand moves.
pub(crate) fn sparse_baseline_bytes(rules: &Rules) -> u64 {
    /// The most copies of the moves beside those of the game.
    const COPIES: u64 = 3;
    baseline_bytes() + COPIES * size_of_val(rules.moves()) as u64
}

/// Bytes that the sparse solver may hold: the memory that a build may use, minus the other memory of the process.
pub(crate) fn sparse_max_bytes(rules: &Rules, requested: Option<u64>) -> u64 {
    Allowance::of(requested).bytes.saturating_sub(sparse_baseline_bytes(rules))
}

/// A probe for the solver to call while it runs. It returns the bytes that this process may still take before it
/// reaches its memory allowance or its limits.
pub(crate) fn room_left(requested: Option<u64>) -> impl Fn() -> Option<u64> + Sync {
    let most = Allowance::of(requested).bytes;
    move || {
        // The system may load more pages of the program until the next call.
        let resident = resident_bytes().map(|now| most.saturating_sub(now + SLACK));
        let addresses = address_room().map(|room| room.saturating_sub(ADDRESSES));
        resident.into_iter().chain(addresses).min()
    }
}

/// Peak memory in bytes of a two-colour build whose planes have `planes` bytes; `None` if it is more than any machine
/// has.
pub(crate) fn coloured_memory_bytes(planes: Option<u64>) -> Option<u64> {
    planes?.checked_add(baseline_bytes() + SLACK)
}

/// Checks that the two-colour planes of `rules`, which have `planes` bytes, fit into memory, as
/// [`BitPlanes::check_memory`] does.
///
/// # Errors
/// If they do not fit.
pub(crate) fn check_coloured_memory(rules: &Rules, planes: Option<u64>, limit: Option<u64>) -> Result<(), Shortage> {
    Allowance::of(limit).check(rules, planes.and_then(|planes| planes.checked_add(baseline_bytes())))
}

/// Checks that adding labels to a sparse table of `rules`, with a resulting file of `bytes` bytes, fits into memory.
/// The old table and its new labels are both in memory before anything is written.
///
/// # Errors
/// If it does not fit.
pub(crate) fn check_extending_memory(rules: &Rules, bytes: u64, limit: Option<u64>) -> Result<(), Shortage> {
    Allowance::of(limit).check(rules, Some(sparse_memory_bytes(bytes, baseline_bytes())))
}

/// Checks that `folder` has room for a file of `needed` bytes.
///
/// # Errors
/// If there is not enough room.
pub fn check_room(folder: &Path, needed: u64) -> Result<(), Shortage> {
    match free_space(folder) {
        Some(available) if needed > available => Err(Shortage::of_disk(None, Some(needed), available, folder)),
        _ => Ok(()),
    }
}

/// The bit planes of every board.
#[derive(Clone, Copy)]
pub(crate) struct BitPlanes {
    /// The shape of the outcomes.
    outcomes: Shape,
    /// Bytes of all other labels of a position.
    others: u64,
    /// True if there are reachability bits.
    marks: bool,
}

impl BitPlanes {
    /// The bit planes of `labels` of `rules`, and the reachability bits if `marks` is set.
    pub(crate) fn of(rules: &Rules, labels: LabelSet, marks: bool) -> Self {
        let others = labels.others().map(|kind| u64::from(kind.width(rules).bits() / 8)).sum();
        Self { outcomes: Shape::of(rules), others, marks }
    }

    /// Their size in bytes; `None` if it does not fit a `u64`.
    fn bytes(self) -> Option<u64> {
        let of = |width| Shape::new(self.outcomes.cells(), self.outcomes.modes(), width).bytes();
        let marks = if self.marks { of(Width::One)? } else { 0 };
        let bits = self.outcomes.bytes()?.checked_add(marks)?;
        bits.checked_add(if self.others == 0 { 0 } else { of(Width::Eight)?.checked_mul(self.others)? })
    }

    /// Bytes of memory that must be available before they are solved.
    fn required(self) -> Option<u64> {
        let planes = self.bytes()?;
        planes.checked_add(planes.clamp(LEAST_ROOM, ROOM))
    }

    /// Peak memory in bytes of a build; `None` if it is more than any machine has.
    pub(crate) fn memory_bytes(self) -> Option<u64> {
        self.bytes()?.checked_add(baseline_bytes() + if self.marks { SLACK } else { 0 })
    }

    /// Bytes of memory with which a build solves them at once; `None` if it is more than any machine has.
    pub(crate) fn least_memory_bytes(self) -> Option<u64> {
        Some(self.memory_bytes()?.max(self.required()?))
    }

    /// Checks that they fit into the available memory and into `limit`. Without a limit, they must fit into three
    /// quarters of the available memory.
    ///
    /// # Errors
    /// If they do not fit.
    pub(crate) fn check_memory(self, rules: &Rules, limit: Option<u64>) -> Result<(), Shortage> {
        let allowance = Allowance::of(limit);
        let available = allowance.bytes;
        let fits = |planes: Self| planes.required().is_some_and(|needed| needed <= available);
        let checked = allowance.check(rules, self.required());
        checked.map_err(|shortage| Shortage { largest_board: Some(self.largest(fits)), ..shortage })
    }

    /// Checks that `folder` has room for their table, a file of `needed` bytes.
    ///
    /// # Errors
    /// If there is not enough room.
    pub(crate) fn check_disk(self, rules: &Rules, folder: &Path, needed: Option<u64>) -> Result<(), Shortage> {
        let available = free_space(folder).unwrap_or(u64::MAX);
        if needed.unwrap_or(u64::MAX) <= available {
            return Ok(());
        }
        // Besides the labels, a file has a few pages of header, and checksums of 1/2000 of its size.
        let with_header = |bytes: u64| bytes.saturating_add(bytes / 1024).saturating_add(1 << 14);
        let fits = |planes: Self| planes.bytes().is_some_and(|bytes| with_header(bytes) <= available);
        let shortage = Shortage::of_disk(Some(rules.name()), needed, available, folder);
        Err(Shortage { largest_board: Some(self.largest(fits)), ..shortage })
    }

    /// Cells of the largest board of the same kind that `fits`, or 0 if none does.
    fn largest(self, fits: impl Fn(Self) -> bool) -> u32 {
        let (modes, width) = (self.outcomes.modes(), self.outcomes.width());
        let of = |cells| Self { outcomes: Shape::new(cells, modes, width), ..self };
        (1..self.outcomes.cells()).rev().find(|&cells| fits(of(cells))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablegen_rules::RulesSpec;

    #[test]
    fn shortages_name_the_largest_board_that_fits() {
        let rules = RulesSpec::new("large", 36).build().unwrap();
        let refusal = |limit| {
            let planes = BitPlanes::of(&rules, LabelSet::OUTCOME, false);
            planes.check_memory(&rules, Some(limit)).err().filter(|s| s.limit == Limit::Requested)
        };
        assert_eq!(refusal((8 << 30) + (256 << 20)), None);
        let shortage = refusal(8 << 30).expect("too little");
        assert_eq!((shortage.needed, shortage.available), (Some((8 << 30) + (256 << 20)), 8 << 30));
        assert_eq!(shortage.largest_board, Some(35));
        assert_eq!(refusal(1).expect("too little").largest_board, Some(0));
        // Four bytes per position take as much as one bit for 32 times the positions, which costs five cells.
        let all = BitPlanes::of(&rules, LabelSet::ALL, false);
        let shortage = all.check_memory(&rules, Some(9 << 30)).expect_err("too little");
        assert_eq!(shortage.needed, Some((8 << 30) + (256 << 30) + (256 << 20)));
        assert_eq!(shortage.largest_board, Some(31));
        assert_eq!(BitPlanes { outcomes: Shape::new(64, 1, Width::One), ..all }.bytes(), None);
        let outcomes = Shape::new(20, 2, Width::Two);
        let planes = |marks| BitPlanes { outcomes, others: 0, marks }.bytes();
        assert_eq!((planes(false), planes(true)), (Some(4 << 17), Some(6 << 17)));
    }

    /// Where the whole machine has too little memory, more than the default does not help.
    #[test]
    fn a_shortage_names_the_machine_if_its_memory_does_not_suffice() {
        let rules = RulesSpec::new("large", 36).build().unwrap();
        let of = |limit, needed| {
            let allowance = Allowance { bytes: 6 << 30, limit };
            let Shortage { available, limit, .. } = allowance.shortage_on_machine(&rules, needed, Some(8 << 30));
            (available >> 30, limit)
        };
        assert_eq!(of(Limit::Default, Some(8 << 30)), (6, Limit::Default));
        for needed in [Some((8 << 30) + 1), None] {
            assert_eq!(of(Limit::Default, needed), (8, Limit::Available));
            assert_eq!(of(Limit::Requested, needed), (6, Limit::Requested));
        }
    }

    #[test]
    fn the_default_limit_is_three_quarters_of_memory() {
        assert_eq!(default_limit(16 << 30), 12 << 30);
        let Allowance { bytes, limit } = Allowance::of(None);
        if bytes == u64::MAX {
            return;
        }
        assert!(limit == Limit::Default && bytes > 0);
        assert_eq!(Allowance::of(Some(1)), Allowance { bytes: 1, limit: Limit::Requested });
        let most = Allowance::of(Some(u64::MAX));
        assert!(most.limit == Limit::Available && most.bytes >= bytes);
    }
}
