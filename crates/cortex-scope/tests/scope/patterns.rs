//! The pattern language: the IDE's examples, its errors, and what holds of all patterns.

use cortex_scope::{
    RootKind, infix,
    pattern::{PatternErrorKind, PatternSet, Separator, to_regex},
    resolve, validate_pattern,
};
use proptest::{collection::vec, prelude::*};

use crate::{cases, check_shares, matcher::matches, universe::Written};

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
    // An assembly that is of no package.
    universe.files.insert(
        0,
        cortex_scope::ScopeFile {
            url: "file:///dotnet/System.dll".to_owned(),
            root: RootKind::Library,
            modules: Vec::new(),
            library: None,
        },
    );
    for (pattern, expected) in [
        ("lib:*System", true),
        ("lib[*]:*System", false),
        ("ext:*System.dll", false),
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
    for (before, at, after) in [("file:", 6, ""), ("file[", 6, "]:a")] {
        let most = format!("{before}{}{after}", "a".repeat(4096));
        assert!(validate_pattern(&most).valid);
        check_error(
            &format!("{before}{}{after}", "a".repeat(4097)),
            &format!("Longer than 4096 characters at position {at}"),
        );
    }
    assert!(validate_pattern(&format!("{}a", "!".repeat(200))).valid);
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
        (":$a", ":$a"),
        ("!:$a&&b", "!:$a&&b"),
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
        "[ab/.*]{1,8}|[a1 /.*#~-]{1,6}|[a/*$]{1,5}|[aä/* 𝄞]{1,6}"
            .prop_map(|body| ("file:", '/', body)),
        "[ab.*]{1,8}|[a.*$]{1,5}|[ä.*日]{1,6}".prop_map(|body| ("src:", '.', body)),
    ]
}

fn subjects() -> impl Strategy<Value = Vec<String>> {
    vec("[ab/.]{0,8}|[a1 /.#~-]{0,6}|[aä/ 𝄞.日]{0,6}", 4)
}

/// The body as the language has it: each run of white space is one space.
fn written(body: &str) -> Vec<char> {
    let mut chars: Vec<char> = body.chars().collect();
    chars.dedup_by(|b, a| *a == ' ' && *b == ' ');
    chars
}

/// A body that no token ends: characters that are no letters have no token.
fn is_body(body: &str) -> bool {
    !body.contains('𝄞')
}

#[test]
fn bodies_of_all_kinds_are_tried() {
    check_shares(
        &(simple(), subjects()),
        |((_, separator, body), subjects)| {
            let mut kinds = Vec::new();
            let double: String = [*separator, *separator].iter().collect();
            for (kind, has) in [
                ("white space", body.contains(' ')),
                ("$", body.contains('$')),
                ("not ASCII", !body.is_ascii()),
                ("**", body.contains("**")),
                (
                    "* before something",
                    body.trim_end_matches('*').contains('*'),
                ),
                ("* at the end", body.ends_with('*')),
                ("two separators", body.contains(&double)),
                ("a separator at the end", body.ends_with(*separator)),
                ("no pattern", !is_body(body)),
            ] {
                if has {
                    kinds.push(kind);
                }
            }
            let chars = written(body);
            let matching = subjects.iter().filter(|subject| {
                matches(&chars, &subject.chars().collect::<Vec<_>>(), *separator)
            });
            if matching.count() > 0 {
                kinds.push("matches something");
            }
            kinds
        },
        &[
            ("white space", 5),
            ("$", 10),
            ("not ASCII", 10),
            ("**", 10),
            ("* before something", 30),
            ("* at the end", 15),
            ("two separators", 10),
            ("a separator at the end", 10),
            ("no pattern", 3),
            ("matches something", 15),
        ],
    );
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_matcher_that_tries_everything_agrees(
        (prefix, separator, body) in simple(),
        subjects in subjects(),
    ) {
        let found = PatternSet::parse(&format!("{prefix}{body}"));
        let Ok(PatternSet::Leaf(leaf)) = found else {
            prop_assert!(!is_body(&body), "{} is a pattern", body);
            return Ok(());
        };
        let chars = written(&body);
        prop_assert_eq!(leaf.body().chars().collect::<Vec<_>>(), chars.clone());
        for subject in subjects {
            let expected = matches(&chars, &subject.chars().collect::<Vec<_>>(), separator);
            prop_assert_eq!(leaf.matches(&subject), expected, "{} on {}", body, subject);
        }
    }
}

