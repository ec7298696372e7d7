//! Any text is a file that a repository commits for this program or the IDE, or is refused.

#![no_main]

use cortex_fresh::{outline::text::Header, pack, pins, semantics::SemanticHeader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (part, text) = input;
    match part % 7 {
        0 => drop(cortex_scope::read_scope_file(text)),
        1 => {
            cortex_area::read_config(text);
            cortex_look::config_problems(text);
        }
        2 => drop(cortex_look::aliases::read(text)),
        3 => drop(pins::read(text)),
        4 => drop(pack::manifest::Manifest::read(text)),
        5 => drop(Header::read(text)),
        _ => drop(SemanticHeader::read(text)),
    }
});
