//! Splits a message into its parts, in one pass and without recursion.
//!
//! The boundaries of open multiparts are on a stack of bounded depth. A line that starts with `--`
//! is compared with them, the innermost first; an outer boundary closes everything inside it, so
//! that a missing closing line does no harm.

use std::ops::Range;

use memchr::memmem;

use super::header::{HeaderField, MailHeaders, line_end};
use super::parameters;
use super::transfer::Transfer;
use crate::deadline::Deadline;
use crate::remarks::Remarks;
use firsthand::settings::{Limit, Limits};

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MimeKind {
    /// Alternative parts, of which one is shown.
    Alternative,
    /// A page and its resources.
    Related,
    /// A digest of messages.
    Digest,
    /// Consecutive parts.
    Mixed,
    /// A message in a message.
    Message,
    /// Plain text.
    Plain,
    /// A page.
    Html,
    /// An attachment, or not text.
    Other,
}

/// One part of a message.
#[derive(Clone, Debug)]
pub(super) struct MimePart {
    pub(super) kind: MimeKind,
    /// The index of the part around it; its own for the first.
    pub(super) parent: usize,
    /// The bytes of a part without parts, or those before the first part inside it.
    pub(super) body: Range<usize>,
    pub(super) transfer: Transfer,
    pub(super) charset: Option<String>,
    /// `format=flowed`, and whether `delsp=yes`.
    pub(super) flowed: Option<bool>,
    /// Whether it has a file name.
    named: bool,
    boundary: Vec<u8>,
}

/// The most bytes of a boundary; RFC 2046 allows 70 characters.
const LONGEST_BOUNDARY: usize = 250;

/// The parts of a message.
#[derive(Debug)]
pub(super) struct MimeParts<'a> {
    pub(super) headers: MailHeaders<'a>,
    /// The parts, each after the one around it; the first is the message itself.
    pub(super) parts: Vec<MimePart>,
}

/// A multipart or message whose parts are being read.
struct OpenMultipart {
    part: usize,
    boundary: Vec<u8>,
}

/// Splits a message into its parts.
pub(super) fn walk<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    deadline: Deadline,
    remarks: &mut Remarks,
) -> MimeParts<'a> {
    let mut open: Vec<OpenMultipart> = Vec::new();
    let mut parts: Vec<MimePart> = Vec::new();
    let mut top = None;
    let mut at = 0;
    loop {
        let parent = open.last().map_or(0, |open| open.part);
        let digest = parts.get(parent).is_some_and(|part| part.kind == MimeKind::Digest);
        let (headers, body) = MailHeaders::read(bytes, at, |line| boundary(line, &open).is_some());
        let is_top = parts.is_empty() || parts[parent].kind == MimeKind::Message;
        let mut part = describe(&headers, digest, is_top, parent);
        top.get_or_insert(headers);
        let holds_parts = !part.boundary.is_empty() || part.kind == MimeKind::Message;
        if holds_parts && open.len() as u64 >= limits.mime_depth {
            remarks.beyond(Limit::MimeDepth);
            part.kind = MimeKind::Other;
        } else if holds_parts {
            open.push(OpenMultipart {
                part: parts.len(),
                boundary: std::mem::take(&mut part.boundary),
            });
        }
        let is_message = part.kind == MimeKind::Message;
        part.body = body..body;
        parts.push(part);
        if is_message && parts.len() as u64 >= limits.mime_parts {
            remarks.beyond(Limit::MimeParts);
            break;
        }
        if is_message {
            at = body;
            continue;
        }
        let (end, next) = next_part(bytes, body, &mut open);
        if let Some(part) = parts.last_mut() {
            part.body = body..end;
        }
        let Some(next) = next else { break };
        if parts.len() as u64 >= limits.mime_parts {
            remarks.beyond(Limit::MimeParts);
            break;
        }
        if deadline.is_over() {
            remarks.beyond(Limit::Seconds);
            break;
        }
        at = next;
    }
    set_attachments(&mut parts);
    MimeParts { headers: top.unwrap_or_default(), parts }
}

