//! The exact index: a small bitmap of each document, and a look at all of them.
//!
//! Each feature of a document sets one bit. Where two bitmaps differ in `d` bits, the documents differ
//! in `d` features at least, so that they have at most `(x + y - d) / 2` in common. That is too few for
//! nearly all documents that are not alike, whatever their language: even grams of four letters, of
//! which every text has the most common ones, so that no list of documents under a gram is short. A look
//! at a hundred thousand bitmaps takes a few milliseconds, and it takes no longer on hostile texts.
//!
//! The bitmaps are derived from what a store keeps, and follow it: before each round, what other
//! processes have added is learned.

use super::{
    record::DocumentRecord,
    round::Round,
    store::{Head, Seq, Store, StoreError},
};
use crate::{measure::Rule, wide::wide};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Bits of a bitmap for each feature, in quarters. With fewer, too many features fall together; with
/// more, there is more to look at.
const QUARTERS_OF_BITS: usize = 11;
/// Documents that are read at once when a store is opened.
const PART: usize = 1024;
/// Documents that are looked at together: their bitmaps stay in the cache of a core.
const CHUNK: usize = 128;
/// Questions that are asked together: what they ask stays there, too.
const TOGETHER: usize = 64;
/// A bitmap has a multiple of so many words.
const STEP: usize = 8;
/// So many are compared before a look at what they differ in.
const STRIDE: usize = 32;

/// The bitmaps of all documents.
#[derive(Debug)]
pub(super) struct BitmapIndex {
    rule: Rule,
    /// Documents with fewer features are not compared.
    least: usize,
    /// The largest size of a document.
    largest: u32,
    /// The first document that is not known yet.
    next: Seq,
    buckets: BTreeMap<i64, BTreeMap<usize, Class>>,
}

/// Documents with bitmaps of one length.
#[derive(Debug, Default)]
struct Class {
    documents: Vec<Document>,
    bits: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Document {
    seq: Seq,
    time: i64,
    size: u32,
}

impl BitmapIndex {
    pub(super) fn new(rule: Rule, least: usize) -> Self {
        Self { rule, least: least.max(1), largest: 0, next: 0, buckets: BTreeMap::new() }
    }

    /// Learns what the store has and is not known yet; forgets what it has forgotten.
    pub(super) fn follow<S: Store>(&mut self, round: &mut Round<'_, S>) -> Result<(), StoreError> {
        self.forget(&round.head);
        while self.next < round.next() {
            let part = round.scan(self.next, PART)?;
            let Some((last, ..)) = part.last() else { break };
            let after = last + 1;
            for (seq, bucket, record) in part {
                self.learn(seq, bucket, &record);
            }
            self.next = after;
        }
        self.next = round.next();
        Ok(())
    }

    /// Knows nothing any more; all is learned again.
    pub(super) fn reset(&mut self) {
        self.next = 0;
        self.buckets.clear();
    }

    fn forget(&mut self, head: &Head) {
        let is_there = |number: &i64| head.buckets.iter().any(|bucket| bucket.number == *number);
        self.buckets.retain(|number, _| is_there(number));
    }

    /// Learns a document.
    pub(super) fn learn(&mut self, seq: Seq, bucket: i64, record: &DocumentRecord) {
        self.next = self.next.max(seq + 1);
        let set = &record.features.set;
        if set.len() < self.least || record.dead {
            return;
        }
        let words = words(set.len());
        self.largest = self.largest.max(set.len() as u32);
        let class = self.buckets.entry(bucket).or_default().entry(words).or_default();
        class.documents.push(Document { seq, time: record.time, size: set.len() as u32 });
        class.bits.extend(bitmap(set, words));
    }

