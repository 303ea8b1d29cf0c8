//! Feeds cargo fuzz's inputs to `preface`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| proem_fuzz::preface(bytes));
