//! The laws of hashes: which edit changes which hash.

use std::collections::BTreeMap;

use cortex_bind::TypeHashes;
use cortex_fixture::Fixture;
use cortex_model::Hash;
use proptest::{collection::vec, prelude::*, sample::select, test_runner::Config};

use crate::check::Bound;

/// By type: the hash of its structure, and the others.
fn hashes(text: &str) -> BTreeMap<String, (Hash, TypeHashes)> {
    let fixture = Fixture::parse(text);
    let nodes = Bound::new(&fixture).nodes();
    nodes
        .into_iter()
        .map(|(name, node)| (name, (node.structure(), node.hashes)))
        .collect()
}

/// Which hashes of the type `C` differ, in the order structure, public, internal, docs, text.
#[track_caller]
fn changed(before: &str, after: &str) -> Vec<&'static str> {
    let ((structure, before), (new_structure, after)) = (hashes(before)["C"], hashes(after)["C"]);
    let mut out = Vec::new();
    let mut compare = |name, is_equal: bool| {
        if !is_equal {
            out.push(name)
        }
    };
    compare("structure", structure == new_structure);
    compare("public", before.public_impl == after.public_impl);
    compare("internal", before.internal_impl == after.internal_impl);
    compare("docs", before.docs == after.docs);
    out
}

#[test]
fn a_private_body_changes_the_internal_hash_alone() {
    let of = |body: &str| {
        format!("public class C {{ int M() {{ return {body}; }} public int N() {{ return 1; }} }}")
    };
    assert_eq!(changed(&of("1"), &of("2")), ["internal"]);
    let of = |body: &str| {
        format!("public class C {{ int P => {body}; internal int f = 1; public int N() => 1; }}")
    };
    assert_eq!(changed(&of("1"), &of("f")), ["internal"]);
}

#[test]
fn a_public_body_changes_the_public_hash_alone() {
    for member in [
        "public int M() { return BODY; }",
        "public int M() => BODY;",
        "public int P { get { return BODY; } set { } }",
        "public int f = BODY;",
        "public const int K = BODY;",
        "protected int this[int i] => BODY;",
        "public C() { System.Console.Write(BODY); }",
        "public static C operator +(C a, C b) { System.Console.Write(BODY); return a; }",
        "protected internal event System.Action E { add { System.Console.Write(BODY); } remove { } }",
        "~C() { System.Console.Write(BODY); }",
    ] {
        let of = |body: &str| {
            format!(
                "public class C {{ {} int x; }}",
                member.replace("BODY", body)
            )
        };
        assert_eq!(changed(&of("1"), &of("2")), ["public"], "{member}");
    }
}

#[test]
fn the_name_of_a_parameter_is_no_structure() {
    let of = |name: &str| {
        format!("public class C {{ public void M(int {name}) {{ }} void N(int a) {{ }} }}")
    };
    assert_eq!(changed(&of("a"), &of("b")), ["public"]);
    let of = |name: &str| {
        format!("public class C {{ public void M(int a) {{ }} void N(int {name}) {{ }} }}")
    };
    assert_eq!(changed(&of("a"), &of("b")), ["internal"]);
}

#[test]
fn a_default_value_is_no_structure() {
    let of = |value: &str| format!("public class C {{ public void M(int a = {value}) {{ }} }}");
    assert_eq!(changed(&of("1"), &of("2")), ["public"]);
}

#[test]
fn what_others_see_is_structure() {
    let with = |member: &str| {
        format!(
            "public class C {{ {member} }}\npublic class D {{ }}\npublic class A : System.Attribute {{ }}"
        )
    };
    for (before, after) in [
        ("public int M() => 1;", "public long M() => 1;"),
        ("public int M() => 1;", "protected int M() => 1;"),
        ("public int M() => 1;", "public static int M() => 1;"),
        ("public int M(int a) => 1;", "public int M(ref int a) => 1;"),
        ("public int M() => 1;", "public int M<T>() => 1;"),
        (
            "public int M<T>() => 1;",
            "public int M<T>() where T : class => 1;",
        ),
        ("public int M() => 1;", "[A] public int M() => 1;"),
        (
            "public int P { get; set; }",
            "public int P { get; private set; }",
        ),
        ("public int P { get; set; }", "public int P { get; init; }"),
        ("public string M() => null;", "public string? M() => null;"),
        (
            "public static C operator -(C a) => a;",
            "public static C operator checked -(C a) => a;",
        ),
    ] {
        let found = changed(&with(before), &with(after));
        assert!(
            found.contains(&"structure"),
            "{before} -> {after}: {found:?}"
        );
    }
    for (before, after) in [
        ("public class C { }", "public class C<T> { }"),
        ("public class C { }", "public struct C { }"),
    ] {
        assert_ne!(hashes(before), hashes(after), "{before} -> {after}");
    }
    for (before, after) in [
        ("public class C { }", "internal class C { }"),
        ("public class C { }", "public sealed class C { }"),
        ("public class C { }", "public class C : D { }"),
        ("public class C : D { }", "public class C : D, I { }"),
        ("public class C { }", "[A] public class C { }"),
        ("[A] public class C { }", "[A(1)] public class C { }"),
    ] {
        let rest =
            "\npublic class D { }\npublic interface I { }\npublic class A : System.Attribute { }";
        let found = changed(&format!("{before}{rest}"), &format!("{after}{rest}"));
        assert!(
            found.contains(&"structure"),
            "{before} -> {after}: {found:?}"
        );
    }
}

