//! One life of a writer: it is started, killed, and its output is collected.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use firsthand_store::POINTS;
use serde_json::Value;

use super::writer::CRASH_AT;

/// How a writer dies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Death {
    /// Killed this many milliseconds after it starts adding documents.
    After(u64),
    /// By itself, at a point in the code, the n-th time it gets there.
    At(usize, u64),
}

/// A writer that will be killed.
pub(super) struct Cycle<'a> {
    pub(super) program: &'a Path,
    pub(super) store: &'a str,
    pub(super) seed: u64,
    pub(super) from: u64,
    pub(super) death: Death,
}

/// The output of a writer before it died.
#[derive(Debug, Default)]
pub(super) struct WriterLog {
    pub(super) checked: Vec<(u64, Value)>,
    pub(super) added: Vec<(u64, Value)>,
    /// Whether it died at the intended point.
    pub(super) died_by_itself: bool,
}

// No writer lives longer than this.
const LONGEST: Duration = Duration::from_secs(60);

impl Cycle<'_> {
    /// Runs it; `meanwhile` runs while it writes.
    pub(super) fn run(&self, meanwhile: impl FnOnce() -> Result<()>) -> Result<WriterLog> {
        let mut child = self.start()?;
        let output = child.stdout.take().context("the writer has no output")?;
        let (begun, ready) = mpsc::channel();
        let collector = std::thread::spawn(move || collect(output, &begun));
        match self.death {
            Death::After(milliseconds) => {
                // A writer that fails by itself never starts adding documents.
                let _ = ready.recv_timeout(LONGEST);
                std::thread::sleep(Duration::from_millis(milliseconds));
                meanwhile()?;
                let _ = child.kill();
            }
            Death::At(..) => {
                while ready.recv_timeout(LONGEST).is_ok() {}
                let _ = child.try_wait().map(|status| status.is_none().then(|| child.kill()));
            }
        }
        let status = child.wait().context("cannot wait for the writer")?;
        let mut said = match collector.join() {
            Ok(said) => said?,
            Err(_) => bail!("the output of the writer cannot be read"),
        };
        said.died_by_itself = status.code().is_none() && matches!(self.death, Death::At(..));
        Ok(said)
    }

    fn start(&self) -> Result<Child> {
        let mut command = Command::new(self.program);
        command.arg("crash-writer").arg(self.store);
        command.arg("--seed").arg(self.seed.to_string());
        command.arg("--from").arg(self.from.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        if let Death::At(point, count) = self.death {
            command.env(CRASH_AT, format!("{}:{count}", POINTS[point].0));
        }
        command.spawn().with_context(|| format!("cannot start {}", self.program.display()))
    }
}

/// Collects complete lines; the last may be cut short, and then it was not acknowledged. Signals
/// when the writer has started, and, by hanging up, when it has ended.
fn collect(output: impl Read, begun: &mpsc::Sender<()>) -> Result<WriterLog> {
    let mut said = WriterLog::default();
    let mut reader = BufReader::new(output);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 && line.ends_with('\n') {
        let mut parts = line.trim_end().splitn(3, ' ');
        let (Some(kind), Some(index), Some(answer)) = (parts.next(), parts.next(), parts.next())
        else {
            bail!("unexpected output of the writer: {line:?}");
        };
        let index: u64 =
            index.parse().with_context(|| format!("unexpected output of the writer: {line:?}"))?;
        let answer = serde_json::from_str(answer)?;
        match kind {
            "C" => said.checked.push((index, answer)),
            _ => {
                if said.added.is_empty() {
                    let _ = begun.send(());
                }
                said.added.push((index, answer));
            }
        }
        line.clear();
    }
    Ok(said)
}
