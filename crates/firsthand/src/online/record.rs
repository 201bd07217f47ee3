//! The record that a store keeps of each document, and its encoding as bytes.

use super::{
    answer::{Answer, Decided, Verdict},
    page_cache::StoredPage,
    store::Seq,
};
use crate::{
    bytes::{Reader, Writer},
    features::Features,
    guard::Change,
    lines::{Headline, LinePart, PageLine},
};

/// The version of the encoding.
const VERSION: u8 = 8;
/// The parts of a page, in the order of their numbers.
const PARTS: [LinePart; 3] = [LinePart::Text, LinePart::Rest, LinePart::Named];

/// What is kept of a document, which does not include its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DocumentRecord {
    pub(super) id: String,
    /// How many times the document has changed.
    pub(super) generation: u32,
    pub(super) time: i64,
    /// The hash of the text as it arrived: a document with the same id and another text has changed.
    pub(super) content: u64,
    pub(super) url: Option<String>,
    pub(super) title: Option<String>,
    /// What it names as its source.
    pub(super) source: Option<String>,
    pub(super) site: Option<String>,
    /// What its site is learned from.
    pub(super) headline: Headline,
    pub(super) lines: Vec<PageLine>,
    /// The hash of its text as it was read, before its site had a say; `None` if it has no text.
    pub(super) text: Option<u128>,
    pub(super) features: Features,
    /// Its figures, encoded for the number guard.
    pub(super) figures: Vec<u8>,
    pub(super) said: StoredVerdict,
    /// The document that replaced it as the original of its cluster.
    pub(super) forward: Option<Seq>,
    /// Whether it was deleted or replaced by a later generation.
    pub(super) dead: bool,
}

/// The verdict on a document when it arrived.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StoredVerdict {
    pub(super) verdict: Verdict,
    pub(super) original: Option<Link>,
    pub(super) via: Option<Link>,
    /// The id of the first original of the cluster.
    pub(super) cluster: String,
    pub(super) score: Option<f64>,
    pub(super) exact: bool,
    pub(super) changed: Vec<Change>,
    pub(super) replaces: Option<String>,
    /// The number of links from the document to its original.
    pub(super) depth: u8,
    pub(super) outside_window: bool,
    /// Whether its text was doubtful.
    pub(super) doubtful: bool,
    /// Whether nothing but the form of its site was left of it.
    pub(super) nothing_but_form: bool,
    /// What decisions of people had to do with it.
    pub(super) decided: Decided,
}

/// A reference to another document. The id is still known after that document is forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) seq: Seq,
    pub(super) id: String,
}

impl StoredVerdict {
    /// The verdict on the first document of a cluster.
    pub(super) fn original(id: &str) -> Self {
        Self {
            verdict: Verdict::Original,
            original: None,
            via: None,
            cluster: id.to_owned(),
            score: None,
            exact: false,
            changed: Vec::new(),
            replaces: None,
            depth: 0,
            outside_window: false,
            doubtful: false,
            nothing_but_form: false,
            decided: Decided::default(),
        }
    }

    pub(super) fn answer(&self, id: &str, repeated: bool) -> Answer {
        Answer {
            original: self.original.as_ref().map(|link| link.id.clone()),
            score: self.score,
            cluster: Some(self.cluster.clone()),
            exact: self.exact,
            via: self.via.as_ref().map(|link| link.id.clone()),
            changed: self.changed.clone(),
            replaces: self.replaces.clone(),
            outside_window: self.outside_window,
            doubtful: self.doubtful,
            nothing_but_form: self.nothing_but_form,
            decided: self.decided,
            repeated,
            ..Answer::new(id.to_owned(), self.verdict)
        }
    }
}

impl DocumentRecord {
    /// What remains of a dead document: its time, and the new original of its cluster. Nothing names it
    /// any more.
    pub(super) fn bury(&self, forward: Option<Seq>) -> Self {
        Self {
            id: String::new(),
            generation: self.generation,
            time: self.time,
            content: 0,
            url: None,
            title: None,
            source: None,
            site: None,
            headline: Headline::default(),
            lines: Vec::new(),
            text: None,
            features: Features::default(),
            figures: Vec::new(),
            said: StoredVerdict::original(""),
            forward,
            dead: true,
        }
    }

