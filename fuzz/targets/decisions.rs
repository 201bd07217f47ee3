//! Files of decisions.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| firsthand_fuzz::check("decisions", bytes));
