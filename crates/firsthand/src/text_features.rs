//! The features of a text before they become a set, with the blocks that they touch.

/// A block of a page, by the hash of its words.
///
/// ```
/// use firsthand::{Detector, Document, Settings};
///
/// let host = Some("site.example".to_owned());
/// let document = Document { host, ..Document::new("a", "Home News\nA ferry sailed\nHOME news") };
/// let signed = Detector::new(Settings::default())?.sign_page(&document);
/// let blocks = signed.page().ok_or("no site")?.blocks();
/// // Case does not count, so the first and the last are the same block.
/// assert_eq!((blocks[0], blocks[1].words), (blocks[2], 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHash {
    /// The hash of its words.
    pub hash: u64,
    /// The number of its words.
    pub words: u32,
}

/// Features in the order of the text, with repetitions; or a set already, if no block can be set aside.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextFeatures {
    pub(crate) features: Vec<u64>,
    /// The weight of each feature, if a model weighs them.
    pub(crate) weights: Vec<u32>,
    /// The first and the last block that each feature touches; empty unless blocks may be set aside.
    pub(crate) spans: Vec<(u32, u32)>,
    pub(crate) is_set: bool,
}

impl TextFeatures {
    /// Turns weighed features into a vector: distinct and ascending, each with its weight.
    pub(crate) fn make_vector(&mut self) {
        if self.is_set {
            return;
        }
        let pairs = self.features.iter().copied().zip(self.weights.iter().copied());
        let mut pairs: Vec<(u64, u32)> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        (self.features, self.weights) = pairs.into_iter().unzip();
        self.is_set = true;
    }

    /// Makes the features distinct, with the number of their occurrences as weights.
    pub(crate) fn count(&mut self) {
        self.features.sort_unstable();
        let runs = self.features.chunk_by(|a, b| a == b);
        self.weights = runs.map(|run| run.len() as u32).collect();
        self.features.dedup();
        self.is_set = true;
    }

    /// Removes features of weight 0.
    #[cfg_attr(not(feature = "learn"), allow(dead_code))]
    pub(crate) fn drop_weightless(&mut self) {
        if self.weights.contains(&0) {
            let stays = |at: usize| self.weights[at] > 0;
            retain_places(&mut self.features, stays);
            retain_places(&mut self.spans, stays);
            self.weights.retain(|weight| *weight > 0);
        }
    }

    /// Removes features that touch page furniture; returns the number of furniture blocks.
    pub(crate) fn set_aside(
        &mut self,
        blocks: &[BlockHash],
        furniture: impl Fn(u64) -> bool,
    ) -> u64 {
        // The number of furniture blocks before each block.
        let mut before = Vec::with_capacity(blocks.len() + 1);
        let mut count = 0u64;
        before.push(count);
        for block in blocks {
            count += u64::from(furniture(block.hash));
            before.push(count);
        }
        if count > 0 {
            let stays = |at: usize| {
                let span: Option<&(u32, u32)> = self.spans.get(at);
                span.is_none_or(|&(first, last)| {
                    before[first as usize] == before[last as usize + 1]
                })
            };
            retain_places(&mut self.features, stays);
            retain_places(&mut self.weights, stays);
        }
        self.spans = Vec::new();
        count
    }
}

/// Keeps the elements at positions for which `stays` holds.
fn retain_places<T>(list: &mut Vec<T>, stays: impl Fn(usize) -> bool) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        stays(at - 1)
    });
}
