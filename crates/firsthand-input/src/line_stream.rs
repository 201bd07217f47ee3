//! Lines of a stream, each delivered as soon as it arrives.
//!
//! Readers of collections fill a buffer first; the sender of a single line wants its answer at once.

use crate::compression::Compression;
use crate::error::{ReadError, Reason};
use crate::extension::kind_of;
use crate::final_end::FinalEnd;
use crate::line::Line;
use crate::options::ReadOptions;
use crate::stream::{self, Budget, Bytes};
use crate::walk::name_of;
use firsthand::settings::{Limit, Limits};
use memchr::memchr;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

/// Bytes per read.
const STEP: usize = 64 << 10;

/// Bytes kept of a line that is too long: they are likely to hold its id.
const START: usize = 4 << 10;

/// The lines of a JSONL stream: an iterator over all lines that have arrived, at least one.
///
/// ```
/// use firsthand_input::{LineStream, ReadOptions};
///
/// let options = ReadOptions::default();
/// let input = &b"{\"id\": \"a\", \"text\": \"Ferry late\"}\n"[..];
/// for line in LineStream::reader("feed", input, &options)?.flatten() {
///     assert_eq!(line.read(&options)?.document.id, "a");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LineStream {
    name: Arc<str>,
    stream: Bytes<'static>,
    compression: Compression,
    limits: Limits,
    buffer: Vec<u8>,
    /// The start of a line whose end has not arrived.
    rest: Vec<u8>,
    /// Whether that line is too long; only its end is looked for.
    too_long: bool,
    number: u64,
    blank: u64,
    ended: bool,
}

impl LineStream {
    /// Reads any bytes, compressed or not; messages call them `name`.
    ///
    /// # Errors
    /// If the first bytes cannot be read or decompressed.
    pub fn reader(
        name: &str,
        reader: impl Read + Send + 'static,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        Self::open(name.to_owned(), reader, Compression::None, options)
    }

    /// Reads a file, compressed or not.
    ///
    /// # Errors
    /// If the file cannot be opened or its start cannot be decompressed.
    pub fn file(path: &Path, options: &ReadOptions) -> Result<Self, ReadError> {
        let (name, (_, named)) = (name_of(path), kind_of(path));
        match File::open(path) {
            Ok(file) => Self::open(name, file, named, options),
            Err(error) => Err(ReadError::file(name, Reason::from_io(&error, named))),
        }
    }

    fn open(
        name: String,
        reader: impl Read + Send + 'static,
        named: Compression,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let limits = options.reading.limits.clone();
        let budget = Budget::new(&limits, Arc::default());
        let mut raw = budget.count(FinalEnd::new(reader));
        let failed = |error: io::Error| ReadError::file(&*name, Reason::from_io(&error, named));
        // No line of JSON begins like compressed data, so that a short line is not kept waiting.
        let (mut start, mut length) = (vec![0; STEP], 0);
        loop {
            let more = read(&mut raw, &mut start[length..]).map_err(failed)?;
            length += more;
            let is_open = length < Compression::MAGIC && !start[..length].contains(&b'\n');
            if more == 0 || !is_open || !matches!(start[0], 0x1f | 0x28 | b'B') {
                break;
            }
        }
        start.truncate(length);
        let is_named = named != Compression::None;
        let compression = if is_named { named } else { Compression::from_magic(&start) };
        let mut stream: Bytes<'static> = Box::new(Cursor::new(start).chain(raw));
        if compression != Compression::None {
            stream = stream::plain(stream, compression, &budget, limits.layers).map_err(failed)?.0;
        }
        Ok(Self {
            name: name.into(),
            stream,
            compression,
            limits,
            buffer: vec![0; STEP],
            rest: Vec::new(),
            too_long: false,
            number: 1,
            blank: 0,
            ended: false,
        })
    }

    /// The number of blank lines skipped so far.
    pub fn blank(&self) -> u64 {
        self.blank
    }

    /// Appends part of the buffer to the current line.
    fn take(&mut self, from: usize, to: usize) {
        let longest = usize::try_from(self.limits.line).unwrap_or(usize::MAX);
        if !self.too_long && self.rest.len() + (to - from) > longest {
            self.too_long = true;
            let more = START.min(to - from);
            self.rest.extend_from_slice(&self.buffer[from..from + more]);
            self.rest.truncate(START);
            self.rest.shrink_to_fit();
        }
        if !self.too_long {
            self.rest.extend_from_slice(&self.buffer[from..to]);
        }
    }

    /// Ends the current line.
    fn end(&mut self, broken: Option<Reason>) -> Option<Line> {
        let mut bytes = std::mem::take(&mut self.rest);
        let too_long = std::mem::take(&mut self.too_long);
        let number = self.number;
        self.number += 1;
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        let beyond = too_long.then(|| Reason::beyond(Limit::Line, &self.limits));
        let broken = broken.or(beyond);
        if broken.is_none() && bytes.trim_ascii().is_empty() {
            self.blank += 1;
            return None;
        }
        Some(Line { name: Arc::clone(&self.name), number, bytes, broken })
    }
}

impl Iterator for LineStream {
    type Item = Vec<Line>;

