//! Ctrl-C: removes the temporary file and gives the shell the right exit status.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary file that is being written.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Turns the signal for a file that exceeds the user's size limit into an error, like a full disk, instead of the end
/// of the process.
pub(super) fn prepare() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Installs the handler: an interrupt removes the temporary file, clears the progress bar and ends the process.
pub(super) fn handle() {
    // Without a handler, an interrupt still ends the process, but less tidily.
    system::handle(end);
}

/// Ends the process with the status that shells report for a process ended by `signal`: 128 plus the signal's number.
fn end(signal: i32) {
    // Never released: no other file may be created from here on.
    let mut temporary = temporary();
    if let Some(path) = temporary.take() {
        let _ = std::fs::remove_file(path);
    }
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        // Clears the line of the bar and shows the cursor.
        let _ = stderr.write_all(b"\r\x1b[2K\x1b[?25h");
    }
    std::process::exit(128 + signal);
}

/// Calls `write`, which makes a temporary file and passes its name to the function it is given. From before the file
/// exists until its name is known, an interrupt waits, so that no file is left behind.
pub(super) fn guarding<T>(write: impl FnOnce(Box<dyn FnOnce(&Path)>) -> T) -> T {
    let mut guard = temporary();
    let result = write(Box::new(move |path| *guard = Some(path.to_owned())));
    temporary().take();
    result
}

#[cfg(unix)]
mod system {
    use std::sync::mpsc;
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    /// Calls `end` with the first of the signals that end a process.
    pub(super) fn handle(end: fn(i32)) {
        // A signal that is ignored from the start stays ignored: `nohup` asks for this, and so do shells for
        // background jobs.
        let asked: Vec<i32> = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect();
        let (ready, wait) = mpsc::channel::<()>();
        let waiting = move || {
            // Here and not earlier: until a thread waits for them, signals must keep ending the process.
            let signals = Signals::new(&asked);
            drop(ready);
            if let Some(signal) = signals.ok().and_then(|mut signals| signals.forever().next()) {
                end(signal);
            }
        };
        if thread::Builder::new().name("interrupt".into()).spawn(waiting).is_ok() {
            let _ = wait.recv();
        }
    }

    fn is_ignored(signal: i32) -> bool {
        // SAFETY: a zeroed `sigaction` is valid, and without a new action the call only fills it in.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
        }
    }
}

#[cfg(not(unix))]
mod system {
    /// Calls `end` as for an interrupt, in whatever way the process is asked to end.
    pub(super) fn handle(end: fn(i32)) {
        const INTERRUPT: i32 = 2;
        let _ = ctrlc::set_handler(move || end(INTERRUPT));
    }
}
