//! `firsthand watch`: answers to the files of a folder, on standard output or appended to a file.

use crate::args::WatchArgs;
use crate::session::Session;
use crate::stream::{Stdout, exit_code, open_store, say_summary};
use crate::terminal::Terminal;
use crate::words;
use anyhow::{Context, Result, bail};
use firsthand::online::Answer;
use firsthand_jobs::InputError;
use firsthand_jobs::answers::{AnswerSink, write_lines};
use firsthand_jobs::watch::{self, WatchJob};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(crate) fn run(args: &WatchArgs, session: &Session) -> Result<ExitCode> {
    let terminal = Terminal::new(&args.run, session).without_progress();
    let folder = args.inbox.clone();
    if !folder.is_dir() {
        return Err(words::of_input(InputError::NoFolder(folder)));
    }
    let mut sink: Box<dyn AnswerSink> = match &args.out {
        None => Box::new(Stdout(BufWriter::with_capacity(1 << 16, io::stdout()))),
        Some(path) => Box::new(AppendedFile::open(path, &folder)?),
    };
    let store = open_store(&args.store.address, &args.settings, &args.online, true, &terminal)?;
    let job = WatchJob { store, folder, once: args.once, poll: args.poll, settle: args.settle };
    let summary = watch::run(job, &mut *sink, &terminal).map_err(words::of_job)?;
    say_summary(&terminal.console, &summary, true);
    Ok(exit_code(&args.answers, &summary.counts, session))
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
