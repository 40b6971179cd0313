//! Where a rank finds finished regions, while all ranks sweep a table together.
//!
//! Ranks that see the folder in which the table grows write their regions into it, each to its place, and tell rank 0, which keeps the
//! journal. Others keep them in a file of their own, and rank 0 asks for each and writes it. A region that another rank sweeps is asked
//! for there; one that was finished before, in the folder or at rank 0. A rank on the same machine does not send it: it says that it is in
//! the folder.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::post::Mail;
use super::seat::{Seat, Seats};
use super::traffic::{Key, Traffic, Word};
use super::{Cluster, Lost};
use crate::rules::Rules;
use crate::solve::{PlaneKind, Share, SliceBuffer, SliceStore, Slicing, StoreFault, View};
use crate::table::Growing;

/// The status that a rank ends the job with that cannot read or write what it has, as ranks number them among themselves.
const STORE: u8 = 4;

/// The regions of a table that all ranks sweep together, as one of them finds them.
pub(crate) struct Regions<'c> {
    cluster: &'c Cluster,
    seat: Seat,
    /// What was finished before.
    finished: HashSet<Key>,
    /// For each sheet, its planes, and where each region begins in one.
    starts: Vec<(PlaneKind, u64, Vec<u64>)>,
    /// Which rank sweeps each region.
    dealt: Mutex<HashMap<Key, usize>>,
    /// What this rank has swept.
    own: Mutex<HashSet<Key>>,
    traffic: Traffic<'c>,
    /// For each rank, whether it reads in the same file what this one has written.
    beside: Vec<bool>,
    /// Bytes of memory for what is sent.
    limit: u64,
    /// Whether regions that are in the folder are read where they lie: all of them fit into memory.
    shows: bool,
    /// How many regions of others are on disk, as rank 0 knows.
    kept: Mutex<u64>,
    changed: Condvar,
    /// How many regions this rank has swept.
    swept: AtomicU64,
    /// What all ranks have sent, when all is done.
    sent: Mutex<Sent>,
}

/// What ranks have sent each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sent {
    /// Bytes of all messages.
    pub bytes: u64,
    /// Regions that were asked for to be read, and their bytes.
    pub regions: u64,
    /// Their bytes.
    pub region_bytes: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lost(lost: Lost) -> StoreFault {
    StoreFault::Io(io::Error::other(lost))
}

impl<'c> Regions<'c> {
    /// The regions of `plan`, of which those of `finished` are in the folder or at rank 0. There are `limit` bytes of memory for what
    /// comes and goes.
    pub(crate) fn new(
        cluster: &'c Cluster,
        (seat, seats): (Seat, &Seats),
        (rules, plan): (&Rules, &Slicing),
        finished: Vec<Key>,
        limit: u64,
    ) -> Self {
        let of = |&sheet: &PlaneKind| (sheet, plan.planes(rules, sheet), plan.starts(rules, sheet));
        let starts: Vec<_> = plan.plane_kinds().iter().map(of).collect();
        let bytes: u64 = starts.iter().map(|(_, planes, starts)| planes * starts.last().unwrap_or(&0)).sum();
        Self {
            cluster,
            seat,
            finished: finished.into_iter().collect(),
            starts,
            shows: bytes <= limit / 2,
            dealt: Mutex::default(),
            own: Mutex::default(),
            traffic: Traffic::new(cluster, limit / 2, seats.beside()),
            beside: seats.beside(),
            limit: limit / 2,
            kept: Mutex::default(),
            changed: Condvar::new(),
            swept: AtomicU64::new(0),
            sent: Mutex::default(),
        }
    }

