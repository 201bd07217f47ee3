//! Finds the start and end of records, and continues after broken ones.

use std::mem;

use memchr::memchr;

use super::arc::{self, ArcLine};
use super::fields::{HeaderFields, split_line};
use super::scan::{LOOK, SearchEnd, VersionFinder, begins_headers, begins_record};
use super::window::{RecordLocation, RecordWindow, StretchEnd};
use super::{ArchiveFormat, START, bad};
use crate::compression::Compression;
use crate::error::Reason;
use firsthand::settings::Limits;

/// The most bytes of a record's headers.
const LONGEST_HEADERS: usize = 1 << 20;
/// Where a record ends whose headers are cut off.
const IN_HEADERS: &str = "in the middle of its headers";
/// The bytes inspected of a record that is too large, to determine its kind.
const GLANCE: usize = 8 << 10;

/// An iterator over records.
pub(crate) struct Records<'a> {
    pub(crate) window: RecordWindow<'a>,
    scanner: VersionFinder,
    largest: u64,
    /// Whether to return records that are not documents.
    copying: bool,
    number: u64,
    /// The start of a line, and the position up to which no headers end from there on, so that this
    /// is not searched again for every apparent record in it.
    no_end: (u64, u64),
    /// Whether the next record has to be searched for.
    lost: bool,
    /// Whether the end of the stretch was reported.
    told: bool,
    over: bool,
}

/// A record, or what was found instead.
#[derive(Debug)]
pub(crate) enum WarcEntry {
    /// A record.
    WarcRecord(WarcRecord),
    /// A document that exceeds the limit: its headers and the start of its body.
    Large(WarcRecord),
    /// Something that is not a valid record.
    Bad { number: u64, byte: Option<u64>, reason: Reason },
}

/// A record.
#[derive(Debug)]
pub(crate) struct WarcRecord {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Its position on disk.
    pub(crate) byte: Option<u64>,
    pub(crate) spot: Option<RecordLocation>,
    pub(crate) role: Role,
    /// Headers, body and the empty lines after it; empty if not needed.
    pub(crate) bytes: Vec<u8>,
    /// The length of the headers.
    pub(crate) head: usize,
    /// The end of the body.
    pub(crate) end: usize,
    /// The length of the whole record.
    pub(crate) size: usize,
}

/// The role of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It may hold a document.
    Document,
    /// It says that a document had not changed.
    Revisit,
    /// Anything else.
    Beside,
}

/// The number of bytes not to be searched again, and what is wrong with the record.
type RecordFault = (usize, Reason);

impl<'a> Records<'a> {
    pub(crate) fn new(window: RecordWindow<'a>, limits: &Limits, copying: bool) -> Self {
        Self {
            window,
            scanner: VersionFinder::new(),
            largest: limits.file,
            copying,
            number: 0,
            no_end: (0, 0),
            lost: false,
            told: false,
            over: false,
        }
    }

    /// The next record, or what was found instead.
    pub(crate) fn next(&mut self) -> Option<WarcEntry> {
        while !self.over {
            let is_arc = self.window.format == ArchiveFormat::Arc;
            match mem::take(&mut self.lost) {
                true if is_arc => self.find_arc_line(),
                true => drop(self.scanner.scan(&mut self.window, u64::MAX, begins_record)),
                false => {}
            }
            self.skip_blank();
            if !self.window.have(1) {
                match self.leave() {
                    Some(bad) => return Some(bad),
                    None => continue,
                }
            }
            self.number += 1;
            let (mut byte, start) = (self.window.byte(), self.window.position());
            match if is_arc { self.arc_record() } else { self.record() } {
                Ok(Some(found)) => return Some(found),
                Ok(None) => {}
                Err((length, mut reason)) => {
                    // Report only the damage of a damaged member. Looking for damage costs nothing:
                    // the next record is searched for there anyway.
                    if self.window.is_gzip() {
                        self.window.have(LONGEST_HEADERS);
                    }
                    if let Some(damage) = self.window.damage_from(start) {
                        byte = Some(damage.start);
                        reason = damage.reason.clone();
                        self.told = true;
                    }
                    self.window.take(length);
                    self.lost = true;
                    return Some(WarcEntry::Bad { number: self.number, byte, reason });
                }
            }
        }
        None
    }

