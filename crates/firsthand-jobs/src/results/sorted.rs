//! What is kept and what is dropped, in the form in which it came: the inputs are read once more.

use super::annotation::{Annotations, UNREAD};
use super::row_set::RowSet;
use super::row_writer::{NotCopied, RowFate};
use super::shard_names::ShardNames;
use super::{Altered, ChangedFiles, Contents, Material, folder::Folder, jsonl, listed};
use crate::error::{InputError, JobError, OutputError};
use crate::observer::Observer;
use crate::problems::Position;
use firsthand_input::{Place, Raw, ReadError, Reason, RecordFile, Reread};
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// What an input of the second reading is.
enum Standing {
    /// A document, by its position.
    Document(usize),
    /// One that gave no document.
    Unread {
        /// By rule.
        skipped: bool,
    },
    /// Part of the input that stands behind no document.
    Beside,
}

/// What the second reading meets.
enum Met<'a> {
    /// A file of records, by its path and the name of a member in it.
    File(Option<&'a Path>, Option<&'a str>, &'a RecordFile),
    /// An input, and its raw form.
    Input(Position, Standing, Raw<'a>),
}

/// After this number of documents, whoever watches hears how far the copying is.
const BETWEEN_REPORTS: usize = 256;

/// Goes through the inputs again. Files that have changed are passed over from there on, and returned.
/// `go_on` is told the share that is done, and may end it.
fn again(
    from: &Material<'_>,
    go_on: &dyn Fn(f64) -> bool,
    mut visit: impl FnMut(Met<'_>) -> Result<(), OutputError>,
) -> Result<ChangedFiles, JobError> {
    let documents = from.findings.len();
    let mut unread = from.unread.positions.iter().filter(|((side, ..), _)| *side == 1).peekable();
    let mut at = from.findings.first();
    let mut files = ChangedFiles::new();
    let mut is_unread = |batch: usize, item: usize| {
        unread.next_if(|(position, _)| *position == (1, batch, item)).map(|(_, skipped)| *skipped)
    };
    let mut last = (1, 0, 0);
    from.reading.batches.reread(|met| {
        match met {
            Reread::File { path, member, file } => visit(Met::File(path, member, file))?,
            Reread::Beside(raw) => visit(Met::Input(last, Standing::Beside, raw))?,
            Reread::Same { batch, item, raw } => {
                last = (1, batch, item);
                let standing = match is_unread(batch, item) {
                    Some(skipped) => Standing::Unread { skipped },
                    None if at == documents => return Err(InputError::Changed.into()),
                    None => {
                        let share = at as f64 / documents as f64;
                        if at.is_multiple_of(BETWEEN_REPORTS) && !go_on(share) {
                            return Err(JobError::Cancelled);
                        }
                        at += 1;
                        Standing::Document(at - 1)
                    }
                };
                visit(Met::Input(last, standing, raw))?;
            }
            Reread::Changed { batch, items, error } => {
                let first = (1, batch, items.start);
                let lost = items.filter(|item| is_unread(batch, *item).is_none()).count();
                at += lost;
                match files.last_mut().filter(|(_, file)| file.place == error.place) {
                    Some((_, file)) => file.inputs += lost,
                    None => files.push((first, ReadError { inputs: lost, ..error })),
                }
            }
        }
        Ok::<(), JobError>(())
    })?;
    if at != documents {
        return Err(InputError::Changed.into());
    }
    Ok(files)
}

/// Everything that is copied while the inputs are read once more.
struct Copies<'a> {
    kept: Option<RowSet<'a>>,
    dropped: Option<RowSet<'a>>,
    annotated: Option<RowSet<'a>>,
    /// The name of the current file, and the last position in it.
    file: String,
    last: Position,
    /// Rows that are damaged where nobody looked before.
    damaged: ChangedFiles,
    altered: Altered,
}

/// Writes what is kept, what is dropped and all rows with columns added, each in the form in which it
/// came: records as they were, files as a list of paths. Tells what could not be copied as it is.
pub(super) fn to_folder(
    folder: &mut Folder,
    contents: &Contents,
    from: &Material<'_>,
    observer: &dyn Observer,
) -> Result<Altered, JobError> {
    let names = ShardNames::new(&from.reading.inputs);
    let mut copies = Copies {
        kept: contents.kept.then(|| RowSet::new("kept", &names)),
        dropped: contents
            .dropped
            .then(|| RowSet::new("dropped", &names).except(contents.lists_of_dropped().collect())),
        annotated: contents
            .annotate
            .as_ref()
            .map(|added| RowSet::new("annotated", &names).with(Annotations::new(*from, added))),
        file: String::new(),
        last: (1, 0, 0),
        damaged: ChangedFiles::new(),
        altered: Altered::default(),
    };
    let mut reasons = if contents.dropped { Some(folder.file("dropped.jsonl")?) } else { None };
    let is_only = names.is_one();
    let go_on = |share: f64| {
        observer.matched(share);
        !observer.is_cancelled()
    };
    let changed = again(from, &go_on, |met| {
        let (position, standing, raw) = match met {
            Met::File(path, member, file) => return copies.file(folder, (path, member, file)),
            Met::Input(position, standing, raw) => (position, standing, raw),
        };
        copies.input(folder, from, position, (&standing, raw))?;
        if let (Standing::Document(at), Some(reasons)) = (standing, reasons.as_mut())
            && let Some(fate) = from.findings.fate(at).map_err(OutputError::Stream)?
        {
            let id = &from.findings.document(at).map_err(OutputError::Stream)?.id;
            // Where there are several files, the rows themselves are beside the list.
            let record = record_of(raw).filter(|_| is_only);
            let line = jsonl::dropped(id, &fate, record.as_deref(), from);
            reasons.line(&line.map_err(OutputError::Stream)?)?;
        }
        Ok(())
    })?;
    let mut altered = copies.finish(folder)?;
    altered.changed.splice(0..0, changed);
    if let Some(reasons) = reasons {
        folder.finish(reasons)?;
    }
    Ok(altered)
}

impl<'a> Copies<'a> {
    fn sets(&mut self) -> impl Iterator<Item = &mut RowSet<'a>> {
        [&mut self.kept, &mut self.dropped, &mut self.annotated].into_iter().flatten()
    }

    fn file(
        &mut self,
        folder: &mut Folder,
        file: (Option<&Path>, Option<&str>, &RecordFile),
    ) -> Result<(), OutputError> {
        let ended: Vec<_> = self.sets().map(|set| set.file(folder, file)).collect();
        ended.into_iter().try_for_each(|ended| self.told(ended))?;
        self.file = file.2.name().to_owned();
        Ok(())
    }

    fn input(
        &mut self,
        folder: &Folder,
        from: &Material<'_>,
        position: Position,
        (standing, raw): (&Standing, Raw<'_>),
    ) -> Result<(), OutputError> {
        let (document, is_dropped) = match standing {
            Standing::Document(at) => {
                (Some(*at), from.findings.is_dropped(*at).map_err(OutputError::Stream)?)
            }
            _ => (None, false),
        };
        let number = document.map(|at| at as u64);
        // Of a crawl everything is kept but the copies: requests, pictures, errors too.
        let beside = match (standing, raw) {
            (Standing::Beside | Standing::Unread { skipped: true }, Raw::Record { .. })
            | (Standing::Beside, Raw::Beside { .. }) => Some(UNREAD),
            _ => None,
        };
        self.altered.too_large += u64::from(self.kept.is_some() && matches!(raw, Raw::TooLarge));
        let keeps = [
            number.filter(|_| !is_dropped).or(beside),
            number.filter(|_| is_dropped),
            Some(number.unwrap_or(UNREAD)),
        ];
        let sets = [&mut self.kept, &mut self.dropped, &mut self.annotated];
        let path = match document {
            Some(at) => path_of(at, raw, from).map_err(OutputError::Stream)?,
            None => None,
        };
        let mut copied = Vec::new();
        for (set, keep) in sets.into_iter().zip(keeps) {
            let Some(set) = set else { continue };
            copied.push(set.row(raw, RowFate { keep, is_read: document.is_some() }));
            if path.is_some() {
                set.path(folder, path.as_deref().filter(|_| keep.is_some()), from.null)?;
            }
        }
        self.last = position;
        copied.into_iter().try_for_each(|copied| self.told(copied))
    }

    /// Takes note of damage; only what cannot be written is an error.
    fn told(&mut self, copied: Result<(), NotCopied>) -> Result<(), OutputError> {
        match copied {
            Ok(()) => {}
            Err(NotCopied::Output(error)) => return Err(error),
            // Several sets meet the same damage.
            Err(_) if self.damaged.last().is_some_and(|(last, _)| *last == self.last) => {}
            Err(NotCopied::Damaged(detail)) => {
                let detail = format!("{detail}; the rows around it are not copied");
                let reason = Reason::BadRecord { format: "Parquet table", detail };
                let place = Place { path: self.file.clone(), at: None };
                self.damaged.push((self.last, ReadError { place, reason, inputs: 1 }));
            }
        }
        Ok(())
    }

    fn finish(mut self, folder: &mut Folder) -> Result<Altered, OutputError> {
        let ended: Vec<_> = self.sets().map(|set| set.end(folder)).collect();
        ended.into_iter().try_for_each(|ended| self.told(ended))?;
        let mut altered = self.altered;
        altered.changed = self.damaged;
        for set in [self.kept, self.dropped, self.annotated].into_iter().flatten() {
            altered.escaped += set.escaped;
            set.finish(folder)?;
        }
        Ok(altered)
    }
}

/// The JSON of a record on one line.
fn record_of(raw: Raw<'_>) -> Option<Cow<'_, [u8]>> {
    match raw {
        Raw::Line(line) => Some(Cow::Borrowed(line)),
        // In JSON, line ends are white space: inside strings they are escaped.
        Raw::Element(element) => Some(Cow::Owned(
            element.iter().map(|byte| if b"\r\n".contains(byte) { b' ' } else { *byte }).collect(),
        )),
        _ => None,
    }
}

/// The bytes of the path of a document that is a file; the id where there is no file to name.
fn path_of<'a>(
    at: usize,
    raw: Raw<'a>,
    from: &'a Material<'_>,
) -> io::Result<Option<Cow<'a, [u8]>>> {
    let spool: Option<&Path> = from.reading.stdin.as_ref().map(|copy| copy.path());
    Ok(match raw {
        Raw::File(path) if Some(path) != spool => {
            Some(Cow::Borrowed(path.as_os_str().as_encoded_bytes()))
        }
        Raw::File(_) | Raw::Nothing => {
            Some(Cow::Owned(from.findings.document(at)?.id.clone().into_bytes()))
        }
        _ => None,
    })
}

