//! `scope`: what is told of a scope that means nothing, or less than one may think.

use cortex_check::{Service, error_lines, json, warnings};

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"#;

fn world() -> Service {
    Service::with_files(&[
        ("App/App.csproj", PROJECT),
        ("App/Pages/Home.cs", "class Home { }\n"),
        ("App/Order.cs", "class Order { }\n"),
        ("docs/a.md", "# A\n"),
    ])
}

/// The files of a scope, and the warnings about it.
fn run(world: &Service, scope: &str) -> String {
    let envelope = world.envelope("scope-files", json!({"scope": scope}));
    let mut out = world.text("scope-files", json!({"scope": scope}));
    for warning in warnings(&envelope) {
        out += &format!("warning: {warning}\n");
    }
    out
}

#[track_caller]
fn check_error(world: &Service, scope: &str, parts: &[&str]) {
    let error = world.error("scope-files", json!({"scope": scope}));
    assert_eq!(error["code"], "InvalidScope", "{scope}");
    let text = error_lines(&error);
    for part in parts {
        assert!(text.contains(part), "{scope}: `{part}` is not in {text}");
    }
}

#[test]
fn one_wrong_scope_of_the_configuration_costs_no_other() {
    let world = world();
    world.write(
        ".context/config.toml",
        "[scopes]\nB = \"file:*.md\"\nNum = 3\nA = [\"x\"]\nC = \"file:Pages//*\"\n",
    );
    let text = run(&world, "B");
    assert!(text.starts_with("docs/a.md\nwarning: "), "{text}");
    for told in ["the scope `A` is a list", "the scope `Num` is a number"] {
        assert!(text.contains(told), "{text}");
        check_error(&world, "Num", &["no scope is named `Num`", told]);
        check_error(&world, "named(config, A)", &[told]);
        let catalog = world.answer("scope-list", json!({}));
        assert!(
            catalog["diagnostics"].to_string().contains(told),
            "{catalog}"
        );
        assert!(world.text("config", json!({})).contains(told));
    }
    assert_eq!(run(&world, "dir(docs)"), "docs/a.md\n");
    assert!(run(&world, "pattern($C)").contains("the scope `A` is a list"));

    world.write(".context/config.toml", "[scopes]\nB = \"file:*.md\"\nC =\n");
    let told = "`.context/config.toml:3` is not read: ";
    check_error(&world, "B", &[told]);
    let text = run(&world, "pattern($B)");
    assert!(text.contains(told), "{text}");
    assert!(
        world.answer("scope-list", json!({}))["diagnostics"]
            .to_string()
            .contains(told)
    );
}
#[test]
fn one_wrong_area_costs_no_other() {
    let world = world();
    world.write(
        ".context/config.toml",
        "[[area]]\nroot = \"App\"\n[[area]]\nname = \"texts\"\nroot = \"docs\"\nglobs = [\"docs/**\"]\n[vocabulary]\ngo = 1\ncsharp = [\"order\"]\n",
    );
    let text = run(&world, "area:texts");
    assert!(text.starts_with("docs/a.md\n"), "{text}");
    assert!(
        text.contains("warning: ") && text.contains("[[area]] 1: missing field `name`"),
        "{text}"
    );
    let config = world.text("config", json!({}));
    assert!(
        config.contains("[[area]] 1: missing field `name`"),
        "{config}"
    );
    assert!(
        config.contains("the vocabulary of `go` must be a list of words"),
        "{config}"
    );
    assert!(!config.contains("means nothing"), "{config}");
    let catalog = world.text("scope-list", json!({}));
    assert!(catalog.contains("\n  area:texts\n"), "{catalog}");
}
#[test]
fn a_broken_file_of_the_ide_is_told() {
    let world = world();
    world.write(".idea/scopes/Broken.xml", "<component name=");
    world.write(
        ".idea/scopes/Good.xml",
        r#"<component name="DependencyValidationManager"><scope name="Good" pattern="file:*.md" /></component>"#,
    );
    let text = run(&world, "Good");
    assert!(text.starts_with("docs/a.md\n"), "{text}");
    assert!(
        text.contains("`.idea/scopes/Broken.xml` is not read: "),
        "{text}"
    );
    check_error(
        &world,
        "Broken",
        &["`.idea/scopes/Broken.xml` is not read: "],
    );
}
#[test]
fn a_pattern_of_ones_own_knows_the_names_of_all_holders() {
    let world = world();
    world.write(
        ".idea/workspace.xml",
        r#"<project><component name="NamedScopeManager"><scope name="Mine" pattern="$Pages||file:*.md" /><scope name="Both" pattern="file:*.md" /></component></project>"#,
    );
    world.write(
        ".context/config.toml",
        "[scopes]\nPages = \"file:Pages//*\"\nBoth = \"file:Pages//*\"\n",
    );
    assert_eq!(run(&world, "pattern($Pages)"), "App/Pages/Home.cs\n");
    assert_eq!(run(&world, "pattern($Both)"), "docs/a.md\n");
    // What stands in a holder sees its own and the shared ones, as in the IDE.
    let text = run(&world, "Mine");
    assert!(text.starts_with("docs/a.md\nwarning: "), "{text}");
    assert!(
        text.contains("patterns in `NamedScopeManager` cannot see the one in `config`"),
        "{text}"
    );
}
#[test]
fn a_module_that_no_project_has_is_told() {
    let world = world();
    for (pattern, told) in [
        (
            "file[Nope]:*.cs",
            "no project is named `Nope`, so `file[Nope]:*.cs` matches nothing",
        ),
        ("file[app]:*.cs", "did you mean `App`?"),
        ("src[group:x]:*", "no solution folder is named `x`"),
        ("lib[Nope]:*", "no package is named `Nope`"),
    ] {
        let text = run(&world, &format!("pattern({pattern})"));
        assert!(
            text.starts_with("warning: ") && text.contains(told),
            "{text}"
        );
    }
    assert_eq!(run(&world, "pattern(file[App]:*.md)"), "");
    // Wherever a question is limited to it.
    let request = json!({"query": "Ord", "filter": {"scope": "!pattern(file[Nope]:*.cs)"}});
    let envelope = world.envelope("search-symbols", request);
    let text = format!("{} {:?}", envelope["answer"], warnings(&envelope));
    assert!(
        text.contains("Order") && text.contains("no project is named `Nope`"),
        "{text}"
    );
}
#[test]
fn what_is_nearly_a_scope_is_told_as_it_must_be_written() {
    let world = world();
    check_error(&world, "file:*.cs", &["`pattern(file:*.cs)`"]);
    check_error(&world, "src:App..*", &["`pattern(src:App..*)`"]);
    check_error(&world, "file[App]:*.cs", &["`pattern(file[App]:*.cs)`"]);
    check_error(&world, "$Pages", &["`pattern($Pages)`"]);
    check_error(&world, "git:changed", &["write `git:changed:<range>`"]);
    check_error(&world, "git:changed:", &["write `git:changed:<range>`"]);
    check_error(&world, "git:churn:", &["write `git:churn:<n>`"]);
    check_error(&world, "area:", &["write `area:<name>`"]);
    check_error(&world, "git:staged:x", &["write `git:staged`"]);
    check_error(
        &world,
        "git:foo",
        &[
            "unknown git scope `git:foo`",
            "`git:changed:<range>`",
            "`git:staged`",
        ],
    );
    check_error(&world, "git:author::yesterday", &["names nobody"]);
    check_error(&world, "git:author:Thor:soon", &["`soon` is no time"]);
    check_error(
        &world,
        "git:author:Nobody:2.weeks",
        &["no commit has an author with `Nobody`"],
    );
    check_error(
        &world,
        "'Open Files'",
        &["only an editor knows `Open Files`", "supply-context"],
    );
}
#[test]
fn names_that_need_quotes_are_shown_with_them() {
    let world = world();
    for (scope, quoted) in [
        ("Project Files", "'Project Files'"),
        ("Tests & Project Files | Production", "'Project Files'"),
        ("(Project Files)", "'Project Files'"),
        (
            "git:author:Luke Pulverenti:2013-01-01",
            "'git:author:Luke Pulverenti:2013-01-01'",
        ),
        ("files(src/with space/n ä.txt)", "'src/with space/n ä.txt'"),
        ("named:config:My Scope", "'named:config:My Scope'"),
        ("git:changed:HEAD^!", "'git:changed:HEAD^!'"),
    ] {
        check_error(&world, scope, &[&format!(r#""quoted":"{quoted}""#)]);
    }
}
#[test]
fn authors_are_those_of_git() {
    let world = world();
    world.write("docs/b.md", "# B\n");
    world.git(&["add", "--all"]);
    world.git(&[
        "commit",
        "--quiet",
        "--author",
        "Ann Other <ann@example.org>",
        "--message",
        "B",
    ]);
    for name in ["ann", "Ann Other", "ann@example.org", "Other <ann@"] {
        let scope = format!("'git:author:{name}:1.year.2.months ago'");
        assert_eq!(run(&world, &scope), "docs/b.md\n", "{scope}");
    }
    let all = run(&world, "git:author:@example:2026-01-01 & dir(docs)");
    assert_eq!(all, "docs/a.md\ndocs/b.md\n");
}
