//! Compresses what is written as the input was compressed, layer by layer.

use std::io::{self, Write};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;

use crate::compression::Compression;

/// Writes compressed bytes to `W`.
///
/// ```
/// use firsthand_input::{Compression, Packer, read_bytes, ReadOptions};
/// use std::io::Write;
///
/// let mut packer = Packer::new(Vec::new(), &[Compression::Zstd])?;
/// packer.write_all(b"{\"text\": \"Ferry late\"}\n")?;
/// let packed = packer.finish()?;
/// let mut documents = read_bytes("news.jsonl.zst", &packed, &ReadOptions::default());
/// assert_eq!(documents.next().unwrap().unwrap().text, "Ferry late");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Packer<W: Write>(Layer<W>);

enum Layer<W: Write> {
    Plain(W),
    Gzip(GzEncoder<Box<Layer<W>>>),
    Zstd(zstd::stream::write::Encoder<'static, Box<Layer<W>>>),
    Bzip2(BzEncoder<Box<Layer<W>>>),
}

impl<W: Write> Packer<W> {
    /// Compresses by each of `layers`, of which the first is the outermost.
    ///
    /// # Errors
    /// If an encoder cannot be made.
    pub fn new(out: W, layers: &[Compression]) -> io::Result<Self> {
        let mut packed = Layer::Plain(out);
        for layer in layers {
            packed = match layer {
                Compression::None => packed,
                Compression::Gzip => {
                    let level = flate2::Compression::default();
                    Layer::Gzip(GzEncoder::new(Box::new(packed), level))
                }
                Compression::Zstd => {
                    let mut encoder = zstd::stream::write::Encoder::new(Box::new(packed), 0)?;
                    encoder.include_checksum(true)?;
                    Layer::Zstd(encoder)
                }
                Compression::Bzip2 => {
                    let level = bzip2::Compression::default();
                    Layer::Bzip2(BzEncoder::new(Box::new(packed), level))
                }
            };
        }
        Ok(Self(packed))
    }

    /// Writes the ends of all layers.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let mut layer = self.0;
        loop {
            layer = match layer {
                Layer::Plain(out) => return Ok(out),
                Layer::Gzip(encoder) => *encoder.finish()?,
                Layer::Zstd(encoder) => *encoder.finish()?,
                Layer::Bzip2(encoder) => *encoder.finish()?,
            };
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Write for Layer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Layer::Plain(out) => out.write(bytes),
            Layer::Gzip(encoder) => encoder.write(bytes),
            Layer::Zstd(encoder) => encoder.write(bytes),
            Layer::Bzip2(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Layer::Plain(out) => out.flush(),
            Layer::Gzip(encoder) => encoder.flush(),
            Layer::Zstd(encoder) => encoder.flush(),
            Layer::Bzip2(encoder) => encoder.flush(),
        }
    }
}

impl<W: Write> std::fmt::Debug for Packer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}
