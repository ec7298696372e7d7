//! `git cortex status`.

mod damage;

use std::{fmt::Write, process::ExitCode};

use anyhow::Context;
use cortex_git::Side;
use cortex_index::{FileStatus, FileSummary, Index, IndexError};
use serde_json::json;

use crate::{
    arguments::{self, Global, ReportFormat},
    commands::{count, index::current, print_json, print_text},
    failure::Failure,
    progress::Bar,
    session,
};

/// Files listed by name in the text form.
const MAX_LISTED: usize = 20;

/// The side that `--at` names, or the current one, with its name.
pub(crate) fn side_of(index: &Index, at: Option<&str>) -> Result<(String, Side), Failure> {
    let Some(revision) = at else {
        return current(index);
    };
    let commit = index.repo.resolve(revision)?;
    let tree = index.repo.commit(commit)?.tree;
    Ok((revision.to_owned(), Side::Commit { commit, tree }))
}

pub(crate) fn run(global: &Global, options: &arguments::Status) -> Result<ExitCode, Failure> {
    let index = session::open(global)?;
    let (name, side) = side_of(&index, options.at.as_deref())?;
    let bar = Bar::new(global.quiet);
    let result = session::mending(&index, IndexError::is_damage, || {
        let (side, _) = index.side(side, &bar)?;
        let read = (
            side.snapshot.files()?,
            side.snapshot.projects()?,
            side.snapshot.id_conflicts()?,
        );
        Ok((side, read))
    });
    bar.finish();
    let (side, (files, projects, conflicts)) = result?;
    let snapshot = &side.snapshot;
    let store = index.store.stats()?;
    let max_bytes = session::max_bytes(&index, global);
    let folder =
        std::path::absolute(index.store.folder()).context("find the folder of the index")?;
    session::report_notices(&index, global.quiet);
    let stats = snapshot.stats();
    let troubled: Vec<&FileSummary> = files
        .iter()
        .filter(|file| file.status != FileStatus::Indexed)
        .collect();
    if options.format == ReportFormat::Json {
        print_json(&json!({
            "schema": 1,
            "name": name,
            "commit": side.commit.map(|commit| commit.to_string()),
            "root": snapshot.root_hash().short(),
            "files": {
                "tracked": stats.files,
                "indexed": stats.files - stats.skipped,
                "degraded": stats.degraded,
                "skipped": stats.skipped,
            },
            "types": stats.types,
            "members": stats.members,
            "edges": stats.edges,
            "names": damage::json(&projects),
            "troubled": troubled.iter().map(|file| json!({ "path": file.path, "what": what(file) })).collect::<Vec<_>>(),
            "projects": projects.iter().map(|record| json!({
                "path": record.project.path,
                "assembly": record.project.assembly,
                "tfm": record.project.tfm,
                "other_tfms": record.project.other_tfms,
                "is_test": record.project.is_test,
                "notes": record.project.notes.iter().map(|note| json!({
                    "path": note.path, "line": note.line, "message": note.message,
                })).collect::<Vec<_>>(),
                "understood": damage::project_json(record),
            })).collect::<Vec<_>>(),
            "id_conflicts": conflicts,
            "store": {
                "folder": folder.to_string_lossy(),
                "bytes": store.disk_bytes,
                "fact_bytes": store.facts.bytes,
                "page_bytes": store.pages.bytes,
                "unused_bytes": store.log_bytes.saturating_sub(store.facts.bytes + store.pages.bytes),
                "max_bytes": max_bytes,
                "facts": store.facts.entries,
                "pages": store.pages.entries,
                "snapshots": store.snapshots.entries,
            },
        }))?;
        session::settle(&index, global);
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = String::new();
    let commit = side
        .commit
        .map_or_else(|| "no commit yet".to_owned(), |commit| commit.0.short());
    let _ = writeln!(out, "{name} ({commit})");
    let _ = writeln!(
        out,
        "  {}: {} indexed, {} of them in part, {} skipped",
        count(stats.files as usize, "C# file"),
        stats.files - stats.skipped,
        stats.degraded,
        stats.skipped
    );
    let _ = writeln!(
        out,
        "  {}, {}, {} between types",
        count(stats.types as usize, "type"),
        count(stats.members as usize, "member"),
        count(stats.edges as usize, "dependency"),
    );
    out.push_str(&damage::text(&projects));
    for file in troubled.iter().take(MAX_LISTED) {
        let _ = writeln!(out, "  {}: {}", file.path, what(file));
    }
    if troubled.len() > MAX_LISTED {
        let _ = writeln!(
            out,
            "  … and {} more (--format json lists all)",
            troubled.len() - MAX_LISTED
        );
    }
    for conflict in &conflicts {
        let _ = writeln!(out, "  id conflict: {}", conflict.join(", "));
    }
    let notes: usize = projects
        .iter()
        .map(|record| record.project.notes.len())
        .sum();
    let _ = writeln!(
        out,
        "{}, {} on what was not understood in their files",
        count(projects.len(), "project"),
        count(notes, "note"),
    );
    if options.projects {
        for record in &projects {
            let project = &record.project;
            let others = if project.other_tfms.is_empty() {
                String::new()
            } else {
                format!(" (also {})", project.other_tfms.join(", "))
            };
            let _ = writeln!(
                out,
                "  {} → {} {}{others}",
                project.path, project.assembly, project.tfm
            );
            out.push_str(&damage::project_text(record));
            for note in &project.notes {
                // Line 0 is the file as a whole.
                let line = if note.line == 0 {
                    String::new()
                } else {
                    format!(":{}", note.line)
                };
                let _ = writeln!(out, "    {}{line}: {}", note.path, note.message);
            }
        }
    }
    let _ = writeln!(
        out,
        "store {}: {:.1} MB of {} MB, {} ({:.1} MB), {} ({:.1} MB), {}; {:.1} MB unused",
        folder.display(),
        mb(store.disk_bytes),
        max_bytes.map_or("any".to_owned(), |max| format!("{:.1}", mb(max))),
        count(store.facts.entries as usize, "text"),
        mb(store.facts.bytes),
        count(store.pages.entries as usize, "page"),
        mb(store.pages.bytes),
        count(store.snapshots.entries as usize, "snapshot"),
        mb(store
            .log_bytes
            .saturating_sub(store.facts.bytes + store.pages.bytes)),
    );
    print_text(&out)?;
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}

fn mb(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn what(file: &FileSummary) -> String {
    match file.status {
        FileStatus::Indexed => "indexed".to_owned(),
        FileStatus::Degraded(places) => {
            format!("{} did not parse", count(places as usize, "place"))
        }
        FileStatus::Skipped(_) => {
            format!(
                "skipped: {}",
                file.status
                    .skip_reason()
                    .map_or("no facts", |reason| reason.text())
            )
        }
    }
}
