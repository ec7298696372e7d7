//! The laws of blanking, and directives as they are written.

use super::{PreprocessProblemKind, Preprocessed, preprocess};
use cortex_model::LineTable;
use proptest::prelude::*;

fn run(text: &str) -> Preprocessed {
    preprocess(text.as_bytes(), &|name| matches!(name, "A" | "B"))
}

/// What is left of `text`, without white space.
#[track_caller]
fn check_active(text: &str, expected: &str) -> Preprocessed {
    let output = run(text);
    let kept = String::from_utf8(output.text.clone()).expect("blanks do not split a character");
    assert_eq!(
        kept.split_whitespace().collect::<Vec<_>>().join(" "),
        expected
    );
    output
}

#[track_caller]
fn check_problems(text: &str, expected: &[PreprocessProblemKind]) {
    let kinds: Vec<_> = run(text)
        .problems
        .iter()
        .map(|problem| problem.kind)
        .collect();
    assert_eq!(kinds, expected);
}

#[track_caller]
fn check_inactive(text: &str, expected: &[(&str, &str)]) {
    let output = run(text);
    let regions: Vec<(&str, &str)> = output
        .inactive
        .iter()
        .map(|region| (&text[region.range.as_usize()], region.condition.as_str()))
        .collect();
    assert_eq!(regions, expected);
}

#[test]
fn one_branch_stays() {
    check_active("#if A\na\n#elif B\nb\n#else\nc\n#endif\nd", "a d");
    check_active("#if X\na\n#elif B\nb\n#elif A\nc\n#else\nd\n#endif", "b");
    check_active("#if X\na\n#elif Y\nb\n#else\nc\n#endif", "c");
    check_active("  # if !X // why\na\n\t#\tendif", "a");
    check_active("#if(A)\na\n#else\nb\n#endif", "a");
}

#[test]
fn branches_nest() {
    check_active(
        "#if A\n#if X\na\n#else\nb\n#endif\nc\n#else\nd\n#endif",
        "b c",
    );
    check_active(
        "#if X\n#if A\na\n#else\nb\n#endif\nc\n#else\nd\n#endif",
        "d",
    );
}

#[test]
fn line_breaks_of_every_kind_end_a_directive() {
    check_active("#if X\r\na\r#else\u{2028}b\u{85}#endif\u{2029}c", "b c");
}

#[test]
fn definitions_at_the_top_win() {
    check_active(
        "// x\n#define X\n#undef A\n#if X && !A\na\n#endif",
        "// x a",
    );
    check_active("#if A\n#define X\n#endif\n#if X\na\n#endif", "a");
    check_active("a\n#define X\n#if X\nb\n#endif", "a");
}

#[test]
fn a_hash_inside_text_is_no_directive() {
    for text in [
        "x = @\"\n#if X\n\";",
        "x = $@\"\n#if X\n\";",
        "x = \"\"\"\n#if X\n\"\"\";",
        "x = $\"\"\"\n#if X {y}\n#endif\n\"\"\";",
        "x = $\"{\n#if X\ny}\";",
        "/*\n#if X\n*/ a",
        "/* */ #if X",
        "a #if X",
    ] {
        let output = run(text);
        assert_eq!(output.text, text.as_bytes(), "{text}");
        assert!(output.symbols_tested.is_empty());
    }
}

#[test]
fn inactive_text_is_lines_and_not_tokens() {
    check_active("#if X\n/* ' \" @\" \n#else\na\n#endif", "a");
    check_active("#region don't \"\na\n#endregion /*\nb", "a b");
    check_active("#error it's\na", "a");
}

#[test]
fn all_directives_are_blank() {
    check_active(
        "\u{FEFF}#!/usr/bin/env dotnet\n#:package P@1\n#r \"a\"\n#load \"b\"\n#nullable enable\n\
         #pragma warning disable 1\na\n#line 1\n#region b\n#endregion",
        "a",
    );
    check_active("a\n#pragma warning restore 1", "a");
}

