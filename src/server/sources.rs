//! A cache of sources: opened tables, and games solved in memory.
//!
//! The cache is limited in entries and in bytes, and drops the least recently used source first. Two requests for the
//! same uncached game share one solve. When a file in the folders of tables appears, disappears or changes, the cache
//! is cleared.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::OnceCell;

use super::failure::Failure;
use super::reply::{Lasting, Tag};
use crate::engine::{Origin, Source};

/// The largest number of cached sources. Each holds the rules of its game, and may map a file.
const MOST: usize = 64;
/// The shortest time between two checks of the folders of tables.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// A source with the data derived from it.
pub(super) struct Opened {
    pub(super) source: Source,
    /// The tag of every answer from the source.
    pub(super) tag: Tag,
    /// The statistics of the table, after the first request for them.
    pub(super) stats: OnceCell<Bytes>,
}

impl Opened {
    pub(super) fn new(source: Source) -> Self {
        let tag = tag_of(&source);
        Self { source, tag, stats: OnceCell::new() }
    }

    /// The memory that a solved table takes, in bytes. A table file counts as 0, since it is mapped or read on demand.
    fn bytes(&self) -> u64 {
        self.source.table().filter(|table| table.path().is_none()).map_or(0, |table| table.file_bytes())
    }
}

/// The tag of a source: its answers depend only on the rules, the known labels, and their origin.
fn tag_of(source: &Source) -> Tag {
    let game = source.game();
    let (labels, hash) = match source.table() {
        Some(table) => (table.labels(), table.rules_hash()),
        None => Default::default(),
    };
    let is_whole = source.table().is_some() && labels == game.usual_labels() && game.off_table().is_none();
    let lasting = if is_whole && source.origin() == Origin::Table { Lasting::Fixed } else { Lasting::Revalidate };
    let labels = format!("{labels:?}");
    let parts = [hash.as_bytes(), labels.as_bytes(), source.origin().name().as_bytes(), game.rules().name().as_bytes()];
    Tag::of(&parts, lasting)
}

/// A source, or the reason why there is none, which stays valid until the tables change.
type Found = Result<Arc<Opened>, Failure>;
type Cell = Arc<OnceCell<Found>>;

/// The cache of sources.
pub(super) struct SourceCache {
    kept: Mutex<Kept>,
    most_bytes: u64,
}

#[derive(Default)]
struct Kept {
    by_key: HashMap<String, Slot>,
    /// The number of uses so far, which orders the entries by their last use.
    clock: u64,
    looked: Option<Instant>,
    /// The last state of the folders, as computed by [`stamp`].
    stamp: Option<u64>,
}

struct Slot {
    cell: Cell,
    used: u64,
}

