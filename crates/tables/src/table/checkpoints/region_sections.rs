//! The sections of a table by regions, read block by block from the checkpoints of its regions.

use std::io;
use std::ops::Range;

use super::RegionCheckpoints;
use crate::compressed::{BlockFile, Bytes, Cache, InBlocks};
use crate::contents::{ByteLabels, Contents, LabelBytes, Sections};
use crate::domain::Domain;
use crate::label::{ByLabel, Counts, Label, LabelKind, LabelSet, Remoteness, Width};
use crate::plane::Shape;
use crate::regions::Regions;
use crate::rules::{Descriptor, Outcome, Rules};
use crate::table::TableFault;
use crate::table::writer::NewTable;

/// Bytes of a block.
const BLOCK: u32 = 1 << 20;

/// Bytes of memory with which `threads` threads read the sections of `regions`, at most: the blocks that are cached, and the parts of
/// regions that each thread reads.
#[must_use]
pub fn region_reading_bytes(regions: &Regions, threads: usize) -> u64 {
    let labels = |numbers: u64| numbers.div_ceil(4) + 2 * numbers;
    let largest = regions.regions().iter().map(|region| u64::from(region.shape.size)).max().unwrap_or(0);
    // A block has at most a block of plies in one byte, which are two blocks of plies in two bytes; and parts of blocks are read whole.
    let of_thread = labels(largest).min(4 * u64::from(BLOCK));
    labels(regions.numbers()).min(Cache::most_bytes(BLOCK as usize) as u64) + threads as u64 * of_thread
}

/// The labels of all regions in their order, as the sections of a table.
pub struct RegionSections<'a> {
    checkpoints: &'a RegionCheckpoints,
    domain: &'a Domain,
    outcomes: Outcomes<'a>,
    remoteness: Plies<'a>,
    cache: Cache,
}

/// The counts of a table by regions.
pub struct RegionTallies {
    counts: Vec<Counts>,
    stored: Option<Vec<Counts>>,
    codes: ByLabel<Vec<u64>>,
}

impl RegionTallies {
    /// The counts of outcomes, mode by mode.
    #[must_use]
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }
}

struct Outcomes<'a>(&'a RegionCheckpoints);

struct Plies<'a> {
    checkpoints: &'a RegionCheckpoints,
    width: Width,
}

impl<'a> RegionSections<'a> {
    /// The sections of `domain`, whose regions are all in `checkpoints`.
    #[must_use]
    pub fn new(checkpoints: &'a RegionCheckpoints, domain: &'a Domain) -> Self {
        let width = Remoteness::width_of(checkpoints.longest());
        let (outcomes, remoteness) = (Outcomes(checkpoints), Plies { checkpoints, width });
        Self { checkpoints, domain, outcomes, remoteness, cache: Cache::default() }
    }

    /// The labels.
    #[must_use]
    pub fn contents(&self, rules: &Rules) -> Contents<'_> {
        let numbers = self.checkpoints.regions().numbers();
        let of = |file, raw, number| Bytes::in_blocks(InBlocks::in_file(file, raw, BLOCK, 0, number, &self.cache));
        let outcomes = of(&self.outcomes, numbers.div_ceil(4), 0);
        let remoteness = of(&self.remoteness, numbers * u64::from(self.remoteness.width.bits() / 8), 1);
        let places = Remoteness::places(self.checkpoints.longest());
        let remoteness = LabelBytes::new(remoteness, self.remoteness.width, places);
        let others = ByteLabels::new(|kind| (kind == LabelKind::Remoteness).then_some(remoteness));
        let sections = Sections { keys: Bytes::Plain(&[]), outcomes, reached: None, others };
        Contents::new(self.domain, Shape::of(rules), sections)
    }

    /// Counts the labels. `counted` is called with the number of bytes just counted; if it breaks, the result is `None`.
    ///
    /// # Errors
    /// If checkpoints were changed on disk.
    pub fn tallies(
        &self,
        rules: &Rules,
        counted: impl Fn(u64) -> std::ops::ControlFlow<()> + Sync,
    ) -> Result<Option<RegionTallies>, TableFault> {
        let contents = self.contents(rules);
        let Contents::Regions(labels) = contents else { unreachable!("the domain is by regions") };
        let modes = rules.modes().len();
        let Some(tallies) = labels.tallies(counted)? else { return Ok(None) };
        let codes = labels.codes(LabelKind::Remoteness)?;
        Ok(Some(RegionTallies {
            counts: labels.by_mode(&tallies, modes),
            stored: self.domain.has_representatives().then(|| labels.stored_by_mode(&tallies, modes)),
            codes: [(LabelKind::Remoteness, codes)].into_iter().collect(),
        }))
    }

    /// The table, to be written.
    #[must_use]
    pub fn new_table<'b>(
        &'b self,
        rules: &'b Rules,
        descriptor: &'b Descriptor,
        tallies: &'b RegionTallies,
    ) -> NewTable<'b> {
        debug_assert_eq!(self.contents(rules).labels(), LabelSet::BEST_PLAY);
        NewTable {
            rules,
            descriptor,
            domain: self.domain,
            contents: self.contents(rules),
            packing: None,
            counts: &tallies.counts,
            others: tallies.stored.as_deref(),
            codes: &tallies.codes,
            values: None,
        }
    }
}

