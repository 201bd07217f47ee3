//! The texts of a batch as the numbers of their words: a quarter of what their features take, and nothing has to be
//! sorted until it is known which texts may have a partner.

use super::FeatureCounter;
use crate::{
    coded::{self, Distinct, WordReader, dictionary::Dictionary, words_per_shingle},
    document::Document,
    scheme::shingles,
    set::Sorter,
    settings::Settings,
};

/// Writes the texts of one batch after another, each batch with the words that it has, so that it can be read by
/// itself.
///
/// Where texts are compared by all their shingles of words and by nothing else, this takes the place of
/// [`PieceSigner`](super::PieceSigner). Its hashes are others, so that the two do not go together.
///
/// ```
/// use firsthand::{Document, Settings, pieces::{BatchCoder, CodedBatch, TextDecoder}};
///
/// let settings = Settings::profile("corpus")?;
/// let mut coder = BatchCoder::new(&settings).ok_or("no shingles of words")?;
/// let text = coder.add(&Document::new("a", "one two three four five six seven eight nine ten"), None);
/// assert_eq!(text.size, 6);
/// let batch = CodedBatch::from_bytes(&coder.finish(), &settings).ok_or("damaged")?;
/// assert_eq!(TextDecoder::default().set(&batch, 0).len(), 6);
/// // Pages of sites are compared by what is their own.
/// assert!(BatchCoder::new(&Settings::profile("archive")?).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchCoder<'a> {
    reader: WordReader<'a>,
    dictionary: Dictionary,
    code: Vec<u16>,
    /// The codes of all texts.
    codes: Vec<u16>,
    texts: Vec<TextPlace>,
}

/// Where the code of a text ends, and its size.
type TextPlace = [u32; 2];

/// What is known of a text beside its features.
///
/// ```
/// use firsthand::{Document, Settings, pieces::BatchCoder};
///
/// let settings = Settings::profile("corpus")?;
/// let mut coder = BatchCoder::new(&settings).ok_or("no shingles of words")?;
/// let empty = coder.add(&Document::new("a", ""), None);
/// assert_eq!((empty.fingerprint, empty.length, empty.size), (None, 0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodedPiece {
    /// The hash of its text, which exact copies share; none if it is empty.
    pub fingerprint: Option<u128>,
    /// The length of the normalised text in bytes.
    pub length: u32,
    /// The number of its features.
    pub size: u32,
}

/// A batch that was written by a [`BatchCoder`].
///
/// ```
/// use firsthand::{Document, Settings, pieces::{BatchCoder, CodedBatch}};
///
/// let settings = Settings::profile("corpus")?;
/// let mut coder = BatchCoder::new(&settings).ok_or("no shingles of words")?;
/// for text in ["one two three four five", "", "one two three four five six"] {
///     coder.add(&Document::new("", text), None);
/// }
/// let bytes = coder.finish();
/// let batch = CodedBatch::from_bytes(&bytes, &settings).ok_or("damaged")?;
/// assert_eq!((0..batch.len()).map(|text| batch.size(text)).collect::<Vec<_>>(), [1, 0, 2]);
/// assert!(CodedBatch::from_bytes(&bytes[1..], &settings).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CodedBatch {
    dictionary: Dictionary,
    codes: Vec<u16>,
    texts: Vec<TextPlace>,
    /// Words per shingle.
    n: usize,
    multiset: bool,
}

/// Makes features of coded texts, one text after another, reusing its memory.
///
/// ```
/// use firsthand::{Document, Settings, pieces::{BatchCoder, CodedBatch, TextDecoder}};
///
/// let settings = Settings::profile("corpus")?;
/// let mut coder = BatchCoder::new(&settings).ok_or("no shingles of words")?;
/// coder.add(&Document::new("a", "to be or not to be or not to be"), None);
/// let batch = CodedBatch::from_bytes(&coder.finish(), &settings).ok_or("damaged")?;
/// let mut decoder = TextDecoder::default();
/// // Ten words; the first two of six shingles come again.
/// assert_eq!(decoder.shingles(&batch, 0).len(), 6);
/// assert_eq!(decoder.distinct(&batch, 0).len(), 4);
/// assert!(decoder.set(&batch, 0).is_sorted());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct TextDecoder {
    words: Vec<u64>,
    features: Vec<u64>,
    distinct: Distinct,
    sorter: Sorter,
}

impl std::fmt::Debug for BatchCoder<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("BatchCoder").field("texts", &self.texts.len()).finish_non_exhaustive()
    }
}

impl<'a> BatchCoder<'a> {
    /// By these settings, if texts can be compared in this form.
    pub fn new(settings: &'a Settings) -> Option<Self> {
        coded::applies(settings).then(|| Self {
            reader: WordReader::new(settings),
            dictionary: Dictionary::default(),
            code: Vec::new(),
            codes: Vec::new(),
            texts: Vec::new(),
        })
    }

    /// Adds a text to the batch, and its features to what is counted.
    pub fn add(
        &mut self,
        document: &Document,
        counter: Option<&mut FeatureCounter<'_>>,
    ) -> CodedPiece {
        let read = self.reader.read(document);
        let (shingles, distinct) = self.reader.shingles();
        let size = shingles.len() as u32;
        if let Some(counter) = counter {
            counter.add(&shingles[..distinct]);
        }
        self.dictionary.encode(self.reader.words(), &mut self.code);
        self.codes.extend_from_slice(&self.code);
        self.texts.push([self.codes.len() as u32, size]);
        CodedPiece { fingerprint: read.fingerprint, length: read.length, size }
    }