#[test]
fn a_private_signature_is_internal() {
    assert_eq!(
        changed(
            "public class C { int M() => 1; }",
            "public class C { long M() => 1; }"
        ),
        ["internal"]
    );
    assert_eq!(
        changed("public class C { }", "public class C { int f; }"),
        ["internal"]
    );
    assert_eq!(
        changed(
            "public class C { }",
            "public class C { internal void M() { } }"
        ),
        ["internal"]
    );
}

#[test]
fn another_target_of_a_using_is_structure_and_a_shorter_qualifier_is_not() {
    let rest =
        "\n//- /B.cs\nnamespace N { public class T { } }\nnamespace M { public class T { } }\n";
    let of = |head: &str, ty: &str| {
        format!("//- /A.cs\n{head}public class C {{ public {ty} F; }}{rest}")
    };
    assert_eq!(
        changed(&of("using N;\n", "T"), &of("using M;\n", "T")),
        ["structure"]
    );
    assert!(changed(&of("using N;\n", "T"), &of("", "N.T")).is_empty());
    assert!(changed(&of("using N;\n", "T"), &of("using X = N.T;\n", "X")).is_empty());
    assert!(changed(&of("using N;\n", "T"), &of("", "global::N.T")).is_empty());
}

#[test]
fn order_counts_where_the_language_gives_it_meaning() {
    assert_ne!(
        changed("public enum C { A, B }", "public enum C { B, A }"),
        [""; 0]
    );
    let layout =
        "[System.Runtime.InteropServices.StructLayout(LayoutKind.Sequential)] public struct C";
    assert_ne!(
        changed(
            &format!("{layout} {{ int a; byte b; }}"),
            &format!("{layout} {{ byte b; int a; }}")
        ),
        [""; 0]
    );
    assert_ne!(
        changed(
            "public record C(int A, int B);",
            "public record C(int B, int A);"
        ),
        [""; 0]
    );
}

#[test]
fn documentation_changes_its_own_hash_alone() {
    let of = |text: &str| {
        format!("/// <summary>{text}</summary>\npublic class C {{ /** {text} */ public int x; }}")
    };
    assert_eq!(changed(&of("one"), &of("two")), ["docs"]);
    assert!(
        changed(
            &of("one two"),
            &of("one\n/// two").replace("/** one\n/// two", "/** one  two")
        )
        .is_empty()
    );
}

/// Members of a class, as tokens.
const MEMBERS: &[&[&str]] = &[
    &[
        "public", "int", "A", "(", "int", "x", ")", "{", "return", "x", "+", "1", ";", "}",
    ],
    &["private", "string", "B", "(", ")", "=>", "\"b c\"", ";"],
    &[
        "public", "T", "D", "{", "get", ";", "private", "set", ";", "}", "=", "new", "T", "(", ")",
        ";",
    ],
    &["internal", "T", "e", "=", "null", ";"],
    &[
        "protected",
        "virtual",
        "void",
        "F",
        "<",
        "U",
        ">",
        "(",
        "T",
        "t",
        "=",
        "null",
        ")",
        "where",
        "U",
        ":",
        "T",
        "{",
        "}",
    ],
    &[
        "[",
        "System.Obsolete",
        "(",
        "\"why\"",
        ")",
        "]",
        "public",
        "const",
        "int",
        "G",
        "=",
        "3",
        ";",
    ],
    &["public", "event", "System.Action", "H", ";"],
    &[
        "public", "C", "(", "int", "a", ")", ":", "base", "(", ")", "{", "}",
    ],
    &[
        "public", "static", "implicit", "operator", "int", "(", "C", "c", ")", "=>", "1", ";",
    ],
    &["public", "class", "Inner", "{", "T", "t", ";", "}"],
    &[
        "int", "this", "[", "int", "i", "]", "{", "get", "{", "return", "i", ";", "}", "}",
    ],
    &["~", "C", "(", ")", "{", "}"],
];

