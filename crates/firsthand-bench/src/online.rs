//! Times a stream: documents added in rounds and one by one, as the store grows.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use firsthand::online::{Arrival, Online, StreamDetector, Verdict};
use firsthand::{Document, Settings};
use firsthand_store::{OnOtherSettings, StoredSettings};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::join::memory;

/// Documents per round.
const ROUND: usize = 256;
/// The first time of the stream: 2026-01-01.
const START: i64 = 1_767_225_600_000;

/// What to measure.
#[derive(Debug, PartialEq)]
pub(crate) struct OnlineTask {
    pub(crate) input: PathBuf,
    pub(crate) config: Settings,
    pub(crate) store: String,
    pub(crate) documents: usize,
    /// Milliseconds from one document to the next.
    pub(crate) every: i64,
    /// Store sizes at which documents are added one by one.
    pub(crate) stops: Vec<usize>,
    /// The number of these documents.
    pub(crate) singles: usize,
    /// The turn in which the file is read first.
    pub(crate) turn: usize,
}

/// The figures from one stop to the next.
#[derive(Debug, Serialize)]
struct StopFigures {
    /// Documents in the store at the end.
    documents: u64,
    /// Documents added in rounds since the previous stop, and how many per second.
    added: usize,
    per_second: f64,
    /// Mean milliseconds per document, including signing.
    mean_ms: f64,
    duplicates: usize,
    /// Milliseconds for documents added one by one, each durable.
    single_p50_ms: f64,
    single_p99_ms: f64,
    single_max_ms: f64,
    /// The same without storing.
    check_mean_ms: f64,
    /// Bytes written to disk per document added in rounds.
    written_per_document: f64,
    resident_mb: f64,
    peak_mb: f64,
    bytes_kept: u64,
}

/// A line of the input.
#[derive(Deserialize)]
struct InputLine {
    id: String,
    text: String,
    title: Option<String>,
    url: Option<String>,
}