/// The same without lists in lists of their own kind, which normal forms do not tell apart.
fn flat(set: PatternSet) -> PatternSet {
    match set {
        PatternSet::Or(sets) => {
            let each = sets.into_iter().map(flat);
            PatternSet::Or(
                each.flat_map(|set| match set {
                    PatternSet::Or(inner) => inner,
                    other => vec![other],
                })
                .collect(),
            )
        }
        PatternSet::And(sets) => {
            let each = sets.into_iter().map(flat);
            PatternSet::And(
                each.flat_map(|set| match set {
                    PatternSet::And(inner) => inner,
                    other => vec![other],
                })
                .collect(),
            )
        }
        PatternSet::Not(set) => PatternSet::Not(Box::new(flat(*set))),
        leaf => leaf,
    }
}

/// Any text of pieces of the language, and some other characters.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        r"([a-z$]{1,4}|file:|src:|foo:|ext:|projectPath:|\[M\]|\[|\]|:|&&|\|\||!|\(|\)|[ .*/#~1-]|.){0,12}",
        r"(!?(file:|ext\[M\]:)[a$* ./ä]{1,3}(&&|\|\|)){0,3}!?(src:|:|\$)[a$*.]{1,4}",
        r"(!?\(((src:|test:|:)[a.*$]{1,2}|\$[ab])(&&|\|\|)(\$[ab]|:\$a|[*.]{1,2}|foo:a)\)(&&|\|\|)){1,2}file:\*",
    ]
}

#[test]
fn texts_of_all_kinds_are_tried() {
    check_shares(
        &any_text(),
        |text| {
            vec![match PatternSet::parse(text) {
                Ok(PatternSet::Leaf(_)) => "a leaf",
                Ok(PatternSet::Named(_)) => "a name",
                Ok(_) => "combined",
                Err(error) => match error.kind {
                    PatternErrorKind::Unexpected(_) => "unexpected",
                    PatternErrorKind::PatternExpected => "pattern expected",
                    PatternErrorKind::ParenExpected => "parenthesis expected",
                    PatternErrorKind::UnknownScope => "unknown id",
                    _ => "too much",
                },
            }]
        },
        &[
            ("a leaf", 2),
            ("combined", 30),
            ("unexpected", 5),
            ("pattern expected", 10),
            ("unknown id", 4),
        ],
    );
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_text_is_a_pattern_with_one_normal_form_or_has_an_error_inside(
        text in any_text(),
    ) {
        match PatternSet::parse(&text) {
            Ok(pattern) => {
                let normal = pattern.to_string();
                let again = PatternSet::parse(&normal).unwrap();
                prop_assert_eq!(again.to_string(), normal);
                prop_assert_eq!(flat(again), flat(pattern));
            }
            Err(error) => {
                let length = text.chars().count();
                prop_assert!((1..=length + 1).contains(&error.position), "{}", error);
            }
        }
    }
}

/// A file as the table of 8.3 sees it.
struct Row {
    url: &'static str,
    root: RootKind,
    /// Its module and the solution folder of that, or its package.
    module: Option<(&'static str, Option<&'static str>)>,
    package: Option<&'static str>,
    /// What `file:` compares, `projectPath:`, `ext:`.
    paths: [Option<&'static str>; 3],
    /// What the others compare.
    names: &'static [&'static str],
}

