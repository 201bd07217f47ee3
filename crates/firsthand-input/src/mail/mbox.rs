//! Cuts mailboxes into messages in bounded memory.
//!
//! A message starts with a postmark (see `postmark`) at the start of the file or after a blank line,
//! if a header, a blank line or nothing follows. Some programs leave the blank line out; then the
//! postmark must be complete, and headers of mail follow. A message that is too long is reported and skipped
//! up to the next postmark. `Content-Length` is ignored, since it is often wrong.

use std::borrow::Cow;
use std::io::{ErrorKind, Read};

use memchr::memmem;

use super::{header, postmark, sniff};
use crate::chunk_buffer::CutError;
use firsthand::settings::Limits;

/// Bytes per read.
const STEP: usize = 256 << 10;

/// The bytes inspected from the start of a postmark: the line and the start of the next.
const LOOK_AHEAD: usize = postmark::LONGEST + 200;

/// A message as it is in the file, with its postmark.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MboxMessage {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Its offset in the file.
    pub(crate) byte: u64,
    pub(crate) bytes: Vec<u8>,
}

/// The messages of a mailbox.
#[derive(Debug)]
pub(crate) struct Mbox<R> {
    stream: R,
    /// The most bytes of a message.
    limit: u64,
    buffer: Vec<u8>,
    /// The start of the message in the buffer.
    start: usize,
    /// Between `start` and here, no other message starts.
    searched: usize,
    /// The number and byte of the message.
    number: u64,
    byte: u64,
    /// Whether the rest of a message that is too long is being skipped.
    passing: bool,
    ended: bool,
    /// The error that ended reading, reported after the messages before it.
    error: Option<std::io::Error>,
}

impl<R: Read> Mbox<R> {
    /// Reads messages from a stream.
    pub(crate) fn new(stream: R, limits: &Limits) -> Self {
        let (limit, buffer) = (limits.file, Vec::new());
        let (start, searched) = (0, 0);
        let (number, byte) = (1, 0);
        let (passing, ended, error) = (false, false, None);
        Self { stream, limit, buffer, start, searched, number, byte, passing, ended, error }
    }

    /// Reads more; `false` at the end.
    fn fill(&mut self) -> std::io::Result<bool> {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        let before = self.buffer.len();
        self.buffer.resize(before + STEP, 0);
        let read = loop {
            match self.stream.read(&mut self.buffer[before..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(before + read.as_ref().map_or(0, |&read| read.min(STEP)));
        read.map(|read| read > 0)
    }

    /// The start of the next message in the buffer, if known.
    fn boundary(&mut self) -> Option<usize> {
        // The blank line before a postmark matters too.
        let mut from = self.searched.max(self.start);
        while let Some(found) = memmem::find(&self.buffer[from..], b"\nFrom ") {
            let at = from + found + 1;
            if at + LOOK_AHEAD > self.buffer.len() && !self.ended {
                self.searched = at - 1;
                return None;
            }
            let rest = &self.buffer[at..];
            let is_start = match after_blank_line(&self.buffer[self.start..at]) {
                true => starts_message(rest),
                false => starts_message_at_once(rest),
            };
            if is_start {
                // It is found again if the message turns out to be too long.
                self.searched = at - 1;
                return Some(at);
            }
            from = at;
        }
        // A postmark may cross the end of the buffer.
        self.searched = from.max(self.buffer.len().saturating_sub("\nFrom ".len()));
        None
    }

    /// Advances to `end` in the buffer.
    fn advance(&mut self, end: usize) -> Vec<u8> {
        let bytes = &self.buffer[self.start..end];
        self.byte += bytes.len() as u64;
        let taken = if self.passing { Vec::new() } else { bytes.to_vec() };
        self.start = end;
        self.searched = self.searched.max(end);
        taken
    }

    /// The message that ends at `end`, unless it is blank.
    fn take(&mut self, end: usize) -> Option<MboxMessage> {
        let (number, byte) = (self.number, self.byte);
        let blank = self.buffer[self.start..end].trim_ascii().is_empty();
        let bytes = self.advance(end);
        let passed = std::mem::take(&mut self.passing);
        if blank && !passed {
            return None;
        }
        self.number += 1;
        (!passed).then_some(MboxMessage { number, byte, bytes })
    }
}

impl<R: Read> Iterator for Mbox<R> {
    type Item = Result<MboxMessage, CutError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let found = self.boundary();
            if let Some(error) = self.error.take_if(|_| found.is_none()) {
                // The message that was cut off is incomplete.
                self.start = self.buffer.len();
                return Some(Err(CutError::Failed { at: self.number, error }));
            }
            if found.is_none() && self.ended && self.start == self.buffer.len() {
                return None;
            }
            let end = found.or(self.ended.then_some(self.buffer.len()));
            let length = (end.unwrap_or(self.searched) - self.start) as u64;
            if length > self.limit && !self.passing {
                self.passing = true;
                return Some(Err(CutError::TooLong { at: self.number }));
            }
            if let Some(end) = end {
                match self.take(end) {
                    Some(raw) => return Some(Ok(raw)),
                    None => continue,
                }
            }
            if self.passing {
                // Keep the bytes that may be the blank line before a postmark.
                self.advance(self.searched.saturating_sub(4).max(self.start));
            }
            match self.fill() {
                Ok(more) => self.ended = !more,
                Err(error) => (self.ended, self.error) = (true, Some(error)),
            }
        }
    }
}

/// Whether bytes that end in a line feed end in a blank line or are just the line feed.
fn after_blank_line(before: &[u8]) -> bool {
    let line = before.strip_suffix(b"\n").unwrap_or(before);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.is_empty() || line.ends_with(b"\n")
}

/// Whether these bytes are the start of a message.
fn starts_message(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len().min(LOOK_AHEAD)];
    let end = header::line_end(bytes, 0);
    let next = &bytes[end..];
    let followed = next.is_empty()
        || next.starts_with(b"\n")
        || next.starts_with(b"\r\n")
        || next.starts_with(b">From ")
        || header::name(next).is_some();
    followed && postmark::is_postmark(&bytes[..end])
}

