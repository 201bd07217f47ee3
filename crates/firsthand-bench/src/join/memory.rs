//! The peak of resident memory while something runs, where the system tells.

use std::fs;

/// Forgets the peak so far; nothing happens where that is not possible.
pub(crate) fn reset_peak() {
    // Linux: 5 resets the high-water mark of the process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The peak in bytes since the last reset, if the system tells it.
pub(crate) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
