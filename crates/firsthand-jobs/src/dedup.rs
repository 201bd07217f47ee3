//! Finds all near-duplicates of a collection: read, sign, match, group, write.

mod decided;
mod estimate;
mod finding;
mod matching_stop;

use crate::beyond::scratch::Scratch;
use crate::beyond::{self, Memory};
use crate::error::{InputError, JobError, MemoryError, OutputError};
use crate::findings::PairList;
use crate::input_order::InputOrder;
use crate::inputs::Inputs;
use crate::largest::{self, MakePage};
use crate::observer::{Notice, Observer, Phase};
use crate::problems::Unread;
use crate::reading::{self, StandardInput};
use crate::report::{self, DocumentCounts, SiteToLookAt, Stopwatch, Times};
pub use crate::report::{DedupOutcome, ExplainCommand};
use crate::results::folder::{self, Folder};
use crate::results::{Altered, ChangedFiles, Contents, Emit, Format};
use crate::temp_files::TempFiles;
use decided::Decided;
use finding::{Finding, Found};
use firsthand::collections::Collection;
use firsthand::matcher::MOST_PAIRS;
use firsthand::{Detector, Settings};
use firsthand_input::{ReadOptions, Reason};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

/// A collection to search for near-duplicates.
pub struct Dedup<'a> {
    /// How documents are read and compared.
    pub settings: Settings,
    /// What is searched.
    pub inputs: Inputs,
    /// A reference that the inputs are matched against instead of among themselves, unless it is empty.
    pub against: Inputs,
    /// What people have decided about copies; without a file, those that lie in the folder for results.
    pub decisions: Option<PathBuf>,
    /// The folder that results go to; without one, or in a dry run, they stay in the [`DedupOutcome`].
    pub output: Option<Output>,
    /// What the results are.
    pub contents: Contents,
    /// What the caller makes of the [`DedupOutcome`] afterwards, if anything; as text without a format.
    pub emit: Option<(Emit, Option<Format>)>,
    /// The memory that the job may take, and where the rest goes.
    pub memory: Memory,
    /// How long pairs are searched for at most; then the job goes on with those that were found.
    pub stop_after: Option<Duration>,
    /// Standard input, if `-` is among the inputs: it is copied where the inputs are read twice.
    pub stdin: Option<&'a mut dyn Read>,
    /// How two documents are explained to the user, which the report repeats where it warns.
    pub explain: Option<ExplainCommand<'a>>,
    /// What makes a page of the largest clusters, which goes to the results as `report.html`.
    pub page: Option<MakePage<'a>>,
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
pub fn run(job: Dedup<'_>, observer: &dyn Observer) -> Result<DedupOutcome, JobError> {
    let Dedup {
        settings,
        inputs,
        against,
        decisions,
        output,
        contents,
        emit,
        memory,
        stop_after,
        stdin,
        explain,
        page,
        temp_files,
    } = job;
    let decisions = Decided::find(decisions, output.as_ref())?;
    let detector = Detector::new(settings.clone())?;
    // The rows of a table are the caller's: they are bounded if that is asked for, and nothing tells a later
    // run that they are the same.
    let is_table = |inputs: &Inputs| matches!(inputs, Inputs::Table(_));
    let memory = match (is_table(&inputs) || is_table(&against), memory.is_asked) {
        (true, true) => Memory { resume: false, ..memory },
        (true, false) => Memory { bytes: u64::MAX, resume: false, ..memory },
        (false, _) => memory,
    };
    let paths = [inputs.paths(), against.paths()].concat();
    reading::check(&paths)?;
    reading::names_standard_input(&paths)?;
    let mut folder = match &output {
        Some(output) => open_folder(output, paths.iter(), temp_files)?,
        None => None,
    };

    let (mut watch, mut times) = (Stopwatch::default(), Times::default());
    let mut options = ReadOptions::new(settings.reading.clone());
    options.checksums = reads_again(output.as_ref(), &contents, emit);
    let added = contents.annotate.as_ref().map(|added| added.names().to_vec());
    options.added_columns = added.unwrap_or_default();
    options.except = output.as_ref().and_then(|output| output.path.canonicalize().ok());
    let stdin = stdin.filter(|_| options.checksums || memory.is_asked).map(|stream| {
        // What is kept goes to the output folder in the end, so there is room for it there.
        let folder =
            folder.as_ref().map_or_else(std::env::temp_dir, |folder| folder.room().to_path_buf());
        StandardInput { stream, folder, temp_files }
    });
    let mut new = inputs.open(options.clone(), stdin, observer)?;
    new.check_columns()?;
    options.added_columns.clear();
    let mut reference = match against.is_empty() {
        true => None,
        false => Some(against.open(options, None, observer)?),
    };
    let described = is_described(output.as_ref(), emit) || decisions.is_some();
    let folder_of_results = output.as_ref().filter(|output| !output.dry_run);
    let folder_of_results = folder_of_results.map(|output| &*output.path);
    let scratch_path = beyond::scratch_folder(&memory, folder_of_results, inputs.paths());
    let clock = (&mut watch, &mut times);
    let order = InputOrder::default();
    let nothing = |unread: &Unread| nothing_read(&inputs, unread);
    let finding = Finding {
        detector: &detector,
        contents: &contents,
        decisions: decisions.as_ref(),
        described,
        order: &order,
        nothing: &nothing,
        memory: &memory,
        scratch_path,
        stop_after,
        observer,
        temp_files,
    };
    let found = finding.run(&mut new, reference.as_mut(), clock)?;
    let Found { findings, unread, bytes, losses, site_losses, descriptions, .. } = found;
    let Found { obeyed, stopped, scratch, resumed, .. } = found;
    let most = most_pairs(contents.pairs, findings.len());
    let limit = if contents.pairs == PairList::All { contents.max_pairs } else { most as u64 };
    if findings.listing(contents.pairs) != contents.pairs {
        observer.notice(Notice::PairsNotListed { pairs: findings.found_count(), limit });
    }
    let unread_scratch = |source| unread_documents(scratch.as_deref(), source);
    let counts = DocumentCounts::new(&findings, &unread, bytes).map_err(unread_scratch)?;
    for document in findings.unmatchable() {
        let document = document.map_err(unread_scratch)?;
        observer.notice(Notice::Unmatchable { id: &document.id, is_empty: document.length == 0 });
    }
    let site_losses = site_losses.into_iter();
    let site_losses = site_losses.map(|loss| SiteToLookAt::new(loss, &findings, explain));
    let site_losses = site_losses.collect::<io::Result<_>>().map_err(unread_scratch)?;

    begin(Phase::Writing, observer)?;
    let (kinds, files) = (new.batches.files(), contents.planned(&new, page.is_some()));
    let took = watch.total();
    let mut outcome = DedupOutcome {
        findings,
        unread,
        counts,
        losses,
        site_losses,
        kinds,
        files,
        resumed,
        reading_took: Duration::from_secs_f64(times.reading),
        took,
        settings,
        contents,
        stopped,
        decisions: obeyed,
        scratch,
        descriptions,
        reading: new,
        order,
    };
    if let Some(folder) = &mut folder {
        // Lists are written by this thread while others make the page.
        let sources = largest::Sources {
            findings: &outcome.findings,
            descriptions: &outcome.descriptions,
            detector: &detector,
        };
        let (counts, threshold) = (outcome.counts, outcome.settings.threshold);
        let made = |page: MakePage<'_>| Ok(page(&counts, threshold, &largest::read(sources)?));
        let mut made_page = None;
        let written = rayon::in_place_scope(|scope| {
            if let Some(page) = page {
                scope.spawn(|_| made_page = Some(made(page)));
            }
            outcome.contents.write(folder, &outcome.material(), observer)
        });
        let Altered { too_large: records, escaped: paths, changed } = written?;
        outcome.add_changed(changed, observer);
        if records > 0 {
            observer.notice(Notice::TooLargeToCopy { records });
        }
        if paths > 0 {
            observer.notice(Notice::PathsEscaped { paths });
        }
        if let Some(page) = made_page {
            let page =
                page.map_err(|source| unread_documents(outcome.scratch.as_deref(), source))?;
            folder.write("report.html", |out| out.write_all(page.as_bytes()))?;
        }
        outcome.files = folder.names().chain(["report.json".to_owned()]).collect();
    }
    times.writing = watch.lap();
    outcome.took = watch.total();
    times.total = outcome.took.as_secs_f64();
    if let Some(mut folder) = folder {
        folder.write("report.json", |out| {
            report::write(out, (inputs.paths(), against.paths()), &outcome, times)
        })?;
        folder.publish()?;
    }
    Ok(outcome)
}

