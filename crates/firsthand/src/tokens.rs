//! Text to words: NFKC, lower case, Unicode word boundaries (UAX 29), block by block.
//!
//! Chinese, Japanese and Thai are segmented by ICU's dictionaries. Typographic apostrophes count as
//! plain ones and soft hyphens are dropped, because copies of a text differ in them. Most text
//! takes a fast path of our own, `fast`, with the same result. Where the settings ask for it,
//! obfuscated text is folded first: `fold`.

mod fast;
mod fold;
mod run_hash;
mod slow;

pub(crate) use fold::Folding;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The normalised text of a document, its words and its blocks.
///
/// ```
/// use firsthand::tokens::Tokens;
///
/// let tokens = Tokens::new("The Ferry sails at NOON");
/// assert_eq!(tokens.words().collect::<Vec<_>>(), ["the", "ferry", "sails", "at", "noon"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// Lower-case NFKC, with a single space wherever there was white space.
    text: String,
    words: Vec<Span>,
    /// The hash of each word.
    hashes: Vec<u64>,
    /// For each block, the number of words up to its end.
    block_ends: Vec<u32>,
    /// The number of each block's line, and the byte where it starts.
    block_lines: Vec<(u32, u32)>,
    /// The words of the stretch that is being read.
    edges: fast::WordEdges,
    /// Whether only hashes for one run are wanted.
    for_run: bool,
}

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "learn"), allow(dead_code))]
pub(crate) struct WordForm {
    /// Whether it starts with a capital.
    pub(crate) capital: bool,
    /// Whether it contains an ASCII digit.
    pub(crate) digit: bool,
    /// Whether it is known to be ASCII; other words may be ASCII as well.
    pub(crate) ascii: bool,
}

/// The bytes of a word in the normalised text, and how it was written before.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
    form: WordForm,
}

impl Tokens {
    /// Reads a text; each line with words is a block.
    pub fn new(text: &str) -> Self {
        let mut tokens = Self::default();
        tokens.read(text);
        tokens
    }

    /// Reads a text with its obfuscation folded, as with the setting `fold`: invisible characters
    /// are dropped, and look-alike letters become the letters they imitate.
    ///
    /// ```
    /// use firsthand::tokens::Tokens;
    ///
    /// let words = |tokens: Tokens| tokens.words().map(str::to_owned).collect::<Vec<_>>();
    /// // The third letter of the first word is Cyrillic, and the other word has an invisible gap.
    /// assert_eq!(words(Tokens::folded("Fr\u{435}e m\u{200b}oney")), ["free", "money"]);
    /// ```
    pub fn folded(text: &str) -> Self {
        Self::new(&Folding::of(text, true).1)
    }

    /// Reads another text in place of this one, reusing its memory.
    pub(crate) fn read(&mut self, text: &str) {
        self.cut(text);
        let bytes = self.text.as_bytes();
        let hash = |span: &Span| xxh3_64(&bytes[span.start as usize..span.end as usize]);
        self.hashes.extend(self.words.iter().map(hash));
    }

    /// Reads another text in place of this one for its [hashes](Self::hashes) and its normalised form
    /// only. The hashes are good for one run, and quicker.
    pub(crate) fn read_for_run(&mut self, text: &str) {
        self.for_run = true;
        self.cut(text);
        self.hash_for_run();
        self.for_run = false;
    }

    /// Turns the words that were cut since the last time into hashes for one run.
    fn hash_for_run(&mut self) {
        let length = self.text.len();
        self.text.push_str(run_hash::PADDING);
        let bytes = self.text.as_bytes();
        let hash = |span: Span| run_hash::hash(bytes, span.start as usize, span.end as usize);
        self.hashes.extend(self.words.drain(..).map(hash));
        self.text.truncate(length);
    }

    /// Cuts another text into words, in place of this one.
    fn cut(&mut self, text: &str) {
        self.text.clear();
        self.words.clear();
        self.hashes.clear();
        self.block_ends.clear();
        self.block_lines.clear();
        self.text.reserve(text.len() + 1 + run_hash::READ);
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
        for (number, end) in ends.enumerate() {
            fast::line(&text[start..end], self);
            self.end_block(number, start);
            start = end + 1;
        }
    }

