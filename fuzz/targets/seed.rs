//! Feeds cargo fuzz's inputs to `seed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proem_fuzz::seed(bytes));
