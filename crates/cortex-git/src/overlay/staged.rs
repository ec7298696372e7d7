//! The index, brought into one shape: one file a path, folders of a sparse index unfolded, conflicts set apart.

use cortex_model::RepoPath;
use filetime::FileTime;
use gix::{
    bstr::{BStr, BString, ByteSlice},
    index::entry::{Flags, Mode, Stage, Stat},
};

use super::{SideFile, long_paths};
use crate::{change::FileMode, error::GitError, ids, repository::Completeness, tree::walk_tree};

/// The index as this crate uses it.
pub(super) struct Staged {
    /// Sorted by path, each path once.
    pub(super) files: Vec<StagedFile>,
    /// The tree that equals the index, where the index knows it.
    pub(super) tree: Option<gix::ObjectId>,
}

/// One path of the index.
pub(super) struct StagedFile {
    pub(super) path: BString,
    pub(super) mode: FileMode,
    pub(super) id: gix::ObjectId,
    pub(super) stat: Stat,
    pub(super) state: StagedState,
}

/// What the index says about a path besides its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StagedState {
    /// Staged; the work tree is to be looked at.
    Normal,
    /// Counts as the index has it, whatever the work tree says.
    Trusted,
    /// Not checked out in a sparse checkout; looked at if it is there nevertheless, as git does.
    Skipped,
    /// Only announced (`git add -N`): not staged.
    IntentToAdd,
    /// In conflict, with "ours" as its content.
    Conflict,
    /// In conflict, and deleted by us.
    ConflictWithoutOurs,
}

impl StagedState {
    fn is_in_index_side(self) -> bool {
        matches!(
            self,
            Self::Normal | Self::Trusted | Self::Skipped | Self::Conflict
        )
    }
}

/// Reads the index file; an absent one is empty.
pub(super) fn open_index(repo: &gix::Repository) -> Result<gix::worktree::Index, GitError> {
    repo.index_or_empty().or_else(|error| {
        with_long_paths(repo).ok_or_else(|| {
            GitError::engine(
                format!("read the index `{}`", repo.index_path().display()),
                error,
            )
        })
    })
}

/// Reads an index with paths that the engine cannot read as they are; `None` where that is not why it failed.
fn with_long_paths(repo: &gix::Repository) -> Option<gix::worktree::Index> {
    let hash = repo.object_hash();
    let path = repo.index_path();
    let bytes = std::fs::read(&path).ok()?;
    let (content, checksum) =
        bytes.split_at_checked(bytes.len().checked_sub(hash.len_in_bytes())?)?;
    if checksum.iter().any(|byte| *byte != 0) {
        let mut hasher = gix::hash::hasher(hash);
        hasher.update(content);
        if hasher.try_finalize().ok()?.as_bytes() != checksum {
            return None;
        }
    }
    let plain = long_paths::without_padding(&bytes, hash.len_in_bytes())?;
    // Nothing is taken to be as it was when the index was written.
    let written = FileTime::zero();
    let options = gix::index::decode::Options::default();
    let (state, _) = gix::index::State::from_bytes(&plain, written, hash, options).ok()?;
    let file = gix::index::File::from_state(state, path);
    Some(gix::worktree::Index::new(gix::fs::FileSnapshot::new(file)))
}

impl Staged {
    pub(super) fn new(
        repo: &gix::Repository,
        completeness: Completeness,
        index: &gix::index::State,
    ) -> Result<Self, GitError> {
        let is_sparse_checkout = repo
            .config_snapshot()
            .boolean("core.sparseCheckout")
            .unwrap_or(false);
        let skipped = if is_sparse_checkout {
            StagedState::Skipped
        } else {
            StagedState::Trusted
        };
        let mut files: Vec<StagedFile> = Vec::with_capacity(index.entries().len());
        let mut is_sorted = true;
        let mut is_exact = true;
        let backing = index.path_backing();
        for entry in index.entries() {
            let path = entry.path_in(backing);
            if entry.mode.is_sparse() {
                unfold(repo, completeness, path, entry, skipped, &mut files)?;
                continue;
            }
            let Some(mode) = mode_of(entry.mode) else {
                continue;
            };
            let stage = entry.flags.stage();
            let state = if stage != Stage::Unconflicted {
                is_exact = false;
                if stage == Stage::Ours {
                    StagedState::Conflict
                } else {
                    StagedState::ConflictWithoutOurs
                }
            } else if entry.flags.contains(Flags::INTENT_TO_ADD) {
                is_exact = false;
                StagedState::IntentToAdd
            } else if entry.flags.contains(Flags::ASSUME_VALID) {
                StagedState::Trusted
            } else if entry.flags.contains(Flags::SKIP_WORKTREE) {
                skipped
            } else {
                StagedState::Normal
            };
            let file = StagedFile {
                path: path.to_owned(),
                mode,
                id: entry.id,
                stat: if stage == Stage::Unconflicted {
                    entry.stat
                } else {
                    Stat::default()
                },
                state,
            };
            match files.last_mut() {
                Some(last) if last.path == file.path => {
                    if file.state == StagedState::Conflict {
                        *last = file;
                    }
                }
                last => {
                    is_sorted &= last.is_none_or(|last| last.path < file.path);
                    files.push(file);
                }
            }
        }
        if !is_sorted {
            files.sort_by(|a, b| a.path.cmp(&b.path));
            files.dedup_by(|next, previous| next.path == previous.path);
        }
        let tree = index
            .tree()
            .filter(|tree| is_exact && tree.num_entries.is_some_and(|n| n as usize == files.len()))
            .map(|tree| tree.id);
        Ok(Self { files, tree })
    }

    /// The files as they are staged.
    pub(super) fn index_side(&self) -> Vec<SideFile> {
        self.files
            .iter()
            .filter(|file| file.state.is_in_index_side())
            .map(StagedFile::side)
            .collect()
    }

    pub(super) fn conflicts(&self) -> Vec<RepoPath> {
        let mut paths: Vec<_> = self
            .files
            .iter()
            .filter(|file| {
                matches!(
                    file.state,
                    StagedState::Conflict | StagedState::ConflictWithoutOurs
                )
            })
            .map(|file| RepoPath::from_bytes(&file.path))
            .collect();
        paths.sort();
        paths
    }
}

impl StagedFile {
    pub(super) fn side(&self) -> SideFile {
        SideFile {
            path: self.path.clone(),
            mode: self.mode,
            id: ids::from_gix(&self.id),
        }
    }
}

/// Puts the files of a folder in, where a sparse index has only the folder. None of them is checked out.
fn unfold(
    repo: &gix::Repository,
    completeness: Completeness,
    path: &BStr,
    entry: &gix::index::Entry,
    state: StagedState,
    files: &mut Vec<StagedFile>,
) -> Result<(), GitError> {
    let folder = path.strip_suffix(b"/").unwrap_or(path).as_bstr();
    walk_tree(
        repo,
        completeness,
        ids::from_gix(&entry.id),
        folder,
        &mut |path, id, mode| {
            files.push(StagedFile {
                path: path.to_owned(),
                mode,
                id: ids::to_gix(id),
                stat: Stat::default(),
                state,
            });
        },
    )
}

fn mode_of(mode: Mode) -> Option<FileMode> {
    FileMode::from_bits(mode.bits())
}