    /// Does `work`, while another thread gives others what this rank has.
    pub(crate) fn serving<T>(&self, work: impl FnOnce(&Self) -> T) -> T {
        struct Stop<'a>(&'a Cluster);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.send(self.0.rank(), Word::Stop.letter());
            }
        }
        std::thread::scope(|scope| {
            scope.spawn(|| self.serve());
            let _stop = Stop(self.cluster);
            work(self)
        })
    }

    /// The table that grows, if this rank writes in its folder; and what ranks have sent each other.
    pub(crate) fn over(self) -> (Option<Growing>, Sent) {
        let sent = *lock(&self.sent);
        match self.seat {
            Seat::Folder(growing) => (Some(*growing), sent),
            Seat::Own(_) => (None, sent),
        }
    }

    fn bytes(&self, (sheet, rank): Key) -> u64 {
        let (_, planes, starts) = self
            .starts
            .iter()
            .find(|(found, ..)| *found == sheet)
            .unwrap_or_else(|| unreachable!("a sheet of its plan"));
        planes * (starts[rank as usize + 1] - starts[rank as usize])
    }

    /// The rank to ask for a region; `None` if this one has it.
    fn owner(&self, key: Key) -> Option<usize> {
        if lock(&self.own).contains(&key) {
            return None;
        }
        if self.finished.contains(&key) {
            return matches!(self.seat, Seat::Own(_)).then_some(0);
        }
        lock(&self.dealt).get(&key).copied().filter(|&rank| rank != self.cluster.rank())
    }

    /// Gives others what this rank has, and takes what they have, until it is told to stop or the job ends.
    fn serve(&self) {
        if let Err(error) = self.serve_all() {
            self.cluster.give_up(STORE, &format!("cannot keep what is solved: {error}"));
        }
    }

    fn serve_all(&self) -> io::Result<()> {
        let mut waiting: HashMap<Key, Vec<(usize, bool)>> = HashMap::new();
        // What those beside this rank can read in the folder, and who waits until they can.
        let mut written: HashSet<Key> = HashSet::new();
        let mut beside: HashMap<Key, Vec<usize>> = HashMap::new();
        // What rank 0 writes for others: one after the other.
        let mut offers: VecDeque<(usize, Key)> = VecDeque::new();
        let mut tally_of: HashMap<Key, Vec<u64>> = HashMap::new();
        let mut is_asking = false;
        // A letter that cannot be had ends the job elsewhere.
        while let Ok((from, letter)) = self.cluster.wait(Mail::Regions) {
            match Word::of(&letter) {
                Some(Word::Ask(key, _)) if self.beside[from] => {
                    if written.contains(&key) {
                        self.cluster.send(from, Word::There(key).letter());
                    } else {
                        beside.entry(key).or_default().push(from);
                    }
                }
                Some(Word::Ask(key, keep)) => {
                    if self.has(key) {
                        self.give(from, key, keep)?;
                    } else {
                        waiting.entry(key).or_default().push((from, keep));
                    }
                }
                Some(Word::Saved(key)) => {
                    for (to, keep) in waiting.remove(&key).unwrap_or_default() {
                        self.give(to, key, keep)?;
                    }
                }
                Some(Word::Written(key)) => {
                    written.insert(key);
                    let asked = beside.remove(&key).unwrap_or_default();
                    asked.into_iter().for_each(|to| self.cluster.send(to, Word::There(key).letter()));
                }
                Some(Word::Planes(key, false, _) | Word::There(key)) => self.traffic.arrived(key, letter),
                Some(Word::Planes((sheet, rank), true, planes)) => {
                    let Seat::Folder(growing) = &self.seat else { continue };
                    let tally = tally_of.remove(&(sheet, rank)).unwrap_or_default();
                    let piece = SliceBuffer::of(planes).map_err(io::Error::other)?;
                    growing.save(sheet, rank, Arc::new(piece), tally).map_err(io::Error::other)?;
                    self.kept();
                    is_asking = false;
                }
                Some(Word::Offer(key, tally)) => {
                    tally_of.insert(key, tally);
                    offers.push_back((from, key));
                }
                Some(Word::Record(record)) => {
                    let Seat::Folder(growing) = &self.seat else { continue };
                    if !growing.told(record) {
                        return Err(io::Error::other("what another rank says of a region makes no sense"));
                    }
                    self.kept();
                }
                Some(Word::Stop) => break,
                None => return Err(io::Error::other("what another rank says makes no sense")),
            }
            if !is_asking && let Some((from, key)) = offers.pop_front() {
                self.cluster.send(from, Word::Ask(key, true).letter());
                is_asking = true;
            }
        }
        Ok(())
    }

    fn kept(&self) {
        *lock(&self.kept) += 1;
        self.changed.notify_all();
    }

    /// Whether a region is here.
    fn has(&self, key: Key) -> bool {
        lock(&self.own).contains(&key) || self.cluster.rank() == 0 && self.finished.contains(&key)
    }

    /// Sends a region that is here, when there is memory for it.
    fn give(&self, to: usize, key: Key, keep: bool) -> io::Result<()> {
        while self.cluster.unsent() > self.limit && self.cluster.lost().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        let (mut letter, at) = Word::planes(key, keep, self.bytes(key) as usize);
        self.seat.load_alone(key, &mut letter[at..])?;
        self.cluster.send(to, letter);
        Ok(())
    }

    /// Tells all ranks a number, and gets that of each.
    fn numbers<const N: usize>(&self, own: [u64; N]) -> Result<Vec<[u64; N]>, StoreFault> {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.cluster.tell_all(&bytes).map_err(lost)?;
        let of = |bytes: Vec<u8>| {
            let mut numbers = [0; N];
            let found = bytes.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number));
            numbers.iter_mut().zip(found).for_each(|(number, found)| *number = found);
            numbers
        };
        Ok(all.into_iter().map(of).collect())
    }
}

