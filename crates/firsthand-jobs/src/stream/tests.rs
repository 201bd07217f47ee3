//! Streams without a process: from a reader in memory to a vector of answers.

use super::*;
use crate::cancel::Cancel;
use crate::observer::Unobserved;
use crate::settings::Layers;
use crate::store::{StoreRequest, info, open};
use firsthand::online::{Answer, Verdict};
use std::io::{self, Cursor};

fn line(number: usize) -> String {
    let text: Vec<String> = (0..40).map(|word| format!("word{}", number * 40 + word)).collect();
    serde_json::json!({ "id": number.to_string(), "text": text.join(" ") }).to_string() + "\n"
}

fn reader(reader: impl Read + Send + 'static) -> LineInput {
    LineInput::Reader { name: "memory".to_owned(), reader: Box::new(reader) }
}

fn store(address: &str) -> OpenStore {
    let layers = Layers { profile: Some("feed".to_owned()), ..Layers::default() };
    let address = address.to_owned();
    let request = StoreRequest { address, layers, writable: true, ..StoreRequest::default() };
    open(request, &Unobserved::default()).unwrap()
}

fn answers(address: &str, text: &str, keep: bool) -> (Vec<Answer>, StreamSummary) {
    let inputs = vec![reader(Cursor::new(text.as_bytes().to_vec()))];
    let job =
        StreamJob { store: store(address), inputs, keep, keep_text: false, decisions: Vec::new() };
    let mut answers = Vec::new();
    let summary = run(job, &mut answers, &Unobserved::default()).unwrap();
    (answers, summary)
}

#[test]
fn every_line_has_an_answer_and_the_summary_counts_them() {
    let copy = line(1).replace("\"1\"", "\"copy\"");
    let text = line(1) + "\n" + &copy + "broken\n" + &line(2) + &line(1);
    let (answers, summary) = answers("memory:", &text, true);
    let verdicts: Vec<_> = answers.iter().map(|answer| answer.verdict).collect();
    use Verdict::{Duplicate, Error, Original};
    assert_eq!(verdicts, [Original, Duplicate, Error, Original, Original]);
    assert!(answers[2].error.as_ref().unwrap().contains("memory, line 4"), "{:?}", answers[2]);
    let counts = AnswerCounts {
        originals: 3,
        duplicates: 1,
        exact: 1,
        errors: 1,
        repeated: 1,
        ..AnswerCounts::default()
    };
    assert_eq!((summary.counts, summary.blank_lines), (counts, 1));
    assert_eq!(summary.holdings.unwrap().documents, 3);
}

#[test]
fn a_stream_that_keeps_nothing_leaves_the_store_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("store").display().to_string();
    answers(&address, &line(1), true);
    let (checked, _) = answers(&address, &(line(1) + &line(2) + &line(2)), false);
    assert_eq!(checked.iter().map(|a| a.repeated).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(info(&address).unwrap().holdings.documents, 1);
}

/// Lines without an end, a few at a time.
struct Endless(usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let line = line(self.0);
        self.0 += 1;
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// Cancels the job once there are this many answers.
struct CancelAfter {
    most: usize,
    answers: Vec<Answer>,
    cancel: Cancel,
}

impl AnswerSink for CancelAfter {
    fn write(&mut self, answers: &[Answer]) -> io::Result<()> {
        self.answers.extend_from_slice(answers);
        if self.answers.len() >= self.most {
            self.cancel.cancel();
        }
        Ok(())
    }
}

#[test]
fn a_cancelled_stream_has_stored_exactly_what_it_answered() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("store").display().to_string();
    let observer = Unobserved::default();
    let job = StreamJob {
        store: store(&address),
        inputs: vec![reader(Endless(0))],
        keep: true,
        keep_text: false,
        decisions: Vec::new(),
    };
    let mut sink = CancelAfter { most: 700, answers: Vec::new(), cancel: observer.0.clone() };
    let summary = run(job, &mut sink, &observer).unwrap();
    let count = sink.answers.len();
    assert!(count >= 700 && summary.counts.originals == count as u64, "{count} {summary:?}");
    assert_eq!(summary.holdings.unwrap().documents, count as u64);
    let text: String = (0..=count).map(line).collect();
    let (again, _) = answers(&address, &text, false);
    let repeated = again.iter().filter(|answer| answer.repeated).count();
    assert_eq!((repeated, again[count].repeated), (count, false));
}

#[test]
fn a_job_that_is_cancelled_before_it_starts_answers_nothing() {
    let observer = Unobserved::default();
    observer.0.cancel();
    let job = StreamJob {
        store: store("memory:"),
        inputs: vec![reader(Endless(0))],
        keep: true,
        keep_text: false,
        decisions: Vec::new(),
    };
    let mut answers = Vec::new();
    let summary = run(job, &mut answers, &observer).unwrap();
    assert_eq!((answers.len(), summary.counts), (0, AnswerCounts::default()));
}

/// Takes nothing.
struct Full;

impl AnswerSink for Full {
    fn write(&mut self, _: &[Answer]) -> io::Result<()> {
        Err(io::Error::other("no room"))
    }
}

#[test]
fn an_answer_that_is_not_taken_ends_the_stream() {
    let job = StreamJob {
        store: store("memory:"),
        inputs: vec![reader(Endless(0))],
        keep: true,
        keep_text: false,
        decisions: Vec::new(),
    };
    let error = run(job, &mut Full, &Unobserved::default()).unwrap_err();
    assert!(matches!(error, JobError::Output(OutputError::Stream(_))), "{error:?}");
}
