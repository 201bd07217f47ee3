//! Bodies as they are sent: compressed, and as lines or as an array. Everything becomes lines.

use crate::body::Refusal;
use crate::limits::Limits;
use crate::problem::{Code, Problem};
use axum::http::{HeaderMap, header};
use std::io::{self, BufReader, Read};

/// Output below this size is never a bomb.
const FREE: u64 = 64 << 20;

/// How a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Plain,
    Gzip,
    Zstd,
}

impl Encoding {
    /// As the headers of a request say.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
        let encoding = match (encodings.next(), encodings.next()) {
            (None, _) => return Ok(Self::Plain),
            (Some(encoding), None) => encoding.to_str().unwrap_or("several").trim(),
            _ => "several",
        };
        match &*encoding.to_ascii_lowercase() {
            "" | "identity" => Ok(Self::Plain),
            "gzip" | "x-gzip" => Ok(Self::Gzip),
            "zstd" => Ok(Self::Zstd),
            _ => Err(Problem::new(Code::MediaType)
                .field("content-encoding")
                .detail("bodies are plain, or compressed once with gzip or zstd")),
        }
    }
}

/// What a body consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// A JSON object a line.
    Lines,
    /// An array of JSON objects, or a single one.
    Array,
}

impl Framing {
    /// As the headers of a request say.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        match &*media_type(headers) {
            "application/x-ndjson" | "application/jsonl" | "application/ndjson" => Ok(Self::Lines),
            "application/json" => Ok(Self::Array),
            _ => Err(Problem::new(Code::MediaType).field("content-type").detail(
                "documents are application/x-ndjson, one object a line, or application/json, an array",
            )),
        }
    }
}

/// The media type of a body, without parameters, in lower case.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
}

/// The body as lines: decompressed within the limits, and an array cut into its elements.
pub(crate) fn lines(
    raw: impl Read + Send + 'static,
    encoding: Encoding,
    framing: Framing,
    limits: &Limits,
    refusal: &Refusal,
) -> io::Result<Box<dyn Read + Send>> {
    let counted = BufReader::with_capacity(64 << 10, CountedInput { raw, bytes: 0 });
    let plain: Box<dyn Read + Send> = match encoding {
        Encoding::Plain => Box::new(counted),
        Encoding::Gzip => bounded(flate2::bufread::MultiGzDecoder::new(counted), limits, refusal),
        Encoding::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(counted)?;
            // At most 128 MiB of window, whatever a frame asks for.
            decoder.window_log_max(27)?;
            bounded(decoder, limits, refusal)
        }
    };
    Ok(match framing {
        Framing::Lines => plain,
        Framing::Array => Box::new(crate::array::Elements::new(plain, refusal.clone())),
    })
}

/// Counts what goes into a decoder.
struct CountedInput<R> {
    raw: R,
    bytes: u64,
}

impl<R: Read> Read for CountedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.raw.read(buffer)?;
        self.bytes += length as u64;
        Ok(length)
    }
}

/// A decoder that tells how many bytes it was given.
trait Decoder: Read + Send {
    fn taken(&self) -> u64;
}

impl<R: Read + Send> Decoder for flate2::bufread::MultiGzDecoder<BufReader<CountedInput<R>>> {
    fn taken(&self) -> u64 {
        self.get_ref().get_ref().bytes
    }
}

impl<R: Read + Send> Decoder for zstd::stream::read::Decoder<'_, BufReader<CountedInput<R>>> {
    fn taken(&self) -> u64 {
        self.get_ref().get_ref().bytes
    }
}

fn bounded(
    decoder: impl Decoder + 'static,
    limits: &Limits,
    refusal: &Refusal,
) -> Box<dyn Read + Send> {
    let (most, ratio) = (limits.decompressed, limits.ratio);
    Box::new(Bounded { decoder, most, ratio, produced: 0, refusal: refusal.clone() })
}

/// The output of a decoder, within the limits.
struct Bounded<D> {
    decoder: D,
    most: u64,
    ratio: u64,
    produced: u64,
    refusal: Refusal,
}

impl<D: Decoder> Read for Bounded<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.decoder.read(buffer).inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                // A body that was refused before is not damaged: the first reason stands.
                let detail = "the compressed data is damaged or cut off";
                self.refusal
                    .set(Problem::new(Code::BadEncoding).field("content-encoding").detail(detail));
            }
        })?;
        self.produced += length as u64;
        let is_bomb = self.produced > FREE
            && self.produced > self.decoder.taken().max(1).saturating_mul(self.ratio);
        let (limit, detail) = match () {
            () if self.produced > self.most => {
                ("decompressed", "the body decompresses to too much")
            }
            () if is_bomb => ("ratio", "the body decompresses to too many times its size"),
            () => return Ok(length),
        };
        self.refusal.set(Problem::new(Code::TooLarge).limit(limit).detail(detail));
        Err(io::Error::other("refused"))
    }
}

/// All of a small body, decompressed.
pub(crate) fn whole(
    bytes: Vec<u8>,
    encoding: Encoding,
    most: u64,
    limits: &Limits,
) -> Result<Vec<u8>, Problem> {
    let refusal = Refusal::default();
    let limits = Limits { decompressed: most.min(limits.decompressed), ..limits.clone() };
    let failed = |refusal: &Refusal| {
        refusal.get().unwrap_or_else(|| Problem::new(Code::BadEncoding).field("content-encoding"))
    };
    let reader = lines(io::Cursor::new(bytes), encoding, Framing::Lines, &limits, &refusal);
    let mut plain = Vec::new();
    let read = reader.and_then(|mut reader| reader.read_to_end(&mut plain));
    read.map(|_| plain).map_err(|_| failed(&refusal))
}
