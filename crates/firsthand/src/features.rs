//! The features of a document, which are all that is needed to compare it, and their encoding.
//!
//! The encoding, version 5, in this order: the byte 5; the tag of the settings (8 bytes); whether
//! there is a fingerprint (a byte, 0 or 1), and the fingerprint (16 bytes); the length of the text; the
//! number of features, and each of them (8 bytes); whether there are weights (a byte), and each of
//! them; the number of sketch values, and each of them (8 bytes); whether it is a page of a site (a byte),
//! the hash of the site (8 bytes), the number of words of its headline, the hash of each (8 bytes), two hashes
//! of its spelling and one of the name in its address (8 bytes each), the number of its own anchors, each (4 bytes), how
//! far below the largest 32-bit hash none of them is missing, the anchor of its heading, whether the text has half of the words of the headline (a byte),
//! and the number of features that tell it, each (4 bytes) as the place of a word of the headline and the first 24 bits of
//! the feature.
//! Fixed sizes are little-endian. The length, the numbers and the weights are LEB128: seven bits per byte,
//! the lowest first, with the high bit set on all bytes but the last.

use crate::{
    bytes::{Reader, Writer},
    same_site::PageHead,
};

/// The version of the encoding, and of what features mean.
const VERSION: u8 = 5;

/// Everything that is kept of a document in order to compare it, which does not include its text.
///
/// ```
/// use firsthand::{Detector, Document, Features, Settings};
///
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let features = detector.sign(&Document::new("a", "Six words make two shingles here"));
/// assert_eq!(features.len(), 2);
/// assert_eq!(Features::from_bytes(&features.to_bytes())?, features);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The hash of the normalised text; `None` if there is no text.
    pub(crate) fingerprint: Option<u128>,
    /// The length of the normalised text in bytes.
    pub(crate) length: u32,
    /// Hashes of features, ascending.
    pub(crate) set: Vec<u64>,
    /// The weight of each feature; empty if they have none.
    pub(crate) weights: Vec<u32>,
    /// The sketch that candidates are found by, if the matcher is `collisions`.
    pub(crate) sketch: Vec<u64>,
    /// Its site and headline, if it is a page of a site.
    pub(crate) page: Option<PageHead>,
    /// A hash of the settings that they were made with.
    pub(crate) settings_tag: u64,
}

impl Features {
    /// The hash of the normalised text, which exact copies share; `None` if there is no text.
    pub fn fingerprint(&self) -> Option<u128> {
        self.fingerprint
    }

    /// The length of the normalised text in bytes.
    pub fn text_length(&self) -> u32 {
        self.length
    }

    /// The features: 64-bit hashes, ascending. Further occurrences in a multi-set have hashes of
    /// their own.
    pub fn hashes(&self) -> &[u64] {
        &self.set
    }

    /// The weight of each feature if a model weighs them; the number of its occurrences if weights or
    /// cuts depend on the collection; otherwise empty.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The number of features.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Whether there are no features.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Whether both have the same normalised text, and it is not empty.
    pub fn is_exact_copy_of(&self, other: &Self) -> bool {
        self.fingerprint.is_some() && self.fingerprint == other.fingerprint
    }

    /// Its site and headline, if it is a page of a site, and its features.
    pub(crate) fn of_page(&self) -> (Option<&PageHead>, &[u64]) {
        (self.page.as_ref(), &self.set)
    }

    /// The same without some features (ascending).
    pub(crate) fn without(&self, features: &[u64]) -> Self {
        let stays = |feature: &u64| features.binary_search(feature).is_err();
        let weights = self.set.iter().zip(&self.weights).filter(|(feature, _)| stays(feature));
        Self {
            set: self.set.iter().copied().filter(stays).collect(),
            weights: weights.map(|(_, weight)| *weight).collect(),
            page: self.page.clone(),
            sketch: Vec::new(),
            ..*self
        }
    }

    /// Encodes the features, with the same bytes on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }

