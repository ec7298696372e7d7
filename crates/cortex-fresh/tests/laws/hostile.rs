//! What a repository commits for this program or the IDE, and what people write to name symbols and types, may be any
//! text: it means something or is refused, and costs what it weighs.

use cortex_fresh::{
    outline::text::Header,
    pack::{filter, manifest::Manifest},
    pins,
    semantics::SemanticHeader,
};
use cortex_look::symbol::path::SymbolPath;
use proptest::prelude::*;

use crate::cases;

/// Parts of all the forms, and what breaks them.
const PARTS: [&str; 56] = [
    "[areas.web]\n",
    "roots = [",
    "\"web/**\"",
    "]",
    "\n",
    "=",
    "language = \"c#\"\n",
    "[scopes]\n",
    "own = ",
    "\"dir(src) & !git:staged\"",
    "{",
    "}",
    ":",
    ",",
    "\"",
    "\"pins\"",
    "\"aliases\"",
    "\"was\"",
    "\"schema\"",
    "1",
    "-0",
    "1e999",
    "null",
    "<component name=\"DependencyValidationManager\">",
    "<scope name=\"S\" pattern=\"",
    "file:src//*",
    "&amp;&amp;",
    "!",
    "||",
    "\"/>",
    "</component>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&#0;",
    "namespace:",
    "type:",
    "depends:",
    "+",
    " AND ",
    " or ",
    "(",
    ")",
    "M:",
    "Shop.Order",
    "`2",
    "<T,",
    ">",
    "@",
    "global::",
    "..ctor",
    "T_7XPKJFH2",
    "src/A.cs:12:",
    "~",
    "\u{202e}",
    "\u{10ffff}é",
];

fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        8 => proptest::sample::select(&PARTS[..]).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => (proptest::sample::select(&PARTS[..]), 1..200_usize).prop_map(|(part, n)| part.repeat(n)),
    ];
    proptest::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn any_text_is_a_committed_file_or_is_refused(text in texts()) {
        let _ = cortex_scope::read_scope_file(&text);
        cortex_look::config_problems(&text);
        let _ = cortex_look::aliases::read(&text);
        let _ = pins::read(&text);
        let _ = Manifest::read(&text);
        let _ = Header::read(&text);
        let _ = SemanticHeader::read(&text);
    }

    #[test]
    fn any_text_is_a_symbol_and_a_filter_or_is_refused(text in texts()) {
        prop_assert_eq!(SymbolPath::parse(&text), SymbolPath::parse(&text));
        if let Err(error) = filter::parse(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
