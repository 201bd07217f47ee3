//! The words of regular ASCII text: bytes are classified by vectors, and words begin and end where a
//! bitmap of the classes changes.

use super::{ASCII, Space, Tokens, WordForm, carries};
use crate::wide::wide;

/// Bytes that are classified at once, a bit of a bitmap for each.
pub(super) const BLOCK: usize = 64;

/// The bits of a class: letters and digits, what else is no space, and digits once more.
const WORD: u32 = 0;
const MARK: u32 = 1;
const DIGIT: u32 = 2;

/// Whether spaces are single, no other white space occurs, and no `_`, which alone is no word. There is
/// no white space around the text.
pub(super) fn is_regular(text: &[u8]) -> bool {
    let next = text.get(1..).unwrap_or_default();
    let is_odd = |odd: bool, (a, b): (&u8, &u8)| {
        let spaces = (*a == b' ') & (*b == b' ');
        odd | spaces | (a.wrapping_sub(b'\t') < 5) | (*a == b'_')
    };
    text.last() != Some(&b'_')
        && !wide(
            #[inline(always)]
            || text.iter().zip(next).fold(false, is_odd),
        )
}

/// Appends regular text and its words.
pub(super) fn words(text: &str, tokens: &mut Tokens) {
    let base = tokens.text.len();
    tokens.text.push_str(text);
    wide(
        #[inline(always)]
        || {
            tokens.text[base..].make_ascii_lowercase();
            let mut word = OpenWord { base, start: None, digits: false };
            let mut before = 0;
            for from in (0..text.len()).step_by(BLOCK) {
                let lower = &tokens.text.as_bytes()[base + from..];
                let classes = match lower.first_chunk() {
                    Some(block) => classes(block),
                    None => {
                        let mut block = [b' '; BLOCK];
                        block[..lower.len()].copy_from_slice(lower);
                        classes(&block)
                    }
                };
                let mut bits = bitmap(&classes, WORD);
                let mut marks = bitmap(&classes, MARK);
                while marks > 0 {
                    let at = marks.trailing_zeros() as usize;
                    marks &= marks - 1;
                    bits |= u64::from(is_within_word(text.as_bytes(), from + at)) << at;
                }
                word.digits |= classes.iter().fold(0, |any, class| any | class) & (1 << DIGIT) > 0;
                let mut edges = bits ^ (bits << 1 | before);
                before = bits >> (BLOCK - 1);
                while edges > 0 {
                    word.edge(from + edges.trailing_zeros() as usize, text, tokens);
                    edges &= edges - 1;
                }
                word.digits &= word.start.is_some();
            }
            if word.start.is_some() {
                word.edge(text.len(), text, tokens);
            }
        },
    );
}

/// The class of each byte of lower-case text.
#[inline(always)]
fn classes(block: &[u8; BLOCK]) -> [u8; BLOCK] {
    let mut classes = [0; BLOCK];
    for (class, byte) in classes.iter_mut().zip(block) {
        let digit = byte.wrapping_sub(b'0') < 10;
        let word = (byte.wrapping_sub(b'a') < 26) | digit;
        let mark = !word & (*byte != b' ');
        *class = u8::from(word) << WORD | u8::from(mark) << MARK | u8::from(digit) << DIGIT;
    }
    classes
}

/// One bit of each class. The product puts that of the eighth byte next to that of the seventh, and so
/// on, in its first byte.
#[inline(always)]
fn bitmap(classes: &[u8; BLOCK], bit: u32) -> u64 {
    let mut bits = 0;
    for (at, eight) in classes.as_chunks::<8>().0.iter().enumerate() {
        let ones = (u64::from_le_bytes(*eight) >> bit) & 0x0101_0101_0101_0101;
        bits |= (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at);
    }
    bits
}

/// Whether a mark continues the word before it.
#[inline(always)]
fn is_within_word(text: &[u8], at: usize) -> bool {
    let class = |at: usize| text.get(at).map_or(Space, |&byte| ASCII[byte as usize & 127]);
    at > 0 && carries(class(at - 1), class(at), class(at + 1))
}

/// The word that has begun, if one has.
struct OpenWord {
    /// Where the text begins in that of the tokens.
    base: usize,
    start: Option<usize>,
    /// Whether there are digits in the blocks that it reaches into.
    digits: bool,
}

impl OpenWord {
    /// The edge of a word: it begins or ends here.
    #[inline(always)]
    fn edge(&mut self, at: usize, text: &str, tokens: &mut Tokens) {
        let Some(start) = self.start.take() else {
            self.start = Some(at);
            return;
        };
        let word = &text.as_bytes()[start..at];
        let capital = word[0].is_ascii_uppercase();
        let digit = self.digits && word.iter().any(u8::is_ascii_digit);
        let form = WordForm { capital, digit, ascii: true };
        tokens.push_word(self.base + start, self.base + at, form);
    }
}
