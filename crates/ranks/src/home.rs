//! The place where each rank stores its finished slices, and which ranks can read it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use super::requests::{SliceKey, SliceMessage, SliceNews};
use super::spill::SpillFile;
use super::{Cluster, ClusterError};
use crate::solve::{SlicePlan, SliceStore, StoreFault};
use crate::table::{BuildSpec, SliceCheckpoints, TableError};

/// The place where this rank stores its finished slices.
pub enum SliceHome {
    /// In the folder of the unfinished table.
    Folder(Box<SliceCheckpoints>),
    /// In a temporary file, because the rank does not see the folder.
    Spill(SpillFile),
}

impl SliceHome {
    /// The folder in which this rank has opened the unfinished table `checkpoints`.
    pub fn folder(cluster: &Arc<Cluster>, checkpoints: SliceCheckpoints) -> Self {
        let (to, rank) = (Arc::clone(cluster), cluster.rank());
        checkpoints.on_written(move |plane_kind, slice| {
            to.send(rank, SliceMessage::new(SliceNews::Written, (plane_kind, slice)).encode());
        });
        Self::Folder(Box::new(checkpoints))
    }

    /// The folder in which rank 0 builds the table of `spec` by `plan`, for another rank that sees the folder. The slices in `finished` are
    /// there already.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn in_folder(
        cluster: &Arc<Cluster>,
        folder: &Path,
        spec: &BuildSpec<'_>,
        plan: &SlicePlan,
        finished: &[SliceKey],
    ) -> Result<Self, TableError> {
        let to = Arc::clone(cluster);
        let send_record = move |record: Vec<u8>| {
            to.send(0, SliceMessage::of_rest(SliceNews::JournalRecord, &record).encode());
        };
        SliceCheckpoints::join(folder, spec, plan, finished, send_record)
            .map(|checkpoints| Self::folder(cluster, checkpoints))
    }

    /// A temporary file in `scratch`, or in the system's folder for temporary files.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn in_spill_file(scratch: Option<&Path>) -> io::Result<Self> {
        SpillFile::new(scratch).map(Self::Spill)
    }

    /// Reads a slice that this rank stores, using all threads.
    pub(super) fn load(&self, key: SliceKey, planes: &mut [u8]) -> Result<(), StoreFault> {
        match self {
            Self::Folder(checkpoints) => checkpoints.load(key.0, key.1, planes),
            Self::Spill(spill) => Ok(spill.load(key, planes)?),
        }
    }

    /// Reads a slice that this rank stores, using this thread alone: the others are busy sweeping.
    pub(super) fn load_on_this_thread(&self, key: SliceKey, planes: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Folder(checkpoints) => checkpoints.load_alone(key.0, key.1, planes),
            Self::Spill(spill) => spill.load(key, planes),
        }
    }

    /// Reads a slice that another rank has written to the same folder.
    pub(super) fn load_of_other_rank(&self, (plane_kind, slice): SliceKey, planes: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Folder(checkpoints) => checkpoints.load_of_others(plane_kind, slice, planes),
            Self::Spill(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Maps a slice that is in the folder, whichever rank has written it; `None` if its bytes are not contiguous there.
    pub(super) fn view(&self, (plane_kind, slice): SliceKey) -> io::Result<Option<Mmap>> {
        match self {
            Self::Folder(checkpoints) => checkpoints.view(plane_kind, slice),
            Self::Spill(_) => Ok(None),
        }
    }

    /// A text that is equal for two ranks only if each can read what the other has written: on one machine, the file must be the same. Empty for a
    /// spill file. A network folder does not count, because its contents may appear late on other machines.
    fn identity(&self, cluster: &Cluster) -> String {
        let Self::Folder(checkpoints) = self else { return String::new() };
        checkpoints.file_id().map_or_else(
            || format!("rank {}", cluster.rank()),
            |(disk, file)| format!("{} {disk} {file}", cluster.machine()),
        )
    }
}

/// The places where all ranks store their slices.
pub struct SliceHomes {
    /// The [identity](SliceHome::identity) of each rank's home.
    identities: Vec<String>,
    rank: usize,
}

impl SliceHomes {
    /// Exchanges identities with all ranks, which call this together.
    ///
    /// # Errors
    /// If the job has failed.
    pub fn gather(cluster: &Cluster, home: &SliceHome) -> Result<Self, ClusterError> {
        let identities = cluster.all_gather(home.identity(cluster).as_bytes())?;
        let identities = identities.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
        Ok(Self { identities, rank: cluster.rank() })
    }

    /// The ranks that do not see the folder of the table.
    pub fn without_folder(&self) -> Vec<usize> {
        (0..self.identities.len()).filter(|&rank| self.identities[rank].is_empty()).collect()
    }

    /// For each rank, whether it and this one read each other's slices in the folder, so that they need not send them.
    pub(super) fn reads_in_folder(&self) -> Vec<bool> {
        let own = &self.identities[self.rank];
        self.identities.iter().map(|identity| identity == own && !own.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_with_one_identity_read_in_one_folder() {
        let identities = ["m 1 2", "m 1 3", "", "m 1 2", ""];
        let of = |rank| SliceHomes { identities: identities.map(String::from).to_vec(), rank };
        assert_eq!(of(0).reads_in_folder(), [true, false, false, true, false]);
        assert_eq!(of(1).reads_in_folder(), [false, true, false, false, false]);
        assert_eq!(of(2).reads_in_folder(), [false; 5], "two spill files are not one");
        assert_eq!(of(3).without_folder(), [2, 4]);
    }
}
