//! What is indexed, and what was not understood, for people.

use std::{collections::BTreeSet, fmt::Write};

use cortex_wire::{
    FileCounts, FrameworkSource, NameCounts, ProjectStatus, StatusAnswer, StoreStatus,
    TroubledFile, UnboundNames,
};

use super::count;

/// Whether projects are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProjectsShown {
    /// They are counted.
    Counted,
    /// They are, with what was not understood in their files.
    Listed,
}

/// Files listed by name.
const MAX_LISTED: usize = 20;

/// Packages named in one line.
const MAX_NAMED: usize = 8;

/// What is indexed, and what was not understood.
pub fn status_text(answer: &StatusAnswer, projects: ProjectsShown) -> String {
    let mut out = String::new();
    let snapshot = &answer.snapshot;
    let commit = snapshot.commit.as_deref();
    let commit = commit.map_or("no commit yet", |commit| &commit[..commit.len().min(SHORT)]);
    let _ = writeln!(out, "{} ({commit})", snapshot.name);
    let _ = writeln!(
        out,
        "  {}: {}",
        count(snapshot.files.tracked as usize, "C# file"),
        indexed(snapshot.files)
    );
    let _ = writeln!(
        out,
        "  {}, {}, {} between types",
        count(snapshot.types as usize, "type"),
        count(snapshot.members as usize, "member"),
        count(snapshot.edges as usize, "dependency"),
    );
    write_names(&mut out, answer);
    for file in answer.troubled.iter().take(MAX_LISTED) {
        let _ = writeln!(out, "  {}: {}", file.file, trouble(file));
    }
    if answer.troubled.len() > MAX_LISTED {
        let _ = writeln!(out, "  … and {} more", answer.troubled.len() - MAX_LISTED);
    }
    for conflict in &answer.id_conflicts {
        let _ = writeln!(out, "  id conflict: {}", conflict.join(", "));
    }
    let notes: usize = answer.projects.iter().map(|it| it.notes.len()).sum();
    let _ = match notes {
        0 => writeln!(out, "{}", count(answer.projects.len(), "project")),
        _ => writeln!(
            out,
            "{}, {} about their files",
            count(answer.projects.len(), "project"),
            count(notes, "note")
        ),
    };
    if projects == ProjectsShown::Listed {
        for project in &answer.projects {
            write_project(&mut out, project);
        }
    }
    write_store(&mut out, &answer.store);
    out
}

/// How many files are indexed, and how many are not, or only in part.
fn indexed(files: FileCounts) -> String {
    let mut out = match files.indexed == files.tracked {
        true => "all indexed".to_owned(),
        false => format!("{} indexed", files.indexed),
    };
    if files.degraded > 0 {
        let _ = write!(out, ", {} of them with syntax errors", files.degraded);
    }
    if files.skipped > 0 {
        let _ = write!(out, ", {} skipped", files.skipped);
    }
    out
}

/// Digits of a commit's id.
const SHORT: usize = 10;

fn trouble(file: &TroubledFile) -> String {
    match (&file.skipped, file.places) {
        (Some(reason), _) => format!("skipped: {reason}"),
        (None, Some(places)) => count(places as usize, "syntax error"),
        (None, None) => "indexed".to_owned(),
    }
}

/// The lines on the names of all projects.
fn write_names(out: &mut String, answer: &StatusAnswer) {
    let names = &answer.names;
    if names.total == 0 {
        return;
    }
    let _ = writeln!(out, "  {}", bound(names));
    let unbound = &names.unbound;
    if unbound.total > 0 {
        let _ = writeln!(out, "    {}", reasons(unbound));
    }
    if unbound.in_degraded_files > 0 {
        let _ = writeln!(
            out,
            "    {} of them in files with syntax errors",
            unbound.in_degraded_files
        );
    }
    if unbound.in_conditional_files > 0 {
        let _ = writeln!(
            out,
            "    {} of them in files with inactive `#if` code",
            unbound.in_conditional_files
        );
    }
    let lacks = |it: &&ProjectStatus| !it.understood.missing_packages.is_empty();
    let with_packages_missing = answer.projects.iter().filter(lacks);
    let (lacking, others): (Vec<&ProjectStatus>, Vec<&ProjectStatus>) =
        with_packages_missing.partition(|it| it.understood.names.unbound.total > 0);
    let packages = packages_of(&lacking);
    if !packages.is_empty() {
        let _ = writeln!(
            out,
            "    {} of them in {} with missing packages ({}): run `dotnet restore`",
            unbound.in_projects_with_missing_packages.unwrap_or(0),
            count(lacking.len(), "project"),
            named(&packages)
        );
    }
    let unneeded = &packages_of(&others) - &packages;
    if !unneeded.is_empty() {
        let _ = writeln!(
            out,
            "  missing packages that no unresolved name needs: {}",
            named(&unneeded)
        );
    }
    let sources = answer.projects.iter().map(framework);
    let sources: BTreeSet<String> = sources.collect();
    let sources: Vec<String> = sources.into_iter().collect();
    let _ = writeln!(out, "  framework: {}", sources.join(", "));
}

