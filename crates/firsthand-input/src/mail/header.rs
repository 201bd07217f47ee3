//! The headers of a message or part: the first value of each relevant field.
//!
//! Values are slices, so ten megabytes of headers take one pass and no memory.

use memchr::memchr;

/// The most bytes kept of a value.
const LONGEST_VALUE: usize = 16 << 10;

/// The relevant fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderField {
    Subject,
    From,
    MessageId,
    Date,
    Received,
    InReplyTo,
    ListId,
    XMailingList,
    MailingList,
    Newsgroups,
    ContentType,
    TransferEncoding,
    Disposition,
}

const FIELDS: [(&str, HeaderField); 13] = [
    ("subject", HeaderField::Subject),
    ("from", HeaderField::From),
    ("message-id", HeaderField::MessageId),
    ("date", HeaderField::Date),
    ("received", HeaderField::Received),
    ("in-reply-to", HeaderField::InReplyTo),
    ("list-id", HeaderField::ListId),
    ("x-mailing-list", HeaderField::XMailingList),
    ("mailing-list", HeaderField::MailingList),
    ("newsgroups", HeaderField::Newsgroups),
    ("content-type", HeaderField::ContentType),
    ("content-transfer-encoding", HeaderField::TransferEncoding),
    ("content-disposition", HeaderField::Disposition),
];

/// The unchanged values, including folds.
#[derive(Clone, Debug, Default)]
pub(super) struct MailHeaders<'a> {
    values: [Option<&'a [u8]>; FIELDS.len()],
}

impl<'a> MailHeaders<'a> {
    pub(super) fn get(&self, field: HeaderField) -> Option<&'a [u8]> {
        self.values[field as usize]
    }

    /// Reads the block at `at`; also returns the start of the body.
    ///
    /// The block ends after a blank line, before a line for which `ends` holds (a boundary without a
    /// blank line before it), or before a line that is neither a header nor followed by one.
    pub(super) fn read(
        bytes: &'a [u8],
        mut at: usize,
        ends: impl Fn(&[u8]) -> bool,
    ) -> (Self, usize) {
        let mut headers = Self::default();
        let mut open: Option<(HeaderField, usize)> = None;
        let mut first = true;
        while at < bytes.len() {
            let next = line_end(bytes, at);
            let line = &bytes[at..next];
            let blank = line.trim_ascii_end().is_empty();
            if !blank && !first && matches!(line[0], b' ' | b'\t') {
                at = next;
                continue;
            }
            headers.close(bytes, open.take(), at);
            if blank {
                return (headers, next);
            }
            if ends(line) {
                return (headers, at);
            }
            match name(line) {
                Some(name) => open = field(name).map(|field| (field, at + name.len())),
                None if !passed_over(bytes, line, next, first) => return (headers, at),
                None => {}
            }
            first = false;
            at = next;
        }
        headers.close(bytes, open, at);
        (headers, at)
    }

    fn close(&mut self, bytes: &'a [u8], open: Option<(HeaderField, usize)>, end: usize) {
        let Some((field, start)) = open else { return };
        let value = &mut self.values[field as usize];
        if value.is_none() {
            let written = &bytes[start..end];
            let colon = memchr(b':', written).map_or(0, |colon| colon + 1);
            *value = Some(cut(written[colon..].trim_ascii()));
        }
    }
}

/// The end of the line at `at`, after its line feed.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found + 1)
}

/// The name of a header line: printable, with spaces only before the colon.
pub(super) fn name(line: &[u8]) -> Option<&[u8]> {
    let length =
        line.iter().take(100).position(|byte| !matches!(byte, b'!'..=b'9' | b';'..=b'~'))?;
    let colon = line[length..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    (length > 0 && colon == Some(&b':')).then(|| &line[..length])
}

fn field(name: &[u8]) -> Option<HeaderField> {
    let known = |(known, _): &&(&str, HeaderField)| known.as_bytes().eq_ignore_ascii_case(name);
    FIELDS.iter().find(known).map(|(_, field)| *field)
}

/// Whether a line that is not a header is skipped because headers follow it, such as the `From `
/// line of a mailbox.
fn passed_over(bytes: &[u8], line: &[u8], next: usize, first: bool) -> bool {
    let postmark = line.starts_with(b"From ") || line.starts_with(b">From ");
    if first && !postmark {
        return false;
    }
    postmark || next < bytes.len() && name(&bytes[next..line_end(bytes, next)]).is_some()
}

/// The start of a value, without an incomplete last character.
fn cut(value: &[u8]) -> &[u8] {
    let mut end = value.len().min(LONGEST_VALUE);
    while end < value.len() && end > 0 && value[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    &value[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<&str>, &str) {
        let (headers, body) =
            MailHeaders::read(text.as_bytes(), 0, |line| line.starts_with(b"--x"));
        let subject = headers.get(HeaderField::Subject).map(|value| str::from_utf8(value).unwrap());
        (subject, &text[body..])
    }

    #[test]
    fn blocks_and_where_they_end() {
        let cases = [
            ("", None, ""),
            ("\nbody", None, "body"),
            ("no header here\n", None, "no header here\n"),
            ("Subject: a\n\nbody", Some("a"), "body"),
            ("SUBJECT : a\r\n\r\nbody", Some("a"), "body"),
            ("Subject: a\n b\n\tc\nTo: d\n\n", Some("a\n b\n\tc"), ""),
            ("Subject: a\nSubject: b\n\n", Some("a"), ""),
            ("Subject:\n a\n\nb", Some("a"), "b"),
            ("Subject:", Some(""), ""),
            ("From x@y Sat Jan  3 01:05:34 1996\nSubject: a\n\nb", Some("a"), "b"),
            ("X: y\njunk without colon\nSubject: a\n\nb", Some("a"), "b"),
            (
                "Subject: a\nno blank line was left\nbefore the body",
                Some("a"),
                "no blank line was left\nbefore the body",
            ),
            ("Subject: a\n--x\nb", Some("a"), "--x\nb"),
            ("Subject: a\n \nb", Some("a"), "b"),
            ("Dear all,\nSubject: a\n\nb", None, "Dear all,\nSubject: a\n\nb"),
        ];
        for (text, subject, body) in cases {
            assert_eq!(read(text), (subject, body), "{text:?}");
        }
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        let text = format!("Subject: a{}\n\n", "é".repeat(20_000));
        let (headers, body) = MailHeaders::read(text.as_bytes(), 0, |_| false);
        let subject = str::from_utf8(headers.get(HeaderField::Subject).unwrap()).unwrap();
        assert!(subject.len() >= LONGEST_VALUE - 1 && subject.ends_with('é'));
        assert_eq!(body, text.len());
    }
}
