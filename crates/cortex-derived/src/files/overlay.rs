//! A tree with changes on top.

use cortex_git::{FileChange, TreeFile};
use cortex_model::RepoPath;
use std::collections::BTreeMap;

/// Files with changes on top, by path.
pub fn laid_over<'c>(
    files: Vec<TreeFile>,
    changes: impl Iterator<Item = &'c FileChange>,
) -> BTreeMap<RepoPath, TreeFile> {
    let mut out: BTreeMap<RepoPath, TreeFile> = files
        .into_iter()
        .map(|file| (file.path.clone(), file))
        .collect();
    for change in changes {
        if let Some(old) = &change.old {
            out.remove(&old.path);
        }
        if let Some(new) = &change.new {
            out.insert(new.path.clone(), new.clone());
        }
    }
    out
}
