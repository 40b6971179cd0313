//! Memory and disk: what a build needs, what there is, and what would fit.

use std::path::Path;

use indicatif::HumanBytes;
use tablegen::plane::Shape;
use tablegen::rules::Rules;

use super::failure::Failure;

/// What a build takes beside the planes and what the process had already: threads, buffers, the pages of the program
/// that only a build reads.
const GROWTH: u64 = 1 << 20;
/// The whole of it where the system does not say what the process has.
const BESIDE: u64 = 21 << 18;
/// What is kept free beside the planes of a large game; a small one asks for as much as its planes take, and at least
/// for [`LEAST_ROOM`].
const ROOM: u64 = 256 << 20;
const LEAST_ROOM: u64 = 16 << 20;

/// Most threads that are started.
pub(super) const MOST_THREADS: usize = 1024;

/// Starts the threads that work is shared among: one a core, or as many as RAYON_NUM_THREADS says. Returns how many.
/// Without this the first shared work would start them, and panic where they cannot be had.
pub(super) fn start_threads() -> Result<usize, Failure> {
    const VARIABLE: &str = "RAYON_NUM_THREADS";
    let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    // 0, or what is no number, has always meant one a core.
    let asked = std::env::var(VARIABLE).ok().and_then(|text| text.parse::<usize>().ok()).filter(|&threads| threads > 0);
    if let Some(threads) = asked.filter(|&threads| threads > MOST_THREADS) {
        let message = format!("{VARIABLE}: 1 to {MOST_THREADS} threads are expected, found {threads}");
        return Err(Failure::usage(message).hint("unset it for one a core"));
    }
    let threads = asked.unwrap_or_else(cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map(|()| threads).map_err(|e| no_threads(threads, &e))
}

/// That the system gives no more threads.
pub(super) fn no_threads(threads: usize, error: &rayon::ThreadPoolBuildError) -> Failure {
    let threads = super::words::counted(threads as u64, "thread");
    Failure::resources(format!("cannot start {threads}: {error}")).hint("set RAYON_NUM_THREADS, or --threads, to fewer")
}

/// Bytes of memory that a build takes beside what it solves in. How much of the program lies in memory is the system's
/// affair, so it is asked.
pub(super) fn beside() -> u64 {
    peak_bytes().map_or(BESIDE, |now| now + GROWTH)
}

/// Bytes of memory that solving `rules` takes at its peak; `None` where no memory is that large.
pub(super) fn memory_bytes(rules: &Rules) -> Option<u64> {
    Shape::of(rules).bytes()?.checked_add(beside())
}

/// Bytes of memory without which solving in `shape` is not begun.
fn required(shape: Shape) -> Option<u64> {
    let planes = shape.bytes()?;
    planes.checked_add(planes.clamp(LEAST_ROOM, ROOM))
}

/// Refuses a game whose planes do not fit into the memory there is, and into `limit` where the user gives one.
pub(super) fn check_memory(rules: &Rules, limit: Option<u64>) -> Result<(), Failure> {
    let given = limit.map(|limit| (limit, "--memory allows"));
    let had = available_memory().map(|available| (available, "this machine has available"));
    // A limit above what there is makes no more of it.
    let Some((limit, whose)) = given.into_iter().chain(had).min() else { return Ok(()) };
    let shape = Shape::of(rules);
    let needed = required(shape);
    if needed.is_some_and(|needed| needed <= limit) {
        return Ok(());
    }
    let fits = largest(shape, |shape| required(shape).is_some_and(|needed| needed <= limit));
    Err(Failure::resources(format!(
        "not enough memory: {} needs {}, {whose} {}; {fits}",
        rules.name(),
        needed.map_or_else(|| "more than any machine has".into(), |needed| HumanBytes(needed).to_string()),
        HumanBytes(limit),
    )))
}

/// Refuses a file of `needed` bytes where the folder has not the room.
pub(super) fn check_disk(folder: &Path, needed: Option<u64>, rules: &Rules) -> Result<(), Failure> {
    let Some(free) = free_space(folder) else { return Ok(()) };
    if needed.is_some_and(|needed| needed <= free) {
        return Ok(());
    }
    // Beside the labels a file has some pages of header and a two-thousandth of checksums.
    let with_header = |bytes: u64| bytes.saturating_add(bytes / 1024).saturating_add(1 << 14);
    let fits = largest(Shape::of(rules), |shape| shape.bytes().is_some_and(|bytes| with_header(bytes) <= free));
    Err(Failure::resources(format!(
        "not enough disk: {} needs {}, {} has {} free; {fits}",
        rules.name(),
        needed.map_or_else(|| "more than any disk has".into(), |needed| HumanBytes(needed).to_string()),
        folder.display(),
        HumanBytes(free),
    )))
}

/// Refuses to write `needed` bytes where the folder has not the room.
pub(super) fn check_room(folder: &Path, needed: u64) -> Result<(), Failure> {
    match free_space(folder) {
        Some(free) if needed > free => Err(Failure::resources(format!(
            "not enough disk: {} at least are needed, {} has {} free; make room, or name another place with -o",
            HumanBytes(needed),
            folder.display(),
            HumanBytes(free),
        ))),
        _ => Ok(()),
    }
}

/// The largest board of the same kind that `fits`, in words.
fn largest(shape: Shape, fits: impl Fn(Shape) -> bool) -> String {
    let of_cells = |cells| Shape::new(cells, shape.modes(), shape.draws());
    match (1..shape.cells()).rev().find(|&cells| fits(of_cells(cells))) {
        Some(1) => "a board of 1 cell would fit".into(),
        Some(cells) => format!("a board of {cells} cells would fit"),
        None => "no board would fit".into(),
    }
}

/// Memory that can be had without swapping: the machine's, or the control group's where that is less.
pub(super) fn available_memory() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| kib(&text, "MemAvailable:"));
    machine.into_iter().chain(group_limit()).min()
}

