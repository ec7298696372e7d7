//! Holds the crates to what `docs/architecture.toml` and `docs/architecture.md` say of them.

#[path = "architecture/sources.rs"]
mod sources;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use xtask::workspace::{self, Metadata};

use sources::forbidden_paths;

/// `docs/architecture.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    crates: BTreeMap<String, Rules>,
    /// Name of a foreign crate, `*` at its end for a family → the crates that may name it.
    engines: BTreeMap<String, BTreeSet<String>>,
    /// Paths that no pure crate may name.
    impure: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    /// The workspace's crates that it depends on.
    uses: BTreeSet<String>,
    /// Further ones that only its tests and benches depend on.
    #[serde(default)]
    tests_use: BTreeSet<String>,
    #[serde(default)]
    pure: bool,
}

fn read(path: impl AsRef<Path>) -> String {
    let path = workspace::root().join(path);
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

fn table() -> Table {
    toml::from_str(&read("docs/architecture.toml"))
        .expect("docs/architecture.toml has the form that this test reads")
}

fn metadata() -> Metadata {
    workspace::metadata().expect("cargo describes the workspace")
}

#[track_caller]
fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// What is wrong with the edges of the workspace, one line each.
fn check_edges(metadata: &Metadata, table: &Table) -> Vec<String> {
    let names: BTreeSet<&str> = metadata
        .packages
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    let mut complaints = Vec::new();
    for name in table
        .crates
        .keys()
        .filter(|name| !names.contains(name.as_str()))
    {
        complaints.push(format!(
            "docs/architecture.toml lists `{name}`, which is no crate of the workspace"
        ));
    }
    for package in &metadata.packages {
        let name = &package.name;
        let Some(rules) = table.crates.get(name) else {
            complaints.push(format!("`{name}` is missing in docs/architecture.toml"));
            continue;
        };
        let mut used = BTreeSet::new();
        for dependency in &package.dependencies {
            let other = &dependency.name;
            if names.contains(other.as_str()) {
                used.insert(other);
                let for_tests =
                    dependency.kind.as_deref() == Some("dev") && rules.tests_use.contains(other);
                if !for_tests && !rules.uses.contains(other) {
                    complaints.push(format!("`{name}` must not depend on `{other}`"));
                }
            }
            for (engine, owners) in &table.engines {
                let is_it = match engine.strip_suffix('*') {
                    Some(family) => other.starts_with(family),
                    None => other == engine,
                };
                if is_it && !owners.contains(name) {
                    complaints.push(format!(
                        "`{name}` must not name `{other}`: only {owners:?} may"
                    ));
                }
            }
        }
        for other in rules
            .uses
            .union(&rules.tests_use)
            .filter(|it| !used.contains(it))
        {
            complaints.push(format!("docs/architecture.toml lets `{name}` use `{other}`, but it does not: remove it there"));
        }
    }
    complaints
}

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    assert_none(&check_edges(&metadata(), &table()));
}

#[test]
fn an_edge_against_the_direction_is_named() {
    let metadata: Metadata = serde_json::from_value(serde_json::json!({
        "target_directory": "target",
        "packages": [
            { "name": "low", "manifest_path": "low/Cargo.toml", "targets": [],
              "dependencies": [{ "name": "high", "kind": null }, { "name": "gix-hash", "kind": "dev" }] },
            { "name": "high", "manifest_path": "high/Cargo.toml", "targets": [], "dependencies": [] },
        ],
    }))
    .expect("the value has the form of cargo's answer");
    let table = toml::from_str(
        r#"
        impure = []
        [crates]
        low = { uses = [] }
        high = { uses = ["low"] }
        gone = { uses = [] }
        [engines]
        "gix*" = ["high"]
        "#,
    )
    .expect("the text is a table");
    let complaints = check_edges(&metadata, &table).join("\n");
    for expected in [
        "`gone`, which is no crate",
        "`low` must not depend on `high`",
        "`low` must not name `gix-hash`",
        "lets `high` use `low`, but it does not",
    ] {
        assert!(
            complaints.contains(expected),
            "no `{expected}` in\n{complaints}"
        );
    }
}

