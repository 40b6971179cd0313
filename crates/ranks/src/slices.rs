//! The slice store of a rank, while all ranks sweep a table together.
//!
//! Ranks that see the folder of the unfinished table write their slices into it, and send their journal records to rank 0, which keeps the
//! journal. The other ranks store their slices in a temporary file; rank 0 requests each of these slices and writes it to the folder.
//!
//! A rank requests a slice from the rank that sweeps it. Slices that an earlier build finished are in the folder, or requested from rank 0. If both
//! ranks share a machine and the folder, the owner does not send the slice, but answers that the slice is in the folder.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use super::home::{SliceHome, SliceHomes};
use super::message::MessageKind;
use super::requests::{SliceKey, SliceMessage, SliceNews, SliceRequests};
use super::{Cluster, ClusterError, lock, wait_a_moment};
use crate::solve::{PlaneKind, Share, SliceBuffer, SlicePlan, SliceStore, StoreFault, TrafficTotals, View};
use crate::table::SliceCheckpoints;

/// The exit status of a rank that cannot read or write its slices.
const STORE_FAILED: u8 = 4;

/// The slice store of a rank, while all ranks sweep a table together.
pub struct DistributedSlices<'c> {
    cluster: &'c Cluster,
    home: SliceHome,
    /// The slices that an earlier build finished.
    finished: HashSet<SliceKey>,
    /// For each plane kind, the number of its planes, and the offset of each slice in a plane.
    starts: Vec<(PlaneKind, u64, Vec<u64>)>,
    /// The rank that sweeps each slice.
    owners: Mutex<HashMap<SliceKey, usize>>,
    /// The slices that this rank has swept.
    own: Mutex<HashSet<SliceKey>>,
    requests: SliceRequests<'c>,
    /// Maximum number of bytes that wait to be sent.
    max_unsent: u64,
    /// True if slices in the folder are mapped instead of copied: only if all of them fit into memory.
    maps_folder: bool,
    /// On rank 0: how many slices of other ranks are on disk.
    saved_of_others: Mutex<u64>,
    changed: Condvar,
    /// How many slices this rank has swept.
    swept: AtomicU64,
    /// The traffic of all ranks, known at the end.
    traffic: Mutex<TrafficTotals>,
}

impl From<ClusterError> for StoreFault {
    fn from(error: ClusterError) -> Self {
        Self::Io(io::Error::other(error))
    }
}

