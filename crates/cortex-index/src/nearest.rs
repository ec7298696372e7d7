//! The indexed snapshot from which a wanted commit is reached with the least work.

use cortex_git::Repository;
use cortex_model::{CommitId, TreeId};
use cortex_store::{SnapshotId, SnapshotKey, Store};

use crate::IndexError;

/// How far back along first parents an indexed ancestor is looked for.
const MAX_ANCESTORS: usize = 10_000;

/// An ancestor this near is taken at once.
const NEAR: usize = 16;

/// How many snapshots, latest used first, are compared by the size of their difference.
const MAX_COMPARED: usize = 8;

/// Finds the nearest indexed commit: a near first-parent ancestor if there is one, else the
/// snapshot whose tree differs in the fewest files.
pub(crate) fn nearest(
    repo: &Repository,
    store: &Store,
    config: cortex_model::Hash,
    wanted: CommitId,
    tree: TreeId,
) -> Result<Option<CommitId>, IndexError> {
    let mut snapshots: Vec<(i64, CommitId)> = (store.snapshots()?.into_iter())
        .filter(|(key, _)| key.config == config)
        .filter_map(|(key, snapshot)| match key.id {
            SnapshotId::Commit(id) => Some((snapshot.last_used, CommitId(id))),
            SnapshotId::Overlay(_) => None,
        })
        .collect();
    if snapshots.is_empty() {
        return Ok(None);
    }
    let known = |commit: CommitId| snapshots.iter().any(|(_, known)| *known == commit);
    let mut ancestor = None;
    for (distance, commit) in repo.first_parents(wanted).take(MAX_ANCESTORS).enumerate() {
        // A shallow history ends early; what was seen so far is all there is.
        let Ok(commit) = commit else { break };
        if known(commit) {
            ancestor = Some((distance, commit));
            break;
        }
    }
    if let Some((_, commit)) = ancestor.filter(|(distance, _)| *distance <= NEAR) {
        return Ok(Some(commit));
    }
    snapshots.sort_by_key(|&(used, commit)| (std::cmp::Reverse(used), commit));
    let mut best: Option<(usize, CommitId)> = None;
    let candidates = snapshots
        .iter()
        .take(MAX_COMPARED)
        .map(|(_, commit)| *commit);
    for commit in ancestor
        .map(|(_, commit)| commit)
        .into_iter()
        .chain(candidates)
    {
        // A snapshot may outlive its commit in the object database.
        let Ok(other) = repo.commit(commit) else {
            continue;
        };
        let Ok(difference) = repo.diff_trees(Some(other.tree), Some(tree)) else {
            continue;
        };
        if best.is_none_or(|(size, _)| difference.len() < size) {
            best = Some((difference.len(), commit));
        }
    }
    Ok(best.map(|(_, commit)| commit))
}

/// The key of a commit's snapshot.
pub(crate) fn commit_key(commit: CommitId, config: cortex_model::Hash) -> SnapshotKey {
    SnapshotKey {
        id: SnapshotId::Commit(commit.0),
        config,
    }
}
