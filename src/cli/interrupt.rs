//! Ctrl-C and other signals that end a run: the handler removes the temporary file, prints one line, and exits with the
//! status that shells expect.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tablegen::table::release_locks;

use super::failure::error_line;
use super::progress;

/// The file that the run writes.
static FILE: Mutex<OutputFile> = Mutex::new(OutputFile::None);
/// The exit status of a run that has finished but not exited yet.
#[cfg(feature = "mpi")]
static OVER: Mutex<Option<u8>> = Mutex::new(None);
/// True if results go to standard output as they are found.
static IS_STREAMING: AtomicBool = AtomicBool::new(false);

/// The settings of the terminal before line editing changed them.
#[cfg(unix)]
static TERMINAL: Mutex<Option<rustix::termios::Termios>> = Mutex::new(None);

enum OutputFile {
    /// No file so far.
    None,
    /// The file is being written under this temporary name. The folder, if there is one, holds a checkpoint.
    Unfinished(PathBuf, Option<PathBuf>),
    /// The table is being built in this folder, from which another run can resume.
    Checkpoints(PathBuf),
    /// The file is complete and has its own name.
    Whole,
}

fn file() -> MutexGuard<'static, OutputFile> {
    FILE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Turns the signal for a file that exceeds the user's size limit into an error, like a full disk, instead of the end
/// of the process.
pub(super) fn prepare() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Installs the handler. On an interrupt it removes the temporary file, clears the progress bar, prints one line about
/// any remaining files and ends the process. Further calls do nothing.
pub(super) fn handle() {
    static ONCE: Once = Once::new();
    // Without a handler, an interrupt still ends the process, but without cleaning up.
    ONCE.call_once(|| system::handle(end));
}

/// The action of the first interrupt, instead of ending the process.
static FIRST: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Installs the handler. The first interrupt calls `first`, which lets the run end by itself; the next one ends the
/// process.
pub(super) fn handle_first(first: impl FnOnce() + Send + 'static) {
    *FIRST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(first));
    handle();
}

/// Marks that results go to standard output as they are found, so that an interrupt reports incomplete output.
pub(super) fn streaming() {
    IS_STREAMING.store(true, Ordering::Relaxed);
}

/// Saves the settings of the terminal, so that an interrupt restores them after line editing has changed them.
#[cfg(unix)]
pub(super) fn restoring_terminal() {
    let before = rustix::termios::tcgetattr(io::stdin()).ok();
    *TERMINAL.lock().unwrap_or_else(PoisonError::into_inner) = before;
}

#[cfg(unix)]
fn restore_terminal() {
    use rustix::termios::{OptionalActions, tcsetattr};
    if let Some(before) = TERMINAL.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
        // Switches off the terminal's bracketed paste.
        let _ = io::stderr().write_all(b"\x1b[?2004l");
    }
}

/// Ends the process with the status that shells report for a process ended by `signal`: 128 plus the signal's number.
/// If [`handle_first`] set an action, the first signal only calls it.
fn end(signal: i32) {
    let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(first) = first {
        return first();
    }
    #[cfg(feature = "mpi")]
    if let Some(status) = *OVER.lock().unwrap_or_else(PoisonError::into_inner) {
        release_locks();
        std::process::exit(status.into());
    }
    // The lock is never released: from here on no other file may be created and nothing drawn.
    let mut file = file();
    progress::silence();
    let left = match std::mem::replace(&mut *file, OutputFile::None) {
        OutputFile::None if IS_STREAMING.load(Ordering::Relaxed) => {
            "the output is incomplete, and no other files were left behind".into()
        }
        OutputFile::None => left(None),
        OutputFile::Whole => "the file was already complete".into(),
        OutputFile::Checkpoints(folder) => left(Some(&folder)),
        OutputFile::Unfinished(temporary, folder) => match std::fs::remove_file(&temporary) {
            Ok(()) => left(folder.as_deref()),
            // The file already has its own name.
            Err(error) if error.kind() == io::ErrorKind::NotFound => "the file was already complete".into(),
            Err(error) => format!("{} could not be removed: {error}", temporary.display()),
        },
    };
    release_locks();
    #[cfg(unix)]
    restore_terminal();
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        // Clears the line of the bar and shows the cursor.
        let _ = stderr.write_all(b"\r\x1b[2K\x1b[?25h");
    }
    error_line(&format!("{}; {left}", system::name(signal)));
    std::process::exit(128 + signal);
}