    fn end_block(&mut self, line: usize, start: usize) {
        let words = self.words.len() as u32;
        if words > self.block_ends.last().copied().unwrap_or(0) {
            self.block_ends.push(words);
            self.block_lines.push((line as u32, start as u32));
        }
    }

    #[inline]
    fn push_word(&mut self, start: usize, end: usize, form: WordForm) {
        self.words.push(Span { start: start as u32, end: end as u32, form });
    }

    /// The normalised text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words; there may still be text, such as a row of dashes.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// One word.
    pub fn word(&self, at: usize) -> &str {
        let span = self.words[at];
        &self.text[span.start as usize..span.end as usize]
    }

    /// All words in order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|span| &self.text[span.start as usize..span.end as usize])
    }

    /// The hash of each word.
    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// How each word is written.
    #[cfg_attr(not(feature = "learn"), allow(dead_code))]
    pub(crate) fn forms(&self) -> impl ExactSizeIterator<Item = WordForm> {
        self.words.iter().map(|span| span.form)
    }

    /// How many bytes each word has.
    #[cfg_attr(not(feature = "learn"), allow(dead_code))]
    pub(crate) fn lengths(&self) -> impl ExactSizeIterator<Item = u32> {
        self.words.iter().map(|span| span.end - span.start)
    }

    /// For each block, the number of words up to its end.
    pub(crate) fn block_ends(&self) -> &[u32] {
        &self.block_ends
    }

    /// The line of the text that each block is, by its number and the byte where it starts.
    #[cfg_attr(not(feature = "learn"), allow(dead_code))]
    pub(crate) fn block_lines(&self) -> &[(u32, u32)] {
        &self.block_lines
    }

    /// The hash of the normalised text, which exact copies share; `None` if that text is empty.
    pub(crate) fn fingerprint(&self) -> Option<u128> {
        (!self.text.is_empty()).then(|| xxh3_128(self.text.as_bytes()))
    }
}

