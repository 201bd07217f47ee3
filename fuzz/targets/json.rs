//! Records in an array.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| firsthand_fuzz::check("json", bytes));
