//! The keys under which a document is found again.

use super::{
    compared::Compared,
    settings::{Collisions, Index},
    store::Seq,
};
use crate::{
    matcher::{Bands, Matcher, prefix_len},
    measure::{Measure, Rule},
    settings::Settings,
    sketch::{Banding, MinHashes, grouped_key, least_jaccard, seeds},
};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What a key is about; keys of different kinds never mean the same.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Id = 1,
    Text,
    Site,
    Member,
    Band,
    Value,
    Feature,
}

fn key(kind: Kind, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, kind as u64)
}

/// All generations of a document.
pub(super) fn of_id(id: &str) -> u64 {
    key(Kind::Id, id.as_bytes())
}

/// All documents with a text.
pub(super) fn of_text(fingerprint: u128) -> u64 {
    key(Kind::Text, &fingerprint.to_le_bytes())
}

/// All pages of a site.
pub(super) fn of_site(site: &str) -> u64 {
    key(Kind::Site, site.as_bytes())
}

/// All copies of an original.
pub(super) fn of_members(original: Seq) -> u64 {
    key(Kind::Member, &original.to_le_bytes())
}

/// How keys are made from what a document is compared by.
#[derive(Debug)]
pub(super) enum Keying {
    /// A key for each band of min-hashes.
    Bands { banding: Banding, hashes: MinHashes, shared: u32 },
    /// None: the bitmap index looks at all documents.
    Exact,
    /// The rarest features of a vector: vectors that are near share one of these.
    Prefix { rule: Rule },
    /// The values of a sketch, made when the document is signed.
    Collisions { more_than: u32 },
}

impl Keying {
    pub(super) fn new(settings: &Settings) -> Self {
        let exact = match settings.model {
            Some(_) => Self::Prefix { rule: settings.rule() },
            None => Self::Exact,
        };
        match &settings.online.index {
            // Min-hashes of weights agree as often as Jaccard says, and no other measure.
            Index::Bands(_) if settings.model.is_some() && settings.measure != Measure::Jaccard => {
                exact
            }
            Index::Exact => exact,
            Index::Collisions(collisions) => Self::Collisions { more_than: collisions.collisions },
            Index::Bands(bands) => match banding(bands, settings) {
                Some((banding, shared)) => {
                    Self::Bands { banding, hashes: MinHashes::new(banding.hashes()), shared }
                }
                None => exact,
            },
        }
    }

    /// Whether every near document has to be found.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self, Self::Exact | Self::Prefix { .. })
    }

    /// The keys of a set that is not empty, or of the sketch that stands for it.
    pub(super) fn keys(&self, set: &Compared, sketch: &[u64]) -> Vec<u64> {
        match self {
            Self::Bands { banding, hashes, .. } => {
                let mut values = Vec::new();
                match set.weights.is_empty() {
                    true => hashes.values(&set.features, &mut values),
                    false => hashes.weighted(&set.features, &set.weights, &mut values),
                }
                let runs = values.chunks(banding.rows).enumerate();
                let keys = runs.map(|(place, run)| {
                    key(Kind::Band, &grouped_key(place as u64, run).to_le_bytes())
                });
                distinct(keys.collect())
            }
            Self::Exact => Vec::new(),
            Self::Prefix { rule } => {
                let prefix = &set.features[..prefix_len(&set.weights, *rule)];
                prefix.iter().map(|feature| key(Kind::Feature, &feature.to_le_bytes())).collect()
            }
            Self::Collisions { .. } => sketch.to_vec(),
        }
    }

    /// How many of its keys a document shares at least with those that it is compared with.
    pub(super) fn least(&self) -> u32 {
        match self {
            Self::Bands { shared, .. } => *shared,
            Self::Exact | Self::Prefix { .. } => 1,
            Self::Collisions { more_than } => more_than + 1,
        }
    }
}

/// The bands of the settings, and how many of them candidates share: one if the bands are stated, for a
/// stream or for whole collections, and two where they are chosen.
fn banding(bands: &Bands, settings: &Settings) -> Option<(Banding, u32)> {
    let rule = settings.rule();
    let stated = match &settings.matcher {
        Matcher::Bands(stated) => stated,
        _ => bands,
    };
    if stated.bands.is_some() {
        return stated.banding(rule).map(|banding| (banding, 1));
    }
    let chosen = Banding::choose_sharing(2, least_jaccard(rule)?, bands.recall, bands.hashes);
    chosen.map(|banding| (banding, 2)).or_else(|| bands.banding(rule).map(|banding| (banding, 1)))
}

/// The sketch of NRC-GPHIN: for each of its permutations the smallest value among a sample of the
/// shingles. The paper's permutations are random numbers, combined with each hash by exclusive-or;
/// its hash is not mixed enough for that, ours is.
pub(super) fn sketch(settings: &Collisions, shingles: &mut Vec<u64>) -> Vec<u64> {
    shingles.sort_unstable();
    shingles.dedup();
    // Hashes are as good as random: the smallest are a sample, and the same each time.
    shingles.truncate(settings.sample);
    let numbers = seeds(u64::from_le_bytes(*b"nrcgphin")).take(settings.hashes).enumerate();
    let least = |number: u64| shingles.iter().map(|shingle| shingle ^ number).min();
    let values = numbers.filter_map(|(place, number)| {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(place as u64).to_le_bytes());
        bytes[8..].copy_from_slice(&least(number)?.to_le_bytes());
        Some(key(Kind::Value, &bytes))
    });
    values.collect()
}

fn distinct(mut keys: Vec<u64>) -> Vec<u64> {
    keys.sort_unstable();
    keys.dedup();
    keys
}
