//! The region store of a rank, while all ranks sweep a table together.
//!
//! Ranks that see the folder of the unfinished table write their regions into it, and send their journal records to rank 0, which keeps the
//! journal. The other ranks store their regions in a temporary file; rank 0 requests each of these regions and writes it to the folder.
//!
//! A rank requests a region from the rank that sweeps it. Regions that an earlier build finished are in the folder, or requested from rank 0. If both
//! ranks share a machine and the folder, the owner does not send the region, but answers that the region is in the folder.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::home::{RegionHome, RegionHomes};
use super::message::MessageKind;
use super::requests::{RegionKey, RegionMessage, RegionRequests};
use super::{Cluster, ClusterError};
use crate::rules::Rules;
use crate::solve::{PlaneKind, Share, SliceBuffer, SliceStore, Slicing, StoreFault, View};
use crate::table::Growing;

/// The exit status of a rank that cannot read or write its regions.
const STORE_FAILED: u8 = 4;

/// The region store of a rank, while all ranks sweep a table together.
pub struct DistributedRegions<'c> {
    cluster: &'c Cluster,
    home: RegionHome,
    /// The regions that an earlier build finished.
    finished: HashSet<RegionKey>,
    /// For each sheet, the number of its planes, and the offset of each region in a plane.
    starts: Vec<(PlaneKind, u64, Vec<u64>)>,
    /// The rank that sweeps each region.
    owners: Mutex<HashMap<RegionKey, usize>>,
    /// The regions that this rank has swept.
    own: Mutex<HashSet<RegionKey>>,
    requests: RegionRequests<'c>,
    /// For each rank, whether it and this one read each other's regions in the folder.
    reads_in_folder: Vec<bool>,
    /// Maximum number of bytes that wait to be sent.
    max_unsent: u64,
    /// True if regions in the folder are mapped instead of copied: only if all of them fit into memory.
    maps_folder: bool,
    /// On rank 0: how many regions of other ranks are on disk.
    saved_of_others: Mutex<u64>,
    changed: Condvar,
    /// How many regions this rank has swept.
    swept: AtomicU64,
    /// The traffic of all ranks, known at the end.
    traffic: Mutex<TrafficTotals>,
}

/// How much the ranks of a build have sent each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TrafficTotals {
    /// Bytes of all messages.
    pub bytes: u64,
    /// The number of requests for regions, including requests that are answered from the folder.
    pub regions: u64,
    /// Bytes of the requested regions.
    pub region_bytes: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fault(error: ClusterError) -> StoreFault {
    StoreFault::Io(io::Error::other(error))
}

impl<'c> DistributedRegions<'c> {
    /// A store for the regions of `plan`; an earlier build finished the regions in `finished`. Half of `max_bytes` bytes of memory is for regions that
    /// arrive, half for regions that leave.
    pub fn new(
        cluster: &'c Cluster,
        (home, homes): (RegionHome, &RegionHomes),
        (rules, plan): (&Rules, &Slicing),
        finished: Vec<RegionKey>,
        max_bytes: u64,
    ) -> Self {
        let of = |&sheet: &PlaneKind| (sheet, plan.planes(rules, sheet), plan.starts(rules, sheet));
        let starts: Vec<_> = plan.plane_kinds().iter().map(of).collect();
        let bytes: u64 = starts.iter().map(|(_, planes, starts)| planes * starts.last().unwrap_or(&0)).sum();
        Self {
            cluster,
            home,
            finished: finished.into_iter().collect(),
            starts,
            maps_folder: bytes <= max_bytes / 2,
            owners: Mutex::default(),
            own: Mutex::default(),
            requests: RegionRequests::new(cluster, max_bytes / 2, homes.reads_in_folder()),
            reads_in_folder: homes.reads_in_folder(),
            max_unsent: max_bytes / 2,
            saved_of_others: Mutex::default(),
            changed: Condvar::new(),
            swept: AtomicU64::new(0),
            traffic: Mutex::default(),
        }
    }

