//! The lines of a text, each with its kind and its mark.

use crate::blocks::end_of_line;

/// The kind of a line, judged by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// One or more blank lines.
    Blank,
    /// Anything else.
    Text,
    /// Text that may end an attribution: it ends in a colon or says "wrote".
    Attributing,
    /// Starts with a rule of dashes or the like.
    Ruled,
    /// `> text`, `|> text`
    Arrow,
    /// `| text`
    Bar,
    /// `: text`
    Colon,
    /// `AL> text`
    Named,
    /// A line of an encoded file.
    Coded,
}

impl LineKind {
    /// Whether the line starts with a quote mark.
    pub(super) fn is_marked(self) -> bool {
        matches!(self, Self::Arrow | Self::Bar | Self::Colon | Self::Named)
    }
}

/// The role of a line in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    New,
    Forwarded,
    Only,
    Quoted,
    Attribution,
    Headers,
    Answered,
    Signature,
    Footer,
    Disclaimer,
    Armour,
    Encoded,
}

impl Mark {
    pub(super) fn is_kept(self) -> bool {
        matches!(self, Self::New | Self::Forwarded | Self::Only)
    }

    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::New => "new text",
            Self::Forwarded => "forwarded text",
            Self::Only => "the message has nothing else",
            Self::Quoted => "quoted",
            Self::Attribution => "says who is quoted",
            Self::Headers => "headers of another message",
            Self::Answered => "the message that is answered",
            Self::Signature => "a signature",
            Self::Footer => "a list footer",
            Self::Disclaimer => "a disclaimer",
            Self::Armour => "a digital signature or key",
            Self::Encoded => "an encoded file",
        }
    }
}

/// The most lines for which memory is reserved in advance.
const MOST_EXPECTED: usize = 1 << 12;

/// The lines of a text.
pub(super) struct MailLines<'a> {
    text: &'a str,
    /// The start of each; 32 bits, since hostile texts have many lines.
    starts: Vec<u32>,
    pub(super) looks: Vec<LineKind>,
    pub(super) marks: Vec<Mark>,
}

impl<'a> MailLines<'a> {
    /// Classifies each line; `None` for texts of more than 4 GiB.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let end = u32::try_from(text.len()).ok()?;
        // Enough for most texts, since growing costs more than classifying.
        let expected = (text.len() / 32).min(MOST_EXPECTED) + 2;
        let mut lines = Self {
            text,
            starts: Vec::with_capacity(expected),
            looks: Vec::with_capacity(expected),
            marks: Vec::new(),
        };
        let (bytes, mut start) = (text.as_bytes(), 0);
        while start < bytes.len() {
            let next = end_of_line(bytes, start);
            lines.push(start as u32, look(&bytes[start..next]));
            start = next + 1;
        }
        lines.starts.push(end);
        lines.marks = vec![Mark::New; lines.looks.len()];
        Some(lines)
    }

    #[inline]
    fn push(&mut self, start: u32, look: LineKind) {
        if look != LineKind::Blank || self.looks.last() != Some(&LineKind::Blank) {
            self.starts.push(start);
            self.looks.push(look);
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.looks.len()
    }

    /// A trimmed line.
    #[inline]
    pub(super) fn line(&self, at: usize) -> &'a str {
        self.between(at, at).trim_ascii()
    }

    /// The first non-white byte of a line.
    #[inline]
    pub(super) fn first(&self, at: usize) -> Option<u8> {
        let (start, end) = (self.starts[at] as usize, self.starts[at + 1] as usize);
        let mut line = &self.text.as_bytes()[start..end];
        while let [first, rest @ ..] = line {
            if !first.is_ascii_whitespace() {
                return Some(*first);
            }
            line = rest;
        }
        None
    }

    /// A line without trailing white space.
    pub(super) fn indented(&self, at: usize) -> &'a str {
        self.between(at, at).trim_ascii_end()
    }

    /// The text from the start of one line to the end of another.
    #[inline]
    pub(super) fn between(&self, first: usize, last: usize) -> &'a str {
        &self.text[self.starts[first] as usize..self.starts[last + 1] as usize]
    }

    /// The indices of the non-blank lines.
    #[inline]
    pub(super) fn filled(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|at| self.looks[*at] != LineKind::Blank)
    }

    /// Whether a line is unmarked and not blank.
    #[inline]
    pub(super) fn is_new(&self, at: usize) -> bool {
        self.marks.get(at) == Some(&Mark::New) && self.looks[at] != LineKind::Blank
    }

    /// The next non-blank line after `at`.
    #[inline]
    pub(super) fn next_filled(&self, at: usize) -> Option<usize> {
        // Adjacent blank lines are stored as one.
        (at + 1..self.len().min(at + 3)).find(|next| self.looks[*next] != LineKind::Blank)
    }

    /// Marks lines, including blank ones.
    pub(super) fn mark(&mut self, range: std::ops::Range<usize>, mark: Mark) {
        self.marks[range].fill(mark);
    }

    /// As [`mark`](Self::mark), except for lines that are already marked.
    pub(super) fn mark_new(&mut self, range: std::ops::Range<usize>, mark: Mark) {
        self.marks[range].iter_mut().filter(|old| **old == Mark::New).for_each(|old| *old = mark);
    }
}