/// A text about the checkpoint in `folder`. A table that was just begun has no folder yet.
pub(super) fn left(folder: Option<&Path>) -> String {
    folder.filter(|folder| folder.exists()).map_or_else(
        || "no files were left behind".into(),
        |folder| format!("finished work is kept in {}; run the same command to resume", folder.display()),
    )
}

/// Marks that all output is printed: from now on an interrupt ends the process with `status`. MPI launchers interrupt
/// the other processes as soon as one of them ends with an error.
#[cfg(feature = "mpi")]
pub(super) fn over(status: u8) {
    *OVER.lock().unwrap_or_else(PoisonError::into_inner) = Some(status);
}

/// Marks that a build keeps its checkpoint in `folder`, where an interrupt leaves all finished work.
pub(super) fn keep_checkpoint(folder: &Path) {
    *file() = OutputFile::Checkpoints(folder.to_owned());
}

/// Calls `write`, which creates a temporary file and passes its name to the given function. Interrupts wait until the
/// name is known, so that no file is left behind. If `write` names no file, they wait until it returns.
pub(super) fn write_guarded<T, E>(write: impl FnOnce(Box<dyn FnOnce(&Path)>) -> Result<T, E>) -> Result<T, E> {
    let guard = file();
    let checkpoints = if let OutputFile::Checkpoints(folder) = &*guard { Some(folder.clone()) } else { None };
    let folder = checkpoints.clone();
    let waiting = Rc::new(Cell::new(Some(guard)));
    let named = Rc::clone(&waiting);
    let result = write(Box::new(move |path| {
        if let Some(mut guard) = named.take() {
            *guard = OutputFile::Unfinished(path.to_owned(), folder);
        }
    }));
    *waiting.take().unwrap_or_else(file) = match (&result, checkpoints) {
        (Ok(_), _) => OutputFile::Whole,
        (Err(_), Some(folder)) => OutputFile::Checkpoints(folder),
        (Err(_), None) => OutputFile::None,
    };
    result
}

#[cfg(unix)]
mod system {
    use std::sync::mpsc;
    use std::thread;

    use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM};
    use signal_hook::iterator::Signals;

    /// The signals that a process can handle and that end it by default, except SIGPIPE and SIGXFSZ, which become write
    /// errors.
    const ENDING: [i32; 10] =
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, libc::SIGXCPU];

    /// A description of the signal for the user.
    pub(super) fn name(signal: i32) -> String {
        match signal {
            SIGINT => "interrupted".into(),
            libc::SIGXCPU => "ended by SIGXCPU, the limit on processor time".into(),
            _ => match signal_hook::low_level::signal_name(signal) {
                Some(name) => format!("ended by {name}"),
                None => format!("ended by signal {signal}"),
            },
        }
    }

    /// Calls `end` on each of the signals that end a process.
    pub(super) fn handle(end: fn(i32)) {
        // A signal that is ignored from the start stays ignored: `nohup` relies on this, and so do shells for
        // background jobs.
        let requested: Vec<i32> = ENDING.into_iter().filter(|&signal| !is_ignored(signal)).collect();
        let (ready, wait) = mpsc::channel::<()>();
        let waiting = move || {
            // Registered here and not earlier: until a thread waits for the signals, they must keep ending the process.
            let signals = Signals::new(&requested);
            drop(ready);
            if let Ok(mut signals) = signals {
                signals.forever().for_each(end);
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
    /// A description of the event for the user.
    pub(super) fn name(_: i32) -> String {
        "interrupted".into()
    }

    /// Calls `end` as for an interrupt, whenever the system asks the process to end.
    pub(super) fn handle(end: fn(i32)) {
        const INTERRUPT: i32 = 2;
        let _ = ctrlc::set_handler(move || end(INTERRUPT));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_waits_for_a_file_without_a_temporary_name() {
        write_guarded(|temporary| {
            drop(temporary);
            assert!(FILE.try_lock().is_err(), "an interrupt could report that no file is left");
            Ok::<_, io::Error>(())
        })
        .unwrap();
        assert!(matches!(*file(), OutputFile::Whole));
    }
}
