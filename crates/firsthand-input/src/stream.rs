//! Streams of plain bytes: decompression on the fly, with limits on the output.

mod portions;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::GzDecoder;

use crate::compression::Compression;
use crate::exceeded::Exceeded;
use crate::final_end::FinalEnd;
use firsthand::settings::{Limit, Limits};

pub(crate) use self::portions::{Portions, steady};

/// Where bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    File(PathBuf),
    Memory(Arc<[u8]>),
    Stdin,
}

/// A stream of bytes.
pub(crate) type Bytes<'a> = Box<dyn Read + Send + 'a>;

/// The limit on the decompressed size of one file, over all its layers and members.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// Bytes read from disk, of this file and of all files.
    taken: Arc<AtomicU64>,
    all: Arc<AtomicU64>,
    /// Bytes that decoders produced.
    produced: Arc<AtomicU64>,
    /// Records that were found.
    records: Arc<AtomicU64>,
    limits: Limits,
}

/// Output below this size is never a bomb: a small file of blanks is harmless.
const FREE: u64 = 64 << 20;

/// Up to this number, records may take no space.
const FREE_RECORDS: u64 = 100_000;

impl Budget {
    /// A budget for one file; `all` counts the bytes read from all files.
    pub(crate) fn new(limits: &Limits, all: Arc<AtomicU64>) -> Self {
        Self {
            taken: Arc::default(),
            all,
            produced: Arc::default(),
            records: Arc::default(),
            limits: limits.clone(),
        }
    }

    /// Opens the file that the budget is for.
    pub(crate) fn open(&self, source: &Source) -> io::Result<Bytes<'static>> {
        Ok(match source {
            Source::File(path) => Box::new(self.count(File::open(path)?)),
            Source::Memory(bytes) => Box::new(self.count(Cursor::new(Arc::clone(bytes)))),
            Source::Stdin => Box::new(self.count(FinalEnd::new(io::stdin()))),
        })
    }

    /// Counts bytes read from disk.
    pub(crate) fn count<R>(&self, raw: R) -> Counting<R> {
        Counting { raw, budget: self.clone() }
    }

    /// Counts and limits the output of a decoder.
    pub(crate) fn guard<R>(&self, decoder: R) -> BudgetedDecoder<R> {
        BudgetedDecoder { decoder, budget: self.clone() }
    }

    /// Counts decoded bytes; an error if they exceed the budget.
    pub(crate) fn spend(&self, length: usize) -> io::Result<()> {
        let length = length as u64;
        let produced = self.produced.fetch_add(length, Ordering::Relaxed) + length;
        let taken = self.taken.load(Ordering::Relaxed).max(1);
        let limit = if produced > self.limits.decompressed {
            Limit::Decompressed
        } else if produced > FREE && produced > taken.saturating_mul(self.limits.ratio) {
            Limit::Ratio
        } else {
            return Ok(());
        };
        Err(io::Error::other(Exceeded::new(limit, &self.limits)))
    }

    /// Counts records of a file that has at least `size` bytes on disk; the limit that they exceed,
    /// if any.
    pub(crate) fn records(&self, count: u64, size: u64) -> Option<Limit> {
        let records = self.records.fetch_add(count, Ordering::Relaxed).saturating_add(count);
        let size = self.taken.load(Ordering::Relaxed).max(size);
        if records > self.limits.records {
            Some(Limit::Records)
        } else if records > FREE_RECORDS.max(size.saturating_mul(self.limits.records_per_byte)) {
            Some(Limit::RecordsPerByte)
        } else {
            None
        }
    }
}

/// Decompresses a stream: first as its name says, then as long as its bytes look compressed.
/// Returns the compressions too, the outermost first.
pub(crate) fn plain<'a>(
    raw: Bytes<'a>,
    named: Compression,
    budget: &Budget,
    layers: u64,
) -> io::Result<(Bytes<'a>, Vec<Compression>)> {
    let (mut stream, mut named) = (raw, Some(named).filter(|named| *named != Compression::None));
    let mut found = Vec::new();
    for layer in 0.. {
        let (start, whole) = peek(stream, Compression::MAGIC)?;
        stream = whole;
        let compression = named.take().unwrap_or_else(|| Compression::from_magic(&start));
        if compression == Compression::None {
            break;
        }
        if layer >= layers {
            return Err(io::Error::other(Exceeded { limit: Limit::Layers, value: layers }));
        }
        found.push(compression);
        stream = decoded(stream, compression, budget)?;
    }
    Ok((stream, found))
}

/// The first bytes of a stream, and the whole stream.
pub(crate) fn peek(mut stream: Bytes<'_>, length: usize) -> io::Result<(Vec<u8>, Bytes<'_>)> {
    let mut start = Vec::with_capacity(length);
    stream.by_ref().take(length as u64).read_to_end(&mut start)?;
    let whole = Box::new(Cursor::new(start.clone()).chain(stream));
    Ok((start, whole))
}

fn decoded<'a>(
    stream: Bytes<'a>,
    compression: Compression,
    budget: &Budget,
) -> io::Result<Bytes<'a>> {
    Ok(match compression {
        Compression::None => stream,
        Compression::Gzip => Box::new(steady(budget.guard(GzipMembers::new(stream)))),
        Compression::Zstd => {
            Box::new(steady(budget.guard(zstd::stream::read::Decoder::new(stream)?)))
        }
        Compression::Bzip2 => {
            Box::new(steady(budget.guard(bzip2::read::MultiBzDecoder::new(stream))))
        }
    })
}

/// Members of gzip one after another, perhaps with zeros between and after them: files from tape
/// are padded.
struct GzipMembers<'a> {
    decoder: GzDecoder<BufReader<Bytes<'a>>>,
}

impl<'a> GzipMembers<'a> {
    fn new(stream: Bytes<'a>) -> Self {
        let stream = BufReader::with_capacity(32 << 10, stream);
        Self { decoder: GzDecoder::new(stream) }
    }
}

impl Read for GzipMembers<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.decoder.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let stream = self.decoder.get_mut();
            loop {
                let ahead = stream.fill_buf()?;
                let zeros = ahead.iter().take_while(|byte| **byte == 0).count();
                let is_end = ahead.is_empty();
                let is_more = zeros < ahead.len();
                stream.consume(zeros);
                if is_end {
                    return Ok(0);
                }
                if is_more {
                    break;
                }
            }
            let empty: Bytes<'_> = Box::new(io::empty());
            let stream = mem::replace(self.decoder.get_mut(), BufReader::new(empty));
            self.decoder = GzDecoder::new(stream);
        }
    }
}

/// Reads a whole stream unless it exceeds the limit.
pub(crate) fn read_all(stream: Bytes<'_>, limit: Limit, limits: &Limits) -> io::Result<Vec<u8>> {
    let value = limits.get(limit);
    let mut bytes = Vec::new();
    stream.take(value.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > value {
        return Err(io::Error::other(Exceeded { limit, value }));
    }
    Ok(bytes)
}

/// Counts bytes as they are read.
pub(crate) struct Counting<R> {
    raw: R,
    budget: Budget,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.raw.read(buffer)?;
        self.budget.taken.fetch_add(length as u64, Ordering::Relaxed);
        self.budget.all.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// A decoder whose output is limited by a budget.
pub(crate) struct BudgetedDecoder<R> {
    decoder: R,
    budget: Budget,
}

impl<R: Read> Read for BudgetedDecoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.decoder.read(buffer)?;
        self.budget.spend(length)?;
        Ok(length)
    }
}
