//! What is indexed, and what was not understood.

use std::collections::BTreeSet;

use cortex_index::{
    FileStatus, FileSummary, FrameworkAssemblies, IndexError, ProjectCounts, ProjectRecord,
};
use cortex_look::QueryError;
use cortex_wire::{
    AssemblyVersion, Envelope, FileCounts, FrameworkSource, NameCounts, ProjectNote, ProjectStatus,
    ProjectUnderstood, StatusAnswer, StatusRequest, StoreStatus, TroubledFile, UnboundNames,
};

use super::snapshot_report;
use crate::{
    RequestContext, ServiceError, Workspace,
    look::{at, ended, envelope, finish},
    workspace::{mending, side_at},
};

/// What is indexed, and what was not understood.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn status(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &StatusRequest,
) -> Result<Envelope<StatusAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let (name, side) = side_at(&index, request.at.as_deref())?;
    let result = mending(workspace, &index, IndexError::is_damage, || {
        let (side, _) = workspace.side(&index, side, context)?;
        let read = (
            side.snapshot.files()?,
            side.snapshot.projects()?,
            side.snapshot.id_conflicts()?,
        );
        Ok((side, read))
    });
    let (side, (files, projects, id_conflicts)) =
        result.map_err(|error: IndexError| ended(context, error.into()))?;
    let stats = index.store.stats()?;
    let folder = std::path::absolute(index.store.folder()).map_err(QueryError::Write)?;
    let notes = finish(&index, context);
    let troubled = files.iter().filter(|it| it.status != FileStatus::Indexed);
    let answer = StatusAnswer {
        snapshot: snapshot_report(name, &side),
        names: all_names(&projects),
        missing_packages: missing_packages(projects.iter()),
        troubled: troubled.map(troubled_file).collect(),
        projects: projects.iter().map(project_status).collect(),
        id_conflicts,
        store: StoreStatus {
            folder: folder.to_string_lossy().into_owned(),
            bytes: stats.disk_bytes,
            fact_bytes: stats.facts.bytes,
            page_bytes: stats.pages.bytes,
            unused_bytes: (stats.log_bytes).saturating_sub(stats.facts.bytes + stats.pages.bytes),
            max_bytes: workspace.config(context)?.max_bytes(),
            facts: stats.facts.entries,
            pages: stats.pages.entries,
            snapshots: stats.snapshots.entries,
        },
    };
    Ok(Envelope {
        at: Some(at(&side)),
        notes,
        ..envelope("status", answer)
    })
}

fn troubled_file(file: &FileSummary) -> TroubledFile {
    let (places, skipped) = match file.status {
        FileStatus::Indexed => (None, None),
        FileStatus::Degraded(places) => (Some(u64::from(places)), None),
        FileStatus::Skipped(_) => {
            let reason = file.status.skip_reason();
            let reason = reason.map_or("no facts", |reason| reason.text());
            (None, Some(reason.to_owned()))
        }
    };
    TroubledFile {
        file: file.path.to_string(),
        places,
        skipped,
    }
}

fn project_status(record: &ProjectRecord) -> ProjectStatus {
    let project = &record.project;
    let notes = project.notes.iter().map(|note| ProjectNote {
        file: note.path.to_string(),
        line: note.line,
        message: note.message.clone(),
    });
    ProjectStatus {
        file: project.path.to_string(),
        assembly: project.assembly.clone(),
        tfm: project.tfm.clone(),
        other_tfms: project.other_tfms.clone(),
        is_test: project.is_test,
        notes: notes.collect(),
        understood: understood(record),
    }
}

fn understood(record: &ProjectRecord) -> ProjectUnderstood {
    let (counts, references) = (&record.counts, &record.references);
    let other_versions = references.approximate.iter().map(|it| AssemblyVersion {
        name: it.name.clone(),
        wanted: it.wanted.clone(),
        found: it.found.clone(),
    });
    ProjectUnderstood {
        files: FileCounts {
            tracked: counts.files,
            indexed: counts.files - counts.skipped,
            degraded: counts.degraded,
            skipped: counts.skipped,
        },
        inactive_places: counts.inactive,
        names: name_counts(counts),
        framework: match &references.framework {
            FrameworkAssemblies::None => FrameworkSource::None,
            FrameworkAssemblies::BuiltIn(version) => FrameworkSource::BuiltIn {
                version: version.clone(),
            },
            FrameworkAssemblies::Machine(version) => FrameworkSource::Machine {
                version: version.clone(),
            },
        },
        missing_packages: missing_packages(std::iter::once(record)),
        other_versions: other_versions.collect(),
        unreadable: references.unreadable.clone(),
    }
}

/// The names of all projects.
fn all_names(projects: &[ProjectRecord]) -> NameCounts {
    let mut sum = ProjectCounts::default();
    projects.iter().for_each(|record| sum.add(&record.counts));
    let lacking = projects
        .iter()
        .filter(|it| it.counts.n_unbound() > 0 && !it.references.missing.is_empty());
    let mut counts = name_counts(&sum);
    counts.unbound.in_projects_with_missing_packages =
        Some(lacking.map(|it| it.counts.n_unbound()).sum());
    counts
}

fn name_counts(counts: &ProjectCounts) -> NameCounts {
    let [not_found, ambiguous, unknown_receiver, no_overload] = counts.unbound;
    NameCounts {
        total: counts.n_names(),
        of_repository: counts.bound,
        overload_sets: counts.overload_sets,
        external: counts.outside,
        unbound: UnboundNames {
            total: counts.n_unbound(),
            not_found,
            ambiguous,
            unknown_receiver,
            no_overload,
            files: counts.files_unbound,
            in_degraded_files: counts.unbound_degraded,
            in_conditional_files: counts.unbound_conditional,
            in_projects_with_missing_packages: None,
        },
    }
}

/// Packages that are not on this machine, with their versions, by name.
fn missing_packages<'a>(projects: impl Iterator<Item = &'a ProjectRecord>) -> Vec<String> {
    let packages = projects.flat_map(|record| &record.references.missing);
    let names = packages.map(|package| {
        let text = format!("{} {}", package.name, package.version);
        text.trim_end().to_owned()
    });
    let names: BTreeSet<String> = names.collect();
    names.into_iter().collect()
}
