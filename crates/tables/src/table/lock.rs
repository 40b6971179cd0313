//! The lock of a build: a file that only one process at a time can lock.
//!
//! The file is removed when the lock is released. A file that a killed process left behind is removed by the next
//! process that finds it unlocked. A lock belongs to an open file, not to its name. So after locking, a process checks
//! that the file still has its name.

use std::fs::{File, TryLockError};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{TableError, TableFault};
use crate::atomic_file::{is_at, lock_of};

/// The locks that this process holds, for [`release_locks`].
static HELD: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<PathBuf>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that this process has locked so that no other process builds the same table.
#[derive(Debug)]
pub struct BuildLock {
    path: PathBuf,
    file: File,
}

impl BuildLock {
    /// Locks the table at `path`, which need not exist. The lock is a hidden file in the same folder.
    ///
    /// # Errors
    /// [`TableFault::Busy`] if another build has locked it, [`TableFault::NoLocks`] if the file system has no locks; or
    /// if the lock file cannot be created.
    pub fn of_table(path: &Path) -> Result<Self, TableError> {
        Self::take(&lock_of(path)).map_err(TableError::at(path))
    }

    /// Locks the file at `path`, and creates it if it does not exist.
    pub(super) fn take(path: &Path) -> Result<Self, TableFault> {
        /// A process that cleans up an abandoned lock file holds it locked for a moment, so one failure does not mean a
        /// build.
        const ATTEMPTS: u32 = 20;
        const PAUSE: Duration = Duration::from_millis(5);
        for attempt in 1.. {
            let mut held = held();
            let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, path)? => {
                    held.push(path.to_owned());
                    let lock = Self { path: path.to_owned(), file };
                    lock.sign();
                    return Ok(lock);
                }
                // The file was removed between opening and locking: try again.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => {}
                Err(TryLockError::WouldBlock) => return Err(TableFault::Busy { holder: holder_of(path) }),
                Err(TryLockError::Error(error)) => {
                    let _ = std::fs::remove_file(path);
                    return Err(TableFault::NoLocks(error));
                }
            }
            drop(held);
            std::thread::sleep(PAUSE);
        }
        unreachable!("the last attempt returns")
    }

    /// Writes the number of this process into the file, for error messages of others. Failing, on a full disk say, is
    /// harmless.
    fn sign(&self) {
        let mut file = &self.file;
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
    }

    /// Checks that the file still exists. If it was removed, another process may have created and locked a new one.
    ///
    /// # Errors
    /// [`TableFault::LockLost`] if it is not.
    pub fn check(&self) -> Result<(), TableFault> {
        if is_at(&self.file, &self.path)? {
            return Ok(());
        }
        Err(TableFault::LockLost { lock: self.path.clone(), holder: holder_of(&self.path) })
    }
}

impl Drop for BuildLock {
    fn drop(&mut self) {
        let mut held = held();
        held.retain(|path| *path != self.path);
        // Remove it before unlocking: afterwards another process may have locked it.
        if is_at(&self.file, &self.path).is_ok_and(|is_at| is_at) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Removes the files of all locks that this process holds, for a program that exits without dropping its values. The
/// process must exit at once and can take no more locks.
pub fn release_locks() {
    let mut held = held();
    for path in held.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(held);
}

/// The number of the process that locked the file at `path`, if that process wrote it there.
fn holder_of(path: &Path) -> Option<u32> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic_file::remove_abandoned;

    #[test]
    fn one_process_holds_the_lock_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("it.tb");
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        let lock = BuildLock::of_table(&table).unwrap();
        remove_abandoned(folder.path());
        let busy = BuildLock::of_table(&table).unwrap_err();
        assert!(matches!(busy.fault, TableFault::Busy { holder: Some(id) } if id == std::process::id()), "{busy}");
        lock.check().unwrap();
        drop(lock);
        assert_eq!(files(), 0);
        // A lock file left by a killed process.
        std::fs::write(lock_of(&table), "1\n").unwrap();
        BuildLock::of_table(&table).unwrap();
        std::fs::write(lock_of(&table), "1\n").unwrap();
        remove_abandoned(folder.path());
        assert_eq!(files(), 0);
    }

    #[test]
    fn a_lock_that_was_removed_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("it.tb");
        let first = BuildLock::of_table(&table).unwrap();
        std::fs::remove_file(lock_of(&table)).unwrap();
        assert!(matches!(first.check(), Err(TableFault::LockLost { holder: None, .. })));
        let second = BuildLock::of_table(&table).unwrap();
        assert!(matches!(first.check(), Err(TableFault::LockLost { holder: Some(_), .. })));
        drop(first);
        second.check().expect("the other's lock is not removed");
    }

    /// Many threads take and release one lock while others remove files that look abandoned: two threads never hold it
    /// at once.
    #[test]
    fn two_threads_never_hold_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let (table, inside) = (folder.path().join("it.tb"), std::sync::atomic::AtomicU32::new(0));
        let order = std::sync::atomic::Ordering::SeqCst;
        let work = || {
            for _ in 0..100 {
                remove_abandoned(folder.path());
                if let Ok(lock) = BuildLock::of_table(&table) {
                    assert_eq!(inside.fetch_add(1, order), 0);
                    lock.check().unwrap();
                    assert_eq!(inside.fetch_sub(1, order), 1);
                }
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(work))));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
