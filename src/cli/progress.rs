//! The progress of long work: on a terminal a bar, which appears after half a second; in a pipe, a line every ten seconds.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tablegen::engine::SearchProgress;
use tablegen::solve::{Phase, Progress};

use super::text::rate;
use super::wrap::columns_of_terminal;

/// The time before the bar appears.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time between two drawings of the bar.
const TICK: Duration = Duration::from_millis(100);

/// The time between two lines in a pipe.
const LINES: Duration = Duration::from_secs(10);

/// Work with a progress bar. Counting costs one addition; a separate thread draws.
pub(super) struct Bar {
    shared: Arc<Shared>,
    drawer: Option<JoinHandle<()>>,
}

/// The state that the worker updates and the drawing thread reads.
struct Shared {
    name: String,
    done: AtomicU64,
    stage: Mutex<Stage>,
}

/// A stage of the work, with a count of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stage {
    /// The current activity: `sweeping`, `writing`.
    doing: &'static str,
    unit: Unit,
    total: Option<u64>,
    begun: Instant,
    /// The amount that was done when the stage began, by an interrupted run.
    before: u64,
    /// The time at which the stage ends at the latest, if it is limited by time.
    until: Option<Instant>,
    ended: bool,
}

/// The unit of the count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// No unit: work that is usually too short to count.
    Nothing,
    Positions,
    /// Looks at positions, of which some are looked at more than once.
    Looks,
    Labels,
    Bytes,
}

impl Bar {
    /// A bar for work of `total` units, shown with the activity `doing` and the name of the game. If stderr is no terminal, a line
    /// is printed every ten seconds instead.
    pub(super) fn new(name: &str, doing: &'static str, unit: Unit, total: Option<u64>) -> Self {
        let stage =
            Mutex::new(Stage { doing, unit, total, begun: Instant::now(), before: 0, until: None, ended: false });
        let shared = Arc::new(Shared { name: name.into(), done: AtomicU64::new(0), stage });
        let drawn = shared.clone();
        // If the thread cannot start, there is no bar.
        let start = |draw: fn(&Shared)| thread::Builder::new().spawn(move || draw(&drawn)).ok();
        let to_stderr = |shared: &Shared| {
            print_lines(shared, LINES, &|line| {
                let _drawing = terminal();
                let _ = writeln!(std::io::stderr(), "{line}");
            });
        };
        let drawer = start(if std::io::stderr().is_terminal() { draw } else { to_stderr });
        Self { shared, drawer }
    }

    /// A bar for work that reports its own phases.
    pub(super) fn of_phases(name: &str) -> Self {
        Self::new(name, "preparing", Unit::Nothing, None)
    }

    /// Adds `units` to the work done.
    pub(super) fn add(&self, units: u64) {
        self.shared.done.fetch_add(units, Ordering::Relaxed);
    }

    /// Adds `units` to the work done, which always continues.
    pub(super) fn count(&self, units: u64) -> ControlFlow<()> {
        self.add(units);
        ControlFlow::Continue(())
    }

    /// Shows the progress of a solver or a writer. The work always continues.
    pub(super) fn tell(&self, progress: Progress) -> ControlFlow<()> {
        let Progress { phase, done, total } = progress;
        let (doing, unit) = match phase {
            Phase::Allocate => ("allocating", Unit::Bytes),
            Phase::Mark => ("finding", Unit::Positions),
            Phase::Sweep => ("sweeping", Unit::Positions),
            Phase::Count => ("counting", Unit::Bytes),
            Phase::Find => ("finding", Unit::Positions),
            Phase::Label => ("labelling", Unit::Positions),
            Phase::LabelWith(label) => (label.name(), Unit::Positions),
            Phase::Values => ("values", Unit::Positions),
            Phase::Check => ("checking", Unit::Bytes),
            Phase::Write => ("writing", Unit::Bytes),
        };
        self.enter(doing, unit, total, done, None)
    }