#[test]
fn the_table_has_no_cycle() {
    let table = table();
    let mut settled = BTreeSet::new();
    while settled.len() < table.crates.len() {
        let ready: Vec<&String> = table
            .crates
            .iter()
            .filter(|(name, rules)| !settled.contains(*name) && rules.uses.is_subset(&settled))
            .map(|(name, _)| name)
            .collect();
        let left: Vec<_> = table
            .crates
            .keys()
            .filter(|it| !settled.contains(*it))
            .collect();
        assert!(
            !ready.is_empty(),
            "these depend on each other or on unknown crates: {left:?}"
        );
        settled.extend(ready.into_iter().cloned());
    }
}

#[test]
fn the_code_map_lists_every_crate_and_no_other() {
    let map: BTreeSet<String> = read("docs/architecture.md")
        .lines()
        .filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned()))
        .filter(|name| !name.contains('/'))
        .collect();
    let crates: BTreeSet<String> = metadata().packages.into_iter().map(|it| it.name).collect();
    assert_eq!(
        map, crates,
        "left: the code map of docs/architecture.md, right: the workspace"
    );
}

#[test]
fn pure_crates_touch_neither_disk_nor_clock_nor_environment() {
    let table = table();
    let mut complaints = Vec::new();
    for package in metadata().packages {
        if !table
            .crates
            .get(&package.name)
            .is_some_and(|rules| rules.pure)
        {
            continue;
        }
        let folder = package
            .manifest_path
            .parent()
            .expect("a manifest is in a folder");
        for file in rust_files(&folder.join("src")) {
            let source = fs::read_to_string(&file).expect("a source file can be read");
            for (line, path) in forbidden_paths(&source, &table.impure) {
                complaints.push(format!(
                    "{}:{line}: `{}` is pure and must not name `{path}`",
                    file.display(),
                    package.name
                ));
            }
        }
    }
    assert_none(&complaints);
}

/// Files below a folder without those that hold only tests, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.file_stem().is_some_and(|it| it == "tests") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The documents whose paths are checked; generated ones and records of past decisions are not among them.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "fixtures/demo/README.md",
    "corpus/README.md",
];

#[test]
fn what_the_documents_point_to_exists() {
    let mut complaints = Vec::new();
    for document in DOCUMENTS {
        let text = read(document);
        let folder = workspace::root().join(document);
        let folder = folder.parent().expect("a document is in a folder");
        for link in text.split("](").skip(1).filter_map(|it| it.split_once(')')) {
            let target = link.0.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !folder.join(target).exists() {
                complaints.push(format!("{document}: the link {target} leads nowhere"));
            }
        }
        // Code such as `crates/x/src/y.rs` or, for a test in it, `crates/x/src/y.rs#name_of_the_test`.
        for code in text.split('`').skip(1).step_by(2) {
            let is_path = [
                "crates/",
                "docs/",
                "xtask/",
                "fixtures/",
                "fuzz/",
                "benches/",
                "corpus/",
            ]
            .iter()
            .any(|top| code.starts_with(top));
            if !is_path || code.contains(char::is_whitespace) || has_placeholder(code) {
                continue;
            }
            let (path, test) = code.split_once('#').unwrap_or((code, ""));
            let path = workspace::root().join(path);
            let has_test = || {
                fs::read_to_string(&path)
                    .is_ok_and(|source| source.contains(&format!("fn {test}(")))
            };
            if !path.exists() && !is_ignored(code) {
                complaints.push(format!("{document}: there is no {code}"));
            } else if !test.is_empty() && !has_test() {
                complaints.push(format!("{document}: there is no test {code}"));
            }
        }
    }
    assert_none(&complaints);
}

/// A part in capitals stands for any name.
fn has_placeholder(path: &str) -> bool {
    path.split('/')
        .any(|part| part.len() > 1 && part.bytes().all(|it| it.is_ascii_uppercase()))
}

/// Folders that only running something makes; `.gitignore` holds them.
fn is_ignored(path: &str) -> bool {
    ["fuzz/artifacts", "fuzz/corpus", "fuzz/target"]
        .iter()
        .any(|it| path.starts_with(it))
}
