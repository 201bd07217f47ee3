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
    use std::arch::x86_64::__m256i;

    /// The classes of ASCII bytes.
    #[inline(always)]
    pub(in super::super) fn masks(simd: V3, block: &[u8; BLOCK]) -> Masks {
        let mut found = Masks::default();
        for (at, bytes) in block.as_chunks::<32>().0.iter().enumerate() {
            let bytes: __m256i = cast(*bytes);
            let each = |byte: u8| simd.avx._mm256_set1_epi8(byte as i8);
            let either = |a, b| simd.avx2._mm256_or_si256(a, b);
            let is = |byte: u8| simd.avx2._mm256_cmpeq_epi8(bytes, each(byte));
            // Which are one of `count` from `first` on. Moved to the lowest numbers with a sign, since
            // only those are compared.
            let within = |bytes, first: u8, count: u8| {
                let moved = simd.avx2._mm256_add_epi8(bytes, each(0x80u8.wrapping_sub(first)));
                simd.avx2._mm256_cmpgt_epi8(each(0x80 + count), moved)
            };
            let bits = |found| u64::from(simd.avx2._mm256_movemask_epi8(found) as u32) << (32 * at);
            let letter = within(either(bytes, each(0x20)), b'a', 26);
            found.word |= bits(either(letter, within(bytes, b'0', 10)));
            found.space |= bits(is(b' '));
            found.odd |= bits(either(within(bytes, b'\t', 5), is(b'_')));
        }
        found
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
