//! Decodes gzip member by member, and continues after damaged ones.

use std::io;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use memchr::memmem::Finder;

use super::ArchiveFormat;
use super::gzip::{self, GzipHeader};
use super::raw::PositionedStream;
use crate::compression::Compression;
use crate::error::Reason;
use crate::exceeded::Exceeded;
use crate::stream::Budget;
use firsthand::settings::Limit;

/// A decoder of consecutive members.
pub(crate) struct Members<'a> {
    raw: PositionedStream<'a>,
    budget: Budget,
    format: ArchiveFormat,
    inflate: Decompress,
    sum: Crc,
    state: MemberState,
    /// The start of the current member.
    start: u64,
    magic: Finder<'static>,
    /// The total number of bytes gone back over.
    gone_back: u64,
}

enum MemberState {
    /// Where a member should begin.
    Between,
    /// In the compressed data of a member.
    Inside,
    /// After them, before the checksum.
    Behind,
    /// In damaged data that starts at this position.
    Lost(u64),
}

/// The result of one read.
#[derive(Debug)]
pub(crate) enum MemberRead {
    /// The number of bytes decoded.
    Bytes(usize),
    /// A new member begins at this position; its bytes come next.
    Member(u64),
    /// The data is damaged; the next bytes begin with a record.
    Damaged(Damage),
    /// The end of the file.
    End,
}

/// Why data is damaged.
#[derive(Clone, Debug)]
pub(crate) struct Damage {
    pub(super) reason: Reason,
    /// The start of the damaged member.
    pub(super) start: u64,
    /// Whether bytes decoded before may be wrong too.
    pub(super) suspect: bool,
}

impl<'a> Members<'a> {
    pub(super) fn new(raw: PositionedStream<'a>, budget: Budget, format: ArchiveFormat) -> Self {
        Self {
            raw,
            budget,
            format,
            inflate: Decompress::new(false),
            sum: Crc::new(),
            state: MemberState::Between,
            start: 0,
            magic: Finder::new(&gzip::MAGIC),
            gone_back: 0,
        }
    }

    /// The number of bytes of the file read.
    pub(super) fn position(&self) -> u64 {
        self.raw.position()
    }

    /// Decodes more bytes. Fails only if the file cannot be read any further.
    pub(super) fn read(&mut self, out: &mut [u8]) -> io::Result<MemberRead> {
        loop {
            let got = match self.state {
                MemberState::Between => return self.begin(),
                MemberState::Inside => self.inflate(out)?,
                MemberState::Behind => self.check()?,
                MemberState::Lost(from) => {
                    self.find(from)?;
                    None
                }
            };
            if let Some(got) = got {
                return Ok(got);
            }
        }
    }

    fn damaged(&mut self, detail: &str, suspect: bool) -> MemberRead {
        let detail = detail.to_owned();
        self.given_up(
            Reason::Damaged { compression: Compression::Gzip, detail, is_end: false },
            suspect,
        )
    }

    fn given_up(&mut self, reason: Reason, suspect: bool) -> MemberRead {
        self.state = MemberState::Lost(self.start + 1);
        MemberRead::Damaged(Damage { reason, start: self.start, suspect })
    }

    fn begin(&mut self) -> io::Result<MemberRead> {
        // Files from tape are padded with zeros.
        while self.raw.ahead(1)?.first() == Some(&0) {
            let zeros = self.raw.ahead(1)?.iter().take_while(|byte| **byte == 0).count();
            self.raw.take(zeros);
        }
        self.start = self.raw.position();
        let mut looked_at = 10;
        loop {
            let ahead = self.raw.ahead(looked_at)?;
            if ahead.is_empty() {
                return Ok(MemberRead::End);
            }
            match gzip::header(ahead) {
                GzipHeader::Whole(length) => {
                    self.raw.take(length);
                    break;
                }
                GzipHeader::Short if ahead.len() < looked_at => {
                    return Ok(self.damaged("it is cut off", false));
                }
                GzipHeader::Short if looked_at < gzip::LONGEST => {
                    looked_at = (ahead.len() + 1).max(looked_at * 2);
                }
                GzipHeader::Short => return Ok(self.damaged("the header is cut off", false)),
                GzipHeader::Wrong => {
                    return Ok(self.damaged("no gzip member begins where one should", false));
                }
            }
        }
        self.inflate.reset(false);
        self.sum.reset();
        self.state = MemberState::Inside;
        Ok(MemberRead::Member(self.start))
    }

    fn inflate(&mut self, out: &mut [u8]) -> io::Result<Option<MemberRead>> {
        let input = self.raw.ahead(1)?;
        let (taken, given) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(input, out, FlushDecompress::None);
        let ended = input.is_empty();
        let taken = (self.inflate.total_in() - taken) as usize;
        let given = (self.inflate.total_out() - given) as usize;
        self.raw.take(taken);
        self.sum.update(&out[..given]);
        if let Err(error) = self.budget.spend(given) {
            return match Reason::from_io(&error, Compression::Gzip) {
                // A bomb is not decompressed any further. By the next record, the ratio of the
                // file is lower again.
                bomb @ Reason::Beyond(Exceeded { limit: Limit::Ratio, .. }) => {
                    Ok(Some(self.given_up(bomb, false)))
                }
                _ => Err(error),
            };
        }
        match status {
            Ok(Status::StreamEnd) => self.state = MemberState::Behind,
            // Output before the error is returned first; the error will recur.
            Err(_) if given == 0 => {
                return Ok(Some(self.damaged("the compressed data is invalid", true)));
            }
            Ok(_) if ended && given == 0 => {
                return Ok(Some(self.damaged("it is cut off", false)));
            }
            Ok(_) | Err(_) => {}
        }
        Ok((given > 0).then_some(MemberRead::Bytes(given)))
    }

    fn check(&mut self) -> io::Result<Option<MemberRead>> {
        let Some(&[a, b, c, d, e, f, g, h]) = self.raw.ahead(8)?.get(..8) else {
            return Ok(Some(self.damaged("it is cut off", false)));
        };
        let (sum, length) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        if (sum, length) != (self.sum.sum(), self.sum.amount()) {
            return Ok(Some(self.damaged("the checksum does not match", true)));
        }
        self.raw.take(8);
        self.state = MemberState::Between;
        Ok(None)
    }

    /// Seeks the next member that begins with a record, or the end.
    fn find(&mut self, from: u64) -> io::Result<()> {
        // If bytes are missing, the next member began before the damage was noticed. The total
        // distance gone back is bounded by the bytes read, so that the time stays linear.
        let position = self.raw.position();
        let back = position.saturating_sub(from);
        if self.gone_back + back <= position + (64 << 10) {
            self.raw.back_to(from);
            self.gone_back += position - self.raw.position();
        }
        self.state = MemberState::Between;
        loop {
            let ahead = self.raw.ahead(gzip::GLANCE)?;
            if ahead.is_empty() {
                return Ok(());
            }
            match self.magic.find(ahead) {
                Some(0) => {
                    if gzip::begins_record(ahead, &mut self.inflate, self.format) {
                        return Ok(());
                    }
                    self.raw.take(1);
                }
                Some(next) => self.raw.take(next),
                // The magic number may be split here.
                None => {
                    let length = ahead.len();
                    let kept = if length >= gzip::GLANCE { gzip::MAGIC.len() - 1 } else { 0 };
                    self.raw.take(length - kept);
                }
            }
        }
    }
}
