//! What the work tree has besides the index: ignored files go, untracked folders are unfolded.

use gix::{bstr::ByteSlice, index::entry::Mode};

use super::{
    OverlayNote,
    walk::{FoundFile, Other, Seen, is_dot_git, join, list, mode_of, unreadable},
};
use crate::{change::FileMode, error::GitError};

/// Sorts out what is not in the index: what is ignored goes, folders are unfolded.
pub(super) fn sift(
    repo: &gix::Repository,
    index: &gix::index::State,
    capabilities: gix::fs::Capabilities,
    mut others: Vec<Other>,
    seen: &mut Seen,
) -> Result<(), GitError> {
    let failed = |error| GitError::engine("read the ignore files", error);
    let source = gix::worktree::stack::state::ignore::Source::WorktreeThenIdMappingIfNotSkipped;
    let mut excludes = repo.excludes(index, None, source).map_err(failed)?;
    // Taken from the end, in the order of paths: the ignore files of a folder are then read once.
    others.sort_by(|a, b| b.path.cmp(&a.path));
    while let Some(other) = others.pop() {
        let is_dir = other.file_type.is_dir();
        if !is_dir && !other.file_type.is_file() && !other.file_type.is_symlink() {
            continue;
        }
        let mode = if is_dir { Mode::DIR } else { Mode::FILE };
        match excludes.at_entry(other.path.as_bstr(), Some(mode)) {
            Ok(platform) if platform.is_excluded() => continue,
            Ok(_) => {}
            Err(error) => {
                seen.notes.push(unreadable(other.path.as_bstr(), &error));
                continue;
            }
        }
        if is_dir {
            unfold(repo, &other, &mut others, seen);
        } else {
            seen.untracked.extend(file(other, capabilities));
        }
    }
    seen.untracked.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}

/// Puts the content of a folder on the list, unless the folder is a repository.
fn unfold(repo: &gix::Repository, folder: &Other, others: &mut Vec<Other>, seen: &mut Seen) {
    if folder.on_disk == repo.common_dir() {
        return;
    }
    if gix::discover::is_git(&folder.on_disk.join(".git")).is_ok() {
        seen.notes.push(OverlayNote::NestedRepository {
            path: cortex_model::RepoPath::from_bytes(&folder.path),
        });
        return;
    }
    let entries = match list(&folder.on_disk) {
        Ok(entries) => entries,
        Err(error) => {
            seen.notes.push(unreadable(folder.path.as_bstr(), &error));
            return;
        }
    };
    seen.folders.push(folder.on_disk.clone());
    let first = others.len();
    for entry in entries {
        let name = entry.file_name();
        if let Ok(name) = gix::path::os_str_into_bstr(&name)
            && !is_dot_git(name)
            && let Ok(file_type) = entry.file_type()
        {
            others.push(Other {
                path: join(&folder.path, name),
                on_disk: entry.path(),
                file_type,
            });
        }
    }
    others[first..].sort_by(|a, b| b.path.cmp(&a.path));
}

/// A file that is not in the index; `None` if it is gone meanwhile, or a link where links are not in use.
fn file(other: Other, capabilities: gix::fs::Capabilities) -> Option<FoundFile> {
    let metadata = std::fs::symlink_metadata(&other.on_disk).ok()?;
    let mode = mode_of(&metadata, capabilities.executable_bit);
    if mode == FileMode::Symlink && !capabilities.symlink {
        return None;
    }
    Some(FoundFile {
        path: other.path,
        on_disk: other.on_disk,
        mode,
        n_bytes: metadata.len(),
    })
}
