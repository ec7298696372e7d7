//! What a snapshot was made without because git could not read it: blobs that a partial clone does not have, and
//! damaged ones.
//!
//! Must not know: what is in such a file.

use std::{collections::BTreeSet, sync::Mutex};

use cortex_git::{GitError, ReadBlob, Repository};
use cortex_model::{BlobId, RepoPath};
use serde::{Deserialize, Serialize};

/// A file that a snapshot was made without.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct UnreadFile {
    /// Its path.
    pub path: RepoPath,
    /// Its content.
    pub blob: BlobId,
    /// Why it could not be read.
    pub reason: UnreadReason,
}

impl UnreadFile {
    /// A file that could not be read, if the error is about its object rather than about the machine.
    pub fn of(path: &RepoPath, blob: BlobId, error: &GitError) -> Option<Self> {
        Some(Self {
            path: path.clone(),
            blob,
            reason: UnreadReason::of(error)?,
        })
    }
}

/// Why git could not read a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum UnreadReason {
    /// The object is not in this repository, as in a partial clone.
    Absent,
    /// The object is there and does not read.
    Damaged,
}

impl UnreadReason {
    /// The reason that an error gives, if it is about the object rather than about the machine.
    pub(crate) fn of(error: &GitError) -> Option<Self> {
        match error {
            GitError::MissingObject { .. } => Some(Self::Absent),
            GitError::WrongKind { .. } | GitError::Engine { .. } => Some(Self::Damaged),
            _ => None,
        }
    }
}

/// All that a snapshot was made without: it is made again as soon as any of it can be read.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Unread {
    /// C# files, sorted.
    pub(crate) sources: Vec<UnreadFile>,
    /// Files that describe projects, and libraries; sorted.
    pub(crate) project_files: Vec<UnreadFile>,
}

impl Unread {
    /// Whether any of it can be read now.
    pub(crate) fn is_readable(&self, repo: &Repository) -> bool {
        is_any_readable(self.iter(), repo)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &UnreadFile> {
        self.sources.iter().chain(&self.project_files)
    }
}

/// Whether any of some files can be read now. O(files), and a read of each damaged one.
pub fn is_any_readable<'f>(
    files: impl IntoIterator<Item = &'f UnreadFile>,
    repo: &Repository,
) -> bool {
    let (absent, damaged): (Vec<_>, Vec<_>) =
        (files.into_iter()).partition(|file| file.reason == UnreadReason::Absent);
    let absent: Vec<BlobId> = absent.iter().map(|file| file.blob).collect();
    if absent.is_empty() && damaged.is_empty() {
        return false;
    }
    let mut blobs = repo.blobs();
    repo.absent(&absent).len() < absent.len()
        || (damaged.iter()).any(|file| blobs.read_blob(file.blob).is_ok())
}

/// The unread files of every snapshot that was given out, to be told with the answer.
#[derive(Default)]
pub struct UnreadFiles(Mutex<BTreeSet<UnreadFile>>);

impl UnreadFiles {
    pub(crate) fn note(&self, unread: &Unread) {
        if let Ok(mut files) = self.0.lock() {
            files.extend(unread.iter().cloned());
        }
    }

    /// Notes files that an answer was made without.
    pub fn note_files(&self, unread: impl IntoIterator<Item = UnreadFile>) {
        if let Ok(mut files) = self.0.lock() {
            files.extend(unread);
        }
    }

    /// Those of the snapshots given out since the last call, sorted by path.
    pub fn take(&self) -> Vec<UnreadFile> {
        let mut files = self.0.lock();
        (files.as_mut())
            .map(|files| std::mem::take(&mut **files).into_iter().collect())
            .unwrap_or_default()
    }
}
