//! The blocks of a tar archive: headers and bodies.

use std::io::{self, BufReader, Read};

use ::tar::Header;

use crate::stream::Bytes;

/// The size of a block in bytes.
pub(crate) const BLOCK: u64 = 512;

/// The next header, or what is found instead.
pub(crate) enum Next {
    Header(Box<Header>),
    /// Not a header; reported once, then blocks are skipped up to the next header.
    Damaged {
        byte: u64,
    },
    End,
}

/// An archive that is read block by block.
pub(crate) struct Blocks<'a> {
    stream: BufReader<Bytes<'a>>,
    /// Bytes read so far.
    byte: u64,
    /// The rest of the current body, and the padding of its last block.
    pub(crate) left: u64,
    padding: u64,
    /// Whether reading failed in a body, which was reported there.
    broken: bool,
    /// Whether this is in damaged data or after the end mark, where a missing header is expected.
    lost: bool,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(stream: Bytes<'a>) -> Self {
        let stream = BufReader::with_capacity(64 << 10, stream);
        Self { stream, byte: 0, left: 0, padding: 0, broken: false, lost: false }
    }

    /// The next header, after skipping the rest of the current body.
    pub(crate) fn next(&mut self) -> io::Result<Next> {
        if self.broken {
            return Ok(Next::End);
        }
        self.pass_over()?;
        loop {
            let byte = self.byte;
            let mut header = Box::new(Header::new_old());
            match self.block(header.as_mut_bytes())? {
                0 => return Ok(Next::End),
                length if length < BLOCK as usize => {
                    let zeros = header.as_bytes().iter().all(|byte| *byte == 0);
                    let end = if self.lost || zeros { Next::End } else { Next::Damaged { byte } };
                    self.lost = true;
                    return Ok(end);
                }
                _ => {}
            }
            if let Some(size) = size_of(&header) {
                self.lost = false;
                self.resize(size);
                return Ok(Next::Header(header));
            }
            if header.as_bytes().iter().all(|byte| *byte == 0) {
                // The end, unless another archive was appended.
                self.lost = true;
            } else if !self.lost {
                self.lost = true;
                return Ok(Next::Damaged { byte });
            }
        }
    }

    /// Sets the length of the body that begins here.
    pub(crate) fn resize(&mut self, size: u64) {
        self.left = size;
        self.padding = (BLOCK - size % BLOCK) % BLOCK;
    }

    /// Reads a block that precedes the body and does not count as part of it.
    pub(crate) fn block_before_body(&mut self, block: &mut [u8; BLOCK as usize]) -> io::Result<()> {
        match self.block(block)? {
            length if length < BLOCK as usize => Err(cut_off()),
            _ => Ok(()),
        }
    }

    /// The body of the last header.
    pub(crate) fn body(&mut self) -> Body<'_, 'a> {
        Body(self)
    }

    /// Fills a block as far as possible.
    fn block(&mut self, block: &mut [u8; BLOCK as usize]) -> io::Result<usize> {
        let mut length = 0;
        while length < block.len() {
            match self.stream.read(&mut block[length..]) {
                Ok(0) => break,
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.byte += length as u64;
        Ok(length)
    }

    fn pass_over(&mut self) -> io::Result<()> {
        for length in [self.left, self.padding] {
            let passed = io::copy(&mut self.stream.by_ref().take(length), &mut io::sink())?;
            self.byte += passed;
            if passed < length {
                self.broken = true;
                return Err(cut_off());
            }
        }
        (self.left, self.padding) = (0, 0);
        Ok(())
    }
}

/// The body of a member.
pub(crate) struct Body<'b, 'a>(&'b mut Blocks<'a>);

impl Read for Body<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let blocks = &mut *self.0;
        let wanted = usize::try_from(blocks.left).unwrap_or(usize::MAX).min(buffer.len());
        if wanted == 0 {
            return Ok(0);
        }
        if blocks.broken {
            return Err(cut_off());
        }
        match blocks.stream.read(&mut buffer[..wanted]) {
            Ok(0) => {
                blocks.broken = true;
                Err(cut_off())
            }
            Ok(length) => {
                blocks.left -= length as u64;
                blocks.byte += length as u64;
                Ok(length)
            }
            Err(error) => {
                blocks.broken = error.kind() != io::ErrorKind::Interrupted;
                Err(error)
            }
        }
    }
}

/// The size of the body by its header; `None` if it is not a header.
fn size_of(header: &Header) -> Option<u64> {
    let bytes = header.as_bytes();
    let rest = bytes[..148].iter().chain(&bytes[156..]);
    let sum = 8 * u32::from(b' ') + rest.map(|byte| u32::from(*byte)).sum::<u32>();
    // Some old programs sum signed bytes.
    let rest = bytes[..148].iter().chain(&bytes[156..]);
    let signed = 8 * i64::from(b' ') + rest.map(|byte| i64::from(*byte as i8)).sum::<i64>();
    let given = header.cksum().ok()?;
    if given != sum && i64::from(given) != signed {
        return None;
    }
    match header.entry_type().as_byte() {
        // Links and devices have no body, whatever their header says.
        b'1'..=b'6' => Some(0),
        _ => header.entry_size().ok(),
    }
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the archive ends in the middle of a member")
}
