//! A window of decompressed bytes of a web archive, up to the next certain boundary.
//!
//! The bytes between two boundaries are a *stretch*. A gzip member that begins with a record starts
//! a stretch, and so does the first intact member after a damaged one; a plain file is one stretch.
//! No record extends beyond its stretch, whatever its stated length.

use std::io::{self, Read};
use std::mem;

use super::ArchiveFormat;
use super::members::{Damage, MemberRead, Members};
use crate::stream::Bytes;

/// Bytes per read.
const STEP: usize = 64 << 10;

/// The source of the bytes.
pub(crate) enum WindowSource<'a> {
    /// Uncompressed bytes.
    Plain(Bytes<'a>),
    /// Bytes from gzip members.
    Gzip(Box<Members<'a>>),
    /// Bytes from another compression: positions on disk are unknown.
    Other(Bytes<'a>),
}

/// A window of decompressed bytes.
pub(crate) struct RecordWindow<'a> {
    source: WindowSource<'a>,
    pub(super) format: ArchiveFormat,
    buffer: Vec<u8>,
    /// The filled part of the buffer, and the part of it already consumed.
    filled: usize,
    at: usize,
    /// The number of bytes before the buffer.
    before: u64,
    /// The start of the stretch: among all bytes, and on disk if known.
    stretch: (u64, Option<u64>),
    /// Its end in the buffer and the reason, once known.
    end: Option<(usize, StretchEnd)>,
    /// The start of the newest member, among all bytes.
    member: u64,
    /// The start of a member in the buffer and on disk, while too few bytes of it are read to know
    /// whether it begins with a record.
    opened: Option<(usize, u64)>,
}

/// Why a stretch ends.
#[derive(Debug)]
pub(crate) enum StretchEnd {
    /// A member that begins with a record follows at this position.
    Member(u64),
    /// The compressed data is damaged.
    Damaged(Damage),
    /// The end of the file.
    Over,
    /// Reading failed.
    Failed(io::Error),
}

/// Where a record can be read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordLocation {
    /// The start of its stretch on disk.
    pub(crate) disk: u64,
    /// The number of decompressed bytes between there and the record.
    pub(crate) skip: u64,
}

impl<'a> RecordWindow<'a> {
    /// `start` is the position of the first byte on disk.
    pub(crate) fn new(source: WindowSource<'a>, start: u64, format: ArchiveFormat) -> Self {
        let disk = if let WindowSource::Plain(_) = source { Some(start) } else { None };
        Self {
            source,
            format,
            buffer: Vec::new(),
            filled: 0,
            at: 0,
            before: 0,
            stretch: (0, disk),
            end: None,
            member: 0,
            opened: None,
        }
    }

    /// Whether records are compressed by gzip.
    pub(crate) fn is_gzip(&self) -> bool {
        matches!(self.source, WindowSource::Gzip(_))
    }

    /// The bytes of the stretch in the buffer.
    pub(crate) fn bytes(&self) -> &[u8] {
        let end = self.end.as_ref().map(|(end, _)| *end);
        let end = end.or(self.opened.map(|(start, _)| start)).unwrap_or(self.filled);
        &self.buffer[self.at..end]
    }

    /// Reads until the buffer has `length` bytes of the stretch; false if it is shorter.
    pub(crate) fn have(&mut self, length: usize) -> bool {
        while self.bytes().len() < length && self.end.is_none() {
            self.fill(length);
        }
        self.bytes().len() >= length
    }

    /// Consumes bytes.
    pub(crate) fn take(&mut self, length: usize) {
        self.at += length.min(self.bytes().len());
    }

    /// Why the stretch ends, if its end is in the buffer.
    pub(crate) fn end(&self) -> Option<&StretchEnd> {
        self.end.as_ref().map(|(_, end)| end)
    }

    /// Moves to the next stretch, or to the end if there is none.
    pub(crate) fn leave(&mut self) -> StretchEnd {
        let Some((at, end)) = self.end.take() else { return StretchEnd::Over };
        self.at = at;
        let disk = match &end {
            StretchEnd::Member(disk) => Some(*disk),
            StretchEnd::Damaged(_) => None,
            StretchEnd::Over | StretchEnd::Failed(_) => {
                self.end = Some((at, StretchEnd::Over));
                None
            }
        };
        self.stretch = (self.position(), disk);
        end
    }

