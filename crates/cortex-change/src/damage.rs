//! How well the projects that an answer is about were understood.

use crate::diff_context::compared::Compared;
use cortex_look::QueryError;
use cortex_wire::ProjectDamage;

use std::collections::BTreeSet;

use cortex_index::ProjectRecord;
use cortex_model::RepoPath;

/// The projects that compile one of these files, and those that see such a project, as far as something in
/// them could not be read or bound; by path.
pub(crate) fn damage(
    compared: &Compared,
    files: &BTreeSet<&RepoPath>,
) -> Result<Vec<ProjectDamage>, QueryError> {
    let mut changed: BTreeSet<RepoPath> = BTreeSet::new();
    for path in files {
        if let Some(summary) = compared.new.file(path)? {
            changed.extend(summary.projects);
        }
    }
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let records = compared.projects[1].iter();
    let concerned = records.filter(|record| {
        let sees = |path: &RepoPath| changed.contains(path);
        sees(&record.project.path) || record.project.all_references.iter().any(sees)
    });
    Ok(concerned
        .filter(|record| is_damaged(record))
        .map(|record| entry(record, changed.contains(&record.project.path)))
        .collect())
}

/// Packages that are missing and whose absence shows nowhere are no damage: analyzers and test runners.
fn is_damaged(record: &ProjectRecord) -> bool {
    let counts = &record.counts;
    counts.n_unbound() + counts.degraded + counts.skipped > 0
        || !record.references.unreadable.is_empty()
}

fn entry(record: &ProjectRecord, is_changed: bool) -> ProjectDamage {
    let counts = &record.counts;
    let missing = record.references.missing.iter();
    ProjectDamage {
        project: record.project.path.clone(),
        is_changed,
        names: counts.n_names(),
        unbound: counts.n_unbound(),
        degraded_files: counts.degraded,
        skipped_files: counts.skipped,
        missing_packages: missing
            .map(|package| {
                let text = format!("{} {}", package.name, package.version);
                text.trim_end().to_owned()
            })
            .collect(),
    }
}
