//! A handler for tables that are truncated or unreadable while mapped: the run ends with an error message instead of a
//! bare signal.
//!
//! Reading a page of a mapping that the file no longer has raises SIGBUS. The handler does only what a signal handler
//! may do: it writes a line that was prepared when the table was opened, and ends the process.

use tablegen::table::Table;

/// Notes that `table` may be mapped, so that an error can name its file.
pub(super) fn watch(table: &Table) {
    #[cfg(unix)]
    signal::watch(table);
    #[cfg(not(unix))]
    let _ = table;
}

/// Installs the handler, which ends the run with one line on stderr and the exit status of an unusable table.
pub(super) fn handle() {
    #[cfg(unix)]
    signal::handle();
}

#[cfg(unix)]
mod signal {
    use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

    use tablegen::table::Table;

    use crate::cli::failure::Status;
    use crate::cli::text::one_line;

    /// The line to write if no table's name is known.
    const UNNAMED: &str = "error: cannot read a table: its file was truncated or is unreadable; build it again\n";

    /// The line to write, prepared when the table was opened; null if there is none. Neither the line nor any pointer
    /// to it is ever freed, since the handler may run at any time.
    static LINE: AtomicPtr<Box<str>> = AtomicPtr::new(std::ptr::null_mut());
    /// True if a thread is already ending the process.
    static ENDING: AtomicBool = AtomicBool::new(false);

    pub(super) fn watch(table: &Table) {
        let Some(path) = table.path() else { return };
        let path = one_line(&path.display().to_string());
        let line = format!("error: cannot read {path}: the file was truncated or is unreadable; build it again\n");
        LINE.store(Box::leak(Box::new(line.into_boxed_str())), Ordering::Release);
    }

    pub(super) fn handle() {
        // SAFETY: a zeroed `sigaction` is valid; the handler has the signature that the flags require, and calls only
        // functions that a handler may call.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = end as *const () as usize;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
        }
    }

    extern "C" fn end(_: libc::c_int) {
        // Several threads may hit a missing page at once. The first writes the line; the others wait for the process to
        // end.
        while ENDING.swap(true, Ordering::SeqCst) {
            // SAFETY: `pause` may be called from a handler, and only waits.
            unsafe { libc::pause() };
        }
        // SAFETY: the pointer is null or points to a leaked box, which never changes.
        let line = unsafe { LINE.load(Ordering::Acquire).as_ref() }.map_or(UNNAMED, |line| line);
        // SAFETY: both functions may be called from a handler.
        unsafe {
            libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len());
            libc::_exit(Status::Table as libc::c_int);
        }
    }
}
