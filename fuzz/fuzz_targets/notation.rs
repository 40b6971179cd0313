#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tablegen_fuzz::notation::run(data));