/// What may stand between two tokens.
const GAPS: &[&str] = &[
    " ",
    "  ",
    "\n",
    "\t",
    "\r\n",
    " /* a comment */ ",
    " // another\n",
    "\n\n    ",
];

fn write(members: &[&[&str]], gaps: &[&str]) -> String {
    let mut gaps = gaps.iter().cycle();
    let mut out = String::new();
    for token in members.iter().copied().flatten() {
        out.push_str(token);
        out.push_str(gaps.next().copied().unwrap_or(" "));
    }
    out
}

/// As many cases as `PROPTEST_CASES` says, else so many.
fn cases(default: u32) -> Config {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        config
    } else {
        Config {
            cases: default,
            ..config
        }
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn white_space_comments_order_and_parts_change_nothing(
        chosen in prop::sample::subsequence(MEMBERS, 1..MEMBERS.len()).prop_shuffle(),
        order in any::<prop::sample::Index>(),
        gaps in vec(select(GAPS), 1..40),
        split in any::<prop::sample::Index>(),
    ) {
        let rest = "\n//- /T.cs\npublic class T { }\n";
        let plain = format!("//- /A.cs\npublic partial class C {{ {} }}{rest}", write(&chosen, &[" "]));
        let mut moved = chosen.clone();
        moved.rotate_left(order.index(chosen.len()));
        let split = split.index(chosen.len());
        let (first, second) = (write(&moved[..split], &gaps), write(&moved[split..], &gaps));
        let parts = format!("//- /A.cs\npublic partial class C {{ {first} }}\n//- /0.cs\npartial class C {{\n{second}}}{rest}");
        let (plain, parts) = (hashes(&plain), hashes(&parts));
        prop_assert_eq!(plain.len(), parts.len());
        for (name, (structure, before)) in plain {
            let (new_structure, after) = parts[&name];
            prop_assert_eq!(structure, new_structure, "structure of {}", name);
            prop_assert_eq!(before.public_impl, after.public_impl, "public implementation of {}", name);
            prop_assert_eq!(before.internal_impl, after.internal_impl, "internal implementation of {}", name);
            prop_assert_eq!(before.docs, after.docs, "documentation of {}", name);
        }
    }

    #[test]
    fn binding_is_a_function_of_its_input(chosen in prop::sample::subsequence(MEMBERS, 0..MEMBERS.len())) {
        let text = format!("public class C {{ {} }} class T {{ }}", write(&chosen, &[" "]));
        let fixture = Fixture::parse(&text);
        prop_assert_eq!(Bound::new(&fixture).nodes(), Bound::new(&fixture).nodes());
    }
}

#[test]
fn enum_members_with_values_have_no_order() {
    let none: [&str; 0] = [];
    assert_eq!(
        changed(
            "public enum C { A = 1, B = 2, D, E = 7 }",
            "public enum C { E = 7, B = 2, D, A = 1 }"
        ),
        none
    );
    assert_eq!(
        changed(
            "public enum C { A = 1, B = 2, D }",
            "public enum C { B = 2, A = 1, D }"
        ),
        ["public"]
    );
}

#[test]
fn initializers_that_may_have_effects_are_ordered() {
    let of = |first: &str, second: &str| {
        format!("class Made {{ }} public class C {{ {first} {second} static int Next() => 1; }}")
    };
    let swapped = |a: &str, b: &str| changed(&of(a, b), &of(b, a));
    let none: [&str; 0] = [];
    assert_eq!(swapped("int a = Next();", "int b = Next();"), ["internal"]);
    assert_eq!(
        swapped(
            "static int a = Next();",
            "static Made B { get; } = new Made();"
        ),
        ["internal"]
    );
    for (a, b) in [
        ("int a = 1;", "int b = 2;"),
        ("int a = Next();", "int b = 2;"),
        ("int a = Next();", "static int b = Next();"),
        ("int a = Next();", "int B => Next();"),
    ] {
        assert_eq!(swapped(a, b), none, "{a} {b}");
    }
}
