//! Partial members whose parts name a parameter differently: callers use the name of the part without a body, the body
//! its own.

use crate::renames::{becomes, changes_meaning};

const METHOD: &str = "partial class A {\n\
    partial void M(int first);\n\
    partial void M(int own) { N(own); }\n\
    void N(int first) { M(first: first); }\n}";

#[test]
fn the_name_of_the_part_without_a_body_is_that_of_arguments() {
    let expected = METHOD
        .replace("M(int first)", "M(int asked)")
        .replace("M(first:", "M(asked:");
    becomes(METHOD, "A.cs:2:20", "asked", &expected);
    becomes(METHOD, "A.cs:4:23", "asked", &expected);
}

#[test]
fn the_name_of_the_part_with_a_body_is_that_of_the_body() {
    let expected = METHOD.replace("own", "given");
    becomes(METHOD, "A.cs:3:20", "given", &expected);
    becomes(METHOD, "A.cs:3:29", "given", &expected);
}

#[test]
fn the_part_with_a_body_may_come_first() {
    let text = "partial class A {\n\
        public partial int M(int own) => own;\n\
        public partial int M(int first);\n\
        int N() => M(first: 1);\n}";
    becomes(text, "A.cs:2:26", "given", &text.replace("own", "given"));
    becomes(text, "A.cs:3:26", "asked", &text.replace("first", "asked"));
}

#[test]
fn parts_of_constructors_and_indexers_have_names_of_their_own() {
    let text = "partial class A {\n\
        public partial A(int first);\n\
        public partial A(int own) { size = own; }\n\
        public partial int this[int at] { get; }\n\
        public partial int this[int index] { get => index; }\n\
        int size;\n\
        int N(A a) => new A(first: 1)[at: 2];\n}";
    for (place, old, new) in [
        ("A.cs:2:22", "first", "asked"),
        ("A.cs:3:22", "own", "given"),
        ("A.cs:4:29", "int at]", "int place]"),
        ("A.cs:5:29", "index", "given"),
    ] {
        let expected = match old {
            "int at]" => text.replace(old, new).replace("[at:", "[place:"),
            _ => text.replace(old, new),
        };
        let to = new.trim_start_matches("int ").trim_end_matches(']');
        becomes(text, place, to, &expected);
    }
}

#[test]
fn a_name_of_the_body_that_hides_a_field_is_another_meaning() {
    let text = "partial class A {\n\
        int size;\n\
        partial void M(int first);\n\
        partial void M(int own) { size = own; }\n}";
    changes_meaning(text, "A.cs:4:20", "size");
    becomes(
        text,
        "A.cs:3:20",
        "size",
        &text.replace("M(int first)", "M(int size)"),
    );
}