fn reasons(unbound: &UnboundNames) -> String {
    let reasons = [
        (unbound.not_found, "not found"),
        (unbound.ambiguous, "ambiguous"),
        (
            unbound.unknown_receiver,
            "members of an unresolved or `dynamic` expression",
        ),
        (unbound.no_overload, "calls without a matching overload"),
    ];
    let reasons = reasons.into_iter().filter(|(number, _)| *number > 0);
    let reasons: Vec<String> = reasons
        .map(|(number, words)| format!("{number} {words}"))
        .collect();
    reasons.join(", ")
}

/// The share of bound names; rounded down, so that no unbound name hides behind 100 %.
fn bound(names: &NameCounts) -> String {
    let unbound = names.unbound.total;
    let all = count(names.total as usize, "name");
    if unbound == 0 {
        return format!("all {all} resolved");
    }
    let thousandths = (names.total - unbound) * 1000 / names.total;
    format!(
        "{}.{} % of {all} resolved; {unbound} unresolved in {}",
        thousandths / 10,
        thousandths % 10,
        count(names.unbound.files as usize, "file")
    )
}

fn write_project(out: &mut String, project: &ProjectStatus) {
    let others = match project.other_tfms.is_empty() {
        true => String::new(),
        false => format!(" (also {})", project.other_tfms.join(", ")),
    };
    let _ = writeln!(
        out,
        "  {} → {} {}{others}",
        project.file, project.assembly, project.tfm
    );
    let understood = &project.understood;
    if understood.names.total > 0 {
        let _ = writeln!(out, "    {}", bound(&understood.names));
    }
    let files = understood.files;
    let parts = [
        (files.degraded, "with syntax errors"),
        (files.skipped, "skipped"),
        (understood.inactive_places, "inactive `#if` blocks"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, words)| format!("{number} {words}"))
        .collect();
    if !parts.is_empty() {
        let _ = writeln!(
            out,
            "    {}: {}",
            count(files.tracked as usize, "file"),
            parts.join(", ")
        );
    }
    let packages = packages_of(&[project]);
    if !packages.is_empty() {
        let _ = writeln!(out, "    missing packages: {}", named(&packages));
    }
    for package in &understood.other_versions {
        let _ = writeln!(
            out,
            "    {} {} used instead of {}",
            package.name, package.found, package.wanted
        );
    }
    for file in &understood.unreadable {
        let _ = writeln!(out, "    cannot be read: {file}");
    }
    let _ = writeln!(out, "    framework: {}", framework(project));
    for note in &project.notes {
        // Line 0 is the file as a whole.
        let line = match note.line {
            0 => String::new(),
            line => format!(":{line}"),
        };
        let _ = writeln!(out, "    {}{line}: {}", note.file, note.message);
    }
}

fn packages_of(projects: &[&ProjectStatus]) -> BTreeSet<String> {
    let all = projects.iter();
    all.flat_map(|it| it.understood.missing_packages.iter().cloned())
        .collect()
}

fn named(packages: &BTreeSet<String>) -> String {
    let shown = packages.iter().take(MAX_NAMED).map(String::as_str);
    let shown: Vec<&str> = shown.collect();
    let mut out = shown.join(", ");
    if packages.len() > MAX_NAMED {
        let _ = write!(out, " and {} more", packages.len() - MAX_NAMED);
    }
    out
}

fn framework(project: &ProjectStatus) -> String {
    match &project.understood.framework {
        FrameworkSource::None => "none found".to_owned(),
        FrameworkSource::BuiltIn { version } => format!("built-in table {version}"),
        FrameworkSource::Machine { version } => format!("reference assemblies {version}"),
    }
}

fn write_store(out: &mut String, store: &StoreStatus) {
    let max = store.max_bytes;
    let _ = writeln!(
        out,
        "index {}: {:.1} MB{}; {}, {} ({:.1} MB), {} ({:.1} MB), {:.1} MB unused",
        store.folder,
        mb(store.bytes),
        max.map_or(String::new(), |max| format!(
            " of at most {:.1} MB",
            mb(max)
        )),
        count(store.snapshots as usize, "snapshot"),
        count(store.facts as usize, "source text"),
        mb(store.fact_bytes),
        count(store.pages as usize, "page"),
        mb(store.page_bytes),
        mb(store.unused_bytes),
    );
}

fn mb(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
