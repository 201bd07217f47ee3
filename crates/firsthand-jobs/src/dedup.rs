//! Finds all near-duplicates of a collection: read, sign, match, group, write.

use crate::error::{InputError, JobError};
use crate::findings::Findings;
use crate::observer::{Notice, Observer, Phase};
use crate::problems::Unread;
use crate::reading::{self, Pass, Reading, StandardInput};
pub use crate::report::Outcome;
use crate::report::{self, Counts, Stopwatch, Times};
use crate::results::folder::{self, Folder};
use crate::results::{Contents, Emit, Format};
use crate::sources::Sources;
use crate::temp_files::TempFiles;
use firsthand::collections::{self, Collection, group};
use firsthand::{Detector, Document, Settings};
use firsthand_input::ReadOptions;
use std::io::Read;
use std::path::PathBuf;

/// A collection to search for near-duplicates.
pub struct Dedup<'a> {
    /// How documents are read and compared.
    pub settings: Settings,
    /// Files and folders; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// A reference that the inputs are matched against instead of among themselves.
    pub against: Vec<PathBuf>,
    /// The folder that results go to; without one, or in a dry run, they stay in the [`Outcome`].
    pub output: Option<Output>,
    /// What the results are.
    pub contents: Contents,
    /// What the caller makes of the [`Outcome`] afterwards, if anything; as text without a format.
    pub emit: Option<(Emit, Option<Format>)>,
    /// Standard input, if `-` is among the inputs: it is copied where the inputs are read twice.
    pub stdin: Option<&'a mut dyn Read>,
    /// Where temporary files are noted.
    pub temp_files: &'a TempFiles,
}

/// A folder of results.
#[derive(Clone, Debug)]
pub struct Output {
    /// The folder.
    pub path: PathBuf,
    /// Whether results that are there are replaced.
    pub force: bool,
    /// Whether everything is done but writing.
    pub dry_run: bool,
}

/// Runs the job.
///
/// # Errors
///
/// If settings, inputs or output cannot be used, the inputs hold nothing to read, or the job is
/// cancelled. Nothing is left in the folder for results then.
pub fn run(job: Dedup<'_>, observer: &dyn Observer) -> Result<Outcome, JobError> {
    let Dedup { settings, inputs, against, output, contents, emit, stdin, temp_files } = job;
    let detector = Detector::new(settings.clone())?;
    reading::check(inputs.iter().chain(&against))?;
    reading::names_standard_input(&[inputs.as_slice(), &against].concat())?;
    let mut folder = match &output {
        Some(output) => open_folder(output, inputs.iter().chain(&against), temp_files)?,
        None => None,
    };

    let (mut watch, mut times) = (Stopwatch::default(), Times::default());
    let mut options = ReadOptions::new(settings.reading.clone());
    options.except = output.as_ref().and_then(|output| output.path.canonicalize().ok());
    let stdin = stdin.filter(|_| reads_again(output.as_ref(), contents, emit)).map(|stream| {
        // What is kept goes to the output folder in the end, so there is room for it there.
        let folder = output.as_ref().map_or_else(std::env::temp_dir, |output| output.path.clone());
        StandardInput { stream, folder, temp_files }
    });
    let mut new = Reading::open(&inputs, options.clone(), stdin, observer)?;
    let mut reference = match against.as_slice() {
        [] => None,
        against => Some(Reading::open(against, options, None, observer)?),
    };
    let (signed, unread, sources) = sign(&detector, &mut new, reference.as_mut(), observer)?;
    let Signed { documents, reference, bytes } = signed;
    times.reading = watch.lap();
    observer.phase(Phase::Preparing);
    let collection = match reference {
        Some(reference) => Collection::against(reference, documents),
        None => Ok(Collection::new(documents)),
    }?;
    times.preparing = watch.lap();
    if collection.documents().is_empty() {
        refuse_nothing(&inputs, &unread)?;
    }

    begin(Phase::Matching, observer)?;
    let (pairs, cost) = collection.matches()?;
    times.matching = watch.lap();
    let clusters = group(&collection, &pairs);
    times.grouping = watch.lap();
    let findings = Findings::new(collection, pairs, clusters, cost);
    let counts = Counts::new(&findings, &unread, bytes);
    let losses = sources.losses(findings.drops());

    begin(Phase::Writing, observer)?;
    let (kinds, files) = (new.batches.files(), contents.planned());
    let took = watch.total();
    let mut outcome = Outcome {
        findings,
        unread,
        counts,
        losses,
        kinds,
        files,
        took,
        settings,
        contents,
        reading: new,
    };
    if let Some(folder) = &mut folder {
        let records = contents.write(folder, &outcome.material())?;
        if records > 0 {
            observer.notice(Notice::TooLargeToCopy { records });
        }
        outcome.files = folder.names().chain(["report.json".to_owned()]).collect();
    }
    times.writing = watch.lap();
    outcome.took = watch.total();
    times.total = outcome.took.as_secs_f64();
    if let Some(mut folder) = folder {
        folder
            .write("report.json", |out| report::write(out, (&inputs, &against), &outcome, times))?;
        folder.publish()?;
    }
    Ok(outcome)
}

