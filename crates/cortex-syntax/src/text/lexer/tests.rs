//! Tokens as they are written, and what holds for any bytes.

use super::{Lexer, TokenKind};
use proptest::prelude::*;

#[track_caller]
fn check_tokens(text: &str, expected: &str) {
    let tokens: Vec<&str> = Lexer::new(text.as_bytes())
        .map(|token| &text[token.range().as_usize()])
        .collect();
    assert_eq!(tokens.join(" "), expected);
}

#[test]
fn comments_and_white_space_are_left_out() {
    check_tokens("a/*b\"*/c//d\u{2028}e\u{A0}\u{FEFF}f /*", "a c e f");
}

#[test]
fn strings_are_one_token() {
    check_tokens(
        r#"("a\"b" @"c\""d"u8, 'e', '\'', "" ""u8)"#,
        r#"( "a\"b" @"c\""d"u8 , 'e' , '\'' , "" ""u8 )"#,
    );
    check_tokens(
        "x = \"\"\"\n \"\" {a}\n \"\"\"; y",
        "x = \"\"\"\n \"\" {a}\n \"\"\" ; y",
    );
    check_tokens("\"open\nnext", "\"open next");
}

#[test]
fn holes_hold_code() {
    check_tokens(r#"$"a{b}c{{d{e}}}""#, r#"$" a { b } c{{d { e } }} ""#);
    check_tokens(r#"$"{f($"{g:x}")}""#, r#"$" { f ( $" { g :x } " ) } ""#);
    check_tokens(
        r#"$"{new A { B = 1 }, 5:N2}""#,
        r#"$" { new A { B = 1 } , 5 :N2 } ""#,
    );
    check_tokens(r#"$"{global::A}""#, r#"$" { global :: A } ""#);
    check_tokens(r#"@$"""{a}""" b"#, r#"@$" "" { a } "" " b"#);
    check_tokens(r#"$@"\{a}\" b"#, r#"$@" \ { a } \ " b"#);
    check_tokens(r#"$"" a"#, r#"$" " a"#);
}

#[test]
fn raw_holes_take_as_many_braces_as_dollars() {
    check_tokens(
        "$$\"\"\"{a}{{{b}}}\"c\"\"\"\" d",
        "$$\"\"\" {a}{ {{ b }} }\"c \"\"\"\" d",
    );
}

#[test]
fn operators_are_the_longest_but_for_greater() {
    check_tokens(
        "a??=b>>=c>>>d=>e..f?.g 1..2 .5 1.5e-3f 0xEe+1 a->b::c",
        "a ??= b > >= c > > > d => e .. f ? . g 1 .. 2 .5 1.5e-3f 0xEe + 1 a -> b :: c",
    );
}

#[test]
fn nesting_is_not_recursion() {
    let text = "$\"{".repeat(200_000);
    assert_eq!(Lexer::new(text.as_bytes()).count(), 400_000);
}

proptest! {
    #[test]
    fn any_bytes_yield_ascending_tokens(
        text in proptest::collection::vec(
            prop_oneof![
                prop::sample::select(b"$@\"'{}()[]#/*\\\n\r:=> a0.".to_vec()),
                any::<u8>(),
            ],
            0..80,
        )
    ) {
        let mut end = 0;
        for token in Lexer::new(&text) {
            prop_assert!(token.start >= end && token.end > token.start);
            prop_assert!(token.end as usize <= text.len());
            end = token.end;
        }
    }

    #[test]
    fn code_without_strings_loses_only_white_space(text in "[a-z0-9+<>=?. \n]{0,60}") {
        let kept: String = Lexer::new(text.as_bytes())
            .map(|token| &text[token.range().as_usize()])
            .collect();
        prop_assert_eq!(kept, text.replace([' ', '\n'], ""));
        prop_assert!(Lexer::new(text.as_bytes()).all(|token| matches!(
            token.kind,
            TokenKind::Word | TokenKind::Number | TokenKind::Operator
        )));
    }
}
