//! A search for duplicates without a process: results, problems and cancelling.

use firsthand::Settings;
use firsthand_input::{ReadError, Reason};
use firsthand_jobs::beyond::Memory;
use firsthand_jobs::dedup::{self, Dedup, Output};
use firsthand_jobs::results::{Contents, Emit, Format};
use firsthand_jobs::{Cancel, JobError, Observer, PairList, Phase, TempFiles, Unobserved};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Notes what it hears; cancels the job when reading begins if that is asked for.
#[derive(Default)]
struct Recorder {
    cancel: Cancel,
    cancels: bool,
    /// A file that gets another content before results are written.
    changes: Option<(PathBuf, String)>,
    heard: Mutex<Vec<String>>,
}

impl Recorder {
    fn note(&self, what: String) {
        self.heard.lock().unwrap().push(what);
    }
}

impl Observer for Recorder {
    fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn phase(&self, phase: Phase<'_>) {
        if self.cancels {
            self.cancel.cancel();
        }
        let name = format!("{phase:?}");
        if let Some((path, content)) = self.changes.as_ref().filter(|_| name == "Writing") {
            fs::write(path, content).unwrap();
        }
        self.note(name.split([' ', '{']).next().unwrap_or_default().to_owned());
    }

    fn problem(&self, error: &ReadError) {
        self.note(format!("problem: {}", error.reason.label()));
    }
}

fn job<'a>(inputs: &[PathBuf], output: Option<&Path>, temp_files: &'a TempFiles) -> Dedup<'a> {
    Dedup {
        settings: Settings::profile("corpus").unwrap(),
        inputs: inputs.to_vec().into(),
        against: firsthand_jobs::Inputs::default(),
        decisions: None,
        page: None,
        output: output.map(|path| Output {
            path: path.to_path_buf(),
            force: false,
            dry_run: false,
        }),
        contents: Contents::default(),
        emit: None,
        memory: Memory::default(),
        stop_after: None,
        stdin: None,
        explain: None,
        temp_files,
    }
}

const TEXT: &str = "The ferry to the island will not sail today because of the storm in the north.";

fn copies(folder: &Path, count: usize) -> PathBuf {
    let path = folder.join("news.jsonl");
    let lines: Vec<String> =
        (0..count).map(|id| format!("{{\"id\": \"{id}\", \"text\": \"{TEXT}\"}}\n")).collect();
    fs::write(&path, lines.concat() + "broken\n").unwrap();
    path
}

#[test]
fn results_are_written_and_problems_told() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (copies(folder.path(), 3), folder.path().join("result"));
    let (recorder, temp_files) = (Recorder::default(), TempFiles::default());
    let outcome = dedup::run(job(&[input], Some(&output), &temp_files), &recorder).unwrap();
    assert_eq!((outcome.counts.pairs, outcome.counts.clusters), (3, 1));
    assert_eq!(outcome.files, ["pairs.jsonl", "clusters.jsonl", "report.json"]);
    assert_eq!(fs::read_to_string(output.join("pairs.jsonl")).unwrap().lines().count(), 3);
    let heard = recorder.heard.into_inner().unwrap();
    assert_eq!(heard, ["Reading", "problem: not valid JSON", "Preparing", "Matching", "Writing"]);
}

#[test]
fn a_cancelled_job_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (copies(folder.path(), 3), folder.path().join("result"));
    let temp_files = TempFiles::default();
    let recorder = Recorder { cancels: true, ..Recorder::default() };
    let ended = dedup::run(job(&[input], Some(&output), &temp_files), &recorder);
    assert!(matches!(ended, Err(JobError::Cancelled)));
    assert!(!output.exists());
}