    /// Shows the progress of a search. The work always continues.
    pub(super) fn tell_search(&self, SearchProgress { done, most, until }: SearchProgress) -> ControlFlow<()> {
        self.enter("searching", Unit::Positions, most, done, until)
    }

    /// Shows that `done` units of a stage are done, which may begin now.
    fn enter(
        &self,
        doing: &'static str,
        unit: Unit,
        total: Option<u64>,
        done: u64,
        until: Option<Instant>,
    ) -> ControlFlow<()> {
        let mut stage = self.shared.stage();
        if (stage.doing, stage.total) != (doing, total) {
            *stage = Stage { doing, unit, total, begun: Instant::now(), before: done, until, ended: stage.ended };
            self.shared.done.store(done, Ordering::Relaxed);
        }
        drop(stage);
        self.shared.done.fetch_max(done, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

impl Shared {
    fn stage(&self) -> std::sync::MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(drawer) = self.drawer.take() {
            self.shared.stage().ended = true;
            drawer.thread().unpark();
            let _ = drawer.join();
        }
    }
}

/// The lock that a thread holds while it draws.
static TERMINAL: Mutex<()> = Mutex::new(());

fn terminal() -> MutexGuard<'static, ()> {
    TERMINAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stops all drawing, unless a line is being drawn and the terminal is stuck.
pub(super) fn silence() {
    /// Drawing a line takes far less time.
    const PATIENCE: Duration = Duration::from_millis(200);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Ok(drawing) = TERMINAL.try_lock() {
            std::mem::forget(drawing);
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn draw(shared: &Shared) {
    thread::park_timeout(PATIENCE);
    let mut shown: Option<(Stage, ProgressBar)> = None;
    loop {
        let stage = *shared.stage();
        if stage.ended {
            break;
        }
        // The lock is held while a line is drawn, so that an interrupt can clear the line and print the last message.
        let drawing = terminal();
        let done = shared.done.load(Ordering::Relaxed).min(stage.total.unwrap_or(u64::MAX));
        match &shown {
            Some((drawn, bar)) if *drawn == stage => bar.set_position(done),
            _ => {
                if let Some((_, bar)) = shown.take() {
                    bar.finish_and_clear();
                }
                let bar = ProgressBar::with_draw_target(stage.total, ProgressDrawTarget::stderr());
                let bar = bar.with_elapsed(stage.begun.elapsed()).with_position(done);
                bar.set_style(style(stage));
                bar.set_message(format!("{}: {}", shared.name, stage.doing));
                shown = Some((stage, bar));
            }
        }
        drop(drawing);
        thread::park_timeout(TICK);
    }
    let _drawing = terminal();
    if let Some((_, bar)) = shown {
        bar.finish_and_clear();
    }
}

/// Calls `print` with a line about the work each time that `every` has passed.
fn print_lines(shared: &Shared, every: Duration, print: &dyn Fn(&str)) {
    let begun = Instant::now();
    let mut next = every;
    loop {
        let stage = *shared.stage();
        if stage.ended {
            break;
        }
        let taken = begun.elapsed();
        if taken >= next {
            // After a pause of the whole machine there is one line, not one for each interval that was missed.
            next = taken + every;
            let line = in_words(stage, shared.done.load(Ordering::Relaxed), taken, stage.begun.elapsed());
            print(&format!("{}: {line}", shared.name));
        }
        thread::park_timeout(next.saturating_sub(begun.elapsed()));
    }
}

/// The progress of a stage, `taken` after the work began and `in_stage` after the stage began:
/// `checking, 120,000 of 480,000 labels, 0:20, about 1:00 left`.
fn in_words(stage: Stage, done: u64, taken: Duration, in_stage: Duration) -> String {
    let done = done.min(stage.total.unwrap_or(u64::MAX));
    let amount = |count: u64| match stage.unit {
        Unit::Bytes => HumanBytes(count).to_string(),
        _ => HumanCount(count).to_string(),
    };
    let of_total = stage.total.map_or_else(String::new, |total| format!(" of {}", amount(total)));
    let s = if stage.total.unwrap_or(done) == 1 { "" } else { "s" };
    let work = match stage.unit {
        Unit::Nothing => String::new(),
        Unit::Positions => format!(", {}{of_total} position{s}", amount(done)),
        Unit::Looks => format!(", {}{of_total} look{s} at positions", amount(done)),
        Unit::Labels => format!(", {}{of_total} label{s}", amount(done)),
        Unit::Bytes => format!(", {}{of_total}", amount(done)),
    };
    let clock = |seconds: u64| format!("{}:{:02}", seconds / 60, seconds % 60);
    let left = stage.total.filter(|_| done > stage.before).map(|total| {
        let per_unit = in_stage.as_secs_f64() / (done - stage.before) as f64;
        format!(", about {} left", clock((per_unit * (total - done) as f64).ceil() as u64))
    });
    format!("{}{work}, {}{}", stage.doing, clock(taken.as_secs()), left.unwrap_or_default())
}

/// The parts of the bar that fit on the terminal. In order of priority: the percentage, the time left, the activity,
/// the speed, the bar, the name, and the number of bytes. Without a total: the amount, the activity, the speed, the
/// elapsed time, or the time left if the stage is limited by time.
fn style(stage: Stage) -> ProgressStyle {
    let columns = columns_of_terminal(std::io::stderr()).unwrap_or(80);
    let template = match (stage.total, stage.unit, columns) {
        (None, _, 0..20) if stage.until.is_some() => "{time_left}",
        (None, _, 20..50) if stage.until.is_some() => "{human_pos}, {time_left}",
        (None, _, 50..80) if stage.until.is_some() => "{doing} {human_pos}, {speed}, {time_left}",
        (None, ..) if stage.until.is_some() => "{msg} {human_pos}, {speed}, {time_left}",
        (_, Unit::Nothing, 0..50) => "{doing}",
        (_, Unit::Nothing, _) => "{msg} {taken}",
        (None, _, 0..20) => "{human_pos}",
        (None, _, 20..50) => "{doing} {human_pos}",
        (None, _, 50..80) => "{doing} {human_pos}, {speed}",
        (None, ..) => "{msg} {human_pos}, {speed}, {taken}",
        (Some(_), _, 0..20) => "{percent}%",
        (Some(_), _, 20..32) => "{percent:>3}% {left}",
        (Some(_), _, 32..50) => "{doing} {percent:>3}% {left}",
        (Some(_), Unit::Bytes, 50..80) => "{doing} {percent:>3}% {amount}, {left}",
        (Some(_), _, 50..80) => "{doing} {percent:>3}% {wide_bar} {speed}, {left}",
        (Some(_), Unit::Bytes, 80..100) => "{doing} {percent:>3}% {wide_bar} {amount}, {speed}, {left}",
        (Some(_), Unit::Bytes, _) => "{msg} {percent:>3}% {wide_bar} {amount}, {speed}, {left}",
        (Some(_), ..) => "{msg} {percent:>3}% {wide_bar} {speed}, {left}",
    };
    let speed = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let per_second = state.pos() as f64 / state.elapsed().as_secs_f64().max(1e-9);
        let _ = match stage.unit {
            Unit::Nothing => Ok(()),
            Unit::Positions => write!(out, "{} positions/s", rate(per_second)),
            Unit::Looks => write!(out, "{} looks/s", rate(per_second)),
            Unit::Labels => write!(out, "{} labels/s", rate(per_second)),
            Unit::Bytes => write!(out, "{}/s", HumanBytes(per_second as u64)),
        };
    };
    let amount = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{} of {}", HumanBytes(state.pos()), HumanBytes(state.len().unwrap_or(0)));
    };
    let taken = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let seconds = state.elapsed().as_secs();
        let _ = write!(out, "{}:{:02}", seconds / 60, seconds % 60);
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
    let time_left = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        let left = stage.until.map_or(0, |until| until.saturating_duration_since(Instant::now()).as_secs());
        let _ = write!(out, "{}:{:02} left", left / 60, left % 60);
    };
    let doing = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = out.write_str(stage.doing);
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("amount", amount).with_key("taken", taken);
    style
        .with_key("speed", speed)
        .with_key("left", left)
        .with_key("time_left", time_left)
        .with_key("doing", doing)
        .progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_work_ends_at_once_and_unseen() {
        let begun = Instant::now();
        for _ in 0..100 {
            Bar::new("test", "testing", Unit::Positions, Some(10)).add(5);
        }
        assert!(begun.elapsed() < PATIENCE);
    }

    #[test]
    fn lines_have_the_work_done_and_the_time() {
        let line = |unit, total, before| {
            let stage =
                Stage { doing: "checking", unit, total, begun: Instant::now(), before, until: None, ended: false };
            in_words(stage, 1_234_567, Duration::from_secs(80), Duration::from_secs(60))
        };
        let labels = |total, before| line(Unit::Labels, Some(total), before);
        assert_eq!(labels(4_000_000, 0), "checking, 1,234,567 of 4,000,000 labels, 1:20, about 2:15 left");
        assert_eq!(labels(4_000_000, 1_000_000), "checking, 1,234,567 of 4,000,000 labels, 1:20, about 11:48 left");
        assert_eq!(labels(4_000_000, 1_234_567), "checking, 1,234,567 of 4,000,000 labels, 1:20");
        assert_eq!(labels(1_000, 0), "checking, 1,000 of 1,000 labels, 1:20, about 0:00 left");
        assert_eq!(line(Unit::Positions, None, 0), "checking, 1,234,567 positions, 1:20");
        assert_eq!(line(Unit::Bytes, Some(1 << 21), 0), "checking, 1.18 MiB of 2.00 MiB, 1:20, about 0:42 left");
        assert_eq!(line(Unit::Nothing, None, 0), "checking, 1:20");
    }

    /// Lines come at the interval while the work lasts, with the current amount, and none after it.
    #[test]
    fn lines_are_printed_while_work_lasts() {
        let bar = Bar::new("test", "testing", Unit::Positions, Some(10));
        let lines = Mutex::new(Vec::new());
        let count = || lines.lock().unwrap().len();
        thread::scope(|scope| {
            let printer = scope.spawn(|| {
                let print = |line: &str| lines.lock().unwrap().push(line.to_owned());
                print_lines(&bar.shared, Duration::from_millis(5), &print);
            });
            let wait_for = |lines: usize| {
                while count() < lines {
                    thread::sleep(Duration::from_millis(1));
                }
            };
            wait_for(1);
            bar.add(5);
            wait_for(count() + 2);
            bar.shared.stage().ended = true;
            printer.thread().unpark();
        });
        let lines = lines.into_inner().unwrap();
        let is_line = |line: &String| line.starts_with("test: testing, ") && line.contains(" of 10 positions, 0:0");
        assert!(lines.iter().all(is_line), "{lines:?}");
        assert!(lines[0].contains(", 0 of 10 ") && lines.last().unwrap().contains(", 5 of 10 "), "{lines:?}");
    }

    #[test]
    fn each_phase_counts_from_its_own_beginning() {
        let bar = Bar::of_phases("test");
        for (phase, done) in [(Phase::Allocate, 7), (Phase::Sweep, 3), (Phase::Sweep, 2)] {
            assert!(bar.tell(Progress { phase, done, total: Some(10) }).is_continue());
        }
        assert_eq!((bar.shared.done.load(Ordering::Relaxed), bar.shared.stage().doing), (3, "sweeping"));
    }
}