    /// The damage that ends the stretch, if its end is in the buffer and the position is in the
    /// damaged member.
    pub(crate) fn damage_from(&self, position: u64) -> Option<&Damage> {
        match &self.end {
            Some((_, StretchEnd::Damaged(damage))) if position >= self.member => Some(damage),
            _ => None,
        }
    }

    /// The same, if some of the next `length` bytes are in the damaged member.
    pub(crate) fn damage_before(&self, length: usize) -> Option<&Damage> {
        self.damage_from((self.position() + length as u64).saturating_sub(1))
    }

    /// The number of bytes consumed.
    pub(crate) fn position(&self) -> u64 {
        self.before + self.at as u64
    }

    /// The position of the next byte on disk, if it has one.
    pub(crate) fn byte(&self) -> Option<u64> {
        let RecordLocation { disk, skip } = self.spot()?;
        (skip == 0).then_some(disk)
    }

    /// The location at which the next byte can be read again.
    pub(crate) fn spot(&self) -> Option<RecordLocation> {
        let skip = self.position() - self.stretch.0;
        let disk = self.stretch.1?;
        Some(match self.source {
            WindowSource::Plain(_) => RecordLocation { disk: disk + skip, skip: 0 },
            WindowSource::Gzip(_) | WindowSource::Other(_) => RecordLocation { disk, skip },
        })
    }

    /// The approximate number of bytes of the file read.
    pub(crate) fn read(&self) -> u64 {
        match &self.source {
            WindowSource::Gzip(members) => members.position(),
            WindowSource::Plain(_) | WindowSource::Other(_) => self.position(),
        }
    }

    fn fill(&mut self, wanted: usize) {
        self.make_room(wanted);
        let room = &mut self.buffer[self.filled..];
        let got = match &mut self.source {
            WindowSource::Plain(stream) | WindowSource::Other(stream) => read(stream, room),
            WindowSource::Gzip(members) => members.read(room),
        };
        match got {
            Ok(MemberRead::Bytes(length)) => self.filled += length,
            Ok(MemberRead::Member(disk)) => {
                self.member = self.before + self.filled as u64;
                match &mut self.opened {
                    // Empty members are ignored.
                    Some((start, before)) if *start == self.filled => *before = disk,
                    Some(_) => {}
                    None => self.opened = Some((self.filled, disk)),
                }
            }
            Ok(MemberRead::Damaged(damage)) => self.close(StretchEnd::Damaged(damage)),
            Ok(MemberRead::End) => self.close(StretchEnd::Over),
            Err(error) => self.close(StretchEnd::Failed(error)),
        }
        if let Some((start, disk)) = self.opened {
            let member = &self.buffer[start..self.filled];
            match self.format.begins(member) {
                Some(true) => {
                    self.opened = None;
                    self.end = Some((start, StretchEnd::Member(disk)));
                }
                Some(false) => self.opened = None,
                None => {}
            }
        }
    }

    fn close(&mut self, end: StretchEnd) {
        self.opened = None;
        self.end = Some((self.filled, end));
    }

    fn make_room(&mut self, wanted: usize) {
        // Move only if at least as many bytes are freed as moved.
        if self.at >= STEP && self.at * 2 >= self.filled {
            let gone = mem::take(&mut self.at);
            self.buffer.copy_within(gone..self.filled, 0);
            self.filled -= gone;
            self.before += gone as u64;
            if let Some((start, _)) = &mut self.opened {
                *start -= gone;
            }
        }
        // A stated length may be wrong, so allocate only for the next reads.
        let missing = (self.at + wanted).saturating_sub(self.filled).clamp(STEP, 16 * STEP);
        if self.buffer.len() - self.filled < missing / 2 {
            self.buffer.resize(self.filled + missing, 0);
        }
    }
}

fn read(stream: &mut Bytes<'_>, room: &mut [u8]) -> io::Result<MemberRead> {
    loop {
        match stream.read(room) {
            Ok(0) => return Ok(MemberRead::End),
            Ok(length) => return Ok(MemberRead::Bytes(length)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
