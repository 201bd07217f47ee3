//! The keys under which near-duplicates meet.

use crate::{
    features::Features,
    hashed::BuildHashed,
    matcher::prefix_len,
    measure::{Measure, Rule},
    settings::{Bands, Collisions, Matcher, Settings},
    sketch::{Banding, Bits, Lexicons, MinHashes, grouped_key, least_jaccard, seeds},
};
use std::collections::HashSet;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The kind of a key: keys of different kinds are hashed differently.
#[derive(Clone, Copy, Debug)]
enum KeyKind {
    Id = 1,
    Text,
    Site,
    Member,
    Band,
    Value,
    Feature,
    Block,
    Url,
    Deep,
}

fn key(kind: KeyKind, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, kind as u64)
}

/// The key of all generations of a document.
pub(crate) fn of_id(id: &str) -> u64 {
    key(KeyKind::Id, id.as_bytes())
}

/// The key of all documents with the same text.
pub(crate) fn of_text(fingerprint: u128) -> u64 {
    key(KeyKind::Text, &fingerprint.to_le_bytes())
}

/// The key of all pages of a site.
pub(crate) fn of_site(site: &str) -> u64 {
    key(KeyKind::Site, site.as_bytes())
}

/// The key of all documents with the same URL.
pub(crate) fn of_url(url: &str) -> u64 {
    key(KeyKind::Url, url.as_bytes())
}

/// The key of all copies of an original, given its sequence number.
pub(crate) fn of_members(original: u64) -> u64 {
    key(KeyKind::Member, &original.to_le_bytes())
}

/// The keys of a document.
///
/// With the exact matcher, near-duplicates share at least as many keys as the smaller of their
/// `least_shared`. With bands, the share of pairs that do so is the recall.
///
/// ```
/// use firsthand::{Detector, Document, Settings};
///
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let keys = |text: &str| detector.keys(&detector.sign(&Document::new("", text)));
/// let a = keys("one two three four five six seven eight nine ten eleven twelve")?;
/// let b = keys("one two three four five six seven eight nine ten eleven twelve!")?;
/// let shared = a.keys.iter().filter(|key| b.keys.contains(key)).count();
/// assert!(shared >= a.least_shared.min(b.least_shared) as usize);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// The keys, distinct and ascending. A document that matches nothing has none.
    pub keys: Vec<u64>,
    /// The least number of keys that a near-duplicate shares.
    pub least_shared: u32,
}

/// The keys of features by the matcher of collections. Near-duplicates share `least` of them if their
/// sets are large enough.
pub(crate) fn of_features(settings: &Settings, features: &Features, least: u32) -> Keys {
    // Exact copies match however short they are.
    let Some(fingerprint) = features.fingerprint else { return Keys::default() };
    let (mut keys, mut least_shared) = (vec![of_text(fingerprint)], 1);
    if features.len() >= settings.min_features.max(1) {
        let (near, shared) = of_near(settings, features, least.max(1));
        keys.extend(near);
        least_shared = shared;
    }
    Keys { keys: ascending(keys), least_shared }
}

/// The keys of features that are not short, beside that of the text; `last` are features that come last
/// in the order, so that few sets hand them out as keys.
pub(crate) fn of_set(
    settings: &Settings,
    features: &Features,
    least: u32,
    last: &HashSet<u64, BuildHashed>,
) -> Keys {
    let is_by_set = matches!(settings.collection_matcher(), Matcher::Exact);
    let (keys, least_shared) = match is_by_set && features.weights.is_empty() && !last.is_empty() {
        true => {
            let (often, seldom): (Vec<u64>, Vec<u64>) =
                features.set.iter().partition(|feature| last.contains(feature));
            prefix(&[seldom, often].concat(), settings.rule(), least.max(1))
        }
        false => of_near(settings, features, least.max(1)),
    };
    Keys { keys: ascending(keys), least_shared }
}

