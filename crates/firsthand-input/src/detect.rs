//! The kind of an input: the requested one, else by its name, else by its first bytes.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use crate::compression::Compression;
use crate::error::Reason;
use crate::extension::telling_extension;
use crate::options::ReadOptions;
use crate::sniff::{self, Doubt};
use crate::stream::{self, Budget, Bytes, Source};
use firsthand::settings::{Kind, Limits};

/// Compressed bytes that suffice for the first output; bzip2 has the largest blocks.
const PACKED_START: usize = 1 << 20;

/// The requested kind, else the one by name. Archives stay archives whatever is requested.
pub(crate) fn chosen(by_name: Option<Kind>, options: &ReadOptions) -> Option<Kind> {
    options.reading.kind.filter(|_| !by_name.is_some_and(Kind::is_archive)).or(by_name)
}

/// How uncertain the kind is if the extension is unknown.
pub(crate) fn doubt(path: &Path) -> Doubt {
    match telling_extension(path) {
        Some(_) => Doubt::Strange,
        None => Doubt::Nameless,
    }
}

/// Why a file of unknown kind is skipped.
pub(crate) fn unknown(path: &Path, is_empty: bool) -> Reason {
    match telling_extension(path) {
        Some(extension) => Reason::OtherExtension(extension),
        None if is_empty => Reason::NotText("it is empty".to_owned()),
        None => Reason::NotText("it contains binary data".to_owned()),
    }
}

/// The kind of a source: chosen, or by its first bytes after decompression.
pub(crate) fn kind(
    source: &Source,
    (by_name, named): (Option<Kind>, Compression),
    options: &ReadOptions,
    doubt: Doubt,
) -> Result<Option<Kind>, Reason> {
    let probe = || {
        let limits = &options.reading.limits;
        let budget = Budget::new(limits, Arc::default());
        let (plain, _) = stream::plain(budget.open(source)?, named, &budget, limits.layers)?;
        let (start, _) = stream::peek(plain, sniff::START)?;
        Ok(sniff::kind(&start, doubt))
    };
    match chosen(by_name, options) {
        Some(kind) => Ok(Some(kind)),
        None => probe().map_err(|error: io::Error| Reason::from_io(&error, named)),
    }
}

/// A stream, and what its first bytes reveal.
pub(crate) struct DetectedStream<'a> {
    pub(crate) kind: Option<Kind>,
    pub(crate) is_empty: bool,
    /// The whole stream, still compressed if it was.
    pub(crate) stream: Bytes<'a>,
}

/// Inspects the start of a stream, decompressed.
pub(crate) fn told<'a>(
    stream: Bytes<'a>,
    named: Compression,
    doubt: Doubt,
    limits: &Limits,
    layers: u64,
) -> io::Result<DetectedStream<'a>> {
    let (magic, stream) = stream::peek(stream, Compression::MAGIC)?;
    if named == Compression::None && Compression::from_magic(&magic) == Compression::None {
        let (start, stream) = start_of(stream)?;
        let kind = sniff::kind(&start, doubt);
        return Ok(DetectedStream { kind, is_empty: start.is_empty(), stream });
    }
    let (packed, stream) = stream::peek(stream, PACKED_START)?;
    // Decompression bombs are detected later, when the stream is read.
    let budget = Budget::new(limits, Arc::default());
    let (plain, _) = stream::plain(Box::new(Cursor::new(packed)), named, &budget, layers)?;
    let (start, _) = start_of(plain)?;
    Ok(DetectedStream { kind: sniff::kind(&start, doubt), is_empty: start.is_empty(), stream })
}

/// The first bytes of a stream, and the whole stream. One line of JSON is enough: the next may not
/// arrive for a long time.
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
                // The bytes before the failure are still read, and the failure follows them.
                failure = Some(error);
                break;
            }
        }
    }
    start.truncate(length);
    let rest = Failing { failure, stream };
    Ok((start.clone(), Box::new(Cursor::new(start).chain(rest))))
}

/// A stream that returns the error met while its start was read.
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
