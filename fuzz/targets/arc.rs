//! Web archives in the format before WARC, plain and compressed record by record.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| firsthand_fuzz::check("arc", bytes));
