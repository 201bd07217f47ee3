//! The shingles of two or more documents, each with the documents that have it.

use anyhow::{Result, ensure};

use super::NumberedDocuments;

/// Shingles sorted per pass; bounds memory to about 130 MB whatever the size of the collection.
const SHINGLES_PER_PASS: usize = 4_000_000;

/// An inverted index of all shingles in at least two documents, readable from both sides.
pub(crate) struct SharedShingles {
    /// The number of different shingles of each document, shared or not.
    set_sizes: Vec<u32>,
    /// The documents of every shared shingle, concatenated, each list ascending.
    holders: Vec<u32>,
    /// The end of each of those lists.
    list_ends: Vec<usize>,
    /// The list numbers of every document, concatenated.
    lists: Vec<u32>,
    /// The start of each document's numbers; one more entry than documents.
    starts: Vec<usize>,
}

impl SharedShingles {
    /// Builds the index of word `n`-grams. A document with fewer words has a single shingle.
    pub(crate) fn find(documents: &NumberedDocuments, n: usize) -> Result<Self> {
        let packing = Packing::new(documents.vocabulary(), n)?;
        let passes = documents.total_words().div_ceil(SHINGLES_PER_PASS).max(1);
        Ok(Self::in_passes(documents, &packing, passes))
    }

    fn in_passes(documents: &NumberedDocuments, packing: &Packing, passes: usize) -> Self {
        let mut set_sizes = vec![0; documents.len()];
        let (mut holders, mut list_ends) = (Vec::new(), Vec::new());
        let mut found: Vec<(u128, u32)> = Vec::new();
        for pass in 0..passes {
            for (number, words) in (0..).zip(documents.iter()) {
                packing.for_each_shingle(words, |shingle| {
                    if passes == 1 || pass_of(shingle, passes) == pass {
                        found.push((shingle, number));
                    }
                });
            }
            found.sort_unstable();
            found.dedup();
            found.iter().for_each(|&(_, document)| set_sizes[document as usize] += 1);
            for same in found.chunk_by(|x, y| x.0 == y.0).filter(|same| same.len() > 1) {
                holders.extend(same.iter().map(|&(_, document)| document));
                list_ends.push(holders.len());
            }
            found.clear();
        }
        let (lists, starts) = turn_round(&holders, &list_ends, documents.len());
        Self { set_sizes, holders, list_ends, lists, starts }
    }

    /// The number of documents.
    pub(crate) fn documents(&self) -> usize {
        self.set_sizes.len()
    }

    /// The number of different shingles of a document.
    pub(crate) fn set_size(&self, document: u32) -> u32 {
        self.set_sizes[document as usize]
    }

    /// For each shared shingle of a document, all documents that have it, ascending.
    pub(crate) fn of_document(&self, document: u32) -> impl Iterator<Item = &[u32]> {
        let range = self.starts[document as usize]..self.starts[document as usize + 1];
        self.lists[range].iter().map(|&list| {
            let start = if list == 0 { 0 } else { self.list_ends[list as usize - 1] };
            &self.holders[start..self.list_ends[list as usize]]
        })
    }
}

/// Inverts "documents of a list" into "lists of a document", with the start of each document.
fn turn_round(holders: &[u32], ends: &[usize], documents: usize) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; documents + 1];
    holders.iter().for_each(|&document| starts[document as usize + 1] += 1);
    for document in 0..documents {
        starts[document + 1] += starts[document];
    }
    let mut next = starts.clone();
    let mut lists = vec![0; holders.len()];
    let mut start = 0;
    for (list, &end) in (0..).zip(ends) {
        for &document in &holders[start..end] {
            let place = &mut next[document as usize];
            lists[*place] = list;
            *place += 1;
        }
        start = end;
    }
    (lists, starts)
}

/// Distributes the shingles evenly over the passes.
fn pass_of(shingle: u128, passes: usize) -> usize {
    let folded = (shingle as u64) ^ ((shingle >> 64) as u64).rotate_left(32);
    let mixed = (folded ^ (folded >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(mixed) * passes as u128) >> 64) as usize
}

/// Packs the numbers of `n` words into one integer: equal exactly when the words are.
struct Packing {
    n: usize,
    bits: u32,
    mask: u128,
}

impl Packing {
    fn new(vocabulary: u32, n: usize) -> Result<Self> {
        let bits = u32::BITS - vocabulary.leading_zeros();
        let used = bits as usize * n;
        ensure!(
            used <= 128,
            "{vocabulary} different words in shingles of {n} do not fit into 128 bits; \
             use a smaller --n or fewer documents"
        );
        let mask = if used == 128 { u128::MAX } else { (1 << used) - 1 };
        Ok(Self { n, bits, mask })
    }

    fn for_each_shingle(&self, words: &[u32], mut take: impl FnMut(u128)) {
        let mut packed = 0;
        for (position, &word) in words.iter().enumerate() {
            packed = ((packed << self.bits) | u128::from(word)) & self.mask;
            if position + 1 >= self.n {
                take(packed);
            }
        }
        if (1..self.n).contains(&words.len()) {
            take(packed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn passes_do_not_change_the_sets() {
        let mut rng = Rng::new(5, &[]);
        let mut documents = NumberedDocuments::default();
        for number in 0..60 {
            let words: Vec<String> = (0..40).map(|_| rng.below(7).to_string()).collect();
            documents.add(number.to_string(), &words.join(" ")).expect("few words");
        }
        let packing = Packing::new(documents.vocabulary(), 3).expect("few words");
        let holders = |passes| {
            let shared = SharedShingles::in_passes(&documents, &packing, passes);
            let mut lists: Vec<Vec<Vec<u32>>> = (0..60)
                .map(|document| shared.of_document(document).map(<[u32]>::to_vec).collect())
                .collect();
            lists.iter_mut().for_each(|of_document| of_document.sort());
            (lists, shared.set_sizes)
        };
        assert!(holders(1).0.iter().any(|of_document| of_document.len() > 5));
        assert_eq!(holders(1), holders(4));
    }

    #[test]
    fn shingles_slide_and_short_texts_are_one() {
        let packing = Packing::new(200, 3).expect("24 bits");
        let all = |words: &[u32]| {
            let mut found = Vec::new();
            packing.for_each_shingle(words, |shingle| found.push(shingle));
            found
        };
        assert_eq!(all(&[1, 2, 3, 4]), [0x01_02_03, 0x02_03_04]);
        assert_eq!(all(&[1, 2]), [0x01_02]);
        assert_eq!(all(&[]), []);
    }

    #[test]
    fn too_many_words_for_a_shingle_are_refused() {
        assert!(Packing::new(65_535, 8).is_ok());
        let error = Packing::new(65_536, 8).err().expect("136 bits");
        assert!(error.to_string().contains("65536 different words"), "{error}");
    }
}
