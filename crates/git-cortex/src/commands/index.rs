//! `git cortex index`.

use std::{process::ExitCode, time::Instant};

use cortex_git::Side;
use cortex_index::{Index, IndexError, IndexOutcome, IndexedSide};
use serde_json::json;

use crate::{
    arguments::{self, Global, ReportFormat},
    commands::{count, print_json, print_text},
    failure::Failure,
    progress::Bar,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Index) -> Result<ExitCode, Failure> {
    let index = session::open(global)?;
    if let Some(range) = &options.history {
        return history(&index, global, options, range);
    }
    let mut sides = Vec::new();
    for revision in &options.revisions {
        let commit = index.repo.resolve(revision)?;
        let tree = index.repo.commit(commit)?.tree;
        sides.push((revision.clone(), Side::Commit { commit, tree }));
    }
    if sides.is_empty() {
        sides.push(current(&index)?);
    }
    if options.fresh {
        index.forget_snapshots()?;
    }
    let mut reports = Vec::new();
    let mut text = String::new();
    for (name, side) in sides {
        let start = Instant::now();
        let bar = Bar::new(global.quiet);
        let result = session::mending(&index, IndexError::is_damage, || index.side(side, &bar));
        bar.finish();
        let (side, outcome) = result?;
        text.push_str(&describe(&name, &side, outcome, start));
        reports.push(report(&name, &side, outcome));
    }
    session::report_notices(&index, global.quiet);
    let code = match options.format {
        ReportFormat::Json => print_json(&json!({ "schema": 1, "snapshots": reports }))?,
        ReportFormat::Text => {
            print_text(&text)?;
            ExitCode::SUCCESS
        }
    };
    session::settle(&index, global);
    Ok(code)
}

/// Every commit of a range.
fn history(
    index: &Index,
    global: &Global,
    options: &arguments::Index,
    range: &str,
) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let commits = session::commits(index, range, options.first_parent, options.max_count)?;
    let bar = Bar::new(global.quiet);
    let result = index.history(&commits, &bar);
    bar.finish();
    let outcome = result?;
    session::report_notices(index, global.quiet);
    let seconds = start.elapsed().as_secs_f64();
    let code = match options.format {
        ReportFormat::Json => print_json(&json!({
            "schema": 1,
            "history": {
                "range": range,
                "commits": commits.len(),
                "oldest": commits.first().map(|commit| commit.id.to_string()),
                "newest": commits.last().map(|commit| commit.id.to_string()),
                "seconds": seconds,
                "work": {
                    "parsed": outcome.parsed, "bound": outcome.rebound, "snapshots": outcome.snapshots,
                },
            },
        }))?,
        ReportFormat::Text => {
            let work = match outcome.snapshots {
                0 => "indexed already".to_owned(),
                made => format!(
                    "{made} indexed in {seconds:.1} s, {:.0} per second ({} parsed, {} bound)",
                    made as f64 / seconds.max(0.001),
                    count(outcome.parsed, "file"),
                    outcome.rebound
                ),
            };
            print_text(&format!(
                "{range}: {}; {work}\n",
                count(commits.len(), "commit")
            ))?;
            ExitCode::SUCCESS
        }
    };
    session::settle(index, global);
    Ok(code)
}

/// The side that a command without a revision looks at.
pub(crate) fn current(index: &Index) -> Result<(String, Side), Failure> {
    if index.repo.work_dir().is_some() {
        return Ok(("work tree".to_owned(), Side::WorkTree));
    }
    Ok(match index.repo.head()? {
        None => ("HEAD".to_owned(), Side::Empty),
        Some(commit) => (
            "HEAD".to_owned(),
            Side::Commit {
                commit,
                tree: index.repo.commit(commit)?.tree,
            },
        ),
    })
}

fn describe(name: &str, side: &IndexedSide, outcome: IndexOutcome, start: Instant) -> String {
    let stats = side.snapshot.stats();
    let work = match outcome.snapshots {
        0 => "was indexed already".to_owned(),
        _ => format!(
            "indexed in {:.2} s ({} parsed, {} bound)",
            start.elapsed().as_secs_f64(),
            count(outcome.parsed, "file"),
            outcome.rebound
        ),
    };
    format!(
        "{name}: {work}; {}, {}, {}, {}\n",
        count(stats.files as usize, "C# file"),
        count(stats.types as usize, "type"),
        count(stats.members as usize, "member"),
        count(stats.edges as usize, "dependency"),
    )
}

fn report(name: &str, side: &IndexedSide, outcome: IndexOutcome) -> serde_json::Value {
    let stats = side.snapshot.stats();
    json!({
        "name": name,
        "commit": side.commit.map(|commit| commit.to_string()),
        "root": side.snapshot.root_hash().short(),
        "files": {
            "tracked": stats.files,
            "indexed": stats.files - stats.skipped,
            "degraded": stats.degraded,
            "skipped": stats.skipped,
        },
        "types": stats.types,
        "members": stats.members,
        "edges": stats.edges,
        "work": { "parsed": outcome.parsed, "bound": outcome.rebound, "snapshots": outcome.snapshots },
    })
}
