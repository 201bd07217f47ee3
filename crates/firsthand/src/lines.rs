//! The visible lines of a page, by hash, and what becomes of them.

use crate::{
    anchors::Anchors,
    bytes::{Reader, Writer},
    document::RestLine,
    tokens::Tokens,
};
use serde::Serialize;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// With fewer words of its own, a page shows nothing that its text might lack.
pub(crate) const OWN_WORDS: u32 = 60;

/// A line of a page, by the hash of its words.
///
/// ```
/// use firsthand::{Detector, Document, Settings};
///
/// let host = Some("site.example".to_owned());
/// let document = Document { host, ..Document::new("a", "Home News\nA ferry sailed\nHOME news") };
/// let signed = Detector::new(Settings::default())?.sign_page(&document);
/// let lines = signed.page().ok_or("no site")?.lines();
/// // Case does not count, so the first and the last are the same line.
/// assert_eq!((lines[0], lines[1].words), (lines[2], 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLine {
    /// The hash of its words.
    pub hash: u64,
    /// The number of its words.
    pub words: u32,
    /// The part of the page that it is in.
    pub part: LinePart,
}

/// The part of a page that a line is in, as far as the page alone can tell.
///
/// ```
/// use firsthand::{Detector, Document, Settings, pages::LinePart};
///
/// let host = Some("site.example".to_owned());
/// let document = Document { host, ..Document::new("a", "The ferry sailed.") };
/// let signed = Detector::new(Settings::default())?.sign_page(&document);
/// assert_eq!(signed.page().ok_or("no site")?.lines()[0].part, LinePart::Text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePart {
    /// The main text.
    Text,
    /// What does not look like main text.
    Rest,
    /// What an element is named for that is no text: a menu, comments, the foot of the page.
    Named,
}

/// What becomes of a line once the site of its page is known.
///
/// ```
/// use firsthand::pages::LineFate;
///
/// assert!(LineFate::Rescued.is_compared() && !LineFate::Furniture.is_compared());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineFate {
    /// It is text, and is compared.
    Text,
    /// It did not look like text, but no other page of the site has it: it is compared.
    Rescued,
    /// It recurs on pages of the site that tell different stories, and is set aside.
    Furniture,
    /// It was not taken for text.
    Beside,
}

impl LineFate {
    /// Whether a page is compared by such lines.
    pub fn is_compared(self) -> bool {
        matches!(self, Self::Text | Self::Rescued)
    }
}

/// The title of a page, and its name, by hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Headline {
    /// Its words without numbers: versions and pages of one text differ in these.
    pub(crate) words: Vec<u64>,
    /// The longest line that says nothing but words of the title.
    pub(crate) line: Option<u64>,
    /// A hash of the name that the address gives the page; 0 if there is none.
    pub(crate) name: u64,
    /// The anchors of the page, if it has no address.
    pub(crate) anchors: Anchors,
}

impl Headline {
    pub(crate) fn new(title: &Tokens, shown: &[&Tokens]) -> Self {
        let is_word = |word: &str| word.contains(char::is_alphabetic);
        let hashes = title.hashes().iter().zip(title.words());
        let words = hashes.filter(|(_, word)| is_word(word)).map(|(hash, _)| *hash).collect();
        let of_title = |line: &&[u64]| {
            (2..=title.len()).contains(&line.len())
                && line.iter().all(|word| title.hashes().contains(word))
        };
        let lines = shown.iter().flat_map(|tokens| blocks(tokens)).filter(of_title);
        // Of several, the first of the longest.
        let line = lines.reduce(|best, line| if line.len() > best.len() { line } else { best });
        Self { words, line: line.map(hash), ..Self::default() }
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        out.hashes(&self.words);
        out.option(self.line, Writer::fixed);
        out.fixed(self.name);
        self.anchors.write(out);
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (words, line) = (from.hashes()?, from.option(Reader::fixed)?);
        Some(Self { words, line, name: from.fixed()?, anchors: Anchors::read(from)? })
    }
}

/// Whether a text has at least half of the words of a headline, lines that only repeat it left out.
pub(crate) fn tells(text: &Tokens, headline: &[u64]) -> bool {
    let mut words = headline.to_vec();
    words.sort_unstable();
    words.dedup();
    let lines = blocks(text).filter(|line| line.iter().any(|word| !headline.contains(word)));
    let mut missing = words.clone();
    for word in lines.flatten() {
        if let Some(at) = missing.iter().position(|other| other == word) {
            missing.swap_remove(at);
            if 2 * (words.len() - missing.len()) >= words.len() {
                return true;
            }
        }
    }
    words.is_empty()
}

/// The visible lines of a page that have words, in reading order.
pub(crate) fn of_page(text: &Tokens, rest: &Tokens, of_rest: &[RestLine]) -> Vec<PageLine> {
    let line =
        |words: &[u64], part| PageLine { hash: hash(words), words: words.len() as u32, part };
    let mut lines = Vec::with_capacity(text.block_ends().len() + rest.block_ends().len());
    let mut beside = blocks(rest)
        .zip(rest.block_lines())
        .map(|(words, (number, _))| {
            let RestLine { before, named } = of_rest
                .get(*number as usize)
                .copied()
                .unwrap_or(RestLine { before: u32::MAX, named: false });
            (before, line(words, if named { LinePart::Named } else { LinePart::Rest }))
        })
        .peekable();
    for (words, (number, _)) in blocks(text).zip(text.block_lines()) {
        while let Some((_, other)) = beside.next_if(|(before, _)| before <= number) {
            lines.push(other);
        }
        lines.push(line(words, LinePart::Text));
    }
    lines.extend(beside.map(|(_, line)| line));
    lines
}

/// Whether lines beside the text may turn out to be text, once the site of the page is known: there
/// are enough of them, and the text is not more than twice as long.
pub(crate) fn may_hold_text(lines: &[PageLine]) -> bool {
    let words = |part: LinePart| -> u32 {
        lines.iter().filter(|line| line.part == part).map(|line| line.words).sum()
    };
    let beside = words(LinePart::Rest);
    2 * beside >= OWN_WORDS && words(LinePart::Text) <= 2 * beside
}

/// The hash of a line.
pub(crate) fn hash(words: &[u64]) -> u64 {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    xxh3_64(&bytes)
}

/// The words of each line that has any.
fn blocks(tokens: &Tokens) -> impl Iterator<Item = &[u64]> {
    let mut start = 0;
    tokens.block_ends().iter().map(move |&end| {
        let words = &tokens.hashes()[start..end as usize];
        start = end as usize;
        words
    })
}

/// The hash of the lines that are compared, and of which of them follow each other, because features
/// reach from line to line. If no line is compared, of all visible lines, so that a page that has nothing
/// of its own is only a copy of one that shows exactly the same.
pub(crate) fn fingerprint(lines: &[PageLine], fates: &[LineFate]) -> u128 {
    let mut bytes = Vec::with_capacity(9 * lines.len());
    for is_text in [true, false] {
        let part =
            lines.iter().zip(fates).filter(|(line, _)| (line.part == LinePart::Text) == is_text);
        let mut is_gap = true;
        for (line, fate) in part {
            if fate.is_compared() {
                bytes.push(u8::from(is_gap));
                bytes.extend(line.hash.to_le_bytes());
            }
            is_gap = !fate.is_compared();
        }
    }
    if bytes.is_empty() {
        lines.iter().for_each(|line| bytes.extend(line.hash.to_le_bytes()));
    }
    xxh3_128(&bytes)
}
