//! Any bytes read as a facts value give facts or an error, within memory that the value's size bounds.

#![no_main]

use cortex_syntax::{Sections, decode_facts};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let whole = decode_facts(bytes, Sections::All);
    let declarations = decode_facts(bytes, Sections::Declarations);
    assert!(
        whole.is_err() || declarations.is_ok(),
        "the whole includes its declarations"
    );
});
