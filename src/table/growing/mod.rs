//! A table that grows region by region, in a folder of its own, and outlives the process that makes it.
//!
//! ```text
//! NAME.tb.building/table      the table: its regions in their places, its header last
//!                  journal    which regions are finished
//!                  lock       locked, and written in by the process that builds
//! ```
//!
//! A region is finished when its bytes are on disk and the journal says so. Whoever comes after a process that was killed goes on
//! with what is finished; what was changed meanwhile is found by its checksums when it is first read, at the end at the latest.

mod file;
mod folder;
mod journal;
mod keeper;
mod place;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::coverage::Coverage;
use super::header::Header;
use super::section::{BLOCK, HASH};
use super::{TableError, TableFault};
use crate::atomic_file::{folder_of, write_atomically};
use crate::label::{Counts, LabelKind, LabelSet};
use crate::rules::{Descriptor, Position, Rules};
use crate::solve::{Piece, RegionPlan, RegionStore, Sheet, StoreFault, Swept};
use file::{read_at, write_at};
use folder::{JOURNAL, TABLE, locked, remove};
pub use folder::{growing_folder, growing_table, kept_bytes, remove_growing};
use journal::{Journal, Record, Subject};
use keeper::Keeper;
use place::Place;

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
}

/// A table that grows.
pub struct Growing {
    folder: PathBuf,
    file: Arc<File>,
    header: Header,
    file_bytes: u64,
    places: Vec<Arc<Place>>,
    finished: Arc<Mutex<Finished>>,
    keeper: Keeper,
    /// Sheets of regions that were finished when it was opened.
    resumed: u64,
    /// Locked as long as it is open.
    lock: File,
}

/// What is known of finished regions.
type Finished = HashMap<(Sheet, u64), Known>;

struct Known {
    tally: Vec<u64>,
    checksums: Vec<[u8; HASH as usize]>,
    /// Whether its bytes in the file were compared with these, or were written by this process.
    is_checked: bool,
}

impl Growth<'_> {
    /// The header of the table, with nothing counted.
    fn header(&self, plan: &RegionPlan) -> Header {
        let roots = self.roots.map(<[Position]>::to_vec);
        let coverage = match plan.fold() {
            Some(fold) => Coverage::Folded { fold: fold.clone(), roots },
            None => Coverage::Dense { layout: plan.layout().clone(), roots },
        };
        let none = vec![Counts::default(); self.rules.modes().len()];
        let others = self.roots.map(|_| none.as_slice());
        Header::new(self.rules, self.descriptor, coverage, self.labels, &none, others, |_| vec![0; 256])
            .unwrap_or_else(|| unreachable!("a plan has sizes"))
    }

    /// What the table's bytes follow from.
    fn identity(&self, header: &Header) -> [u8; HASH as usize] {
        *blake3::hash(&header.encode()).as_bytes()
    }
}

/// What an unfinished table in a folder is, as far as another build of it needs to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// There is none.
    None,
    /// One of the same table, cut into regions by so many cells.
    Same(u32),
    /// One of other rules or options, or of another version of the program.
    Other,
}

impl Unfinished {
    /// What is in `folder`, if a table of `growth` is to grow there by `plan`; how that cuts its boards does not matter.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(folder: &Path, growth: &Growth<'_>, plan: &RegionPlan) -> Result<Self, TableError> {
        let subject = Subject::of(&folder.join(JOURNAL)).map_err(|error| TableError::at(folder)(error.into()))?;
        let identity = growth.identity(&growth.header(plan));
        Ok(match subject {
            None => Self::None,
            Some(subject) if subject.identity == identity => Self::Same(subject.region_cells),
            Some(_) => Self::Other,
        })
    }
}

impl Growing {
    /// Opens the table of `growth` that grows in `folder` by `plan`, or begins it. What is there of another table is removed.
    ///
    /// # Errors
    /// If another process builds it, or the folder cannot be made, read or written.
    pub fn open(folder: &Path, growth: &Growth<'_>, plan: &RegionPlan) -> Result<Self, TableError> {
        Self::open_in(folder, growth, plan).map_err(TableError::at(folder))
    }

