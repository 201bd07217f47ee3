//! Fixed random numbers: the same on every machine and in every version.

/// The finaliser of splitmix64: every bit of the number affects every bit of the result.
pub(super) fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The endless sequence of numbers for one purpose.
pub(crate) fn seeds(purpose: u64) -> impl Iterator<Item = u64> {
    let start = mix(purpose);
    (0u64..).map(move |at| mix(start.wrapping_add(at.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
}
