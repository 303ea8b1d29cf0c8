//! Feeds cargo fuzz's inputs to `template`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proem_fuzz::template(bytes));
