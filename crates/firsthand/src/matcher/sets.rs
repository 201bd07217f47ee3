//! Many sets of hashed features in two flat arrays.

/// A sequence of sets; each is a sorted run of distinct 64-bit features.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    ends: Vec<usize>,
    features: Vec<u64>,
}

impl Sets {
    /// No sets, with room for some.
    pub fn with_capacity(sets: usize, features: usize) -> Self {
        Self { ends: Vec::with_capacity(sets), features: Vec::with_capacity(features) }
    }

    /// Appends a set. The features are sorted and made distinct if they are not.
    pub fn push(&mut self, features: &[u64]) {
        let start = self.features.len();
        self.features.extend_from_slice(features);
        if !features.is_sorted_by(|a, b| a < b) {
            self.features[start..].sort_unstable();
            let mut kept = start;
            for at in start..self.features.len() {
                if at == start || self.features[at] != self.features[kept - 1] {
                    self.features[kept] = self.features[at];
                    kept += 1;
                }
            }
            self.features.truncate(kept);
        }
        self.ends.push(self.features.len());
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of one set, ascending.
    pub fn get(&self, set: usize) -> &[u64] {
        let start = if set == 0 { 0 } else { self.ends[set - 1] };
        &self.features[start..self.ends[set]]
    }

    /// The number of features in all sets together.
    pub fn features(&self) -> usize {
        self.features.len()
    }
}

impl<S: AsRef<[u64]>> FromIterator<S> for Sets {
    fn from_iter<I: IntoIterator<Item = S>>(sets: I) -> Self {
        let mut all = Self::default();
        for set in sets {
            all.push(set.as_ref());
        }
        all
    }
}

/// How many elements two ascending sequences share.
pub(crate) fn overlap(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared
}
