//! What could not be bound and why: for people in a few lines, for programs in full.

use std::{collections::BTreeSet, fmt::Write};

use cortex_index::{FrameworkAssemblies, ProjectCounts, ProjectRecord};
use serde_json::{Value, json};

use crate::commands::count;

/// Packages named in one line.
const MAX_NAMED: usize = 8;

/// The words of the reasons, in the order of [`ProjectCounts::unbound`].
const REASONS: [(&str, &str); 4] = [
    ("not_found", "not found"),
    ("ambiguous", "ambiguous"),
    (
        "unknown_receiver",
        "behind something of unknown type or `dynamic`",
    ),
    ("no_overload", "without an overload for the arguments"),
];

/// The lines on all projects.
pub(super) fn text(projects: &[ProjectRecord]) -> String {
    let all = sum(projects);
    let mut out = String::new();
    if all.n_names() == 0 {
        return out;
    }
    let _ = writeln!(out, "  {}", bound(&all));
    let unbound = all.n_unbound();
    if unbound > 0 {
        let reasons = all.unbound.iter().zip(REASONS);
        let reasons: Vec<String> = reasons
            .filter(|(number, _)| **number > 0)
            .map(|(number, (_, words))| format!("{number} {words}"))
            .collect();
        let _ = writeln!(out, "    {}", reasons.join(", "));
    }
    if all.unbound_degraded > 0 {
        let _ = writeln!(
            out,
            "    {} of them in files that did not parse wholly",
            all.unbound_degraded
        );
    }
    if all.unbound_conditional > 0 {
        let _ = writeln!(
            out,
            "    {} of them in files of which `#if` leaves parts out",
            all.unbound_conditional
        );
    }
    let lacking = lacking(projects);
    let packages = missing(lacking.iter().copied());
    if !packages.is_empty() {
        let among: u64 = lacking.iter().map(|it| it.counts.n_unbound()).sum();
        let _ = writeln!(
            out,
            "    {among} of them in {} without {}: run `dotnet restore`",
            count(lacking.len(), "project"),
            named(&packages)
        );
    }
    let elsewhere = projects.iter();
    let elsewhere: Vec<&ProjectRecord> = elsewhere
        .filter(|record| record.counts.n_unbound() == 0 && !record.references.missing.is_empty())
        .collect();
    let packages = &missing(elsewhere.into_iter()) - &packages;
    if !packages.is_empty() {
        let _ = writeln!(
            out,
            "  not on this machine, and not missed: {}",
            named(&packages)
        );
    }
    let sources: BTreeSet<String> = projects.iter().map(framework).collect();
    let sources: Vec<String> = sources.into_iter().collect();
    let _ = writeln!(out, "  framework: {}", sources.join(", "));
    out
}

/// The lines on one project, for `--projects`.
pub(super) fn project_text(record: &ProjectRecord) -> String {
    let mut out = String::new();
    let (counts, references) = (&record.counts, &record.references);
    if counts.n_names() > 0 {
        let _ = writeln!(out, "    {}", bound(counts));
    }
    if counts.degraded + counts.skipped + counts.inactive > 0 {
        let _ = writeln!(
            out,
            "    {}: {} parsed in part, {} skipped; `#if` leaves out {}",
            count(counts.files as usize, "file"),
            counts.degraded,
            counts.skipped,
            count(counts.inactive as usize, "place")
        );
    }
    let packages = missing(std::iter::once(record));
    if !packages.is_empty() {
        let _ = writeln!(out, "    not on this machine: {}", named(&packages));
    }
    for package in &references.approximate {
        let _ = writeln!(
            out,
            "    {} {} in place of {}",
            package.name, package.found, package.wanted
        );
    }
    for file in &references.unreadable {
        let _ = writeln!(out, "    cannot be read: {file}");
    }
    let _ = writeln!(out, "    framework: {}", framework(record));
    out
}

/// Everything about all projects.
pub(super) fn json(projects: &[ProjectRecord]) -> Value {
    let mut value = counts_json(&sum(projects));
    let lacking = lacking(projects);
    let among: u64 = lacking.iter().map(|it| it.counts.n_unbound()).sum();
    value["unbound"]["in_projects_with_missing_packages"] = json!(among);
    value["missing_packages"] = json!(missing(projects.iter()));
    value
}

