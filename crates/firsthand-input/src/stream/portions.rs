//! Readers of output that is produced in portions of any size.

use std::io::{self, Read};

/// Bytes per read of a decoder.
const STEP: usize = 4 << 10;

/// Reads the portions that `next` puts into the vector; an empty portion is the end.
pub(crate) struct Portions<F> {
    next: F,
    portion: Vec<u8>,
    at: usize,
}

impl<F: FnMut(&mut Vec<u8>) -> io::Result<()>> Portions<F> {
    pub(crate) fn new(next: F) -> Self {
        Self { next, portion: Vec::new(), at: 0 }
    }
}

impl<F: FnMut(&mut Vec<u8>) -> io::Result<()>> Read for Portions<F> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if self.at == self.portion.len() {
            self.at = 0;
            let filled = (self.next)(&mut self.portion);
            if filled.is_err() {
                self.portion.clear();
            }
            filled?;
        }
        let ready = &self.portion[self.at..];
        let length = ready.len().min(out.len());
        out[..length].copy_from_slice(&ready[..length]);
        self.at += length;
        Ok(length)
    }
}

/// A decoder that is always read in the same small portions.
///
/// A decoder drops the output of the call in which it meets damaged data. Small fixed portions lose
/// few good records, and the same ones whatever the caller's buffer size.
pub(crate) fn steady(mut decoder: impl Read) -> impl Read {
    Portions::new(move |portion| {
        portion.resize(STEP, 0);
        let length = decoder.read(portion)?;
        portion.truncate(length);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn damage_costs_the_same_however_much_is_asked_for() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        for number in 0..100_000 {
            writeln!(encoder, "{number} and {}", number * 7919 % 1009).unwrap();
        }
        let mut packed = encoder.finish().unwrap();
        let middle = packed.len() / 2;
        packed[middle..middle + 64].fill(0xFF);
        let read = |size: usize| {
            let mut steady = steady(flate2::read::GzDecoder::new(&packed[..]));
            let (mut all, mut buffer) = (Vec::new(), vec![0; size]);
            while let Ok(length @ 1..) = steady.read(&mut buffer) {
                all.extend_from_slice(&buffer[..length]);
            }
            all
        };
        let all = read(1 << 20);
        assert!(all.len() > 100_000 && all.starts_with(b"0 and 0\n1 and "));
        assert!([1, 37, STEP, 50_000].into_iter().all(|size| read(size) == all));
    }
}
