//! Finds all near-duplicates of a collection: read, sign, match, group, write.

mod decided;

use crate::descriptions::Descriptions;
use crate::error::{InputError, JobError, OutputError};
use crate::findings::{Findings, PairList};
use crate::largest::{self, MakePage};
use crate::observer::{Notice, Observer, Phase};
use crate::problems::Unread;
use crate::reading::{self, Pass, Reading, StandardInput};
use crate::report::{self, DocumentCounts, SiteToLookAt, Stopped, Stopwatch, Times};
pub use crate::report::{DedupOutcome, ExplainCommand};
use crate::results::folder::{self, Folder};
use crate::results::{Altered, ChangedFiles, Contents, Emit, Format};
use crate::sources::Sources;
use crate::temp_files::TempFiles;
use decided::Decided;
use firsthand::collections::{self, Collection, group};
use firsthand::matcher::{MOST_PAIRS, SearchLimits};
use firsthand::{Detector, Settings};
use firsthand_input::{Item, ReadOptions};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A collection to search for near-duplicates.
pub struct Dedup<'a> {
    /// How documents are read and compared.
    pub settings: Settings,
    /// Files and folders; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// A reference that the inputs are matched against instead of among themselves.
    pub against: Vec<PathBuf>,
    /// What people have decided about copies; without a file, those that lie in the folder for results.
    pub decisions: Option<PathBuf>,
    /// The folder that results go to; without one, or in a dry run, they stay in the [`DedupOutcome`].
    pub output: Option<Output>,
    /// What the results are.
    pub contents: Contents,
    /// What the caller makes of the [`DedupOutcome`] afterwards, if anything; as text without a format.
    pub emit: Option<(Emit, Option<Format>)>,
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
        stop_after,
        stdin,
        explain,
        page,
        temp_files,
    } = job;
    let decisions = Decided::find(decisions, output.as_ref())?;
    let detector = Detector::new(settings.clone())?;
    reading::check(inputs.iter().chain(&against))?;
    reading::names_standard_input(&[inputs.as_slice(), &against].concat())?;
    let mut folder = match &output {
        Some(output) => open_folder(output, inputs.iter().chain(&against), temp_files)?,
        None => None,
    };

    let (mut watch, mut times) = (Stopwatch::default(), Times::default());
    let mut options = ReadOptions::new(settings.reading.clone());
    options.checksums = reads_again(output.as_ref(), &contents, emit);
    let added = contents.annotate.as_ref().map(|added| added.names().to_vec());
    options.added_columns = added.unwrap_or_default();
    options.except = output.as_ref().and_then(|output| output.path.canonicalize().ok());
    let stdin = stdin.filter(|_| options.checksums).map(|stream| {
        // What is kept goes to the output folder in the end, so there is room for it there.
        let folder =
            folder.as_ref().map_or_else(std::env::temp_dir, |folder| folder.room().to_path_buf());
        StandardInput { stream, folder, temp_files }
    });
    let mut new = Reading::open(&inputs, options.clone(), stdin, observer)?;
    new.check_columns()?;
    options.added_columns.clear();
    let mut reference = match against.as_slice() {
        [] => None,
        against => Some(Reading::open(against, options, None, observer)?),
    };
    let is_described = is_described(output.as_ref(), emit) || decisions.is_some();
    let described = is_described.then(Descriptions::default);
    let noted = described.as_ref();
    let (signed, unread, [sources, sites]) =
        sign(&detector, &mut new, reference.as_mut(), noted, observer)?;
    let Signed { documents, reference, bytes } = signed;
    times.reading = watch.lap();
    observer.phase(Phase::Preparing);
    let collection = match reference {
        Some(reference) => Collection::against(reference, documents),
        None => Ok(Collection::new(documents)),
    }?;
    times.preparing = watch.lap();
    if collection.documents().len() == collection.split().unwrap_or(0) {
        return Err(nothing_read(inputs, unread).into());
    }

    check_pairs(&collection, &contents)?;
    begin(Phase::Matching, observer)?;
    let stop = MatchingStop::new(stop_after);
    let go_on = |share: f64| {
        observer.matched(share);
        !observer.is_cancelled() && stop.go_on(share)
    };
    let most = most_pairs(contents.pairs, collection.documents().len());
    let (pairs, cost) = collection.near_duplicates(SearchLimits { pairs: most, go_on: &go_on });
    if observer.is_cancelled() {
        return Err(JobError::Cancelled);
    }
    let stopped = stop.stopped();
    times.matching = watch.lap();
    let (clusters, obeyed) = match &decisions {
        None => (group(&collection, &pairs), None),
        Some(decided) => {
            let (clusters, obeyed) = decided.group(&collection, &pairs, noted)?;
            (clusters, Some(obeyed))
        }
    };
    times.grouping = watch.lap();
    let limit = if contents.pairs == PairList::All { contents.max_pairs } else { most as u64 };
    let findings = Findings::new(collection, (pairs, cost), clusters, limit);
    if findings.listing(contents.pairs) != contents.pairs {
        observer.notice(Notice::PairsNotListed { pairs: findings.found_count(), limit });
    }
    let counts = DocumentCounts::new(&findings, &unread, bytes);
    for document in findings.unmatchable() {
        observer.notice(Notice::Unmatchable { id: &document.id, is_empty: document.length == 0 });
    }
    let losses = sources.losses(findings.drops());
    let site_losses = sites.site_losses(findings.drops_by_cluster()).into_iter();
    let site_losses = site_losses.map(|loss| SiteToLookAt::new(loss, &findings, explain)).collect();

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
        reading_took: Duration::from_secs_f64(times.reading),
        took,
        settings,
        contents,
        stopped,
        decisions: obeyed,
        descriptions: described.unwrap_or_default(),
        reading: new,
    };
    if let Some(folder) = &mut folder {
        let Altered { too_large: records, escaped: paths, changed } =
            outcome.contents.write(folder, &outcome.material())?;
        outcome.add_changed(changed, observer);
        if records > 0 {
            observer.notice(Notice::TooLargeToCopy { records });
        }
        if paths > 0 {
            observer.notice(Notice::PathsEscaped { paths });
        }
        if let Some(page) = page {
            let page = page(&outcome, &largest::read(&outcome));
            folder.write("report.html", |out| out.write_all(page.as_bytes()))?;
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
fn most_pairs(list: PairList, documents: usize) -> usize {
    match list {
        PairList::All => MOST_PAIRS,
        _ => documents.saturating_mul(100).clamp(2_000_000, MOST_PAIRS),
    }
}

/// Ends the search for pairs in time.
struct MatchingStop {
    started: Instant,
    after: Option<Duration>,
    /// The share that was done then, in millionths and plus one; 0 if it was not stopped.
    share: AtomicU32,
}

impl MatchingStop {
    fn new(after: Option<Duration>) -> Self {
        Self { started: Instant::now(), after, share: AtomicU32::new(0) }
    }

    fn go_on(&self, share: f64) -> bool {
        let go_on = self.after.is_none_or(|after| self.started.elapsed() < after);
        if !go_on {
            let share = (share * 1e6) as u32 + 1;
            let _ = self.share.compare_exchange(0, share, Ordering::Relaxed, Ordering::Relaxed);
        }
        go_on
    }

    fn stopped(&self) -> Option<Stopped> {
        let share = self.share.load(Ordering::Relaxed).checked_sub(1)?;
        let share = f64::from(share) / 1e6;
        Some(Stopped { after_seconds: self.started.elapsed().as_secs_f64(), share })
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
    folder::check(&output.path, output.force)?;
    folder::keep_apart(inputs, &output.path)?;
    Ok(if output.dry_run { None } else { Some(Folder::open(&output.path, temp_files)?) })
}

/// Inputs of at least this number of bytes are kept in little memory.
const LARGE: u64 = 256 << 20;

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
    descriptions: Option<&Descriptions>,
    observer: &dyn Observer,
) -> Result<(Signed, Unread, [Sources; 2]), JobError> {
    let total = match &reference {
        Some(reference) => {
            let both = new.batches.total_bytes().zip(reference.batches.total_bytes());
            both.map(|(a, b)| a + b)
        }
        None => new.batches.total_bytes(),
    };
    let pass = Pass::new(observer, total);
    let describe = |side: usize, batch: usize| {
        let mut noted = descriptions.map(|descriptions| descriptions.batch(side, batch));
        move |item: &Item| noted.iter_mut().for_each(|noted| noted.add(item))
    };
    // To keep texts in little memory takes a quarter more time: only where memory matters.
    let is_large = total.is_none_or(|bytes| bytes >= LARGE);
    let reference = reference.map(|reference| {
        pass.sign_for_pairs(reference, 0, detector, is_large, |batch| describe(0, batch))
    });
    let (sources, sites) = (Sources::named(), Sources::sites());
    let documents = pass.sign_for_pairs(new, 1, detector, is_large, |batch| {
        let mut noted = [sources.batch(batch), sites.batch(batch)];
        let mut describe = describe(1, batch);
        move |item: &Item| {
            noted.iter_mut().for_each(|noted| noted.add(&item.document));
            describe(item);
        }
    });
    let (bytes, unread) = pass.finish()?;
    if let Some(descriptions) = descriptions {
        descriptions.finish().map_err(InputError::Descriptions)?;
    }
    Ok((Signed { documents, reference, bytes }, unread, [sources, sites]))
}

/// Inputs without a single document are a mistake: a wrong field, a damaged file, an empty stream.
fn nothing_read(inputs: Vec<PathBuf>, unread: Unread) -> InputError {
    let (unread, skipped) = (unread.unreadable.by_reason, unread.skipped.by_reason);
    match unread.is_empty() && inputs.iter().all(|input| input.is_dir()) {
        true => InputError::Nothing { inputs, skipped },
        false => InputError::NoDocument { inputs, unread, skipped },
    }
}
