//! Files whose name tells nothing: the kind and the compression are told by the content.

#![no_main]

libfuzzer_sys::fuzz_target!(
    init: firsthand_fuzz::spare_the_library(),
    |bytes: &[u8]| firsthand_fuzz::check("any", bytes)
);