/// Whether the inputs are read once more, for what is kept or dropped.
fn reads_again(
    output: Option<&Output>,
    contents: Contents,
    emit: Option<(Emit, Option<Format>)>,
) -> bool {
    let is_written = output.is_some_and(|output| !output.dry_run);
    is_written && (contents.kept || contents.dropped)
        || match emit {
            Some((Emit::Kept, format)) => format != Some(Format::Csv),
            Some((Emit::Dropped, format)) => format == Some(Format::Jsonl),
            Some((Emit::Clusters | Emit::Pairs, _)) | None => false,
        }
}

fn begin(phase: Phase<'_>, observer: &dyn Observer) -> Result<(), JobError> {
    observer.phase(phase);
    if observer.is_cancelled() { Err(JobError::Cancelled) } else { Ok(()) }
}

/// The folder for results, checked before the long work; none in a dry run.
fn open_folder<'a>(
    output: &Output,
    inputs: impl Iterator<Item = &'a PathBuf>,
    temp_files: &TempFiles,
) -> Result<Option<Folder>, JobError> {
    folder::check(&output.path, output.force)?;
    folder::keep_apart(inputs, &output.path)?;
    Ok(if output.dry_run { None } else { Some(Folder::open(&output.path, temp_files)?) })
}

/// Signed inputs.
struct Signed {
    documents: collections::Signed,
    reference: Option<collections::Signed>,
    bytes: u64,
}

/// Reads and signs the reference, then the inputs.
fn sign(
    detector: &Detector,
    new: &mut Reading,
    reference: Option<&mut Reading>,
    observer: &dyn Observer,
) -> Result<(Signed, Unread, Sources), JobError> {
    let total = match &reference {
        Some(reference) => {
            let both = new.batches.total_bytes().zip(reference.batches.total_bytes());
            both.map(|(a, b)| a + b)
        }
        None => new.batches.total_bytes(),
    };
    let pass = Pass::new(observer, total);
    let reference =
        reference.map(|reference| pass.sign(reference, 0, detector, |_| |_: &Document| ()));
    let sources = Sources::default();
    let documents = pass.sign(new, 1, detector, |batch| {
        let mut noted = sources.batch(batch);
        move |document: &Document| noted.add(document)
    });
    let (bytes, unread) = pass.finish()?;
    Ok((Signed { documents, reference, bytes }, unread, sources))
}

/// A folder in which there is nothing to read is a mistake; an empty stream or file is not.
fn refuse_nothing(inputs: &[PathBuf], unread: &Unread) -> Result<(), InputError> {
    if unread.unreadable.count > 0 || !inputs.iter().all(|input| input.is_dir()) {
        return Ok(());
    }
    let (inputs, skipped) = (inputs.to_vec(), unread.skipped.by_reason.clone());
    Err(InputError::Nothing { inputs, skipped })
}