    fn skip_blank(&mut self) {
        while self.window.have(1) {
            let is_blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
            match self.window.bytes().iter().take_while(is_blank).count() {
                0 => return,
                blank => self.window.take(blank),
            }
        }
    }

    /// Continues with the next stretch.
    fn leave(&mut self) -> Option<WarcEntry> {
        let told = mem::take(&mut self.told);
        let number = self.number + 1;
        match self.window.leave() {
            StretchEnd::Member(_) => None,
            StretchEnd::Over => {
                self.over = true;
                None
            }
            StretchEnd::Damaged(_) if told => None,
            StretchEnd::Damaged(damage) => {
                self.number = number;
                let byte = Some(damage.start);
                Some(WarcEntry::Bad { number, byte, reason: damage.reason })
            }
            StretchEnd::Failed(error) => {
                self.over = true;
                let reason = Reason::from_io(&error, self.compression());
                (!told).then_some(WarcEntry::Bad { number, byte: None, reason })
            }
        }
    }

    fn record(&mut self) -> Result<Option<WarcEntry>, RecordFault> {
        self.window.have(LOOK);
        if !begins_record(self.window.bytes()) {
            let line = split_line(self.window.bytes()).0;
            let start = String::from_utf8_lossy(&line[..line.len().min(20)]);
            let detail = format!("it begins with {start:?}, not with a version such as WARC/1.1");
            return Err((0, bad(detail)));
        }
        let head = self.headers()?;
        let fields = HeaderFields::after_first_line(&self.window.bytes()[..head]);
        let role = role(fields).ok_or_else(|| (head, bad("it has no WARC-Type".to_owned())))?;
        let length = length(fields).map_err(|reason| (head, reason))?;
        let (byte, spot) = (self.window.byte(), self.window.spot());
        let mut record = WarcRecord {
            number: self.number,
            byte,
            spot,
            role,
            bytes: Vec::new(),
            head,
            end: head,
            size: head,
        };
        if length > self.largest || usize::try_from(length).is_err() {
            return self.large(record, length);
        }
        record.end += length as usize;
        if !self.window.have(record.end) {
            let at_hand = self.window.bytes().len() - head;
            return Err((head, self.cut_off(at_hand as u64, length)));
        }
        record.size = self.end_of(record.end).ok_or_else(|| (head, self.ends_elsewhere(length)))?;
        self.check_damage(record.size)?;
        if role != Role::Beside || self.copying {
            record.bytes = self.window.bytes()[..record.size].to_vec();
        }
        self.window.take(record.size);
        Ok(Some(WarcEntry::WarcRecord(record)))
    }

    /// Fails if some of the next `size` bytes may be damaged: only the end of the stretch shows it.
    fn check_damage(&mut self, size: usize) -> Result<(), RecordFault> {
        if !self.window.have(size + 1)
            && let Some(damage) = self.window.damage_before(size)
            && damage.suspect
        {
            let reason = damage.reason.clone();
            self.told = true;
            return Err((size, reason));
        }
        Ok(())
    }

