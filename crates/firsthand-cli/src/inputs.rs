//! What is read: the inputs, the reference they are matched against, and what must not be mixed.

use crate::args::DedupArgs;
use crate::results::folder::is_result;
use crate::temp_file_guard::TempFileGuard;
use crate::{console::Console, problems::Problems, progress::Progress, sources::Sources};
use anyhow::{Context, Result, bail};
use firsthand::{Detector, collections::Signed};
use firsthand_input::{Batches, ReadOptions, Spool};
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// All inputs of a run, listed and ready to be read.
pub(crate) struct Inputs {
    pub(crate) new: Batches,
    pub(crate) reference: Option<Batches>,
    pub(crate) reading: ReadOptions,
    /// The copy of standard input, and what removes it should the run be interrupted.
    pub(crate) spool: Option<(Spool, TempFileGuard)>,
}

/// Lists everything that was named; fails if something is not there.
pub(crate) fn open(
    args: &DedupArgs,
    mut reading: ReadOptions,
    twice: bool,
    console: &Console,
) -> Result<Inputs> {
    let is_stdin = |path: &&PathBuf| path.as_os_str() == "-";
    let times = args.inputs.iter().chain(&args.against).filter(is_stdin).count();
    if times > 1 {
        bail!("`-` is named {times} times, but standard input can be read only once");
    }
    if times == 1 && std::io::stdin().is_terminal() {
        console.say("reading JSON lines from the terminal; Ctrl-D ends the input");
    }
    let mut spool = None;
    if twice && args.inputs.iter().any(|input| is_stdin(&input)) {
        // What is kept goes to the output folder in the end, so there is room for it there.
        let folder = args.output.output.clone().unwrap_or_else(std::env::temp_dir);
        let (copy, temp_file_guard) = TempFileGuard::make(|| Spool::empty(&folder), Spool::path)
            .and_then(|made| made.0.fill(std::io::stdin()).map(|()| made))
            .with_context(|| {
                format!("cannot keep a copy of standard input in {}", folder.display())
            })?;
        reading.stdin = Some(copy.path().to_path_buf());
        spool = Some((copy, temp_file_guard));
    }
    if let Some(output) = &args.output.output {
        reading.except = output.canonicalize().ok();
    }
    let new = firsthand_input::open(&args.inputs, &reading)?;
    let reference = match args.against.as_slice() {
        [] => None,
        against => Some(firsthand_input::open(against, &reading)?),
    };
    Ok(Inputs { new, reference, reading, spool })
}

/// Fails if a named input is not there, before anything is written or standard input is read.
pub(crate) fn check<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    for input in inputs.into_iter().filter(|path| path.as_os_str() != "-") {
        if let Err(error) = input.metadata() {
            match error.kind() {
                std::io::ErrorKind::NotFound => {
                    bail!("{}: there is no such file or folder", input.display())
                }
                _ => bail!("{}: {error}", input.display()),
            }
        }
        if is_model(input) {
            bail!(
                "{} is a model, not a document: name documents, and the model with --model",
                input.display()
            );
        }
    }
    Ok(())
}

/// Whether a file begins as `firsthand learn` writes models.
fn is_model(path: &Path) -> bool {
    let mut start = Vec::new();
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(64).read_to_end(&mut start));
    start.retain(|byte| !byte.is_ascii_whitespace());
    let start = String::from_utf8_lossy(&start);
    read.is_some() && start.starts_with("{\"version\":") && start.contains(",\"fingerprint\":\"")
}

/// Fails if writing results would change an input.
pub(crate) fn keep_apart<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    output: &Path,
) -> Result<()> {
    let Ok(folder) = output.canonicalize() else { return Ok(()) };
    for input in inputs {
        let Ok(real) = input.canonicalize() else { continue };
        if real == folder {
            bail!(
                "{} is both an input and the folder for results: choose another with -o",
                input.display()
            );
        }
        let name = real.file_name().and_then(|name| name.to_str());
        if real.parent() == Some(&folder) && name.is_some_and(is_result) {
            bail!(
                "{} is an input, and results of that name go to {}: choose another folder with -o",
                input.display(),
                output.display()
            );
        }
    }
    Ok(())
}

/// Who hears about reading.
pub(crate) struct Listeners<'a> {
    pub(crate) console: &'a Console,
    pub(crate) progress: &'a Progress,
    pub(crate) problems: &'a Problems,
    /// The sources of the documents, where they are counted.
    pub(crate) sources: Option<&'a Sources>,
}

/// Reads and signs everything on all threads; `side` is 0 for a reference and 1 for the inputs.
pub(crate) fn sign(
    detector: &Detector,
    batches: &mut Batches,
    reading: &ReadOptions,
    side: usize,
    listeners: &Listeners<'_>,
) -> Signed {
    let Listeners { console, progress, problems, sources } = listeners;
    Signed::new(detector, progress.watch(batches), |batch| {
        let index = batch.index();
        let mut noted = sources.map(|sources| sources.batch(index));
        // One after another: a row group may hold more text than should be in memory at once.
        let mut next = 0;
        batch.into_documents(reading).filter_map(move |read| match read {
            Ok(item) => {
                let number = next;
                next += 1;
                progress.add(1);
                problems.remark(console, (side, index, number), &item, &reading.limits);
                if let Some(noted) = &mut noted {
                    noted.add(&item.document);
                }
                Some(item.document)
            }
            Err(error) => {
                let number = next;
                next += error.inputs;
                problems.add(console, (side, index, number), error);
                None
            }
        })
    })
}