/// The byte positions at which words, and the stretches between them, start and end in any text.
pub(crate) fn segments(text: &str) -> impl Iterator<Item = usize> {
    slow::WORDS.segment_str(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        Tokens::new(text).words().map(str::to_owned).collect()
    }

    /// Without the fast path.
    fn reference(text: &str) -> Tokens {
        let mut tokens = Tokens::default();
        for (number, line) in text.split('\n').enumerate() {
            for chunk in line.split_whitespace() {
                slow::chunk(chunk, &mut tokens);
            }
            tokens.end_block(number, 0);
        }
        tokens
    }

    #[test]
    fn cuts_words() {
        for (text, expected) in [
            ("", vec![]),
            (" \t\n ", vec![]),
            ("Hello, World!", vec!["hello", "world"]),
            ("Don't say can’t", vec!["don't", "say", "can't"]),
            ("1,234.50 dollars; 3.14.15", vec!["1,234.50", "dollars", "3.14.15"]),
            ("e.g. U.S. a.b", vec!["e.g", "u.s", "a.b"]),
            ("snake_case _x_ ___ -", vec!["snake_case", "_x_"]),
            ("well-known—and “quoted”", vec!["well", "known", "and", "quoted"]),
            ("ÉCOLE Straße Ωmega", vec!["école", "straße", "ωmega"]),
            ("co\u{ad}operate", vec!["cooperate"]),
            ("ﬁne ① Ｆｕｌｌ", vec!["fine", "1", "full"]),
            ("a\u{a0}b\u{3000}c", vec!["a", "b", "c"]),
            ("Привет, мир", vec!["привет", "мир"]),
            ("ΟΔΟΣ", vec!["οδος"]),
            ("İçin об’єкт обʼєкт", vec!["için", "об'єкт", "об'єкт"]),
            ("e\u{301}t\u{e9}", vec!["été"]),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
    }

    #[test]
    fn cuts_scripts_without_spaces_into_real_words() {
        assert_eq!(words("我们在北京大学学习"), ["我们", "在", "北京", "大学", "学习"]);
        assert_eq!(
            words("東京で日本語を勉強します"),
            ["東京", "で", "日本語", "を", "勉強", "しま", "す"]
        );
        assert_eq!(words("ภาษาไทยง่าย"), ["ภาษา", "ไทย", "ง่าย"]);
    }

    #[test]
    fn blocks_are_lines_with_words() {
        let tokens = Tokens::new("One two\n\n---\nthree\n");
        assert_eq!(tokens.block_ends(), [2, 3]);
        assert_eq!(tokens.block_lines(), [(0, 0), (3, 13)]);
        assert_eq!(tokens.text(), "one two --- three");
    }

    #[test]
    fn white_space_and_paragraphs_do_not_change_the_fingerprint() {
        let hash = |text: &str| Tokens::new(text).fingerprint();
        assert_eq!(hash("A  b\tc\r\n"), hash("a b\n\nC"));
        assert_eq!(hash("a\u{a0}b"), hash(" a b "));
        assert_ne!(hash("a b"), hash("ab"));
        assert_ne!(hash("|---|"), hash("|--|"));
        assert_eq!(hash(" \n"), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_fast_path_gives_the_same_result(
            text in "([a-cA-C]|[0-2]|[ \t\n\u{b}\r]|['.,:;_\"-]|[’“—…éßÜİıſŉøĳ×·ªºЯйΣσ]|[\u{300}\u{ad}\u{200d}\u{a0}\u{200b}日ไ©])*"
        ) {
            let (fast, slow) = (Tokens::new(&text), reference(&text));
            prop_assert_eq!(&fast.text, &slow.text);
            prop_assert_eq!(fast.words().collect::<Vec<_>>(), slow.words().collect::<Vec<_>>());
            let digits = |tokens: &Tokens| -> Vec<bool> {
                tokens.forms().map(|form| form.digit).collect()
            };
            prop_assert_eq!(digits(&fast), digits(&slow));
            prop_assert_eq!(fast.block_ends, slow.block_ends);
        }

        #[test]
        fn blocks_of_ascii_meet_seamlessly(text in "([a-cX]{0,9}|[01]{1,3}|[ '.,:;-]|_){0,90}") {
            let (fast, slow) = (Tokens::new(&text), reference(&text));
            prop_assert_eq!(&fast.text, &slow.text);
            prop_assert_eq!(fast.words().collect::<Vec<_>>(), slow.words().collect::<Vec<_>>());
            let capitals = text.split([' ', '-']).filter(|word| word.starts_with('X')).count();
            prop_assert!(fast.forms().filter(|form| form.capital).count() >= capitals);
            let digits = fast.words().map(|word| word.contains(['0', '1']));
            prop_assert!(digits.eq(fast.forms().map(|form| form.digit)));
        }

        #[test]
        fn hashes_for_a_run_are_those_of_the_words(
            texts in prop::collection::vec("([a-cX]{1,40}|[01]{1,3}|[ '.,:;-]|_|[ \\t\\néЯ日]){0,90}", 1..3)
        ) {
            let mut run = Tokens::default();
            for text in &texts {
                let tokens = Tokens::new(text);
                run.read_for_run(text);
                let alone = |word: &str| run_hash::hash(format!("{word}{}", run_hash::PADDING).as_bytes(), 0, word.len());
                prop_assert_eq!(run.hashes(), tokens.words().map(alone).collect::<Vec<_>>());
                prop_assert_eq!((run.text(), run.fingerprint()), (tokens.text(), tokens.fingerprint()));
            }
        }

        #[test]
        fn any_text_is_read(text in any::<String>()) {
            let (fast, slow) = (Tokens::new(&text), reference(&text));
            prop_assert_eq!(&fast.text, &slow.text);
            let places = |tokens: &Tokens| -> Vec<(u32, u32)> {
                tokens.words.iter().map(|span| (span.start, span.end)).collect()
            };
            prop_assert_eq!(places(&fast), places(&slow));
        }
    }
}
