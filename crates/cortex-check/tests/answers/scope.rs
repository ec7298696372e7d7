//! `scope`: what each kind of scope means in a repository, by what git itself says where git knows; the forms of
//! answers and of errors.

use std::collections::{BTreeMap, BTreeSet};

use cortex_check::{Format, Service, Value, json, programs::scopes, warnings};

use crate::check;

/// A library with its tests, owners and named scopes.
fn shop() -> Service {
    Service::with_files(scopes::FILES)
}

/// The files that a scope lists, a space between them.
#[track_caller]
fn files(world: &Service, scope: &str) -> String {
    let text = world.text("scope-files", json!({"scope": scope}));
    text.lines().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check_files(world: &Service, cases: &[(&str, &str)]) {
    for (scope, expected) in cases {
        assert_eq!(files(world, scope), *expected, "{scope}");
    }
}

/// What git prints, one path a line, sorted; of those that are still there.
fn git_paths(world: &Service, arguments: &[&str]) -> String {
    let text = world.git(arguments);
    let paths: BTreeSet<&str> = text
        .lines()
        .filter(|line| !line.is_empty() && world.path().join(line).exists())
        .collect();
    paths.into_iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_kind_of_scope_means_these_files() {
    let world = shop();
    check_files(
        &world,
        &[
            (
                "Production",
                "src/Shop/Order.cs src/Shop/Pages/Home.razor src/Shop/Shop.csproj src/Shop/Stock.cs src/Shop/Stock.g.cs",
            ),
            (
                "'Project Test Files'",
                "test/OrderTests.cs test/Shop.Tests.csproj test/broken.cs",
            ),
            (
                "'Project Files' & !Production & !Tests",
                ".context/config.toml .idea/scopes/Orders.xml CODEOWNERS README.md Shop.slnx",
            ),
            ("'Generated Files'", "src/Shop/Stock.g.cs"),
            ("Problems", "test/broken.cs"),
            (
                "module(Shop) & pattern(file:*)",
                "src/Shop/Order.cs src/Shop/Shop.csproj src/Shop/Stock.cs src/Shop/Stock.g.cs",
            ),
            (
                "module(Shop.Tests, MODULE_WITH_DEPENDENCIES) & pattern(file:*.csproj)",
                "src/Shop/Shop.csproj test/Shop.Tests.csproj",
            ),
            ("'All orders'", "src/Shop/Order.cs test/OrderTests.cs"),
            ("named(config, Pages)", "src/Shop/Pages/Home.razor"),
            ("dir(src/Shop/Pages)", "src/Shop/Pages/Home.razor"),
            ("files(README.md, ./CODEOWNERS)", "CODEOWNERS README.md"),
            (
                "codeowners:@shop/core & dir(src/Shop/Pages)",
                "src/Shop/Pages/Home.razor",
            ),
            (
                "codeowners:@all & pattern(file:*)",
                "CODEOWNERS Shop.slnx test/OrderTests.cs test/Shop.Tests.csproj test/broken.cs",
            ),
            ("impact:HEAD", ""),
        ],
    );
}
#[test]
fn patterns_know_namespaces_projects_and_solution_folders() {
    let world = shop();
    check_files(
        &world,
        &[
            ("pattern(src:Shop.Orders.*)", "src/Shop/Order.cs"),
            ("pattern(src:Shop.Made..*)", "src/Shop/Stock.g.cs"),
            ("pattern(src:Stock.g)", "src/Shop/Stock.g.cs"),
            ("pattern(src:Shop.Pages.*)", "src/Shop/Pages/Home.razor"),
            (
                "pattern(test:*..*)",
                "test/OrderTests.cs test/Shop.Tests.csproj",
            ),
            ("pattern(file[Shop]:Order.cs)", "src/Shop/Order.cs"),
            (
                "pattern(file[group:checks]:*.cs)",
                "test/OrderTests.cs test/broken.cs",
            ),
            (
                "pattern(projectPath:src//*.razor)",
                "src/Shop/Pages/Home.razor",
            ),
            ("pattern(problem:*)", "test/broken.cs"),
        ],
    );
}
#[test]
fn symbols_are_ranges_that_nothing_widens() {
    let world = shop();
    check_files(
        &world,
        &[
            ("type:Order", "src/Shop/Order.cs:3-10"),
            ("members:Order", "src/Shop/Order.cs:6,8-9"),
            ("type:Order.Add", "src/Shop/Order.cs:8-9"),
            ("members:Order & type:Order.Add", "src/Shop/Order.cs:8-9"),
            ("type:Order & Tests", ""),
            (
                "type:Order | files(README.md)",
                "README.md src/Shop/Order.cs:3-10",
            ),
            ("type:Order | files(src/Shop/Order.cs)", "src/Shop/Order.cs"),
        ],
    );
    let answer = world.answer("scope-files", json!({"scope": "members:Order"}));
    let ranges = answer["files"][0]["ranges"]
        .as_array()
        .expect("it has ranges");
    let text = scopes::ORDER.as_bytes();
    let parts: Vec<&str> = ranges
        .iter()
        .map(|range| {
            let at = |name: &str| range[name].as_u64().expect("a number") as usize;
            std::str::from_utf8(&text[at("start")..at("end")]).expect("whole characters")
        })
        .collect();
    assert_eq!(parts[0], "public int Count { get; set; }");
    assert!(parts[1].starts_with("/// <summary>Wants") && parts[1].ends_with("+= more;"));
}
#[test]
fn git_says_the_same_of_its_files() {
    let world = shop();
    world.edit("src/Shop/Stock.cs", "Last", "Newest");
    world.commit("Rename a field");
    world.git(&["mv", "README.md", "READ.md"]);
    world.git(&["rm", "--quiet", "test/broken.cs"]);
    world.commit("Move and remove");
    world.write("src/Shop/New.cs", "namespace Shop; class New { }\n");
    world.git(&["add", "src/Shop/New.cs"]);
    world.edit("src/Shop/Order.cs", "What", "All that");
    world.write("scratch/try.txt", "1");
    world.write("a.http", "GET /\n");
    world.write(".gitignore", "*.log\n");
    world.write("x.log", "1");
    for (scope, arguments) in [
        (
            "git:changed:HEAD~2..HEAD",
            vec!["diff", "--name-only", "HEAD~2", "HEAD"],
        ),
        ("git:changed:HEAD~1", vec!["diff", "--name-only", "HEAD~1"]),
        ("git:staged", vec!["diff", "--name-only", "--cached"]),
        (
            "git:untracked",
            vec!["ls-files", "--others", "--exclude-standard"],
        ),
        (
            "git:author:thor:10.years",
            vec!["log", "--name-only", "--format="],
        ),
    ] {
        let mut expected = git_paths(&world, &arguments);
        if scope == "git:changed:HEAD~1" {
            // Untracked files differ from a commit too.
            let untracked = git_paths(&world, &["ls-files", "--others", "--exclude-standard"]);
            let all: BTreeSet<&str> = expected.split(' ').chain(untracked.split(' ')).collect();
            expected = all.into_iter().collect::<Vec<_>>().join(" ");
        }
        assert_eq!(files(&world, scope), expected, "{scope}");
    }
    let changed = ".gitignore a.http scratch/try.txt src/Shop/New.cs src/Shop/Order.cs";
    check_files(
        &world,
        &[
            ("git:worktree", changed),
            ("'All Changed Files'", changed),
            ("'Scratches and Consoles'", "a.http scratch/try.txt"),
            ("git:author:Thor:yesterday", ""),
            ("git:changed:HEAD~1..HEAD & Tests", ""),
        ],
    );
}
#[test]
fn the_files_that_change_most_are_those_of_git() {
    let world = crate::demo();
    let log = world.git(&[
        "log",
        "--no-merges",
        "--no-renames",
        "--name-only",
        "--format=",
    ]);
    let mut often: BTreeMap<&str, usize> = BTreeMap::new();
    let is_there = |line: &&str| !line.is_empty() && world.path().join(line).exists();
    for path in log.lines().filter(is_there) {
        *often.entry(path).or_default() += 1;
    }
    let mut ranked: Vec<(&str, usize)> = often.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let mut expected: Vec<&str> = ranked.iter().take(7).map(|it| it.0).collect();
    expected.sort_unstable();
    assert_eq!(files(&world, "git:churn:7"), expected.join(" "));
}
#[test]
fn a_change_reaches_what_depends_on_it_and_nothing_else() {
    let world = shop();
    world.edit(
        "src/Shop/Order.cs",
        "public void Add(int more)",
        "public void Add(long more)",
    );
    world.commit("Change a signature");
    check_files(
        &world,
        &[
            (
                "impact:HEAD~1..HEAD",
                "src/Shop/Order.cs src/Shop/Stock.cs test/OrderTests.cs",
            ),
            ("impact:HEAD~1..HEAD & Tests", "test/OrderTests.cs"),
        ],
    );
}
#[test]
fn an_older_commit_has_its_own_files_and_scopes() {
    let world = shop();
    world.git(&["rm", "--quiet", "-r", ".idea", "test"]);
    world.commit("Remove");
    let at = |scope: &str| {
        let text = world.text("scope-files", json!({"at": "HEAD~1", "scope": scope}));
        text.lines().count()
    };
    assert_eq!((at("Tests"), at("'All orders'")), (3, 2));
    assert_eq!(files(&world, "Tests"), "");
    let error = world.error("scope-files", json!({"scope": "'All orders'"}));
    assert_eq!(error["code"], "InvalidScope");
}
#[test]
fn scopes_of_the_ide_count_that_git_ignores() {
    let world = shop();
    world.write(".gitignore", ".idea/\n");
    world.write(
        ".idea/workspace.xml",
        r#"<project version="4"><component name="NamedScopeManager">
    <scope name="Mine" pattern="file:README.md" />
  </component></project>"#,
    );
    world.write(
        ".idea/.idea.Shop/.idea/scopes/R.xml",
        r#"<component name="DependencyValidationManager"><scope name="Rider" pattern="$Orders||file:Shop.slnx" /></component>"#,
    );
    check_files(&world, &[("Mine", "README.md"), ("Rider", "Shop.slnx")]);
    let envelope = world.envelope("scope-files", json!({"scope": "Rider"}));
    assert_eq!(envelope["answer"]["files"][0]["file"], "Shop.slnx");
    assert_eq!(
        warnings(&envelope),
        ["token 0: atom `a1`: no named scope `Orders`, so `$Orders` matches nothing"]
    );
}
#[test]
fn pages_are_parts_of_the_whole() {
    let world = shop();
    let all = files(&world, "'Project Files'");
    let all: Vec<&str> = all.split(' ').collect();
    let mut paged: Vec<String> = Vec::new();
    loop {
        let offset = paged.len();
        let page = world.answer(
            "scope-files",
            json!({"scope": "'Project Files'", "limit": 4, "offset": offset}),
        );
        let files = page["files"].as_array().expect("a list");
        paged.extend(
            files
                .iter()
                .map(|it| it["file"].as_str().expect("a path").to_owned()),
        );
        assert_eq!(page["total"], all.len());
        if paged.len() >= all.len() {
            break;
        }
        assert_eq!(files.len(), 4);
    }
    assert_eq!(paged, all);
}
#[cfg(unix)]
#[test]
fn a_name_never_looks_like_two() {
    let world = Service::with_files(&[("a\nb\u{1b}[2J", "1")]);
    let quoted = r#""a\nb\033[2J""#;
    assert_eq!(files(&world, "'Project Files'"), quoted);
    assert_eq!(files(&world, "pattern(file:a*)"), quoted);
}
#[test]
fn the_same_question_has_the_same_answer() {
    let world = shop();
    for scope in ["'All Places'", "members:Order | Tests", "git:churn:3"] {
        let ask = || world.envelope("scope-files", json!({"scope": scope}));
        assert_eq!(ask(), ask(), "{scope}");
    }
}

#[test]
fn the_catalog_lists_each_scope_once() {
    let world = shop();
    check(
        "scope_list_text",
        &world,
        Format::Text,
        "scope-list",
        json!({}),
    );
    let catalog = world.answer("scope-list", json!({}));
    let items = catalog["items"].as_array().expect("it has items");
    let named = |name: &str| -> Vec<&Value> {
        let items = items.iter();
        items.filter(|item| item["displayName"] == name).collect()
    };
    assert_eq!(
        named("Shop"),
        [&json!({
            "scopeRefId": "module:Shop:MODULE",
            "displayName": "Shop",
            "kind": "MODULE",
            "scopeShape": "GLOBAL",
            "requiresUserInput": false,
            "unstable": false,
        })]
    );
    assert_eq!(named("codeowners:@all").len(), 1);
}

#[test]
fn the_caller_says_what_an_editor_shows() {
    let world = shop();
    let text = |request: Value| world.text("scope-files", request);
    assert_eq!(
        text(json!({"scope": "'Open Files'", "open": ["README.md", "./CODEOWNERS"]})),
        "CODEOWNERS\nREADME.md\n"
    );
    let selection =
        |path: &str, first: u32, last: u32| json!([{"path": path, "first": first, "last": last}]);
    assert_eq!(
        text(json!({
            "scope": "'Current File' | Selection",
            "current": "README.md",
            "selection": selection("src/Shop/Order.cs", 6, 8),
        })),
        "README.md\nsrc/Shop/Order.cs:6-8\n"
    );
    // Of any file, in its encoding.
    let lines = "one\r\ntwo ä\r\nthree\r\n";
    let units = std::iter::once(0xFEFF).chain(lines.encode_utf16());
    let wide: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    world.write("notes/wide.txt", wide);
    world.write("notes/utf8.txt", lines);
    for path in ["notes/wide.txt", "notes/utf8.txt"] {
        for (selected, expected) in [((2, 3), "2-3"), ((1, 99), "1-3")] {
            let selection = selection(path, selected.0, selected.1);
            let request = json!({"scope": "Selection", "selection": selection});
            assert_eq!(text(request), format!("{path}:{expected}\n"));
        }
    }
    let error = world.error("scope-files", json!({"scope": "Selection"}));
    assert_eq!(error["code"], "InvalidScope");
}

#[test]
fn what_is_missing_fails_is_empty_or_is_left_out() {
    let world = shop();
    for missing in ["fail", "empty", "skip"] {
        let request = json!({"scope": "Tests & !module(Gone)", "missing": missing});
        let name = format!("scope_missing_{missing}");
        check(&name, &world, Format::Text, "scope-files", request);
    }
}

#[test]
fn a_program_differs_from_a_descriptor_by_its_form_alone() {
    let world = shop();
    let describe = |name: &str, further: Value| {
        let mut program = json!({
            "atoms": [{ "atomId": "a", "kind": "MODULE", "moduleName": name }],
            "tokens": [{ "op": "PUSH_ATOM", "atomId": "a" }],
        });
        for (field, value) in further.as_object().expect("fields") {
            program[field] = value.clone();
        }
        let request = json!({"scope": program.to_string()});
        world.show(Format::Text, "scope-describe", request)
    };
    assert!(describe("version", json!({})).starts_with("module(version)\n"));
    let descriptor = |version: u32| json!({ "version": version, "displayName": "", "scopeShape": "GLOBAL", "diagnostics": [] });
    assert!(describe("Shop", descriptor(1)).starts_with("module(Shop)\n"));
    let newer = describe("Shop", descriptor(2));
    assert!(
        newer.contains("unknown version 2 of the form; this program reads 1"),
        "{newer}"
    );
}
