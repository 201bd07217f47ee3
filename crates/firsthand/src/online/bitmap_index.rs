//! The exact matcher of a stream: a small bitmap for each document, and a scan of all of them.
//!
//! Each feature of a document sets one bit. If two bitmaps differ in `d` bits, the documents differ in
//! at least `d` features, so they share at most `(x + y - d) / 2`. That rules out nearly all pairs that
//! are not near-duplicates, in any language. It even works for grams of four letters, where lists of
//! documents under each gram do not: every text has the common grams, so the lists would all be long.
//! Scanning a hundred thousand bitmaps takes a few milliseconds, and no longer on hostile texts.
//!
//! The bitmaps are derived from the records in the store. Before each round, the index catches up with
//! what other processes have added.

use super::{
    record::DocumentRecord,
    round::Round,
    store::{Head, Seq, Store, StoreError},
};
use crate::{measure::Rule, wide::wide};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Bits per feature, in quarters. With fewer, too many features share a bit; with more, there is more to
/// scan.
const QUARTERS_OF_BITS: usize = 11;
/// Documents that are read from the store at a time.
const PART: usize = 1024;
/// Documents that are scanned together, so that their bitmaps stay in the cache of a core.
const CHUNK: usize = 128;
/// Queries that are answered together, so that their bitmaps stay in the cache, too.
const TOGETHER: usize = 64;
/// The length of a bitmap is a multiple of this many words.
const STEP: usize = 8;
/// Words that are compared before the differences are added up.
const STRIDE: usize = 32;

/// The bitmaps of all documents.
#[derive(Debug)]
pub(super) struct BitmapIndex {
    rule: Rule,
    /// Documents with fewer features are not compared.
    least: usize,
    /// The largest number of features of a document.
    largest: u32,
    /// The first document that is not indexed yet.
    next: Seq,
    buckets: BTreeMap<i64, BTreeMap<usize, Class>>,
}

/// Documents with bitmaps of one length.
#[derive(Debug, Default)]
struct Class {
    documents: Vec<IndexedDocument>,
    bits: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct IndexedDocument {
    seq: Seq,
    time: i64,
    size: u32,
}

impl BitmapIndex {
    pub(super) fn new(rule: Rule, least: usize) -> Self {
        Self { rule, least: least.max(1), largest: 0, next: 0, buckets: BTreeMap::new() }
    }

    /// Indexes what the store has gained, and forgets what it has forgotten.
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

    /// Empties the index; the next round fills it again.
    pub(super) fn reset(&mut self) {
        self.next = 0;
        self.buckets.clear();
    }

    fn forget(&mut self, head: &Head) {
        let is_there = |number: &i64| head.buckets.iter().any(|bucket| bucket.number == *number);
        self.buckets.retain(|number, _| is_there(number));
    }

    /// Indexes a document.
    pub(super) fn learn(&mut self, seq: Seq, bucket: i64, record: &DocumentRecord) {
        self.next = self.next.max(seq + 1);
        let set = &record.features.set;
        if set.len() < self.least || record.dead {
            return;
        }
        let words = words(set.len());
        self.largest = self.largest.max(set.len() as u32);
        let class = self.buckets.entry(bucket).or_default().entry(words).or_default();
        class.documents.push(IndexedDocument { seq, time: record.time, size: set.len() as u32 });
        class.bits.extend(bitmap(set, words));
    }