    /// The batch as bytes, for this version of the program on this machine, and begins the next.
    pub fn finish(&mut self) -> Vec<u8> {
        let words = self.dictionary.words();
        let counts = [words.len() as u32, self.texts.len() as u32];
        let parts: [&[u8]; 4] = [
            bytemuck::cast_slice(&counts),
            bytemuck::cast_slice(words),
            bytemuck::cast_slice(&self.texts),
            bytemuck::cast_slice(&self.codes),
        ];
        let bytes = parts.concat();
        self.dictionary.clear();
        self.codes.clear();
        self.texts.clear();
        bytes
    }
}

impl CodedBatch {
    /// From bytes; none if they are damaged.
    pub fn from_bytes(bytes: &[u8], settings: &Settings) -> Option<Self> {
        let (counts, rest) = items(bytes, 2, u32::from_ne_bytes)?;
        let (words, rest) = items(rest, counts[0] as usize, u64::from_ne_bytes)?;
        let place = |bytes: [u8; size_of::<TextPlace>()]| bytemuck::cast(bytes);
        let (texts, rest): (Vec<TextPlace>, _) = items(rest, counts[1] as usize, place)?;
        let end = texts.last().map_or(0, |[end, _]| *end as usize);
        let (codes, rest) = items(rest, end, u16::from_ne_bytes)?;
        let is_whole = rest.is_empty() && texts.is_sorted_by_key(|[end, _]| *end);
        is_whole.then(|| Self {
            dictionary: Dictionary::of_words(words),
            codes,
            texts,
            n: words_per_shingle(settings),
            multiset: settings.multiset,
        })
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The number of features of a text.
    pub fn size(&self, text: usize) -> usize {
        self.texts[text][1] as usize
    }

    fn code(&self, text: usize) -> &[u16] {
        let start = text.checked_sub(1).map_or(0, |before| self.texts[before][0]);
        &self.codes[start as usize..self.texts[text][0] as usize]
    }
}

/// The first items of some bytes, and the other bytes; none if they are fewer.
fn items<const N: usize, T>(
    bytes: &[u8],
    count: usize,
    item: impl Fn([u8; N]) -> T,
) -> Option<(Vec<T>, &[u8])> {
    let (items, rest) = bytes.split_at_checked(count.checked_mul(N)?)?;
    let (items, _) = items.as_chunks::<N>();
    Some((items.iter().map(|bytes| item(*bytes)).collect(), rest))
}

impl TextDecoder {
    /// The shingles of a text, in its order.
    pub fn shingles(&mut self, batch: &CodedBatch, text: usize) -> &[u64] {
        batch.dictionary.decode(batch.code(text), &mut self.words);
        self.features.clear();
        self.features.extend(shingles(&self.words, batch.n));
        &self.features
    }

    /// Those that are different, in any order.
    pub fn distinct(&mut self, batch: &CodedBatch, text: usize) -> &[u64] {
        self.shingles(batch, text);
        let count = self.distinct.move_first(&mut self.features);
        &self.features[..count]
    }

    /// The set of a text: its features, ascending.
    pub fn set(&mut self, batch: &CodedBatch, text: usize) -> &[u64] {
        self.shingles(batch, text);
        self.sorter.make_set(&mut self.features, batch.multiset);
        &self.features
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pieces::FeatureCounters, settings::Scheme};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_batch_gives_back_the_shingles_of_its_texts(
            batches in prop::collection::vec(prop::collection::vec("([a-c]{1,2} ){0,30}", 0..9), 1..4),
            (n, multiset) in (1usize..5, any::<bool>()),
        ) {
            let corpus = Settings::profile("corpus").unwrap();
            let settings = Settings { scheme: Scheme::Words { n }, multiset, ..corpus };
            let mut coder = BatchCoder::new(&settings).unwrap();
            let counters = FeatureCounters::new(&settings, 100, (0, 0));
            let mut reader = WordReader::new(&settings);
            for texts in batches {
                let documents: Vec<Document> = texts.iter().map(|text| Document::new("", text)).collect();
                let mut counter = counters.counter();
                let pieces: Vec<CodedPiece> =
                    documents.iter().map(|document| coder.add(document, Some(&mut counter))).collect();
                let bytes = coder.finish();
                prop_assert!((0..bytes.len()).all(|end| CodedBatch::from_bytes(&bytes[..end], &settings).is_none()));
                let batch = CodedBatch::from_bytes(&bytes, &settings).unwrap();
                prop_assert_eq!(batch.len(), documents.len());
                let mut decoder = TextDecoder::default();
                for (at, (document, piece)) in documents.iter().zip(pieces).enumerate() {
                    reader.read(document);
                    let expected: Vec<u64> = shingles(reader.words(), n).collect();
                    prop_assert_eq!(decoder.shingles(&batch, at), &expected);
                    let mut different = decoder.distinct(&batch, at).to_vec();
                    different.sort_unstable();
                    let mut set = expected.clone();
                    Sorter::default().make_set(&mut set, multiset);
                    prop_assert_eq!(decoder.set(&batch, at), &set);
                    prop_assert_eq!((batch.size(at), piece.size as usize), (set.len(), set.len()));
                    let all: std::collections::BTreeSet<u64> = expected.into_iter().collect();
                    prop_assert_eq!(different, all.into_iter().collect::<Vec<_>>());
                }
            }
        }
    }
}