#[test]
fn pairs_are_capped_all_a_star_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let (count, temp_files) = (1_300, TempFiles::default());
    let input = copies(folder.path(), count);
    let all = count * (count - 1) / 2;
    for (pairs, expected) in [
        (PairList::default(), 1_000 * 999 / 2 + 300),
        (PairList::All, all),
        (PairList::Star, count - 1),
        (PairList::None, 0),
    ] {
        let output = folder.path().join(format!("{pairs:?}"));
        let contents = Contents { pairs, ..Contents::default() };
        let job =
            Dedup { contents, ..job(std::slice::from_ref(&input), Some(&output), &temp_files) };
        let outcome = dedup::run(job, &Unobserved::default()).unwrap();
        let report = fs::read_to_string(output.join("report.json")).unwrap();
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["pairs"], serde_json::json!({ "found": all, "listed": expected }));
        let listed = fs::read_to_string(output.join("pairs.jsonl")).ok();
        let lines = listed.map(|listed| listed.lines().count());
        assert_eq!(lines, (pairs != PairList::None).then_some(expected));
        let mut printed = Vec::new();
        outcome.material().write(&mut printed, Emit::Pairs, Format::Jsonl).unwrap();
        assert_eq!(printed.iter().filter(|byte| **byte == b'\n').count(), expected);
    }
}

#[test]
fn an_input_that_changes_before_it_is_copied_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (copies(folder.path(), 3), folder.path().join("result"));
    let temp_files = TempFiles::default();
    // The same number of lines, documents and bytes.
    let content =
        fs::read_to_string(&input).unwrap().replacen("storm", "strike", 1).replacen("The", "A", 1);
    let recorder = Recorder { changes: Some((input.clone(), content)), ..Recorder::default() };
    let contents = Contents { kept: true, ..Contents::default() };
    let job = Dedup { contents, ..job(std::slice::from_ref(&input), Some(&output), &temp_files) };
    let outcome = dedup::run(job, &recorder).unwrap();
    let error =
        outcome.unread.unreadable.list.values().find(|error| error.reason == Reason::Changed);
    assert_eq!(
        error.map(|error| (error.place.path.as_str(), error.inputs)),
        input.to_str().map(|path| (path, 3))
    );
    assert_eq!(fs::read_to_string(output.join("kept.jsonl")).unwrap_or_default(), "");
}

#[test]
fn a_file_that_changes_does_not_take_the_others_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        |file: &str, n: usize| format!("{TEXT} Number {n} of {file}, {}", file.repeat(40 + n));
    let lines = |file: &str, count: usize| -> String {
        let line = |n| format!("{{\"id\":\"{file}{n}\",\"text\":\"{}\"}}\n", text(file, n));
        (0..count).map(line).collect()
    };
    let write = |file: &str| {
        let path = folder.path().join(format!("{file}.jsonl"));
        fs::write(&path, lines(file, 3)).unwrap();
        path
    };
    let inputs = ["a", "b", "c"].map(write);
    let (output, temp_files) = (folder.path().join("result"), TempFiles::default());
    // It grows, so that whatever follows is elsewhere in the second reading.
    let changes = Some((inputs[1].clone(), lines("b", 4)));
    let recorder = Recorder { changes, ..Recorder::default() };
    let contents = Contents { kept: true, dropped: true, csv: true, ..Contents::default() };
    let outcome =
        dedup::run(Dedup { contents, ..job(&inputs, Some(&output), &temp_files) }, &recorder)
            .unwrap();
    let read = |name: &str| fs::read_to_string(output.join(name)).unwrap();
    let kept = lines("a", 3) + &lines("c", 3);
    let all_kept = read("kept/a.jsonl") + &read("kept/b.jsonl") + &read("kept/c.jsonl");
    assert_eq!(all_kept, kept);
    assert!(
        recorder.heard.lock().unwrap().contains(&"problem: changed while it was read".to_owned())
    );
    assert_eq!((outcome.unread.unreadable.count, outcome.counts.unreadable), (1, 1));
    let report: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    let listed = &report["unreadable"]["list"][0];
    assert_eq!(
        (listed["path"].as_str(), &listed["label"]),
        (inputs[1].to_str(), &"changed while it was read".into())
    );
    assert_eq!(report["counts"]["unreadable"], 1);
    for name in ["pairs.jsonl", "clusters.jsonl", "clusters.csv", "dropped.jsonl"] {
        assert!(output.join(name).exists(), "{name}");
    }
}