    /// For each query, the documents that may reach the threshold, including all that do. Many queries
    /// at once are far faster than one by one, since each bitmap is fetched from memory only once.
    pub(super) fn candidates(&self, queries: &[BitmapQuery<'_>]) -> Vec<Vec<Seq>> {
        let mut found = vec![Vec::new(); queries.len()];
        for (group, found) in queries.chunks(TOGETHER).zip(found.chunks_mut(TOGETHER)) {
            let query: Vec<PreparedQuery> = group.iter().map(|query| self.prepare(query)).collect();
            let chunks: Vec<(usize, &[IndexedDocument], &[u64])> = self
                .buckets
                .values()
                .flatten()
                .flat_map(|(&words, class)| {
                    let bits = class.bits.chunks(CHUNK * words);
                    class.documents.chunks(CHUNK).zip(bits).map(move |(d, b)| (words, d, b))
                })
                .collect();
            let sift = |(words, documents, bits): (usize, &[IndexedDocument], &[u64])| {
                let mut hits = Vec::new();
                for (at, query) in query.iter().enumerate() {
                    if let Some(own) = query.bits.get(&words) {
                        wide(|| sift(query, own, documents, bits, |seq| hits.push((at, seq))));
                    }
                }
                hits
            };
            let hits: Vec<(usize, Seq)> = chunks.into_par_iter().flat_map_iter(sift).collect();
            hits.into_iter().for_each(|(at, seq)| found[at].push(seq));
        }
        found
    }

    /// The same for one query, among documents with a sequence number of at least `since`.
    pub(super) fn candidates_since(&self, query: &BitmapQuery<'_>, since: Seq) -> Vec<Seq> {
        let query = self.prepare(query);
        let mut found = Vec::new();
        for (&words, class) in self.buckets.values().flatten() {
            // Documents are in ascending order of sequence number.
            let first = class.documents.partition_point(|document| document.seq < since);
            if let Some(own) = query.bits.get(&words) {
                let (documents, bits) = (&class.documents[first..], &class.bits[first * words..]);
                wide(|| sift(&query, own, documents, bits, |seq| found.push(seq)));
            }
        }
        found
    }

    /// Computes what the scan needs to know about a query.
    fn prepare(&self, query: &BitmapQuery<'_>) -> PreparedQuery {
        let size = query.set.len() as u64;
        let least = self.rule.smallest_partner(size);
        let reaches = |other: &u64| self.rule.least_overlap(size, *other) <= size.min(*other);
        let spare: Vec<u32> = (least..=u64::from(self.largest))
            .take_while(reaches)
            .map(|other| (size + other - 2 * self.rule.least_overlap(size, other)) as u32)
            .collect();
        // The bitmap in every length that documents of these sizes can have.
        let (from, to) = (words(least as usize), words(least as usize + spare.len()));
        let mut bits = BTreeMap::new();
        for &words in self.buckets.values().flat_map(BTreeMap::keys) {
            if (from..=to).contains(&words) {
                bits.entry(words).or_insert_with(|| bitmap(query.set, words));
            }
        }
        PreparedQuery { bits, least: least as u32, spare, from: query.from, to: query.to }
    }
}

/// A document whose near-duplicates are sought.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitmapQuery<'a> {
    pub(super) set: &'a [u64],
    /// The earliest time of the other documents.
    pub(super) from: i64,
    /// The latest.
    pub(super) to: i64,
}

/// A query as the scan uses it.
struct PreparedQuery {
    /// The bitmap of the query in the length of each class.
    bits: BTreeMap<usize, Vec<u64>>,
    /// The smallest number of features of the other document.
    least: u32,
    /// The most features in which the two may differ, for each size from `least` on.
    spare: Vec<u32>,
    from: i64,
    to: i64,
}

/// Passes on the documents whose bitmaps differ in few enough bits.
#[inline(always)]
fn sift(
    query: &PreparedQuery,
    own: &[u64],
    documents: &[IndexedDocument],
    bits: &[u64],
    mut found: impl FnMut(Seq),
) {
    for (document, bits) in documents.iter().zip(bits.chunks_exact(own.len())) {
        let place = document.size.wrapping_sub(query.least) as usize;
        let Some(&spare) = query.spare.get(place) else { continue };
        let in_time = query.from <= document.time && document.time <= query.to;
        if in_time && differs_by_at_most(own, bits, spare) {
            found(document.seq);
        }
    }
}

/// The length in words of a bitmap for a number of features. It grows in steps of an eighth, so that
/// there are few different lengths.
fn words(features: usize) -> usize {
    let steps = (features * QUARTERS_OF_BITS / 4).div_ceil(STEP * 64).max(1);
    steps.next_multiple_of((steps.next_power_of_two() / 8).max(1)) * STEP
}

/// The bitmap of a set: one bit for each feature.
fn bitmap(set: &[u64], words: usize) -> Vec<u64> {
    let mut bits = vec![0; words];
    for feature in set {
        // Scales the upper half of the hash to the number of bits.
        let place = (((feature >> 32) * (words as u64 * 64)) >> 32) as usize;
        bits[place / 64] |= 1 << (place % 64);
    }
    bits
}

/// Whether two bitmaps differ in at most `most` bits.
#[inline(always)]
fn differs_by_at_most(a: &[u64], b: &[u64], most: u32) -> bool {
    let mut different = 0;
    // Long strides, since adding up the lanes of a vector takes as long as comparing several vectors.
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

/// The number of bits in which two runs of words differ.
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
            url: None,
            title: None,
            source: None,
            site: None,
            headline: crate::lines::Headline::default(),
            lines: Vec::new(),
            text: None,
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
            let query = BitmapQuery { set: &sets[0], from: 2, to: 9 };
            let passed = bitmap_index.candidates(&[query]).remove(0);
            let later: Vec<Seq> = passed.iter().copied().filter(|seq| *seq >= 5).collect();
            let mut since = bitmap_index.candidates_since(&query, 5);
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
        // News of about 1,500 grams, of which unrelated documents share four in ten.
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
        let query = BitmapQuery { set: &set, from: 0, to: 0 };
        assert_eq!(bitmap_index.candidates(&[query; 100]), vec![vec![77]; 100]);
    }
}