impl SourceCache {
    pub(super) fn new(most_bytes: u64) -> Self {
        Self { kept: Mutex::default(), most_bytes }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cell for the source called `key`, which may be empty.
    pub(super) fn cell(&self, key: &str) -> Cell {
        let mut kept = self.kept();
        kept.clock += 1;
        let used = kept.clock;
        if let Some(slot) = kept.by_key.get_mut(key) {
            slot.used = used;
            return Arc::clone(&slot.cell);
        }
        let cell = Cell::default();
        kept.by_key.insert(key.to_owned(), Slot { cell: Arc::clone(&cell), used });
        kept.shrink(self.most_bytes);
        cell
    }

    /// Shrinks the cache after a cell was filled. If the cell stayed empty, it is removed.
    pub(super) fn settle(&self, key: &str, cell: &Cell) {
        let mut kept = self.kept();
        let is_empty = |slot: &Slot| Arc::ptr_eq(&slot.cell, cell) && !slot.cell.initialized();
        if kept.by_key.get(key).is_some_and(is_empty) {
            kept.by_key.remove(key);
        }
        kept.shrink(self.most_bytes);
    }

    /// Returns whether it is time to check the folders. Only one caller per interval gets `true`.
    pub(super) fn is_time_to_look(&self) -> bool {
        let mut kept = self.kept();
        let is_time = kept.looked.is_none_or(|looked| looked.elapsed() >= CHECK_INTERVAL);
        if is_time {
            kept.looked = Some(Instant::now());
        }
        is_time
    }

    /// Clears the cache if `stamp` shows that tables have changed.
    pub(super) fn look(&self, stamp: u64) {
        let mut kept = self.kept();
        if kept.stamp.replace(stamp).is_some_and(|before| before != stamp) {
            kept.by_key.clear();
        }
    }
}

impl Kept {
    fn shrink(&mut self, most_bytes: u64) {
        let bytes =
            |slot: &Slot| slot.cell.get().and_then(|found| found.as_ref().ok()).map_or(0, |opened| opened.bytes());
        let mut all: u64 = self.by_key.values().map(bytes).sum();
        while self.by_key.len() > MOST || (all > most_bytes && self.by_key.len() > 1) {
            let oldest = self.by_key.iter().min_by_key(|(_, slot)| slot.used).map(|(key, _)| key.clone());
            let Some(slot) = oldest.and_then(|key| self.by_key.remove(&key)) else { return };
            all -= bytes(&slot);
        }
    }
}

/// A number that changes when a table in `folders` appears, disappears or changes, or one of `files` changes.
pub(super) fn stamp(folders: &[PathBuf], files: &[PathBuf]) -> u64 {
    let listed = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let listed = listed.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "tb"));
    // The sum does not depend on the order in which the system lists the files.
    listed.chain(files.iter().cloned()).fold(1, |sum: u64, path| {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        if let Ok(found) = std::fs::metadata(&path) {
            (found.len(), found.modified().ok()).hash(&mut hasher);
        }
        sum.wrapping_add(hasher.finish())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, TableDirs, game};
    use tablegen_games::Parameters;

    fn opened(rows: u32) -> Found {
        let game = game("tactics", &Parameters::new().with("rows", rows).with("cols", 3).with("run", 3)).unwrap();
        Ok(Arc::new(Opened::new(Engine::new(TableDirs::none()).source(game, 0).unwrap())))
    }

    #[test]
    fn the_cache_is_limited_and_drops_the_oldest_first() {
        let sources = SourceCache::new(u64::MAX);
        for number in 0..=MOST {
            sources.cell(&number.to_string());
            sources.cell("0");
        }
        let kept = sources.kept();
        assert!(kept.by_key.len() == MOST && kept.by_key.contains_key("0") && !kept.by_key.contains_key("1"));
    }

    #[test]
    fn bytes_are_bounded_and_failures_leave_nothing() {
        let found = [opened(2), opened(3)];
        let bytes: Vec<u64> = found.iter().map(|found| found.as_ref().unwrap().bytes()).collect();
        let sources = SourceCache::new(bytes[0] + bytes[1] - 1);
        for (key, found) in ["two", "three"].into_iter().zip(found) {
            let cell = sources.cell(key);
            cell.set(found).ok().unwrap();
            sources.settle(key, &cell);
        }
        assert!(sources.kept().by_key.keys().eq(["three"]));
        let cell = sources.cell("failed");
        sources.settle("failed", &cell);
        assert!(!sources.kept().by_key.contains_key("failed"));
    }

    #[test]
    fn a_changed_table_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        let file = folder.path().join("a.tb");
        let mut stamps = vec![stamp(&folders, &[])];
        std::fs::write(folder.path().join("other.txt"), "not a table").unwrap();
        assert_eq!(stamp(&folders, &[]), stamps[0]);
        for content in ["one", "three"] {
            std::fs::write(&file, content).unwrap();
            stamps.push(stamp(&folders, &[]));
        }
        assert_eq!(stamp(&[], &[file]), stamps[2]);
        stamps.sort_unstable();
        stamps.dedup();
        assert_eq!(stamps.len(), 3);
        let sources = SourceCache::new(0);
        assert!(sources.is_time_to_look() && !sources.is_time_to_look());
    }
}
