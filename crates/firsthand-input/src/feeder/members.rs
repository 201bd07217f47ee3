//! Members of archives, and streams that no name tells the kind of.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use crate::error::{ReadError, Reason};
use crate::job::Job;
use crate::kind::{self, Compression, Kind};
use crate::options::ReadOptions;
use crate::place::Place;
use crate::sink::Flow;
use crate::sniff::{self, Doubt};
use crate::stream::{self, Budget, Bytes, Source};
use crate::walk::{Entry, Input, shown};
use firsthand::settings::Limit;

/// Compressed data begins to give bytes somewhere in here: the largest blocks are those of bzip2.
const PACKED_START: usize = 1 << 20;

/// A member of an archive, under its name in there; names that lead out of it are passed over.
pub(crate) fn member(job: &mut Job<'_>, inner: &[u8], stream: Bytes<'_>) -> Flow {
    let inner = shown(inner);
    let mut job = Job {
        name: name_within(&job.name, &inner),
        settings: job.settings,
        sink: job.sink,
        budget: job.budget.clone(),
        compression: job.compression,
        depth: job.depth + 1,
        seen: job.seen,
        copying: job.copying,
    };
    if leads_outside(&inner) {
        return job.unread(None, Reason::Outside);
    }
    if is_hidden(&inner) {
        return job.unread(None, Reason::Hidden);
    }
    let path = Path::new(&inner);
    let (by_name, named) = kind::kind_of(path);
    if let Some(kind) = chosen(by_name, job.settings) {
        return super::cut(&mut job, kind, stream, named);
    }
    match told(&job, stream, named, doubt(path)) {
        Ok(Told { kind: Some(kind), stream, .. }) => super::cut(&mut job, kind, stream, named),
        Ok(Told { is_empty, .. }) => job.unread(None, unknown(path, is_empty)),
        Err(error) => failed(&mut job, &error),
    }
}

/// A member of an archive that is not read, for a reason.
pub(crate) fn passed_over(job: &mut Job<'_>, inner: &[u8], reason: Reason) -> Flow {
    let inner = shown(inner);
    let reason = if leads_outside(&inner) { Reason::Outside } else { reason };
    let place = Place::file(&*name_within(&job.name, &inner));
    job.sink.unread(ReadError::at(place, reason))
}

/// Tells that decompression failed.
pub(super) fn failed(job: &mut Job<'_>, error: &io::Error) -> Flow {
    let reason = match Reason::from_io(error, job.compression) {
        // What was left of the limit this deep is not what the user set.
        Reason::Beyond { limit: Limit::Layers, .. } => {
            Reason::beyond(Limit::Layers, &job.settings.reading.limits)
        }
        reason => reason,
    };
    job.unread(None, reason)
}

/// The kind that was asked for, else the one that the name tells; archives are folders, whatever
/// is asked for.
pub(crate) fn chosen(by_name: Option<Kind>, settings: &ReadOptions) -> Option<Kind> {
    settings.reading.kind.filter(|_| !by_name.is_some_and(Kind::is_archive)).or(by_name)
}

/// A stream, and what its first bytes show.
pub(super) struct Told<'a> {
    pub(super) kind: Option<Kind>,
    pub(super) is_empty: bool,
    /// All of the stream, still compressed if it was.
    pub(super) stream: Bytes<'a>,
}

/// Looks into a stream, through its compression.
pub(super) fn told<'a>(
    job: &Job<'_>,
    stream: Bytes<'a>,
    named: Compression,
    doubt: Doubt,
) -> io::Result<Told<'a>> {
    let (magic, stream) = stream::peek(stream, Compression::MAGIC)?;
    if named == Compression::None && Compression::from_magic(&magic) == Compression::None {
        let (start, stream) = start_of(stream)?;
        let kind = sniff::kind(&start, doubt);
        return Ok(Told { kind, is_empty: start.is_empty(), stream });
    }
    let (packed, stream) = stream::peek(stream, PACKED_START)?;
    let limits = &job.settings.reading.limits;
    // Bombs are found when it is read: this is only a look.
    let budget = Budget::new(limits, Arc::default());
    let layers = limits.layers.saturating_sub(job.depth);
    let (plain, _) = stream::plain(Box::new(Cursor::new(packed)), named, &budget, layers)?;
    let (start, _) = start_of(plain)?;
    Ok(Told { kind: sniff::kind(&start, doubt), is_empty: start.is_empty(), stream })
}