    /// For each question the documents that may reach the threshold; all that do are among them. Many
    /// questions at once take far less time, since every bitmap is fetched from memory once for all.
    pub(super) fn candidates(&self, questions: &[Question<'_>]) -> Vec<Vec<Seq>> {
        let mut found = vec![Vec::new(); questions.len()];
        for (group, found) in questions.chunks(TOGETHER).zip(found.chunks_mut(TOGETHER)) {
            let asked: Vec<Asked> = group.iter().map(|question| self.asked(question)).collect();
            let chunks: Vec<(usize, &[Document], &[u64])> = self
                .buckets
                .values()
                .flatten()
                .flat_map(|(&words, class)| {
                    let bits = class.bits.chunks(CHUNK * words);
                    class.documents.chunks(CHUNK).zip(bits).map(move |(d, b)| (words, d, b))
                })
                .collect();
            let sift = |(words, documents, bits): (usize, &[Document], &[u64])| {
                let mut hits = Vec::new();
                for (at, asked) in asked.iter().enumerate() {
                    if let Some(own) = asked.bits.get(&words) {
                        wide(|| sift(asked, own, documents, bits, |seq| hits.push((at, seq))));
                    }
                }
                hits
            };
            let hits: Vec<(usize, Seq)> = chunks.into_par_iter().flat_map_iter(sift).collect();
            hits.into_iter().for_each(|(at, seq)| found[at].push(seq));
        }
        found
    }

    /// The same for one question, among documents from this number on.
    pub(super) fn candidates_since(&self, question: &Question<'_>, since: Seq) -> Vec<Seq> {
        let asked = self.asked(question);
        let mut found = Vec::new();
        for (&words, class) in self.buckets.values().flatten() {
            // Documents are in the order of their numbers.
            let first = class.documents.partition_point(|document| document.seq < since);
            if let Some(own) = asked.bits.get(&words) {
                let (documents, bits) = (&class.documents[first..], &class.bits[first * words..]);
                wide(|| sift(&asked, own, documents, bits, |seq| found.push(seq)));
            }
        }
        found
    }

    /// A question as documents are asked it.
    fn asked(&self, question: &Question<'_>) -> Asked {
        let size = question.set.len() as u64;
        let least = self.rule.smallest_partner(size);
        let reaches = |other: &u64| self.rule.least_overlap(size, *other) <= size.min(*other);
        let spare: Vec<u32> = (least..=u64::from(self.largest))
            .take_while(reaches)
            .map(|other| (size + other - 2 * self.rule.least_overlap(size, other)) as u32)
            .collect();
        // The bitmap in every length that documents of these sizes have.
        let (from, to) = (words(least as usize), words(least as usize + spare.len()));
        let mut bits = BTreeMap::new();
        for &words in self.buckets.values().flat_map(BTreeMap::keys) {
            if (from..=to).contains(&words) {
                bits.entry(words).or_insert_with(|| bitmap(question.set, words));
            }
        }
        Asked { bits, least: least as u32, spare, from: question.from, to: question.to }
    }
}

/// A document that others are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub(super) set: &'a [u64],
    /// The earliest time of the others.
    pub(super) from: i64,
    /// The latest.
    pub(super) to: i64,
}

/// What is asked of every document.
struct Asked {
    /// The bitmap in the length of each class.
    bits: BTreeMap<usize, Vec<u64>>,
    /// The smallest size of the other,
    least: u32,
    /// and in how many features the two may differ, for each size from there on.
    spare: Vec<u32>,
    from: i64,
    to: i64,
}

/// Passes the documents on whose bitmaps do not differ in too much.
#[inline(always)]
fn sift(
    asked: &Asked,
    own: &[u64],
    documents: &[Document],
    bits: &[u64],
    mut found: impl FnMut(Seq),
) {
    for (document, bits) in documents.iter().zip(bits.chunks_exact(own.len())) {
        let place = document.size.wrapping_sub(asked.least) as usize;
        let Some(&spare) = asked.spare.get(place) else { continue };
        let in_time = asked.from <= document.time && document.time <= asked.to;
        if in_time && differs_by_at_most(own, bits, spare) {
            found(document.seq);
        }
    }
}

/// The length of a bitmap for so many features, in words: in steps of an eighth, so that there are few
/// lengths.
fn words(features: usize) -> usize {
    let steps = (features * QUARTERS_OF_BITS / 4).div_ceil(STEP * 64).max(1);
    steps.next_multiple_of((steps.next_power_of_two() / 8).max(1)) * STEP
}

/// A bit for each feature.
fn bitmap(set: &[u64], words: usize) -> Vec<u64> {
    let mut bits = vec![0; words];
    for feature in set {
        // The upper half of the hash, as a share of all places.
        let place = (((feature >> 32) * (words as u64 * 64)) >> 32) as usize;
        bits[place / 64] |= 1 << (place % 64);
    }
    bits
}

/// Whether two bitmaps differ in no more bits than this.
#[inline(always)]
fn differs_by_at_most(a: &[u64], b: &[u64], most: u32) -> bool {
    let mut different = 0;
    // Long strides, since adding up what is in a vector takes as long as comparing several.
    let (long_a, rest_a) = a.as_chunks::<STRIDE>();
    let (long_b, rest_b) = b.as_chunks::<STRIDE>();
    for (a, b) in long_a.iter().zip(long_b) {
        different += difference(a, b);
        if different > most {
            return false;
        }
    }
    let (short_a, _) = rest_a.as_chunks::<STEP>();
    let (short_b, _) = rest_b.as_chunks::<STEP>();
    for (a, b) in short_a.iter().zip(short_b) {
        different += difference(a, b);
    }
    different <= most
}

/// In how many bits two runs of words differ.
#[inline(always)]
fn difference<const N: usize>(a: &[u64; N], b: &[u64; N]) -> u32 {
    let mut different = 0;
    for at in 0..N {
        different += u64::from((a[at] ^ b[at]).count_ones());
    }
    different as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Features;
    use crate::{matcher, measure::Measure, online::record::StoredVerdict, threshold::Threshold};
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    fn record(features: Vec<u64>, time: i64) -> DocumentRecord {
        DocumentRecord {
            id: String::new(),
            generation: 0,
            time,
            content: 0,
            site: None,
            title: Vec::new(),
            blocks: Vec::new(),
            features: Features { set: features, ..Features::default() },
            figures: Vec::new(),
            said: StoredVerdict::original(""),
            forward: None,
            dead: false,
        }
    }

    proptest! {
        #[test]
        fn whatever_reaches_the_threshold_passes(
            sets in prop::collection::vec(prop::collection::btree_set(0u64..400, 1..300), 2..12),
            hundredths in 5u64..=100,
            measure in prop::sample::select(Measure::ALL.to_vec()),
        ) {
            let rule = Rule { measure, threshold: Threshold::new(hundredths, 100).unwrap() };
            let hashed = |set: &std::collections::BTreeSet<u64>| {
                let mut set: Vec<u64> = set.iter().map(|f| xxh3_64(&f.to_le_bytes())).collect();
                set.sort_unstable();
                set
            };
            let sets: Vec<Vec<u64>> = sets.iter().map(hashed).collect();
            let mut bitmap_index = BitmapIndex::new(rule, 1);
            for (seq, set) in (1..).zip(&sets[1..]) {
                bitmap_index.learn(seq, seq as i64 % 3, &record(set.clone(), seq as i64));
            }
            let question = Question { set: &sets[0], from: 2, to: 9 };
            let passed = bitmap_index.candidates(&[question]).remove(0);
            let later: Vec<Seq> = passed.iter().copied().filter(|seq| *seq >= 5).collect();
            let mut since = bitmap_index.candidates_since(&question, 5);
            since.sort_unstable();
            prop_assert_eq!(since.len(), later.len());
            for (seq, set) in (1..).zip(&sets[1..]) {
                let (x, y) = (sets[0].len() as u64, set.len() as u64);
                let overlap = matcher::overlap(&sets[0], set) as u64;
                let reaches = rule.holds(overlap, x, y) && (2..=9).contains(&seq);
                prop_assert!(!reaches || passed.contains(&seq));
                prop_assert!((2..=9).contains(&seq) || !passed.contains(&seq));
            }
        }
    }

    #[test]
    fn hardly_anything_else_passes() {
        // News of about 1,500 grams, of which strangers share four in ten.
        let rule = Rule { measure: Measure::MaxOverlap, threshold: Threshold::percent(70) };
        let document = |number: u64| {
            let common = (0..600).map(|at| xxh3_64(&[at as u8, (at >> 8) as u8]));
            let own = (0..900).map(|at| xxh3_64(&(number * 1000 + at).to_le_bytes()));
            let mut set: Vec<u64> = common.chain(own).collect();
            set.sort_unstable();
            set
        };
        let mut bitmap_index = BitmapIndex::new(rule, 1);
        for number in 1..500 {
            bitmap_index.learn(number, 0, &record(document(number), 0));
        }
        let set = document(77);
        let question = Question { set: &set, from: 0, to: 0 };
        assert_eq!(bitmap_index.candidates(&[question; 100]), vec![vec![77]; 100]);
    }
}