impl<'c> DistributedSlices<'c> {
    /// A store for the slices of `plan`; an earlier build finished the slices in `finished`. Half of `max_bytes` bytes of memory is for slices that
    /// arrive, half for slices that leave.
    pub fn new(
        cluster: &'c Cluster,
        home: SliceHome,
        homes: &SliceHomes,
        plan: &SlicePlan,
        finished: Vec<SliceKey>,
        max_bytes: u64,
    ) -> Self {
        let of = |&plane_kind: &PlaneKind| (plane_kind, plan.planes(plane_kind), plan.starts(plane_kind));
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
            requests: SliceRequests::new(cluster, max_bytes / 2, homes.reads_in_folder()),
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
                self.0.send(self.0.rank(), SliceMessage::of_rest(SliceNews::Stop, &[]).encode());
            }
        }
        std::thread::scope(|scope| {
            scope.spawn(|| self.serve());
            let _stop = Stop(self.cluster);
            work(self)
        })
    }

    /// The unfinished table, if this rank writes to its folder; and the traffic of all ranks.
    pub fn into_parts(self) -> (Option<SliceCheckpoints>, TrafficTotals) {
        let traffic = *lock(&self.traffic);
        match self.home {
            SliceHome::Folder(checkpoints) => (Some(*checkpoints), traffic),
            SliceHome::Spill(_) => (None, traffic),
        }
    }

    /// The bytes of a plane kind of a slice.
    fn bytes(&self, (plane_kind, slice): SliceKey) -> u64 {
        let (_, planes, starts) = self
            .starts
            .iter()
            .find(|(found, ..)| *found == plane_kind)
            .unwrap_or_else(|| unreachable!("a plane kind of the plan"));
        planes * (starts[slice as usize + 1] - starts[slice as usize])
    }

    /// The rank to request a slice from; `None` if this rank has it.
    fn owner(&self, key: SliceKey) -> Option<usize> {
        if lock(&self.own).contains(&key) {
            return None;
        }
        if self.finished.contains(&key) {
            return matches!(self.home, SliceHome::Spill(_)).then_some(0);
        }
        lock(&self.owners).get(&key).copied().filter(|&rank| rank != self.cluster.rank())
    }

    /// Answers the requests of other ranks and receives their answers, until [`SliceNews::Stop`] or the end of the job.
    fn serve(&self) {
        if let Err(error) = self.serve_all() {
            self.cluster.give_up(STORE_FAILED, &format!("cannot store a solved slice: {error}"));
        }
    }

    fn serve_all(&self) -> io::Result<()> {
        // Ranks that wait for a slice of this rank: to be sent, or to be in the folder.
        let mut to_send: HashMap<SliceKey, Vec<(usize, bool)>> = HashMap::new();
        let mut to_read: HashMap<SliceKey, Vec<usize>> = HashMap::new();
        // Slices of this rank that are in the folder.
        let mut written: HashSet<SliceKey> = HashSet::new();
        // Slices that rank 0 is to write for ranks that do not see the folder. It requests one at a time, to hold only one in memory.
        let mut offers: VecDeque<(usize, SliceKey)> = VecDeque::new();
        let mut offered_tallies: HashMap<SliceKey, Vec<u64>> = HashMap::new();
        let mut awaits_offer = false;
        // If no message comes because the job has failed, other threads report why.
        while let Ok((from, message)) = self.cluster.wait(MessageKind::Slice) {
            let undecodable = || io::Error::other("a message of another rank cannot be decoded");
            let decoded = SliceMessage::decode(&message).ok_or_else(undecodable)?;
            let SliceMessage { news, key, to_write, rest } = decoded;
            match news {
                SliceNews::Request if self.requests.reads_in_folder[from] => {
                    if written.contains(&key) {
                        self.send(from, SliceNews::InFolder, key);
                    } else {
                        to_read.entry(key).or_default().push(from);
                    }
                }
                SliceNews::Request => {
                    if self.has(key) {
                        self.send_slice(from, key, to_write)?;
                    } else {
                        to_send.entry(key).or_default().push((from, to_write));
                    }
                }
                SliceNews::Finished => {
                    for (to, to_write) in to_send.remove(&key).unwrap_or_default() {
                        self.send_slice(to, key, to_write)?;
                    }
                }
                SliceNews::Written => {
                    written.insert(key);
                    let waiting = to_read.remove(&key).unwrap_or_default();
                    waiting.into_iter().for_each(|to| self.send(to, SliceNews::InFolder, key));
                }
                SliceNews::Planes if to_write => {
                    let SliceHome::Folder(checkpoints) = &self.home else { continue };
                    let tally = offered_tallies.remove(&key).unwrap_or_default();
                    let piece = SliceBuffer::of(rest).map_err(io::Error::other)?;
                    checkpoints.save(key.0, key.1, Arc::new(piece), tally).map_err(io::Error::other)?;
                    self.count_saved_of_others();
                    awaits_offer = false;
                }
                SliceNews::Planes | SliceNews::InFolder => self.requests.answered(key, message),
                SliceNews::Offer => {
                    offered_tallies.insert(key, decoded.tally());
                    offers.push_back((from, key));
                }
                SliceNews::JournalRecord => {
                    let SliceHome::Folder(checkpoints) = &self.home else { continue };
                    if !checkpoints.note_finished(rest) {
                        return Err(io::Error::other(
                            "the journal record that another rank sent does not fit this build",
                        ));
                    }
                    self.count_saved_of_others();
                }
                SliceNews::Stop => break,
            }
            if !awaits_offer && let Some((from, key)) = offers.pop_front() {
                let request = SliceMessage { to_write: true, ..SliceMessage::new(SliceNews::Request, key) };
                self.cluster.send(from, request.encode());
                awaits_offer = true;
            }
        }
        Ok(())
    }

    /// Sends `news` about a slice to rank `to`.
    fn send(&self, to: usize, news: SliceNews, key: SliceKey) {
        self.cluster.send(to, SliceMessage::new(news, key).encode());
    }

    /// Counts a slice of another rank that is on disk.
    fn count_saved_of_others(&self) {
        *lock(&self.saved_of_others) += 1;
        self.changed.notify_all();
    }

    /// Returns whether this rank stores a slice.
    fn has(&self, key: SliceKey) -> bool {
        lock(&self.own).contains(&key) || self.cluster.rank() == 0 && self.finished.contains(&key)
    }

    /// Sends a slice that this rank stores, as soon as memory allows.
    fn send_slice(&self, to: usize, key: SliceKey, to_write: bool) -> io::Result<()> {
        while self.cluster.unsent() > self.max_unsent && self.cluster.error().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        let (mut message, at) = SliceMessage::with_room(key, to_write, self.bytes(key) as usize);
        self.home.load_on_this_thread(key, &mut message[at..])?;
        self.cluster.send(to, message);
        Ok(())
    }
}

