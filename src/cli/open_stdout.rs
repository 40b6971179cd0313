//! A check that standard output can be written to, made before Rust's runtime starts.
//!
//! The runtime opens /dev/null in place of a closed standard stream. [`std::io::Stdout`] silently drops output if the
//! stream is not open for writing. In both cases a run would lose its results and exit with status 0.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_OPEN: AtomicBool = AtomicBool::new(true);

/// Returns whether standard output was open for writing when the program was started.
pub(super) fn is_open() -> bool {
    IS_OPEN.load(Ordering::Relaxed)
}

#[cfg(all(unix, any(target_os = "linux", target_os = "freebsd", target_vendor = "apple")))]
mod before_main {
    use super::{IS_OPEN, Ordering};

    extern "C" fn look() {
        // SAFETY: F_GETFL takes no argument and only reads the flags of the descriptor, or fails if it is closed.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFL) };
        IS_OPEN.store(flags >= 0 && flags & libc::O_ACCMODE != libc::O_RDONLY, Ordering::Relaxed);
    }

    // SAFETY: the section holds pointers to functions that are called once, before `main`. `look` only calls `fcntl`,
    // which does not need Rust's runtime.
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;
}
