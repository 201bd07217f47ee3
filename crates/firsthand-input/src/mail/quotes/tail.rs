//! Signatures, list footers and disclaimers at the end of a text.
//!
//! The end is that of the author's own lines, which may precede a quote. What is found is set apart,
//! and the search is repeated before it a few times, each time over a few lines.

use memchr::memchr;

use super::lines::{LineKind, MailLines, Mark};
use super::phrases::{Phrases, is_rule};

/// The number of lines searched from the end.
const WINDOW: usize = 40;

/// The most non-blank lines after the name of a list.
const FEW: usize = 5;

/// The most non-blank lines of a signature or footer after its first.
const LONGEST: usize = 25;

/// The most signatures and footers of a text.
const ROUNDS: usize = 8;

/// Marks signatures and footers.
pub(super) fn mark(lines: &mut MailLines<'_>) {
    let mut end = lines.len();
    for _ in 0..ROUNDS {
        while end > 0 && !lines.is_new(end - 1) {
            end -= 1;
        }
        let Some((at, mark)) = find(lines, end) else { return };
        lines.mark(at..end, mark);
        end = at;
    }
}

/// The first line of the last signature or footer, and its mark.
fn find(lines: &MailLines<'_>, end: usize) -> Option<(usize, Mark)> {
    let stop = end.saturating_sub(WINDOW);
    // The non-blank lines before `end`, backwards.
    let near = |end: usize| {
        let new = (stop..end).rev().take_while(|at| lines.marks[*at] == Mark::New);
        new.filter(|at| lines.looks[*at] != LineKind::Blank)
    };
    near(end).take(LONGEST + 1).enumerate().find_map(|(count, at)| {
        let after = LinesAfter { lines, first: at + 1, end, count };
        let rule = || near(at).next().filter(|above| is_ruled(lines, *above));
        let mark = starts(at, &after, || rule().is_some())?;
        Some((rule().unwrap_or(at), mark))
    })
}

/// The lines after a line, to the end.
struct LinesAfter<'a, 'b> {
    lines: &'a MailLines<'b>,
    first: usize,
    end: usize,
    /// The number of non-blank ones.
    count: usize,
}

impl<'a, 'b> LinesAfter<'a, 'b> {
    /// The non-blank ones.
    fn texts(&self) -> impl Iterator<Item = &'b str> + 'a {
        let lines = self.lines;
        let filled = (self.first..self.end).filter(|at| lines.looks[*at] != LineKind::Blank);
        filled.map(|at| lines.line(at))
    }

    fn has_arrows(&self) -> bool {
        self.lines.looks[self.first..self.end].contains(&LineKind::Arrow)
    }
}

fn is_ruled(lines: &MailLines<'_>, at: usize) -> bool {
    lines.looks[at] == LineKind::Ruled && is_rule(lines.line(at))
}

/// A fast filter that excludes most lines.
fn may_start(at: usize, after: &LinesAfter<'_, '_>) -> bool {
    let lines = after.lines;
    after.count <= FEW
        || lines.looks[at] == LineKind::Ruled
        || opens(lines, at)
        || lines.looks[at - 1] == LineKind::Ruled
        || matches!(lines.first(at), Some(b'-' | EM_DASH))
}

/// The first byte of `—`.
const EM_DASH: u8 = 0xE2;

/// Whether a line starts a paragraph.
fn opens(lines: &MailLines<'_>, at: usize) -> bool {
    at == 0 || !lines.is_new(at - 1)
}

/// Whether a signature or footer starts at a line, by the lines after it and a rule above it.
fn starts(at: usize, after: &LinesAfter<'_, '_>, ruled: impl Fn() -> bool) -> Option<Mark> {
    if !may_start(at, after) {
        return None;
    }
    let (lines, count) = (after.lines, after.count);
    let text = lines.line(at);
    if text.len() <= 4 && matches!(text, "--" | "—" | "- --") {
        let signed = count <= 20 && !is_prose(after);
        return signed.then(|| told(after, 3).unwrap_or(Mark::Signature));
    }
    if lines.looks[at] == LineKind::Ruled {
        let ruled = is_rule(text) || text == "---" || text.contains("Yahoo! Groups Sponsor");
        return if ruled { ruled_off(text, after) } else { None };
    }
    if opens(lines, at) || ruled() {
        if count <= LONGEST && DISCLAIMERS.begin(text.as_bytes()) {
            return Some(Mark::Disclaimer);
        }
        if count <= 12 && FOOTERS.begin(text.as_bytes()) {
            return Some(Mark::Footer);
        }
    }
    if count <= 3 && SENT_FROM.begin(text.as_bytes()) {
        return Some(Mark::Signature);
    }
    is_list(text, after).then_some(Mark::Footer)
}

/// Whether a line is the name of a mailing list above its address, or the link of one.
fn is_list(text: &str, after: &LinesAfter<'_, '_>) -> bool {
    if after.count == 0 {
        return text.contains("/listinfo/") && !text.contains(' ');
    }
    let has = |phrase: &str| memchr(b'<', text.as_bytes()).is_some() && text.contains(phrase);
    after.count <= FEW
        && text.len() < 80
        && (text.ends_with("mailing list") || has("mailing list <"))
        && after.texts().next().is_some_and(is_contact)
}

/// Whether many long lines follow, unlike in a signature.
fn is_prose(after: &LinesAfter<'_, '_>) -> bool {
    let long = |text: &str| text.len() >= 45 && !text.contains("  ") && !text.contains(['|', '@']);
    after.count > 6 && after.texts().take(6).all(long)
}

/// The mark of the lines below a rule.
fn ruled_off(rule: &str, after: &LinesAfter<'_, '_>) -> Option<Mark> {
    if after.count == 0 {
        return None;
    }
    if let Some(mark) = told(after, 4) {
        return (after.count <= LONGEST).then_some(mark);
    }
    let few = if rule == "---" { 3 } else { 0 };
    let signed = after.count <= few || after.count <= 10 && after.texts().any(is_contact);
    let short = || !after.has_arrows() && after.texts().all(|text| text.len() <= 90);
    (signed && short()).then_some(Mark::Signature)
}

/// The mark by phrases in the first lines.
fn told(after: &LinesAfter<'_, '_>, count: usize) -> Option<Mark> {
    after.texts().take(count).find_map(|text| {
        if DISCLAIMERS.begin(text.as_bytes()) {
            Some(Mark::Disclaimer)
        } else if FOOTERS.begin(text.as_bytes()) || FOOTER_WORDS.are_in(text) {
            Some(Mark::Footer)
        } else {
            None
        }
    })
}

/// Whether a text is an address, a link or a telephone number.
fn is_contact(text: &str) -> bool {
    if text.contains('@') || text.contains("://") || text.contains("www.") {
        return true;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= 7 && {
        let lower = text.to_ascii_lowercase();
        let words = ["tel", "fax", "phone", "voice", "mobil", "call"];
        text.starts_with(['+', '(']) || words.iter().any(|word| lower.contains(word))
    }
}

/// Starts of footers of lists and free mail services.
static FOOTERS: Phrases = Phrases::new(include_str!("phrases/footers.txt"));

/// Words of footers below a rule.
static FOOTER_WORDS: Phrases = Phrases::new(include_str!("phrases/footer_words.txt"));

/// Starts of disclaimers and notes of virus scanners.
static DISCLAIMERS: Phrases = Phrases::new(include_str!("phrases/disclaimers.txt"));

/// Lines added by telephones and programs.
static SENT_FROM: Phrases = Phrases::new(include_str!("phrases/sent_from.txt"));
