//! The peak memory of a whole run: `dedup` with the same settings, in a process of its own.

use super::methods::RequestedMethod;
use crate::session::Session;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The peak memory of a run; none if it cannot be measured.
pub(super) fn peak(method: &RequestedMethod, inputs: &[PathBuf], session: &Session) -> Option<u64> {
    if inputs.iter().any(|input| input.as_os_str() == "-") {
        return None;
    }
    let folder = tempfile::tempdir().ok()?;
    let config = folder.path().join("config.toml");
    // These remove both if the run is interrupted.
    let _guards = [folder.path(), &config].map(|path| session.temp_files.note(path));
    std::fs::write(&config, &method.named.toml).ok()?;
    let result = folder.path().join("result");
    let mut command = Command::new(session.again.first()?);
    command.args(&session.again[1..]);
    command.arg("dedup").arg("--quiet").arg("--config").arg(&config).arg("-o").arg(&result);
    if let Some(model) = method.args.model.as_deref() {
        command.arg("--model").arg(model);
    }
    command.arg("--threads").arg(rayon::current_num_threads().to_string());
    command.arg("--").args(inputs);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok()?;
    // The exit status is ignored: unreadable inputs have been reported already.
    let report = std::fs::read(result.join("report.json")).ok()?;
    let report: serde_json::Value = serde_json::from_slice(&report).ok()?;
    report.get("peak_memory_bytes")?.as_u64()
}