/// By URL. The third has errors.
const ROWS: [Row; 6] = [
    Row {
        url: "nuget:/Pack.One/1.0.0/lib/a.dll",
        root: RootKind::Library,
        module: None,
        package: Some("Pack.One"),
        paths: [None, None, Some("lib/a.dll")],
        names: &["lib.a"],
    },
    Row {
        url: "repo:/a.b",
        root: RootKind::Content,
        module: None,
        package: None,
        paths: [Some("a.b"), Some("a.b"), None],
        names: &["a"],
    },
    Row {
        url: "repo:/m/a.b",
        root: RootKind::Source,
        module: Some(("M", None)),
        package: None,
        paths: [Some("a.b"), Some("m/a.b"), None],
        names: &["M.a"],
    },
    Row {
        url: "repo:/m/a/b a.b",
        root: RootKind::Source,
        module: Some(("M", None)),
        package: None,
        paths: [Some("a/b a.b"), Some("m/a/b a.b"), None],
        names: &["b a", "a.b.b a"],
    },
    Row {
        url: "repo:/m/a/ä",
        root: RootKind::Source,
        module: Some(("M", None)),
        package: None,
        paths: [Some("a/ä"), Some("m/a/ä"), None],
        names: &["M.a.ä"],
    },
    Row {
        url: "repo:/t/b/a.b",
        root: RootKind::TestSource,
        module: Some(("T", Some("g"))),
        package: None,
        paths: [Some("b/a.b"), Some("t/b/a.b"), None],
        names: &["T.b.a"],
    },
];

/// The third of the rows.
const ERRONEOUS: usize = 2;

fn rows() -> Written {
    let mut universe = Written::default();
    let m = universe.module("M", "m");
    let t = universe.module("T", "t");
    universe.modules[t].groups = vec!["g".to_owned()];
    universe.libraries.push(cortex_scope::ScopeLibrary {
        package: "Pack.One".to_owned(),
        version: "1.0.0".to_owned(),
    });
    for row in ROWS {
        let modules: &[usize] = match row.module {
            Some(("M", _)) => &[m],
            Some(_) => &[t],
            None => &[],
        };
        universe.add(row.url, row.root, modules);
    }
    universe.files[0].library = Some(0);
    let both = vec![String::new(), "a.b".to_owned()];
    universe.namespaces.insert(ROWS[3].url.to_owned(), both);
    let erroneous = vec![cortex_scope::FileId::new(ERRONEOUS)];
    universe
        .properties
        .insert(cortex_scope::Property::Erroneous, erroneous);
    universe
}

/// A pattern as a tree, beside the language.
#[derive(Clone, Debug)]
enum Tree {
    Leaf {
        id: &'static str,
        module: Option<&'static str>,
        body: String,
    },
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
            Self::Leaf { id, module, body } => {
                let module = module.map(|module| format!("[{module}]"));
                format!("{id}{}:{body}", module.unwrap_or_default())
            }
            Self::Not(tree) => format!("!({})", tree.text()),
            Self::And(trees) => join(trees, "&&"),
            Self::Or(trees) => join(trees, "||"),
        }
    }

    fn contains(&self, at: usize) -> bool {
        match self {
            Self::Leaf { id, module, body } => leaf_contains(id, *module, body, at),
            Self::Not(tree) => !tree.contains(at),
            Self::And(trees) => trees.iter().all(|tree| tree.contains(at)),
            Self::Or(trees) => trees.iter().any(|tree| tree.contains(at)),
        }
    }

    fn is_combined(&self) -> bool {
        !matches!(self, Self::Leaf { .. })
    }
}