    /// A record of an ARC file, with the headers that it would have in a WARC file.
    fn arc_record(&mut self) -> Result<Option<WarcEntry>, RecordFault> {
        self.window.have(arc::LONGEST_LINE);
        let bytes = self.window.bytes();
        let Some(line) = ArcLine::read(bytes) else {
            let (start, rest) = split_line(bytes);
            let shown = String::from_utf8_lossy(&start[..start.len().min(20)]);
            let detail = format!("it begins with {shown:?}, not with the line of an ARC record");
            return Err((bytes.len() - rest.len(), self.bad(detail)));
        };
        let (head, length) = (line.size, line.length);
        let role = if line.is_document() { Role::Document } else { Role::Beside };
        let (number, byte) = (self.number, self.window.byte());
        let record = |body: &[u8], size: usize| {
            let headers = line.headers(number, body).into_bytes();
            let (head, end) = (headers.len(), headers.len() + body.len());
            let bytes = [&headers, body, b"\r\n\r\n"].concat();
            WarcRecord { number, byte, spot: None, role, bytes, head, end, size }
        };
        if length > self.largest || usize::try_from(length).is_err() {
            self.window.have(head + GLANCE);
            let start = self.window.bytes();
            let large = record(&start[head..start.len().min(head + GLANCE)], head);
            self.window.take(head);
            let mut left = length;
            while left > 0 && self.window.have(1) {
                let passed =
                    self.window.bytes().len().min(usize::try_from(left).unwrap_or(usize::MAX));
                self.window.take(passed);
                left -= passed as u64;
            }
            return match left {
                0 => Ok((role != Role::Beside).then_some(WarcEntry::Large(large))),
                _ => Err((0, self.cut_off(length - left, length))),
            };
        }
        let end = head + length as usize;
        if !self.window.have(end) {
            let at_hand = self.window.bytes().len() - head;
            return Err((head, self.cut_off(at_hand as u64, length)));
        }
        self.window.have(end + arc::LONGEST_LINE);
        let after = &self.window.bytes()[end..];
        let blank = after.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let rest = &after[blank..];
        if !rest.is_empty() && ArcLine::read(rest).is_none() && blank == 0 {
            return Err((head, self.ends_elsewhere(length)));
        }
        let size = end + blank;
        self.check_damage(size)?;
        let body = &self.window.bytes()[head..end];
        let record = record(if role == Role::Document || self.copying { body } else { &[] }, size);
        self.window.take(size);
        Ok(Some(WarcEntry::WarcRecord(record)))
    }

    /// Skips lines up to one that is about an ARC record.
    fn find_arc_line(&mut self) {
        while self.window.have(1) {
            self.window.have(arc::LONGEST_LINE);
            let bytes = self.window.bytes();
            if ArcLine::read(bytes).is_some() {
                return;
            }
            let line = bytes.len() - split_line(bytes).1.len();
            self.window.take(line);
        }
    }

    /// The length of the headers and the empty line after them.
    fn headers(&mut self) -> Result<usize, RecordFault> {
        let start = self.window.position();
        let Some(first) = memchr(b'\n', self.window.bytes()).map(|end| end + 1) else {
            return Err((START.len(), self.ended(IN_HEADERS)));
        };
        let from_here = |position: u64| (position.saturating_sub(start) as usize).max(first);
        let (mut line, mut searched) = (from_here(self.no_end.0), from_here(self.no_end.1));
        loop {
            let bytes = self.window.bytes();
            while let Some(end) = memchr(b'\n', bytes.get(searched..).unwrap_or_default()) {
                let end = searched + end + 1;
                let content = split_line(&bytes[line..end]).0;
                if content.is_empty() {
                    return Ok(end);
                }
                if begins_record(content) {
                    return Err((line, bad("another record begins in its headers".to_owned())));
                }
                (line, searched) = (end, end);
            }
            searched = searched.max(bytes.len());
            self.no_end = (start + line as u64, start + searched as u64);
            if searched > LONGEST_HEADERS {
                return Err((first, bad("its headers are longer than 1 MiB".to_owned())));
            }
            if !self.window.have(searched + 1) {
                return Err((first, self.ended(IN_HEADERS)));
            }
        }
    }

