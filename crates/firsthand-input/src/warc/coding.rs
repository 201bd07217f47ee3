//! Decodes the body of a response: chunks and compressions.
//!
//! Crawlers often store the decoded body but keep the headers that announce an encoding, so a body
//! that does not look encoded is left unchanged. Damaged data is decoded as far as possible.

use std::borrow::Cow;
use std::io::{self, Read};

use super::fields::{HeaderFields, split_line};
use crate::error::Reason;
use firsthand::settings::{Limit, Limits};

/// The decoded body of a response.
pub(super) fn decoded<'a>(
    body: &'a [u8],
    fields: HeaderFields<'_>,
    limits: &Limits,
) -> Result<Cow<'a, [u8]>, Reason> {
    let mut body = Cow::Borrowed(body);
    let codings = |name: &str| fields.get(name).unwrap_or_default().to_ascii_lowercase();
    let (transfer, content) = (codings("Transfer-Encoding"), codings("Content-Encoding"));
    let names = transfer.rsplit(',').chain(content.rsplit(',')).map(str::trim);
    let known = names.filter(|name| KNOWN.contains(name));
    for (layer, name) in known.enumerate() {
        if layer as u64 > limits.layers {
            return Err(Reason::beyond(Limit::Layers, limits));
        }
        let inner = match name {
            "chunked" => dechunked(&body),
            "gzip" | "x-gzip" => gunzipped(&body, limits)?,
            "deflate" | "x-deflate" => inflated(&body, limits)?,
            "br" => unbrotlied(&body, limits)?,
            _ => unzstd(&body, limits)?,
        };
        if let Some(inner) = inner {
            body = Cow::Owned(inner);
        }
    }
    Ok(body)
}

/// The encodings in use. Other values are either no encoding (`identity`, `utf-8`, `none`) or unused.
const KNOWN: [&str; 8] =
    ["chunked", "gzip", "x-gzip", "deflate", "x-deflate", "br", "zstd", "x-zstd"];

/// A body without its chunk lengths; `None` if it is not chunked.
fn dechunked(body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    let (mut rest, mut is_first) = (body, true);
    loop {
        let (line, after) = split_line(rest);
        let Some(length) = chunk_length(line) else {
            // An invalid length after a valid chunk is damage: the rest is dropped.
            return if is_first { None } else { Some(whole) };
        };
        if length == 0 || after.is_empty() {
            return Some(whole);
        }
        let (chunk, behind) = after.split_at(length.min(after.len()));
        let line_end = behind.strip_prefix(b"\r\n").or(behind.strip_prefix(b"\n"));
        match line_end {
            Some(behind) => rest = behind,
            None if behind.len() <= 1 => rest = &[],
            None if is_first => return None,
            None => return Some([&whole, chunk].concat()),
        }
        whole.extend(chunk);
        is_first = false;
        if rest.is_empty() {
            return Some(whole);
        }
    }
}

/// `1f0` or `1F0;name=value`.
fn chunk_length(line: &[u8]) -> Option<usize> {
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
    let is_hex = (1..=16).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
    usize::from_str_radix(digits, 16).ok()
}

/// The result of decoding.
type Inner = Result<Option<Vec<u8>>, Reason>;

fn gunzipped(body: &[u8], limits: &Limits) -> Inner {
    if !body.starts_with(&[0x1f, 0x8b]) {
        return Ok(None);
    }
    let (bytes, _) = drained(flate2::read::MultiGzDecoder::new(body), limits)?;
    Ok(Some(bytes))
}

/// `deflate` means zlib data, but some servers send raw deflate data.
fn inflated(body: &[u8], limits: &Limits) -> Inner {
    if let [first, second, ..] = *body
        && first & 0x0f == 8
        && u16::from_be_bytes([first, second]).is_multiple_of(31)
    {
        let (bytes, _) = drained(flate2::read::ZlibDecoder::new(body), limits)?;
        if !bytes.is_empty() {
            return Ok(Some(bytes));
        }
    }
    let (bytes, outcome) = drained(flate2::read::DeflateDecoder::new(body), limits)?;
    Ok(believed(bytes, outcome, body))
}

fn unbrotlied(body: &[u8], limits: &Limits) -> Inner {
    let decoder = brotli_decompressor::Decompressor::new(body, 4096);
    let (bytes, outcome) = drained(decoder, limits)?;
    Ok(believed(bytes, outcome, body))
}

fn unzstd(body: &[u8], limits: &Limits) -> Inner {
    if !body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Ok(None);
    }
    let Ok(decoder) = zstd::stream::read::Decoder::with_buffer(body) else { return Ok(None) };
    let (bytes, _) = drained(decoder, limits)?;
    Ok(Some(bytes))
}

/// Formats without a magic number decode anything for a while: text on which they fail was not
/// encoded.
fn believed(bytes: Vec<u8>, outcome: io::Result<()>, body: &[u8]) -> Option<Vec<u8>> {
    let start = &body[..body.len().min(256)];
    let is_control = |byte: &u8| *byte < 0x20 && !b"\t\n\r\x0c\x1b".contains(byte);
    let is_text = !start.iter().any(is_control);
    (outcome.is_ok() || !(bytes.is_empty() || is_text)).then_some(bytes)
}

