//! Pages: extraction in every mode, and the blocks it is made of.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| firsthand_fuzz::check("html", bytes));
