//! Slices in memory, as checkpoints of a build by slices.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tablegen_solvers::{PlaneKind, SliceBuffer, SliceStore, StoreFault};

/// The planes of one kind for one slice, and their tally.
pub(crate) type Finished = (Vec<u8>, Vec<u64>);

/// Slices in memory.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) slices: Mutex<HashMap<(PlaneKind, u64), Finished>>,
    /// Slices that turn out to be damaged when they are read.
    pub(crate) damaged: Mutex<Vec<(PlaneKind, u64)>>,
}

impl SliceStore for Kept {
    fn tally(&self, plane_kind: PlaneKind, rank: u64) -> Option<Vec<u64>> {
        self.slices.lock().unwrap().get(&(plane_kind, rank)).map(|(_, tally)| tally.clone())
    }

    fn load(&self, plane_kind: PlaneKind, rank: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        if self.damaged.lock().unwrap().contains(&(plane_kind, rank)) {
            return Err(StoreFault::Damaged);
        }
        planes.copy_from_slice(&self.slices.lock().unwrap()[&(plane_kind, rank)].0);
        Ok(())
    }

    fn save(
        &self,
        plane_kind: PlaneKind,
        rank: u64,
        planes: Arc<SliceBuffer>,
        tally: Vec<u64>,
    ) -> Result<(), StoreFault> {
        self.slices.lock().unwrap().insert((plane_kind, rank), (planes.bytes().to_vec(), tally));
        Ok(())
    }

    fn forget(&self, plane_kind: PlaneKind, rank: u64) {
        self.damaged.lock().unwrap().retain(|&damaged| damaged != (plane_kind, rank));
        self.slices.lock().unwrap().remove(&(plane_kind, rank));
    }

    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault> {
        Ok(self.damaged.lock().unwrap().first().copied())
    }
}
