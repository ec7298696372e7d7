//! Any bytes are a `project.assets.json`, or none.

#![no_main]

use cortex_metadata::Restore;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    Restore::parse(bytes);
});
