//! Ctrl-C: no temporary file stays behind, and the shell is told.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The status of a process that Ctrl-C ended, as shells give it: 128 and the number of the signal. SIGTERM and SIGHUP
/// end the same way.
const INTERRUPTED: i32 = 130;

/// The temporary file that is being written.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has an interrupt remove the temporary file, clear the progress bar and end the process.
pub(super) fn handle() {
    // Without a handler an interrupt still ends the process, only less tidily.
    let _ = ctrlc::set_handler(|| {
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
        std::process::exit(INTERRUPTED);
    });
}

/// Lets `write` make a temporary file, whose name it tells through what it is given. From before the file exists until
/// its name is known an interrupt waits, so that no file is left behind.
pub(super) fn guarding<T>(write: impl FnOnce(Box<dyn FnOnce(&Path)>) -> T) -> T {
    let mut guard = temporary();
    let result = write(Box::new(move |path| *guard = Some(path.to_owned())));
    temporary().take();
    result
}
