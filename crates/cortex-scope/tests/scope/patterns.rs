//! The pattern language: the IDE's examples, its errors, and what holds of all patterns.

use cortex_scope::{
    RootKind, infix,
    pattern::{PatternSet, Separator, to_regex},
    resolve, validate_pattern,
};
use proptest::{collection::vec, prelude::*};

use crate::{cases, matcher::matches, universe::Written};

/// A universe with one file, of the module `M` in `folder` or of none.
fn one_file(path: &str, module: Option<&str>, root: RootKind, namespace: Option<&str>) -> Written {
    let mut universe = Written::default();
    let modules: Vec<usize> = module
        .map(|folder| universe.module("M", folder))
        .into_iter()
        .collect();
    let url = format!("repo:/{path}");
    universe.add(&url, root, &modules);
    if let Some(namespace) = namespace {
        universe.namespaces.insert(url, vec![namespace.to_owned()]);
    }
    universe
}

fn is_in(pattern: &str, universe: &Written) -> bool {
    let request = infix::compile(&format!("pattern('{pattern}')")).expect("an expression");
    let resolved = resolve(&request, universe).expect("a pattern");
    !resolved.scope.is_empty()
}

/// `+` before a path that matches, `-` before one that does not.
#[track_caller]
fn check_paths(pattern: &str, module: Option<&str>, paths: &[&str]) {
    for path in paths {
        let (expected, path) = path.split_at(1);
        let universe = one_file(path, module, RootKind::Source, None);
        let found = if is_in(pattern, &universe) { "+" } else { "-" };
        assert_eq!(found, expected, "{pattern} on {path}");
    }
}

/// Files with a namespace each: `+pack1.Out` is a file `Out.cs` that declares something in `pack1`.
#[track_caller]
fn check_names(pattern: &str, root: RootKind, names: &[&str]) {
    for name in names {
        let (expected, name) = name.split_at(1);
        let (namespace, file) = name.rsplit_once('.').unwrap_or(("", name));
        let universe = one_file(&format!("{file}.cs"), Some(""), root, Some(namespace));
        let found = if is_in(pattern, &universe) { "+" } else { "-" };
        assert_eq!(found, expected, "{pattern} on {name}");
    }
}

#[test]
fn paths_match_as_in_the_ide() {
    check_paths("file[M]:*.jsp", Some(""), &["+resources/x.jsp"]);
    check_paths("file[M]:**.jsp", Some(""), &["-resources/x.jsp", "+x.jsp"]);
    check_paths(
        "file[M]:src/with space/**",
        Some(""),
        &["+src/with space/f", "-src/with space/g/f"],
    );
    check_paths("file:*.txt", None, &["+src/pack/a.txt", "-Ba.java"]);
    check_paths(
        "!file:src/pack//*",
        None,
        &["-src/pack/a", "-src/pack/b/c", "+src/packs/a", "+src/a"],
    );
    check_paths(
        "projectPath:language-server//*",
        Some("language-server/analyzer"),
        &["+language-server/analyzer/src/Foo.kt"],
    );
    check_paths(
        "projectPath:/language-server//*",
        Some("language-server/analyzer"),
        &["+language-server/analyzer/src/Foo.kt"],
    );
    check_paths(
        "file:language-server//*",
        Some("language-server/analyzer"),
        &["-language-server/analyzer/src/Foo.kt"],
    );
    check_paths("file:src/*.txt", None, &["+src/p/q/a.txt", "+src/p/a.txt"]);
    check_paths(
        "file:src/**.txt",
        None,
        &["-src/p/q/a.txt", "-src/p/a.txt", "+src/a.txt"],
    );
    check_paths("file:*", None, &["-a/b.txt", "+a.txt"]);
    check_paths("file:*//*", None, &["+a/b.txt", "-a.txt"]);
    check_paths("file:*/", None, &["+a/b/c.txt"]);
    check_paths("file:Src/*", None, &["-src/a.txt"]);
    check_paths("file:docs//**.md", None, &["+docs/a/b.md", "+docs/b.md"]);
    check_paths(
        "file:build.gradle",
        None,
        &["-sub/build.gradle", "+build.gradle"],
    );
    check_paths("file[M]:a", None, &["-a"]);
    check_paths("file[group:G]:a", Some(""), &["-a"]);
}