impl SliceStore for Regions<'_> {
    fn tally(&self, sheet: PlaneKind, rank: u64) -> Option<Vec<u64>> {
        match &self.seat {
            Seat::Folder(growing) => growing.tally(sheet, rank),
            Seat::Own(_) => None,
        }
    }

    fn is_finished(&self, sheet: PlaneKind, rank: u64) -> bool {
        self.finished.contains(&(sheet, rank))
    }

    fn share(&self) -> Option<Share> {
        Some(Share { process: self.cluster.rank(), processes: self.cluster.size() })
    }

    fn assign(&self, sheet: PlaneKind, dealt: &[(u64, usize)]) {
        lock(&self.dealt).extend(dealt.iter().map(|&(rank, process)| ((sheet, rank), process)));
    }

    fn load(&self, sheet: PlaneKind, rank: u64, planes: &mut [u8]) -> Result<(), StoreFault> {
        let key = (sheet, rank);
        match self.owner(key) {
            Some(owner) => match self.traffic.fetch(key, planes.len() as u64, owner).map_err(lost)? {
                Some(sent) => sent.copy_to(planes).map_err(lost),
                None => Ok(self.seat.load_beside(key, planes)?),
            },
            None => self.seat.load(key, planes),
        }
    }

    fn view(&self, sheet: PlaneKind, rank: u64) -> Result<Option<View>, StoreFault> {
        let key = (sheet, rank);
        let is_one_piece = |&(found, planes, _): &(PlaneKind, u64, Vec<u64>)| found == sheet && planes == 1;
        if !self.shows || !self.starts.iter().any(is_one_piece) {
            return Ok(None);
        }
        match self.owner(key) {
            Some(owner) if self.beside[owner] => {
                if self.traffic.fetch(key, self.bytes(key), owner).map_err(lost)?.is_some() {
                    return Err(io::Error::other("a region was sent that is in the folder").into());
                }
                if let Ok(Some(map)) = self.seat.view(key) {
                    return Ok(Some(View::Mapped(map)));
                }
                // It was asked for, and is there.
                let mut piece = SliceBuffer::new(self.bytes(key)).map_err(io::Error::other)?;
                self.seat.load_beside(key, piece.bytes_mut())?;
                Ok(Some(View::Buffer(Arc::new(piece))))
            }
            Some(_) => Ok(None),
            None => Ok(self.seat.view(key).ok().flatten().map(View::Mapped)),
        }
    }

    fn save(&self, sheet: PlaneKind, rank: u64, planes: Arc<SliceBuffer>, tally: Vec<u64>) -> Result<(), StoreFault> {
        let key = (sheet, rank);
        if let Some(why) = self.cluster.lost() {
            return Err(lost(why));
        }
        let offer = match &self.seat {
            Seat::Folder(growing) => {
                growing.save(sheet, rank, planes, tally)?;
                None
            }
            Seat::Own(spill) => {
                spill.save(sheet, rank, planes.bytes())?;
                Some(Word::Offer(key, tally))
            }
        };
        lock(&self.own).insert(key);
        self.swept.fetch_add(1, Ordering::Relaxed);
        self.cluster.send(self.cluster.rank(), Word::Saved(key).letter());
        offer.into_iter().for_each(|offer| self.cluster.send(0, offer.letter()));
        Ok(())
    }

    fn expect(&self, sheet: PlaneKind, rank: u64) {
        let key = (sheet, rank);
        match (self.owner(key), &self.seat) {
            (Some(owner), _) => self.traffic.expect(key, self.bytes(key), owner),
            (None, Seat::Folder(growing)) => growing.expect(sheet, rank),
            (None, Seat::Own(_)) => {}
        }
    }

    fn forget(&self, sheet: PlaneKind, rank: u64) {
        // What was finished before was checked before it was said to be.
        lock(&self.own).remove(&(sheet, rank));
    }

    fn settle(&self) -> Result<Option<(PlaneKind, u64)>, StoreFault> {
        if let Seat::Folder(growing) = &self.seat {
            growing.settle()?;
        }
        let swept = self.numbers([self.swept.load(Ordering::Relaxed)])?;
        if let (0, Seat::Folder(growing)) = (self.cluster.rank(), &self.seat) {
            let of_others: u64 = swept[1..].iter().map(|[swept]| swept).sum();
            let mut kept = lock(&self.kept);
            while *kept < of_others {
                if let Some(why) = self.cluster.lost() {
                    return Err(lost(why));
                }
                kept = self
                    .changed
                    .wait_timeout(kept, Duration::from_millis(50))
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
            drop(kept);
            growing.settle()?;
        }
        // Until all are here, some may still ask for regions.
        let (regions, region_bytes) = self.traffic.all();
        let all = self.numbers([self.cluster.traffic().0, regions, region_bytes])?;
        let add = |a: Sent, &[bytes, regions, of_regions]: &[u64; 3]| Sent {
            bytes: a.bytes + bytes,
            regions: a.regions + regions,
            region_bytes: a.region_bytes + of_regions,
        };
        *lock(&self.sent) = all.iter().fold(Sent::default(), add);
        Ok(None)
    }
}
