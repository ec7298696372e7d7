//! Changes of projects and packages, in words.

use crate::diff_context::compared::Compared;
use cortex_wire::ProjectChange;

use std::collections::BTreeMap;

use cortex_index::ProjectRecord;
use cortex_model::RepoPath;

/// What differs between the evaluated projects of both sides, by project.
pub(crate) fn project_changes(compared: &Compared) -> Vec<ProjectChange> {
    let files = compared.files.iter().map(|file| file.path());
    if !files.clone().any(cortex_index::is_project_file) {
        return Vec::new();
    }
    let [old, new] = compared.projects.each_ref().map(|records| {
        let records = records.iter();
        let by_path = records.map(|record| (&record.project.path, record));
        by_path.collect::<BTreeMap<&RepoPath, &ProjectRecord>>()
    });
    let mut out = Vec::new();
    for (path, after) in &new {
        match old.get(path) {
            None => out.push(ProjectChange {
                path: (*path).clone(),
                text: format!("new project, assembly `{}`", after.project.assembly),
            }),
            Some(before) => differences(before, after, &mut out),
        }
    }
    for path in old.keys().filter(|path| !new.contains_key(*path)) {
        out.push(ProjectChange {
            path: (*path).clone(),
            text: "project removed".to_owned(),
        });
    }
    out.sort();
    out
}

fn differences(old: &ProjectRecord, new: &ProjectRecord, out: &mut Vec<ProjectChange>) {
    let (before, after) = (&old.project, &new.project);
    let mut say = |text: String| {
        out.push(ProjectChange {
            path: after.path.clone(),
            text,
        })
    };
    packages(old, new, &mut say);
    let scalar = [
        ("assembly", before.assembly.clone(), after.assembly.clone()),
        (
            "root namespace",
            before.root_namespace.clone(),
            after.root_namespace.clone(),
        ),
        ("target framework", before.tfm.clone(), after.tfm.clone()),
        (
            "language version",
            before.language_version.clone().unwrap_or_default(),
            after.language_version.clone().unwrap_or_default(),
        ),
        (
            "nullable",
            format!("{:?}", before.nullable).to_lowercase(),
            format!("{:?}", after.nullable).to_lowercase(),
        ),
    ];
    for (what, before, after) in scalar
        .into_iter()
        .filter(|(_, before, after)| before != after)
    {
        let shown = |text: String| {
            if text.is_empty() {
                "default".to_owned()
            } else {
                text
            }
        };
        say(format!("{what} {} → {}", shown(before), shown(after)));
    }
    let sets: [(&str, Vec<String>, Vec<String>); 3] = [
        (
            "reference to",
            texts(&before.references),
            texts(&after.references),
        ),
        (
            "`#if` symbol",
            before.symbols.clone(),
            after.symbols.clone(),
        ),
        (
            "friend assembly",
            before.friends.clone(),
            after.friends.clone(),
        ),
    ];
    for (what, before, after) in sets {
        after
            .iter()
            .filter(|item| !before.contains(item))
            .for_each(|item| say(format!("{what} {item} added")));
        before
            .iter()
            .filter(|item| !after.contains(item))
            .for_each(|item| say(format!("{what} {item} removed")));
    }
    usings(old, new, &mut say);
}

/// The packages that were added, removed or have another version.
fn packages(old: &ProjectRecord, new: &ProjectRecord, say: &mut impl FnMut(String)) {
    let versions = |project: &ProjectRecord| -> BTreeMap<String, String> {
        let each = project.project.packages.iter();
        each.map(|package| {
            (
                package.name.clone(),
                package.version.clone().unwrap_or_default(),
            )
        })
        .collect()
    };
    let (packages_before, packages_after) = (versions(old), versions(new));
    for (name, version) in &packages_after {
        match packages_before.get(name) {
            None => say(format!("package {name} {version} added")),
            Some(known) if known != version => say(format!("package {name} {known} → {version}")),
            Some(_) => {}
        }
    }
    for name in packages_before
        .keys()
        .filter(|name| !packages_after.contains_key(*name))
    {
        say(format!("package {name} removed"));
    }
}

/// The global usings that were added or removed.
fn usings(old: &ProjectRecord, new: &ProjectRecord, say: &mut impl FnMut(String)) {
    let targets = |record: &ProjectRecord| -> Vec<String> {
        record
            .project
            .usings
            .iter()
            .map(|using| using.target.clone())
            .collect()
    };
    let (usings_before, usings_after) = (targets(old), targets(new));
    usings_after
        .iter()
        .filter(|item| !usings_before.contains(item))
        .for_each(|item| say(format!("global using {item} added")));
    usings_before
        .iter()
        .filter(|item| !usings_after.contains(item))
        .for_each(|item| say(format!("global using {item} removed")));
}

fn texts(paths: &[RepoPath]) -> Vec<String> {
    paths.iter().map(|path| path.as_str().to_owned()).collect()
}