#[test]
fn directories_match_with_a_slash_at_their_end() {
    let PatternSet::Not(set) = PatternSet::parse("!file:src/pack//*").unwrap() else {
        panic!("a negation");
    };
    let PatternSet::Leaf(leaf) = *set else {
        panic!("a pattern");
    };
    for subject in ["src/pack/", "src/pack/a.txt", "src/pack/inner/"] {
        assert!(leaf.matches(subject), "{subject}");
    }
    assert!(!leaf.matches("src/other/"));
}

#[test]
fn names_match_as_in_the_ide() {
    let src = RootKind::Source;
    check_names("src[M]:*..*", src, &["+pack1.Out", "+a.b.C", "-Out"]);
    check_names("src[M]:pack1.*", src, &["+pack1.Out", "-pack1.pack2.In"]);
    check_names("src:*..*", src, &["-Global"]);
    check_names("src:*", src, &["+Global", "-a.B"]);
    check_names("src:a.B", RootKind::TestSource, &["-a.B"]);
    check_names("test:a.B", RootKind::TestSource, &["+a.B"]);
    check_names("a.B", RootKind::TestSource, &["+a.B"]);
    check_names("a.B", RootKind::Outside, &["-a.B"]);
    check_names("[M]:a.B", src, &["+a.B"]);
    check_names("[N]:a.B", src, &["-a.B"]);
    check_names("lib:a.B", src, &["-a.B"]);
}

#[test]
fn a_file_without_a_namespace_has_that_of_its_folder() {
    let universe = one_file("app/Pages/Index.razor", Some("app"), RootKind::Source, None);
    assert!(is_in("src:M.Pages.Index", &universe));
    let universe = one_file("app/Pages/Index.razor", None, RootKind::Content, None);
    assert!(is_in("app.Pages.Index", &universe));
}

#[test]
fn any_namespace_of_a_file_will_do() {
    let mut universe = one_file("Both.cs", Some(""), RootKind::Source, None);
    let names = vec!["A".to_owned(), "B".to_owned()];
    universe
        .namespaces
        .insert("repo:/Both.cs".to_owned(), names);
    assert!(is_in("src:A.Both", &universe) && is_in("src:B.Both", &universe));
    assert!(!is_in("src:C.Both", &universe));
}

#[test]
fn modules_match_by_name_or_by_solution_folder() {
    let mut universe = one_file("a", Some(""), RootKind::Source, None);
    universe.modules[0].groups = vec!["src".to_owned(), "core".to_owned()];
    for (module, expected) in [
        ("M", true),
        ("*", true),
        ("m", false),
        ("M.*", false),
        ("group:core", true),
        ("group:c*e", true),
        ("group:other", false),
        ("group:other:M", true),
        ("group:core:N", true),
        ("group:other:", false),
    ] {
        let pattern = format!("file[{module}]:a");
        assert_eq!(is_in(&pattern, &universe), expected, "{pattern}");
    }
}

#[test]
fn libraries_match_by_package_and_by_the_path_inside() {
    let mut universe = Written::default();
    universe.libraries.push(cortex_scope::ScopeLibrary {
        package: "Some.Package".to_owned(),
        version: "1.2.3".to_owned(),
    });
    universe.add(
        "nuget:/Some.Package/1.2.3/lib/A.dll",
        RootKind::Library,
        &[],
    );
    universe.files[0].library = Some(0);
    for (pattern, expected) in [
        ("ext:lib/A.dll", true),
        ("ext[Some.*]:lib/*", true),
        ("ext[Other]:lib/*", false),
        ("ext[group:G]:lib/*", true),
        ("file:lib/A.dll", false),
        ("lib:*..*", true),
        ("lib[Some.Package]:lib.A", true),
    ] {
        assert_eq!(is_in(pattern, &universe), expected, "{pattern}");
    }
}

