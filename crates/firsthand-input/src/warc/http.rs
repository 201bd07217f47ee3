//! HTTP responses stored by a crawler.

use super::fields::{HeaderFields, split_line};
use crate::error::Reason;

/// The parts of a response.
#[derive(Debug)]
pub(super) struct Response<'a> {
    pub(super) status: u16,
    pub(super) fields: HeaderFields<'a>,
    pub(super) body: &'a [u8],
}

/// Splits a response into its parts, skipping interim responses such as `100 Continue`.
pub(super) fn parse(bytes: &[u8]) -> Result<Response<'_>, Reason> {
    let mut rest = bytes;
    loop {
        let line = split_line(rest).0;
        let Some(status) = status(line) else {
            let start = String::from_utf8_lossy(&line[..line.len().min(40)]);
            let detail = format!("it begins with {start:?}, not with a status line");
            return Err(Reason::BadRecord { format: "HTTP response", detail });
        };
        let (head, body) = rest.split_at(end_of_head(rest));
        // 101 is final.
        if (100..200).contains(&status) && status != 101 && body.starts_with(b"HTTP/") {
            rest = body;
            continue;
        }
        return Ok(Response { status, fields: HeaderFields::after_first_line(head), body });
    }
}

/// `HTTP/1.1 200 OK`, or `ICY 200 OK` from some audio servers.
fn status(line: &[u8]) -> Option<u16> {
    if !line.starts_with(b"HTTP/") && !line.starts_with(b"ICY ") {
        return None;
    }
    let words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let word = words.into_iter().nth(1)?;
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The end of the empty line after the headers.
fn end_of_head(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        rest = after;
        if line.is_empty() {
            break;
        }
    }
    bytes.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses() {
        type Parts<'a> = Option<(u16, &'a [u8])>;
        let cases: [(&[u8], Parts<'_>); 9] = [
            (b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", Some((200, b"body"))),
            (b"HTTP/1.0 404\nA: b\n\nbody\n\n", Some((404, b"body\n\n"))),
            (b"HTTP/2 200 \r\n\r\n", Some((200, b""))),
            (b"HTTP/1.1  301  Moved\r\nA: b", Some((301, b""))),
            (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nb", Some((200, b"b"))),
            (b"ICY 200 OK\r\n\r\nnoise", Some((200, b"noise"))),
            (b"HTTP/1.1 2OO OK\r\n\r\n", None),
            (b"<html>", None),
            (b"", None),
        ];
        for (bytes, expected) in cases {
            let parsed = parse(bytes).ok();
            let parsed = parsed.map(|response| (response.status, response.body));
            assert_eq!(parsed, expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