impl SliceStore for DistributedSlices<'_> {
    fn tally(&self, plane_kind: PlaneKind, slice: u64) -> Option<Vec<u64>> {
        match &self.home {
            SliceHome::Folder(checkpoints) => checkpoints.tally(plane_kind, slice),
            SliceHome::Spill(_) => None,
        }
    }

    fn is_finished(&self, plane_kind: PlaneKind, slice: u64) -> bool {
        self.finished.contains(&(plane_kind, slice))
    }

    fn share(&self) -> Option<Share> {
        Some(Share { process: self.cluster.rank(), processes: self.cluster.size() })
    }

    fn assign(&self, plane_kind: PlaneKind, dealt: &[(u64, usize)]) {
        lock(&self.owners).extend(dealt.iter().map(|&(slice, rank)| ((plane_kind, slice), rank)));
    }

    fn load(&self, plane_kind: PlaneKind, slice: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        let key = (plane_kind, slice);
        match self.owner(key) {
            Some(owner) => match self.requests.fetch(key, planes.len() as u64, owner)? {
                Some(fetched) => Ok(fetched.copy_to(planes)?),
                None => Ok(self.home.load_of_other_rank(key, planes)?),
            },
            None => self.home.load(key, planes),
        }
    }

    fn view(&self, plane_kind: PlaneKind, slice: u64) -> Result<Option<View>, StoreFault> {
        let key = (plane_kind, slice);
        let is_contiguous = |&(found, planes, _): &(PlaneKind, u64, Vec<u64>)| found == plane_kind && planes == 1;
        if !self.maps_folder || !self.starts.iter().any(is_contiguous) {
            return Ok(None);
        }
        match self.owner(key) {
            Some(owner) if self.requests.reads_in_folder[owner] => {
                if self.requests.fetch(key, self.bytes(key), owner)?.is_some() {
                    return Err(io::Error::other("a slice was sent that is in the folder").into());
                }
                if let Ok(Some(map)) = self.home.view(key) {
                    return Ok(Some(View::Mapped(map)));
                }
                // `load` would request the slice a second time, and the traffic would no longer be what was planned.
                let mut piece = SliceBuffer::new(self.bytes(key)).map_err(io::Error::other)?;
                self.home.load_of_other_rank(key, piece.bytes_mut())?;
                Ok(Some(View::Buffer(Arc::new(piece))))
            }
            Some(_) => Ok(None),
            None => Ok(self.home.view(key).ok().flatten().map(View::Mapped)),
        }
    }

    fn save(
        &self,
        plane_kind: PlaneKind,
        slice: u64,
        planes: Arc<SliceBuffer>,
        tally: Vec<u64>,
    ) -> Result<(), StoreFault> {
        let key = (plane_kind, slice);
        self.cluster.check()?;
        let offer = match &self.home {
            SliceHome::Folder(checkpoints) => {
                checkpoints.save(plane_kind, slice, planes, tally)?;
                None
            }
            SliceHome::Spill(spill) => {
                spill.save(key, planes.bytes())?;
                let tally: Vec<u8> = tally.into_iter().flat_map(u64::to_le_bytes).collect();
                Some(SliceMessage { rest: &tally, ..SliceMessage::new(SliceNews::Offer, key) }.encode())
            }
        };
        lock(&self.own).insert(key);
        self.swept.fetch_add(1, Ordering::Relaxed);
        self.send(self.cluster.rank(), SliceNews::Finished, key);
        offer.into_iter().for_each(|offer| self.cluster.send(0, offer));
        Ok(())
    }

    fn expect(&self, plane_kind: PlaneKind, slice: u64) {
        let key = (plane_kind, slice);
        match (self.owner(key), &self.home) {
            (Some(owner), _) => self.requests.expect(key, self.bytes(key), owner),
            (None, SliceHome::Folder(checkpoints)) => checkpoints.expect(plane_kind, slice),
            (None, SliceHome::Spill(_)) => {}
        }
    }

    fn forget(&self, plane_kind: PlaneKind, slice: u64) {
        // Slices in `finished` stay: rank 0 compared them with their checksums before it named them.
        lock(&self.own).remove(&(plane_kind, slice));
    }

    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault> {
        if let SliceHome::Folder(checkpoints) = &self.home {
            checkpoints.settle()?;
        }
        let swept = self.cluster.all_gather_numbers([self.swept.load(Ordering::Relaxed)])?;
        if let (0, SliceHome::Folder(checkpoints)) = (self.cluster.rank(), &self.home) {
            let swept_by_others: u64 = swept[1..].iter().map(|[swept]| swept).sum();
            let mut saved = lock(&self.saved_of_others);
            while *saved < swept_by_others {
                self.cluster.check()?;
                saved = wait_a_moment(&self.changed, saved);
            }
            drop(saved);
            checkpoints.settle()?;
        }
        // This all-gather also keeps each rank serving until no other rank needs its slices.
        let (slices, slice_bytes) = self.requests.totals();
        let all = self.cluster.all_gather_numbers([self.cluster.traffic().0, slices, slice_bytes])?;
        let sum = |number: usize| all.iter().map(|of_rank| of_rank[number]).sum();
        *lock(&self.traffic) = TrafficTotals { bytes: sum(0), slices: sum(1), slice_bytes: sum(2) };
        Ok(None)
    }
}
