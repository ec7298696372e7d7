//! How texts are told apart.

use crate::symbol::path::{NamePath, Owner, Segment, SymbolPath};

use cortex_model::RepoPath;

fn segment(name: &str, arity: Option<u32>) -> Segment {
    Segment {
        name: name.to_owned(),
        arity,
    }
}

#[track_caller]
fn check_name(text: &str, segments: &[(&str, Option<u32>)], params: Option<&[&str]>) {
    let (SymbolPath::Name(name) | SymbolPath::DocId { name, .. }) = SymbolPath::parse(text) else {
        panic!("{text} is a name");
    };
    let expected = NamePath {
        segments: segments
            .iter()
            .map(|(name, arity)| segment(name, *arity))
            .collect(),
        params: params.map(|all| all.iter().map(|it| (*it).to_owned()).collect()),
        assembly: None,
    };
    assert_eq!(name, expected, "{text}");
}

#[test]
fn a_name_is_split_where_its_parts_meet() {
    check_name("A.B+C", &[("A", None), ("B", None), ("C", None)], None);
    check_name("global::List<int, A.B>", &[("List", Some(2))], None);
    check_name("List<,>.Add", &[("List", Some(2)), ("Add", None)], None);
    check_name("List`1", &[("List", Some(1))], None);
    check_name("A.M()", &[("A", None), ("M", None)], Some(&[]));
    check_name(
        "A.M(int, Func<A, B>)",
        &[("A", None), ("M", None)],
        Some(&["int", "Func<A, B>"]),
    );
    check_name("A..ctor", &[("A", None), ("#ctor", None)], None);
    check_name(
        "M:N.C.M``1(System.Func{``0,N.C},System.Int32@)~System.Int32",
        &[("N", None), ("C", None), ("M", Some(1))],
        Some(&["System.Func{``0,N.C}", "System.Int32@"]),
    );
}

#[test]
fn ids_places_and_assemblies_are_known_by_their_form() {
    let id = |ty: &str, assembly: Option<&str>, member: Option<&str>| SymbolPath::Id {
        ty: Owner {
            it: ty.to_owned(),
            assembly: assembly.map(str::to_owned),
        },
        member: member.map(str::to_owned),
    };
    for (text, expected) in [
        ("T_7XPKJFH2", id("T_7XPKJFH2", None, None)),
        ("T_7XPKJFH2_K3M0ZQ", id("T_7XPKJFH2", None, Some("K3M0ZQ"))),
        ("T_7XPKJFH2@App", id("T_7XPKJFH2", Some("App"), None)),
        (
            "T_7XPKJFH2@App_K3M0ZQ",
            id("T_7XPKJFH2", Some("App"), Some("K3M0ZQ")),
        ),
    ] {
        assert_eq!(SymbolPath::parse(text), expected, "{text}");
    }
    for (text, column) in [
        ("src/A.cs:12", None),
        ("./src/A.cs:12:3", Some(3)),
        ("src\\A.cs:12", None),
    ] {
        let (path, line) = (RepoPath::from("src/A.cs"), 12);
        assert_eq!(
            SymbolPath::parse(text),
            SymbolPath::Place { path, line, column },
            "{text}"
        );
    }
    let SymbolPath::Name(name) = SymbolPath::parse("A.B@My.App") else {
        panic!("it is a name");
    };
    assert_eq!(
        (name.segments.len(), name.assembly.as_deref()),
        (2, Some("My.App"))
    );
    assert!(matches!(SymbolPath::parse("T_LOWER"), SymbolPath::Name(_)));
}