#[track_caller]
fn check_error(pattern: &str, expected: &str) {
    let report = validate_pattern(pattern);
    assert_eq!(report.error.as_deref(), Some(expected), "{pattern}");
    assert!(!report.valid && report.normalized.is_none());
}

#[test]
fn errors_name_the_token_as_the_ide_does() {
    for (pattern, expected) in [
        ("", "Package pattern expected at position 1"),
        (
            "file:*.cpp && file:*.h",
            "Package pattern expected at position 14",
        ),
        ("(file:a", "')' expected at position 8"),
        ("$My Scope", "Unexpected ' ' at position 4"),
        ("file:", "Package pattern expected at position 6"),
        ("file:a)", "Unexpected ')' at position 7"),
        ("foo:a", "Unknown scope type at position 1"),
        ("file:a||bar[M]:b", "Unknown scope type at position 9"),
        ("projectPath[M]:a", "Unknown scope type at position 1"),
        ("file[M", "Package pattern expected at position 7"),
        ("file[]:a", "Package pattern expected at position 7"),
        ("src:a/b", "Unexpected '/' at position 6"),
        ("src:a b", "Unexpected ' ' at position 6"),
        ("file a", "Unexpected ' ' at position 5"),
        ("!", "Package pattern expected at position 2"),
        ("file:a&&", "Package pattern expected at position 9"),
        ("file:a|file:b", "Unexpected '|' at position 7"),
        ("file:a?", "Unexpected '?' at position 7"),
        ("file:ä?", "Unexpected '?' at position 7"),
        ("(!(file:a)", "')' expected at position 11"),
    ] {
        check_error(pattern, expected);
    }
    check_error(
        &"!".repeat(1000),
        "Nested more than 200 deep at position 201",
    );
    check_error(
        &format!("file:{}", "a".repeat(5000)),
        "Longer than 4096 characters at position 6",
    );
}

#[test]
fn the_normal_form_is_that_of_the_ide() {
    for (pattern, expected) in [
        ("file:a&&(file:b&&file:c)", "file:a&&file:b&&file:c"),
        ("file:a||(file:b||file:c)", "file:a||file:b||file:c"),
        ("(file:a||file:b)&&file:c", "(file:a||file:b)&&file:c"),
        ("(file:a&&file:b)||file:c", "file:a&&file:b||file:c"),
        ("!(file:a&&file:b)", "!(file:a&&file:b)"),
        ("!(!(file:a))", "!!file:a"),
        ("((file:a))", "file:a"),
        ("file:a \t b", "file:a b"),
        ("file:a &&file:b", "file:a &&file:b"),
        ("src[M]a.b", "src[M]:a.b"),
        (":a.b", "a.b"),
        ("[M]a", "[M]:a"),
        ("file[a && b]:c", "file[a && b]:c"),
        ("$$a", "$$a"),
        ("file:$a", "file:$a"),
        ("projectPath:/a", "projectPath:/a"),
        ("file", "file"),
    ] {
        let report = validate_pattern(pattern);
        assert_eq!(report.normalized.as_deref(), Some(expected), "{pattern}");
    }
}

#[test]
fn bodies_become_these_expressions() {
    for (body, expected) in [
        ("*.jsp", r".*\.jsp"),
        ("**.jsp", r"[^/]*\.jsp"),
        ("***.jsp", r"[^/]*.*\.jsp"),
        ("src//*", r"src/(.*/)?[^/]*"),
        ("src/", "src"),
        ("a///b", "a/(.*/)?/b"),
        ("a-b~#$", r"a\-b\~\#$"),
    ] {
        assert_eq!(to_regex(body, Separator::Slash), expected, "{body}");
    }
    assert_eq!(to_regex("a..*", Separator::Dot), r"a\.(.*\.)?[^\.]*");
}

#[test]
fn a_line_break_in_a_path_escapes_no_pattern() {
    check_paths("file:secret//*", None, &["+secret/a\nb/c"]);
}