/// The lowest limit of the control groups that this process is in (cgroup v2).
fn group_limit() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let own = root.join(group);
    let limits = own.ancestors().take_while(|folder| folder.starts_with(root)).filter_map(|folder| {
        let text = std::fs::read_to_string(folder.join("memory.max")).ok()?;
        text.trim().parse().ok()
    });
    limits.min()
}

/// The most memory this process has had at once.
pub(super) fn peak_bytes() -> Option<u64> {
    std::fs::read_to_string("/proc/self/status").ok().and_then(|text| kib(&text, "VmHWM:"))
}

/// The number behind `key`, given in KiB, as bytes.
fn kib(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// Bytes that may be written into `folder`; `None` where its file system does not say.
#[cfg(unix)]
pub(super) fn free_space(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    (disk.f_blocks > 0).then(|| disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Bytes that may be written into `folder`: not known here.
#[cfg(not(unix))]
pub(super) fn free_space(_: &Path) -> Option<u64> {
    None
}

/// Reads an amount of memory: `4GiB`, `512 MiB`, `4G`, `1000000000`. Units of 1000 and of 1024 are told apart as
/// everywhere: `GB` and `GiB`; a letter alone is of 1024.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 13] = [
        ("", 1),
        ("b", 1),
        ("k", 1 << 10),
        ("kib", 1 << 10),
        ("kb", 1_000),
        ("m", 1 << 20),
        ("mib", 1 << 20),
        ("mb", 1_000_000),
        ("g", 1 << 30),
        ("gib", 1 << 30),
        ("gb", 1_000_000_000),
        ("t", 1 << 40),
        ("tib", 1 << 40),
    ];
    let expected = || "an amount of memory such as 4GiB or 512MiB is expected".to_owned();
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().to_ascii_lowercase();
    let (_, scale) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(expected)?;
    let number: f64 = number.parse().map_err(|_| expected())?;
    let bytes = number * *scale as f64;
    if (1.0..=u64::MAX as f64).contains(&bytes) { Ok(bytes as u64) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory() {
        let read = |text| parse_size(text).ok();
        assert_eq!(read("4GiB"), Some(4 << 30));
        assert_eq!((read("512 MiB"), read("512m"), read("1.5k")), (Some(512 << 20), Some(512 << 20), Some(1536)));
        assert_eq!((read("1GB"), read("77")), (Some(1_000_000_000), Some(77)));
        for text in ["", "GiB", "-1", "0", "4 apples", "1e3", "1..2", "nan", "99999999999999TiB", "٤"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_would_fit_is_said() {
        let rules = tablegen::rules::RulesSpec::new("large", 36).build().expect("sound rules");
        let refusal = |limit| match check_memory(&rules, Some(limit)) {
            Err(Failure::Message { message, .. }) => message,
            _ => String::new(),
        };
        assert_eq!(refusal((8 << 30) + (256 << 20)), "");
        assert_eq!(
            refusal(8 << 30),
            "not enough memory: large needs 8.25 GiB, --memory allows 8.00 GiB; a board of 35 cells would fit"
        );
        assert!(refusal(1).ends_with("no board would fit"));
    }

    #[test]
    fn figures_of_the_system() {
        assert_eq!(kib("A: 1 kB\nVmHWM:\t    1234 kB\n", "VmHWM:"), Some(1234 * 1024));
        assert_eq!(kib("VmHWM: lots", "VmHWM:"), None);
        #[cfg(target_os = "linux")]
        assert!(peak_bytes().is_some_and(|bytes| bytes > 1 << 16));
    }
}
