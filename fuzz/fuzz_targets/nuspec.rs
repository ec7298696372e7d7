//! Any text is the description of a package, or none.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| cortex_metadata::read_description(text));