pub(crate) fn run(task: &OnlineTask, out: &mut impl Write) -> Result<()> {
    let detector = StreamDetector::new(task.config.clone())?;
    let settings = StoredSettings::new(&task.config)?;
    let store = firsthand_store::open(&task.store, Some(&settings), OnOtherSettings::Refuse)?;
    let mut online = Online::new(detector.clone(), store);
    let mut source = DocumentSource::new(task)?;
    memory::reset_peak();
    let mut done = 0;
    for &stop in task.stops.iter().chain([&task.documents]) {
        if stop <= done || stop > task.documents {
            continue;
        }
        let mut row = StreamMeasurement::new();
        while done < stop {
            let lines = source.take(ROUND.min(stop - done))?;
            let started = Instant::now();
            let arrivals: Vec<Arrival> = lines
                .par_iter()
                .map(|(line, time)| document(line, *time).map(|d| detector.sign(&d, i64::MAX)))
                .collect::<Result<_>>()?;
            let answers = online.add(&arrivals)?;
            row.busy += started.elapsed();
            done += answers.len();
            row.added += answers.len();
            row.duplicates +=
                answers.iter().filter(|answer| answer.verdict == Verdict::Duplicate).count();
        }
        row.written = memory::written().saturating_sub(row.written);
        row.single(task, &detector, &mut online, &mut source)?;
        let holdings = online.upkeep().holdings()?;
        serde_json::to_writer(&mut *out, &row.row(holdings.documents, holdings.bytes))?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}

/// The measurement in progress.
struct StreamMeasurement {
    busy: Duration,
    added: usize,
    duplicates: usize,
    written: u64,
    singles: Vec<Duration>,
    checks: Duration,
}

impl StreamMeasurement {
    fn new() -> Self {
        Self {
            busy: Duration::ZERO,
            added: 0,
            duplicates: 0,
            written: memory::written(),
            singles: Vec::new(),
            checks: Duration::ZERO,
        }
    }

    /// Adds documents one by one.
    fn single<S: firsthand::online::Store>(
        &mut self,
        task: &OnlineTask,
        detector: &StreamDetector,
        online: &mut Online<S>,
        source: &mut DocumentSource,
    ) -> Result<()> {
        for (line, time) in source.take(task.singles)? {
            let document = document(&line, time)?;
            let started = Instant::now();
            let arrival = detector.sign(&document, i64::MAX);
            online.check(std::slice::from_ref(&arrival))?;
            self.checks += started.elapsed();
            let started = Instant::now();
            let arrival = detector.sign(&document, i64::MAX);
            online.add(&[arrival])?;
            self.singles.push(started.elapsed());
        }
        self.singles.sort_unstable();
        Ok(())
    }

    fn row(&self, documents: u64, bytes_kept: u64) -> StopFigures {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let at = |share: f64| {
            let place = ((self.singles.len() as f64 * share) as usize).min(self.singles.len() - 1);
            ms(self.singles[place])
        };
        let mb = |bytes: Option<u64>| bytes.unwrap_or(0) as f64 / 1e6;
        StopFigures {
            documents,
            added: self.added,
            per_second: self.added as f64 / self.busy.as_secs_f64(),
            mean_ms: ms(self.busy) / self.added as f64,
            duplicates: self.duplicates,
            single_p50_ms: at(0.5),
            single_p99_ms: at(0.99),
            single_max_ms: at(1.0),
            check_mean_ms: ms(self.checks) / self.singles.len() as f64,
            written_per_document: self.written as f64 / self.added as f64,
            resident_mb: mb(memory::resident()),
            peak_mb: mb(memory::peak()),
            bytes_kept,
        }
    }
}

/// The documents of a file, over and over.
struct DocumentSource {
    path: PathBuf,
    lines: Box<dyn BufRead>,
    turn: usize,
    read: usize,
    every: i64,
    time: i64,
}

impl DocumentSource {
    fn new(task: &OnlineTask) -> Result<Self> {
        ensure!(task.singles > 0, "--singles is 0; give 1 or more");
        let (path, lines) = (task.input.clone(), Box::new(crate::open(&task.input)?));
        Ok(Self { path, lines, turn: task.turn, read: 0, every: task.every, time: START })
    }

    /// The next lines with their times. Later turns have other words and ids.
    fn take(&mut self, count: usize) -> Result<Vec<(String, i64)>> {
        let mut taken = Vec::with_capacity(count);
        while taken.len() < count {
            let mut line = String::new();
            if self.lines.read_line(&mut line).context("cannot read the documents")? == 0 {
                ensure!(self.read > 0, "{} has no documents", self.path.display());
                self.turn += 1;
                self.lines = Box::new(crate::open(&self.path)?);
                continue;
            }
            self.read += 1;
            self.time += self.every;
            let line = if self.turn == 0 { line } else { disguised(&line, self.turn) };
            taken.push((line, self.time));
        }
        Ok(taken)
    }
}

/// A document of another turn: another id, and other words for those longer than three letters.
fn disguised(line: &str, turn: usize) -> String {
    let Ok(mut line) = serde_json::from_str::<serde_json::Value>(line) else {
        return line.to_owned();
    };
    let mark = |text: &str| {
        let word = |word: &str| match word.chars().filter(|c| c.is_alphabetic()).count() {
            0..=3 => word.to_owned(),
            _ => format!("{word}{turn}q"),
        };
        let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
    };
    for field in ["text", "title"] {
        if let Some(text) = line[field].as_str().map(mark) {
            line[field] = text.into();
        }
    }
    line["id"] = format!("{}t{turn}", line["id"].as_str().unwrap_or_default()).into();
    line.to_string()
}

fn document(line: &str, time: i64) -> Result<Document> {
    let line: InputLine = serde_json::from_str(line).context("a line is no document")?;
    let host = line.url.as_deref().and_then(|url| url.split('/').nth(2)).map(str::to_owned);
    Ok(Document {
        title: line.title,
        host,
        url: line.url,
        time: Some(time),
        ..Document::new(line.id, line.text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_turn_has_other_words_in_the_same_frame() {
        let line = r#"{"id":"a","text":"the ferry will\nsail on"}"#;
        let document = document(&disguised(line, 2), 5).expect("a document");
        assert_eq!((document.id.as_str(), document.time), ("at2", Some(5)));
        assert_eq!(document.text, "the ferry2q will2q\nsail2q on");
    }
}
