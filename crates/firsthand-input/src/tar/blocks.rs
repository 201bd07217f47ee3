//! The blocks of a tar archive: headers, and the bodies behind them.

use std::io::{self, BufReader, Read};

use ::tar::Header;

use crate::stream::Bytes;

/// Everything is a multiple of this many bytes.
pub(crate) const BLOCK: u64 = 512;

/// What stands where a header is looked for.
pub(crate) enum Next {
    Header(Box<Header>),
    /// No header; told once, then blocks are passed over until there is one.
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
    /// What is left of the body behind the last header, and what fills its last block.
    left: u64,
    padding: u64,
    /// Reading failed in a body, and whoever read that was told.
    broken: bool,
    /// Within something damaged, or behind the mark of the end: what is no header is no news.
    lost: bool,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(stream: Bytes<'a>) -> Self {
        let stream = BufReader::with_capacity(64 << 10, stream);
        Self { stream, byte: 0, left: 0, padding: 0, broken: false, lost: false }
    }

    /// The next header; what is left of the body before it is passed over.
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
                // The end, unless another archive was put behind it.
                self.lost = true;
            } else if !self.lost {
                self.lost = true;
                return Ok(Next::Damaged { byte });
            }
        }
    }

    /// Sets how long the body is that begins here.
    pub(crate) fn resize(&mut self, size: u64) {
        self.left = size;
        self.padding = (BLOCK - size % BLOCK) % BLOCK;
    }

    /// Bytes left in the body.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Puts so many bytes in front of the body that do not count as part of it.
    pub(crate) fn block_before_body(&mut self, block: &mut [u8; BLOCK as usize]) -> io::Result<()> {
        match self.block(block)? {
            length if length < BLOCK as usize => Err(cut_off()),
            _ => Ok(()),
        }
    }

    /// The body behind the last header.
    pub(crate) fn body(&mut self) -> Body<'_, 'a> {
        Body(self)
    }

    /// Fills a block as far as there are bytes.
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

/// The body behind a header.
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

/// The size that a header gives for its body, if it is a header at all.
fn size_of(header: &Header) -> Option<u64> {
    let bytes = header.as_bytes();
    let rest = bytes[..148].iter().chain(&bytes[156..]);
    let sum = 8 * u32::from(b' ') + rest.map(|byte| u32::from(*byte)).sum::<u32>();
    // Some old programs summed signed bytes.
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