    fn next(&mut self) -> Option<Vec<Line>> {
        let mut lines = Vec::new();
        while lines.is_empty() && !self.ended {
            match read(&mut self.stream, &mut self.buffer) {
                Ok(0) => {
                    self.ended = true;
                    if !self.rest.is_empty() || self.too_long {
                        lines.extend(self.end(None));
                    }
                }
                Ok(length) => {
                    let mut from = 0;
                    while let Some(end) = memchr(b'\n', &self.buffer[from..length]) {
                        self.take(from, from + end);
                        lines.extend(self.end(None));
                        from += end + 1;
                    }
                    self.take(from, length);
                }
                Err(error) => {
                    self.ended = true;
                    // A line that was cut off is part of the failure.
                    let reason = Reason::ending(&error, self.compression);
                    lines.extend(self.end(Some(reason)));
                }
            }
        }
        (!lines.is_empty()).then_some(lines)
    }
}

fn read(stream: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand::settings::Reading;
    use proptest::prelude::*;

    /// Gives a few bytes at a time.
    struct Drops(Cursor<Vec<u8>>, usize);

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(self.1);
            self.0.read(&mut buffer[..most])
        }
    }

    type Seen = Vec<(u64, Option<Vec<u8>>)>;

    fn lines(data: &[u8], step: usize, longest: u64) -> (Seen, u64) {
        let limits = Limits { line: longest, ..Limits::default() };
        let options = ReadOptions {
            reading: Reading { limits, ..Reading::default() },
            ..ReadOptions::default()
        };
        let mut line_stream =
            LineStream::reader("x", Drops(Cursor::new(data.to_vec()), step), &options).unwrap();
        let mut seen = Vec::new();
        for lines in line_stream.by_ref() {
            assert!(!lines.is_empty());
            seen.extend(
                lines.into_iter().map(|l| (l.number, l.broken.is_none().then_some(l.bytes))),
            );
        }
        (seen, line_stream.blank())
    }

    fn expected(data: &[u8], longest: u64) -> (Seen, u64) {
        let mut all: Vec<&[u8]> = data.split(|&b| b == b'\n').collect();
        if all.last().is_some_and(|line| line.is_empty()) {
            all.pop();
        }
        let (mut seen, mut blank) = (Vec::new(), 0);
        for (number, line) in (1..).zip(all) {
            match line {
                line if line.len() as u64 > longest => seen.push((number, None)),
                line if line.trim_ascii().is_empty() => blank += 1,
                line => seen.push((number, Some(line.to_vec()))),
            }
        }
        (seen, blank)
    }

    proptest! {
        #[test]
        fn drops_of_any_size_give_the_same_lines(
            data in "[ab \n]{0,60}", step in 1usize..9, longest in 0u64..12,
        ) {
            prop_assert_eq!(
                lines(data.as_bytes(), step, longest),
                expected(data.as_bytes(), longest)
            );
        }
    }

    #[test]
    fn a_line_is_there_before_the_next_has_come() {
        struct OneThenNever(bool);
        impl Read for OneThenNever {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(!std::mem::replace(&mut self.0, true), "asked for more");
                buffer[..3].copy_from_slice(b"{}\n");
                Ok(3)
            }
        }
        let mut line_stream =
            LineStream::reader("x", OneThenNever(false), &ReadOptions::default()).unwrap();
        assert_eq!(line_stream.next().unwrap().len(), 1);
    }

    #[test]
    fn an_end_is_final() {
        struct EndsOnce(bool);
        impl Read for EndsOnce {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                assert!(!std::mem::replace(&mut self.0, true), "read after its end");
                Ok(0)
            }
        }
        let stream = LineStream::reader("x", EndsOnce(false), &ReadOptions::default()).unwrap();
        assert_eq!(stream.count(), 0);
    }

    #[test]
    fn any_reader_may_be_compressed_however_its_bytes_arrive() {
        let plain = b"{\"id\":\"a\"}\n{\"id\":\"b\"}\n";
        let gzip = {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            io::Write::write_all(&mut encoder, plain).unwrap();
            encoder.finish().unwrap()
        };
        let zstd = zstd::encode_all(&plain[..], 1).unwrap();
        for bytes in [plain.to_vec(), gzip, zstd] {
            for step in [1, 2, 7, 1 << 16] {
                let drops = Drops(Cursor::new(bytes.clone()), step);
                let stream = LineStream::reader("x", drops, &ReadOptions::default()).unwrap();
                let lines: Vec<Vec<u8>> = stream.flatten().map(|line| line.bytes).collect();
                assert_eq!(lines, [b"{\"id\":\"a\"}", b"{\"id\":\"b\"}"], "{step}");
            }
        }
    }

    #[test]
    fn a_long_line_keeps_its_id_and_no_more() {
        let options = ReadOptions {
            reading: Reading {
                limits: Limits { line: 9000, ..Limits::default() },
                ..Reading::default()
            },
            ..ReadOptions::default()
        };
        let text = format!(
            "{{\"id\":\"long\",\"text\":\"{}\"}}\n{{\"id\":\"b\",\"text\":\"t\"}}",
            "x".repeat(90_000)
        );
        let mut line_stream =
            LineStream::reader("x", Cursor::new(text.into_bytes()), &options).unwrap();
        let lines: Vec<Line> = line_stream.by_ref().flatten().collect();
        let error = lines[0].read(&options).unwrap_err();
        assert_eq!(error.id.as_deref(), Some("long"));
        assert!(error.to_string().contains("the line is longer than the limit"), "{error}");
        assert!(lines[0].bytes.len() <= START);
        assert_eq!(lines[1].read(&options).unwrap().document.id, "b");
    }
}
