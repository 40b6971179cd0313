//! Counting the positions of a game whose size nobody knows beforehand: on a terminal, said at once.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use tablegen::solve::{Phase, Progress};

use super::output;
use super::progress::Bar;

/// A progress bar for work that may begin with counting. That work is short of nothing but an end in sight, so it is
/// announced before the bar is due.
pub(super) struct Counting {
    name: String,
    said: AtomicBool,
    bar: Bar,
}

impl Counting {
    /// For the game called `name`.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into(), said: AtomicBool::new(false), bar: Bar::of_phases(name) }
    }

    /// Shows a report; the work goes on.
    pub(super) fn tell(&self, progress: Progress) -> ControlFlow<()> {
        if progress.phase == Phase::Find && !self.said.swap(true, Ordering::Relaxed) && std::io::stderr().is_terminal()
        {
            output::note(&format!("{}: counting the positions that play can reach", self.name));
        }
        self.bar.tell(progress)
    }
}