/// The description of a part by its headers.
fn describe(headers: &MailHeaders<'_>, digest: bool, top: bool, parent: usize) -> MimePart {
    let (named, found) =
        parameters::parse(headers.get(HeaderField::ContentType).unwrap_or_default());
    let (disposition, more) =
        parameters::parse(headers.get(HeaderField::Disposition).unwrap_or_default());
    let find = |name: &str| parameters::find(&found, name).filter(|value| !value.is_empty());
    let transfer = Transfer::named(headers.get(HeaderField::TransferEncoding).unwrap_or_default());
    let boundary = find("boundary").filter(|text| text.len() <= LONGEST_BOUNDARY);
    let mut kind = kind(&named, digest, top, boundary.is_some());
    if disposition == "attachment" && !top && kind != MimeKind::Message {
        kind = MimeKind::Other;
    }
    // A message encoded as a whole would have to be decoded before it is split.
    if kind == MimeKind::Message && transfer != Transfer::Plain {
        kind = MimeKind::Other;
    }
    let multipart = matches!(
        kind,
        MimeKind::Alternative | MimeKind::Related | MimeKind::Digest | MimeKind::Mixed
    );
    let flowed = find("format").is_some_and(|value| value.eq_ignore_ascii_case("flowed"));
    MimePart {
        kind,
        parent,
        body: 0..0,
        transfer: if multipart { Transfer::Plain } else { transfer },
        charset: find("charset").map(str::to_owned),
        flowed: flowed
            .then(|| find("delsp").is_some_and(|value| value.eq_ignore_ascii_case("yes"))),
        named: find("name").or_else(|| parameters::find(&more, "filename")).is_some(),
        boundary: boundary
            .filter(|_| multipart)
            .map(|text| text.as_bytes().to_vec())
            .unwrap_or_default(),
    }
}

fn kind(named: &str, digest: bool, top: bool, has_boundary: bool) -> MimeKind {
    match named.split_once('/') {
        Some(("multipart", "alternative")) if has_boundary => MimeKind::Alternative,
        Some(("multipart", "related")) if has_boundary => MimeKind::Related,
        Some(("multipart", "digest")) if has_boundary => MimeKind::Digest,
        Some(("multipart", _)) if has_boundary => MimeKind::Mixed,
        Some(("multipart", _)) => MimeKind::Plain,
        Some(("message", "rfc822" | "global" | "news")) => MimeKind::Message,
        Some(("text", "html" | "enriched" | "richtext")) => MimeKind::Html,
        Some(("text", "plain" | "markdown" | "")) => MimeKind::Plain,
        // A whole message of any text type.
        Some(("text", _)) if top => MimeKind::Plain,
        Some(("application", "xhtml+xml")) => MimeKind::Html,
        Some(_) => MimeKind::Other,
        None if named.is_empty() && digest => MimeKind::Message,
        // A missing or meaningless type is plain text.
        None => MimeKind::Plain,
    }
}

/// The end of the body at `from`, and the start of the next part if there is one. Closes multiparts
/// that end.
fn next_part(bytes: &[u8], from: usize, open: &mut Vec<OpenMultipart>) -> (usize, Option<usize>) {
    let mut end = None;
    let mut at = from;
    // Only the blank line after the headers may precede the boundary.
    let mut starts_line = true;
    while open.iter().any(|open| !open.boundary.is_empty()) {
        let line = if starts_line && bytes[at..].starts_with(b"--") {
            at
        } else {
            match memmem::find(&bytes[at..], b"\n--") {
                Some(found) => at + found + 1,
                None => break,
            }
        };
        let next = line_end(bytes, line);
        at = next;
        // Two boundaries may be adjacent.
        starts_line = true;
        let Some((level, closing)) = boundary(&bytes[line..next], open) else { continue };
        let body_end = end.get_or_insert_with(|| before_line(bytes, from, line));
        open.truncate(if closing { level } else { level + 1 });
        if !closing {
            return (*body_end, Some(next));
        }
    }
    (end.unwrap_or(bytes.len()), None)
}

/// The end of a body without the line end before the boundary, which belongs to the boundary.
fn before_line(bytes: &[u8], from: usize, line: usize) -> usize {
    let body = &bytes[from..line];
    let body = body.strip_suffix(b"\n").unwrap_or(body);
    from + body.strip_suffix(b"\r").unwrap_or(body).len()
}

/// The open multipart whose boundary a line is, and whether it closes it.
fn boundary(line: &[u8], open: &[OpenMultipart]) -> Option<(usize, bool)> {
    let line = line.strip_prefix(b"--")?.trim_ascii_end();
    open.iter().enumerate().rev().find_map(|(level, open)| {
        if open.boundary.is_empty() {
            return None;
        }
        match line.strip_prefix(open.boundary.as_slice())? {
            [] => Some((level, false)),
            [b'-', b'-', ..] => Some((level, true)),
            _ => None,
        }
    })
}

/// A text with a file name is an attachment, unless it is the first.
fn set_attachments(parts: &mut [MimePart]) {
    let mut texts =
        parts.iter_mut().filter(|part| matches!(part.kind, MimeKind::Plain | MimeKind::Html));
    texts.next();
    texts.filter(|part| part.named).for_each(|part| part.kind = MimeKind::Other);
}
