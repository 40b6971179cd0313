//! A progress message for work that begins by counting positions.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use tablegen::solve::{Phase, Progress};

use super::output;
use super::progress::Bar;

/// A progress bar for work that may begin with counting. Counting has no known end, so a message announces it at once,
/// before the bar appears.
pub(super) struct Counting {
    name: String,
    said: AtomicBool,
    bar: Bar,
}

impl Counting {
    /// A progress bar for the game called `name`.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into(), said: AtomicBool::new(false), bar: Bar::of_phases(name) }
    }

    /// Shows the progress. The work always continues.
    pub(super) fn tell(&self, progress: Progress) -> ControlFlow<()> {
        if progress.phase == Phase::Find && !self.said.swap(true, Ordering::Relaxed) && std::io::stderr().is_terminal()
        {
            output::note(&format!("{}: counting reachable positions", self.name));
        }
        self.bar.tell(progress)
    }
}
