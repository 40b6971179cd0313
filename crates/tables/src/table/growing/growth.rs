//! What a table is made of that is to grow, and whether an unfinished one is the same.

use std::path::Path;

use super::folder::JOURNAL;
use super::journal::Subject;
use crate::label::{Counts, LabelSet};
use crate::packed::Packing;
use crate::reachable::Levels;
use crate::rules::{Descriptor, Position, Rules};
use crate::solve::{PlaneKind, SlicePlan, Slicing};
use crate::symmetry::Group;
use crate::table::TableError;
use crate::table::coverage::Coverage;
use crate::table::header::Header;

/// What a table is made of that is to grow.
#[derive(Clone, Copy)]
pub struct Growth<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The name of the game's family and its parameters.
    pub descriptor: &'a Descriptor,
    /// The positions from which play is followed, the starts of the rules among them, if what it reaches is marked.
    pub roots: Option<&'a [Position]>,
    /// The labels.
    pub labels: LabelSet,
    /// How they are packed, if they are.
    pub packing: Option<Packing>,
    /// Whether regions are kept as they are until all are finished, even if they will be packed: several processes write them, in
    /// no order.
    pub raw: bool,
}

impl Growth<'_> {
    /// How its regions are packed as they are finished, if they are: those of boards, if they have whole blocks. Others are packed
    /// in the end.
    #[must_use]
    pub fn packing_of_regions(&self, plan: &Slicing) -> Option<Packing> {
        let plane = |plan: &SlicePlan, sheet: &PlaneKind| plan.shape(self.rules, *sheet).plane_bytes().unwrap_or(0);
        self.packing.filter(|packing| match plan {
            _ if self.raw => false,
            Slicing::Boards(plan) => {
                plan.plane_kinds().iter().all(|sheet| plane(plan, sheet).is_multiple_of(packing.block.into()))
            }
            Slicing::Colourings(_) => true,
        })
    }

    pub(super) fn coverage(&self, plan: &Slicing) -> Coverage {
        let roots = self.roots.map(<[Position]>::to_vec);
        match plan {
            Slicing::Boards(plan) => match plan.fold() {
                Some(fold) => Coverage::Folded { fold: fold.clone(), roots },
                None => Coverage::Dense { layout: plan.layout().clone(), roots },
            },
            Slicing::Colourings(plan) => Coverage::Coloured(plan.frame().clone()),
        }
    }

    /// The header of the table, with nothing counted and nothing packed.
    pub(super) fn header(&self, plan: &Slicing) -> Header {
        let none = vec![Counts::default(); self.rules.modes().len()];
        let others = self.roots.map(|_| none.as_slice());
        let coverage = self.coverage(plan);
        Header::new(self.rules, self.descriptor, coverage, self.labels, &none, others, |_| vec![0; 256])
            .unwrap_or_else(|| unreachable!("a plan has sizes"))
    }

    /// What a journal of the table with this header is about, if its boards are cut as by `plan`.
    pub(super) fn subject(&self, header: &Header, plan: &Slicing) -> Subject {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&header.encode());
        if let Some(Packing { block, level }) = self.packing {
            hasher.update(&block.to_le_bytes()).update(&level.to_le_bytes());
        }
        let (identity, region_cells) = (*hasher.finalize().as_bytes(), plan.slice_cells());
        Subject { identity, region_cells, raw: self.raw && self.packing.is_some() }
    }
}

/// What a table of the positions that play reaches is made of, which is to grow level by level.
#[derive(Clone, Copy)]
pub struct LevelGrowth<'a> {
    /// The rules, which have a potential.
    pub rules: &'a Rules,
    /// The name of the game's family and its parameters.
    pub descriptor: &'a Descriptor,
    /// The positions from which play is followed.
    pub roots: &'a [Position],
    /// The symmetries, if one position of each orbit is stored.
    pub group: Option<&'a Group>,
    /// The labels. Whether they are packed in the end makes no difference.
    pub labels: LabelSet,
}

impl LevelGrowth<'_> {
    /// What a journal of the table is about.
    pub(super) fn subject(&self) -> Subject {
        let none = vec![Counts::default(); self.rules.modes().len()];
        let (roots, group) = (self.roots.to_vec(), self.group.cloned());
        let levels = self.rules.potential().and_then(|potential| Levels::new(self.rules, potential, &[]));
        let header = levels.and_then(|levels| {
            let (coverage, others) = (Coverage::Sparse { levels, roots, group }, self.group.map(|_| none.as_slice()));
            Header::new(self.rules, self.descriptor, coverage, self.labels, &none, others, |_| vec![0; 256])
        });
        // Without levels nothing grows by them.
        let identity = header.map_or([0; 32], |header| *blake3::hash(&header.encode()).as_bytes());
        Subject { identity, region_cells: 0, raw: false }
    }
}

/// What an unfinished table in a folder is, as far as another build of it needs to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// There is none.
    None,
    /// One of the same table.
    Same {
        /// How many cells it is cut into regions by.
        cells: u32,
        /// Whether its regions are kept as they are, whatever the table will be.
        raw: bool,
    },
    /// One of other rules or options, or of another version of the program.
    Other,
}

impl Unfinished {
    /// What is in `folder`, if a table of `growth` is to grow there by `plan`; how that cuts its boards does not matter.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(folder: &Path, growth: &Growth<'_>, plan: &Slicing) -> Result<Self, TableError> {
        Self::of_subject(folder, &growth.subject(&growth.header(plan), plan))
    }

    /// What is in `folder`, if a table of `growth` is to grow there level by level.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_levels(folder: &Path, growth: &LevelGrowth<'_>) -> Result<Self, TableError> {
        Self::of_subject(folder, &growth.subject())
    }

    fn of_subject(folder: &Path, own: &Subject) -> Result<Self, TableError> {
        let subject = Subject::of(&folder.join(JOURNAL)).map_err(|error| TableError::at(folder)(error.into()))?;
        Ok(match subject {
            None => Self::None,
            Some(subject) if subject.identity == own.identity => {
                Self::Same { cells: subject.region_cells, raw: subject.raw }
            }
            Some(_) => Self::Other,
        })
    }
}
