//! The records of a log: what its frames contain.

use super::frame::{AROUND, Frames, LogFrame};
use firsthand::online::Seq;

/// The first record of every log: the store, the generation and the log that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogHeader {
    pub(super) store: u64,
    pub(super) generation: u64,
    pub(super) log: u64,
}

const MAGIC: &[u8; 8] = b"firsthnd";

/// The state of the store after a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RoundState {
    pub(super) round: u64,
    pub(super) next: Seq,
    pub(super) clock: Option<i64>,
}

/// The last record of a round. The round is committed once it is in every log that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) state: RoundState,
    /// The logs that the round touches, and the end of its records in each.
    pub(super) parts: Vec<(u64, u64)>,
}

/// The content of a frame.
#[derive(Debug)]
pub(super) enum LogRecord<'a> {
    Header(LogHeader),
    Document {
        seq: Seq,
        time: i64,
        payload: &'a [u8],
    },
    Payload {
        seq: Seq,
        payload: &'a [u8],
    },
    Keys {
        seq: Seq,
        keys: &'a [u8],
    },
    Value {
        name: &'a str,
        value: &'a [u8],
    },
    /// The log of a new bucket.
    BucketLog {
        log: u64,
        bucket: i64,
    },
    /// A log that is deleted, and its bucket with it.
    Forgotten {
        log: u64,
    },
    Commit(Commit),
}

const HEADER: u8 = 1;
const DOCUMENT: u8 = 2;
const PAYLOAD: u8 = 3;
const KEYS: u8 = 4;
const VALUE: u8 = 5;
const BUCKET_LOG: u8 = 6;
const FORGOTTEN: u8 = 7;
pub(super) const COMMIT: u8 = 8;

/// Bytes before the payload in its frame: number and time.
pub(super) const BEFORE_PAYLOAD: usize = 16;

/// Bytes of the frame of the header.
pub(super) const HEADER_LENGTH: u64 = (AROUND + 8 + 24) as u64;

/// Bytes of a commit record that names this many logs.
pub(super) const fn commit_length(parts: usize) -> usize {
    8 + 8 + 1 + 8 + 4 + 16 * parts
}

/// Bytes of the frame of a commit record.
pub(super) const fn commit_frame(parts: usize) -> u64 {
    (AROUND + commit_length(parts)) as u64
}

/// Adds the frame of a record; returns its offset.
pub(super) fn write(frames: &mut Frames, record: &LogRecord<'_>) -> u64 {
    match record {
        LogRecord::Header(header) => frames.push(HEADER, |out| {
            out.extend_from_slice(MAGIC);
            put(out, &[header.store, header.generation, header.log]);
        }),
        LogRecord::Document { seq, time, payload } => frames.push(DOCUMENT, |out| {
            put(out, &[*seq, *time as u64]);
            out.extend_from_slice(payload);
        }),
        LogRecord::Payload { seq, payload } => frames.push(PAYLOAD, |out| {
            put(out, &[*seq, 0]);
            out.extend_from_slice(payload);
        }),
        LogRecord::Keys { seq, keys } => frames.push(KEYS, |out| {
            put(out, &[*seq]);
            out.extend_from_slice(keys);
        }),
        LogRecord::Value { name, value } => frames.push(VALUE, |out| {
            put(out, &[name.len() as u64]);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(value);
        }),
        LogRecord::BucketLog { log, bucket } => {
            frames.push(BUCKET_LOG, |out| put(out, &[*log, *bucket as u64]))
        }
        LogRecord::Forgotten { log } => frames.push(FORGOTTEN, |out| put(out, &[*log])),
        LogRecord::Commit(commit) => frames.push(COMMIT, |out| {
            put(out, &[commit.state.round, commit.state.next]);
            out.push(u8::from(commit.state.clock.is_some()));
            put(out, &[commit.state.clock.unwrap_or(0) as u64]);
            out.extend_from_slice(&(commit.parts.len() as u32).to_le_bytes());
            for (log, end) in &commit.parts {
                put(out, &[*log, *end]);
            }
        }),
    }
}

fn put(out: &mut Vec<u8>, numbers: &[u64]) {
    for number in numbers {
        out.extend_from_slice(&number.to_le_bytes());
    }
}

/// Reads the record of a frame; none if it is malformed or of an unknown kind.
pub(super) fn read<'a>(frame: LogFrame<'a>) -> Option<LogRecord<'a>> {
    let mut rest = frame.content;
    let record = match frame.kind {
        HEADER => {
            rest = rest.strip_prefix(MAGIC)?;
            let header = LogHeader {
                store: u64(&mut rest)?,
                generation: u64(&mut rest)?,
                log: u64(&mut rest)?,
            };
            LogRecord::Header(header)
        }
        DOCUMENT => {
            let (seq, time) = (u64(&mut rest)?, u64(&mut rest)? as i64);
            LogRecord::Document { seq, time, payload: std::mem::take(&mut rest) }
        }
        PAYLOAD => {
            let (seq, _) = (u64(&mut rest)?, u64(&mut rest)?);
            LogRecord::Payload { seq, payload: std::mem::take(&mut rest) }
        }
        KEYS => {
            let seq = u64(&mut rest)?;
            rest.len()
                .is_multiple_of(8)
                .then(|| LogRecord::Keys { seq, keys: std::mem::take(&mut rest) })?
        }
        VALUE => {
            let length = usize::try_from(u64(&mut rest)?).ok()?;
            let (name, value) = rest.split_at_checked(length)?;
            rest = &[];
            LogRecord::Value { name: std::str::from_utf8(name).ok()?, value }
        }
        BUCKET_LOG => LogRecord::BucketLog { log: u64(&mut rest)?, bucket: u64(&mut rest)? as i64 },
        FORGOTTEN => LogRecord::Forgotten { log: u64(&mut rest)? },
        COMMIT => {
            let (round, next) = (u64(&mut rest)?, u64(&mut rest)?);
            let (has_clock, after) = rest.split_first()?;
            rest = after;
            let clock = u64(&mut rest)? as i64;
            let (_, after) = rest.split_first_chunk::<4>()?;
            rest = after;
            let mut parts = Vec::with_capacity(rest.len() / 16);
            while !rest.is_empty() {
                parts.push((u64(&mut rest)?, u64(&mut rest)?));
            }
            let state = RoundState { round, next, clock: (*has_clock == 1).then_some(clock) };
            LogRecord::Commit(Commit { state, parts })
        }
        _ => return None,
    };
    rest.is_empty().then_some(record)
}

fn u64(rest: &mut &[u8]) -> Option<u64> {
    let (number, after) = rest.split_first_chunk::<8>()?;
    *rest = after;
    Some(u64::from_le_bytes(*number))
}

/// Converts keys to bytes.
pub(super) fn keys_to_bytes(keys: &[u64]) -> Vec<u8> {
    keys.iter().flat_map(|key| key.to_le_bytes()).collect()
}

/// Converts bytes to keys.
pub(super) fn keys_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (keys, _) = bytes.as_chunks::<8>();
    keys.iter().map(|key| u64::from_le_bytes(*key))
}
