//! What git knows of files: which differ, who changed them, how often.
//!
//! Must not know: scopes.

use crate::QueryError;
use cortex_derived::files::overlay::laid_over;
use cortex_git::{Commit, FileChange, OverlayKind, Parents, RangeSpec, Side};
use cortex_index::{Index, IndexedSide};
use cortex_model::{CommitId, RepoPath};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// So many commits are looked at for how often files change, the newest ones.
pub(crate) const MAX_COMMITS: usize = 5_000;

/// So many commits are the last ones.
const LAST_COMMITS: usize = 20;

type Paths = BTreeSet<RepoPath>;

/// The paths of both sides of changes.
fn paths(changes: &[FileChange]) -> Paths {
    let sides = changes.iter().flat_map(|change| [&change.old, &change.new]);
    sides.flatten().map(|side| side.path.clone()).collect()
}

/// The files that differ between the ends of a range.
pub(crate) fn changed(index: &Index, range: &RangeSpec) -> Result<Paths, QueryError> {
    let range = index.repo.resolve_range(range)?;
    let overlay = |kind| index.repo.overlay(range.old.tree(), kind);
    let changes = match range.new {
        Side::Index => overlay(OverlayKind::Index)?.changes,
        Side::WorkTree => overlay(OverlayKind::WorkTree)?.changes,
        Side::Empty | Side::Commit { .. } => {
            index.repo.diff_trees(range.old.tree(), range.new.tree())?
        }
    };
    Ok(paths(&changes))
}

/// The files that differ between `HEAD` and the index or the work tree.
pub(crate) fn differing_from_head(index: &Index, kind: OverlayKind) -> Result<Paths, QueryError> {
    let head = index.repo.head()?.map(|head| index.repo.commit(head));
    let tree = head.transpose()?.map(|commit| commit.tree);
    Ok(paths(&index.repo.overlay(tree, kind)?.changes))
}

/// The files of the work tree that the index does not have, but for ignored ones.
pub(crate) fn untracked(index: &Index) -> Result<Paths, QueryError> {
    let head = index.repo.head()?.map(|head| index.repo.commit(head));
    let tree = head.transpose()?.map(|commit| commit.tree);
    let files = |kind| -> Result<Paths, QueryError> {
        let files = tree.map_or(Ok(Vec::new()), |tree| index.repo.tree_files(tree))?;
        let overlay = index.repo.overlay(tree, kind)?;
        Ok(laid_over(files, overlay.changes.iter())
            .into_keys()
            .collect())
    };
    let known = files(OverlayKind::Index)?;
    let mut there = files(OverlayKind::WorkTree)?;
    there.retain(|path| !known.contains(path));
    Ok(there)
}

/// The last commits that a side reaches, oldest first.
fn commits(index: &Index, side: &IndexedSide, n: usize) -> Result<Vec<Commit>, QueryError> {
    let tip: Option<CommitId> = side.commit;
    Ok(match tip {
        Some(tip) => index.repo.history(None, tip, Parents::All, n)?,
        None => Vec::new(),
    })
}

/// What each commit changed; nothing for merges.
fn changes(index: &Index, commits: &[&Commit]) -> Result<Vec<Paths>, QueryError> {
    let of = |commit: &&Commit| -> Result<Paths, QueryError> {
        let parent = match commit.parents.as_slice() {
            [] => None,
            [parent] => Some(index.repo.commit(*parent)?.tree),
            _ => return Ok(Paths::new()),
        };
        Ok(paths(&index.repo.diff_trees(parent, Some(commit.tree))?))
    };
    commits.par_iter().map(of).collect()
}

/// The files that the last commits changed, and those that differ between `HEAD` and the work tree.
pub(crate) fn recently_changed(index: &Index, side: &IndexedSide) -> Result<Paths, QueryError> {
    let last = commits(index, side, LAST_COMMITS)?;
    let last: Vec<&Commit> = last.iter().collect();
    let mut out = differing_from_head(index, OverlayKind::WorkTree)?;
    out.extend(changes(index, &last)?.into_iter().flatten());
    Ok(out)
}

/// What the commits of an author changed.
pub(crate) enum Authored {
    /// These files.
    Files(Paths),
    /// No commit has a matching author.
    Nobody,
}

/// The files that a matching author has changed since a time. As git does when it filters by author, this matches
/// any part of `Name <email>` and ignores case.
pub(crate) fn authored(
    index: &Index,
    side: &IndexedSide,
    name: &str,
    since: i64,
) -> Result<Authored, QueryError> {
    let Some(tip) = side.commit else {
        return Ok(Authored::Nobody);
    };
    let name = name.to_lowercase();
    let is_by = |commit: &Commit| {
        let author = format!("{} <{}>", commit.author, commit.author_email);
        author.to_lowercase().contains(&name)
    };
    let mut recent = index.repo.history_since(tip, since)?;
    recent.retain(is_by);
    if recent.is_empty() {
        let all = index.repo.history_since(tip, i64::MIN)?;
        if !all.iter().any(is_by) {
            return Ok(Authored::Nobody);
        }
    }
    let recent: Vec<&Commit> = recent.iter().collect();
    Ok(Authored::Files(
        changes(index, &recent)?.into_iter().flatten().collect(),
    ))
}

/// The files that most of the last commits changed, of those that count: so many, ties by path; with whether there
/// are older commits.
pub(crate) fn churn(
    index: &Index,
    side: &IndexedSide,
    n: usize,
    counts: &dyn Fn(&RepoPath) -> bool,
) -> Result<(Paths, bool), QueryError> {
    let mut last = commits(index, side, MAX_COMMITS + 1)?;
    let has_older = last.len() > MAX_COMMITS;
    last.drain(..last.len().saturating_sub(MAX_COMMITS));
    let last: Vec<&Commit> = last.iter().collect();
    let mut often: BTreeMap<RepoPath, usize> = BTreeMap::new();
    for path in changes(index, &last)?.into_iter().flatten() {
        *often.entry(path).or_default() += 1;
    }
    let mut ranked: Vec<(RepoPath, usize)> =
        often.into_iter().filter(|(path, _)| counts(path)).collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranked.truncate(n);
    let most = ranked.into_iter().map(|(path, _)| path).collect();
    Ok((most, has_older))
}
