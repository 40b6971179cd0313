//! Settings of the C library's allocator. All threads share one heap if the address space is limited, and long-running
//! processes return large blocks to the system at once.
//!
//! When a thread first allocates, the GNU C library reserves 64 MiB of addresses for its heap. If it cannot, each small
//! allocation of that thread takes a page. A build that runs under `ulimit -v` measures the free addresses to choose
//! its memory. If threads reserve addresses later, even a small allocation may fail and abort the process. Sharing one
//! heap costs almost no time.

/// Makes threads started from now on share one heap, if the address space is limited.
pub(super) fn share() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use rustix::process::{Resource, getrlimit};
        if [Resource::As, Resource::Data].into_iter().any(|limit| getrlimit(limit).current.is_some()) {
            // SAFETY: this changes a setting of the C library's own allocator before a second thread exists.
            unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
        }
    }
}

/// The size in bytes from which a block gets a mapping of its own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 18;

/// Makes large blocks return to the system as soon as they are freed, even in a long-running process.
///
/// By default, when a large block is freed, the GNU C library starts to keep blocks of that size in the heap of the
/// thread that requests them. Brief work on many threads then leaves hundreds of MiB in their heaps.
pub(super) fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: this changes a setting of the C library's own allocator before a second thread exists.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
