//! `scope`: what is told of a scope that means nothing, or less than one may think.

use crate::harness::{World, shown};

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"#;

fn world() -> World {
    World::with_files(&[
        ("App/App.csproj", PROJECT),
        ("App/Pages/Home.cs", "class Home { }\n"),
        ("App/Order.cs", "class Order { }\n"),
        ("docs/a.md", "# A\n"),
    ])
}

fn run(world: &World, scope: &str) -> String {
    shown(&world.run(&["scope", "files", scope]))
}

#[test]
fn a_bare_repository_has_neither_index_nor_work_tree() {
    let world = world();
    let bare = world.beside("bare.git");
    let place = bare.to_str().expect("it is UTF-8");
    world.git(&["clone", "--quiet", "--bare", ".", place]);
    let ask = |scope: &str| shown(&world.run_in(&bare, &["scope", "files", scope]));
    for (scope, what) in [
        ("git:staged", "has no index"),
        ("git:worktree", "has no work tree"),
        ("git:untracked", "has no work tree"),
        ("'All Changed Files'", "has no work tree"),
        ("'Scratches and Consoles'", "has no work tree"),
    ] {
        let text = ask(scope);
        assert!(
            text.contains(what) && text.contains("git:changed:HEAD~1..HEAD"),
            "{scope}: {text}"
        );
        assert!(text.ends_with("──── exit code 2\n"), "{scope}: {text}");
    }
    assert_eq!(ask("'Recently Changed Files' & dir(docs)"), "docs/a.md\n");
    let absolute = format!("files({})", world.path().join("docs/a.md").display());
    assert!(
        ask(&absolute).contains("the repository has no work tree"),
        "{}",
        ask(&absolute)
    );
}
#[test]
fn what_was_changed_most_is_told_to_be_of_the_last_commits() {
    let world = World::empty();
    let mut stream = String::new();
    for n in 1..=5_001 {
        let time = 1_700_000_000 + n;
        let who = if n == 1 { "Old Hand" } else { "New Hand" };
        let from = if n == 1 {
            String::new()
        } else {
            format!("from :{}\n", n - 1)
        };
        let path = if n == 1 { "old.txt" } else { "new.txt" };
        stream.push_str(&format!(
            "commit refs/heads/main\nmark :{n}\nauthor {who} <h@example.com> {time} +0000\ncommitter {who} <h@example.com> {time} +0000\ndata 1\nx\n{from}M 100644 inline {path}\ndata {}\n{n}\n\n",
            n.to_string().len()
        ));
    }
    world.import(&stream);
    assert_eq!(run(&world, "'git:author:Old Hand:2020-01-01'"), "old.txt\n");
    let text = run(&world, "git:churn:2");
    assert!(
        text.starts_with("new.txt\n──── stderr\nwarning: "),
        "{text}"
    );
    assert!(text.contains("the last 5000 commits"), "{text}");
    assert_eq!(run(&world, "'git:author:Old Hand:yesterday'"), "");
}
#[test]
fn errors_of_arguments_name_help_that_git_does_not_take_over() {
    let world = world();
    for arguments in [&["nope"][..], &["--nope"], &["scope", "files"]] {
        let text = shown(&world.run(arguments));
        assert!(text.contains("try '-h' or 'git cortex help'."), "{text}");
        assert!(text.ends_with("──── exit code 2\n"), "{text}");
    }
}
