//! What a document is compared by, as a record: its features, or a page that is yet to be settled.

use super::row::number;
use std::io;

const HEADER: usize = 13;

/// A record. Within a batch the position is that in the batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetRecord<'a> {
    /// The position of the document.
    pub(crate) position: u32,
    /// Site and headline.
    pub(crate) head: &'a [u8],
    /// Features, or a page as bytes.
    pub(crate) content: &'a [u8],
    pub(crate) is_page: bool,
}

impl<'a> SetRecord<'a> {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_page));
        out.extend_from_slice(&self.position.to_le_bytes());
        out.extend_from_slice(&(self.head.len() as u32).to_le_bytes());
        out.extend_from_slice(&(self.content.len() as u32).to_le_bytes());
        out.extend_from_slice(self.head);
        out.extend_from_slice(self.content);
    }

    /// The first of the records, and the others.
    fn split(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (header, rest) = bytes.split_at_checked(HEADER)?;
        let (head, rest) = rest.split_at_checked(number(&header[5..9]) as usize)?;
        let (content, rest) = rest.split_at_checked(number(&header[9..13]) as usize)?;
        let position = number(&header[1..5]);
        Some((Self { position, head, content, is_page: header[0] != 0 }, rest))
    }

    /// All records.
    pub(crate) fn all(bytes: &'a [u8]) -> impl Iterator<Item = io::Result<Self>> {
        let mut rest = bytes;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            match Self::split(rest) {
                Some((record, others)) => {
                    rest = others;
                    Some(Ok(record))
                }
                None => {
                    rest = &[];
                    Some(Err(damaged()))
                }
            }
        })
    }

    /// The features, ascending.
    pub(crate) fn features(&self, features: &mut Vec<u64>) {
        features.clear();
        let (hashes, _) = self.content.as_chunks::<8>();
        features.extend(hashes.iter().map(|hash| u64::from_le_bytes(*hash)));
    }
}

/// Features as bytes.
pub(crate) fn feature_bytes(features: &[u64], out: &mut Vec<u8>) {
    out.clear();
    out.extend(features.iter().flat_map(|feature| feature.to_le_bytes()));
}

/// A file that is not as we wrote it.
pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a file in it is not as it was written")
}