    /// Decodes features.
    ///
    /// # Errors
    ///
    /// If the bytes were written by another version or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesError> {
        let mut from = Reader(bytes);
        match bytes.first() {
            Some(&VERSION) => {}
            Some(&version) => return Err(BytesError::Version { what: "features", version }),
            None => return Err(BytesError::Damaged { what: "features" }),
        }
        let features = Self::read(&mut from).filter(|_| from.0.is_empty());
        features.ok_or(BytesError::Damaged { what: "features" })
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        out.byte(VERSION);
        out.fixed(self.settings_tag);
        out.option(self.fingerprint, Writer::wide);
        out.number(u64::from(self.length));
        out.hashes(&self.set);
        out.byte(u8::from(!self.weights.is_empty()));
        self.weights.iter().for_each(|&weight| out.number(u64::from(weight)));
        out.hashes(&self.sketch);
        out.option(self.page.as_ref(), |out, page| page.write(out));
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        if from.byte()? != VERSION {
            return None;
        }
        let settings_tag = from.fixed()?;
        let fingerprint = from.option(Reader::wide)?;
        let length = u32::try_from(from.number()?).ok()?;
        let set = from.hashes()?;
        if !set.is_sorted_by(|a, b| a < b) {
            return None;
        }
        let weights = match from.byte()? {
            0 => Vec::new(),
            1 => set.iter().map(|_| u32::try_from(from.number()?).ok()).collect::<Option<_>>()?,
            _ => return None,
        };
        let sketch = from.hashes()?;
        let page = from.option(PageHead::read)?;
        Some(Self { fingerprint, length, set, weights, sketch, page, settings_tag })
    }
}

/// Why bytes could not be decoded.
///
/// ```
/// use firsthand::{Features, features::BytesError};
///
/// let bytes = Features::default().to_bytes();
/// let cut = Features::from_bytes(&bytes[..bytes.len() - 1]);
/// assert_eq!(cut, Err(BytesError::Damaged { what: "features" }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BytesError {
    /// They were written by another version.
    #[error("{what} of version {version}, which this version of firsthand cannot read")]
    Version {
        /// What they should be: `features` or `templates`.
        what: &'static str,
        /// Their version.
        version: u8,
    },
    /// They were cut off or changed.
    #[error("damaged {what}: truncated, or changed since they were written")]
    Damaged {
        /// What they should be: `features` or `templates`.
        what: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_features() -> impl Strategy<Value = Features> {
        let set = prop::collection::btree_map(any::<u64>(), any::<u32>(), 0..20);
        let rest = (prop::option::of(any::<u128>()), any::<u32>(), any::<u64>(), any::<bool>());
        (set, prop::collection::vec(any::<u64>(), 0..4), rest).prop_map(
            |(set, sketch, (fingerprint, length, settings_tag, weighed))| Features {
                fingerprint,
                length,
                weights: set.values().copied().filter(|_| weighed).collect(),
                set: set.into_keys().collect(),
                page: weighed.then(|| PageHead::new(settings_tag, &sketch, length % 2 == 0)),
                sketch,
                settings_tag,
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(features in any_features(), cut in any::<prop::sample::Index>()) {
            let bytes = features.to_bytes();
            prop_assert_eq!(Features::from_bytes(&bytes), Ok(features));
            let cut = &bytes[..cut.index(bytes.len())];
            prop_assert_eq!(Features::from_bytes(cut), Err(BytesError::Damaged { what: "features" }));
        }

        #[test]
        fn damaged_bytes_do_no_harm(mut bytes in prop::collection::vec(any::<u8>(), 1..200)) {
            bytes[0] = VERSION;
            let _ = Features::from_bytes(&bytes);
        }
    }

    #[test]
    fn the_form_is_fixed() {
        // Files written before must stay readable, so these bytes never change.
        let features = Features {
            fingerprint: Some(0x0102),
            length: 300,
            set: vec![1, 0x0203],
            weights: vec![5, 200],
            sketch: vec![7],
            page: Some(PageHead {
                spellings: [4, 5],
                name: 11,
                anchors: crate::anchors::Anchors::read(&mut Reader(&[1, 12, 0, 0, 0, 2, 3]))
                    .unwrap(),
                telling: vec![0x0a],
                ..PageHead::new(8, &[6], true)
            }),
            settings_tag: 9,
        };
        let expected = [
            &[5u8][..],
            &[9, 0, 0, 0, 0, 0, 0, 0],
            &[1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            &[0xac, 2],
            &[2, 1, 0, 0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0],
            &[1, 5, 0xc8, 1],
            &[1, 7, 0, 0, 0, 0, 0, 0, 0],
            &[1, 8, 0, 0, 0, 0, 0, 0, 0, 1, 6, 0, 0, 0, 0, 0, 0, 0],
            &[4, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0],
            &[11, 0, 0, 0, 0, 0, 0, 0, 1, 12, 0, 0, 0, 2, 3, 1, 1, 0x0a, 0, 0, 0],
        ];
        assert_eq!(features.to_bytes(), expected.concat());
        let error = Features::from_bytes(&[1]).unwrap_err();
        assert_eq!(error, BytesError::Version { what: "features", version: 1 });
    }
}
