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
    record::Record,
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
/// Documents that one thread looks at; fewer are not worth another thread.
const CHUNK: usize = 8192;
/// Words that are compared before a look at what they differ in.
const STEP: usize = 8;

/// The bitmaps of all documents.
#[derive(Debug)]
pub(super) struct Sieve {
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

impl Sieve {
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
    pub(super) fn learn(&mut self, seq: Seq, bucket: i64, record: &Record) {
        self.next = self.next.max(seq + 1);
        let set = &record.features;
        if set.len() < self.least || record.dead {
            return;
        }
        let words = words(set.len());
        self.largest = self.largest.max(set.len() as u32);
        let class = self.buckets.entry(bucket).or_default().entry(words).or_default();
        class.documents.push(Document { seq, time: record.time, size: set.len() as u32 });
        class.bits.extend(bitmap(set, words));
    }

    /// The documents of these times that may reach the threshold, ascending; all that do are among them.
    pub(super) fn candidates(&self, set: &[u64], from: i64, to: i64) -> Vec<Seq> {
        let classes = self.buckets.values().flatten();
        let mut bits: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        for (&words, _) in classes.clone() {
            bits.entry(words).or_insert_with(|| bitmap(set, words));
        }
        let least = self.rule.smallest_partner(set.len() as u64) as u32;
        let spare = self.spare(set.len() as u64, u64::from(least));
        let chunks: Vec<Chunk<'_>> = classes
            .flat_map(|(&words, class)| {
                let own = &bits[&words];
                let bits = class.bits.chunks(CHUNK * words);
                let chunks = class.documents.chunks(CHUNK).zip(bits);
                chunks.map(move |(documents, bits)| Chunk { own, documents, bits })
            })
            .collect();
        let question = Question { least, spare: &spare, from, to };
        let sift = |chunk: Chunk<'_>| {
            let mut found = Vec::new();
            wide(|| chunk.sift(&question, &mut found));
            found
        };
        let mut found: Vec<Seq> = chunks.into_par_iter().flat_map_iter(sift).collect();
        found.sort_unstable();
        found
    }

    /// In how many features documents may differ, for each size of the other from the least on: those
    /// of other sizes are out.
    fn spare(&self, size: u64, least: u64) -> Vec<u32> {
        let reaches = |other: &u64| self.rule.least_overlap(size, *other) <= size.min(*other);
        let most = u64::from(self.largest);
        (least..=most)
            .take_while(reaches)
            .map(|other| (size + other - 2 * self.rule.least_overlap(size, other)) as u32)
            .collect()
    }
}

/// What is asked of every document.
struct Question<'a> {
    least: u32,
    spare: &'a [u32],
    from: i64,
    to: i64,
}

/// Documents that one thread looks at, and the bitmap that theirs are compared with.
struct Chunk<'a> {
    own: &'a [u64],
    documents: &'a [Document],
    bits: &'a [u64],
}

impl Chunk<'_> {
    #[inline(always)]
    fn sift(&self, question: &Question<'_>, found: &mut Vec<Seq>) {
        for (document, bits) in self.documents.iter().zip(self.bits.chunks_exact(self.own.len())) {
            let place = document.size.wrapping_sub(question.least) as usize;
            let Some(&spare) = question.spare.get(place) else { continue };
            let in_time = question.from <= document.time && document.time <= question.to;
            if in_time && differs_by_at_most(self.own, bits, spare) {
                found.push(document.seq);
            }
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
    for (a, b) in a.chunks_exact(STEP).zip(b.chunks_exact(STEP)) {
        for at in 0..STEP {
            different += (a[at] ^ b[at]).count_ones();
        }
        if different > most {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{matcher, measure::Measure, online::record::Said, threshold::Threshold};
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    fn record(features: Vec<u64>, time: i64) -> Record {
        Record {
            id: String::new(),
            generation: 0,
            time,
            content: 0,
            fingerprint: None,
            site: None,
            title: Vec::new(),
            blocks: Vec::new(),
            features,
            figures: Vec::new(),
            said: Said::original(""),
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
            let mut sieve = Sieve::new(rule, 1);
            for (seq, set) in (1..).zip(&sets[1..]) {
                sieve.learn(seq, seq as i64 % 3, &record(set.clone(), seq as i64));
            }
            let passed = sieve.candidates(&sets[0], 2, 9);
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
        let mut sieve = Sieve::new(rule, 1);
        for number in 1..500 {
            sieve.learn(number, 0, &record(document(number), 0));
        }
        assert_eq!(sieve.candidates(&document(77), 0, 0), [77]);
    }
}
