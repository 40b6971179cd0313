//! Ctrl-C and other signals that end a run: removes the temporary file, says so in one line, and gives the shell the
//! right exit status.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tablegen::table::release_locks;

use super::failure::error_line;
use super::progress;

/// The file that the run writes.
static FILE: Mutex<File> = Mutex::new(File::None);
/// The exit status of a run that is over but for its end, if there is one.
#[cfg(feature = "mpi")]
static OVER: Mutex<Option<u8>> = Mutex::new(None);
/// Whether results go to standard output as they are found.
static IS_STREAMING: AtomicBool = AtomicBool::new(false);

/// The terminal as it was before lines were edited in it.
#[cfg(unix)]
static TERMINAL: Mutex<Option<rustix::termios::Termios>> = Mutex::new(None);

enum File {
    /// None so far.
    None,
    /// It is being written, under this temporary name; what it is made of may be kept in a folder.
    Unfinished(PathBuf, Option<PathBuf>),
    /// It grows in this folder, which another run goes on with.
    Growing(PathBuf),
    /// It is written, and has its own name.
    Whole,
}

fn file() -> MutexGuard<'static, File> {
    FILE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Turns the signal for a file that exceeds the user's size limit into an error, like a full disk, instead of the end
/// of the process.
pub(super) fn prepare() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Installs the handler: an interrupt removes the temporary file, clears the progress bar, says in one line what is left
/// and ends the process. Further calls do nothing.
pub(super) fn handle() {
    static ONCE: Once = Once::new();
    // Without a handler, an interrupt still ends the process, but less tidily.
    ONCE.call_once(|| system::handle(end));
}

/// What the first interrupt does instead of ending the process.
static FIRST: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Installs the handler; the first interrupt calls `first`, which lets the run come to its own end, and the next ends the
/// process.
pub(super) fn handle_first(first: impl FnOnce() + Send + 'static) {
    *FIRST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(first));
    handle();
}

/// From now on results go to standard output as they are found: an interrupt cuts them short.
pub(super) fn streaming() {
    IS_STREAMING.store(true, Ordering::Relaxed);
}

/// From now on an interrupt also gives the terminal of standard input back as it is now: a line that is edited there changes
/// it.
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
        // Pasted text is not marked as such any more.
        let _ = io::stderr().write_all(b"\x1b[?2004l");
    }
}

/// Ends the process with the status that shells report for a process ended by `signal`: 128 plus the signal's number. If the
/// run ends by itself when interrupted, the first signal only tells it to.
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
    // Never released: no other file may be created from here on, and nothing be drawn.
    let mut file = file();
    progress::silence();
    let left = match std::mem::replace(&mut *file, File::None) {
        File::None if IS_STREAMING.load(Ordering::Relaxed) => {
            "the output is incomplete, nothing else was left behind".into()
        }
        File::None => left(None),
        File::Whole => "the file was written before that".into(),
        File::Growing(folder) => left(Some(&folder)),
        File::Unfinished(temporary, folder) => match std::fs::remove_file(&temporary) {
            Ok(()) => left(folder.as_deref()),
            // Under its own name by now.
            Err(error) if error.kind() == io::ErrorKind::NotFound => "the file was written before that".into(),
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

/// What is left of a table that grows in `folder`, if it does: nothing is there of one that was just begun.
pub(super) fn left(folder: Option<&Path>) -> String {
    folder.filter(|folder| folder.exists()).map_or_else(
        || "nothing was left behind".into(),
        |folder| format!("what is finished is kept in {}, and the same command goes on", folder.display()),
    )
}

/// From now on everything is said: an interrupt ends the process with `status`. Launchers of several processes send one as soon as any
/// of them ends with an error.
#[cfg(feature = "mpi")]
pub(super) fn over(status: u8) {
    *OVER.lock().unwrap_or_else(PoisonError::into_inner) = Some(status);
}

/// From now on a table grows in `folder`: an interrupt leaves there what is finished.
pub(super) fn keeping(folder: &Path) {
    *file() = File::Growing(folder.to_owned());
}

/// Calls `write`, which makes a temporary file and passes its name to the function it is given. From before the file
/// exists until its name is known, an interrupt waits, so that no file is left behind.
pub(super) fn guarding<T, E>(write: impl FnOnce(Box<dyn FnOnce(&Path)>) -> Result<T, E>) -> Result<T, E> {
    let mut guard = file();
    let growing = if let File::Growing(folder) = &*guard { Some(folder.clone()) } else { None };
    let folder = growing.clone();
    let result = write(Box::new(move |path| *guard = File::Unfinished(path.to_owned(), folder)));
    *file() = match (&result, growing) {
        (Ok(_), _) => File::Whole,
        (Err(_), Some(folder)) => File::Growing(folder),
        (Err(_), None) => File::None,
    };
    result
}

#[cfg(unix)]
mod system {
    use std::sync::mpsc;
    use std::thread;

    use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM};
    use signal_hook::iterator::Signals;

    /// The signals that end a process that does not handle them, and that a process may handle. SIGPIPE and SIGXFSZ
    /// become errors of writing.
    const ENDING: [i32; 10] =
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, libc::SIGXCPU];

    /// What has happened, for people.
    pub(super) fn name(signal: i32) -> String {
        match signal {
            SIGINT => "interrupted".into(),
            libc::SIGXCPU => "ended by SIGXCPU, the limit of processor time".into(),
            _ => match signal_hook::low_level::signal_name(signal) {
                Some(name) => format!("ended by {name}"),
                None => format!("ended by signal {signal}"),
            },
        }
    }

    /// Calls `end` with each of the signals that end a process.
    pub(super) fn handle(end: fn(i32)) {
        // A signal that is ignored from the start stays ignored: `nohup` asks for this, and so do shells for
        // background jobs.
        let asked: Vec<i32> = ENDING.into_iter().filter(|&signal| !is_ignored(signal)).collect();
        let (ready, wait) = mpsc::channel::<()>();
        let waiting = move || {
            // Here and not earlier: until a thread waits for them, signals must keep ending the process.
            let signals = Signals::new(&asked);
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
    /// What has happened, for people.
    pub(super) fn name(_: i32) -> String {
        "interrupted".into()
    }

    /// Calls `end` as for an interrupt, in whatever way the process is asked to end.
    pub(super) fn handle(end: fn(i32)) {
        const INTERRUPT: i32 = 2;
        let _ = ctrlc::set_handler(move || end(INTERRUPT));
    }
}