/// The first bytes of a stream, and the stream with them. Of JSON lines the first is enough: more
/// may not come for a long while.
fn start_of(mut stream: Bytes<'_>) -> io::Result<(Vec<u8>, Bytes<'_>)> {
    let mut start = vec![0; sniff::START];
    let mut length = 0;
    let mut failure = None;
    while length < start.len() && !sniff::is_json_line(&start[..length]) {
        match stream.read(&mut start[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if length == 0 => return Err(error),
            Err(error) => {
                // What came before is read all the same; whoever reads it meets the failure.
                failure = Some(error);
                break;
            }
        }
    }
    start.truncate(length);
    let rest = Failing { failure, stream };
    Ok((start.clone(), Box::new(Cursor::new(start).chain(rest))))
}

/// A stream that first gives the failure that was met when its start was read.
struct Failing<'a> {
    failure: Option<io::Error>,
    stream: Bytes<'a>,
}

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.stream.read(buffer),
        }
    }
}

/// How much a name without a known extension leaves open.
pub(crate) fn doubt(path: &Path) -> Doubt {
    match telling_extension(path) {
        Some(_) => Doubt::Strange,
        None => Doubt::Nameless,
    }
}

/// Why a file that nothing tells the kind of is passed over.
pub(crate) fn unknown(path: &Path, is_empty: bool) -> Reason {
    match telling_extension(path) {
        Some(extension) => Reason::OtherExtension(extension),
        None if is_empty => Reason::NotText("it is empty".to_owned()),
        None => Reason::NotText("it holds bytes that no text has".to_owned()),
    }
}

/// The extension under the one that tells the compression, unless it is a mere number or hash, as
/// messages have in their names.
fn telling_extension(path: &Path) -> Option<String> {
    let mut extension = kind::extension(path)?;
    if kind::kind_of(path).1 != Compression::None {
        extension = kind::extension(Path::new(path.file_stem()?))?;
    }
    let is_number = extension.bytes().all(|byte| byte.is_ascii_digit());
    let is_hash = extension.len() >= 8 && extension.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!is_number && !is_hash).then_some(extension)
}

/// What places call a member.
fn name_within(archive: &str, inner: &str) -> Arc<str> {
    let mut inner = inner;
    while let Some(rest) = inner.strip_prefix("./") {
        inner = rest;
    }
    format!("{archive}/{inner}").into()
}

fn leads_outside(name: &str) -> bool {
    let has_drive = match name.as_bytes() {
        [letter, b':'] | [letter, b':', b'/' | b'\\', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    };
    name.starts_with(['/', '\\']) || has_drive || name.split(['/', '\\']).any(|part| part == "..")
}

fn is_hidden(name: &str) -> bool {
    name.split(['/', '\\']).any(|part| part.len() > 1 && part.starts_with('.'))
}

/// The entries of a list of one thing in memory.
pub(crate) fn entry_of(name: &str, bytes: &[u8], settings: &ReadOptions) -> Entry {
    let path = Path::new(name);
    let (by_name, compression) = kind::kind_of(path);
    let source = Source::Memory(bytes.into());
    let unread = |reason| ReadError::file(name, reason);
    let kind = match chosen(by_name, settings) {
        Some(kind) => Some(kind),
        None => crate::walk::probe(&source, compression, settings, doubt(path))
            .map_err(|error| unread(Reason::from_io(&error, compression)))?,
    };
    let kind = kind.ok_or_else(|| unread(unknown(path, bytes.is_empty())))?;
    let size = Some(bytes.len() as u64);
    Ok(Input { source, kind, compression, size, above: 0, shown: Some(name.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_outside() {
        let outside = [
            "/etc/passwd",
            "\\x.txt",
            "..",
            "../x.txt",
            "a/../../x.txt",
            "a\\..\\x.txt",
            "C:/x.txt",
            "c:\\x.txt",
            "C:",
            "a/..",
            "//host/x.txt",
        ];
        for name in outside {
            assert!(leads_outside(name), "{name}");
        }
        let inside =
            ["a.txt", "./a.txt", "a/b.txt", "a..b/c.txt", "...", "1:2,S", "a:b.txt", "x:2,S", ""];
        for name in inside {
            assert!(!leads_outside(name), "{name}");
        }
    }

    #[test]
    fn hidden_names_and_what_a_place_calls_them() {
        assert!(is_hidden(".git/a.txt") && is_hidden("a/.b/c.txt") && is_hidden("a/._b.txt"));
        assert!(!is_hidden("./a.txt") && !is_hidden("a./b.txt") && !is_hidden("a/./b.txt"));
        assert_eq!(&*name_within("x.tar", "././a.txt"), "x.tar/a.txt");
    }

    #[test]
    fn what_an_extension_tells() {
        let cases = [
            ("notes", None),
            ("notes.gz", None),
            ("1.", None),
            ("comp.lang.c.12345", None),
            ("00001.7c53336b37003a9286aba55d2945844c", None),
            ("photo.png", Some("png")),
            ("photo.png.gz", Some("png")),
            ("1049.M1P2.host:2,S", Some("host:2,S")),
            ("face.cafe", Some("cafe")),
        ];
        for (name, extension) in cases {
            assert_eq!(telling_extension(Path::new(name)).as_deref(), extension, "{name}");
        }
    }
}
