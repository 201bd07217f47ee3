//! The words of regular ASCII text: bytes are classified by vectors, and words begin and end where a
//! bitmap of the classes changes.

#[cfg(target_arch = "x86_64")]
use super::masks::vectors;
use super::masks::{BLOCK, Masks, portable};
use super::{ASCII, Space, Tokens, WordForm, carries};
use crate::{tokens::run_hash, wide::wide};

/// A text shorter than this gains nothing by bitmaps.
pub(super) const SHORTEST: usize = BLOCK;

/// Positions that are noted without asking whether they are there: asking costs more.
const AT_ONCE: usize = 8;

/// Where words begin and end in turn, text by text.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordEdges {
    /// The first `length` of them count.
    places: Vec<u32>,
    length: usize,
}

impl WordEdges {
    /// Makes room for a text of this length.
    fn clear(&mut self, bytes: usize) {
        self.length = 0;
        // At most every byte is one, and those of a block are noted eight at a time.
        let room = bytes + BLOCK + AT_ONCE;
        if self.places.len() < room {
            self.places.resize(room, 0);
        }
    }

    /// Notes the bits of a block that begins at `from`.
    #[inline(always)]
    fn push(&mut self, from: usize, mut bits: u64) {
        let count = bits.count_ones() as usize;
        let mut done = 0;
        while done < count {
            if let Some(places) = self.places[self.length + done..].first_chunk_mut::<AT_ONCE>() {
                for place in places {
                    *place = (from as u32).wrapping_add(bits.trailing_zeros());
                    bits &= bits.wrapping_sub(1);
                }
            }
            done += AT_ONCE;
        }
        self.length += count;
    }

    /// Finds the words of an ASCII text without white space around it. False if it is not regular:
    /// if spaces are not single, or there is other white space, or `_`, which alone is no word.
    pub(super) fn find(&mut self, text: &[u8]) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(
                #[inline(always)]
                || {
                    self.find_by(
                        text,
                        #[inline(always)]
                        |block| vectors::masks(simd, block),
                    )
                },
            );
        }
        self.find_by(text, portable::masks)
    }

    #[inline(always)]
    fn find_by(&mut self, text: &[u8], masks: impl Fn(&[u8; BLOCK]) -> Masks) -> bool {
        self.clear(text.len());
        let (mut word_before, mut space_before) = (0, 0);
        for from in (0..text.len()).step_by(BLOCK) {
            let rest = &text[from..];
            let found = match rest.first_chunk() {
                Some(block) => masks(block),
                None => {
                    // Another mark than white space, which must not occur twice.
                    let mut block = [b'-'; BLOCK];
                    block[..rest.len()].copy_from_slice(rest);
                    masks(&block)
                }
            };
            let spaces = found.space & (found.space << 1 | space_before);
            if found.odd | spaces != 0 {
                return false;
            }
            let mut bits = found.word;
            // Few marks are between letters or digits; what is behind the block is not known yet.
            let behind = bits >> 1 | 1 << (BLOCK - 1);
            let mut marks = !found.word & !found.space & (bits << 1 | word_before) & behind;
            while marks > 0 {
                let at = marks.trailing_zeros() as usize;
                marks &= marks - 1;
                bits |= u64::from(is_within_word(text, from + at)) << at;
            }
            let before = bits << 1 | word_before;
            self.push(from, bits ^ before);
            word_before = bits >> (BLOCK - 1);
            space_before = found.space >> (BLOCK - 1);
        }
        if self.length % 2 == 1 {
            self.push(text.len(), 1);
        }
        true
    }

    /// Start and end of each word.
    #[inline]
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        let (words, _) = self.places[..self.length].as_chunks::<2>();
        words.iter().map(|&[start, end]| (start, end))
    }
}

/// Appends regular text, in which `edges` were found, and its words.
pub(super) fn push_words(text: &str, edges: &WordEdges, tokens: &mut Tokens) {
    let base = tokens.text.len();
    tokens.text.push_str(text);
    let bytes = text.as_bytes();
    let has_digits = wide(
        #[inline(always)]
        || {
            tokens.text[base..].make_ascii_lowercase();
            bytes.iter().fold(false, |found, byte| found | byte.is_ascii_digit())
        },
    );
    let words = edges.iter();
    tokens.words.reserve(words.len());
    for (start, end) in words {
        let word = &bytes[start as usize..end as usize];
        let capital = word.first().is_some_and(u8::is_ascii_uppercase);
        let digit = has_digits && word.iter().any(u8::is_ascii_digit);
        let form = WordForm { capital, digit, ascii: true };
        tokens.push_word(base + start as usize, base + end as usize, form);
    }
}

/// Appends regular text, in which `edges` were found, and the hashes of its words for one run.
pub(super) fn push_hashes(text: &str, edges: &WordEdges, tokens: &mut Tokens) {
    // Those of words before it, which were cut in another way.
    tokens.hash_for_run();
    let base = tokens.text.len();
    tokens.text.push_str(text);
    wide(
        #[inline(always)]
        || tokens.text[base..].make_ascii_lowercase(),
    );
    tokens.text.push_str(run_hash::PADDING);
    let lower = &tokens.text.as_bytes()[base..];
    let hash = |(start, end): (u32, u32)| run_hash::hash(lower, start as usize, end as usize);
    tokens.hashes.extend(edges.iter().map(hash));
    tokens.text.truncate(base + text.len());
}

/// Whether a mark continues the word before it.
#[inline(always)]
fn is_within_word(text: &[u8], at: usize) -> bool {
    let class = |at: usize| text.get(at).map_or(Space, |&byte| ASCII[byte as usize & 127]);
    at > 0 && carries(class(at - 1), class(at), class(at + 1))
}
