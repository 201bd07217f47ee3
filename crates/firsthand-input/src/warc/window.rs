//! The part of a web archive that is looked at: decompressed bytes up to the next sure boundary.
//!
//! What lies between two boundaries is a *stretch*. A gzip member that begins with a record
//! begins a stretch, and so does the first sound member behind a damaged one; a plain file is one
//! stretch. No record goes beyond its stretch, whatever its length says.

use std::io::{self, Read};
use std::mem;

use super::START;
use super::members::{Damage, MemberRead, Members};
use crate::stream::Bytes;

/// As much is read at once.
const STEP: usize = 64 << 10;

/// Where the bytes come from.
pub(crate) enum WindowSource<'a> {
    /// As they lie on the disk.
    Plain(Bytes<'a>),
    /// Out of gzip members.
    Gzip(Box<Members<'a>>),
    /// Out of something else: positions on the disk are not known.
    Other(Bytes<'a>),
}

/// Some decompressed bytes.
pub(crate) struct RecordWindow<'a> {
    source: WindowSource<'a>,
    buffer: Vec<u8>,
    /// How much of the buffer is filled, and how much of that is done with.
    filled: usize,
    at: usize,
    /// How many bytes came before the buffer.
    before: u64,
    /// Where the stretch begins: among all bytes, and on the disk if known.
    stretch: (u64, Option<u64>),
    /// Where in the buffer it ends and why, once that is known.
    end: Option<(usize, StretchEnd)>,
    /// Where the newest member begins, among all bytes.
    member: u64,
    /// Where in the buffer a member begins, and where on the disk, while it is too short to tell
    /// whether it begins with a record.
    opened: Option<(usize, u64)>,
}

/// Why a stretch ends.
#[derive(Debug)]
pub(crate) enum StretchEnd {
    /// A member follows, from this position on, that begins with a record.
    Member(u64),
    /// The compressed data are damaged.
    Damaged(Damage),
    /// All was read.
    Over,
    /// No more can be read.
    Failed(io::Error),
}

/// Where a record can be found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordLocation {
    /// Where its stretch begins on the disk.
    pub(crate) disk: u64,
    /// How many decompressed bytes come before it from there.
    pub(crate) skip: u64,
}

impl<'a> RecordWindow<'a> {
    /// `start` is the position of the first byte on the disk.
    pub(crate) fn new(source: WindowSource<'a>, start: u64) -> Self {
        let disk = if let WindowSource::Plain(_) = source { Some(start) } else { None };
        Self {
            source,
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

    /// Whether records come out of gzip.
    pub(crate) fn is_gzip(&self) -> bool {
        matches!(self.source, WindowSource::Gzip(_))
    }

    /// What of the stretch is at hand.
    pub(crate) fn bytes(&self) -> &[u8] {
        let end = self.end.as_ref().map(|(end, _)| *end);
        let end = end.or(self.opened.map(|(start, _)| start)).unwrap_or(self.filled);
        &self.buffer[self.at..end]
    }

    /// Reads until so many bytes are at hand; whether there are.
    pub(crate) fn have(&mut self, length: usize) -> bool {
        while self.bytes().len() < length && self.end.is_none() {
            self.fill(length);
        }
        self.bytes().len() >= length
    }

    /// Is done with some bytes.
    pub(crate) fn take(&mut self, length: usize) {
        self.at += length.min(self.bytes().len());
    }

    /// Why the stretch ends, if its end is at hand.
    pub(crate) fn end(&self) -> Option<&StretchEnd> {
        self.end.as_ref().map(|(_, end)| end)
    }

    /// Leaves the stretch for the next one; where there is none it stays at the end.
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

    /// The damage that ends the stretch, if its end is at hand and this position lies in the
    /// damaged member.
    pub(crate) fn damage_from(&self, position: u64) -> Option<&Damage> {
        match &self.end {
            Some((_, StretchEnd::Damaged(damage))) if position >= self.member => Some(damage),
            _ => None,
        }
    }

    /// The same, if some of the next bytes lie in the damaged member.
    pub(crate) fn damage_before(&self, length: usize) -> Option<&Damage> {
        self.damage_from((self.position() + length as u64).saturating_sub(1))
    }

    /// How many bytes were done with.
    pub(crate) fn position(&self) -> u64 {
        self.before + self.at as u64
    }

    /// Where the next byte lies on the disk, if it has a place of its own there.
    pub(crate) fn byte(&self) -> Option<u64> {
        let RecordLocation { disk, skip } = self.spot()?;
        (skip == 0).then_some(disk)
    }

    /// Where the next byte can be found again.
    pub(crate) fn spot(&self) -> Option<RecordLocation> {
        let skip = self.position() - self.stretch.0;
        let disk = self.stretch.1?;
        Some(match self.source {
            WindowSource::Plain(_) => RecordLocation { disk: disk + skip, skip: 0 },
            WindowSource::Gzip(_) | WindowSource::Other(_) => RecordLocation { disk, skip },
        })
    }

    /// About how many bytes of the file were read.
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
                    // An empty member says nothing.
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
            if member.starts_with(START) {
                self.opened = None;
                self.end = Some((start, StretchEnd::Member(disk)));
            } else if !START.starts_with(member) {
                self.opened = None;
            }
        }
    }

    fn close(&mut self, end: StretchEnd) {
        self.opened = None;
        self.end = Some((self.filled, end));
    }

    fn make_room(&mut self, wanted: usize) {
        // Moved only when at least as much is done with as is moved.
        if self.at >= STEP && self.at * 2 >= self.filled {
            let gone = mem::take(&mut self.at);
            self.buffer.copy_within(gone..self.filled, 0);
            self.filled -= gone;
            self.before += gone as u64;
            if let Some((start, _)) = &mut self.opened {
                *start -= gone;
            }
        }
        // A length may be a lie, so that room is only made for what comes next.
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