impl DedupOutcome {
    /// Takes note of files that changed before their records could be copied, and tells the observer:
    /// they are errors like those of reading.
    pub fn add_changed(&mut self, changed: ChangedFiles, observer: &dyn Observer) {
        for (position, error) in changed {
            observer.problem(&error);
            self.unread.unreadable.add(position, error);
        }
        self.counts.unreadable = self.unread.unreadable.count;
    }
}

/// Whether the inputs are read once more, for what is kept or dropped.
fn reads_again(
    output: Option<&Output>,
    contents: &Contents,
    emit: Option<(Emit, Option<Format>)>,
) -> bool {
    let is_written = output.is_some_and(|output| !output.dry_run);
    is_written && contents.copies_rows()
        || match emit {
            Some((Emit::Kept, format)) => matches!(format, None | Some(Format::Jsonl)),
            Some((Emit::Dropped, format)) => format == Some(Format::Jsonl),
            Some((Emit::Clusters | Emit::Pairs, _)) | None => false,
        }
}

/// Documents on disk that cannot be read back.
pub(crate) fn unread_documents(scratch: Option<&Scratch>, source: io::Error) -> JobError {
    let folder = scratch.map_or_else(PathBuf::new, |scratch| scratch.path().to_path_buf());
    MemoryError::Scratch { folder, source }.into()
}

