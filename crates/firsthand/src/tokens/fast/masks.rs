//! What 64 bytes of ASCII are, a bit for each: the lowest for the first.
//!
//! Where the processor has the vectors, they give the bits at once; elsewhere they are gathered from
//! numbers, eight bytes at a time. Both are the same function, and a test compares them.

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 64;

/// The classes of a block of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Masks {
    /// Letters and digits.
    pub(super) word: u64,
    /// The space, and no other white space.
    pub(super) space: u64,
    /// Other white space, and `_`.
    pub(super) odd: u64,
}

#[cfg(target_arch = "x86_64")]
pub(super) mod vectors {
    use super::{BLOCK, Masks};
    use pulp::{bytemuck::cast, x86::V3};
    use std::{arch::x86_64::__m256i, hint::black_box};

    // All of these must become part of their caller, which may use the vectors.

    /// The classes of ASCII bytes.
    #[inline(always)]
    pub(in super::super) fn masks(simd: V3, block: &[u8; BLOCK]) -> Masks {
        let [first, second]: [[u8; 32]; 2] = cast(*block);
        let (first, second) = (half_masks(simd, cast(first)), half_masks(simd, cast(second)));
        Masks {
            word: first.word | second.word << 32,
            space: first.space | second.space << 32,
            odd: first.odd | second.odd << 32,
        }
    }

    #[inline(always)]
    fn half_masks(simd: V3, bytes: __m256i) -> Masks {
        let lower = simd.avx2._mm256_or_si256(bytes, each(simd, 0x20));
        let (letter, digit) = (within(simd, lower, b'a', 26), within(simd, bytes, b'0', 10));
        let space = within(simd, bytes, b'\t', 5);
        let line = simd.avx2._mm256_cmpeq_epi8(bytes, each(simd, b'_'));
        Masks {
            word: bits(simd, simd.avx2._mm256_or_si256(letter, digit)),
            space: bits(simd, simd.avx2._mm256_cmpeq_epi8(bytes, each(simd, b' '))),
            odd: bits(simd, simd.avx2._mm256_or_si256(space, line)),
        }
    }

    /// Which bytes are one of `count` from `first` on. Moved to the lowest numbers with a sign, since only
    /// those are compared.
    #[inline(always)]
    fn within(simd: V3, bytes: __m256i, first: u8, count: u8) -> __m256i {
        let moved = simd.avx2._mm256_add_epi8(bytes, each(simd, 0x80u8.wrapping_sub(first)));
        simd.avx2._mm256_cmpgt_epi8(each(simd, 0x80 + count), moved)
    }

    #[inline(always)]
    fn each(simd: V3, byte: u8) -> __m256i {
        simd.avx._mm256_set1_epi8(byte as i8)
    }

    /// A bit for each byte. The compiler must not look into it: it would put the two halves together as
    /// vectors, bit by bit, which takes four times as long as all the rest.
    #[inline(always)]
    fn bits(simd: V3, found: __m256i) -> u64 {
        u64::from(black_box(simd.avx2._mm256_movemask_epi8(found) as u32))
    }
}

pub(super) mod portable {
    use super::{BLOCK, Masks};

    /// The classes of ASCII bytes.
    #[inline(always)]
    pub(in super::super) fn masks(block: &[u8; BLOCK]) -> Masks {
        Masks {
            word: bits(block, |byte| {
                ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10)
            }),
            space: bits(block, |byte| byte == b' '),
            odd: bits(block, |byte| (byte.wrapping_sub(b'\t') < 5) | (byte == b'_')),
        }
    }

    /// A bit for each byte. The product puts that of the eighth byte next to that of the seventh, and
    /// so on, in its first byte.
    #[inline(always)]
    fn bits(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
        let mut bits = 0;
        for (at, eight) in block.as_chunks::<8>().0.iter().enumerate() {
            let ones = u64::from_le_bytes(eight.map(|byte| u8::from(is(byte))));
            bits |= (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_class() {
        for byte in 0..128u8 {
            for at in 0..BLOCK {
                let mut block = [b'-'; BLOCK];
                block[at] = byte;
                let bit = |is: bool| u64::from(is) << at;
                let expected = Masks {
                    word: bit(byte.is_ascii_alphanumeric()),
                    space: bit(byte == b' '),
                    odd: bit(matches!(byte, b'\t'..=b'\r' | b'_')),
                };
                assert_eq!(portable::masks(&block), expected, "{byte} at {at}");
                #[cfg(target_arch = "x86_64")]
                if let Some(simd) = pulp::x86::V3::try_new() {
                    assert_eq!(vectors::masks(simd, &block), expected, "{byte} at {at}");
                }
            }
        }
    }
}
