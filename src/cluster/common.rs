//! Memory that all ranks see, where they are on one machine: a file without a name, which goes with the last of them.

use std::io;

use crate::solve::CommonMemory;

use super::{Cluster, Lost};

impl Cluster {
    /// Memory that all ranks see; `None` if they are on several machines, or the system has none. All of them ask at once.
    pub(super) fn meet_in_memory(&self) -> Result<Option<Box<dyn CommonMemory>>, Lost> {
        #[cfg(target_os = "linux")]
        return linux::meet(self);
        #[cfg(not(target_os = "linux"))]
        Ok(None)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::os::fd::AsRawFd;
    use std::sync::{Arc, Mutex, PoisonError};

    use memmap2::{Mmap, MmapOptions};
    use rustix::fs::{MemfdFlags, memfd_create};

    use super::*;
    use crate::cluster::machine;
    use crate::solve::ALIGNED;
    use crate::table::{read_at, write_at};

    /// Bytes by which ranks know that they have found the same file: a process of the same number may be another one in another container.
    const TOKEN: usize = 16;

    /// Rank 0 makes the file and says where it is; the others look whether it is there.
    pub(super) fn meet(cluster: &Cluster) -> Result<Option<Box<dyn CommonMemory>>, Lost> {
        let here = machine().filter(|_| !cluster.manners().remote && cluster.size() > 1);
        let made = if cluster.rank() == 0 { here.as_ref().and_then(|_| make().ok()) } else { None };
        let (token, path) = made.as_ref().map_or(([0; TOKEN], String::new()), |(file, token)| {
            (*token, format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))
        });
        let told = cluster.tell_all(&[&token, path.as_bytes()].concat())?;
        let file = match made {
            Some((file, _)) => Some(file),
            None => here.and_then(|_| find(&told[0])),
        };
        let all_have = cluster.tell_all(&[u8::from(file.is_some())])?.iter().all(|has| *has == [1]);
        let (file, kept) = (file.filter(|_| all_have), Arc::clone(&cluster.kept));
        Ok(file.map(|file| Box::new(Memory { file, kept }) as Box<dyn CommonMemory>))
    }

    fn make() -> io::Result<(File, [u8; TOKEN])> {
        let file = File::from(memfd_create("tablegen", MemfdFlags::CLOEXEC)?);
        let token = fastrand::u128(..).to_le_bytes();
        write_at(&file, &token, 0)?;
        Ok((file, token))
    }

    /// The file that rank 0 has told of, if it is here.
    fn find(told: &[u8]) -> Option<File> {
        let (token, path) = told.split_first_chunk::<TOKEN>()?;
        let file = File::options().read(true).write(true).open(str::from_utf8(path).ok()?).ok()?;
        let mut found = [0; TOKEN];
        read_at(&file, &mut found, 0).ok()?;
        (found == *token).then_some(file)
    }

    /// The file, and where it is kept until the end. What is written begins behind the token.
    struct Memory {
        file: File,
        kept: Arc<Mutex<Vec<File>>>,
    }

    impl CommonMemory for Memory {
        fn write(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
            write_at(&self.file, bytes, ALIGNED + offset)
        }

        fn show(&self, offset: u64, bytes: usize) -> io::Result<Mmap> {
            // SAFETY: all processes have written there before, nobody does again, and nobody else sees the file.
            unsafe { MmapOptions::new().offset(ALIGNED + offset).len(bytes).populate().map(&self.file) }
        }

        fn leave_at_the_end(self: Box<Self>) {
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(self.file);
        }
    }
}