/// Hands on a line for each kept document: a record of JSON as it came; for others an object with the
/// id, or the path or id alone.
pub(super) fn kept_lines(
    from: &Material<'_>,
    objects: bool,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<ChangedFiles, JobError> {
    again(from, &|_| true, |met| {
        let Met::Input(_, Standing::Document(at), raw) = met else { return Ok(()) };
        let mut write = || {
            if from.findings.is_dropped(at)? {
                return Ok(());
            }
            if let Some(record) = record_of(raw) {
                return write(&record);
            }
            let id = from.findings.document(at)?.id.clone();
            if objects {
                return write(serde_json::json!({ "id": id }).to_string().as_bytes());
            }
            let path = path_of(at, raw, from)?.unwrap_or_else(|| id.into_bytes().into());
            write(&listed(&path, from.null))
        };
        write().map_err(OutputError::Stream)
    })
}

/// Hands on a line for each dropped document, as in `dropped.jsonl`.
pub(super) fn dropped_lines(
    from: &Material<'_>,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<ChangedFiles, JobError> {
    again(from, &|_| true, |met| {
        let Met::Input(_, Standing::Document(at), raw) = met else { return Ok(()) };
        let mut write = || {
            let Some(fate) = from.findings.fate(at)? else { return Ok(()) };
            let id = &from.findings.document(at)?.id;
            write(&jsonl::dropped(id, &fate, record_of(raw).as_deref(), from)?)
        };
        write().map_err(OutputError::Stream)
    })
}