fn of_near(settings: &Settings, features: &Features, least: u32) -> (Vec<u64>, u32) {
    let rule = settings.rule();
    let agreement = Rule { measure: Measure::MaxOverlap, ..rule };
    let (matcher, set) = (settings.collection_matcher(), features.set.as_slice());
    let is_weighed = !features.weights.is_empty();
    match matcher {
        Matcher::Sketch { hashes, group } if !is_weighed => {
            let sketch = MinHashes::new(*hashes).sketch(set, *group, &mut Vec::new());
            prefix(&ascending(sketch), agreement, least)
        }
        Matcher::Fingerprint { lexicons, keep } if !is_weighed => {
            let fingerprints = Lexicons::new(*lexicons, *keep).fingerprints(set);
            prefix(&ascending(fingerprints), agreement, least)
        }
        Matcher::Bits { bits } if !is_weighed => {
            let bits = Bits::new(*bits, 1, |_| (set, None));
            (of_blocks(&bits, rule), 1)
        }
        Matcher::Bands(bands) => match bands.banding(rule) {
            Some(banding) => (of_bands(banding, &MinHashes::new(banding.hashes()), features), 1),
            None => exact(features, rule, least),
        },
        // Sketches of learned weights miss one pair in a hundred; exact keys miss none.
        _ => exact(features, rule, least),
    }
}

fn exact(features: &Features, rule: Rule, least: u32) -> (Vec<u64>, u32) {
    match features.weights.is_empty() {
        true => prefix(&features.set, rule, least),
        false => (of_weighted_prefix(features, rule), 1),
    }
}

/// The first features of a set in an order that all sets share, such as that of the hashes. If two sets
/// reach the threshold, they share at least as many features as the rule demands. So the first `least` of
/// these have enough others after them in both sets, and are within the prefixes of both.
fn prefix(set: &[u64], rule: Rule, least: u32) -> (Vec<u64>, u32) {
    let size = set.len() as u64;
    let overlap = rule.least_overlap(size, rule.smallest_partner(size)).max(1);
    let shared = overlap.min(u64::from(least));
    let count = size.saturating_sub(overlap) + shared;
    let prefix = &set[..count.min(size) as usize];
    (prefix.iter().map(|&feature| of_feature(feature)).collect(), shared as u32)
}

fn of_feature(feature: u64) -> u64 {
    key(KeyKind::Feature, &feature.to_le_bytes())
}

/// The rarest features of a vector: vectors that reach the threshold share one of these.
fn of_weighted_prefix(features: &Features, rule: Rule) -> Vec<u64> {
    let prefix = &features.set[..prefix_len(&features.weights, rule)];
    prefix.iter().map(|&feature| of_feature(feature)).collect()
}

/// A key for each band of min-hashes, distinct and ascending.
fn of_bands(banding: Banding, hashes: &MinHashes, features: &Features) -> Vec<u64> {
    of_runs(KeyKind::Band, banding.rows, hashes, features)
}

/// A key for each run of this many min-hashes, distinct and ascending.
fn of_runs(kind: KeyKind, length: usize, hashes: &MinHashes, features: &Features) -> Vec<u64> {
    let mut values = Vec::new();
    match features.weights.is_empty() {
        true => hashes.values(&features.set, &mut values),
        false => hashes.weighted(&features.set, &features.weights, &mut values),
    }
    let runs = values.chunks(length).enumerate();
    let run =
        |(place, run): (usize, &[u32])| key(kind, &grouped_key(place as u64, run).to_le_bytes());
    ascending(runs.map(run).collect())
}

/// Values in ascending order, without repetitions.
fn ascending(mut values: Vec<u64>) -> Vec<u64> {
    values.sort_unstable();
    values.dedup();
    values
}

/// A key for each block of bits. There is one block more than there are bits that may differ, so
/// near-duplicates agree on at least one whole block.
fn of_blocks(bits: &Bits, rule: Rule) -> Vec<u64> {
    let Some(words) = bits.get(0) else { return Vec::new() };
    let (n, d) = (rule.threshold.numerator(), rule.threshold.denominator());
    let most_different = bits.len() - (n * bits.len()).div_ceil(d).max(1);
    let blocks = most_different + 1;
    let bit = |at: u64| words[at as usize / 64] >> (at % 64) & 1;
    let block = |block: u64| {
        let (from, to) = (block * bits.len() / blocks, (block + 1) * bits.len() / blocks);
        let mut bytes = block.to_le_bytes().to_vec();
        bytes.extend((from..to).map(|at| bit(at) as u8));
        key(KeyKind::Block, &bytes)
    };
    (0..blocks).map(block).collect()
}

