//! Any text is an expression that is printed as the same program, or has an error at one of its places.

#![no_main]

use cortex_scope::{ScopeRequest, describe, infix};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let request = match infix::compile(text) {
        Err(error) => {
            let places = 1..=text.chars().count() + 1;
            assert!(places.contains(&error.position), "{error}");
            return;
        }
        Ok(request) => request,
    };
    let json = serde_json::to_string(&request).expect("programs are plain data");
    let read: ScopeRequest = serde_json::from_str(&json).expect("what was written can be read");
    assert_eq!(read, request, "writing loses nothing");
    match infix::print(&request) {
        // Ranges are not to be negated.
        Err(diagnostics) => assert!(!diagnostics.is_empty(), "a refusal has a reason"),
        Ok(printed) => {
            let again = infix::compile(&printed).expect("what was printed can be read");
            assert_eq!(again, request, "{printed} is the same program");
            let again = infix::print(&again).expect("the same program can be printed");
            assert_eq!(again, printed, "printing is stable");
            let descriptor = describe(&request).expect("what can be printed can be described");
            assert_eq!(descriptor.display_name, printed, "there is one text of it");
        }
    }
});
