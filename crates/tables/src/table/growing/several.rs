//! A table that several processes let grow: what the one that keeps the journal and those that help it need besides.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use memmap2::{Mmap, MmapOptions};

use super::file::{file_id, read_at};
use super::folder::TABLE;
use super::journal::Record;
use super::keeper::Keeper;
use super::{Growing, Growth, Known, lock_of, places, remembering};
use crate::solve::{PlaneKind, SliceStore, Slicing, StoreFault};
use crate::table::{TableError, TableFault};

impl Growing {
    /// Helps another process, which has [opened](Self::open) the table of `growth` in `folder` and keeps its journal: `tell` is
    /// called with what is to be [told](Self::told) it of each region that is on disk. Those that were `finished` before can be
    /// loaded; its regions are not packed.
    ///
    /// # Errors
    /// If the table is not there, or cannot be written.
    pub(crate) fn join(
        folder: &Path,
        growth: &Growth<'_>,
        plan: &Slicing,
        finished: &[(PlaneKind, u64)],
        tell: impl Fn(Vec<u8>) + Send + 'static,
    ) -> Result<Self, TableError> {
        let join = || -> Result<Self, TableFault> {
            let header = growth.header(plan);
            let subject = growth.subject(&header, plan);
            let file = Arc::new(File::options().read(true).write(true).open(folder.join(TABLE))?);
            let known = |&(sheet, rank): &(PlaneKind, u64)| {
                let (tally, checksums, lengths) = (Vec::new(), Vec::new(), Vec::new());
                let record = Record { sheet, rank, tally, checksums, offset: 0, lengths, edges: [0; 32] };
                ((sheet, rank), Known { record, is_checked: true })
            };
            let finished = Arc::new(Mutex::new(finished.iter().map(known).collect()));
            let log = Box::new(move |records: &[Record]| {
                records.iter().for_each(|record| tell(record.bytes(&subject)));
                Ok(())
            });
            let keeper = Keeper::new(Arc::clone(&file), None, log, remembering(&finished))?;
            let (places, raw) = (places(growth, plan, &header), Vec::new());
            let (folder, regions, first) = (folder.to_owned(), plan.slices(), 0);
            let (edges, packing, resumed, lock) = (None, None, 0, None);
            Ok(Self {
                folder,
                file,
                edges,
                places,
                regions,
                packing,
                first,
                raw,
                finished,
                keeper,
                resumed,
                subject,
                lock,
            })
        };
        join().map_err(TableError::at(folder))
    }

    /// Takes what another process tells that helps to write the table: a region of it is on disk. Whether that makes sense.
    pub(crate) fn told(&self, record: &[u8]) -> bool {
        let Some(record) = Record::of(record, &self.subject) else { return false };
        let known = Known { record: record.clone(), is_checked: true };
        lock_of(&self.finished).insert((record.sheet, record.rank), known);
        self.keeper.told(record);
        true
    }

    /// Compares all that is finished with its checksums, and forgets what was changed.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn check(&mut self) -> Result<(), StoreFault> {
        while let Some((sheet, rank)) = self.settle()? {
            self.forget(sheet, rank);
            self.resumed -= 1;
        }
        Ok(())
    }

    /// Which sheets of regions are finished.
    pub fn all_finished(&self) -> Vec<(PlaneKind, u64)> {
        lock_of(&self.finished).keys().copied().collect()
    }

    /// As [`SliceStore::load`], without the help of other threads: they sweep. Of regions that are not packed.
    pub(crate) fn load_alone(&self, sheet: PlaneKind, rank: u64, planes: &mut [u8]) -> io::Result<()> {
        if let Some(piece) = self.keeper.waiting(sheet, rank) {
            planes.copy_from_slice(piece.bytes());
            return Ok(());
        }
        let place = self.place(sheet);
        let mut parts = place.offsets(rank).zip(planes.chunks_mut(place.plane_bytes(rank)));
        parts.try_for_each(|(offset, plane)| read_at(&self.file, plane, offset))
    }

    /// As [`SliceStore::load`], of a region that another process has written: its bytes are in the file. Of regions that are not packed.
    pub(crate) fn load_of_others(&self, sheet: PlaneKind, rank: u64, planes: &mut [u8]) -> io::Result<()> {
        self.read_planes(self.place(sheet), rank, planes)
    }

    /// Such a region, or one that this process has written, where it lies in the file; `None` if it does not lie there in one piece, or not yet.
    ///
    /// # Errors
    /// If the system does not show it.
    pub(crate) fn view(&self, sheet: PlaneKind, rank: u64) -> io::Result<Option<Mmap>> {
        let place = self.place(sheet);
        if place.planes() > 1 || place.packing().is_some() || self.keeper.waiting(sheet, rank).is_some() {
            return Ok(None);
        }
        let (offset, bytes) = (place.offsets(rank).sum(), place.plane_bytes(rank));
        // SAFETY: the region is finished, and nobody writes there any more: whoever builds has locked the folder. A page that it shares
        // with others has other bytes of theirs.
        let map = unsafe { MmapOptions::new().offset(offset).len(bytes).populate().map(&*self.file) };
        map.map(Some)
    }

    /// From now on `heard` is called with each region that this process saves, as soon as its bytes are in the file. The first call counts.
    pub(crate) fn on_written(&self, heard: impl Fn(PlaneKind, u64) + Send + Sync + 'static) {
        self.keeper.on_written(heard);
    }

    /// What tells the file from all others of this machine, if the system says: its disk, and its number there.
    pub(crate) fn file_id(&self) -> Option<(u64, u64)> {
        file_id(&self.file)
    }
}
