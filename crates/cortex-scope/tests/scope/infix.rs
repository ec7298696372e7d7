//! Infix notation: what is read, what is printed, and what is wrong with it.

use cortex_scope::{TokenOp, infix};

fn steps(text: &str) -> String {
    let request = infix::compile(text).expect("an expression");
    let words: Vec<&str> = request
        .tokens
        .iter()
        .map(|token| match token.op {
            TokenOp::PushAtom => token.atom_id.as_deref().expect("an atom"),
            op => op.as_str(),
        })
        .collect();
    words.join(" ")
}

#[test]
fn operators_bind_as_in_patterns_and_equal_scopes_are_one_atom() {
    for (text, expected) in [
        ("a", "a1"),
        ("a | b & c", "a1 a2 a3 AND OR"),
        ("a & b | c", "a1 a2 AND a3 OR"),
        ("a & b & c", "a1 a2 AND a3 AND"),
        ("a&(b&c)", "a1 a2 a3 AND AND"),
        ("!a & b", "a1 NOT a2 AND"),
        ("!(a || b && !a)", "a1 a2 a1 NOT AND OR NOT"),
        ("!!'a'", "a1 NOT NOT"),
    ] {
        assert_eq!(steps(text), expected, "{text}");
    }
}

#[test]
fn printing_gives_the_shortest_text_of_the_same_program() {
    for (text, expected) in [
        (
            "( 'Project Files' )&!  ( pattern(file:*Test//*) )",
            "'Project Files' & !pattern(file:*Test//*)",
        ),
        ("\"Project Files\"", "'Project Files'"),
        ("Selection", "Selection"),
        ("'standard:Selection'", "Selection"),
        ("a | (b | c)", "a | (b | c)"),
        ("(a | b) | c", "a | b | c"),
        ("(a & b) | c", "a & b | c"),
        ("!(a)", "!a"),
        ("!(a & b)", "!(a & b)"),
        ("'it''s'", "'it''s'"),
        (
            "module:App:MODULE_WITH_LIBRARIES",
            "module(App, MODULE_WITH_LIBRARIES)",
        ),
        ("module('My App', MODULE)", "module('My App')"),
        ("'named:config:Mine'", "named(config, Mine)"),
        ("named('Project Files')", "named('Project Files')"),
        ("named(predefined, Tests)", "named(predefined, Tests)"),
        ("named(Tests)", "Tests"),
        ("dir(src/)", "dir(src)"),
        // Read in a folder, `.` would be that folder.
        ("dir(.)", "dir(repo:/)"),
        ("dir(nuget:/A)", "dir(nuget:/A)"),
        ("files( 'b c', a )", "files(a, 'b c')"),
        ("files(repo:/.editorconfig)", "files(repo:/.editorconfig)"),
        ("git:author:'x'", ""),
        (
            "'git:author:Jane Doe:2 weeks'",
            "'git:author:Jane Doe:2 weeks'",
        ),
        ("git:changed:main..HEAD~2", "git:changed:main..HEAD~2"),
        ("pattern('file[a)]:b')", "pattern('file[a)]:b')"),
        (
            "pattern((file:a||file:b)&&!src:c)",
            "pattern((file:a||file:b)&&!src:c)",
        ),
        ("pattern( file:a)", "pattern( file:a)"),
    ] {
        let Ok(request) = infix::compile(text) else {
            assert_eq!(expected, "", "{text}");
            continue;
        };
        let printed = infix::print(&request).unwrap();
        assert_eq!(printed, expected, "{text}");
        assert_eq!(infix::compile(&printed).unwrap(), request, "{text}");
    }
}

#[test]
fn paths_with_dots_are_from_the_folder_of_who_writes_them() {
    for (text, folder, expected) in [
        ("dir(.)", "a/b", "dir(a/b)"),
        ("dir(..)", "a/b", "dir(a)"),
        ("dir(../..)", "a/b", "dir(repo:/)"),
        ("files(./x, ../y, z)", "a/b", "files(a/b/x, a/y, z)"),
        ("files(./x)", "", "files(x)"),
        ("files(.x/../y)", "a", "files(repo:/.x/../y)"),
        ("files(/tmp/x)", "a", "files(file:///tmp/x)"),
        ("files('C:/x')", "a", "files(file:///C:/x)"),
    ] {
        let request = infix::compile_in(text, folder).unwrap();
        assert_eq!(infix::print(&request).unwrap(), expected, "{text}");
    }
    let error = infix::compile_in("Tests & files(a, ../../x)", "a").unwrap_err();
    assert_eq!(
        error.to_string(),
        "'../../x' leads out of the repository at position 18"
    );
}

#[test]
fn errors_say_what_and_where() {
    for (text, expected) in [
        ("", "Scope expected at position 1"),
        ("a &", "Scope expected at position 4"),
        ("a & | b", "Scope expected at position 5"),
        ("a b", "Unexpected 'b' at position 3"),
        ("a)", "Unexpected ')' at position 2"),
        ("(a | b", "')' expected at position 7"),
        ("pattern(file:a", "')' expected at position 15"),
        ("ä & 'b", "Quote is not closed at position 5"),
        (
            "path(a)",
            "Unknown function 'path', there are pattern, module, named, dir, files at position 1",
        ),
        (
            "module(App, ALL)",
            "Unknown flavor 'ALL', there are MODULE, MODULE_WITH_DEPENDENCIES, MODULE_WITH_LIBRARIES, MODULE_WITH_DEPENDENCIES_AND_LIBRARIES at position 13",
        ),
        (
            "module(a, b, c)",
            "module(…) takes one or two names at position 8",
        ),
        ("dir(a, b)", "dir(…) takes one path at position 5"),
        ("files()", "Scope expected at position 7"),
    ] {
        assert_eq!(
            infix::compile(text).unwrap_err().to_string(),
            expected,
            "{text}"
        );
    }
    let deep = infix::compile(&"(".repeat(100_000)).unwrap_err();
    assert_eq!(
        deep.to_string(),
        "Nested more than 200 deep at position 201"
    );
}