    fn open_in(folder: &Path, growth: &Growth<'_>, plan: &RegionPlan) -> Result<Self, TableFault> {
        fs::create_dir_all(folder)?;
        let lock = locked(folder)?;
        let header = growth.header(plan);
        let subject = Subject { identity: growth.identity(&header), region_cells: plan.region_cells() };
        if Subject::of(&folder.join(JOURNAL))? != Some(subject) {
            // First what says that regions are finished.
            remove(&folder.join(JOURNAL))?;
            remove(&folder.join(TABLE))?;
        }
        let file = File::options().read(true).write(true).create(true).truncate(false).open(folder.join(TABLE))?;
        let is_whole = file.metadata()?.len() == header.end();
        file.set_len(header.end())?;
        let (journal, records) = Journal::open(&folder.join(JOURNAL), subject)?;
        let sheets = plan.sheets().iter().zip(&header.sections);
        let places = sheets.map(|(&sheet, section)| Place::new(sheet, section, growth.rules, plan).map(Arc::new));
        let places: Vec<_> = places.collect::<Option<_>>().unwrap_or_else(|| unreachable!("a plan has sizes"));
        // A file that was cut short or lost holds nothing, whatever the journal says.
        let known = records.into_iter().filter(|record| is_whole && record.region < plan.regions());
        let known = known.map(|record| ((record.sheet, record.region), Known::of(record, false)));
        let finished: Finished = known.filter(|((sheet, _), _)| plan.sheets().contains(sheet)).collect();
        let (resumed, finished) = (finished.len() as u64, Arc::new(Mutex::new(finished)));
        let file = Arc::new(file);
        let tell = Arc::clone(&finished);
        let written = move |record: &Record| {
            lock_of(&tell).insert((record.sheet, record.region), Known::of(record.clone(), true));
        };
        let keeper = Keeper::new(Arc::clone(&file), journal, written)?;
        let file_bytes = header.end();
        Ok(Self { folder: folder.to_owned(), file, header, file_bytes, places, finished, keeper, resumed, lock })
    }

    /// The size of the table in bytes, if its labels are not packed.
    #[must_use]
    pub const fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    /// How many sheets of regions were finished when it was opened.
    #[must_use]
    pub const fn resumed(&self) -> u64 {
        self.resumed
    }

    /// Completes the table with what was counted in all of its regions.
    ///
    /// # Errors
    /// If it cannot be written. It can be opened again then.
    ///
    /// # Panics
    /// If a region is not finished.
    pub fn complete(mut self, swept: &Swept, growth: &Growth<'_>) -> Result<Complete, TableError> {
        self.write_rest(swept, growth).map_err(|error| TableError::at(&self.folder)(error.into()))?;
        let Self { folder, lock, .. } = self;
        Ok(Complete { folder, lock })
    }

    /// Writes what the table has beside its regions: the checksums and the header.
    fn write_rest(&mut self, swept: &Swept, growth: &Growth<'_>) -> io::Result<()> {
        let every = swept.counts(Sheet::Label(LabelKind::Outcome)).unwrap_or_default();
        let reached = swept.counts(Sheet::Reached);
        let others = reached.as_ref().map(|_| every.as_slice());
        let codes = |kind| {
            let found = swept.tallies.iter().find(|(found, _)| *found == Sheet::Label(kind));
            found.map(|(_, codes)| codes.clone()).unwrap_or_default()
        };
        let coverage = self.header.coverage.clone();
        let counts = reached.as_ref().unwrap_or(&every);
        let mut header = Header::new(growth.rules, growth.descriptor, coverage, growth.labels, counts, others, codes)
            .unwrap_or_else(|| unreachable!("a plan has sizes"));
        for (section, place) in header.sections.iter_mut().zip(&self.places) {
            let checksums =
                if place.has_blocks() { self.checksums(place) } else { self.hashed(section.start, section.bytes)? };
            write_at(&self.file, &checksums, section.checksums())?;
            section.digest = *blake3::hash(&checksums).as_bytes();
        }
        write_at(&self.file, &header.encode(), 0)?;
        self.file.sync_all()
    }

    /// The checksums of the blocks of a section, as they were made when its regions were written.
    fn checksums(&self, place: &Place) -> Vec<u8> {
        let finished = lock_of(&self.finished);
        let regions = finished.keys().filter(|(sheet, _)| *sheet == place.sheet).count() as u64;
        let of = |plane: usize, region: u64| {
            let units = place.plane_bytes() / place.unit();
            finished[&(place.sheet, region)].checksums[plane * units..(plane + 1) * units].as_flattened()
        };
        let planes = place.offsets(0).count();
        (0..planes).flat_map(|plane| (0..regions).map(move |region| (plane, region))).fold(
            Vec::new(),
            |mut all, (plane, region)| {
                all.extend(of(plane, region));
                all
            },
        )
    }

    /// The checksums of the blocks of a section, made from the file.
    fn hashed(&self, start: u64, bytes: u64) -> io::Result<Vec<u8>> {
        let of_block = |block: u64| {
            let mut buffer = vec![0; (bytes - block * BLOCK).min(BLOCK) as usize];
            read_at(&self.file, &mut buffer, start + block * BLOCK)?;
            Ok::<_, io::Error>(*blake3::hash(&buffer).as_bytes())
        };
        let hashes = (0..bytes.div_ceil(BLOCK)).into_par_iter().map(of_block).collect::<io::Result<Vec<_>>>()?;
        Ok(hashes.into_flattened())
    }

