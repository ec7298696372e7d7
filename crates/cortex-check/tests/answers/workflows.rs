//! Workflows of GitHub that run because of the paths of changed files.

use cortex_check::{Format, Service, Value, json, render};

const DATABASE: &str = "name: Database\non:\n  push:\n    branches:\n      - main\n    paths:\n      - \"sql/**\"\n      - \"!sql/old/**\"\n  pull_request:\n    paths: [\"sql/**\", \"src/*.cs\"]\njobs:\n  test:\n    runs-on: x\n";

const ALL: &str = "on: [push]\njobs:\n  paths:\n    - \"**\"\n";

/// What a change of files says of workflows: file, events, how many files, and patterns with their lines.
fn told(after: &[(&str, &str)]) -> (Value, Vec<String>) {
    let world = Service::parse("//- /src/A.cs\nclass A { }\n");
    world.write(".github/workflows/database.yml", DATABASE);
    world.write(".github/workflows/all.yml", ALL);
    world.write(".github/workflows/notes/no.yml", DATABASE);
    world.commit("before");
    for (path, text) in after {
        world.write(path, text);
    }
    world.commit("after");
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let all = answer["answer"]["impact"]["workflows"].as_array().cloned();
    let rows = all.unwrap_or_default().iter().map(row).collect();
    (answer, rows)
}

fn row(run: &Value) -> String {
    let patterns = run["patterns"].as_array().into_iter().flatten();
    let patterns: Vec<String> = patterns
        .map(|it| format!("{}:{} {}", it["pattern"], it["line"], it["nFiles"]))
        .collect();
    format!(
        "{} {} {} {}",
        run["file"],
        run["events"],
        run["nFiles"],
        patterns.join(", ")
    )
}

#[test]
fn a_workflow_with_paths_is_told_where_one_of_them_matches() {
    let (answer, rows) = told(&[
        ("sql/a/A.sql", "SELECT 1"),
        ("sql/B.sql", "SELECT 1"),
        ("sql/old/C.sql", "SELECT 1"),
    ]);
    assert_eq!(
        rows,
        ["\".github/workflows/database.yml\" [\"push\",\"pull_request\"] 2 \"sql/**\":7 2"]
    );
    let text = render(&answer, Format::Markdown, 4_000).expect("the answer has Markdown");
    assert!(
        text.contains("CI runs .github/workflows/database.yml on 2 of the files (paths: sql/**)"),
        "{text}"
    );
}

#[test]
fn what_is_taken_out_again_and_what_no_pattern_matches_runs_nothing() {
    let (_, rows) = told(&[("sql/old/C.sql", "SELECT 1"), ("src/a/B.cs", "class B { }")]);
    assert_eq!(
        rows,
        ["\".github/workflows/database.yml\" [\"pull_request\"] 1 \"sql/**\":10 1"]
    );
    assert_eq!(told(&[("src/a/B.cs", "class B { }")]).1, [] as [&str; 0]);
}

#[test]
fn a_changed_workflow_is_as_it_is_now() {
    let now = DATABASE.replace("sql", "queries");
    let (_, rows) = told(&[
        (".github/workflows/database.yml", &now),
        ("sql/A.sql", "SELECT 1"),
        ("src/A.cs", "class A { int a; }"),
    ]);
    assert_eq!(
        rows,
        ["\".github/workflows/database.yml\" [\"pull_request\"] 1 \"src/*.cs\":10 1"]
    );
}
