//! How much memory a run may take.

use std::path::Path;

/// The share of what the machine or its container allows that a run takes unless it is told otherwise.
pub const SHARE: (u64, u64) = (3, 4);

/// What the program takes beside the memory it is given: itself, threads, and batches that are being read.
pub const FIXED: u64 = 96 << 20;

/// The least that can be asked for.
pub const LEAST: u64 = 8 << 20;

/// The memory of a run by default, where the system says how much there is.
pub fn default_memory() -> Option<u64> {
    let limits = [machine(), container(), address_space()];
    let least = limits.into_iter().flatten().min()?;
    Some((least / SHARE.1 * SHARE.0).max(LEAST))
}

/// The memory of the machine.
fn machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// What the control group of this process allows, with all groups around it.
fn container() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let limits = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) =
            (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let root = match controllers {
            "" => Path::new("/sys/fs/cgroup").to_path_buf(),
            _ => Path::new("/sys/fs/cgroup").join(controllers),
        };
        let around = Path::new(group.trim_start_matches('/')).ancestors();
        let folders: Vec<_> = around.map(|group| root.join(group)).collect();
        let names = ["memory.max", "memory.limit_in_bytes"];
        folders.into_iter().flat_map(move |folder| names.map(|name| folder.join(name)))
    });
    let read = limits.filter_map(|file| std::fs::read_to_string(file).ok()?.trim().parse().ok());
    read.min()
}

/// The limit on the address space (`ulimit -v`).
fn address_space() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_default_is_less_than_the_machine_has() {
        let (memory, machine) = (default_memory().unwrap(), machine().unwrap());
        assert!(memory >= LEAST && memory <= machine);
    }
}