/// How a stream turns features into keys.
#[derive(Debug)]
pub(crate) enum StreamKeys {
    /// A key for each band of min-hashes.
    Bands { banding: Banding, hashes: MinHashes, shared: u32 },
    /// No keys: the bitmap index scans all documents.
    Exact,
    /// The rarest features of a vector.
    Prefix { rule: Rule },
    /// The values of a sketch, which is computed when the document is signed.
    Collisions { more_than: u32 },
}

impl StreamKeys {
    /// For settings that were resolved for a stream.
    pub(crate) fn new(settings: &Settings) -> Self {
        let exact = match settings.model {
            Some(_) => Self::Prefix { rule: settings.rule() },
            None => Self::Exact,
        };
        match &settings.matcher {
            Some(Matcher::Collisions(collisions)) => {
                Self::Collisions { more_than: collisions.collisions }
            }
            Some(Matcher::Bands(bands)) => match stream_banding(bands, settings.rule()) {
                Some((banding, shared)) => {
                    let hashes = MinHashes::salted(banding.hashes(), settings.stream.salt);
                    Self::Bands { banding, hashes, shared }
                }
                None => exact,
            },
            _ => exact,
        }
    }

    /// Whether every near-duplicate has to be found.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self, Self::Exact | Self::Prefix { .. })
    }

    /// The keys of features that are not empty.
    pub(crate) fn of(&self, features: &Features) -> Vec<u64> {
        match self {
            Self::Bands { banding, hashes, .. } => of_bands(*banding, hashes, features),
            Self::Exact => Vec::new(),
            Self::Prefix { rule } => of_weighted_prefix(features, *rule),
            Self::Collisions { .. } => features.sketch.clone(),
        }
    }

    /// The keys of several bands together, 1 at level 0, 2 at level 1, 4 at level 2: few documents share
    /// those, even where most bands are crowded.
    pub(crate) fn deep(&self, level: usize, features: &Features) -> Vec<u64> {
        match self {
            Self::Bands { .. } if level == 0 => self.of(features),
            Self::Bands { banding, hashes, .. } => {
                let mut keys = of_runs(KeyKind::Deep, banding.rows << level, hashes, features);
                keys.iter_mut().for_each(|key| *key ^= level as u64);
                keys.sort_unstable();
                keys
            }
            Self::Exact | Self::Prefix { .. } | Self::Collisions { .. } => Vec::new(),
        }
    }

    /// The least number of keys that a document shares with its candidates.
    pub(crate) fn least_shared(&self) -> u32 {
        match self {
            Self::Bands { shared, .. } => *shared,
            Self::Exact | Self::Prefix { .. } => 1,
            Self::Collisions { more_than } => more_than + 1,
        }
    }
}

/// The bands of a stream, and how many of them candidates must share: one if the bands are set, and two
/// if they are chosen.
fn stream_banding(bands: &Bands, rule: Rule) -> Option<(Banding, u32)> {
    if bands.bands.is_some() {
        return bands.banding(rule).map(|banding| (banding, 1));
    }
    let chosen = Banding::choose_sharing(2, least_jaccard(rule)?, bands.recall, bands.hashes);
    chosen.map(|banding| (banding, 2)).or_else(|| bands.banding(rule).map(|banding| (banding, 1)))
}

/// The sketch of NRC-GPHIN: for each permutation, the smallest value among a sample of the shingles. The
/// paper permutes by exclusive-or with random numbers. Its hash is not mixed well enough for that, but
/// ours is.
pub(crate) fn sketch(settings: &Collisions, salt: u64, shingles: &mut Vec<u64>) -> Vec<u64> {
    shingles.sort_unstable();
    shingles.dedup();
    // Hashes are as good as random: the smallest ones are a sample, and always the same one.
    shingles.truncate(settings.sample);
    let numbers = seeds(u64::from_le_bytes(*b"nrcgphin") ^ salt).take(settings.hashes).enumerate();
    let least = |number: u64| shingles.iter().map(|shingle| shingle ^ number).min();
    let values = numbers.filter_map(|(place, number)| {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(place as u64).to_le_bytes());
        bytes[8..].copy_from_slice(&least(number)?.to_le_bytes());
        Some(key(KeyKind::Value, &bytes))
    });
    values.collect()
}
