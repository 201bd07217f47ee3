//! gzip member by member: each may hold a record, and a damaged one does not end the file.

use std::io::{self, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};
use memchr::memmem::Finder;

use super::gzip::{self, GzipHeader};
use super::raw::PositionedStream;
use crate::compression::Compression;
use crate::error::Reason;
use crate::exceeded::Exceeded;
use crate::stream::Budget;
use firsthand::settings::Limit;

/// Decodes members one after another.
pub(crate) struct Members<'a> {
    raw: PositionedStream<'a>,
    budget: Budget,
    inflate: Decompress,
    sum: Crc,
    state: MemberState,
    /// Where the member begins that is read.
    start: u64,
    magic: Finder<'static>,
    /// How many bytes were gone back over, all in all.
    gone_back: u64,
}

enum MemberState {
    /// A member should begin here.
    Between,
    /// In the compressed data of a member.
    Inside,
    /// Behind them: the sum is to be checked.
    Behind,
    /// In damaged data that begin at this position.
    Lost(u64),
}

/// What one step of reading gave.
#[derive(Debug)]
pub(crate) enum MemberRead {
    /// So many bytes.
    Bytes(usize),
    /// A new member begins at this position; its bytes come next.
    Member(u64),
    /// The data are damaged; what comes next begins with a record.
    Damaged(Damage),
    /// There is no more.
    End,
}

/// Why data are damaged.
#[derive(Clone, Debug)]
pub(crate) struct Damage {
    pub(super) reason: Reason,
    /// Where the damaged member begins.
    pub(super) start: u64,
    /// Whether bytes that came before may be wrong too.
    pub(super) suspect: bool,
}

impl<'a> Members<'a> {
    pub(super) fn new(raw: PositionedStream<'a>, budget: Budget) -> Self {
        Self {
            raw,
            budget,
            inflate: Decompress::new(false),
            sum: Crc::new(),
            state: MemberState::Between,
            start: 0,
            magic: Finder::new(&gzip::MAGIC),
            gone_back: 0,
        }
    }

    /// How many bytes of the file were read.
    pub(super) fn position(&self) -> u64 {
        self.raw.position()
    }

    /// Reads on. Fails only where no more can be read at all.
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
        self.given_up(Reason::Damaged { compression: Compression::Gzip, detail }, suspect)
    }

    fn given_up(&mut self, reason: Reason, suspect: bool) -> MemberRead {
        self.state = MemberState::Lost(self.start + 1);
        MemberRead::Damaged(Damage { reason, start: self.start, suspect })
    }

    fn begin(&mut self) -> io::Result<MemberRead> {
        // Files that were on tape are filled up with zeros.
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
        if let Err(error) = self.budget.guard(CountedBytes(given)).read(&mut []) {
            return match Reason::from_io(&error, Compression::Gzip) {
                // A bomb is not unpacked any further, and the file has grown less by the time the
                // next record is found.
                bomb @ Reason::Beyond(Exceeded { limit: Limit::Ratio, .. }) => {
                    Ok(Some(self.given_up(bomb, false)))
                }
                _ => Err(error),
            };
        }
        match status {
            Ok(Status::StreamEnd) => self.state = MemberState::Behind,
            // What came out before the error is handed on first; the error comes again.
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

    /// Goes to the next member that begins with a record, or to the end.
    fn find(&mut self, from: u64) -> io::Result<()> {
        // Bytes may be missing, so that the next member began before the damage showed. Going
        // back is not for nothing: in all at most as far as was read, so that it stays linear.
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
                    if gzip::begins_record(ahead, &mut self.inflate) {
                        return Ok(());
                    }
                    self.raw.take(1);
                }
                Some(next) => self.raw.take(next),
                // The magic may be cut in two here.
                None => {
                    let length = ahead.len();
                    let kept = if length >= gzip::GLANCE { gzip::MAGIC.len() - 1 } else { 0 };
                    self.raw.take(length - kept);
                }
            }
        }
    }
}

/// So many bytes that were decoded, as the budget counts them.
struct CountedBytes(usize);

impl Read for CountedBytes {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Ok(self.0)
    }
}