/// Everything about one project.
pub(super) fn project_json(record: &ProjectRecord) -> Value {
    let (counts, references) = (&record.counts, &record.references);
    let (source, version) = match &references.framework {
        FrameworkAssemblies::None => ("none", ""),
        FrameworkAssemblies::BuiltIn(version) => ("built-in", version.as_str()),
        FrameworkAssemblies::Machine(version) => ("machine", version.as_str()),
    };
    json!({
        "files": {
            "tracked": counts.files,
            "degraded": counts.degraded,
            "skipped": counts.skipped,
            "inactive_stretches": counts.inactive,
        },
        "names": counts_json(counts),
        "framework": { "source": source, "version": version },
        "missing_packages": missing(std::iter::once(record)),
        "other_versions": references.approximate.iter().map(|package| json!({
            "name": package.name, "wanted": package.wanted, "found": package.found,
        })).collect::<Vec<_>>(),
        "unreadable": references.unreadable,
    })
}

fn counts_json(counts: &ProjectCounts) -> Value {
    let reasons = counts.unbound.iter().zip(REASONS);
    let mut unbound: serde_json::Map<String, Value> = reasons
        .map(|(number, (key, _))| (key.to_owned(), json!(number)))
        .collect();
    for (key, number) in [
        ("total", counts.n_unbound()),
        ("files", counts.files_unbound),
        ("in_degraded_files", counts.unbound_degraded),
        ("in_conditional_files", counts.unbound_conditional),
    ] {
        unbound.insert(key.to_owned(), json!(number));
    }
    json!({
        "total": counts.n_names(),
        "of_the_repository": counts.bound,
        "overload_sets": counts.overload_sets,
        "from_outside": counts.outside,
        "unbound": unbound,
    })
}

fn sum(projects: &[ProjectRecord]) -> ProjectCounts {
    let mut all = ProjectCounts::default();
    projects.iter().for_each(|record| all.add(&record.counts));
    all
}

/// The share of bound names; rounded down, so that no unbound name hides behind 100 %.
fn bound(counts: &ProjectCounts) -> String {
    let (names, unbound) = (counts.n_names(), counts.n_unbound());
    let all = count(names as usize, "name");
    if unbound == 0 {
        return format!("bound: all of {all}");
    }
    let thousandths = (names - unbound) * 1000 / names;
    format!(
        "bound: {}.{} % of {all}; {unbound} not, in {}",
        thousandths / 10,
        thousandths % 10,
        count(counts.files_unbound as usize, "file")
    )
}

/// Projects with unbound names that miss packages.
fn lacking(projects: &[ProjectRecord]) -> Vec<&ProjectRecord> {
    let damaged = projects.iter();
    damaged
        .filter(|it| it.counts.n_unbound() > 0 && !it.references.missing.is_empty())
        .collect()
}

/// Missing packages with their versions, by name.
fn missing<'a>(projects: impl Iterator<Item = &'a ProjectRecord>) -> BTreeSet<String> {
    projects
        .flat_map(|record| &record.references.missing)
        .map(|package| {
            let text = format!("{} {}", package.name, package.version);
            text.trim_end().to_owned()
        })
        .collect()
}

fn named(packages: &BTreeSet<String>) -> String {
    let shown: Vec<&str> = packages
        .iter()
        .take(MAX_NAMED)
        .map(String::as_str)
        .collect();
    let mut out = shown.join(", ");
    if packages.len() > MAX_NAMED {
        let _ = write!(out, " and {} more", packages.len() - MAX_NAMED);
    }
    out
}

fn framework(record: &ProjectRecord) -> String {
    match &record.references.framework {
        FrameworkAssemblies::None => "no assemblies".to_owned(),
        FrameworkAssemblies::BuiltIn(version) => format!("built-in table {version}"),
        FrameworkAssemblies::Machine(version) => format!("reference assemblies {version}"),
    }
}