/// Whether these bytes are the start of a message even without a blank line before them: an
/// unmistakable postmark, and headers of mail.
fn starts_message_at_once(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len().min(LOOK_AHEAD)];
    let (line, headers) = bytes.split_at(header::line_end(bytes, 0));
    postmark::is_full(line) && sniff::looks_like_mail(headers)
}

/// A message without its postmark, with `From ` lines unescaped.
pub(crate) fn message(bytes: &[u8]) -> Cow<'_, [u8]> {
    let end = header::line_end(bytes, 0);
    let bytes = if postmark::is_postmark(&bytes[..end]) { &bytes[end..] } else { bytes };
    let mut plain = Vec::new();
    let mut done = 0;
    for at in memmem::find_iter(bytes, b">From ") {
        let marks = bytes[..at].iter().rev().take_while(|byte| **byte == b'>').count();
        if at == marks || bytes[at - marks - 1] == b'\n' {
            plain.extend_from_slice(&bytes[done..at]);
            done = at + 1;
        }
    }
    if done == 0 {
        return Cow::Borrowed(bytes);
    }
    plain.extend_from_slice(&bytes[done..]);
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a few bytes per read, then perhaps an error.
    struct Dribble<'a> {
        rest: &'a [u8],
        sizes: &'a [usize],
        turn: usize,
        fails: bool,
    }

    impl Read for Dribble<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            if self.rest.is_empty() && self.fails {
                return Err(std::io::Error::other("torn"));
            }
            let size = self.sizes.get(self.turn % self.sizes.len().max(1)).copied().unwrap_or(STEP);
            self.turn += 1;
            let size = size.max(1).min(self.rest.len()).min(into.len());
            into[..size].copy_from_slice(&self.rest[..size]);
            self.rest = &self.rest[size..];
            Ok(size)
        }
    }

    fn up_to(file: u64) -> Limits {
        Limits { file, ..Limits::default() }
    }

    fn cut(text: &str, limit: u64) -> Vec<String> {
        let tell = |item: Result<MboxMessage, CutError>| match item {
            Ok(raw) => {
                let text = String::from_utf8_lossy(&raw.bytes).into_owned();
                format!("{} {} {text}", raw.number, raw.byte)
            }
            Err(CutError::TooLong { at: number }) => format!("{number} too long"),
            Err(CutError::Failed { at: number, error }) => format!("{number} {error}"),
            Err(CutError::CutOff { at: number }) => format!("{number} cut off"),
        };
        Mbox::new(text.as_bytes(), &up_to(limit)).map(tell).collect()
    }

    const MARK: &str = "From a@example.org Sat Jan  3 01:05:34 1996\n";

    #[test]
    fn messages_and_their_places() {
        let text = format!("{MARK}A: b\n\nc\n\n{MARK}A: d\n\nFrom here on\n{MARK}e\n");
        let second = text[MARK.len() + 9..].to_owned();
        let first = format!("1 0 {}", &text[..MARK.len() + 9]);
        assert_eq!(cut(&text, 1000), [first, format!("2 {} {second}", MARK.len() + 9)]);
        assert_eq!(cut("", 10), [""; 0]);
        assert_eq!(cut("\n\n", 10), [""; 0]);
        assert_eq!(cut("no postmark", 100), ["1 0 no postmark"]);
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(cut(&crlf, 1000).len(), 2);
        let late = format!("\n\n{MARK}A: b\n");
        assert_eq!(cut(&late, 1000), [format!("1 2 {MARK}A: b\n")]);
    }

    #[test]
    fn unescaped_lines_do_not_split() {
        for line in ["From me to you", MARK.trim_end(), "From x@y I have it in 1996"] {
            let text = format!("{MARK}A: b\n\nc\n\n{line}\nthen words\n");
            assert_eq!(cut(&text, 1000).len(), 1, "{line}");
        }
        let text = format!("{MARK}A: b\n\nno blank line\n{MARK}A: b\n");
        assert_eq!(cut(&text, 1000).len(), 1);
    }

    #[test]
    fn a_message_may_follow_at_once() {
        let headers = "From: a@example.org\nDate: Sat, 3 Jan 1996 01:05:34 +0000\nSubject: b\n";
        let text = format!("{MARK}{headers}\nno blank line\n{MARK}{headers}\nnone again\n{MARK}");
        assert_eq!(cut(&format!("{text}{headers}\nend\n"), 1000).len(), 3);
        assert_eq!(cut(&text.replace('\n', "\r\n"), 1000).len(), 2);
        // A sentence, or a postmark that a text quotes.
        for line in ["From a@example.org it came on Sat", MARK.trim_end()] {
            let text = format!("{MARK}{headers}\nas follows:\n{line}\nwords: and words\n");
            assert_eq!(cut(&text, 1000).len(), 1, "{line}");
        }
    }

    #[test]
    fn long_messages_are_passed_over() {
        let long = format!("{MARK}A: b\n\n{}\n\n", "x".repeat(3 * STEP));
        let text = format!("{MARK}A: b\n\n{long}{long}{MARK}C: d\n");
        let told = cut(&text, 1000);
        assert_eq!(told[1..3], ["2 too long", "3 too long"]);
        let byte = text.len() - MARK.len() - 5;
        assert_eq!(told[3], format!("4 {byte} {MARK}C: d\n"));
        assert_eq!(told.len(), 4);
        // Small, and found whole in one step.
        let text = format!("{MARK}A: {}\n\n{MARK}C: d\n", "x".repeat(100));
        assert_eq!(cut(&text, 80)[0], "1 too long");
        assert!(cut(&text, 80)[1].starts_with("2 "));
    }

    #[test]
    fn memory_is_bounded() {
        let mut mbox = Mbox::new(std::io::repeat(b'x').take(100 << 20), &up_to(1 << 20));
        assert!(matches!(mbox.next(), Some(Err(CutError::TooLong { at: 1 }))));
        assert!(mbox.next().is_none());
        assert!(mbox.buffer.capacity() < 4 << 20);
    }

    #[test]
    fn a_broken_stream_ends_it() {
        let text = format!("{MARK}A: b\n\n{MARK}C: d\n");
        let stream = Dribble { rest: text.as_bytes(), sizes: &[7], turn: 0, fails: true };
        let told: Vec<_> = Mbox::new(stream, &up_to(1000)).collect();
        assert!(matches!(&told[0], Ok(raw) if raw.number == 1));
        assert!(matches!(&told[1], Err(CutError::Failed { at: 2, .. })));
        assert_eq!(told.len(), 2);
    }

    #[test]
    fn postmarks_go_and_escapes_are_undone() {
        let cases = [
            ("A: b\n\nc", "A: b\n\nc"),
            ("From a@b Sat Jan  3 01:05:34 1996\nA: b\n\n>From c\n", "A: b\n\nFrom c\n"),
            ("A: b\n\n>>From c\nx >From d\n>From", "A: b\n\n>From c\nx >From d\n>From"),
            (">From a\n", "From a\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(message(text.as_bytes()), expected.as_bytes(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_was_joined_is_cut_again(
            bodies in prop::collection::vec("([a-z >]{0,20}\n|\n|From [a-z]{1,5}\n|>From x\n){0,12}", 1..8),
            sizes in prop::collection::vec(1_usize..60, 1..5),
            crlf: bool,
        ) {
            let messages: Vec<String> = bodies
                .iter()
                .map(|body| format!("{MARK}Subject: a\n\n{body}\n"))
                .map(|message| if crlf { message.replace('\n', "\r\n") } else { message })
                .collect();
            let text = messages.concat();
            let stream = Dribble { rest: text.as_bytes(), sizes: &sizes, turn: 0, fails: false };
            let raws: Vec<MboxMessage> = Mbox::new(stream, &up_to(10_000)).map(Result::unwrap).collect();
            let mut byte = 0;
            for (raw, message) in raws.iter().zip(&messages) {
                prop_assert_eq!(&raw.bytes, message.as_bytes());
                prop_assert_eq!(raw.byte, byte);
                byte += message.len() as u64;
            }
            prop_assert_eq!(raws.len(), messages.len());
        }

        #[test]
        fn nothing_is_lost(text in "(From - Mon 1999\n|\r?\n|A: b\n|[a-z\0]{0,9}){0,30}", limit in 1_u64..200, size in 1_usize..50) {
            let sizes = [size];
            let stream = Dribble { rest: text.as_bytes(), sizes: &sizes, turn: 0, fails: false };
            let items: Vec<_> = Mbox::new(stream, &up_to(limit)).collect();
            let whole: Vec<&MboxMessage> = items.iter().filter_map(|item| item.as_ref().ok()).collect();
            for raw in &whole {
                let start = raw.byte as usize;
                prop_assert_eq!(&raw.bytes, &text.as_bytes()[start..start + raw.bytes.len()]);
                prop_assert!(raw.bytes.len() as u64 <= limit);
            }
            if items.len() == whole.len() {
                let joined: Vec<u8> = whole.iter().flat_map(|raw| raw.bytes.clone()).collect();
                prop_assert_eq!(joined.trim_ascii(), text.as_bytes().trim_ascii());
            }
        }
    }
}
