//! Any text is a symbol as people write it, and a filter of packs or refused as one.

#![no_main]

use cortex_fresh::pack::filter;
use cortex_look::symbol::path::SymbolPath;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let path = SymbolPath::parse(text);
    assert_eq!(path, SymbolPath::parse(text), "reading is deterministic");
    let _ = filter::parse(text);
});
