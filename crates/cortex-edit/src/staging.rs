//! What of an applied operation goes into git's index, or into a commit, and back.
//!
//! Must not know: how files are written.

use cortex_git::{FileMode, IndexEntry, NotNow, Repository};
use cortex_model::{BlobId, RepoPath};
use serde::{Deserialize, Serialize};

use crate::{
    EditError,
    op::{Op, Ops},
    plan::FileState,
};

/// What becomes of the files of an operation beside the work tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Staging {
    /// Nothing.
    #[default]
    No,
    /// They are staged.
    Index,
    /// They are staged and committed, with this message.
    Commit(String),
}

/// A path that an operation staged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StagedPath {
    /// The path.
    pub path: RepoPath,
    /// What was staged before: content and mode.
    pub before: Option<(BlobId, u32)>,
    /// What is.
    pub after: Option<(BlobId, u32)>,
}

fn mode(bits: u32) -> FileMode {
    match bits == FileMode::Executable.bits() {
        true => FileMode::Executable,
        false => FileMode::Regular,
    }
}

fn entry(path: &RepoPath, staged: Option<(BlobId, u32)>) -> IndexEntry {
    IndexEntry {
        path: path.clone(),
        staged: staged.map(|(blob, bits)| (blob, mode(bits))),
    }
}

/// What staging an operation changes in the index.
///
/// # Errors
/// [`EditError::State`] where that would stage what is not of the operation, or commit it; those of `git`.
pub(crate) fn plan(
    repo: &Repository,
    op: &Op,
    staging: &Staging,
) -> Result<Vec<StagedPath>, EditError> {
    let refused = |doing: &'static str, reason: String, help: &'static str| {
        Err(EditError::State {
            doing,
            id: op.id().to_owned(),
            reason,
            help: Some(help),
        })
    };
    if let Staging::Commit(message) = staging {
        if message.trim().is_empty() {
            return refused(
                "commit",
                "the message is empty".to_owned(),
                "say what it does",
            );
        }
        match repo.is_ready_to_commit()? {
            None => {}
            Some(NotNow::InProgress) => {
                return refused(
                    "commit",
                    "a merge, rebase or the like is in progress".to_owned(),
                    "end it first, or apply without a commit",
                );
            }
            Some(NotNow::OthersStaged) => {
                return refused(
                    "commit",
                    "other changes are staged".to_owned(),
                    "commit or unstage them first, or apply without a commit",
                );
            }
        }
    }
    let mut planned: Vec<StagedPath> = Vec::new();
    let mut add = |state: &FileState, is_before: bool| {
        let content = Some((state.blob, state.mode));
        let at = planned.iter().position(|it| it.path == state.path);
        let at = at.unwrap_or_else(|| {
            planned.push(StagedPath {
                path: state.path.clone(),
                before: None,
                after: None,
            });
            planned.len() - 1
        });
        match is_before {
            true => planned[at].before = content,
            false => planned[at].after = content,
        }
    };
    for file in &op.files {
        file.old.iter().for_each(|old| add(old, true));
        file.new.iter().for_each(|new| add(new, false));
    }
    let paths: Vec<RepoPath> = planned.iter().map(|it| it.path.clone()).collect();
    for (there, wanted) in repo.index_entries(&paths)?.iter().zip(&planned) {
        if *there != entry(&wanted.path, wanted.before) {
            return refused(
                "stage",
                format!("`{}` has changes that are not staged", wanted.path),
                "stage or stash them first, or apply without staging",
            );
        }
    }
    Ok(planned)
}

/// Stages what was planned, and commits it where that is wanted. The operation is written.
///
/// # Errors
/// Those of `git` and of the files.
pub(crate) fn carry_out(
    repo: &Repository,
    ops: &Ops,
    op: &mut Op,
    (planned, staging): (Vec<StagedPath>, &Staging),
) -> Result<(), EditError> {
    let entries: Vec<IndexEntry> = (planned.iter())
        .map(|it| entry(&it.path, it.after))
        .collect();
    let blobs = ops.folder_of(op.id()).join("blobs");
    let contents = planned.iter().filter_map(|it| it.after);
    let contents: Vec<_> = contents
        .map(|(blob, _)| blobs.join(blob.to_string()))
        .collect();
    repo.stage(&entries, &contents)?;
    op.staged = planned;
    ops.write(op)?;
    if let Staging::Commit(message) = staging {
        op.commit = Some(repo.commit_staged(message)?.to_string());
        op.staged = Vec::new();
        ops.write(op)?;
    }
    Ok(())
}

/// Gives the index what it had before an operation, where it has what the operation staged.
///
/// # Errors
/// Those of `git`.
pub(crate) fn take_back(repo: &Repository, op: &mut Op) -> Result<(), EditError> {
    let staged = std::mem::take(&mut op.staged);
    if staged.is_empty() {
        return Ok(());
    }
    let paths: Vec<RepoPath> = staged.iter().map(|it| it.path.clone()).collect();
    let there = repo.index_entries(&paths)?;
    let back: Vec<IndexEntry> = (staged.iter().zip(there))
        .filter(|(staged, there)| *there == entry(&staged.path, staged.after))
        .map(|(staged, _)| entry(&staged.path, staged.before))
        .collect();
    Ok(repo.stage(&back, &[])?)
}