/// Calls `each` with each region that has some of `numbers`, by its place in the list, the ranks that it has of them, and the first of their
/// numbers counted from the first of `numbers`.
fn parts(
    checkpoints: &RegionCheckpoints,
    numbers: Range<u64>,
    mut each: impl FnMut(usize, Range<u32>, usize) -> io::Result<()>,
) -> io::Result<()> {
    let regions = checkpoints.regions().regions();
    let first = regions.partition_point(|region| region.base + u64::from(region.shape.size) <= numbers.start);
    for (at, region) in regions.iter().enumerate().skip(first) {
        if region.base >= numbers.end {
            break;
        }
        let from = numbers.start.max(region.base);
        let to = numbers.end.min(region.base + u64::from(region.shape.size));
        if from < to {
            each(at, (from - region.base) as u32..(to - region.base) as u32, (from - numbers.start) as usize)?;
        }
    }
    Ok(())
}

fn what(_: io::Error) -> &'static str {
    "was changed on disk"
}

impl BlockFile for Outcomes<'_> {
    fn read(&self, number: u64, raw: &mut [u8], _: &Cache) -> Result<(), &'static str> {
        raw.fill(0);
        let first = number * u64::from(BLOCK) * 4;
        let last = (first + 4 * raw.len() as u64).min(self.0.regions().numbers());
        let read = parts(self.0, first..last, |region, ranks, at| {
            let from = self.0.outcomes(region, &ranks)?;
            let skipped = ranks.start as usize % 4;
            for to in 0..ranks.len() {
                let outcome = from[(skipped + to) / 4] >> (2 * ((skipped + to) % 4)) & 3;
                raw[(at + to) / 4] |= outcome << (2 * ((at + to) % 4));
            }
            Ok(())
        });
        read.map_err(what)
    }
}

impl BlockFile for Plies<'_> {
    fn read(&self, number: u64, raw: &mut [u8], _: &Cache) -> Result<(), &'static str> {
        let bytes = self.width.bits() as usize / 8;
        let first = number * (u64::from(BLOCK) / bytes as u64);
        let numbers = first..first + (raw.len() / bytes) as u64;
        let read = parts(self.checkpoints, numbers, |region, ranks, at| {
            let plies = self.checkpoints.plies(region, &ranks)?;
            if self.width == Width::Sixteen {
                raw[2 * at..][..plies.len()].copy_from_slice(&plies);
                return Ok(());
            }
            let outcomes = self.checkpoints.outcomes(region, &ranks)?;
            let skipped = ranks.start as usize % 4;
            for (to, plies) in plies.chunks_exact(2).enumerate() {
                let bits = outcomes[(skipped + to) / 4] >> (2 * ((skipped + to) % 4)) & 3;
                let outcome = Width::Two.outcome(bits).unwrap_or(Outcome::Draw);
                raw[at + to] =
                    Remoteness { outcome, plies: u16::from_le_bytes([plies[0], plies[1]]) }.encode(Width::Eight);
            }
            Ok(())
        });
        read.map_err(what)
    }
}