    /// The ids that it keeps: its own, and those in its verdict.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let StoredVerdict { original, via, cluster, replaces, .. } = &self.said;
        let links = [original, via].into_iter().flatten().map(|link| link.id.as_str());
        [self.id.as_str(), cluster].into_iter().chain(links).chain(replaces.as_deref())
    }

    /// The source of the document: the one that it names, or else the host of its URL, or else its site.
    pub(super) fn source_name(&self) -> Option<&str> {
        let host = || {
            let (_, rest) = self.url.as_deref()?.split_once("://")?;
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            let host = rest[..end].rsplit('@').next()?;
            let host = host.split(':').next()?;
            Some(host.strip_prefix("www.").unwrap_or(host)).filter(|host| !host.is_empty())
        };
        let named = self.source.as_deref().filter(|source| !source.trim().is_empty());
        named.or_else(host).or(self.site.as_deref())
    }

    /// The next document on the way to its original; `None` for an original.
    pub(super) fn onward(&self, own: Seq) -> Option<Seq> {
        match (self.forward, &self.said) {
            (Some(forward), _) => (forward != own).then_some(forward),
            (None, StoredVerdict { verdict: Verdict::Duplicate, original, .. }) => {
                original.as_ref().map(|link| link.seq)
            }
            (None, _) => None,
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.byte(VERSION);
        // The fields of `StoredPage` come first, so that it can be read without the rest.
        out.byte(u8::from(self.dead));
        out.text(&self.id);
        out.option(self.site.as_deref(), Writer::text);
        self.headline.write(&mut out);
        out.number(self.lines.len() as u64);
        for line in &self.lines {
            out.fixed(line.hash);
            let part = PARTS.iter().position(|part| *part == line.part).unwrap_or(0);
            out.number(u64::from(line.words) * PARTS.len() as u64 + part as u64);
        }
        out.option(self.text, Writer::wide);
        out.number(u64::from(self.generation));
        out.fixed(self.time as u64);
        out.fixed(self.content);
        out.option(self.url.as_deref(), Writer::text);
        out.option(self.title.as_deref(), Writer::text);
        out.option(self.source.as_deref(), Writer::text);
        self.features.write(&mut out);
        out.bytes(&self.figures);
        self.said.write(&mut out);
        out.option(self.forward, Writer::number);
        out.finish()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let page = StoredPage::read(&mut from)?;
        let text = from.option(Reader::wide)?;
        let record = Self {
            id: page.id,
            generation: u32::try_from(from.number()?).ok()?,
            time: from.fixed()? as i64,
            content: from.fixed()?,
            url: from.option(Reader::text)?,
            title: from.option(Reader::text)?,
            source: from.option(Reader::text)?,
            site: page.site,
            headline: page.headline,
            lines: page.lines,
            text,
            features: Features::read(&mut from)?,
            figures: from.bytes()?.to_vec(),
            said: StoredVerdict::read(&mut from)?,
            forward: from.option(Reader::number)?,
            dead: page.dead,
        };
        from.0.is_empty().then_some(record)
    }

    /// Reads only the fields that furniture is learned from.
    pub(super) fn page(bytes: &[u8]) -> Option<StoredPage> {
        StoredPage::read(&mut Reader(bytes))
    }
}

impl StoredPage {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        if from.byte()? != VERSION {
            return None;
        }
        Some(Self {
            dead: from.byte()? != 0,
            id: from.text()?,
            site: from.option(Reader::text)?,
            headline: Headline::read(from)?,
            lines: {
                // Each line takes at least nine bytes, so a wrong count cannot claim much memory.
                let count = usize::try_from(from.number()?).ok().filter(|n| *n <= from.0.len())?;
                let line = |_| {
                    let (hash, number) = (from.fixed()?, from.number()?);
                    let parts = PARTS.len() as u64;
                    let words = u32::try_from(number / parts).ok()?;
                    Some(PageLine { hash, words, part: PARTS[(number % parts) as usize] })
                };
                (0..count).map(line).collect::<Option<_>>()?
            },
        })
    }
}

const VERDICTS: [Verdict; 5] =
    [Verdict::Original, Verdict::Duplicate, Verdict::Update, Verdict::TooShort, Verdict::Error];

