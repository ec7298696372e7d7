//! Any bytes give facts, always the same, and their encoding can be read back.

#![no_main]

use cortex_syntax::{ParseOptions, Sections, decode_facts, encode_facts, extract};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let options = ParseOptions::default();
    let encoded = encode_facts(&extract(bytes, &options));
    assert_eq!(
        encoded,
        encode_facts(&extract(bytes, &options)),
        "facts are deterministic"
    );
    let decoded = decode_facts(&encoded, Sections::All).expect("what was encoded can be decoded");
    assert_eq!(encoded, encode_facts(&decoded), "decoding loses nothing");
});
