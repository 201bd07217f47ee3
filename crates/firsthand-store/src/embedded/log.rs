//! A log: an append-only file of frames, read back round by round.

use super::{
    disk::Handle,
    errors::damaged,
    frame::{self, AROUND, FrameRead},
    record::{self, BEFORE_PAYLOAD, COMMIT, Commit, LogHeader, LogRecord, commit_length},
};
use firsthand::online::{Seq, StoreError};
use std::sync::Arc;

/// A log and its length.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub(super) id: u64,
    pub(super) handle: Arc<Handle>,
    /// The offset of the next frame; everything before it is committed.
    pub(super) end: u64,
}

/// What a round wrote to one log.
#[derive(Debug)]
pub(super) struct LogRound {
    pub(super) events: Vec<LogEvent>,
    pub(super) commit: Commit,
    /// Its first byte, and the first one after it.
    pub(super) start: u64,
    pub(super) end: u64,
}

/// A record; of payloads only the place in the file.
#[derive(Debug)]
pub(super) enum LogEvent {
    Document { seq: Seq, time: i64, place: u64, length: u32 },
    Payload { seq: Seq, place: u64, length: u32 },
    Keys { seq: Seq, keys: Vec<u64> },
    Value { name: String, value: Vec<u8> },
    BucketLog { log: u64, bucket: i64 },
    Forgotten { log: u64 },
}

impl LogEvent {
    /// What is kept in memory of a record at this place; none of headers and commits.
    pub(super) fn of(record: &LogRecord<'_>, place: u64) -> Option<Self> {
        Some(match *record {
            LogRecord::Document { seq, time, payload } => {
                Self::Document { seq, time, place, length: payload.len() as u32 }
            }
            LogRecord::Payload { seq, payload } => {
                Self::Payload { seq, place, length: payload.len() as u32 }
            }
            LogRecord::Keys { seq, keys } => {
                Self::Keys { seq, keys: record::keys_of(keys).collect() }
            }
            LogRecord::Value { name, value } => {
                Self::Value { name: name.to_owned(), value: value.to_vec() }
            }
            LogRecord::BucketLog { log, bucket } => Self::BucketLog { log, bucket },
            LogRecord::Forgotten { log } => Self::Forgotten { log },
            LogRecord::Header(_) | LogRecord::Commit(_) => return None,
        })
    }
}

impl Log {
    /// Reads the payload of a document from its place.
    pub(super) fn payload(&self, seq: Seq, place: u64, length: u32) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; AROUND + BEFORE_PAYLOAD + length as usize];
        if self.handle.read(place, &mut bytes)?
            && let FrameRead::Frame(frame) = frame::read(self.id, place, &bytes)
            && let Some(
                LogRecord::Document { seq: found, .. } | LogRecord::Payload { seq: found, .. },
            ) = record::read(frame)
            && found == seq
        {
            let start = bytes.len() - 8 - length as usize;
            bytes.truncate(start + length as usize);
            bytes.drain(..start);
            return Ok(bytes);
        }
        let what = format!("document {seq} cannot be read as it was written");
        Err(damaged(self.handle.path(), place, &what))
    }
}

/// Reads a log from an offset on.
pub(super) struct LogReader {
    handle: Arc<Handle>,
    id: u64,
    length: u64,
    /// The offset of the next frame.
    at: u64,
    /// Bytes that were read ahead, and their offset in the file.
    buffer: Vec<u8>,
    from: u64,
}

const AHEAD: usize = 1 << 20;

impl LogReader {
    pub(super) fn new(handle: &Arc<Handle>, id: u64, at: u64) -> Result<Self, StoreError> {
        let length = handle.length()?;
        Ok(Self { handle: Arc::clone(handle), id, length, at, buffer: Vec::new(), from: at })
    }

    /// The offset of the next frame.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Reads the header; whether it is the expected one.
    pub(super) fn is_headed(&mut self, wanted: LogHeader) -> Result<bool, StoreError> {
        Ok(matches!(self.next()?, Some((_, LogRecord::Header(header))) if header == wanted))
    }

    /// The next record and its offset; none where no intact frame follows.
    pub(super) fn next(&mut self) -> Result<Option<(u64, LogRecord<'_>)>, StoreError> {
        let mut wanted = AROUND;
        loop {
            let skip = usize::try_from(self.at - self.from).unwrap_or(usize::MAX);
            let have = self.buffer.len().saturating_sub(skip);
            if have < wanted {
                let rest = self.length.saturating_sub(self.at);
                if rest < wanted as u64 {
                    return Ok(None);
                }
                self.fill(wanted.max(AHEAD).min(rest as usize))?;
                continue;
            }
            match frame::read(self.id, self.at, &self.buffer[skip..]) {
                FrameRead::Short(needed) => wanted = needed.max(wanted + 1),
                FrameRead::Wrong => return Ok(None),
                FrameRead::Frame(_) => break,
            }
        }
        // Read once more, since the compiler cannot follow a borrow out of the loop.
        let (place, skip) = (self.at, (self.at - self.from) as usize);
        let FrameRead::Frame(frame) = frame::read(self.id, place, &self.buffer[skip..]) else {
            return Ok(None);
        };
        self.at += (AROUND + frame.content.len()) as u64;
        match record::read(frame) {
            Some(record) => Ok(Some((place, record))),
            None => Err(damaged(self.handle.path(), place, "it has a record of an unknown kind")),
        }
    }

    fn fill(&mut self, length: usize) -> Result<(), StoreError> {
        self.buffer.resize(length, 0);
        self.from = self.at;
        if self.handle.read(self.at, &mut self.buffer)? {
            return Ok(());
        }
        Err(damaged(self.handle.path(), self.at, "it was truncated while it was read"))
    }

    /// The next round; none where no complete round follows.
    pub(super) fn round(&mut self) -> Result<Option<LogRound>, StoreError> {
        let start = self.at;
        let mut events = Vec::new();
        loop {
            let path = self.handle.path().to_owned();
            let Some((place, record)) = self.next()? else {
                self.at = start;
                return Ok(None);
            };
            match (LogEvent::of(&record, place), record) {
                (Some(event), _) => events.push(event),
                (None, LogRecord::Commit(commit)) => {
                    return Ok(Some(LogRound { events, commit, start, end: self.at }));
                }
                (None, _) => return Err(damaged(&path, place, "it has a second header")),
            }
        }
    }

    /// The rounds whose commit records can be read after the point where no complete round follows. Any
    /// but the round that was being written means that something in between is damaged.
    pub(super) fn rounds_beyond(&mut self) -> Result<Vec<u64>, StoreError> {
        let mut rest = vec![0; self.length.saturating_sub(self.at) as usize];
        self.handle.read(self.at, &mut rest)?;
        let mut rounds = Vec::new();
        for skip in 0..rest.len() {
            let bytes = &rest[skip..];
            let Some((&[a, b, c, d, kind], _)) = bytes.split_first_chunk::<5>() else { break };
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            let is_likely = kind == COMMIT
                && length >= commit_length(1)
                && (length - commit_length(0)).is_multiple_of(16);
            if is_likely
                && let FrameRead::Frame(frame) = frame::read(self.id, self.at + skip as u64, bytes)
                && let Some(LogRecord::Commit(commit)) = record::read(frame)
            {
                rounds.push(commit.state.round);
            }
        }
        Ok(rounds)
    }
}
