//! The memory of this process, as the system counts it.

/// The most memory this process has held, where the system says so.
pub fn peak_memory() -> Option<u64> {
    memory("VmHWM:")
}

/// The memory that this process holds now.
pub(crate) fn memory_now() -> Option<u64> {
    memory("VmRSS:")
}

fn memory(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