fn leaf_contains(id: &str, module: Option<&str>, body: &str, at: usize) -> bool {
    let row = &ROWS[at];
    let is_of_kind = match id {
        "src" => row.root == RootKind::Source,
        "test" => row.root == RootKind::TestSource,
        "lib" | "ext" => row.root == RootKind::Library,
        "problem" => at == ERRONEOUS,
        _ => row.root != RootKind::Library,
    };
    let is_of_module = match (module, id) {
        (None, _) => true,
        (Some("*"), "lib" | "ext") => row.package.is_some(),
        (Some("*"), _) => row.module.is_some(),
        // A package is in no folder.
        (Some("group:g" | "group:*"), "lib" | "ext") => row.package.is_some(),
        (Some("group:g" | "group:*"), _) => row.module.is_some_and(|it| it.1.is_some()),
        (Some("group:x:M"), _) => row.module.is_some_and(|it| it.0 == "M"),
        (Some("Pack.*"), "lib" | "ext") => row.package.is_some(),
        (Some("Pack.*"), _) => false,
        (Some(name), _) => row.module.is_some_and(|it| it.0 == name),
    };
    let chars = |text: &str| text.chars().collect::<Vec<char>>();
    let path = |nth: usize, body: &str| {
        row.paths[nth].is_some_and(|path| matches(&written(body), &chars(path), '/'))
    };
    let is_like = match id {
        "file" => path(0, body),
        "projectPath" => path(1, body.strip_prefix('/').unwrap_or(body)),
        "ext" => path(2, body),
        _ => row
            .names
            .iter()
            .any(|name| matches(&chars(body), &chars(name), '.')),
    };
    is_of_kind && is_of_module && is_like
}

fn leaf() -> impl Strategy<Value = Tree> {
    let module = || {
        let known = [
            "M",
            "T",
            "*",
            "m",
            "group:g",
            "group:*",
            "group:x:M",
            "Pack.*",
        ];
        prop::option::weighted(0.3, prop::sample::select(known.to_vec()))
    };
    let path_body =
        || "[abm/.*ä]{1,5}|[*/]{1,3}[ab][.*/]{1,2}[ab* ]{0,3}|m/[ab*/ .]{1,5}|\\*//\\*|\\*";
    let name_body = || "[abMT.*ä]{1,5}|\\*\\.\\.[ab*]{1,2}|M\\.[ab*.]{1,4}|\\*|[ab]\\.\\*";
    prop_oneof![
        2 => (prop::sample::select(vec!["file", "ext"]), module(), path_body()),
        1 => (Just("projectPath"), Just(None), path_body()),
        3 => (prop::sample::select(vec!["", "src", "test", "lib", "problem"]), module(), name_body()),
    ]
    .prop_map(|(id, module, body)| Tree::Leaf { id, module, body })
}

fn tree() -> impl Strategy<Value = Tree> {
    leaf().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|tree| Tree::Not(Box::new(tree))),
            vec(inner.clone(), 1..4).prop_map(Tree::And),
            vec(inner, 1..4).prop_map(Tree::Or),
        ]
    })
}

#[test]
fn patterns_of_all_kinds_are_tried() {
    let kinds_of = |tree: &Tree| {
        let mut kinds = Vec::new();
        let n_files = (0..ROWS.len()).filter(|at| tree.contains(*at)).count();
        match tree {
            Tree::Leaf { id, module, .. } if n_files > 0 => {
                kinds.push(if id.is_empty() { "no id" } else { *id });
                if module.is_some() {
                    kinds.push("with a module");
                }
            }
            _ => {}
        }
        if tree.is_combined() && n_files > 0 && n_files < ROWS.len() {
            kinds.push("some of the files, combined");
        }
        kinds
    };
    let least = [
        ("file", 4),
        ("projectPath", 3),
        ("ext", 1),
        ("no id", 2),
        ("src", 2),
        ("test", 1),
        ("lib", 1),
        ("problem", 1),
        ("with a module", 2),
    ];
    check_shares(&leaf(), kinds_of, &least);
    check_shares(&tree(), kinds_of, &[("some of the files, combined", 20)]);
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn combined_patterns_give_what_their_parts_say(tree in tree()) {
        let universe = rows();
        let expected: Vec<&str> = (0..ROWS.len())
            .filter(|at| tree.contains(*at))
            .map(|at| ROWS[at].url)
            .collect();
        let normal = PatternSet::parse(&tree.text()).unwrap().to_string();
        for text in [tree.text(), normal] {
            prop_assert_eq!(&universe.files_of(&format!("pattern('{text}')")), &expected, "{}", text);
        }
    }
}
