//! Sources: opened tables, and games solved in memory. The server caches them until a table changes.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;

use super::failure::Failure;
use super::once::Once;
use tablegen_engine::Source;

/// The largest number of cached sources. Each holds the rules of its game, and may map a file.
pub(super) const MOST: usize = 64;
/// The shortest time between two checks of the folders of tables.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// A source with the data derived from it.
pub(super) struct Opened {
    pub(super) source: Source,
    /// The statistics of the table, after the first request for them.
    pub(super) stats: Arc<Once<Bytes>>,
}

/// A source, or the reason why there is none, which stays valid until the tables change.
pub(super) type Found = Result<Arc<Opened>, Failure>;

impl Opened {
    pub(super) fn new(source: Source) -> Self {
        Self { source, stats: Arc::default() }
    }

    /// The memory that a solved table and a search take, in bytes. A table file counts as 0, since it is mapped or read on demand.
    fn bytes(&self) -> u64 {
        let solved = self.source.table().filter(|table| table.path().is_none());
        solved.map_or(0, |table| table.file_bytes()) + self.source.search_bytes()
    }
}

/// The memory of `found` in bytes.
pub(super) fn bytes(found: &Found) -> u64 {
    found.as_ref().map_or(0, |opened| opened.bytes())
}

/// The last look at the folders of tables.
#[derive(Default)]
pub(super) struct Folders(Mutex<Look>);

#[derive(Default)]
struct Look {
    at: Option<Instant>,
    /// The state of the folders, as computed by [`stamp`].
    stamp: Option<u64>,
}

impl Folders {
    /// Returns whether it is time to check the folders. Only one caller per interval gets `true`.
    pub(super) fn is_time_to_look(&self) -> bool {
        let mut look = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time = look.at.is_none_or(|at| at.elapsed() >= CHECK_INTERVAL);
        if is_time {
            look.at = Some(Instant::now());
        }
        is_time
    }

    /// Returns whether `stamp` shows that tables have changed.
    pub(super) fn have_changed(&self, stamp: u64) -> bool {
        let mut look = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look.stamp.replace(stamp).is_some_and(|before| before != stamp)
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
    use tablegen_engine::{Engine, TableDirs, game};
    use tablegen_games::Parameters;

    #[test]
    fn a_solved_table_counts_its_bytes() {
        let game = game("tactics", &Parameters::new().with("rows", 2).with("cols", 3).with("run", 3)).unwrap();
        let opened = Opened::new(Engine::new(TableDirs::none()).source(game, 0).unwrap());
        let file_bytes = opened.source.table().unwrap().file_bytes();
        assert!(file_bytes > 0 && bytes(&Ok(Arc::new(opened))) == file_bytes);
        assert_eq!(bytes(&Err(Failure::internal())), 0);
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
        let looks = Folders::default();
        assert!(looks.is_time_to_look() && !looks.is_time_to_look());
        assert_eq!([0, 1, 1, 2].map(|at| looks.have_changed(stamps[at])), [false, true, false, true]);
        stamps.sort_unstable();
        stamps.dedup();
        assert_eq!(stamps.len(), 3);
    }
}