/// The output of a decoder within the limit, and whether it ended properly.
fn drained(decoder: impl Read, limits: &Limits) -> Result<(Vec<u8>, io::Result<()>), Reason> {
    let mut bytes = Vec::new();
    let mut decoder = decoder.take(limits.file.saturating_add(1));
    let outcome = decoder.read_to_end(&mut bytes).map(|_| ());
    if bytes.len() as u64 > limits.file {
        return Err(Reason::beyond(Limit::File, limits));
    }
    Ok((bytes, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exceeded::Exceeded;
    use std::io::Write;

    const PAGE: &[u8] = b"<html><body><p>The night ferry ran aground.</p></body></html>\n";

    /// The same page, compressed by brotli.
    const BROTLI: &[u8] =
        b"\x8b\x1e\x80<html><body><p>The night ferry ran aground.</p></body></html>\n\x03";

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(data).unwrap();
        out.finish().unwrap()
    }

    fn zlib(data: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(data).unwrap();
        out.finish().unwrap()
    }

    fn deflate(data: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(data).unwrap();
        out.finish().unwrap()
    }

    fn zstd(data: &[u8]) -> Vec<u8> {
        zstd::encode_all(data, 1).unwrap()
    }

    fn chunked(data: &[u8], size: usize) -> Vec<u8> {
        let mut out = Vec::new();
        for chunk in data.chunks(size) {
            out.extend(format!("{:X};note=1\r\n", chunk.len()).bytes());
            out.extend(chunk);
            out.extend(b"\r\n");
        }
        out.extend(b"0\r\nTrailer: x\r\n\r\n");
        out
    }

    fn decode(body: &[u8], headers: &str, limits: &Limits) -> Result<Vec<u8>, Reason> {
        let head = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n");
        let fields = HeaderFields::after_first_line(head.as_bytes());
        decoded(body, fields, limits).map(Cow::into_owned)
    }

    #[test]
    fn whatever_is_around_a_page_is_taken_off() {
        let cases = [
            (PAGE.to_vec(), "Content-Encoding: identity"),
            (PAGE.to_vec(), "Content-Encoding: UTF-8"),
            (chunked(PAGE, 7), "Transfer-Encoding: chunked"),
            (chunked(PAGE, 1000), "transfer-encoding: Chunked"),
            (gzip(PAGE), "Content-Encoding: gzip"),
            (gzip(PAGE), "Content-Encoding: X-GZIP"),
            (zlib(PAGE), "Content-Encoding: deflate"),
            (deflate(PAGE), "Content-Encoding: deflate"),
            (zstd(PAGE), "Content-Encoding: zstd"),
            (BROTLI.to_vec(), "Content-Encoding: br"),
            (gzip(&zstd(&gzip(PAGE))), "Content-Encoding: gzip, zstd , gzip"),
            (chunked(&gzip(PAGE), 5), "Content-Encoding: gzip\r\nTransfer-Encoding: chunked"),
            (chunked(&gzip(PAGE), 5), "Transfer-Encoding: gzip, chunked"),
        ];
        for (body, headers) in cases {
            let page = decode(&body, headers, &Limits::default()).unwrap();
            assert_eq!(page, PAGE, "{headers}");
        }
    }

    #[test]
    fn what_was_decoded_before_is_left_alone() {
        for name in ["gzip", "deflate", "br", "zstd", "br, gzip, deflate"] {
            let headers = format!("Content-Encoding: {name}\r\nTransfer-Encoding: chunked");
            for text in [PAGE, b"Plain words, and more of them than one.", b"x", b""] {
                assert_eq!(decode(text, &headers, &Limits::default()).unwrap(), text, "{name}");
            }
        }
        // A text that begins like a chunk.
        let text = b"cafe\r\nWhere we met.";
        let whole = decode(text, "Transfer-Encoding: chunked", &Limits::default()).unwrap();
        assert!(whole.ends_with(b"Where we met."));
    }

    #[test]
    fn what_is_cut_off_gives_what_can_be_decoded() {
        let noise: Vec<u8> =
            (0..50_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let cases = [
            (gzip(&noise), "Content-Encoding: gzip"),
            (zlib(&noise), "Content-Encoding: deflate"),
            (deflate(&noise), "Content-Encoding: deflate"),
            (zstd(&noise), "Content-Encoding: zstd"),
            (chunked(&noise, 999), "Transfer-Encoding: chunked"),
        ];
        for (body, headers) in cases {
            for cut in 0..body.len().min(60) {
                decode(&body[..cut], headers, &Limits::default()).unwrap();
            }
            let part = decode(&body[..body.len() / 2], headers, &Limits::default()).unwrap();
            assert!(noise.starts_with(&part), "{headers}");
            let least = if headers.ends_with("zstd") { 0 } else { 10_000 };
            assert!(part.len() >= least, "{headers}: {}", part.len());
        }
    }

    #[test]
    fn bombs_are_refused() {
        let limits = Limits { file: 100_000, ..Limits::default() };
        let zeros = vec![b' '; 1 << 20];
        let bombs = [
            (gzip(&zeros), "gzip"),
            (zlib(&zeros), "deflate"),
            (deflate(&zeros), "deflate"),
            (zstd(&zeros), "zstd"),
            (gzip(&gzip(&zeros)), "gzip, gzip"),
        ];
        for (body, name) in bombs {
            let error = decode(&body, &format!("Content-Encoding: {name}"), &limits).unwrap_err();
            assert_eq!(
                error,
                Reason::Beyond(Exceeded { limit: Limit::File, value: 100_000 }),
                "{name}"
            );
        }
        let many = format!("Content-Encoding: {}", ["gzip"; 1000].join(","));
        let error = decode(&gzip(PAGE), &many, &limits).unwrap_err();
        assert_eq!(error, Reason::beyond(Limit::Layers, &limits));
    }
}
