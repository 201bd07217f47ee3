//! Web archives whose records are compressed one by one.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| firsthand_fuzz::check("warc_gz", bytes));
