//! Sparse files: a map lists the stored ranges, and everything else is zeros.

use std::io::{self, Read};

use ::tar::{GnuExtSparseHeader, GnuSparseHeader, Header};

use super::blocks::{BLOCK, Blocks, Body};
use super::extensions::{Extensions, number};

/// The most stored ranges of a file.
const MOST: usize = 100_000;

/// A range of stored bytes.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    offset: u64,
    length: u64,
}

/// The content of a sparse member; `None` if it is not sparse. An error describes what is wrong
/// with the map.
pub(crate) fn content<'b, 'a>(
    header: &Header,
    extensions: &Extensions,
    blocks: &'b mut Blocks<'a>,
) -> Result<Option<Sparse<'b, 'a>>, String> {
    let (map, size) = if header.entry_type().is_gnu_sparse() {
        (in_headers(header, blocks)?, header.as_gnu().and_then(|gnu| gnu.real_size().ok()))
    } else if extensions.get(b"GNU.sparse.major") == Some(b"1") {
        (in_body(blocks)?, extensions.number(b"GNU.sparse.realsize"))
    } else if let Some(map) = extensions.get(b"GNU.sparse.map") {
        (pairs(map.split(|byte| *byte == b','))?, extensions.number(b"GNU.sparse.size"))
    } else if extensions.get(b"GNU.sparse.size").is_some() {
        let offsets = extensions.all(b"GNU.sparse.offset");
        let numbers = offsets.zip(extensions.all(b"GNU.sparse.numbytes"));
        let map = pairs(numbers.flat_map(|(offset, length)| [offset, length]))?;
        (map, extensions.number(b"GNU.sparse.size"))
    } else {
        return Ok(None);
    };
    let size = size.ok_or("a file with holes does not say how large it is")?;
    checked(&map, size)?;
    Ok(Some(Sparse { body: blocks.body(), map: map.into_iter(), stretch: None, at: 0, size }))
}

/// The map in the header and the blocks after it.
fn in_headers(header: &Header, blocks: &mut Blocks<'_>) -> Result<Vec<Stretch>, String> {
    let gnu = header.as_gnu().ok_or("a file with holes has no map of them")?;
    let mut map = Vec::new();
    gnu.sparse.iter().try_for_each(|entry| add(&mut map, entry))?;
    let mut more = gnu.is_extended();
    while more {
        let mut block = GnuExtSparseHeader::new();
        blocks.block_before_body(block.as_mut_bytes()).map_err(|error| error.to_string())?;
        block.sparse().iter().try_for_each(|entry| add(&mut map, entry))?;
        more = block.is_extended();
    }
    Ok(map)
}

fn add(map: &mut Vec<Stretch>, entry: &GnuSparseHeader) -> Result<(), String> {
    if entry.is_empty() {
        return Ok(());
    }
    let numbers = entry.offset().and_then(|offset| Ok((offset, entry.length()?)));
    let (offset, length) = numbers.map_err(|error| error.to_string())?;
    push(map, Stretch { offset, length })
}

fn push(map: &mut Vec<Stretch>, stretch: Stretch) -> Result<(), String> {
    if map.len() == MOST {
        return Err(format!("a file has more than {MOST} holes"));
    }
    map.push(stretch);
    Ok(())
}

/// The map at the start of the body: one number per line, padded with zeros to a whole block.
fn in_body(blocks: &mut Blocks<'_>) -> Result<Vec<Stretch>, String> {
    let size = blocks.left;
    let line = |blocks: &mut Blocks<'_>| {
        let mut digits = Vec::new();
        let mut byte = [0];
        loop {
            blocks.body().read_exact(&mut byte).map_err(|error| error.to_string())?;
            if byte == *b"\n" {
                break;
            }
            digits.push(byte[0]);
            if digits.len() > 20 {
                break;
            }
        }
        number(&digits).ok_or_else(|| "the map of a file with holes is damaged".to_owned())
    };
    let mut map = Vec::new();
    for _ in 0..line(blocks)? {
        let (offset, length) = (line(blocks)?, line(blocks)?);
        push(&mut map, Stretch { offset, length })?;
    }
    let taken = size - blocks.left;
    let padding = (BLOCK - taken % BLOCK) % BLOCK;
    io::copy(&mut blocks.body().take(padding), &mut io::sink()).map_err(|e| e.to_string())?;
    Ok(map)
}

fn pairs<'a>(mut numbers: impl Iterator<Item = &'a [u8]>) -> Result<Vec<Stretch>, String> {
    let mut map = Vec::new();
    while let Some(offset) = numbers.next() {
        let length = numbers.next().and_then(number);
        let stretch = number(offset).zip(length);
        let (offset, length) = stretch.ok_or("the map of a file with holes is damaged")?;
        push(&mut map, Stretch { offset, length })?;
    }
    Ok(map)
}

fn checked(map: &[Stretch], size: u64) -> Result<(), String> {
    let mut end = 0;
    for stretch in map {
        let after = stretch.offset.checked_add(stretch.length);
        match after.filter(|after| stretch.offset >= end && *after <= size) {
            Some(after) => end = after,
            None => return Err("the map of a file with holes is damaged".to_owned()),
        }
    }
    Ok(())
}

/// A body with its holes filled in.
pub(crate) struct Sparse<'b, 'a> {
    body: Body<'b, 'a>,
    map: std::vec::IntoIter<Stretch>,
    stretch: Option<Stretch>,
    at: u64,
    size: u64,
}

impl Read for Sparse<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.stretch.is_none_or(|stretch| self.at >= stretch.offset + stretch.length) {
            match self.map.next() {
                Some(stretch) => self.stretch = Some(stretch),
                None => break,
            }
        }
        let (in_hole, end) = match self.stretch {
            Some(Stretch { offset, .. }) if self.at < offset => (true, offset),
            Some(Stretch { offset, length }) if self.at < offset + length => {
                (false, offset + length)
            }
            _ => (true, self.size),
        };
        let left = usize::try_from(end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let wanted = left.min(buffer.len());
        let length = if in_hole {
            buffer[..wanted].fill(0);
            wanted
        } else {
            self.body.read(&mut buffer[..wanted])?
        };
        self.at += length as u64;
        Ok(length)
    }
}