#[test]
fn inactive_regions_say_what_would_have_to_hold() {
    check_inactive("#if X // c\na\n#endif", &[("a\n", "X")]);
    check_inactive(
        "#if A\n#elif X\na\n#elif Y\nb\n#else\nc\n#endif",
        &[
            ("a\n", "!(A) && X"),
            ("b\n", "!(A) && !(X) && Y"),
            ("c\n", "!(A) && !(X) && !(Y)"),
        ],
    );
    check_inactive(
        "#if X\n#if Y\na\n#endif\nb\n#endif\n  #if A\n#else\nc\n  #endif",
        &[("#if Y\na\n#endif\nb\n", "X"), ("c\n", "!(A)")],
    );
}

#[test]
fn every_symbol_is_listed_once_and_sorted() {
    let output = run("#if Z && A\n#elif B\n#if Y\n#elif A\n#endif\n#endif");
    assert_eq!(output.symbols_tested, ["A", "B", "Y", "Z"]);
}

#[test]
fn unbalanced_directives_are_problems() {
    use PreprocessProblemKind::{AfterElse, IllFormedCondition, LateDefinition, Stray, Unclosed};
    check_problems("#if A\na", &[Unclosed]);
    check_problems("#if X\na", &[Unclosed]);
    check_problems("#endif\n#else\n#elif A", &[Stray, Stray, Stray]);
    check_problems(
        "#if A\n#else\n#else\n#elif B\n#endif",
        &[AfterElse, AfterElse],
    );
    check_problems(
        "#if\n#elif A B\n#endif",
        &[IllFormedCondition, IllFormedCondition],
    );
    check_problems("a\n#undef B", &[LateDefinition]);
}

#[test]
fn long_chains_cost_linear_time() {
    let chain = format!("#if X\n{}#endif\n", "#elif LONG_NAME\n1\n".repeat(50_000));
    let output = run(&chain);
    assert_eq!(output.inactive.len(), 50_000);
    assert!(
        output
            .inactive
            .iter()
            .all(|region| region.condition.len() < 300)
    );
    run(&"#if X\n".repeat(200_000));
    run(&"#if A\n".repeat(200_000));
    run(&"# ".repeat(200_000));
}

fn fragments() -> impl Strategy<Value = String> {
    let fragment = prop::sample::select(vec![
        "#if A",
        "#if X",
        "#elif B",
        "#elif X &&",
        "#else",
        "#endif",
        "#define X",
        "#undef A",
        "#region é",
        "#",
        "a",
        "\"",
        "'",
        "@\"",
        "$\"",
        "{",
        "}",
        "/*",
        "*/",
        "//",
        "\"\"\"",
        "\n",
        "\r\n",
        "\r",
        "\u{85}",
        "\u{2028}",
        " ",
        "\t",
        "𝄞",
        "\u{FEFF}",
    ]);
    proptest::collection::vec(fragment, 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn blanking_keeps_the_length_and_every_line(text in fragments()) {
        let output = run(&text);
        prop_assert_eq!(output.text.len(), text.len());
        let blanked = LineTable::new(&output.text);
        let original = LineTable::new(text.as_bytes());
        prop_assert_eq!(blanked.n_lines(), original.n_lines());
        for line in 1..=original.n_lines() {
            prop_assert_eq!(blanked.line_start(line), original.line_start(line));
        }
        prop_assert!(std::str::from_utf8(&output.text).is_ok());
    }

    #[test]
    fn blanking_only_writes_spaces(text in fragments()) {
        let output = run(&text);
        for (after, before) in output.text.iter().zip(text.as_bytes()) {
            prop_assert!(after == before || *after == b' ');
        }
    }

    #[test]
    fn a_second_pass_finds_nothing(text in fragments()) {
        let once = run(&text);
        let twice = preprocess(&once.text, &|_| false);
        prop_assert!(twice.inactive.is_empty() && twice.symbols_tested.is_empty());
        prop_assert_eq!(once.text, twice.text);
    }

    #[test]
    fn inactive_regions_are_blank_and_ascending(text in fragments()) {
        let output = run(&text);
        let mut end = 0;
        for region in &output.inactive {
            prop_assert!(region.range.start >= end && region.range.start < region.range.end);
            end = region.range.end;
            let kept = &output.text[region.range.as_usize()];
            let kept = std::str::from_utf8(kept).expect("whole characters");
            prop_assert!(kept.chars().all(char::is_whitespace));
        }
    }

    #[test]
    fn any_bytes_are_taken(text in proptest::collection::vec(any::<u8>(), 0..100)) {
        prop_assert_eq!(preprocess(&text, &|_| true).text.len(), text.len());
    }
}
