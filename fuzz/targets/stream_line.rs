//! Lines of a stream, as they arrive.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| firsthand_fuzz::check("stream_line", bytes));
