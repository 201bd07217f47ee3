//! When and on which machine figures were measured, as far as the system tells.

use crate::numbers;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

/// `AMD EPYC 7763, 2 cores, 8.20 GB, linux x86_64`.
pub(super) fn name() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from) as u64;
    let field = |file: &str, name: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned))?;
        Some(line.trim_start_matches([' ', '\t', ':']).to_owned())
    };
    let memory = field("/proc/meminfo", "MemTotal").and_then(|memory| {
        let kilobytes: u64 = memory.trim_end_matches("kB").trim().parse().ok()?;
        Some(numbers::bytes(kilobytes * 1024))
    });
    let cores = (cores > 0).then(|| numbers::counted(cores, "core"));
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let parts = [field("/proc/cpuinfo", "model name"), cores, memory, Some(system)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
