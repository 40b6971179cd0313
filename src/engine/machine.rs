//! The resources of the machine, as the operating system reports them.

use std::path::Path;

/// Memory that is available without swapping: that of the machine, or of the control group if that is less.
#[must_use]
pub fn available_memory() -> Option<u64> {
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

/// The peak memory of this process.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    std::fs::read_to_string("/proc/self/status").ok().and_then(|text| kib(&text, "VmHWM:"))
}

/// The number after `key`, given in KiB, as bytes.
fn kib(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// Bytes of free space in `folder`; `None` if its file system does not report it.
#[cfg(unix)]
#[must_use]
pub fn free_space(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    (disk.f_blocks > 0).then(|| disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Bytes of free space in `folder`: not known on this system.
#[cfg(not(unix))]
#[must_use]
pub fn free_space(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_the_system() {
        assert_eq!(kib("A: 1 kB\nVmHWM:\t    1234 kB\n", "VmHWM:"), Some(1234 * 1024));
        assert_eq!(kib("VmHWM: lots", "VmHWM:"), None);
        #[cfg(target_os = "linux")]
        assert!(peak_bytes().is_some_and(|bytes| bytes > 1 << 16));
    }
}
