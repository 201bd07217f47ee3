//! One life of a writer: it is started, killed, and what it said is collected.

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
    /// Killed so many milliseconds after it has begun to add documents.
    After(u64),
    /// By its own hand at a point of the code, when it comes there for the so-manieth time.
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

/// What it said before.
#[derive(Debug, Default)]
pub(super) struct LoggedVerdict {
    pub(super) checked: Vec<(u64, Value)>,
    pub(super) added: Vec<(u64, Value)>,
    /// Whether it died at the point where it should.
    pub(super) died_by_itself: bool,
}

// Whatever happens, a writer does not live longer.
const LONGEST: Duration = Duration::from_secs(60);

impl Cycle<'_> {
    /// Runs it; `meanwhile` is done while it writes.
    pub(super) fn run(&self, meanwhile: impl FnOnce() -> Result<()>) -> Result<LoggedVerdict> {
        let mut child = self.start()?;
        let output = child.stdout.take().context("the writer has no output")?;
        let (begun, ready) = mpsc::channel();
        let collector = std::thread::spawn(move || collect(output, &begun));
        match self.death {
            Death::After(milliseconds) => {
                // A writer that fails by itself never begins.
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
            Err(_) => bail!("what the writer said cannot be read"),
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

/// Collects whole lines; the last may be cut short, and then nobody was told. Says when the writer has
/// begun, and, by hanging up, when it has ended.
fn collect(output: impl Read, begun: &mpsc::Sender<()>) -> Result<LoggedVerdict> {
    let mut said = LoggedVerdict::default();
    let mut reader = BufReader::new(output);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 && line.ends_with('\n') {
        let mut parts = line.trim_end().splitn(3, ' ');
        let (Some(kind), Some(index), Some(answer)) = (parts.next(), parts.next(), parts.next())
        else {
            bail!("the writer said {line:?}");
        };
        let index: u64 = index.parse().with_context(|| format!("the writer said {line:?}"))?;
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
