//! Ctrl-C: no temporary file stays behind, and the shell is told.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary file that is being written.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a file that grows larger than the user may write be an error, like a full disk, and not the end of the process.
pub(super) fn prepare() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Has an interrupt remove the temporary file, clear the progress bar and end the process.
pub(super) fn handle() {
    // Without a handler an interrupt still ends the process, but less tidily.
    system::handle(end);
}

/// Ends the process with the status that shells give to one that `signal` ended: 128 and the signal's number.
fn end(signal: i32) {
    // Never given back: nothing may make another file from here on.
    let mut temporary = temporary();
    if let Some(path) = temporary.take() {
        let _ = std::fs::remove_file(path);
    }
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        // The line of the bar is cleared, the cursor shown.
        let _ = stderr.write_all(b"\r\x1b[2K\x1b[?25h");
    }
    std::process::exit(128 + signal);
}

/// Lets `write` make a temporary file, whose name it tells through what it is given. From before the file exists until
/// its name is known an interrupt waits, so that no file is left behind.
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
        // What is ignored from the start stays so: `nohup` asks for it, and shells do for what runs in the background.
        let asked: Vec<i32> = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect();
        let (ready, wait) = mpsc::channel::<()>();
        let waiting = move || {
            // Here and not before: without a thread that waits, signals must go on ending the process.
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
        // SAFETY: a `sigaction` of zeroes is one, and with no new action the call only fills it in.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
        }
    }
}

#[cfg(not(unix))]
mod system {
    /// Calls `end` as for an interrupt, whichever way the process is asked to end.
    pub(super) fn handle(end: fn(i32)) {
        const INTERRUPT: i32 = 2;
        let _ = ctrlc::set_handler(move || end(INTERRUPT));
    }
}
