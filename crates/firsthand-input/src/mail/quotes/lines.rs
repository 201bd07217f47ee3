//! The lines of a text, what each looks like, and what was found out about it.

use memchr::memchr_iter;

/// What a line looks like by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing in it; lines of this kind that follow each other are one.
    Blank,
    /// Anything else.
    Text,
    /// Text that may end an attribution: it ends in a colon or says "wrote".
    Attributing,
    /// Starts with a run of dashes or the like.
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

/// What a line is.
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

/// The lines of a text.
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where each starts; 32 bits, for hostile texts have many lines.
    starts: Vec<u32>,
    pub(super) looks: Vec<Look>,
    pub(super) marks: Vec<Mark>,
}

impl<'a> Lines<'a> {
    /// Looks at each line; `None` for texts of more than 4 GiB.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let end = u32::try_from(text.len()).ok()?;
        let mut lines = Self { text, starts: Vec::new(), looks: Vec::new(), marks: Vec::new() };
        let mut start = 0;
        for next in memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).chain([text.len()]) {
            if next > start {
                lines.push(start as u32, look(&text.as_bytes()[start..next]));
            }
            start = next;
        }
        lines.starts.push(end);
        lines.marks = vec![Mark::New; lines.looks.len()];
        Some(lines)
    }

    fn push(&mut self, start: u32, look: Look) {
        if look != Look::Blank || self.looks.last() != Some(&Look::Blank) {
            self.starts.push(start);
            self.looks.push(look);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.looks.len()
    }

    /// A line without white space at its ends.
    pub(super) fn line(&self, at: usize) -> &'a str {
        self.between(at, at).trim_ascii()
    }

    /// A line without white space at its end.
    pub(super) fn indented(&self, at: usize) -> &'a str {
        self.between(at, at).trim_ascii_end()
    }

    /// The text from the start of one line to the end of another.
    pub(super) fn between(&self, first: usize, last: usize) -> &'a str {
        &self.text[self.starts[first] as usize..self.starts[last + 1] as usize]
    }

    /// The numbers of the lines that are not blank.
    pub(super) fn filled(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|at| self.looks[*at] != Look::Blank)
    }

    /// Whether nothing is known about a line, and there is something in it.
    pub(super) fn is_new(&self, at: usize) -> bool {
        self.marks.get(at) == Some(&Mark::New) && self.looks[at] != Look::Blank
    }

    /// The next line after `at` that is not blank.
    pub(super) fn next_filled(&self, at: usize) -> Option<usize> {
        // Blank lines are one.
        (at + 1..self.len().min(at + 3)).find(|next| self.looks[*next] != Look::Blank)
    }

    /// Marks lines, blank ones among them too.
    pub(super) fn mark(&mut self, range: std::ops::Range<usize>, mark: Mark) {
        self.marks[range].fill(mark);
    }

    /// As [`Lines::mark`], but leaves lines that are marked already.
    pub(super) fn mark_new(&mut self, range: std::ops::Range<usize>, mark: Mark) {
        self.marks[range].iter_mut().filter(|old| **old == Mark::New).for_each(|old| *old = mark);
    }
}

/// Deeper marks are no quotes but drawings.
const DEEPEST: usize = 8;

fn look(line: &[u8]) -> Look {
    let end = line.trim_ascii_end();
    let indent = end.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let content = &end[indent..];
    match content {
        [] => Look::Blank,
        [b'>', ..] if indent <= DEEPEST => Look::Arrow,
        [b'|' | b':' | b'#' | b'}' | b'%', b'>', ..] if indent <= DEEPEST => Look::Arrow,
        [b'|', ..] if indent <= DEEPEST => Look::Bar,
        [b':'] if indent <= DEEPEST => Look::Colon,
        [b':', next, ..] if indent <= DEEPEST && is_after_colon(*next) => Look::Colon,
        [first @ (b'-' | b'_' | b'=' | b'*' | b'~' | b'#' | b'+'), second, ..]
            if first == second || *second == b'-' =>
        {
            Look::Ruled
        }
        [b'M', ..] if is_coded(content) => Look::Coded,
        _ if indent <= DEEPEST && is_named(content) => Look::Named,
        _ if may_attribute(content) => Look::Attributing,
        _ => Look::Text,
    }
}

/// A whole line of a uuencoded file, even if its start is in another message.
fn is_coded(content: &[u8]) -> bool {
    content.len() == 61 && content.iter().all(|byte| (b' '..=b'`').contains(byte))
}

/// Not so in `:-)` and `::`.
fn is_after_colon(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'"' | b'(' | b':') || byte.is_ascii_alphanumeric()
}

/// Words before a `>` that are prompts of programs.
const PROMPTS: [&[u8]; 12] = [
    b"mysql", b"ftp", b"sql", b"sqlite", b"telnet", b"gdb", b"ghci", b"prompt", b"irb", b"psql",
    b"C", b"A",
];

/// Whether a line starts with a short name and `>`.
fn is_named(content: &[u8]) -> bool {
    let start = &content[..content.len().min(12)];
    let Some(length) = start.iter().position(|byte| *byte == b'>') else { return false };
    let name = &start[..length];
    let letters = name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'.');
    letters && !name.is_empty() && name[0].is_ascii_alphabetic() && !PROMPTS.contains(&name)
}

fn may_attribute(content: &[u8]) -> bool {
    match content {
        [.., b':'] | [.., b'.', b'.'] => true,
        // A wide colon.
        [.., 0xEF, 0xBC, 0x9A] => true,
        [.., b'e' | b's' | b'b'] => {
            let ends = |word: &[u8]| content.ends_with(word);
            ends(b" wrote") || ends(b" writes") || ends(b" says") || ends(b" schrieb")
        }
        _ => false,
    }
}
