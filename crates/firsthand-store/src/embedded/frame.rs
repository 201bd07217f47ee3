//! Frames: the units of a log. The checksum of a frame also covers its position, so that a frame that
//! was changed, lost or moved is noticed.
//!
//! `length of content (4) | kind (1) | content | checksum (8)`

use xxhash_rust::xxh3::xxh3_64_with_seed;

const HEAD: usize = 5;
const CHECK: usize = 8;

/// Bytes of a frame apart from its content.
pub(super) const AROUND: usize = HEAD + CHECK;

/// The most bytes of content in a frame.
pub(super) const LONGEST: usize = 1 << 30;

/// Frames to be appended to a log in one write.
#[derive(Debug)]
pub(super) struct Frames {
    log: u64,
    /// The offset of the first of them in the log.
    start: u64,
    bytes: Vec<u8>,
}

impl Frames {
    pub(super) fn new(log: u64, start: u64) -> Self {
        Self { log, start, bytes: Vec::new() }
    }

    /// The number of the log.
    pub(super) fn log(&self) -> u64 {
        self.log
    }

    /// The offset of the first frame.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// The offset of the next frame.
    pub(super) fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds a frame with the content that `fill` appends; returns its offset.
    pub(super) fn push(&mut self, kind: u8, fill: impl FnOnce(&mut Vec<u8>)) -> u64 {
        let (begin, place) = (self.bytes.len(), self.end());
        self.bytes.extend_from_slice(&[0, 0, 0, 0, kind]);
        fill(&mut self.bytes);
        let content = (self.bytes.len() - begin - HEAD) as u32;
        self.bytes[begin..begin + 4].copy_from_slice(&content.to_le_bytes());
        let check = checksum(self.log, place, &self.bytes[begin..]);
        self.bytes.extend_from_slice(&check.to_le_bytes());
        place
    }
}

/// A frame that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogFrame<'a> {
    pub(super) kind: u8,
    pub(super) content: &'a [u8],
}

/// What the beginning of some bytes is.
pub(super) enum FrameRead<'a> {
    /// An intact frame.
    Frame(LogFrame<'a>),
    /// The beginning of a frame that needs this many bytes.
    Short(usize),
    /// Not a frame, or a damaged one.
    Wrong,
}

/// Reads the frame at an offset of a log.
pub(super) fn read(log: u64, place: u64, bytes: &[u8]) -> FrameRead<'_> {
    let Some((length, _)) = bytes.split_first_chunk::<4>() else { return FrameRead::Short(AROUND) };
    let length = u32::from_le_bytes(*length) as usize;
    if length > LONGEST {
        return FrameRead::Wrong;
    }
    let Some(framed) = bytes.get(..HEAD + length) else { return FrameRead::Short(AROUND + length) };
    let Some(check) = bytes[framed.len()..].first_chunk::<CHECK>() else {
        return FrameRead::Short(AROUND + length);
    };
    if u64::from_le_bytes(*check) != checksum(log, place, framed) {
        return FrameRead::Wrong;
    }
    FrameRead::Frame(LogFrame { kind: framed[4], content: &framed[HEAD..] })
}

fn checksum(log: u64, place: u64, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, log.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_flipped_bit_is_noticed() {
        let mut frames = Frames::new(3, 100);
        assert_eq!(frames.push(7, |content| content.extend_from_slice(b"content")), 100);
        let bytes = frames.bytes().to_vec();
        assert!(
            matches!(read(3, 100, &bytes), FrameRead::Frame(f) if f.kind == 7 && f.content == b"content")
        );
        assert!(!matches!(read(3, 101, &bytes), FrameRead::Frame(_)));
        assert!(!matches!(read(4, 100, &bytes), FrameRead::Frame(_)));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(!matches!(read(3, 100, &flipped), FrameRead::Frame(_)), "bit {bit}");
        }
    }
}