/// Fails before the long work if equal texts alone have more pairs than are to be listed.
fn check_pairs(collection: &Collection, contents: &Contents) -> Result<(), OutputError> {
    if contents.pairs != PairList::All {
        return Ok(());
    }
    let (pairs, limit) = (collection.equal_pairs(), contents.max_pairs);
    if pairs > limit { Err(OutputError::TooManyPairs { pairs, limit }) } else { Ok(()) }
}

/// The most pairs that are listed: in proportion to the documents, since a campaign of a few thousand
/// near-identical texts has millions of pairs.
pub fn most_pairs(list: PairList, documents: usize) -> usize {
    match list {
        PairList::All => MOST_PAIRS,
        _ => documents.saturating_mul(100).clamp(2_000_000, MOST_PAIRS),
    }
}

/// Whether titles and the like are written.
fn is_described(output: Option<&Output>, emit: Option<(Emit, Option<Format>)>) -> bool {
    output.is_some_and(|output| !output.dry_run) || matches!(emit, Some((Emit::Clusters, Some(_))))
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
    folder::keep_apart(inputs, &output.path)?;
    folder::check(&output.path, output.force)?;
    Ok(if output.dry_run { None } else { Some(Folder::open(&output.path, temp_files)?) })
}

/// Inputs without a single document are a mistake: a wrong field, a damaged file, an empty stream. Only a
/// table may be empty, or have no texts.
fn nothing_read(inputs: &Inputs, unread: &Unread) -> Option<InputError> {
    let Inputs::Paths(paths) = inputs else {
        let first = unread.unreadable.list.values().next()?;
        let is_null = matches!(first.reason, Reason::NotAText { found: "null", .. });
        return (!is_null).then(|| InputError::NoRow(Box::new(first.clone())));
    };
    let inputs = paths.clone();
    let (unread, skipped) = (unread.unreadable.by_reason.clone(), unread.skipped.by_reason.clone());
    Some(match unread.is_empty() && inputs.iter().all(|input| input.is_dir()) {
        true => InputError::Nothing { inputs, skipped },
        false => InputError::NoDocument { inputs, unread, skipped },
    })
}
