//! Watched folders without a process.

use super::*;
use crate::cancel::Cancel;
use crate::observer::Unobserved;
use crate::settings::Layers;
use crate::store::{StoreRequest, open};
use firsthand::online::{Answer, Verdict};
use std::{fs, io};

const TEXT: &str = "The night ferry ran aground on a mud bank shortly before midnight, and none of \
    the forty passengers was hurt. A tug from the harbour will try to free the ship at high tide.";

fn job(folder: &Path, once: bool) -> WatchJob {
    let layers = Layers { profile: Some("feed".to_owned()), ..Layers::default() };
    let address = folder.join("store").display().to_string();
    let request = StoreRequest { address, layers, writable: true, ..StoreRequest::default() };
    let store = open(request, &Unobserved::default()).unwrap();
    WatchJob { store, folder: folder.to_path_buf(), once, poll: None, settle: Duration::ZERO }
}

fn ids(answers: &[Answer]) -> Vec<&str> {
    answers.iter().map(|answer| answer.id.as_deref().unwrap()).collect()
}

#[test]
fn files_that_are_there_are_read_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), TEXT).unwrap();
    fs::write(folder.path().join("b.txt"), TEXT).unwrap();
    fs::write(folder.path().join("c.txt.part"), TEXT).unwrap();
    let once = || {
        let mut answers = Vec::new();
        let summary = run(job(folder.path(), true), &mut answers, &Unobserved::default()).unwrap();
        assert_eq!(summary.counts.documents(), answers.len() as u64);
        answers
    };
    let answers = once();
    assert_eq!(ids(&answers), ["a.txt", "b.txt"]);
    assert_eq!(answers[1].verdict, Verdict::Duplicate);
    assert_eq!(once(), []);
}

/// Writes a second file when the first is answered, and cancels the job after the second.
struct Feeder<'a> {
    folder: &'a Path,
    answers: Vec<Answer>,
    cancel: Cancel,
}

impl AnswerSink for Feeder<'_> {
    fn write(&mut self, answers: &[Answer]) -> io::Result<()> {
        self.answers.extend_from_slice(answers);
        match self.answers.len() {
            1 => fs::write(self.folder.join("second.txt"), TEXT),
            2 => {
                self.cancel.cancel();
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

#[test]
fn files_that_arrive_are_read_until_the_job_is_cancelled() {
    for poll in [None, Some(Duration::from_millis(20))] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("first.txt"), TEXT).unwrap();
        let observer = Unobserved::default();
        let (answers, cancel) = (Vec::new(), observer.0.clone());
        let mut feeder = Feeder { folder: folder.path(), answers, cancel };
        let job = WatchJob { poll, ..job(folder.path(), false) };
        let summary = run(job, &mut feeder, &observer).unwrap();
        assert_eq!(ids(&feeder.answers), ["first.txt", "second.txt"]);
        assert_eq!((summary.counts.originals, summary.counts.duplicates), (1, 1));
    }
}

#[test]
fn a_folder_that_does_not_exist_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job(folder.path(), true);
    job.folder = folder.path().join("nowhere");
    let error = run(job, &mut Vec::new(), &Unobserved::default()).unwrap_err();
    assert!(matches!(error, JobError::Input(InputError::NoFolder(_))), "{error:?}");
}
