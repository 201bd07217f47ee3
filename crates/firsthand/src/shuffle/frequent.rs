//! Features that many documents of a sample have: they come last in the order of features, so that few
//! classes hand them out as keys. Any order gives the same pairs, as long as all share it.

use crate::{features::Features, hashed::BuildHashed};
use std::collections::{HashMap, HashSet};

/// A feature is frequent if one in this number of documents has it.
const ONE_IN: usize = 200;
/// In a small sample, fewer documents than this prove nothing.
const PROOF: usize = 5;

/// Frequent features.
///
/// ```
/// use firsthand::{Detector, Document, Settings, shuffle::Frequent};
///
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let sample = (0..9).map(|own| {
///     detector.sign(&Document::new("", format!("all rights reserved by us in {own} {own}")))
/// });
/// let frequent = Frequent::learn(sample);
/// assert_eq!(frequent.len(), 2);
/// assert_eq!(Frequent::from_bytes(&frequent.to_bytes()), frequent);
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frequent(HashSet<u64, BuildHashed>);

impl Frequent {
    /// Those of a sample of documents.
    pub fn learn(sample: impl IntoIterator<Item = Features>) -> Self {
        let mut counts: HashMap<u64, usize, BuildHashed> = HashMap::default();
        let mut documents = 0;
        for features in sample {
            documents += 1;
            features.set.iter().for_each(|&feature| *counts.entry(feature).or_default() += 1);
        }
        let least = (documents / ONE_IN).max(PROOF);
        let often = counts.into_iter().filter(|(_, count)| *count >= least);
        Self(often.map(|(feature, _)| feature).collect())
    }

    pub(super) fn features(&self) -> &HashSet<u64, BuildHashed> {
        &self.0
    }

    /// The number of features.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Encodes them: eight bytes each, little-endian and ascending.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut features: Vec<u64> = self.0.iter().copied().collect();
        features.sort_unstable();
        features.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    /// Decodes them; bytes beyond the last whole one are ignored.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
    }
}
