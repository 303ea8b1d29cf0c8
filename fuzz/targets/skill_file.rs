//! Feeds cargo fuzz's inputs to `skill_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proem_fuzz::skill_file(bytes));
