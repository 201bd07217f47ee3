//! Words of titles and of page furniture, compared by hash.

/// Words that are more common in page furniture than in prose, in several languages.
const FURNITURE: [u64; 138] = hashes(include_str!("furniture_words/furniture.txt"));
/// A bit for each of their hashes, by its last twelve bits: most words are none of them.
const FILTER: [u64; 64] = filter(&FURNITURE);

const fn filter(hashes: &[u64]) -> [u64; 64] {
    let (mut bits, mut i) = ([0; 64], 0);
    while i < hashes.len() {
        bits[(hashes[i] >> 6) as usize % 64] |= 1 << (hashes[i] % 64);
        i += 1;
    }
    bits
}

fn is_furniture(word: u64) -> bool {
    FILTER[(word >> 6) as usize % 64] >> (word % 64) & 1 == 1 && FURNITURE.contains(&word)
}

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

const PRIME: u64 = 0x0100_0000_01b3;

const fn with_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ byte.to_ascii_lowercase() as u64).wrapping_mul(PRIME)
}

/// The hash of the names in a list, but for those with digits: they are often made for one element.
pub(super) fn hash_of_names(list: &str) -> u64 {
    let plain = |name: &&str| !name.bytes().any(|byte| byte.is_ascii_digit());
    let mut all = hash(b"");
    for name in list.split_ascii_whitespace().filter(plain) {
        all = name.bytes().fold(with_byte(all, b' '), with_byte);
    }
    all
}

/// What each byte is in a word: a letter in lower case, or 0 between words.
const LETTERS: [u8; 256] = letters();

const fn letters() -> [u8; 256] {
    let (mut letters, mut byte) = ([0; 256], 0u8);
    loop {
        if !byte.is_ascii() || byte.is_ascii_alphanumeric() {
            letters[byte as usize] = byte.to_ascii_lowercase();
        }
        if byte == u8::MAX {
            return letters;
        }
        byte += 1;
    }
}

/// The hashes of the words of a text.
fn words(text: &str) -> impl Iterator<Item = u64> {
    const NONE: u64 = hash(b"");
    let mut bytes = text.bytes();
    std::iter::from_fn(move || {
        let mut word = NONE;
        for byte in bytes.by_ref() {
            match LETTERS[usize::from(byte)] {
                0 if word == NONE => {}
                0 => return Some(word),
                letter => word = (word ^ u64::from(letter)).wrapping_mul(PRIME),
            }
        }
        (word != NONE).then_some(word)
    })
}

/// The words of a title.
pub(super) struct Title {
    words: Vec<u64>,
    /// A bit for each of them, by its last six bits.
    filter: u64,
}

/// The most words of a title that are compared.
const LONGEST_TITLE: usize = 64;

impl Title {
    pub(super) fn new(title: &str) -> Self {
        let mut words: Vec<u64> = words(title).take(LONGEST_TITLE).collect();
        words.sort_unstable();
        words.dedup();
        let filter = words.iter().fold(0, |bits, word| bits | 1 << (word % 64));
        Self { words, filter }
    }

    /// The share of a short text that is in the title times the share of the title that is in the
    /// text; and the share of furniture words in the text.
    pub(super) fn compare(&self, text: &str) -> (f32, f32) {
        let (mut all, mut known, mut furniture) = (0u32, 0u32, 0u32);
        for word in words(text) {
            all += 1;
            known += u32::from(self.filter >> (word % 64) & 1 == 1 && self.words.contains(&word));
            furniture += u32::from(is_furniture(word));
        }
        let all = all.max(1) as f32;
        let whole = self.words.len().max(1) as f32;
        (known as f32 / all * (known as f32 / whole).min(1.0), furniture as f32 / all)
    }
}