    /// Does `work`, while another thread answers the requests of other ranks.
    pub fn serving<T>(&self, work: impl FnOnce(&Self) -> T) -> T {
        struct Stop<'a>(&'a Cluster);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.send(self.0.rank(), RegionMessage::Stop.encode());
            }
        }
        std::thread::scope(|scope| {
            scope.spawn(|| self.serve());
            let _stop = Stop(self.cluster);
            work(self)
        })
    }

    /// The unfinished table, if this rank writes to its folder; and the traffic of all ranks.
    pub fn into_parts(self) -> (Option<Growing>, TrafficTotals) {
        let traffic = *lock(&self.traffic);
        match self.home {
            RegionHome::Folder(growing) => (Some(*growing), traffic),
            RegionHome::Spill(_) => (None, traffic),
        }
    }

    /// The bytes of a sheet of a region.
    fn bytes(&self, (sheet, region): RegionKey) -> u64 {
        let (_, planes, starts) = self
            .starts
            .iter()
            .find(|(found, ..)| *found == sheet)
            .unwrap_or_else(|| unreachable!("a sheet of the plan"));
        planes * (starts[region as usize + 1] - starts[region as usize])
    }

    /// The rank to request a region from; `None` if this rank has it.
    fn owner(&self, key: RegionKey) -> Option<usize> {
        if lock(&self.own).contains(&key) {
            return None;
        }
        if self.finished.contains(&key) {
            return matches!(self.home, RegionHome::Spill(_)).then_some(0);
        }
        lock(&self.owners).get(&key).copied().filter(|&rank| rank != self.cluster.rank())
    }

    /// Answers the requests of other ranks and receives their answers, until [`RegionMessage::Stop`] or the end of the job.
    fn serve(&self) {
        if let Err(error) = self.serve_all() {
            self.cluster.give_up(STORE_FAILED, &format!("cannot keep what is solved: {error}"));
        }
    }

    fn serve_all(&self) -> io::Result<()> {
        // Ranks that wait for a region of this rank: to be sent, or to be in the folder.
        let mut to_send: HashMap<RegionKey, Vec<(usize, bool)>> = HashMap::new();
        let mut to_read: HashMap<RegionKey, Vec<usize>> = HashMap::new();
        // Regions of this rank that are in the folder.
        let mut written: HashSet<RegionKey> = HashSet::new();
        // Regions that rank 0 is to write for ranks that do not see the folder. It requests one at a time, to hold only one in memory.
        let mut offers: VecDeque<(usize, RegionKey)> = VecDeque::new();
        let mut offered_tallies: HashMap<RegionKey, Vec<u64>> = HashMap::new();
        let mut awaits_offer = false;
        // If no message comes because the job has failed, other threads report why.
        while let Ok((from, message)) = self.cluster.wait(MessageKind::Region) {
            match RegionMessage::decode(&message) {
                Some(RegionMessage::Request(key, _)) if self.reads_in_folder[from] => {
                    if written.contains(&key) {
                        self.cluster.send(from, RegionMessage::InFolder(key).encode());
                    } else {
                        to_read.entry(key).or_default().push(from);
                    }
                }
                Some(RegionMessage::Request(key, to_write)) => {
                    if self.has(key) {
                        self.send_region(from, key, to_write)?;
                    } else {
                        to_send.entry(key).or_default().push((from, to_write));
                    }
                }
                Some(RegionMessage::Finished(key)) => {
                    for (to, to_write) in to_send.remove(&key).unwrap_or_default() {
                        self.send_region(to, key, to_write)?;
                    }
                }
                Some(RegionMessage::Written(key)) => {
                    written.insert(key);
                    let waiting = to_read.remove(&key).unwrap_or_default();
                    waiting.into_iter().for_each(|to| self.cluster.send(to, RegionMessage::InFolder(key).encode()));
                }
                Some(RegionMessage::Planes(key, false, _) | RegionMessage::InFolder(key)) => {
                    self.requests.answered(key, message);
                }
                Some(RegionMessage::Planes((sheet, region), true, planes)) => {
                    let RegionHome::Folder(growing) = &self.home else { continue };
                    let tally = offered_tallies.remove(&(sheet, region)).unwrap_or_default();
                    let piece = SliceBuffer::of(planes).map_err(io::Error::other)?;
                    growing.save(sheet, region, Arc::new(piece), tally).map_err(io::Error::other)?;
                    self.count_saved_of_others();
                    awaits_offer = false;
                }
                Some(RegionMessage::Offer(key, tally)) => {
                    offered_tallies.insert(key, tally);
                    offers.push_back((from, key));
                }
                Some(RegionMessage::JournalRecord(record)) => {
                    let RegionHome::Folder(growing) = &self.home else { continue };
                    if !growing.told(record) {
                        return Err(io::Error::other("what another rank says of a region makes no sense"));
                    }
                    self.count_saved_of_others();
                }
                Some(RegionMessage::Stop) => break,
                None => return Err(io::Error::other("what another rank says makes no sense")),
            }
            if !awaits_offer && let Some((from, key)) = offers.pop_front() {
                self.cluster.send(from, RegionMessage::Request(key, true).encode());
                awaits_offer = true;
            }
        }
        Ok(())
    }

    /// Counts a region of another rank that is on disk.
    fn count_saved_of_others(&self) {
        *lock(&self.saved_of_others) += 1;
        self.changed.notify_all();
    }

    /// Returns whether this rank stores a region.
    fn has(&self, key: RegionKey) -> bool {
        lock(&self.own).contains(&key) || self.cluster.rank() == 0 && self.finished.contains(&key)
    }

    /// Sends a region that this rank stores, as soon as memory allows.
    fn send_region(&self, to: usize, key: RegionKey, to_write: bool) -> io::Result<()> {
        while self.cluster.unsent() > self.max_unsent && self.cluster.error().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        let (mut message, at) = RegionMessage::with_room(key, to_write, self.bytes(key) as usize);
        self.home.load_on_this_thread(key, &mut message[at..])?;
        self.cluster.send(to, message);
        Ok(())
    }

    /// Sends `own` to all ranks, and returns the numbers of each rank.
    fn all_gather<const N: usize>(&self, own: [u64; N]) -> Result<Vec<[u64; N]>, StoreFault> {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.cluster.all_gather(&bytes).map_err(fault)?;
        let of = |bytes: Vec<u8>| {
            let mut numbers = [0; N];
            let found = bytes.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number));
            numbers.iter_mut().zip(found).for_each(|(number, found)| *number = found);
            numbers
        };
        Ok(all.into_iter().map(of).collect())
    }
}