    /// The end of a record whose body ends at `body`: after the empty lines, if these or the next
    /// record follow.
    fn end_of(&mut self, body: usize) -> Option<usize> {
        let (mut end, mut lines) = (body, 0);
        while lines < 2 && self.window.have(end + 1) {
            match self.window.bytes()[end] {
                b'\n' => lines += 1,
                b'\r' => {}
                _ => break,
            }
            end += 1;
        }
        self.window.have(end + START.len());
        let rest = &self.window.bytes()[end..];
        let shared = rest.len().min(START.len());
        (lines == 2 || rest[..shared] == START[..shared]).then_some(end)
    }

    /// Skips a body that is too large.
    fn large(
        &mut self,
        mut record: WarcRecord,
        length: u64,
    ) -> Result<Option<WarcEntry>, RecordFault> {
        self.window.have(record.head + GLANCE);
        let start = self.window.bytes();
        record.bytes = start[..start.len().min(record.head + GLANCE)].to_vec();
        record.end = record.bytes.len();
        self.window.take(record.head);
        // The length may be wrong: an unmistakable record start ends this one.
        match self.scanner.scan(&mut self.window, length, begins_headers) {
            SearchEnd::Passed => {
                let end = self.end_of(0).ok_or_else(|| (0, self.ends_elsewhere(length)))?;
                self.window.take(end);
            }
            SearchEnd::Found => return Err((0, self.ends_elsewhere(length))),
            SearchEnd::Ended(left) => return Err((0, self.cut_off(length - left, length))),
        }
        Ok((record.role != Role::Beside).then_some(WarcEntry::Large(record)))
    }

    /// What the length of a record is called.
    fn length_name(&self) -> &'static str {
        match self.window.format {
            ArchiveFormat::Warc => "Content-Length",
            ArchiveFormat::Arc => "length",
        }
    }

    /// The error of a record that violates its format.
    fn bad(&self, detail: String) -> Reason {
        match self.window.format {
            ArchiveFormat::Warc => bad(detail),
            ArchiveFormat::Arc => Reason::BadRecord { format: "ARC record", detail },
        }
    }

    fn ends_elsewhere(&self, length: u64) -> Reason {
        self.bad(format!("it does not end after the {length} bytes of its {}", self.length_name()))
    }

    fn cut_off(&mut self, there: u64, length: u64) -> Reason {
        let what = format!("{there} of the {length} bytes of its {}", self.length_name());
        self.ended(&format!("after {what}"))
    }

    /// Why the stretch ends inside a record.
    fn ended(&mut self, place: &str) -> Reason {
        let compression = self.compression();
        self.told = true;
        match self.window.end() {
            Some(StretchEnd::Damaged(damage)) => damage.reason.clone(),
            Some(StretchEnd::Failed(error)) => Reason::from_io(error, compression),
            Some(StretchEnd::Member(_)) => {
                self.told = false;
                self.bad(format!("its gzip member ends {place}"))
            }
            Some(StretchEnd::Over) | None => self.bad(format!("the file ends {place}")),
        }
    }

    fn compression(&self) -> Compression {
        if self.window.is_gzip() { Compression::Gzip } else { Compression::None }
    }
}

fn role(fields: HeaderFields<'_>) -> Option<Role> {
    let name = fields.get("WARC-Type")?.to_ascii_lowercase();
    Some(match name.as_str() {
        "response" | "resource" | "conversion" => Role::Document,
        "revisit" => Role::Revisit,
        _ => Role::Beside,
    })
}

fn length(fields: HeaderFields<'_>) -> Result<u64, Reason> {
    let Some(written) = fields.get("Content-Length") else {
        return Err(bad("it has no Content-Length".to_owned()));
    };
    let is_number = written.bytes().all(|byte| byte.is_ascii_digit());
    written.parse().ok().filter(|_| is_number).ok_or_else(|| {
        let start: String = written.chars().take(40).collect();
        bad(format!("its Content-Length is {start:?}, which is not a valid length"))
    })
}
