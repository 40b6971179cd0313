//! Where each rank keeps what it has finished, and which ranks see that without being sent it.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use super::spill::Spill;
use super::traffic::{Key, Word};
use super::{Cluster, Lost};
use crate::solve::{SliceStore, Slicing, StoreFault};
use crate::table::{Growing, Growth, TableError};

/// What tells the machine that this process runs on from others, if the system says.
pub(crate) fn machine() -> Option<String> {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()
}

/// Where this rank keeps what it has finished.
pub(crate) enum Seat {
    /// In the folder of the table.
    Folder(Box<Growing>),
    /// In a file of its own.
    Own(Spill),
}

impl Seat {
    /// The folder in which this rank lets the table grow, and keeps its journal.
    pub(crate) fn at_home(cluster: &Arc<Cluster>, growing: Growing) -> Self {
        let (to, rank) = (Arc::clone(cluster), cluster.rank());
        growing.on_written(move |sheet, region| to.send(rank, Word::Written((sheet, region)).letter()));
        Self::Folder(Box::new(growing))
    }

    /// The folder in which rank 0 lets the table of `growth` grow by `plan`, whose regions of `finished` it has already.
    ///
    /// # Errors
    /// If it cannot be written in.
    pub(crate) fn in_folder(
        cluster: &Arc<Cluster>,
        folder: &Path,
        growth: &Growth<'_>,
        plan: &Slicing,
        finished: &[Key],
    ) -> Result<Self, TableError> {
        let to = Arc::clone(cluster);
        let tell = move |record: Vec<u8>| to.send(0, Word::Record(&record).letter());
        Growing::join(folder, growth, plan, finished, tell).map(|growing| Self::at_home(cluster, growing))
    }

    /// A file in `scratch`, or where the system has temporary files.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn of_its_own(scratch: Option<&Path>) -> io::Result<Self> {
        Spill::new(scratch).map(Self::Own)
    }

    /// Reads a region that is here.
    pub(super) fn load(&self, (sheet, rank): Key, planes: &mut [u8]) -> Result<(), StoreFault> {
        match self {
            Self::Folder(growing) => growing.load(sheet, rank, planes),
            Self::Own(spill) => Ok(spill.load(sheet, rank, planes)?),
        }
    }

    /// As [`load`](Self::load), while all other threads sweep.
    pub(super) fn load_alone(&self, (sheet, rank): Key, planes: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Folder(growing) => growing.load_alone(sheet, rank, planes),
            Self::Own(spill) => spill.load(sheet, rank, planes),
        }
    }

    /// Reads a region that a rank [beside](Seats::beside) this one has written.
    pub(super) fn load_beside(&self, (sheet, rank): Key, planes: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Folder(growing) => growing.load_of_others(sheet, rank, planes),
            Self::Own(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Such a region, or one that this rank has written, where it lies in the file, if it lies there in one piece.
    pub(super) fn view(&self, (sheet, rank): Key) -> io::Result<Option<Mmap>> {
        match self {
            Self::Folder(growing) => growing.view(sheet, rank),
            Self::Own(_) => Ok(None),
        }
    }

    /// What ranks tell of it: nothing of a file of its own; of the folder the same only on one machine, where the system says that it
    /// is the same file: there, all of them read what one has written.
    fn told(&self, cluster: &Cluster) -> String {
        let Self::Folder(growing) = self else { return String::new() };
        let file = machine().zip(growing.file_id()).filter(|_| !cluster.manners().remote);
        file.map_or_else(
            || format!("rank {}", cluster.rank()),
            |(machine, (disk, file))| format!("{machine} {disk} {file}"),
        )
    }
}

/// Where all ranks keep what they have finished.
pub(crate) struct Seats {
    /// What each of them tells.
    told: Vec<String>,
    rank: usize,
}

impl Seats {
    /// Tells the others about `seat`, and hears about theirs. All ranks call it at once.
    ///
    /// # Errors
    /// If they do not go on together.
    pub(crate) fn meet(cluster: &Cluster, seat: &Seat) -> Result<Self, Lost> {
        let told = cluster.tell_all(seat.told(cluster).as_bytes())?;
        let told = told.iter().map(|told| String::from_utf8_lossy(told).into_owned()).collect();
        Ok(Self { told, rank: cluster.rank() })
    }

    /// The ranks that do not see the folder of the table.
    pub(crate) fn apart(&self) -> Vec<usize> {
        (0..self.told.len()).filter(|&rank| self.told[rank].is_empty()).collect()
    }

    /// For each rank, whether it and this one read in the same file what the other has written: both see the folder, on one machine.
    pub(super) fn beside(&self) -> Vec<bool> {
        let own = &self.told[self.rank];
        self.told.iter().map(|told| told == own && !own.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_beside_those_that_tell_the_same() {
        let told = ["m 1 2", "m 1 3", "", "m 1 2", ""];
        let of = |rank| Seats { told: told.map(String::from).to_vec(), rank };
        assert_eq!(of(0).beside(), [true, false, false, true, false]);
        assert_eq!(of(1).beside(), [false, true, false, false, false]);
        assert_eq!(of(2).beside(), [false; 5], "two files of their own are not one");
        assert_eq!(of(3).apart(), [2, 4]);
    }
}
