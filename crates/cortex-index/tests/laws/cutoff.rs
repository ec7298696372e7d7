//! How much a change makes the index do again.

use cortex_fixture::Fixture;

use crate::harness::{History, Tree};

/// How many files are bound again on the way from the first fixture to the second.
#[track_caller]
fn rebound(before: &str, after: &str) -> usize {
    let trees =
        [before, after].map(|text| Fixture::parse(text).tree().into_iter().collect::<Tree>());
    let history = History::new(&trees);
    let index = history.index("store");
    history.snapshot(&index, 0);
    history.snapshot(&index, 1).1.rebound
}

const USERS: &str = "
//- /B.cs
class B : A { int M() { return x + N(); } A a; }
//- /C.cs
class C { A a = new A(); int M() => Missing.x; }
//- /D.cs
class D { }
";

#[test]
fn a_body_edit_binds_one_file_again() {
    let of = |body: &str| {
        format!("//- /A.cs\nclass A {{ public int x; public int N() {{ return {body}; }} }}{USERS}")
    };
    assert_eq!(rebound(&of("1"), &of("new D() == null ? 1 : 2")), 1);
}

#[test]
fn a_new_member_that_names_no_type_binds_one_file_again() {
    let of = |member: &str| {
        format!("//- /A.cs\nclass A {{ public int x; {member} public int N() => 1; }}{USERS}")
    };
    assert_eq!(rebound(&of(""), &of("public int y;")), 1);
}

#[test]
fn a_comment_binds_one_file_again() {
    let of = |comment: &str| {
        format!("//- /A.cs\n{comment}class A {{ public int x; public int N() => 1; }}{USERS}")
    };
    assert_eq!(rebound(&of(""), &of("// one\n// two\n")), 1);
}

#[test]
fn a_new_type_binds_the_files_that_mention_its_name() {
    let of = |new: &str| {
        format!("//- /A.cs\nclass A {{ public int x; public int N() => 1; }}{USERS}{new}")
    };
    assert_eq!(
        rebound(
            &of(""),
            &of("//- /E.cs\nclass Missing { public static int x; }\n")
        ),
        2,
        "E.cs, C.cs and no other"
    );
}

#[test]
fn a_new_type_that_nobody_mentions_binds_its_file_alone() {
    let of = |new: &str| {
        format!("//- /A.cs\nclass A {{ public int x; public int N() => 1; }}{USERS}{new}")
    };
    assert_eq!(rebound(&of(""), &of("//- /E.cs\nclass New { }\n")), 1);
}

#[test]
fn a_new_interface_method_binds_one_file_again() {
    let of = |method: &str| {
        format!(
            "//- /A.cs\ninterface A {{ void N(); {method} }}\n//- /B.cs\nclass B : A {{ public void N() {{ }} public void O() {{ }} }}\n"
        )
    };
    assert_eq!(rebound(&of(""), &of("void O();")), 1);
}

const CALLERS: &str = "
//- /B.cs
class B { void M(A a) { a.N(); } }
//- /C.cs
class C { void M(Other o) { o.N(); } }
//- /D.cs
class D { void M(A a) { a.P(); } }
//- /E.cs
class Other { public void N() { } }
";

#[test]
fn a_method_body_binds_its_file_again() {
    let of = |body: &str| {
        format!("//- /A.cs\nclass A {{ public int N() => {body}; public void P() {{ }} }}{CALLERS}")
    };
    assert_eq!(rebound(&of("1"), &of("2")), 1);
}

#[test]
fn a_new_private_method_binds_its_file_again() {
    let of = |method: &str| {
        format!(
            "//- /A.cs\nclass A {{ public int N() => 1; public void P() {{ }} {method} }}{CALLERS}"
        )
    };
    assert_eq!(rebound(&of(""), &of("private void Fresh() { }")), 1);
}

#[test]
fn another_return_type_binds_the_files_again_that_have_to_do_with_the_type_and_say_the_name() {
    let of = |ty: &str| {
        format!("//- /A.cs\nclass A {{ public {ty} N() => 1; public void P() {{ }} }}{CALLERS}")
    };
    assert_eq!(rebound(&of("int"), &of("long")), 2, "A.cs and B.cs");
}

#[test]
fn a_new_extension_method_binds_the_files_again_that_say_its_name() {
    let of = |method: &str| {
        format!(
            "//- /A.cs\nclass A {{ public void P() {{ }} }}\nstatic class X {{ {method} }}{CALLERS}"
        )
    };
    assert_eq!(
        rebound(&of(""), &of("public static void N(this A a) { }")),
        3,
        "A.cs, and B.cs and C.cs, which call something of the name"
    );
}