/// What a pattern starts with, its separator, and a body.
fn simple() -> impl Strategy<Value = (&'static str, char, String)> {
    prop_oneof![
        "[ab/.*]{1,8}|[a1 /.*#~-]{1,6}|[a/*$]{1,5}".prop_map(|body| ("file:", '/', body)),
        "[ab.*]{1,8}|[a.*$]{1,5}".prop_map(|body| ("src:", '.', body)),
    ]
}

proptest! {
    #![proptest_config(cases(10_000))]

    #[test]
    fn a_matcher_that_tries_everything_agrees(
        (prefix, separator, body) in simple(),
        subjects in vec("[ab/.]{0,8}|[a1 /.#~-]{0,6}", 4),
    ) {
        let Ok(PatternSet::Leaf(leaf)) = PatternSet::parse(&format!("{prefix}{body}")) else {
            return Err(TestCaseError::fail("a pattern"));
        };
        let chars: Vec<char> = leaf.body().chars().collect();
        for subject in subjects {
            let expected = matches(&chars, &subject.chars().collect::<Vec<_>>(), separator);
            prop_assert_eq!(leaf.matches(&subject), expected, "{} on {}", body, subject);
        }
    }
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn a_text_is_a_pattern_with_one_normal_form_or_has_an_error_inside(
        text in r"([a-z$]{1,4}|file:|src:|ext:|projectPath:|\[M\]|\[|\]|:|&&|\|\||!|\(|\)|[ .*/#~1-]|.){0,12}",
    ) {
        match PatternSet::parse(&text) {
            Ok(pattern) => {
                let normal = pattern.to_string();
                let again = PatternSet::parse(&normal).unwrap();
                prop_assert_eq!(again.to_string(), normal);
            }
            Err(error) => {
                let length = text.chars().count();
                prop_assert!((1..=length + 1).contains(&error.position), "{}", error);
            }
        }
    }
}

/// A pattern as a tree, beside the language.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(String),
    Not(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
}

impl Tree {
    fn text(&self) -> String {
        let join = |trees: &[Tree], operator: &str| {
            let texts: Vec<String> = trees.iter().map(|it| format!("({})", it.text())).collect();
            texts.join(operator)
        };
        match self {
            Self::Leaf(body) => format!("file:{body}"),
            Self::Not(tree) => format!("!({})", tree.text()),
            Self::And(trees) => join(trees, "&&"),
            Self::Or(trees) => join(trees, "||"),
        }
    }

    fn contains(&self, path: &str) -> bool {
        let chars = |text: &str| text.chars().collect::<Vec<char>>();
        match self {
            Self::Leaf(body) => matches(&chars(body), &chars(path), '/'),
            Self::Not(tree) => !tree.contains(path),
            Self::And(trees) => trees.iter().all(|tree| tree.contains(path)),
            Self::Or(trees) => trees.iter().any(|tree| tree.contains(path)),
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    "[ab/.*]{1,5}"
        .prop_map(Tree::Leaf)
        .prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                inner.clone().prop_map(|tree| Tree::Not(Box::new(tree))),
                vec(inner.clone(), 1..4).prop_map(Tree::And),
                vec(inner, 1..4).prop_map(Tree::Or),
            ]
        })
}

const PATHS: [&str; 8] = ["a", "a.b", "a/a", "a/b", "a/b.a", "a/b/a", "b", "b/a.b"];

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn combined_patterns_give_what_their_parts_say(tree in tree()) {
        let urls = PATHS.map(|path| format!("repo:/{path}"));
        let universe = Written::of(&urls.each_ref().map(String::as_str));
        let expected: Vec<&str> = (0..PATHS.len())
            .filter(|index| tree.contains(PATHS[*index]))
            .map(|index| urls[index].as_str())
            .collect();
        let normal = PatternSet::parse(&tree.text()).unwrap().to_string();
        for text in [tree.text(), normal] {
            prop_assert_eq!(&universe.files_of(&format!("pattern({text})")), &expected);
        }
    }
}
