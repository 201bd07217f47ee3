//! Words of titles and of page furniture, compared by hash.

/// Words that are more common in page furniture than in prose, in several languages.
const FURNITURE: [u64; 76] = hashes(include_str!("furniture_words/furniture.txt"));

/// The hashes of the words of a table, one per line.
const fn hashes<const N: usize>(table: &str) -> [u64; N] {
    let (mut hashes, mut word, mut i) = ([hash(b""); N], 0, 0);
    while i < table.len() {
        match table.as_bytes()[i] {
            b'\n' => word += 1,
            byte => hashes[word] = with_byte(hashes[word], byte),
        }
        i += 1;
    }
    hashes
}

/// FNV-1a of the bytes, with ASCII letters in lower case.
pub(super) const fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut i = 0;
    while i < bytes.len() {
        hash = with_byte(hash, bytes[i]);
        i += 1;
    }
    hash
}

const fn with_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ byte.to_ascii_lowercase() as u64).wrapping_mul(0x0100_0000_01b3)
}

fn words(text: &str) -> impl Iterator<Item = u64> {
    text.as_bytes()
        .split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(hash)
}

/// The words of a title.
pub(super) struct Title(Vec<u64>);

/// The most words of a title that are compared.
const LONGEST_TITLE: usize = 64;

impl Title {
    pub(super) fn new(title: &str) -> Self {
        let mut words: Vec<u64> = words(title).take(LONGEST_TITLE).collect();
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    /// The share of a short text that is in the title times the share of the title that is in the
    /// text; and the share of furniture words in the text.
    pub(super) fn compare(&self, text: &str) -> (f32, f32) {
        let (mut all, mut known, mut furniture) = (0u32, 0u32, 0u32);
        for word in words(text) {
            all += 1;
            known += u32::from(self.0.contains(&word));
            furniture += u32::from(FURNITURE.contains(&word));
        }
        let all = all.max(1) as f32;
        let whole = self.0.len().max(1) as f32;
        (known as f32 / all * (known as f32 / whole).min(1.0), furniture as f32 / all)
    }
}
