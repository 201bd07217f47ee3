//! The memory and disk use of the process, where the system reports them.

use std::fs;

/// Resets the peak; does nothing where that is not possible.
pub(crate) fn reset_peak() {
    // Linux: 5 resets the high-water mark of the process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The peak of resident memory in bytes since the last reset, where known.
pub(crate) fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// Resident memory now.
pub(crate) fn resident() -> Option<u64> {
    status("VmRSS:")
}

fn status(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Bytes written to disk by the process; 0 where unknown.
pub(crate) fn written() -> u64 {
    let io = fs::read_to_string("/proc/self/io").unwrap_or_default();
    let line = io.lines().find_map(|line| line.strip_prefix("write_bytes:"));
    line.and_then(|line| line.trim().parse().ok()).unwrap_or(0)
}
