//! `firsthand watch`: answers to the files of a folder, on standard output or appended to a file.

use crate::args::WatchArgs;
use crate::console::Console;
use crate::signals::Signals;
use crate::stream::observer::StreamObserver;
use crate::stream::{Stdout, exit_code, open_store, say_summary, words};
use anyhow::{Context, Result, bail};
use firsthand::online::Answer;
use firsthand_jobs::answers::{AnswerSink, write_lines};
use firsthand_jobs::watch::{self, WatchJob};
use firsthand_jobs::{InputError, JobError};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &WatchArgs, signals: &Signals) -> Result<ExitCode> {
    let console = Arc::new(Console::new(&args.run));
    let observer = StreamObserver::new(&console, signals, false);
    let folder = args.inbox.clone();
    if !folder.is_dir() {
        return Err(words::explain(JobError::Input(InputError::NoFolder(folder))));
    }
    let mut sink: Box<dyn AnswerSink> = match &args.out {
        None => Box::new(Stdout(BufWriter::with_capacity(1 << 16, io::stdout()))),
        Some(path) => Box::new(AppendedFile::open(path, &folder)?),
    };
    let store = open_store(&args.store.address, &args.settings, &args.online, true, &observer)?;
    let job =
        WatchJob { store, folder, once: args.once, poll: args.poll, settle: args.settle };
    let summary = watch::run(job, &mut *sink, &observer).map_err(words::explain)?;
    say_summary(&console, &summary, true);
    Ok(exit_code(&args.answers, &summary.counts, signals))
}

/// A file that answers are appended to.
struct AppendedFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl AppendedFile {
    fn open(path: &Path, inbox: &Path) -> Result<Self> {
        let shown = path.display();
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let (folder, inbox) = (folder.canonicalize().ok(), inbox.canonicalize()?);
        if folder.is_some_and(|folder| folder.starts_with(inbox)) {
            bail!("{shown} lies in the folder that is watched: choose another place with --out");
        }
        let file = File::options().append(true).create(true).open(path);
        let file = file.with_context(|| format!("cannot append to {shown}"))?;
        Ok(Self { path: path.to_path_buf(), file: BufWriter::new(file) })
    }

    fn named(&self, error: &io::Error) -> io::Error {
        let words = format!("cannot append to {}: {error}", self.path.display());
        io::Error::new(error.kind(), words)
    }
}

impl AnswerSink for AppendedFile {
    fn write(&mut self, answers: &[Answer]) -> io::Result<()> {
        write_lines(&mut self.file, answers).map_err(|error| self.named(&error))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.get_ref().sync_data().map_err(|error| self.named(&error))
    }
}
