//! Tar archives and what is in them.

#![no_main]

libfuzzer_sys::fuzz_target!(
    init: firsthand_fuzz::spare_the_library(),
    |bytes: &[u8]| firsthand_fuzz::check("tar", bytes)
);
