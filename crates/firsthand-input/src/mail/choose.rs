//! Chooses the parts that form the text of a message, and between plain text and page.
//!
//! Only the message's own text counts; a message without any is read as the first attached message
//! that has some.

use memchr::memmem;

use super::parts::{MimeKind, MimePart, MimeParts};
use super::{cited, decode, flowed};
use crate::remarks::Remarks;

/// Phrases by which a plain text refers to the page.
const STUBS: &str = include_str!("choose/stubs.txt");

/// The most bytes of a stub.
const LONGEST_STUB: usize = 600;

/// The decoded text of a part.
#[derive(Clone, Default)]
struct DecodedPart {
    text: String,
    replaced: u64,
}

/// Decodes each part at most once.
struct Texts<'a> {
    bytes: &'a [u8],
    parts: &'a [MimePart],
    texts: Vec<Option<DecodedPart>>,
    html_text: &'a mut dyn FnMut(&str) -> String,
}

/// The text of a message.
pub(super) fn text(
    bytes: &[u8],
    parts: &MimeParts<'_>,
    remarks: &mut Remarks,
    html_text: &mut dyn FnMut(&str) -> String,
) -> String {
    let parts = &parts.parts;
    let mut texts = Texts { bytes, parts, texts: vec![None; parts.len()], html_text };
    let lists = lists(&mut texts);
    let attached = (1..parts.len()).filter(|at| parts[*at].kind == MimeKind::Message);
    for list in std::iter::once(0).chain(attached).map(|at| &lists[at]) {
        let text = texts.joined(list);
        if !text.trim().is_empty() {
            remarks.replaced += list.iter().map(|part| texts.get(*part).replaced).sum::<u64>();
            return text;
        }
    }
    String::new()
}

/// For each part, the indices of the parts that form its text.
fn lists(texts: &mut Texts<'_>) -> Vec<Vec<usize>> {
    let parts = texts.parts;
    let mut inside = vec![Vec::new(); parts.len()];
    for (at, part) in parts.iter().enumerate().skip(1) {
        inside[part.parent].push(at);
    }
    let mut lists: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    // Parts come after the one around them, so going backwards finds all parts ready.
    for (at, part) in parts.iter().enumerate().rev() {
        let own = |child: &usize| parts[*child].kind != MimeKind::Message;
        let filled = |child: &usize| own(child) && !lists[*child].is_empty();
        let candidates: Vec<usize> = inside[at].iter().copied().filter(filled).collect();
        lists[at] = match part.kind {
            MimeKind::Other => Vec::new(),
            MimeKind::Plain | MimeKind::Html => vec![at],
            // A multipart without any boundary is text.
            _ if inside[at].is_empty() => vec![at],
            MimeKind::Alternative => best(&candidates, &lists, texts),
            MimeKind::Related => {
                candidates.first().map(|first| lists[*first].clone()).unwrap_or_default()
            }
            MimeKind::Mixed | MimeKind::Digest | MimeKind::Message => {
                candidates.iter().flat_map(|child| lists[*child].iter().copied()).collect()
            }
        };
    }
    lists
}

/// The best alternative: the plain text, unless it is blank, a stub, or far shorter than the page.
fn best(candidates: &[usize], lists: &[Vec<usize>], texts: &mut Texts<'_>) -> Vec<usize> {
    let is_page = |at: &usize| texts.parts[*at].kind == MimeKind::Html;
    let page = candidates.iter().rev().find(|at| lists[**at].iter().any(is_page));
    let plain = candidates.iter().find(|at| !lists[**at].iter().any(is_page));
    let (Some(plain), Some(page)) = (plain, page) else {
        return plain.or(page).map(|at| lists[*at].clone()).unwrap_or_default();
    };
    let (plain, page) = (&lists[*plain], &lists[*page]);
    let short = texts.joined(plain);
    let written = page.iter().map(|at| texts.parts[*at].body.len()).sum::<usize>();
    let short_words = words(&short);
    // Markup is at least as long as its text: a page of this length need not be read.
    if short_words * 4 > written && !is_stub(&short) {
        return plain.clone();
    }
    let long = words(&texts.joined(page));
    let better = long > 0 && (short_words == 0 || is_stub(&short) || long > 3 * short_words + 200);
    if better { page.clone() } else { plain.clone() }
}

/// The length of a text without white space.
fn words(text: &str) -> usize {
    text.split_whitespace().map(str::len).sum()
}

fn is_stub(text: &str) -> bool {
    let text = text.trim();
    if text.len() > LONGEST_STUB {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    STUBS.lines().any(|stub| memmem::find(lower.as_bytes(), stub.as_bytes()).is_some())
}

impl Texts<'_> {
    fn joined(&mut self, list: &[usize]) -> String {
        let mut joined = String::new();
        for at in list {
            let text = self.get(*at);
            if !text.text.trim().is_empty() {
                if !joined.is_empty() {
                    joined.push_str("\n\n");
                }
                joined.push_str(&text.text);
            }
        }
        joined
    }

    fn get(&mut self, at: usize) -> &DecodedPart {
        if self.texts[at].is_none() {
            self.texts[at] = Some(self.read(at));
        }
        self.texts[at].get_or_insert_default()
    }

    fn read(&mut self, at: usize) -> DecodedPart {
        let part = &self.parts[at];
        let bytes = part.transfer.decode(&self.bytes[part.body.clone()]);
        let (text, replaced) = decode::text(&bytes, part.charset.as_deref());
        let text = match (part.kind, part.flowed) {
            (MimeKind::Html, _) => cited::unmark(&(self.html_text)(&cited::mark(&text))),
            (_, Some(delsp)) => flowed::unwrap(&text, delsp),
            (_, None) => text.into_owned(),
        };
        DecodedPart { text, replaced }
    }
}