impl SliceStore for DistributedRegions<'_> {
    fn tally(&self, sheet: PlaneKind, region: u64) -> Option<Vec<u64>> {
        match &self.home {
            RegionHome::Folder(growing) => growing.tally(sheet, region),
            RegionHome::Spill(_) => None,
        }
    }

    fn is_finished(&self, sheet: PlaneKind, region: u64) -> bool {
        self.finished.contains(&(sheet, region))
    }

    fn share(&self) -> Option<Share> {
        Some(Share { process: self.cluster.rank(), processes: self.cluster.size() })
    }

    fn assign(&self, sheet: PlaneKind, dealt: &[(u64, usize)]) {
        lock(&self.owners).extend(dealt.iter().map(|&(region, rank)| ((sheet, region), rank)));
    }

    fn load(&self, sheet: PlaneKind, region: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        let key = (sheet, region);
        match self.owner(key) {
            Some(owner) => match self.requests.fetch(key, planes.len() as u64, owner).map_err(fault)? {
                Some(fetched) => fetched.copy_to(planes).map_err(fault),
                None => Ok(self.home.load_of_other_rank(key, planes)?),
            },
            None => self.home.load(key, planes),
        }
    }

    fn view(&self, sheet: PlaneKind, region: u64) -> Result<Option<View>, StoreFault> {
        let key = (sheet, region);
        let is_contiguous = |&(found, planes, _): &(PlaneKind, u64, Vec<u64>)| found == sheet && planes == 1;
        if !self.maps_folder || !self.starts.iter().any(is_contiguous) {
            return Ok(None);
        }
        match self.owner(key) {
            Some(owner) if self.reads_in_folder[owner] => {
                if self.requests.fetch(key, self.bytes(key), owner).map_err(fault)?.is_some() {
                    return Err(io::Error::other("a region was sent that is in the folder").into());
                }
                if let Ok(Some(map)) = self.home.view(key) {
                    return Ok(Some(View::Mapped(map)));
                }
                // `load` would request the region a second time, and the traffic would no longer be what was planned.
                let mut piece = SliceBuffer::new(self.bytes(key)).map_err(io::Error::other)?;
                self.home.load_of_other_rank(key, piece.bytes_mut())?;
                Ok(Some(View::Buffer(Arc::new(piece))))
            }
            Some(_) => Ok(None),
            None => Ok(self.home.view(key).ok().flatten().map(View::Mapped)),
        }
    }

    fn save(&self, sheet: PlaneKind, region: u64, planes: Arc<SliceBuffer>, tally: Vec<u64>) -> Result<(), StoreFault> {
        let key = (sheet, region);
        if let Some(error) = self.cluster.error() {
            return Err(fault(error));
        }
        let offer = match &self.home {
            RegionHome::Folder(growing) => {
                growing.save(sheet, region, planes, tally)?;
                None
            }
            RegionHome::Spill(spill) => {
                spill.save(sheet, region, planes.bytes())?;
                Some(RegionMessage::Offer(key, tally))
            }
        };
        lock(&self.own).insert(key);
        self.swept.fetch_add(1, Ordering::Relaxed);
        self.cluster.send(self.cluster.rank(), RegionMessage::Finished(key).encode());
        offer.into_iter().for_each(|offer| self.cluster.send(0, offer.encode()));
        Ok(())
    }

    fn expect(&self, sheet: PlaneKind, region: u64) {
        let key = (sheet, region);
        match (self.owner(key), &self.home) {
            (Some(owner), _) => self.requests.expect(key, self.bytes(key), owner),
            (None, RegionHome::Folder(growing)) => growing.expect(sheet, region),
            (None, RegionHome::Spill(_)) => {}
        }
    }

    fn forget(&self, sheet: PlaneKind, region: u64) {
        // Regions in `finished` stay: rank 0 compared them with their checksums before it named them.
        lock(&self.own).remove(&(sheet, region));
    }

    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault> {
        if let RegionHome::Folder(growing) = &self.home {
            growing.settle()?;
        }
        let swept = self.all_gather([self.swept.load(Ordering::Relaxed)])?;
        if let (0, RegionHome::Folder(growing)) = (self.cluster.rank(), &self.home) {
            let swept_by_others: u64 = swept[1..].iter().map(|[swept]| swept).sum();
            let mut saved = lock(&self.saved_of_others);
            while *saved < swept_by_others {
                if let Some(error) = self.cluster.error() {
                    return Err(fault(error));
                }
                let waited = self.changed.wait_timeout(saved, Duration::from_millis(50));
                saved = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            drop(saved);
            growing.settle()?;
        }
        // This all-gather also keeps each rank serving until no other rank needs its regions.
        let (regions, region_bytes) = self.requests.totals();
        let all = self.all_gather([self.cluster.traffic().0, regions, region_bytes])?;
        let add = |a: TrafficTotals, &[bytes, regions, region_bytes]: &[u64; 3]| TrafficTotals {
            bytes: a.bytes + bytes,
            regions: a.regions + regions,
            region_bytes: a.region_bytes + region_bytes,
        };
        *lock(&self.traffic) = all.iter().fold(TrafficTotals::default(), add);
        Ok(None)
    }
}