impl StoredVerdict {
    fn write(&self, out: &mut Writer) {
        out.byte(VERDICTS.iter().position(|&v| v == self.verdict).unwrap_or(0) as u8);
        for link in [&self.original, &self.via] {
            out.option(link.as_ref(), |out, link| {
                out.number(link.seq);
                out.text(&link.id);
            });
        }
        out.text(&self.cluster);
        out.option(self.score, |out, score| out.fixed(score.to_bits()));
        out.byte(u8::from(self.exact));
        out.number(self.changed.len() as u64);
        for change in &self.changed {
            out.bytes(&change.to_bytes());
        }
        out.option(self.replaces.as_deref(), Writer::text);
        out.byte(self.depth);
        let Decided { joined, parted, kept, text_changed } = self.decided;
        let bits = [
            self.outside_window,
            self.doubtful,
            self.nothing_but_form,
            joined,
            parted,
            kept,
            text_changed,
        ];
        out.byte(bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit)));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let verdict = *VERDICTS.get(usize::from(from.byte()?))?;
        let mut link = || from.option(|from| Some(Link { seq: from.number()?, id: from.text()? }));
        let mut said = Self {
            verdict,
            original: link()?,
            via: link()?,
            cluster: from.text()?,
            score: from.option(|from| from.fixed().map(f64::from_bits))?,
            exact: from.byte()? != 0,
            changed: {
                let count = usize::try_from(from.number()?).ok().filter(|n| *n <= from.0.len())?;
                (0..count).map(|_| Change::from_bytes(from.bytes()?)).collect::<Option<_>>()?
            },
            replaces: from.option(Reader::text)?,
            depth: from.byte()?,
            outside_window: false,
            doubtful: false,
            nothing_but_form: false,
            decided: Decided::default(),
        };
        let bits = from.byte()?;
        let is_set = |bit: u8| bits >> bit & 1 != 0;
        (said.outside_window, said.doubtful) = (is_set(0), is_set(1));
        said.nothing_but_form = is_set(2);
        said.decided = Decided {
            joined: is_set(3),
            parted: is_set(4),
            kept: is_set(5),
            text_changed: is_set(6),
        };
        Some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::Figures;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn links() -> impl Strategy<Value = Option<Link>> {
        prop::option::of((any::<u64>(), ".{0,8}").prop_map(|(seq, id)| Link { seq, id }))
    }

    fn records() -> impl Strategy<Value = DocumentRecord> {
        let hashes = || prop::collection::vec(any::<u64>(), 0..8);
        let block = (any::<u64>(), any::<u32>(), prop::sample::select(&PARTS[..]))
            .prop_map(|(hash, words, part)| PageLine { hash, words, part });
        let who = (".{0,12}", any::<u32>(), any::<i64>(), any::<u64>());
        let text =
            (prop::option::of(any::<u128>()), prop::option::of(".{0,9}"), hashes(), hashes());
        let said =
            (0usize..5, links(), links(), ".{0,5}", prop::option::of(0.0..1.0), any::<bool>());
        let more = (prop::option::of(".{0,5}"), any::<u8>(), prop::option::of(any::<u64>()));
        let flags = (any::<bool>(), any::<bool>());
        let blocks = prop::collection::vec(block, 0..5);
        (who, text, blocks, said, more, flags).prop_map(
            |(who, text, blocks, said, (replaces, depth, forward), (dead, weighed))| {
                let before = Figures::read("The storm killed 17 people in the town.");
                let changed =
                    before.changed(&Figures::read("The storm killed 23 people in the town."));
                assert!(!changed.is_empty());
                DocumentRecord {
                    id: who.0,
                    generation: who.1,
                    time: who.2,
                    content: who.3,
                    url: text.1.clone(),
                    title: text.1.clone().filter(|_| weighed),
                    source: text.1.clone().filter(|_| dead),
                    site: text.1,
                    headline: Headline {
                        line: text.2.first().copied(),
                        words: text.2,
                        name: who.2 as u64,
                        anchors: ["one", "two"].into_iter().filter(|_| weighed).collect(),
                    },
                    lines: blocks,
                    text: Some(who.2 as u128),
                    features: {
                        let set: Vec<u64> = BTreeSet::from_iter(text.3).into_iter().collect();
                        let weights = set.iter().filter(|_| weighed).map(|&f| f as u32).collect();
                        Features { fingerprint: text.0, set, weights, ..Features::default() }
                    },
                    figures: before.to_bytes(),
                    said: StoredVerdict {
                        verdict: VERDICTS[said.0],
                        original: said.1,
                        via: said.2,
                        cluster: said.3,
                        score: said.4,
                        exact: said.5,
                        changed,
                        replaces,
                        depth,
                        outside_window: dead,
                        doubtful: weighed,
                        nothing_but_form: dead ^ weighed,
                        decided: Decided {
                            joined: dead,
                            parted: weighed,
                            kept: dead ^ weighed,
                            text_changed: dead && weighed,
                        },
                    },
                    forward,
                    dead,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_kept_is_read_again(record in records(), cut in any::<prop::sample::Index>()) {
            let bytes = record.to_bytes();
            let page = DocumentRecord::page(&bytes).unwrap();
            prop_assert_eq!((&page.id, &page.lines, page.dead), (&record.id, &record.lines, record.dead));
            prop_assert_eq!(DocumentRecord::from_bytes(&bytes), Some(record));
            prop_assert_eq!(DocumentRecord::from_bytes(&bytes[..cut.index(bytes.len())]), None);
        }

        #[test]
        fn damaged_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = DocumentRecord::from_bytes(&bytes);
            let mut versioned = vec![VERSION];
            versioned.extend(&bytes);
            let _ = DocumentRecord::from_bytes(&versioned);
        }
    }
}
