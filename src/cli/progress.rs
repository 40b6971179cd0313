//! The progress bar: for work that has lasted a second already, on a terminal.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::words;

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Work that can be watched. Counting costs one addition; a thread of its own draws.
pub(super) struct Progress {
    done: Arc<AtomicU64>,
    drawing: Option<(Arc<AtomicBool>, JoinHandle<()>)>,
}

impl Progress {
    /// Work of `total` units called `unit`, shown under `name`; unseen where stderr is no terminal.
    pub(super) fn new(name: &str, unit: &'static str, total: u64) -> Self {
        Self::of(name, unit, Some(total))
    }

    /// Work of which nobody knows how much it is.
    pub(super) fn counting(name: &str, unit: &'static str) -> Self {
        Self::of(name, unit, None)
    }

    fn of(name: &str, unit: &'static str, total: Option<u64>) -> Self {
        let done = Arc::new(AtomicU64::new(0));
        let mut drawing = None;
        if std::io::stderr().is_terminal() {
            let ended = Arc::new(AtomicBool::new(false));
            let (counted, until, name) = (done.clone(), ended.clone(), name.to_owned());
            // Where there is no thread to be had there is no bar either.
            let drawer = thread::Builder::new().spawn(move || draw(&name, unit, total, &counted, &until));
            drawing = drawer.ok().map(|drawer| (ended, drawer));
        }
        Self { done, drawing }
    }

    /// Counts `units` more as done.
    pub(super) fn add(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((ended, drawer)) = self.drawing.take() {
            ended.store(true, Ordering::Release);
            drawer.thread().unpark();
            let _ = drawer.join();
        }
    }
}

fn draw(name: &str, unit: &'static str, total: Option<u64>, done: &AtomicU64, ended: &AtomicBool) {
    thread::park_timeout(PATIENCE);
    let over = || ended.load(Ordering::Acquire);
    if over() {
        return;
    }
    let most = total.unwrap_or(u64::MAX);
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    let bar = bar.with_elapsed(PATIENCE).with_position(done.load(Ordering::Relaxed).min(most));
    bar.set_style(bar_style(unit, total.is_some()));
    bar.set_message(name.to_owned());
    while !over() {
        bar.set_position(done.load(Ordering::Relaxed).min(most));
        thread::park_timeout(TICK);
    }
    bar.finish_and_clear();
}

/// As much as the terminal has room for: the share done comes first, then the time left, the speed, the name, the bar.
fn bar_style(unit: &'static str, is_total_known: bool) -> ProgressStyle {
    let columns = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| width.0);
    let template = match columns {
        0..20 if !is_total_known => "{human_pos}",
        20..50 if !is_total_known => "{human_pos} found",
        _ if !is_total_known => "{msg} {human_pos} found, {speed}",
        0..20 => "{percent}%",
        20..50 => "{percent:>3}% {left}",
        50..80 => "{percent:>3}% {wide_bar} {speed}, {left}",
        _ => "{msg} {percent:>3}% {wide_bar} {speed}, {left}",
    };
    let speed = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let seconds = state.elapsed().as_secs_f64();
        let _ = write!(out, "{} {unit}/s", words::rate(state.pos() as f64 / seconds.max(1e-9)));
    };
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let (seconds, done) = (state.elapsed().as_secs_f64(), state.fraction());
        let _ = if done > 0.0 {
            let left = (seconds / f64::from(done) - seconds).ceil() as u64;
            write!(out, "{}:{:02} left", left / 60, left % 60)
        } else {
            write!(out, "{}:{:02}", seconds as u64 / 60, seconds as u64 % 60)
        };
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("speed", speed).with_key("left", left).progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_work_ends_at_once_and_unseen() {
        let begun = std::time::Instant::now();
        for _ in 0..100 {
            Progress::new("test", "positions", 10).add(5);
        }
        assert!(begun.elapsed() < PATIENCE);
    }
}
