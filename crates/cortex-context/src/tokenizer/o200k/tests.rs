//! Differential: the counts of `tiktoken`.

use proptest::prelude::*;

use super::{O200kBase, pieces::Pieces};
use crate::{Tokenizer, json, tests::sample};

#[track_caller]
fn check_count(text: &str) {
    let expected = tiktoken::get_encoding("o200k_base")
        .expect("the vocabulary")
        .count(text);
    assert_eq!(O200kBase.count(text), expected, "{text:?}");
}

#[test]
fn code_and_prose_count_as_they_should() {
    check_count(include_str!("../o200k.rs"));
    check_count(include_str!("merge.rs"));
    check_count(&json(&sample::branch()));
    for text in [
        "",
        " ",
        "  ",
        "\n",
        " \n ",
        "a\n\n  b",
        "\r\n\t x",
        "It's HE'LL don'T x'\u{17f}",
        "HTTPServer2024x",
        "///\n/",
        ".\n/",
        "ÀÉîõ Ǆǅǆ",
        "e\u{301}\u{302}ABC",
        "\u{301}ABC",
        "漢字かな交じり文",
        "👩‍👩‍👧🏽",
        "\u{2003}\u{2003}a",
        "a\u{85}\u{2028}b",
        "１２３４٣٤",
        "<|endoftext|>",
    ] {
        check_count(text);
    }
}

#[test]
fn long_pieces_count_as_they_should() {
    for unit in [
        "a", "=", " ", "\n", "ab", "lorem", "漢", "\u{301}", "0", "_-", "\t",
    ] {
        for n in [95, 96, 97, 1_000] {
            check_count(&unit.repeat(n));
        }
    }
}

#[test]
fn a_long_piece_takes_no_quadratic_time() {
    let text = "abcdefgh".repeat(1 << 16);
    assert_eq!(O200kBase.count(&text), 1 << 16);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_counts_as_it_should(text in "\\PC{0,60}") {
        check_count(&text);
    }

    #[test]
    fn any_mixture_counts_as_it_should(text in "[a-zA-Z '\u{17f}\\r\\n\\t/.\u{301}\u{940}漢ªʰǅß0-9½\u{2003}_(){}]{0,120}") {
        check_count(&text);
    }

    #[test]
    fn pieces_are_the_text(text in any::<String>()) {
        prop_assert_eq!(Pieces::new(&text).collect::<String>(), text.as_str());
        check_count(&text);
    }
}
