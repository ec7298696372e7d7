//! Infix notation: what is read, what is printed, and what is wrong with it.

use cortex_scope::{
    AtomKind, Diagnostic, ModuleFlavor, ScopeAtom, ScopeRequest, ScopeToken, Target, TokenOp, infix,
};
use proptest::{collection::vec, option, prelude::*, sample::select};

use crate::{cases, check_shares};

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
        ("files(repo:/.editorconfig)", "files(.editorconfig)"),
        ("files(repo:/./a, /b)", "files(file:///b, repo:/./a)"),
        ("files(repo:/, .)", "files(repo:/)"),
        ("dir(repo:/..)", "dir(repo:/..)"),
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
        ("files(.x/../y)", "a", "files(.x/../y)"),
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
            "Unknown function 'path', expected pattern, module, named, dir or files at position 1",
        ),
        (
            "module(App, ALL)",
            "Unknown flavor 'ALL', expected one of MODULE, MODULE_WITH_DEPENDENCIES, MODULE_WITH_LIBRARIES, MODULE_WITH_DEPENDENCIES_AND_LIBRARIES at position 13",
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

/// A name that may have whatever infix notation gives a meaning.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[A-Za-z.]{1,6}",
        2 => r#"[ab&|!(),'" :/äß.*-]{0,6}"#,
        1 => select(vec!["Tests", "Project Files", "Selection", "module:A:MODULE", "named:a:b", "directory:x", "git:staged", "pattern", "type:T", "standard:Current File", "provider:type:0123", "."]).prop_map(str::to_owned),
    ]
}

/// An atom of any kind that means something; one that has nothing to say is `None`.
fn atom() -> impl Strategy<Value = ScopeAtom> {
    let flavor = option::of(select(ModuleFlavor::ALL.to_vec()));
    let url = || {
        prop_oneof![
            name(),
            name().prop_map(|it| format!("repo:/{it}")),
            name().prop_map(|it| format!("nuget:/{it}"))
        ]
    };
    let standard = select(vec!["All Places", "Project Files", "Current File"]);
    let provider = select(vec![
        "git:staged",
        "git:changed:",
        "git:author:",
        "codeowners:",
        "impact:",
    ]);
    let made = |kind, set: &dyn Fn(&mut ScopeAtom)| {
        let mut atom = ScopeAtom::new("", kind);
        set(&mut atom);
        atom
    };
    prop_oneof![
        standard.prop_map(
            move |id| made(AtomKind::Standard, &|it| it.standard_scope_id =
                Some(id.to_owned()))
        ),
        (name(), flavor).prop_map(move |(name, flavor)| made(AtomKind::Module, &|it| {
            it.module_name = Some(name.clone());
            it.module_flavor = flavor;
        })),
        (name(), option::of(name())).prop_map(move |(name, holder)| made(
            AtomKind::NamedScope,
            &|it| {
                it.named_scope_name = Some(name.clone());
                it.named_scope_holder_id.clone_from(&holder);
            }
        )),
        name().prop_map(move |text| made(AtomKind::Pattern, &|it| it.pattern_text =
            Some(text.clone()))),
        url().prop_map(
            move |url| made(AtomKind::Directory, &|it| it.directory_url =
                Some(url.clone()))
        ),
        vec(url(), 1..4)
            .prop_map(move |urls| made(AtomKind::Files, &|it| it.file_urls.clone_from(&urls))),
        (provider, name()).prop_map(move |(family, argument)| made(
            AtomKind::ProviderScope,
            &|it| {
                let id = match family {
                    "git:staged" => family.to_owned(),
                    _ => format!("{family}{argument}x"),
                };
                it.provider_scope_id = Some(id);
            }
        )),
        name().prop_map(move |name| made(AtomKind::ProviderScope, &|it| {
            it.scope_ref_id = Some(format!("provider:codeowners:{name}"));
        })),
    ]
}

/// A program of some atoms: joined one after another, or all of them at the end.
fn program() -> impl Strategy<Value = ScopeRequest> {
    let op = select(vec![TokenOp::And, TokenOp::Or]);
    (vec((atom(), op, any::<bool>()), 1..5), any::<bool>()).prop_map(|(parts, at_end)| {
        let (mut atoms, mut tokens, mut left) = (Vec::new(), Vec::new(), Vec::new());
        for (at, (mut atom, op, is_negated)) in parts.into_iter().enumerate() {
            atom.atom_id = at.to_string();
            tokens.push(ScopeToken::push(at.to_string()));
            atoms.push(atom);
            if is_negated {
                tokens.push(ScopeToken::operator(TokenOp::Not));
            }
            match (at, at_end) {
                (0, _) => {}
                (_, true) => left.push(ScopeToken::operator(op)),
                (_, false) => tokens.push(ScopeToken::operator(op)),
            }
        }
        tokens.extend(left);
        ScopeRequest::new(atoms, tokens)
    })
}

/// What a program means, token by token.
fn meaning(request: &ScopeRequest) -> Vec<(TokenOp, Option<Target>)> {
    let target = |id: &String| {
        let atom = request.atoms.iter().find(|atom| atom.atom_id == *id);
        Target::from_atom(atom.expect("the atom is there")).expect("the atom means something")
    };
    let each = request.tokens.iter();
    each.map(|token| (token.op, token.atom_id.as_ref().map(target)))
        .collect()
}

#[test]
fn texts_that_need_quotes_and_parentheses_are_tried() {
    check_shares(
        &program(),
        |program| {
            let text = infix::print(program).unwrap_or_default();
            let mut kinds = Vec::new();
            for (kind, has) in [
                ("quoted", text.contains('\'')),
                ("a quote inside", text.contains("''")),
                ("not ASCII", !text.is_ascii()),
                (
                    "both operators",
                    text.contains(" & ") && text.contains(" | "),
                ),
                ("in parentheses", text.contains(" (") || text.contains("!(")),
            ] {
                if has {
                    kinds.push(kind);
                }
            }
            kinds
        },
        &[
            ("quoted", 40),
            ("a quote inside", 10),
            ("not ASCII", 10),
            ("both operators", 20),
            ("in parentheses", 10),
        ],
    );
}

#[test]
fn a_path_with_a_colon_is_no_url() {
    let mut program = infix::compile("files(a)").expect("it is an expression");
    program.atoms[0].file_urls = vec!["./:/".to_owned()];
    let text = infix::print(&program).expect("it can be printed");
    let again = infix::compile(&text).expect("it can be read");
    assert_eq!(meaning(&again), meaning(&program), "{text}");
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn what_is_printed_means_the_same_whatever_the_names(program in program()) {
        let text = infix::print(&program).map_err(|it: Vec<Diagnostic>| TestCaseError::fail(format!("{it:?}")))?;
        let again = infix::compile(&text).map_err(|it| TestCaseError::fail(format!("{text}: {it}")))?;
        prop_assert_eq!(meaning(&again), meaning(&program), "{}", text);
        prop_assert_eq!(infix::print(&again).unwrap(), text);
    }

    #[test]
    fn any_text_is_an_expression_or_has_an_error_inside(
        text in r#"([a-zA-Z:]{1,4}|pattern\(|module\(|files\(|dir\(|named\(|git:staged|&|\||!|\(|\)|,|'|"| |.){0,12}"#,
    ) {
        match infix::compile(&text) {
            Ok(program) => {
                let printed = infix::print(&program).unwrap();
                prop_assert_eq!(infix::compile(&printed).unwrap(), program, "{}", printed);
            }
            Err(error) => {
                let length = text.chars().count();
                prop_assert!((1..=length + 1).contains(&error.position), "{}", error);
            }
        }
    }
}
