//! Measures the reading of a repository: `cargo run --release -p cortex-git --example measure -- <repository>`.
#![expect(clippy::print_stdout, reason = "an example reports to its user")]

use std::{path::Path, time::Instant};

use cortex_git::{
    Cached, GitError, OverlayKind, RangeSpec, RenameOptions, Repository, find_renames,
};

fn timed<T>(what: &str, mut work: impl FnMut() -> Result<T, GitError>) -> Result<T, GitError> {
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..9 {
        let start = Instant::now();
        last = Some(work()?);
        times.push(start.elapsed());
    }
    let first = times[0];
    times.sort();
    println!(
        "{what:<40} first {first:>12.3?}  median {:>12.3?}",
        times[4]
    );
    Ok(last.expect("it ran"))
}

fn main() -> Result<(), GitError> {
    let path = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let path = Path::new(&path);
    let repo = timed("open", || Repository::open(path))?;
    let head = repo.resolve("HEAD")?;
    let commit = timed("commit", || repo.commit(head))?;
    let files = timed("tree_files(HEAD)", || repo.tree_files(commit.tree))?;
    println!("  {} files", files.len());
    for n in [1, 5, 1000] {
        let Ok(old) = repo.resolve(&format!("HEAD~{n}")) else {
            continue;
        };
        let old = repo.commit(old)?.tree;
        let changes = timed(&format!("diff_trees(HEAD~{n}, HEAD)"), || {
            repo.diff_trees(Some(old), Some(commit.tree))
        })?;
        let renames = timed(&format!("find_renames(HEAD~{n}, HEAD)"), || {
            Ok(find_renames(
                changes.clone(),
                &mut repo.blobs(),
                &RenameOptions::default(),
            ))
        })?;
        let n_renamed = changes.len() - renames.changes.len();
        println!(
            "  {} changes, {n_renamed} renames, {} skipped",
            changes.len(),
            renames.n_skipped
        );
        let spec = RangeSpec {
            revisions: vec![format!("HEAD~{n}")],
            cached: Cached::No,
            paths: Vec::new(),
        };
        let range = timed(&format!("resolve_range(HEAD~{n})"), || {
            repo.resolve_range(&spec)
        })?;
        println!("  {} commits", range.n_commits);
    }
    timed("first_parents, 1000", || {
        repo.first_parents(head)
            .take(1000)
            .collect::<Result<Vec<_>, _>>()
    })?;
    for kind in [OverlayKind::Index, OverlayKind::WorkTree] {
        let overlay = timed(&format!("overlay({kind:?})"), || {
            repo.overlay(Some(commit.tree), kind)
        })?;
        println!(
            "  {} changes, {} notes",
            overlay.changes.len(),
            overlay.notes.len()
        );
    }
    Ok(())
}