    fn place(&self, sheet: Sheet) -> &Arc<Place> {
        let place = self.places.iter().find(|place| place.sheet == sheet);
        place.unwrap_or_else(|| unreachable!("a sheet of its plan"))
    }

    /// Reads a finished region from the file, and compares it with its checksums if nobody has.
    fn read(&self, sheet: Sheet, region: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        let place = self.place(sheet);
        for (offset, plane) in place.offsets(region).zip(planes.chunks_mut(place.plane_bytes())) {
            read_at(&self.file, plane, offset)?;
        }
        let expected = match lock_of(&self.finished).get(&(sheet, region)) {
            Some(known) if known.is_checked => return Ok(()),
            Some(known) => known.checksums.clone(),
            None => return Err(StoreFault::Damaged),
        };
        let hash = |unit: &[u8]| *blake3::hash(unit).as_bytes();
        // Units of one plane after those of another: no unit is of two.
        if !planes.chunks(place.unit()).map(hash).eq(expected) {
            return Err(StoreFault::Damaged);
        }
        if let Some(known) = lock_of(&self.finished).get_mut(&(sheet, region)) {
            known.is_checked = true;
        }
        Ok(())
    }
}

/// A table that is whole, and still in its folder.
pub struct Complete {
    folder: PathBuf,
    /// Locked as long as it is there.
    lock: File,
}

impl Complete {
    /// The file that it is.
    #[must_use]
    pub fn table(&self) -> PathBuf {
        self.folder.join(TABLE)
    }

    /// Gives the table the name `path`, and removes its folder.
    ///
    /// # Errors
    /// If it cannot be renamed, or copied where `path` is on another disk.
    pub fn place(self, path: &Path) -> Result<(), TableError> {
        let table = self.table();
        let place = || -> io::Result<()> {
            match fs::rename(&table, path) {
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                    write_atomically(path, |_| {}, |file| io::copy(&mut File::open(&table)?, file).map(drop))?;
                }
                renamed => renamed?,
            }
            if let Ok(folder) = File::open(folder_of(path)) {
                let _ = folder.sync_all();
            }
            Ok(())
        };
        place().map_err(|error| TableError::at(path)(error.into()))?;
        self.remove();
        Ok(())
    }

    /// Removes the table and its folder: it is elsewhere, in another form.
    pub fn remove(self) {
        let Self { folder, lock } = self;
        drop(lock);
        // What is left of it does no harm.
        let _ = remove_growing(&folder);
    }
}

impl Known {
    fn of(record: Record, is_checked: bool) -> Self {
        Self { tally: record.tally, checksums: record.checksums, is_checked }
    }
}

fn lock_of(finished: &Mutex<Finished>) -> MutexGuard<'_, Finished> {
    finished.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RegionStore for Growing {
    fn tally(&self, sheet: Sheet, region: u64) -> Option<Vec<u64>> {
        lock_of(&self.finished).get(&(sheet, region)).map(|known| known.tally.clone())
    }

    fn load(&self, sheet: Sheet, region: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        if let Some(piece) = self.keeper.waiting(sheet, region) {
            planes.copy_from_slice(piece.bytes());
            return Ok(());
        }
        self.read(sheet, region, planes)
    }

    fn save(&self, sheet: Sheet, region: u64, planes: Arc<Piece>, tally: Vec<u64>) -> Result<(), StoreFault> {
        // Its checksums follow when it is written; nobody asks for them before.
        let known = Known { tally: tally.clone(), checksums: Vec::new(), is_checked: true };
        lock_of(&self.finished).insert((sheet, region), known);
        Ok(self.keeper.save(self.place(sheet), region, planes, tally)?)
    }

    fn forget(&self, sheet: Sheet, region: u64) {
        lock_of(&self.finished).remove(&(sheet, region));
    }

    fn settle(&self) -> Result<Option<(Sheet, u64)>, StoreFault> {
        self.keeper.settle()?;
        let unchecked: Vec<_> =
            lock_of(&self.finished).iter().filter(|(_, known)| !known.is_checked).map(|(&key, _)| key).collect();
        let mut planes = Vec::new();
        for (sheet, region) in unchecked {
            planes.resize(self.place(sheet).bytes() as usize, 0);
            match self.read(sheet, region, &mut planes) {
                Ok(()) => {}
                Err(StoreFault::Damaged) => return Ok(Some((sheet, region))),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}
