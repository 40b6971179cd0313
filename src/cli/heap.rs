//! Settings of the C library's allocator: one heap for all threads, where the addresses of this process are limited, and large
//! blocks that go back to the system, in a process that runs for long.
//!
//! The GNU C library sets 64 MiB of addresses aside for each thread that allocates, whenever it first does; where they are
//! not to be had, each small allocation of that thread takes a page. What a build may take is decided by the addresses that
//! are left (`ulimit -v`), so that they must not be gone a moment later: a few bytes that are not there end the process by a
//! signal. All threads share the one heap in about the same time.

/// Makes threads that are not started yet share the heap, if addresses are limited.
pub(super) fn share() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use rustix::process::{Resource, getrlimit};
        if [Resource::As, Resource::Data].into_iter().any(|limit| getrlimit(limit).current.is_some()) {
            // SAFETY: a setting of the C library's own allocator is changed, before there is another thread.
            unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
        }
    }
}

/// Bytes from which on a block is a mapping of its own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 18;

/// Makes large blocks go back to the system as soon as they are freed, however long the process runs.
///
/// By default, the GNU C library takes each freed large block as a reason to keep blocks of that size in the heap of the thread that
/// asks for one. What looks at games for a moment, on many threads, then leaves hundreds of MiB in their heaps.
pub(super) fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: a setting of the C library's own allocator is changed, before there is another thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