/// The deepest quote; deeper marks are drawings.
const DEEPEST: usize = 8;

fn look(line: &[u8]) -> LineKind {
    let end = line.trim_ascii_end();
    let indent = end.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let content = &end[indent..];
    match content {
        [] => LineKind::Blank,
        // Most lines, so tested first.
        [b'a'..=b'z' | b'A'..=b'L' | b'N'..=b'Z', ..] => look_of_words(content, indent),
        [b'>', ..] if indent <= DEEPEST => LineKind::Arrow,
        [b'|' | b':' | b'#' | b'}' | b'%', b'>', ..] if indent <= DEEPEST => LineKind::Arrow,
        [b'|', ..] if indent <= DEEPEST => LineKind::Bar,
        [b':'] if indent <= DEEPEST => LineKind::Colon,
        [b':', next, ..] if indent <= DEEPEST && is_after_colon(*next) => LineKind::Colon,
        [first @ (b'-' | b'_' | b'=' | b'*' | b'~' | b'#' | b'+'), second, ..]
            if first == second || *second == b'-' =>
        {
            LineKind::Ruled
        }
        [b'M', ..] if is_coded(content) => LineKind::Coded,
        _ => look_of_words(content, indent),
    }
}

fn look_of_words(content: &[u8], indent: usize) -> LineKind {
    if indent <= DEEPEST && is_named(content) {
        LineKind::Named
    } else if may_attribute(content) {
        LineKind::Attributing
    } else {
        LineKind::Text
    }
}

/// Whether this is a full line of a uuencoded file, whose start may be in another message.
fn is_coded(content: &[u8]) -> bool {
    content.len() == 61 && content.iter().all(|byte| (b' '..=b'`').contains(byte))
}

/// Excludes `:-)` and `::`.
fn is_after_colon(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'"' | b'(' | b':') || byte.is_ascii_alphanumeric()
}

/// Program prompts that end in `>`.
const PROMPTS: [&[u8]; 12] = [
    b"mysql", b"ftp", b"sql", b"sqlite", b"telnet", b"gdb", b"ghci", b"prompt", b"irb", b"psql",
    b"C", b"A",
];

/// Whether a line starts with a short name and `>`.
fn is_named(content: &[u8]) -> bool {
    // Most lines have no `>` near their start, and comparing 16 bytes at once is cheap.
    let none = |start: &[u8; 16]| !start.iter().fold(false, |found, byte| found | (*byte == b'>'));
    if content.first_chunk().is_some_and(none) {
        return false;
    }
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
    let length = content.iter().take(12).take_while(|byte| is_of_name(byte)).count();
    length < 12
        && content.get(length) == Some(&b'>')
        && content[0].is_ascii_alphabetic()
        && !PROMPTS.contains(&&content[..length])
}

fn may_attribute(content: &[u8]) -> bool {
    let [before @ .., last] = content else { return false };
    match last {
        b':' => true,
        b'.' => before.ends_with(b"."),
        // A full-width colon.
        0x9A => before.ends_with(&[0xEF, 0xBC]),
        b'e' => before.ends_with(b" wrot"),
        b's' => before.ends_with(b" write") || before.ends_with(b" say"),
        b'b' => before.ends_with(b" schrie"),
        _ => false,
    }
}
