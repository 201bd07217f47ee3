//! A filter that rules out most of the keys that are not in a run, without reading it.

// A key sets one bit in each of the eight words of a block, which fits into a cache line.
type FilterBlock = [u32; 8];

const BITS_PER_KEY: usize = 12;

const SALTS: FilterBlock = [
    0x47b6_137b,
    0x4497_4d91,
    0x8824_ad5b,
    0xa2b7_289d,
    0x7054_95c7,
    0x2df1_424b,
    0x9efc_4947,
    0x5c6b_fb31,
];

/// A blocked Bloom filter: about one absent key in two hundred passes.
#[derive(Debug)]
pub(super) struct Bloom {
    blocks: Vec<FilterBlock>,
}

impl Bloom {
    /// An empty filter for this number of keys.
    pub(super) fn new(keys: u64) -> Self {
        let blocks = (keys as usize * BITS_PER_KEY).div_ceil(256).max(1);
        Self { blocks: vec![FilterBlock::default(); blocks] }
    }

    pub(super) fn insert(&mut self, key: u64) {
        let (at, mask) = self.place(key);
        self.blocks[at].iter_mut().zip(mask).for_each(|(word, bit)| *word |= bit);
    }

    pub(super) fn may_have(&self, key: u64) -> bool {
        let (at, mask) = self.place(key);
        self.blocks[at].iter().zip(mask).all(|(word, bit)| word & bit != 0)
    }

    fn place(&self, key: u64) -> (usize, FilterBlock) {
        let hash = mix(key);
        let at = ((hash >> 32) * self.blocks.len() as u64) >> 32;
        (at as usize, SALTS.map(|salt| 1 << ((hash as u32).wrapping_mul(salt) >> 27)))
    }

    /// The length in bytes of a filter for this number of keys.
    pub(super) fn length(keys: u64) -> u64 {
        (keys as usize * BITS_PER_KEY).div_ceil(256).max(1) as u64 * 32
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.blocks.iter().flatten().flat_map(|word| word.to_le_bytes()).collect()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let (blocks, _) = bytes.as_chunks::<32>();
        let block = |bytes: &[u8; 32]| {
            let (words, _) = bytes.as_chunks::<4>();
            let mut block = FilterBlock::default();
            block.iter_mut().zip(words).for_each(|(to, from)| *to = word(from));
            block
        };
        Self { blocks: blocks.iter().map(block).collect() }
    }
}

// Not all bits of all keys are random.
fn mix(key: u64) -> u64 {
    let mut z = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_what_was_put_in_and_little_else() {
        for spread in [1, 1 << 40] {
            let mut bloom = Bloom::new(10_000);
            (0..10_000).for_each(|n| bloom.insert(n * spread));
            let bytes = bloom.to_bytes();
            assert_eq!(bytes.len() as u64, Bloom::length(10_000));
            let bloom = Bloom::from_bytes(&bytes);
            assert!((0..10_000).all(|n| bloom.may_have(n * spread)));
            let wrong = (10_000..110_000).filter(|n| bloom.may_have(n * spread)).count();
            assert!(wrong < 1000, "{wrong} of 100000");
        }
    }
}
