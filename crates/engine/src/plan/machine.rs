//! The resources of the machine, as the operating system reports them.

use std::path::Path;

/// Memory that is available without swapping, on the machine or within the control groups and the limits of this
/// process (`ulimit -v`, `ulimit -d`).
#[must_use]
pub fn available_memory() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| kib(&text, "MemAvailable:"));
    machine.into_iter().chain(group_room()).chain(address_room()).min()
}

/// Bytes left by the limits of this process on its address space and its data.
#[must_use]
pub(crate) fn address_room() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    address_room_in(&limits, &process_status()?)
}

/// The status of this process as the system reports it, one figure a line.
fn process_status() -> Option<String> {
    std::fs::read_to_string("/proc/self/status").ok()
}

fn address_room_in(limits: &str, status: &str) -> Option<u64> {
    let pairs = [("Max address space", "VmSize:"), ("Max data size", "VmData:")];
    let rooms = pairs.into_iter().filter_map(|(limit, used)| {
        let line = limits.lines().find_map(|line| line.strip_prefix(limit))?;
        // The soft limit comes first; `unlimited` does not parse as a number.
        let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(limit.saturating_sub(kib(status, used)?))
    });
    rooms.min()
}

/// The resident memory of this process.
pub(crate) fn resident_bytes() -> Option<u64> {
    kib(&process_status()?, "VmRSS:")
}

/// Memory left by the control groups of this process, if any has a limit.
fn group_room() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    group_room_in(Path::new("/sys/fs/cgroup"), &groups)
}

/// The least memory left by any of `groups`, in the system's notation, or by a group that contains it. Their files are
/// under `root`.
fn group_room_in(root: &Path, groups: &str) -> Option<u64> {
    // `hierarchy:controllers:/path`. Version 2 has one hierarchy, without a list of controllers.
    let rooms = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/'));
        let (root, names) = match controllers {
            "" => (root.to_owned(), ["memory.max", "memory.current", "inactive_file "]),
            _ if controllers.split(',').any(|name| name == "memory") => {
                let names = ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "];
                (root.join("memory"), names)
            }
            _ => return None,
        };
        let own = root.join(path);
        let folders = own.ancestors().take_while(|folder| folder.starts_with(&root));
        folders.filter_map(|folder| room_of_group(folder, names)).min()
    });
    rooms.min()
}

/// Memory left by one control group: its limit minus its use. Inactive file pages count as free, because the system
/// gives them up when memory is needed.
fn room_of_group(folder: &Path, [limit, used, idle]: [&str; 3]) -> Option<u64> {
    let number = |name| std::fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
    let limit = number(limit)?;
    let stat = std::fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let idle = stat.lines().find_map(|line| line.strip_prefix(idle)?.trim().parse::<u64>().ok()).unwrap_or(0);
    Some(limit.saturating_sub(number(used).unwrap_or(0).saturating_sub(idle)))
}

/// The peak memory of this process.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    kib(&process_status()?, "VmHWM:")
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

/// Bytes of free space in `folder`, which this system does not report.
#[cfg(not(unix))]
#[must_use]
pub fn free_space(_: &Path) -> Option<u64> {
    None
}

/// True if the address space of this process has room to map a file of `bytes` bytes.
pub(crate) fn can_map(bytes: Option<u64>) -> bool {
    bytes.is_some_and(|bytes| address_room().is_none_or(|room| room > bytes))
}

/// True if two folders are on one disk, so that a file can be moved between them without copying.
#[must_use]
pub(crate) fn is_one_disk(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let disk = |folder: &Path| folder.metadata().map(|found| found.dev()).ok();
        disk(one) == disk(other)
    }
    #[cfg(not(unix))]
    {
        one.components().next() == other.components().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_figures_are_parsed() {
        assert_eq!(kib("A: 1 kB\nVmHWM:\t    1234 kB\n", "VmHWM:"), Some(1234 * 1024));
        assert_eq!(kib("VmHWM: lots", "VmHWM:"), None);
        let limits =
            |space, data| format!("Max data size  {data}  unlimited  bytes\nMax address space  {space} 9 bytes\n");
        let room = |space, data| address_room_in(&limits(space, data), "VmSize: 4 kB\nVmData: 2 kB\n");
        assert_eq!(room("unlimited", "unlimited"), None);
        assert_eq!((room("5096", "unlimited"), room("5096", "2148")), (Some(1000), Some(100)));
        assert_eq!(room("1", "unlimited"), Some(0));
        #[cfg(target_os = "linux")]
        assert!(peak_bytes().is_some_and(|bytes| bytes > 1 << 16));
    }

    #[test]
    fn control_groups_of_both_versions() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let room = |groups| group_room_in(root.path(), groups);
        put("a/b/memory.max", "max\n");
        assert_eq!(room("0::/a/b\n"), None);
        // The parent group has a limit, and some of its use is inactive.
        put("a/memory.max", "1000\n");
        put("a/memory.current", "700\n");
        put("a/memory.stat", "anon 5\ninactive_file 200\n");
        assert_eq!(room("0::/a/b\n"), Some(500));
        put("memory/c/memory.limit_in_bytes", "400\n");
        put("memory/c/memory.usage_in_bytes", "500\n");
        put("memory/c/memory.stat", "inactive_file 1\ntotal_inactive_file 300\n");
        assert_eq!(room("3:cpu:/c\n4:blkio,memory:/c\n"), Some(200));
        // The group's path is not mounted here, but the root is.
        assert_eq!(room("0::/../elsewhere\n"), None);
        put("memory.max", "77\n");
        assert_eq!(room("0::/elsewhere\n"), Some(77));
    }
}
